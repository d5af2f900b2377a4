//! When are two claims the same? By overlap of words and their relatives, words that exclude each other, and the order of words.

use std::collections::HashMap;

use super::fingerprint::{HashedPart, PartKind, hash_text};
use super::form::Form;
use super::words::{self, WordKind};
use crate::keys::Key;

/// Of the suppressed claim, of the claim held against it, and of both: sums of weights.
type Shares = (f64, f64, f64);

/// From this score on two claims are the same. Bias, threshold and the weights in [`Match::score`] are fitted on development data
/// so that at most one in twenty other claims is caught.
const SAME: f64 = -0.62;
const BIAS: f64 = -0.24;
/// What a broader or narrower word counts against the same word.
const RELATED_COUNTS: f64 = 0.8;

/// How a claim compares to a suppressed one, by weights of their parts.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Match {
    /// The attribute is the same.
    pub attribute: bool,
    /// Value parts: of the suppressed claim, of the claim, of both.
    pub value: Shares,
    /// Words.
    pub words: Shares,
    /// Names.
    pub names: Shares,
    /// Numbers.
    pub numbers: Shares,
    /// Pairs.
    pub pairs: Shares,
    /// Words of both that exclude each other.
    pub rivals: usize,
    /// Words of both of which one is broader than the other.
    pub related: usize,
    /// Both begin with the same word: the doer, in the active voice.
    pub doer: bool,
}

impl Match {
    /// Whether both claim the same, in whatever words.
    pub fn claims_the_same(&self) -> bool {
        let (suppressed, here, both) = self.numbers;
        let other_number = suppressed > both && here > both;
        let (suppressed, here, both) = self.names;
        let other_name = suppressed > both && here > both;
        // What tells how much is more than a word it shares: who owes a casino twelve thousand was there, but that is another claim.
        let vaguer = self.numbers.0 > 0.0 && self.numbers.1 == 0.0 && 2.0 * self.words.2 <= self.words.0;
        if other_number || other_name || vaguer {
            return false;
        }
        let (suppressed, here, both) = self.value;
        if self.attribute && suppressed > 0.0 && here > 0.0 {
            return both >= suppressed;
        }
        self.score() >= SAME
    }

    /// How much the words speak for the same claim: weighted overlap, what either side lacks, words that exclude each other, and
    /// the order of words. Where nearly all words are the same, another order is another claim ("Ana paid Ben", "Ben paid Ana").
    fn score(&self) -> f64 {
        let all = [self.words, self.names, self.numbers];
        let sum = |of: fn(&Shares) -> f64| all.iter().map(of).sum::<f64>();
        let (suppressed, here) = (sum(|shares| shares.0), sum(|shares| shares.1));
        if suppressed == 0.0 || here == 0.0 {
            return f64::MIN;
        }
        let related = f64::from(u32::try_from(self.related.min(2)).unwrap_or_default());
        let both = (sum(|shares| shares.2) + RELATED_COUNTS * related).min(suppressed).min(here);
        let overlap = both / (suppressed + here - both);
        let (lacks, adds) = (suppressed - both, here - both);
        let size = suppressed.max(here).min(14.0);
        let order_lost = 1.0 - 2.0 * self.pairs.2 / (self.pairs.0 + self.pairs.1).max(1.0);
        // What is only added to the end takes no order away.
        let order_lost_inside = 1.0 - self.pairs.2 / self.pairs.0.min(self.pairs.1).max(1.0);
        let named = self.names.0 + self.names.1 > 0.0;
        let when = |holds: bool, weight: f64| if holds { weight } else { 0.0 };
        let rivals = f64::from(u32::try_from(self.rivals.min(2)).unwrap_or_default());
        BIAS + 3.07 * overlap + 0.52 * lacks.min(3.0)
            - 0.45 * adds.min(3.0)
            - 1.16 * lacks.min(adds).min(3.0)
            - 3.44 * rivals
            + 0.79 * related
            + when(self.doer, -0.74)
            + 0.24 * (1.0 - order_lost)
            - 6.05 * order_lost * size / 10.0
            + when(lacks + adds < 0.01, -2.05 * order_lost)
            + when(size >= 8.0, -0.33 * order_lost)
            + when(lacks + adds < 0.01 && self.pairs.2 == 0.0, -1.0)
            + when(named && overlap >= 0.65, -12.53 * order_lost_inside)
            + when(named && overlap < 0.65, -0.39)
            + when(size >= 6.0 && overlap < 0.65, 0.65)
    }

    /// Looks at words that are not the same: one may be broader than the other, or exclude it.
    pub(super) fn look_closer(&mut self, form: &Form, key: &Key, theirs: &HashMap<&str, &HashedPart>) {
        let there = |lemma: &str| theirs.contains_key(hash_text(key, PartKind::Word, lemma).as_str());
        let here = |lemma: &str| form.words.iter().any(|word| word.lemma == lemma);
        self.doer = form.words.first().is_some_and(|word| {
            theirs.contains_key(hash_text(key, PartKind::Pair, &format!("^ {}", word.lemma)).as_str())
        });
        let mut taken: Vec<&str> = Vec::new();
        for word in form.words.iter().filter(|word| word.kind == WordKind::Common && !there(&word.lemma)) {
            self.rivals += usize::from(words::rivals(&word.lemma).iter().any(|rival| there(rival) && !here(rival)));
            let near = words::related(&word.lemma)
                .iter()
                .find(|near| !taken.contains(&near.as_str()) && there(near) && !here(near));
            if let Some(near) = near {
                taken.push(near);
                self.related += 1;
            }
        }
    }

    pub(super) fn of(&mut self, kind: PartKind) -> &mut Shares {
        match kind {
            PartKind::Value => &mut self.value,
            PartKind::Word => &mut self.words,
            PartKind::Name => &mut self.names,
            PartKind::Number => &mut self.numbers,
            PartKind::Pair => &mut self.pairs,
        }
    }
}
