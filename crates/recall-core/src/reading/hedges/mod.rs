//! Words that take certainty away, and how far each reaches: a hedge counts for its own clause only.

mod construction;
mod cues;
mod factuality;

use std::ops::Range;
use std::sync::LazyLock;

use fnv::FnvHashMap;

use serde::{Deserialize, Serialize};

use super::modality;
use crate::text::{Token, TokenKind};

pub use factuality::factuality;

/// Kinds of hedges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HedgeClass {
    /// "I think", "maybe".
    Epistemic,
    /// "about", "roughly".
    Approximative,
    /// "sometimes", "usually".
    Frequency,
    /// "she told me", "apparently".
    Hearsay,
    /// "if it rains".
    Conditional,
}

impl HedgeClass {
    /// The class as it stands in factors and traces.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Epistemic => "epistemic",
            Self::Approximative => "approximative",
            Self::Frequency => "frequency",
            Self::Hearsay => "hearsay",
            Self::Conditional => "conditional",
        }
    }
}

/// A hedge in a turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Hedge {
    /// Byte range of the cue.
    pub span: Range<usize>,
    /// Byte range of what it hedges.
    pub reach: Range<usize>,
    /// Its kind.
    pub class: HedgeClass,
    /// Share of certainty it leaves, above 0 and below 1.
    pub leaves: f64,
}

/// Cues: words that stand next to each other, class, and what they leave of certainty. `#` stands for a number.
#[rustfmt::skip]
const CUES: &[(&str, HedgeClass, f64)] = &[
    ("might", HedgeClass::Epistemic, 0.50), ("may be", HedgeClass::Epistemic, 0.50), ("may have", HedgeClass::Epistemic, 0.50),
    ("i may", HedgeClass::Epistemic, 0.50), ("we may", HedgeClass::Epistemic, 0.50), ("he may", HedgeClass::Epistemic, 0.50),
    ("she may", HedgeClass::Epistemic, 0.50), ("they may", HedgeClass::Epistemic, 0.50), ("could be", HedgeClass::Epistemic, 0.50),
    ("could have been", HedgeClass::Epistemic, 0.50), ("may well", HedgeClass::Epistemic, 0.60), ("can't be sure", HedgeClass::Epistemic, 0.50),
    ("maybe", HedgeClass::Epistemic, 0.50), ("perhaps", HedgeClass::Epistemic, 0.50), ("possibly", HedgeClass::Epistemic, 0.50),
    ("potentially", HedgeClass::Epistemic, 0.50), ("not sure", HedgeClass::Epistemic, 0.45), ("unsure", HedgeClass::Epistemic, 0.45),
    ("not certain", HedgeClass::Epistemic, 0.45), ("no idea", HedgeClass::Epistemic, 0.40), ("i wonder", HedgeClass::Epistemic, 0.40),
    ("don't know if", HedgeClass::Epistemic, 0.40), ("don't know whether", HedgeClass::Epistemic, 0.40),
    ("haven't decided", HedgeClass::Epistemic, 0.50), ("toying with", HedgeClass::Epistemic, 0.50), ("thinking of", HedgeClass::Epistemic, 0.55),
    ("thinking about", HedgeClass::Epistemic, 0.55), ("considering", HedgeClass::Epistemic, 0.55),
    ("i think", HedgeClass::Epistemic, 0.70), ("i still think", HedgeClass::Epistemic, 0.70), ("we think", HedgeClass::Epistemic, 0.70),
    ("don't think", HedgeClass::Epistemic, 0.70), ("i guess", HedgeClass::Epistemic, 0.65), ("i suppose", HedgeClass::Epistemic, 0.65),
    ("i believe", HedgeClass::Epistemic, 0.75), ("i assume", HedgeClass::Epistemic, 0.65), ("i suspect", HedgeClass::Epistemic, 0.60),
    ("i reckon", HedgeClass::Epistemic, 0.70), ("i imagine", HedgeClass::Epistemic, 0.60), ("i feel like", HedgeClass::Epistemic, 0.75),
    ("if i remember", HedgeClass::Epistemic, 0.70), ("as far as i know", HedgeClass::Epistemic, 0.75), ("afaik", HedgeClass::Epistemic, 0.75),
    ("iirc", HedgeClass::Epistemic, 0.70), ("pretty sure", HedgeClass::Epistemic, 0.80), ("fairly sure", HedgeClass::Epistemic, 0.78),
    ("almost certain", HedgeClass::Epistemic, 0.80), ("probably", HedgeClass::Epistemic, 0.65), ("presumably", HedgeClass::Epistemic, 0.65),
    ("likely", HedgeClass::Epistemic, 0.65), ("unlikely", HedgeClass::Epistemic, 0.50), ("seems", HedgeClass::Epistemic, 0.70),
    ("seem to", HedgeClass::Epistemic, 0.70), ("looks like", HedgeClass::Epistemic, 0.70), ("kind of", HedgeClass::Epistemic, 0.85),
    ("sort of", HedgeClass::Epistemic, 0.85), ("kinda", HedgeClass::Epistemic, 0.85),
    ("supposed to", HedgeClass::Epistemic, 0.65), ("should be", HedgeClass::Epistemic, 0.80), ("must be", HedgeClass::Epistemic, 0.80), ("must have", HedgeClass::Epistemic, 0.80),
    ("about #", HedgeClass::Approximative, 0.95), ("around #", HedgeClass::Approximative, 0.95), ("roughly", HedgeClass::Approximative, 0.95),
    ("approximately", HedgeClass::Approximative, 0.95), ("nearly #", HedgeClass::Approximative, 0.95), ("almost #", HedgeClass::Approximative, 0.95),
    ("or so", HedgeClass::Approximative, 0.95), ("more or less", HedgeClass::Approximative, 0.93), ("give or take", HedgeClass::Approximative, 0.93),
    ("something like", HedgeClass::Approximative, 0.93),
    ("usually", HedgeClass::Frequency, 0.90), ("sometimes", HedgeClass::Frequency, 0.85), ("often", HedgeClass::Frequency, 0.92),
    ("normally", HedgeClass::Frequency, 0.90), ("generally", HedgeClass::Frequency, 0.90), ("mostly", HedgeClass::Frequency, 0.92),
    ("occasionally", HedgeClass::Frequency, 0.85), ("now and then", HedgeClass::Frequency, 0.85), ("from time to time", HedgeClass::Frequency, 0.85),
    ("most of the time", HedgeClass::Frequency, 0.90), ("tend to", HedgeClass::Frequency, 0.88), ("rarely", HedgeClass::Frequency, 0.85),
    ("i heard", HedgeClass::Hearsay, 0.62), ("i hear", HedgeClass::Hearsay, 0.62), ("we heard", HedgeClass::Hearsay, 0.62),
    ("apparently", HedgeClass::Hearsay, 0.62), ("supposedly", HedgeClass::Hearsay, 0.55), ("allegedly", HedgeClass::Hearsay, 0.55),
    ("reportedly", HedgeClass::Hearsay, 0.62), ("rumour", HedgeClass::Hearsay, 0.45), ("rumor", HedgeClass::Hearsay, 0.45), ("rumoured", HedgeClass::Hearsay, 0.45),
    ("told me", HedgeClass::Hearsay, 0.75), ("told us", HedgeClass::Hearsay, 0.75), ("they say", HedgeClass::Hearsay, 0.62),
    ("people say", HedgeClass::Hearsay, 0.60), ("he says", HedgeClass::Hearsay, 0.72), ("she says", HedgeClass::Hearsay, 0.72),
    ("he said", HedgeClass::Hearsay, 0.72), ("she said", HedgeClass::Hearsay, 0.72), ("according to", HedgeClass::Hearsay, 0.72), ("word is", HedgeClass::Hearsay, 0.55),
    ("if", HedgeClass::Conditional, 0.75), ("unless", HedgeClass::Conditional, 0.75), ("provided that", HedgeClass::Conditional, 0.78),
    ("as long as", HedgeClass::Conditional, 0.80), ("in case", HedgeClass::Conditional, 0.78), ("depending on", HedgeClass::Conditional, 0.75), ("depends on", HedgeClass::Conditional, 0.75),
];

/// What a doubt in another language leaves of certainty: as much as "maybe".
const DOUBT_ABROAD: f64 = 0.50;

type Cue = (Vec<&'static str>, HedgeClass, f64);

/// Cues by their first word, longest first.
static BY_FIRST: LazyLock<FnvHashMap<&'static str, Vec<Cue>>> = LazyLock::new(|| {
    let mut by_first: FnvHashMap<&'static str, Vec<Cue>> = FnvHashMap::default();
    let abroad = modality::doubts().map(|cue| (cue, HedgeClass::Epistemic, DOUBT_ABROAD));
    for (cue, class, leaves) in CUES.iter().copied().chain(abroad) {
        let words: Vec<&'static str> = cue.split(' ').collect();
        if let Some(first) = words.first() {
            by_first.entry(first).or_default().push((words, class, leaves));
        }
    }
    for cues in by_first.values_mut() {
        cues.sort_by_key(|(words, _, _)| std::cmp::Reverse(words.len()));
    }
    by_first
});

/// The hedges of a turn, in order.
pub fn find(content: &str, tokens: &[Token]) -> Vec<Hedge> {
    let _ = content;
    let mut hedges = Vec::new();
    let mut clauses = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let cues = BY_FIRST.get(token.folded.as_str()).map(Vec::as_slice).unwrap_or_default();
        let Some((words, class, leaves)) = cues.iter().find(|(words, _, _)| stands_at(tokens, at, words)) else {
            continue;
        };
        if clauses.is_empty() {
            clauses = self::clauses(tokens);
        }
        let last = at + words.len() - 1;
        let (Some(reach), Some(end)) = (reach(tokens, &clauses, at, last, *class), tokens.get(last)) else { continue };
        hedges.push(Hedge { span: token.span.start..end.span.end, reach, class: *class, leaves: *leaves });
    }
    hedges
}

fn stands_at(tokens: &[Token], at: usize, words: &[&str]) -> bool {
    words.iter().enumerate().all(|(offset, word)| {
        tokens.get(at + offset).is_some_and(|token| match *word {
            "#" => token.kind == TokenKind::Number || NUMBER_WORDS.contains(&token.folded.as_str()),
            word => token.folded == word,
        })
    })
}

const NUMBER_WORDS: [&str; 16] = [
    "a", "half", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twenty", "thirty",
    "forty", "fifty",
];

/// Byte ranges of the clauses of a turn: split at punctuation, and at a conjunction that a new subject follows.
pub(crate) fn clause_spans(tokens: &[Token]) -> Vec<Range<usize>> {
    clauses(tokens).into_iter().filter_map(|clause| byte_span(tokens, clause)).collect()
}

fn byte_span(tokens: &[Token], clause: Range<usize>) -> Option<Range<usize>> {
    let first = tokens.get(clause.start)?;
    let last = tokens.get(clause.end.checked_sub(1)?)?;
    Some(first.span.start..last.span.end)
}

/// The same in token indices.
fn clauses(tokens: &[Token]) -> Vec<Range<usize>> {
    let mut clauses = Vec::new();
    let mut start = 0;
    for (at, token) in tokens.iter().enumerate() {
        let new_sentence = at > start && tokens.get(at - 1).is_some_and(|before| before.sentence != token.sentence);
        let stop = matches!(token.folded.as_str(), "," | ";" | ":" | "." | "!" | "?" | "-" | "(" | ")" | "...");
        let joins =
            matches!(token.folded.as_str(), "and" | "but" | "because" | "though" | "although" | "while" | "anyway")
                && tokens.get(at + 1).is_some_and(|next| SUBJECTS.contains(&next.folded.as_str()));
        if (new_sentence || stop || joins) && at > start {
            clauses.push(start..at);
            start = if stop { at + 1 } else { at };
        } else if stop {
            start = at + 1;
        }
    }
    if start < tokens.len() {
        clauses.push(start..tokens.len());
    }
    clauses
}

const SUBJECTS: [&str; 22] = [
    "i", "i'm", "i've", "i'll", "i'd", "we", "we're", "we've", "you", "he", "she", "he's", "she's", "it", "it's",
    "they", "they're", "my", "our", "his", "her", "their",
];

/// Clauses on either side that a condition reaches at most; in a sentence of conditions each would reach all the others.
const CONDITIONED: usize = 24;

/// What a cue hedges: its clause; the clause before where it stands alone ("…, I think"); for conditions the whole sentence.
fn reach(
    tokens: &[Token],
    clauses: &[Range<usize>],
    at: usize,
    last: usize,
    class: HedgeClass,
) -> Option<Range<usize>> {
    let here = clauses.partition_point(|clause| clause.end <= at);
    let clause = clauses.get(here).filter(|clause| clause.contains(&at))?;
    if class == HedgeClass::Conditional {
        let joined = |pair: &&[Range<usize>]| are_joined(tokens, pair);
        let first = clauses.get(..=here)?.windows(2).rev().take(CONDITIONED).take_while(joined).last();
        let last = clauses.get(here..)?.windows(2).take(CONDITIONED).take_while(joined).last();
        let start = first.and_then(|pair| pair.first()).map_or(clause.start, |first| first.start);
        let end = last.and_then(|pair| pair.last()).map_or(clause.end, |last| last.end);
        return byte_span(tokens, start..end);
    }
    let alone = clause.end - clause.start <= last - at + 3 && clause.end <= last + 2;
    let pair = here.checked_sub(1).and_then(|before| clauses.get(before..=here));
    let before = pair.filter(|pair| alone && are_joined(tokens, pair)).and_then(|pair| pair.first());
    byte_span(tokens, before.map_or(clause.start, |before| before.start)..clause.end)
}

/// Whether two neighbouring clauses stand in one sentence. People who write small letters only still end sentences with a stop.
fn are_joined(tokens: &[Token], pair: &[Range<usize>]) -> bool {
    let [first, second] = pair else { return false };
    let between = tokens.get(first.end..second.start).unwrap_or_default();
    let stops = between.iter().any(|token| matches!(token.folded.as_str(), "." | "!" | "?" | ";" | "..."));
    let sentence = |clause: &Range<usize>| tokens.get(clause.start).map(|token| token.sentence);
    !stops && sentence(first) == sentence(second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokens;

    fn hedged(content: &str) -> Vec<(HedgeClass, String)> {
        let found = find(content, &tokens(content));
        found.into_iter().map(|hedge| (hedge.class, content.get(hedge.reach).unwrap_or_default().to_owned())).collect()
    }

    #[test]
    fn every_class_is_heard() {
        let table = [
            ("I think the fuse is blown", HedgeClass::Epistemic),
            ("we might sell the van", HedgeClass::Epistemic),
            ("it weighs about 40 kilos", HedgeClass::Approximative),
            ("I usually skip lunch", HedgeClass::Frequency),
            ("I heard the bakery closes", HedgeClass::Hearsay),
            ("I'd get a loom if we had room", HedgeClass::Conditional),
        ];
        for (content, class) in table {
            assert_eq!(hedged(content).first().map(|(class, _)| *class), Some(class), "{content}");
        }
    }

    #[test]
    fn a_hedge_counts_for_its_own_clause() {
        let found = hedged("maybe you know a tailor, my suit is torn. it hangs in the hall");
        assert_eq!(found, [(HedgeClass::Epistemic, "maybe you know a tailor".to_owned())]);
    }

    #[test]
    fn a_hedge_that_trails_behind_counts_for_what_it_follows() {
        let found = hedged("the key is under the mat, I think. come in");
        assert_eq!(found, [(HedgeClass::Epistemic, "the key is under the mat, I think".to_owned())]);
    }

    #[test]
    fn a_condition_reaches_over_its_sentence() {
        let found = hedged("if the roof holds, we stay. we like it");
        assert_eq!(found, [(HedgeClass::Conditional, "if the roof holds, we stay".to_owned())]);
    }

    #[test]
    fn firm_words_and_the_month_of_may_are_no_hedges() {
        for content in ["I moved in May", "my flat is about bread", "she is a nurse", "the about page"] {
            assert_eq!(hedged(content), [], "{content}");
        }
    }
}
