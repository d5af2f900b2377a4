//! From a sentence to content words: lemmas with one stand-in for each set of synonyms, numbers as digits, names, and who does what to whom.

use std::sync::LazyLock;

use fnv::{FnvHashMap, FnvHashSet};

use super::forms;
use crate::lexicon::stem;
use crate::text::{self, Token, TokenKind};

/// What a content word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum WordKind {
    /// A common word.
    Common,
    /// A capitalised word inside a sentence.
    Name,
    /// A number, in digits.
    Number,
}

/// A content word of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Word {
    /// Lemma; the stand-in of its synonyms; digits of a number.
    pub(super) lemma: String,
    /// What it is.
    pub(super) kind: WordKind,
}

/// The content words of a sentence in the order of the active voice, and whether the sentence denies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Content {
    /// In order.
    pub(super) words: Vec<Word>,
    /// A word that denies stands in it.
    pub(super) denies: bool,
}

/// The most tokens that are looked at: a claim is one sentence.
const MAX_TOKENS: usize = 160;

/// Reads a sentence.
pub(super) fn content(sentence: &str) -> Content {
    content_of(&text::tokens(sentence))
}

/// Reads a sentence that is cut into words already.
pub(super) fn content_of(tokens: &[Token]) -> Content {
    let tokens = tokens.get(..MAX_TOKENS).unwrap_or(tokens);
    let ordered = active_voice(tokens);
    let denies = denies_itself(tokens);
    let words = ordered.into_iter().filter_map(|at| tokens.get(at).and_then(|token| word(token, at == 0))).collect();
    Content { words, denies }
}

/// Whether the sentence denies what it claims; a "not" inside a relative or final clause denies something else.
fn denies_itself(tokens: &[Token]) -> bool {
    for (at, token) in tokens.iter().enumerate() {
        let folded = token.folded.as_str();
        if matches!(folded, "because" | "since" | "so" | "if" | "while" | "although" | "that") {
            return false;
        }
        let before = at.checked_sub(1).and_then(|before| tokens.get(before)).map(|token| token.folded.as_str());
        let inner = matches!(before, Some("and" | "or" | "to" | "but" | ","));
        if denies(folded) && !inner {
            return true;
        }
    }
    false
}

/// Whether a folded word denies.
pub(super) fn denies(folded: &str) -> bool {
    folded.ends_with("n't")
        || matches!(
            folded,
            "not"
                | "no"
                | "never"
                | "cannot"
                | "nobody"
                | "nothing"
                | "neither"
                | "nor"
                | "without"
                | "none"
                | "hardly"
        )
}

fn word(token: &Token, first: bool) -> Option<Word> {
    let bare = token.folded.strip_suffix("'s").or_else(|| token.folded.strip_suffix('\'')).unwrap_or(&token.folded);
    if let Some(number) = number(bare) {
        return Some(Word { lemma: number, kind: WordKind::Number });
    }
    let name = token.capital && !first && !is_calendar(bare);
    match token.kind {
        TokenKind::Symbol => None,
        TokenKind::Number => Some(Word { lemma: bare.to_owned(), kind: WordKind::Number }),
        TokenKind::Word if !name && EMPTY.contains(bare) => None,
        TokenKind::Word if denies(bare) => None,
        TokenKind::Word if name => Some(Word { lemma: bare.to_owned(), kind: WordKind::Name }),
        TokenKind::Word => Some(Word { lemma: lemma(bare), kind: WordKind::Common }),
    }
}

/// Weekdays and months are written like names, but two of them are two values and no two people.
pub(super) fn is_calendar(bare: &str) -> bool {
    let singular = bare.strip_suffix('s').unwrap_or(bare);
    forms::CALENDAR.contains(&bare) || forms::CALENDAR.contains(&singular)
}

/// The lemma of a folded word, or the stand-in of its synonyms.
pub(super) fn lemma(folded: &str) -> String {
    let stemmed = stem(IRREGULAR.get(folded).copied().unwrap_or(folded));
    let stemmed = MADE_OF.get(folded).map_or(stemmed, |stuff| stem(stuff));
    SYNONYMS.get(stemmed.as_str()).cloned().unwrap_or(stemmed)
}

fn number(folded: &str) -> Option<String> {
    forms::NUMBERS.iter().find(|(word, _)| *word == folded).map(|(_, digits)| (*digits).to_owned())
}

/// Indices of the tokens, with "X is done by Y" told as "Y does X".
fn active_voice(tokens: &[Token]) -> Vec<usize> {
    let plain: Vec<usize> = (0..tokens.len()).collect();
    let Some(be) = tokens.iter().position(|token| is_be(&token.folded)) else { return plain };
    let Some(verb) =
        (be + 1..tokens.len().min(be + 5)).find(|at| tokens.get(*at).is_some_and(|t| is_participle(&t.folded)))
    else {
        return plain;
    };
    let Some(by) = (verb + 1..tokens.len()).find(|at| tokens.get(*at).is_some_and(|token| token.folded == "by")) else {
        return plain;
    };
    let end = agent_end(tokens, by + 1);
    if end == by + 1 {
        return plain;
    }
    let agent = by + 1..end;
    let patient = 0..be;
    agent.chain(be..=verb).chain(patient).chain(verb + 1..by).chain(end..tokens.len()).collect()
}

/// Where the doer after "by" ends: at punctuation, a preposition, or the next verb.
fn agent_end(tokens: &[Token], from: usize) -> usize {
    let stops = |token: &Token| {
        token.kind == TokenKind::Symbol
            || is_be(&token.folded)
            || matches!(
                token.folded.as_str(),
                "in" | "on"
                    | "at"
                    | "with"
                    | "from"
                    | "and"
                    | "who"
                    | "which"
                    | "that"
                    | "to"
                    | "near"
                    | "of"
                    | "for"
                    | "into"
                    | "behind"
                    | "under"
                    | "beside"
            )
    };
    (from..tokens.len()).find(|at| tokens.get(*at).is_some_and(stops)).unwrap_or(tokens.len())
}

fn is_be(folded: &str) -> bool {
    matches!(folded, "is" | "are" | "was" | "were" | "been" | "being" | "be")
}

fn is_participle(folded: &str) -> bool {
    (folded.ends_with("ed") && folded.len() > 3)
        || IRREGULAR.get(folded).is_some_and(|_| forms::PARTICIPLES.contains(&folded))
        || folded.ends_with("wn")
        || folded.ends_with("ten")
        || folded.ends_with("ken")
}

/// Whether a folded word is an irregular form of another.
pub(super) fn is_irregular(folded: &str) -> bool {
    IRREGULAR.contains_key(folded)
}

/// Whether a folded word is one of everyday language, and so no name.
pub(super) fn is_everyday(folded: &str) -> bool {
    let lemma = lemma(folded);
    EMPTY.contains(folded)
        || number(folded).is_some()
        || IRREGULAR.contains_key(folded)
        || RELATED.contains_key(&lemma)
        || RIVALS.contains_key(&lemma)
        || SYNONYMS.values().any(|known| *known == lemma)
        || matches!(
            folded,
            "several" | "many" | "most" | "few" | "different" | "various" | "everyone" | "everybody" | "nobody"
        )
}

static EMPTY: LazyLock<FnvHashSet<&'static str>> = LazyLock::new(|| forms::EMPTY.iter().copied().collect());

static IRREGULAR: LazyLock<FnvHashMap<&'static str, &'static str>> =
    LazyLock::new(|| forms::IRREGULAR.iter().copied().collect());

static MADE_OF: LazyLock<FnvHashMap<&'static str, &'static str>> =
    LazyLock::new(|| forms::MADE_OF.iter().copied().collect());

/// Words a lemma may stand for or be stood for by: broader and narrower ones.
pub(super) fn related(lemma: &str) -> &'static [String] {
    RELATED.get(lemma).map(Vec::as_slice).unwrap_or_default()
}

/// Words that cannot hold beside a lemma.
pub(super) fn rivals(lemma: &str) -> &'static [String] {
    RIVALS.get(lemma).map(Vec::as_slice).unwrap_or_default()
}

static RELATED: LazyLock<FnvHashMap<String, Vec<String>>> = LazyLock::new(|| {
    let mut related: FnvHashMap<String, Vec<String>> = FnvHashMap::default();
    for family in super::relatives::FAMILIES {
        let mut members = family.split_whitespace().map(lemma);
        let Some(broader) = members.next() else { continue };
        for narrower in members.filter(|narrower| *narrower != broader) {
            related.entry(broader.clone()).or_default().push(narrower.clone());
            related.entry(narrower).or_default().push(broader.clone());
        }
    }
    related
});

static RIVALS: LazyLock<FnvHashMap<String, Vec<String>>> = LazyLock::new(|| {
    let mut rivals: FnvHashMap<String, Vec<String>> = FnvHashMap::default();
    for set in super::relatives::RIVALS {
        let members: Vec<String> = set.split_whitespace().map(lemma).collect();
        for one in &members {
            rivals.entry(one.clone()).or_default().extend(members.iter().filter(|other| *other != one).cloned());
        }
    }
    rivals
});

/// The lemma of a word to the stand-in of its set: the lemma of the first word of the set.
static SYNONYMS: LazyLock<FnvHashMap<String, String>> = LazyLock::new(|| {
    let mut map = FnvHashMap::default();
    for set in super::synonyms::SETS {
        let mut words = set.split_whitespace();
        let Some(first) = words.next().map(stem) else { continue };
        for word in words {
            map.entry(stem(word)).or_insert_with(|| first.clone());
        }
    }
    map
});
