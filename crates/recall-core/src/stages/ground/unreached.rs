//! Is something told as reached that was only thought, offered, begun, saved for, or that came to nothing?

use super::agent::Agent;
use super::alignment::Alignment;
use super::claim::{Claim, Item, Kind};
use super::passage::{Passage, Word};
use super::turned::run;
use crate::lexicon::stop;
use crate::stage::Reason;

/// A word that stands more often than this in a passage decides nothing.
const MOST: usize = 32;

/// A way not to reach a thing.
struct Short {
    /// The claim tells it as reached by one of these; empty where any way to tell it does.
    reached: &'static [&'static str],
    /// Phrases of the words around the thing.
    cues: &'static [&'static str],
    /// It counts only where the words go on to say otherwise: "thought it was …, but".
    contradicted: bool,
    /// Words of the source by which it was reached after all.
    after_all: &'static [&'static str],
    /// Words by which the claim says itself how far it got.
    told: &'static [&'static str],
    /// What is wrong with a claim that tells it as reached.
    reason: Reason,
}

const SHORTS: &[Short] = &[
    Short {
        reached: &[],
        cues: &[
            "thought it was",
            "thought it were",
            "thought i had",
            "thought we had",
            "thought he was",
            "thought she was",
            "thought i was",
            "assumed it was",
            "figured it was",
            "was afraid it was",
            "feared it was",
        ],
        contradicted: true,
        after_all: &[],
        told: &["thought", "assumed", "figured", "believed", "worried", "feared", "suspected", "not"],
        reason: Reason::ModalityShift,
    },
    Short {
        reached: &["is", "works", "has", "got", "became", "was"],
        cues: &[
            "offered me the",
            "offered me a",
            "offered us the",
            "offered us a",
            "offered him the",
            "offered her the",
        ],
        contradicted: false,
        after_all: &["took", "accepted", "yes", "start", "started", "starting", "signed", "agreed", "grabbed"],
        told: &["offered", "turned", "declined", "rejected", "refused", "offer"],
        reason: Reason::ModalityShift,
    },
    Short {
        reached: &["has", "holds", "completed", "finished", "got", "graduated", "earned", "passed"],
        cues: &[
            "halfway through",
            "half way through",
            "partway through",
            "in the middle of",
            "midway through",
            "enrolled in",
            "working on",
            "working towards",
            "studying for",
            "resitting",
            "retaking",
            "months into",
            "weeks into",
            "years into",
        ],
        contradicted: false,
        after_all: &["finished", "graduated", "passed"],
        told: &[
            "halfway",
            "partway",
            "midway",
            "middle",
            "enrolled",
            "working",
            "studying",
            "resitting",
            "retaking",
            "into",
        ],
        reason: Reason::ModalityShift,
    },
    Short {
        reached: &["bought", "owns", "purchased", "has", "got", "acquired"],
        cues: &[
            "aside * for",
            "saving up for",
            "saving for",
            "saving * for",
            "save up for",
            "save for",
            "looking for",
            "shopping for",
            "hunting for",
            "eyeing",
            "hoping for",
            "waiting for",
            "browsing",
            "asked for",
            "asked * for",
            "i'd love a",
            "i'd love an",
            "i'd like a",
            "i'd like an",
            "would love a",
            "would like a",
            "rather have a",
            "rather have an",
            "wish i had",
            "wish we had",
            "wants a",
            "wants an",
            "want a",
            "want an",
            "wanted a",
            "wanted an",
        ],
        contradicted: false,
        after_all: &["bought", "purchased", "own", "found", "ordered"],
        told: &[
            "would", "rather", "wishes", "wish", "saving", "saves", "save", "aside", "wants", "looking", "shopping",
            "hunting", "eyeing", "hoping", "plans", "waiting",
        ],
        reason: Reason::ModalityShift,
    },
    Short {
        reached: &["works", "is", "has"],
        cues: &[
            "i start at",
            "i start with",
            "i start as",
            "we start at",
            "i'm starting at",
            "i'm starting as",
            "i'm joining",
            "i join",
        ],
        contradicted: false,
        after_all: &["started", "already", "every"],
        told: &["start", "starts", "starting", "will", "joining", "joins", "begins", "going"],
        reason: Reason::ModalityShift,
    },
    Short {
        reached: &["is"],
        cues: &["turns", "turning"],
        contradicted: false,
        after_all: &["turned"],
        told: &["turns", "turning", "will", "soon", "almost", "nearly"],
        reason: Reason::ModalityShift,
    },
    Short {
        reached: &["is"],
        cues: &[
            "wants to be",
            "want to be",
            "wants to become",
            "training to be",
            "training to become",
            "studying to be",
            "studying to become",
            "hopes to be",
            "hoping to be",
            "hopes to become",
            "dreams of being",
            "dreams of becoming",
        ],
        contradicted: false,
        after_all: &["became"],
        told: &["wants", "want", "training", "studying", "hopes", "hoping", "dreams", "become", "future"],
        reason: Reason::ModalityShift,
    },
];

/// What came to nothing: the phrases stand behind the thing.
const FELL_THROUGH: &[&str] = &[
    "fell through",
    "was cancelled",
    "got cancelled",
    "was canceled",
    "got canceled",
    "is cancelled",
    "been cancelled",
    "was called off",
    "got called off",
    "came to nothing",
    "didn't happen",
    "never happened",
    "is not happening",
    "isn't happening",
];

/// "walks daily" of "my doctor told me to walk daily": what one is told to do is not done by that.
fn is_only_advised(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    const TOLD: &[&str] = &[
        "told",
        "advised",
        "asked",
        "wants",
        "should",
        "must",
        "has",
        "needs",
        "recommended",
        "advice",
        "suggested",
        "to",
        "told",
    ];
    const TELLING: &[&str] = &["told", "advised", "asked", "wants", "want", "urged", "begged", "reminded", "ordered"];
    let advised = |at: &usize| {
        let piece = passage.piece_of(*at).map(|piece| piece.words.clone()).unwrap_or_default();
        let before = passage.words.get(piece.start..*at).unwrap_or_default();
        before.windows(3).any(|three| match three {
            [tells, whom, to] => {
                TELLING.contains(&&*tells.text) && matches!(&*whom.text, "me" | "us") && &*to.text == "to"
            }
            _ => false,
        })
    };
    let deed = claim.items.iter().zip(&alignment.carried).next();
    !claim.says(TOLD)
        && deed.is_some_and(|(item, carried)| {
            item.kind == Kind::Plain && (1..=MOST).contains(&carried.len()) && carried.iter().all(advised)
        })
}

/// The objection to a claim that tells as reached what the words do not let be reached.
pub(super) fn objection(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> Option<Reason> {
    if came_to_nothing(claim, passage, alignment) {
        return Some(Reason::PolarityFlip);
    }
    if claim.agent == Agent::User && is_only_advised(claim, passage, alignment) {
        return Some(Reason::ModalityShift);
    }
    let short = |short: &&Short| {
        (short.reached.is_empty() || claim.says(short.reached))
            && !claim.says(short.told)
            && passage.words.iter().all(|word| !short.after_all.contains(&&*word.text))
            && fell_short(claim, passage, alignment, short)
    };
    SHORTS.iter().find(short).map(|short| short.reason)
}

/// What the claim tells stands only behind one of the phrases, in the same run of words.
fn fell_short(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment, short: &Short) -> bool {
    const OTHERWISE: &[&str] = &["but", "until", "turns", "turned", "then", "yet", "however", "wasn't", "actually"];
    let behind = |at: &usize| {
        let (words, place) = run(passage, *at);
        let after = passage.words.get(at + words.len() - place..).unwrap_or_default();
        let contradicted = after.iter().take(3).any(|word| OTHERWISE.contains(&&*word.text));
        let before = words.get(..place).unwrap_or_default();
        (contradicted || !short.contradicted) && short.cues.iter().any(|cue| ends_of(before, cue))
    };
    let told = |item: &Item| matches!(item.kind, Kind::Plain | Kind::Name | Kind::Number | Kind::Role);
    let mut found =
        claim.items.iter().zip(&alignment.carried).filter(|(item, carried)| told(item) && !carried.is_empty());
    // The thing itself: the last that is told, which no word of the way stands for.
    let last = found.next_back();
    last.is_some_and(|(_, carried)| carried.len() <= MOST && carried.iter().all(behind))
}

/// The phrase stands in the words; a star passes over up to three of them, and what is told begins at most five words behind it.
fn ends_of(words: &[Word<'_>], cue: &str) -> bool {
    const REACH: usize = 5;
    (0..words.len()).any(|from| {
        let rest = words.get(from..).unwrap_or_default();
        matched(rest, cue).is_some_and(|length| rest.len() - length <= REACH)
    })
}

/// How many words the phrase takes, where the words begin with it.
fn matched(words: &[Word<'_>], cue: &str) -> Option<usize> {
    const STAR: usize = 3;
    let mut at = 0;
    let mut skip = 0;
    for part in cue.split(' ') {
        if part == "*" {
            skip = STAR;
            continue;
        }
        at += (0..=skip).find(|over| words.get(at + over).is_some_and(|word| &*word.text == part))? + 1;
        skip = 0;
    }
    Some(at)
}

/// "went to Visby" of "the Visby trip fell through".
fn came_to_nothing(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    const TOLD: &[&str] =
        &["fell", "cancelled", "canceled", "called", "off", "nothing", "not", "didn't", "never", "planned"];
    if claim.says(TOLD) {
        return false;
    }
    let before = |at: &usize| {
        let (words, place) = run(passage, *at);
        let behind = words.get(place + 1..).unwrap_or_default();
        (0..behind.len()).any(|from| {
            let between = behind.get(..from).unwrap_or_default();
            let rest = behind.get(from..).unwrap_or_default();
            between.len() < 4
                && between.iter().all(|word| !stop::is_function(&word.text))
                && FELL_THROUGH.iter().any(|cue| matched(rest, cue).is_some())
        })
    };
    let told = |item: &Item| matches!(item.kind, Kind::Plain | Kind::Name);
    let mut pairs = claim
        .items
        .iter()
        .zip(&alignment.carried)
        .filter(|(item, carried)| told(item) && !carried.is_empty())
        .peekable();
    pairs.peek().is_some() && pairs.all(|(_, carried)| carried.len() <= MOST && carried.iter().all(before))
}
