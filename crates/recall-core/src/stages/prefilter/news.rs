//! Does a clause tell anything worth a model call? Doubt keeps it: a lost turn is lost for good, a kept one costs a call.

use std::sync::LazyLock;

use fnv::FnvHashSet;

use regex::Regex;

use super::Heard;
use super::reactions;
use crate::lexicon::people;
use crate::lexicon::stop::is_function;
use crate::reading::ReadTurn;
use crate::reading::acts::Act;
use crate::text::TokenKind;

type Words = LazyLock<FnvHashSet<&'static str>>;

fn set(words: &'static str) -> FnvHashSet<&'static str> {
    words.split_whitespace().collect()
}

/// Does a clause tell something of a person or the world?
pub(super) fn tells(heard: &Heard<'_>, turn: &ReadTurn) -> bool {
    let words: Vec<&str> = heard.words().collect();
    match heard.clause.act {
        Act::Statement => !is_idle(&words) && !reactions::is_reaction(heard.tokens),
        Act::Request => {
            !is_english(&words, turn.language())
                || states_personal(&words)
                || is_standing(&words)
                || is_appointment(&words)
        }
        Act::Question => !is_english(&words, turn.language()) || gives_reason(&words),
        Act::Greeting | Act::Acknowledgement | Act::Meta => false,
    }
}

/// Words of hesitation, and adverbs that wait for what they are about.
static HESITATION: Words = LazyLock::new(|| {
    set("uh um er erm ah oh well like yeah yes okay ok mean know guess think said i'd there'd that'd it'd hm huh \
    anyway anyways actually basically thing things stuff sort kind huh-uh now seem seems probably maybe \
    everybody what's who's where's see")
});

/// What a finished sentence does not end with.
static DANGLING: Words = LazyLock::new(|| {
    set("a an the and or but so because if when while than as at by for from into of onto to with i we he she they \
    i'm i've i'd i'll it's that's we're we've they're you're he's she's there's what's just really very think \
    mean guess my your their our like don't even kind sort")
});

/// Ends of words that hold a verb.
const GLUED: &[&str] = &["n't", "'ll", "'ve", "'re", "'d"];

/// What a short sentence does not end with either: "and it was", "that it".
const OPEN_ENDED: &[&str] =
    &["is", "are", "was", "were", "that", "it", "this", "you", "had", "have", "has", "what", "then", "now"];

/// Function words and hesitation only, without a verb or with its end missing: a sentence that was begun and left.
fn is_idle(words: &[&str]) -> bool {
    static VERBS: Words = LazyLock::new(|| {
        set("do did does don't didn't doesn't am is are was were have has had haven't hasn't hadn't can can't could \
    couldn't will won't would wouldn't should shouldn't isn't aren't wasn't weren't used must might may i'm i've \
    i'll it's that's he's she's they're we're you're there's we've")
    });
    let mut rest = words;
    loop {
        rest = match rest {
            [head @ .., "you", "know"] | [head @ .., "uh" | "um" | "er" | "well" | "oh" | "huh" | "yeah"] => head,
            _ => break,
        };
    }
    if !words.iter().all(|word| is_function(word) || HESITATION.contains(word) || is_letter(word)) {
        return false;
    }
    let said = rest.iter().any(|word| VERBS.contains(word) || GLUED.iter().any(|end| word.ends_with(end)))
        || rest.windows(2).any(|pair| matches!(pair, ["i" | "we" | "they" | "you", "like" | "know" | "said" | "see"]));
    let begun = rest.iter().all(|word| !VERBS.contains(word) || word.contains('\'') || OPEN_ENDED.contains(word))
        && rest.len() < 4;
    !said
        || rest.last().is_none_or(|last| DANGLING.contains(last))
        || (begun && rest.last().is_some_and(|last| OPEN_ENDED.contains(last)))
}

fn is_letter(word: &str) -> bool {
    word.chars().count() == 1 && word.is_ascii() && word.chars().all(char::is_alphabetic)
}

/// Words that only English has, among the languages that share its letters.
static ENGLISH: Words = LazyLock::new(|| {
    set("the is are what how who why when where which do does did can could would should will you your i my it its \
    they them and of for with this that there have has had to be not about i'm it's don't what's how's any some \
    please if or but from tell give write show make let's we us me at by help explain remind find book translate \
    add set another more much many")
});

/// Is the clause English, so that its cues mean what they seem to? One or two plain words pass as English.
fn is_english(words: &[&str], language: Option<&'static str>) -> bool {
    let cues = words.iter().filter(|word| ENGLISH.contains(*word)).count();
    if cues * 5 >= words.len().max(1) {
        return true;
    }
    let plain = words.iter().all(|word| word.is_ascii());
    plain && (language == Some("eng") || words.len() <= 2)
}

/// A statement about a person inside a request: "something for my sister", "that I can eat, I'm vegan".
fn states_personal(words: &[&str]) -> bool {
    const STATING: &[&str] = &[
        "i'm", "i've", "we're", "we've", "i am", "i have", "i live", "i work", "i like", "i love", "i hate", "i don't",
        "i can't", "we have", "we live", "we don't", "i was", "i got", "i got", "i play", "i own", "i use", "i prefer",
        "i never", "i always", "i study", "we are", "i bought", "i lost", "i moved", "i turned", "i just", "i eat",
        "i drink",
    ];
    let stated = words
        .windows(2)
        .any(|pair| pair.first().zip(pair.get(1)).is_some_and(|(a, b)| STATING.contains(&format!("{a} {b}").as_str())));
    let glued = words.iter().any(|word| STATING.contains(word));
    stated || glued || names_own_person(words)
}

/// "my sister", "our dog": within three words of the possessive.
fn names_own_person(words: &[&str]) -> bool {
    const ANIMALS: &[&str] =
        &["dog", "cat", "puppy", "kitten", "rabbit", "horse", "parrot", "hamster", "dogs", "cats", "pet"];
    words.iter().enumerate().any(|(at, word)| {
        let owned = words.get(at + 1..words.len().min(at + 4)).unwrap_or_default();
        matches!(*word, "my" | "our")
            && owned.iter().any(|noun| {
                let noun = noun.strip_suffix("'s").unwrap_or(noun);
                people::relative(noun).is_some() || ANIMALS.contains(&noun)
            })
    })
}

/// How the person wants it from now on, or wants it remembered.
fn is_standing(words: &[&str]) -> bool {
    const STANDING: &[&[&str]] = &[
        &["always"],
        &["never"],
        &["from", "now", "on"],
        &["in", "future"],
        &["in", "the", "future"],
        &["every", "time"],
        &["each", "time"],
        &["whenever"],
        &["going", "forward"],
        &["at", "all", "times"],
        &["anymore"],
        &["any", "more"],
        &["call", "me"],
        &["call", "us"],
        &["address", "me"],
        &["refer", "to", "me"],
        &["my", "name"],
        &["my", "pronouns"],
        &["remember"],
        &["don't", "forget"],
        &["keep", "in", "mind"],
        &["note", "that"],
        &["note", "down"],
        &["memorize"],
        &["prefer"],
        &["instead", "of"],
        &["no", "longer"],
        &["stop", "using"],
        &["stop", "calling"],
        &["by", "default"],
        &["with", "me"],
    ];
    STANDING.iter().any(|cue| words.windows(cue.len()).any(|run| run == *cue))
}

/// "let's meet tomorrow at six": a plan, however it is put.
fn is_appointment(words: &[&str]) -> bool {
    words.iter().take(4).any(|word| matches!(*word, "let's" | "lets"))
        && words.iter().any(|word| reactions::is_time(word))
}

/// A question that says why it is asked: "what can I eat, since I'm diabetic".
fn gives_reason(words: &[&str]) -> bool {
    const REASONS: &[&str] =
        &["since", "because", "cause", "as", "that", "considering", "if", "when", "while", "cuz", "for"];
    const STATED: &[&str] = &["i'm", "i've", "we're", "we've", "im", "ive"];
    words.windows(3).any(|run| match run {
        [reason, subject, verb] if REASONS.contains(reason) => {
            STATED.contains(subject)
                || (matches!(*subject, "i" | "we")
                    && matches!(
                        *verb,
                        "am" | "have" | "live" | "work" | "was" | "just" | "can't" | "don't" | "moved" | "are" | "got"
                    ))
        }
        _ => false,
    })
}

static ADDRESS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?i)\b(?:https?://|www\.)\S+").ok());

/// Nothing but addresses of pages.
pub(super) fn only_addresses(content: &str) -> bool {
    let Some(address) = ADDRESS.as_ref() else { return false };
    address.is_match(content) && !address.replace_all(content, " ").chars().any(char::is_alphanumeric)
}

/// Whether a token is a word or a number.
pub(super) fn is_spoken(kind: TokenKind) -> bool {
    match kind {
        TokenKind::Word | TokenKind::Number => true,
        TokenKind::Symbol => false,
    }
}
