//! How sure a difference is: whole conversations drawn again for intervals, arms swapped at random for the probability of chance.

use serde::Serialize;

use super::counts::Counts;
use super::measures::{MEASURES, Measure};

/// How much is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Effort {
    /// Resamples behind an interval.
    pub resamples: u32,
    /// Swaps behind a probability.
    pub swaps: u32,
    /// Where the draw begins; the same draws the same on every machine.
    pub seed: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Self { resamples: 2_000, swaps: 4_999, seed: 1 }
    }
}

/// A conversation as both arms read it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Pair {
    /// What arm a made of it, all repeats.
    pub a: Counts,
    /// What arm b made of it.
    pub b: Counts,
}

/// A figure with the interval that holds 95 % of its resamples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Figure {
    /// On all conversations; `None` where there is nothing to divide by.
    pub value: Option<f64>,
    /// 2.5 % of the resamples are below.
    pub low: Option<f64>,
    /// 2.5 % of the resamples are above.
    pub high: Option<f64>,
}

/// How far b is above a.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Difference {
    /// b minus a with its interval.
    #[serde(flatten)]
    pub figure: Figure,
    /// How probable a difference this large is if the arms are alike (randomisation test, two-sided).
    pub p: Option<f64>,
    /// Standard deviation of the resampled differences.
    pub deviation: Option<f64>,
}

/// A measure of both arms.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Compared {
    /// Arm a.
    pub a: Figure,
    /// Arm b.
    pub b: Figure,
    /// b minus a.
    pub difference: Difference,
}

/// Numbers drawn without a pattern that matters here, the same on every machine (SplitMix64).
pub(crate) struct Draw(u64);

impl Draw {
    /// Begins at a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// One of so many places.
    pub(crate) fn below(&mut self, places: usize) -> usize {
        usize::try_from(self.bits() % places.max(1) as u64).unwrap_or_default()
    }

    /// From 0 to 1, 1 excluded.
    #[cfg(test)]
    pub(crate) fn share(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Sums of both arms.
fn sums(pairs: impl Iterator<Item = Pair>) -> Pair {
    let mut all = Pair::default();
    for pair in pairs {
        all.a += &pair.a;
        all.b += &pair.b;
    }
    all
}

fn difference_of(measure: &Measure, both: &Pair) -> Option<f64> {
    Some((measure.of)(&both.b)? - (measure.of)(&both.a)?)
}

/// Every measure of a set of conversations, in the order of [`MEASURES`].
pub(crate) fn compare(pairs: &[Pair], effort: Effort) -> Vec<Compared> {
    let all = sums(pairs.iter().copied());
    let drawn = resamples(pairs, effort);
    let chance = chances(pairs, &all, effort);
    MEASURES
        .iter()
        .zip(chance)
        .map(|(measure, p)| {
            let figure = |of: &dyn Fn(&Pair) -> Option<f64>| interval(of(&all), drawn.iter().filter_map(of).collect());
            let differences: Vec<f64> = drawn.iter().filter_map(|both| difference_of(measure, both)).collect();
            Compared {
                a: figure(&|both| (measure.of)(&both.a)),
                b: figure(&|both| (measure.of)(&both.b)),
                difference: Difference {
                    deviation: deviation(&differences),
                    figure: interval(difference_of(measure, &all), differences),
                    p,
                },
            }
        })
        .collect()
}

/// Sums of conversations drawn with replacement, as many as there are.
fn resamples(pairs: &[Pair], effort: Effort) -> Vec<Pair> {
    let mut draw = Draw::new(effort.seed);
    let one = |_| sums((0..pairs.len()).filter_map(|_| pairs.get(draw.below(pairs.len())).copied()));
    (0..effort.resamples).map(one).collect()
}

/// For each measure, how often swapping the arms of conversations at random gives a difference at least as large.
fn chances(pairs: &[Pair], all: &Pair, effort: Effort) -> Vec<Option<f64>> {
    let seen: Vec<Option<f64>> = MEASURES.iter().map(|measure| difference_of(measure, all)).collect();
    let mut as_large: Vec<u32> = vec![0; MEASURES.len()];
    // Another draw than that of the resamples.
    let mut draw = Draw::new(!effort.seed);
    for _ in 0..effort.swaps {
        let (mut bits, mut left) = (0, 0);
        let swapped = sums(pairs.iter().map(|pair| {
            if left == 0 {
                (bits, left) = (draw.bits(), 64);
            }
            left -= 1;
            let swap = bits & 1 == 1;
            bits >>= 1;
            if swap { Pair { a: pair.b, b: pair.a } } else { *pair }
        }));
        for ((measure, seen), as_large) in MEASURES.iter().zip(&seen).zip(&mut as_large) {
            let by_chance = difference_of(measure, &swapped);
            // A hair of room: sums in another order differ in their last bits.
            let reaches = by_chance.zip(*seen).is_some_and(|(chance, seen)| chance.abs() >= seen.abs() - 1e-12);
            *as_large += u32::from(reaches);
        }
    }
    let share = |count: u32| f64::from(count + 1) / f64::from(effort.swaps + 1);
    seen.iter().zip(as_large).map(|(seen, count)| seen.map(|_| share(count))).collect()
}

fn interval(value: Option<f64>, mut drawn: Vec<f64>) -> Figure {
    drawn.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let place = (share * drawn.len() as f64) as usize;
        drawn.get(place.min(drawn.len().saturating_sub(1))).copied().filter(|_| value.is_some())
    };
    Figure { value, low: at(0.025), high: at(0.975) }
}

fn deviation(values: &[f64]) -> Option<f64> {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    (n > 1.0).then(|| (squares / (n - 1.0)).sqrt())
}

/// How probably a true difference of this size would be found at .05, given the deviation that was seen.
pub(crate) fn power(size: f64, deviation: f64) -> f64 {
    if deviation <= 0.0 {
        return 1.0;
    }
    normal(size / deviation - SIGNIFICANT) + normal(-size / deviation - SIGNIFICANT)
}

/// The difference that would be found in 80 % of runs.
pub(crate) fn detectable(deviation: f64) -> f64 {
    (SIGNIFICANT + EIGHTY) * deviation
}

/// 97.5 % and 80 % of a normal distribution lie below these.
const SIGNIFICANT: f64 = 1.959_964;
const EIGHTY: f64 = 0.841_621;

/// The share of a normal distribution that lies below (Abramowitz and Stegun 7.1.26, right to 1e-7).
fn normal(at: f64) -> f64 {
    let x = at.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let terms = [0.254_829_592, -0.284_496_736, 1.421_413_741, -1.453_152_027, 1.061_405_429];
    let sum = terms.iter().rev().fold(0.0, |sum, term| (sum + term) * t);
    let above = sum * (-x * x).exp() / 2.0;
    if at >= 0.0 { 1.0 - above } else { above }
}

/// Probabilities of several tests, made larger so that all of them together err in 5 % (Holm).
pub(crate) fn adjusted(probabilities: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut order: Vec<usize> =
        (0..probabilities.len()).filter(|at| probabilities.get(*at).is_some_and(Option::is_some)).collect();
    let of = |at: usize| probabilities.get(at).copied().flatten().unwrap_or(1.0);
    order.sort_by(|one, other| of(*one).total_cmp(&of(*other)));
    let mut adjusted = vec![None; probabilities.len()];
    let mut least = 0.0_f64;
    for (rank, at) in order.iter().enumerate() {
        least = least.max((of(*at) * (order.len() - rank) as f64).min(1.0));
        if let Some(place) = adjusted.get_mut(*at) {
            *place = Some(least);
        }
    }
    adjusted
}

#[cfg(test)]
mod tests;
