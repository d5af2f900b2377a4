//! Is it said, or only asked, ordered, wished, supposed, or somebody else's word?

use super::alignment::Alignment;
use super::claim::{Claim, Item, Kind};
use super::passage::{Passage, Piece, Standing};
use super::register::Register;
use super::sources;
use crate::lexicon::verbs::{self, Form};
use crate::reading::Speaker;
use crate::reading::acts::Modality;
use crate::reading::modality;
use crate::stage::Reason;

/// Checks that somebody asserts what the claim says.
///
/// # Errors
/// [`Reason::NotAsserted`].
pub(super) fn asserted(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> Result<(), Reason> {
    // Who asks, suggests or thanks does so by asking, suggesting, thanking; who thinks so has to say so.
    if claim.register == Register::Framed && !claim.says(THINKING) {
        return Ok(());
    }
    let mut said = 0;
    let mut unsaid = 0;
    for (item, carried) in claim.items.iter().zip(&alignment.focused) {
        if matches!(item.kind, Kind::Light | Kind::Retelling | Kind::Frequency | Kind::Modifier) {
            continue;
        }
        let mut quoted: Vec<&Piece> = carried
            .iter()
            .filter(|at| passage.words.get(**at).is_some_and(|word| word.quoted))
            .filter_map(|at| passage.piece_of(*at))
            .collect();
        if quoted.is_empty() {
            continue;
        }
        // What its clause does and how it stands to the world is one for all pieces of it.
        quoted.dedup_by_key(|piece| piece.clause);
        if quoted.iter().any(|piece| is_said(claim, passage, piece)) { said += 1 } else { unsaid += 1 }
    }
    if unsaid > said { Err(Reason::NotAsserted) } else { Ok(()) }
}

fn is_said(claim: &Claim, passage: &Passage<'_>, piece: &Piece) -> bool {
    let words = passage.clause_words(piece.clause);
    match piece.standing {
        Standing::Quoted => claim.says(&["said", "says", "say", "wrote", "writes", "told", "tells", "claims"]),
        Standing::Asked => claim.says(ASKING) || answered(passage, piece),
        Standing::Ordered => {
            claim.says(WANTING)
                || is_state_of_speaker(&words)
                || tells_in_passing(&words)
                || tells_only_a_tie(claim) && words.iter().any(|word| matches!(*word, "my" | "our"))
                || (concerns_speaker(&words)
                    && (!is_task(&words) || is_to_be_told(&words))
                    && !modality::supposes(&words))
        }
        Standing::Asserted => !supposed(piece, &words) || claim.says(SUPPOSING),
    }
}

/// Words by which a claim says that somebody holds something to be so.
const THINKING: &[&str] =
    &["thinks", "believes", "feels", "considers", "knows", "hopes", "plans", "intends", "thought", "believed", "felt"];

/// Words by which a claim says itself that it is a question.
const ASKING: &[&str] =
    &["asks", "asked", "wonders", "wondered", "interested", "interest", "curious", "inquired", "inquires"];

/// Words by which a claim says itself that it is a wish or a request.
const WANTING: &[&str] = &[
    "wants", "want", "wanted", "would", "asks", "asked", "prefers", "needs", "wishes", "requests", "likes", "must",
    "may",
];
/// Words by which a claim says itself that it is supposed.
const SUPPOSING: &[&str] = &[
    "would",
    "if",
    "wish",
    "wishes",
    "wished",
    "wants",
    "hopes",
    "want",
    "could",
    "dreams",
    "hoping",
    "might",
    "unless",
    "hope",
    "plans",
    "considering",
];

/// A question of the assistant that a cited turn answers.
fn answered(passage: &Passage<'_>, piece: &Piece) -> bool {
    let Some(turn) = passage.turns.get(piece.turn) else { return false };
    turn.speaker == Speaker::Assistant && passage.turns.iter().any(|other| matches!(other.speaker, Speaker::Person(_)))
        || sources::confirms(turn)
}

fn concerns_speaker(words: &[&str]) -> bool {
    words.iter().any(|word| matches!(*word, "me" | "my" | "i" | "i'm" | "us" | "our" | "you" | "we" | "we're"))
}

/// "speak Dutch and enough Spanish to argue": nobody is ordered to be so, it is the speaker's "I" that is left out.
fn is_state_of_speaker(words: &[&str]) -> bool {
    const STATES: &[&str] = &["speak", "live", "own", "love", "hate", "know", "have", "prefer", "dislike"];
    words.first().is_some_and(|first| STATES.contains(first))
        && !words.iter().any(|word| matches!(*word, "please" | "you" | "your" | "me" | "a" | "look"))
}

/// "write that we close on Sundays": what is to be told of the speaker is so, unless it is to be made up.
fn is_to_be_told(words: &[&str]) -> bool {
    const MADE_UP: &[&str] = &["imagine", "pretend", "invent", "suppose", "story", "poem", "as"];
    let told = |pair: &[&str]| matches!(pair, ["that", "we" | "we're" | "i" | "i'm" | "my" | "our" | "we've" | "i've"]);
    words.windows(2).any(told) && !words.iter().any(|word| MADE_UP.contains(word))
}

/// "summarise the book I finished": what the thing is told by is so, whatever is ordered.
fn tells_in_passing(words: &[&str]) -> bool {
    words.windows(4).any(|four| match four {
        [the, _, who, verb] => {
            matches!(*the, "the" | "my" | "this" | "these" | "those")
                && matches!(*who, "i" | "we")
                && verbs::form(verb) == Form::Past
        }
        _ => false,
    })
}

/// "User has a daughter called Lina" of "write a poem about my daughter Lina": the tie is so, whatever is ordered.
fn tells_only_a_tie(claim: &Claim) -> bool {
    let tie = |item: &Item| {
        matches!(item.kind, Kind::Role | Kind::Name | Kind::Light) || matches!(&*item.root, "call" | "name")
    };
    claim.items.iter().any(|item| item.kind == Kind::Role) && claim.items.iter().all(tie)
}

fn is_task(words: &[&str]) -> bool {
    const TASKS: &[&str] = &[
        "write",
        "draft",
        "compose",
        "translate",
        "summarise",
        "summarize",
        "imagine",
        "shorten",
        "rewrite",
        "rephrase",
        "paraphrase",
        "reword",
        "proofread",
        "pretend",
        "invent",
        "generate",
    ];
    words.iter().take(4).any(|word| TASKS.contains(word))
}

/// "if I had …, I would", "I wish I could".
fn supposed(piece: &Piece, words: &[&str]) -> bool {
    match piece.modality {
        Modality::Hypothetical => {
            words.first() == Some(&"if")
                || modality::supposes(words)
                || words.iter().any(|word| matches!(*word, "i'd" | "would"))
        }
        Modality::Wish => words.first() == Some(&"may") || words.iter().any(|word| matches!(*word, "wish" | "wishes")),
        Modality::Actual | Modality::Plan | Modality::Possible | Modality::Past => false,
    }
}
