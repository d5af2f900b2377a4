//! How far the matcher agrees with people: pairs that were judged by hand.

use std::io::BufRead as _;
use std::path::Path;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use super::{Told, same};

/// The matcher's verdicts beside those of people.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Agreement {
    /// Pairs.
    pub pairs: u32,
    /// Judged alike.
    pub agreed: u32,
    /// The same by the matcher, not by people.
    pub too_many: u32,
    /// The same by people, not by the matcher.
    pub too_few: u32,
    /// Agreement beyond chance.
    pub kappa: f64,
}

#[derive(Deserialize)]
struct Pair {
    memory: String,
    claim: String,
    same: bool,
    #[serde(default)]
    language: Option<String>,
}

/// Reads pairs and compares.
///
/// # Errors
/// A line that is no pair.
pub(crate) fn agreement(path: &Path) -> anyhow::Result<Agreement> {
    let file = std::fs::File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let (mut counts, mut by_people) = ([[0_u32; 2]; 2], Agreement::default());
    for (number, line) in std::io::BufReader::new(file).lines().enumerate() {
        let told = || format!("{}:{}", path.display(), number + 1);
        let line = line.with_context(told)?;
        if line.trim().is_empty() {
            continue;
        }
        let pair: Pair = serde_json::from_str(&line).with_context(told)?;
        let memory = Told { content: &pair.memory, subject: "", negative: false, language: pair.language.as_deref() };
        let found = same(&memory, &pair.claim);
        counts[usize::from(pair.same)][usize::from(found)] += 1;
    }
    let [[neither, too_many], [too_few, both]] = counts;
    by_people.pairs = neither + too_many + too_few + both;
    by_people.agreed = neither + both;
    (by_people.too_many, by_people.too_few) = (too_many, too_few);
    by_people.kappa = kappa(counts);
    Ok(by_people)
}

fn kappa([[neither, too_many], [too_few, both]]: [[u32; 2]; 2]) -> f64 {
    let [neither, too_many, too_few, both] = [neither, too_many, too_few, both].map(f64::from);
    let all = neither + too_many + too_few + both;
    let chance = ((too_few + both) * (too_many + both) + (neither + too_many) * (neither + too_few)) / (all * all);
    let agreed = (neither + both) / all;
    if all == 0.0 || chance >= 1.0 { 0.0 } else { (agreed - chance) / (1.0 - chance) }
}
