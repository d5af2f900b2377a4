//! How sure a sentence makes one of its predicates: from 3 (it is so) to -3 (it is not, or not yet).
//!
//! The construction a predicate stands in says most ("went", "will go", "to go", "if they go"); what stands near it says the
//! rest. The weights are fitted on development data as one table, and the sum is bent so that it stays between the ends.

use super::construction::{Before, before, construction, coordinate, is_modal};
use super::cues::{AMBIGUOUS_PAST, CONDITIONS, DEMANDS, FEELINGS, OPENERS, ORDERS, PAST, PRESENT, STATES};
use crate::text::Token;

/// Weights of constructions and surroundings. A name that is not here weighs nothing.
#[rustfmt::skip]
const WEIGHTS: &[(&str, f64)] = &[
    // Construction
    ("past", 1.90), ("perfect", 1.48), ("participle", 1.33), ("passive", 1.26), ("third person", 1.17), ("plain after subject", 0.89),
    ("progressive", 0.83), ("gerund", 0.34), ("gerund after preposition", 0.22), ("with do", 0.90), ("with did", 0.90),
    ("imperative", -1.59), ("plain after comma", -1.20), ("after let", -1.00), ("will", -1.12), ("can", -0.86), ("could", -0.61),
    ("may", -0.74), ("should", -0.50), ("would", -0.24), ("to", -0.10), ("to after effort", -0.36), ("to after past", -1.09),
    ("to after success", 0.99), ("have to", -0.41),
    // Surroundings
    ("denied", -1.25), ("denied past", -0.73), ("denied other", -0.52), ("condition before", -0.95), ("condition in sentence", -0.14),
    ("question", -0.56), ("question about what is", 0.25), ("modal before", -0.94), ("demand before", -1.10), ("order at start", -1.24),
    ("state verb", 0.95), ("feeling without subject", 1.78), ("after plural", 0.59), ("that after", 0.52), ("past after", 0.23),
    ("because before", 0.53), ("but before", 0.28), ("coming or going", -2.02),
    ("open near plain", -0.72), ("present near plain", -0.32), ("open near finite", -0.57), ("nothing near finite", 0.39),
    ("past near finite", 0.51), ("open near to", -1.19), ("present near to", -0.36), ("open near gerund", -0.64),
    ("nothing near gerund", 0.80), ("present near gerund", 0.56), ("past near gerund", 0.68),
];
const BIAS: f64 = 0.14;
const MIDDLE: f64 = 0.30;
const SPREAD: f64 = 2.35;

/// Factuality of the predicate at token `at`, -3 to 3.
pub fn factuality(tokens: &[Token], at: usize) -> f64 {
    let (words, place) = split(tokens, at);
    let mut names = Vec::with_capacity(16);
    let clause = Clause::new(&words, place);
    clause.name_construction(&mut names);
    clause.name_surroundings(&mut names);
    let weigh = |name: &&str| WEIGHTS.iter().find(|(known, _)| known == name).map_or(0.0, |(_, weight)| *weight);
    let sum = BIAS + names.iter().map(weigh).sum::<f64>();
    MIDDLE + SPREAD * sum.tanh()
}

/// The words around a token with contractions apart, and where the token stands among them.
fn split(tokens: &[Token], at: usize) -> (Vec<&str>, usize) {
    const BEFORE: usize = 40;
    const AFTER: usize = 40;
    let from = at.saturating_sub(BEFORE);
    let mut words = Vec::new();
    let mut place = 0;
    for (index, token) in tokens.iter().enumerate().skip(from).take(BEFORE + AFTER) {
        if index == at {
            place = words.len();
        }
        let word = token.folded.as_str();
        let cut = if word.len() > 3 && word.ends_with("n't") { word.len() - 3 } else { word.find('\'').unwrap_or(0) };
        match (word.get(..cut), word.get(cut..)) {
            (Some(head), Some(tail)) if cut > 0 => words.extend([head, tail]),
            _ => words.push(word),
        }
    }
    (words, place)
}

/// A predicate among the words of its sentence.
struct Clause<'a, 'w> {
    words: &'a [&'w str],
    at: usize,
    start: usize,
    before: Before<'w>,
    construction: &'static str,
}

impl<'a, 'w> Clause<'a, 'w> {
    fn new(words: &'a [&'w str], at: usize) -> Self {
        let ends = |word: &&str| matches!(*word, "." | "!" | "?" | ";");
        let start = words.iter().take(at).rposition(ends).map_or(0, |place| place + 1);
        let mut before = before(words, at);
        coordinate(words, at, &mut before);
        let word = words.get(at).copied().unwrap_or_default();
        Self { words, at, start, before, construction: construction(word, &before) }
    }

    fn word(&self) -> &'w str {
        self.words.get(self.at).copied().unwrap_or_default()
    }

    /// Words of the sentence before the predicate, at most the last `n`.
    fn left(&self, n: usize) -> &'a [&'w str] {
        self.words.get(self.start.max(self.at.saturating_sub(n))..self.at).unwrap_or_default()
    }

    fn right(&self, n: usize) -> &'a [&'w str] {
        self.words.get(self.at + 1..self.words.len().min(self.at + 1 + n)).unwrap_or_default()
    }

    fn is_infinitive(&self) -> bool {
        self.construction.starts_with("to")
    }

    fn name_construction(&self, names: &mut Vec<&'static str>) {
        names.push(self.construction);
        names.push(match (self.near(), self.family()) {
            (Near::Open, Family::Plain) => "open near plain",
            (Near::Present, Family::Plain) => "present near plain",
            (Near::Open, Family::Finite) => "open near finite",
            (Near::Nothing, Family::Finite) => "nothing near finite",
            (Near::Past, Family::Finite) => "past near finite",
            (Near::Open, Family::To) => "open near to",
            (Near::Present, Family::To) => "present near to",
            (Near::Open, Family::Gerund) => "open near gerund",
            (Near::Nothing, Family::Gerund) => "nothing near gerund",
            (Near::Present, Family::Gerund) => "present near gerund",
            (Near::Past, Family::Gerund) => "past near gerund",
            (Near::Past | Near::Nothing, Family::Plain | Family::To) | (Near::Present, Family::Finite) => "",
        });
        if self.before.denied {
            let past = matches!(self.construction, "past" | "perfect" | "passive" | "participle" | "with did");
            names.extend(["denied", if past { "denied past" } else { "denied other" }]);
        }
    }

    fn name_surroundings(&self, names: &mut Vec<&'static str>) {
        let word = self.word();
        let all = self.left(usize::MAX);
        let has = |words: &[&str], list: &[&str]| words.iter().any(|word| list.contains(word));
        let ends = self.words.iter().skip(self.at).find(|word| matches!(**word, "." | "!" | "?"));
        let what_is = matches!(
            self.construction,
            "past" | "perfect" | "passive" | "participle" | "third person" | "plain after subject" | "progressive"
        );
        let free = !self.is_infinitive() && self.before.modal.is_none();
        let order =
            all.first().is_some_and(|first| ORDERS.contains(first)) && !has(all, &["i", "we", "he", "they", "she"]);
        let past_after = self
            .right(6)
            .iter()
            .any(|word| (word.ends_with("ed") && word.len() > 4) || matches!(*word, "was" | "were" | "had" | "did"));
        let modal_before = self.before.modal.is_none()
            && all.split_last().is_some_and(|(_, rest)| rest.iter().any(|word| is_modal(word).is_some()));
        let condition = has(self.left(8), CONDITIONS) || has(self.left(8), &["whatever", "whoever", "whenever"]);
        let rest = self.words.get(self.start..).unwrap_or_default();
        let feels =
            matches!(self.construction, "imperative" | "plain after comma" | "plain") && FEELINGS.contains(&word);
        let table = [
            (condition, "condition before"),
            (has(rest, CONDITIONS), "condition in sentence"),
            (self.words.iter().skip(self.at).any(|word| *word == "?"), "question"),
            (ends == Some(&"?") && what_is, "question about what is"),
            (modal_before, "modal before"),
            (has(self.left(7), DEMANDS), "demand before"),
            (order, "order at start"),
            (free && self.construction != "imperative" && STATES.contains(&word), "state verb"),
            (feels, "feeling without subject"),
            (self.construction == "plain" && self.before.governor.ends_with('s'), "after plural"),
            (self.right(1) == ["that"], "that after"),
            (past_after, "past after"),
            (has(self.left(6), &["because"]), "because before"),
            (has(self.left(6), &["but"]), "but before"),
            (matches!(word, "coming" | "going"), "coming or going"),
        ];
        names.extend(table.into_iter().filter(|(holds, _)| *holds).map(|(_, name)| name));
    }

    fn family(&self) -> Family {
        match self.construction {
            "plain" | "plain after comma" => Family::Plain,
            "progressive" | "gerund" | "gerund after preposition" => Family::Gerund,
            construction if construction.starts_with("to") => Family::To,
            _ => Family::Finite,
        }
    }

    /// The nearest word before the predicate that says how things stand.
    fn near(&self) -> Near {
        for word in self.left(13).iter().rev() {
            if is_modal(word).is_some() || OPENERS.contains(word) {
                return Near::Open;
            }
            if (word.ends_with("ed") && word.len() > 4) || (PAST.contains(word) && !AMBIGUOUS_PAST.contains(word)) {
                return Near::Past;
            }
            if PRESENT.contains(word) || STATES.contains(word) {
                return Near::Present;
            }
        }
        Near::Nothing
    }
}

enum Near {
    Open,
    Past,
    Present,
    Nothing,
}

enum Family {
    Plain,
    Gerund,
    To,
    Finite,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokens;

    fn of(sentence: &str, predicate: &str) -> f64 {
        let tokens = tokens(sentence);
        let at = tokens.iter().position(|token| token.folded == predicate).unwrap();
        factuality(&tokens, at)
    }

    #[test]
    fn what_happened_is_surer_than_what_may_come() {
        let table = [
            ("We sold the mill", "sold", "We will sell the mill", "sell"),
            ("She baked bread", "baked", "She wants to bake bread", "bake"),
            ("He has left", "left", "If he leaves, we stay", "leaves"),
            ("I locked the door", "locked", "I never locked the door", "locked"),
            ("They paint fences", "paint", "Please paint the fence", "paint"),
            ("We managed to lift it", "lift", "We might lift it", "lift"),
        ];
        for (sure, one, open, other) in table {
            assert!(of(sure, one) > of(open, other) + 1.0, "{sure} / {open}");
        }
    }

    #[test]
    fn nothing_leaves_the_scale() {
        for sentence in ["", "go", "not not not never will if?", "I \u{1f642} \u{0}"] {
            let tokens = tokens(sentence);
            for at in 0..=tokens.len() {
                assert!(factuality(&tokens, at).abs() <= 3.0, "{sentence}");
            }
        }
    }
}
