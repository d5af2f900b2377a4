//! Letters that stand for a word before a number: "T1 diabetes" is type 1 diabetes, "Q3" the third quarter.

use super::claim::{Claim, Item};
use super::passage::{Passage, Word};

/// A letter and the word it stands for.
const LETTERS: &[(char, &str)] = &[('t', "type"), ('q', "quarter")];

/// Indices of the words that carry an item of such a pair: both words of "type 1" are carried by "T1", and "T1" by both of "type 1".
pub(super) fn show(claim: &Claim, item: &Item, passage: &Passage<'_>) -> Vec<usize> {
    let word = |at: usize| claim.words.get(at).map_or("", String::as_str);
    let pair = if LETTERS.iter().any(|(_, long)| *long == item.text) {
        Some((item.text.as_str(), word(item.at + 1)))
    } else {
        item.at.checked_sub(1).map(|before| (word(before), item.text.as_str()))
    };
    let short = pair.and_then(|(long, number)| shortened(long, number));
    let same = |said: &Word<'_>| short.as_deref() == Some(&*said.text);
    let single = passage.words.iter().enumerate().filter(|(_, said)| same(said)).map(|(at, _)| at);
    let spelt = passage.words.windows(2).enumerate().filter(|(_, pair)| match pair {
        [long, number] => shortened(&long.text, &number.text).is_some_and(|short| short == item.text),
        _ => false,
    });
    single.chain(spelt.map(|(at, _)| at + 1)).collect()
}

/// "t1" of "type" and "1".
fn shortened(long: &str, number: &str) -> Option<String> {
    let (letter, _) = LETTERS.iter().find(|(_, known)| *known == long)?;
    let digits = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    digits.then(|| format!("{letter}{number}"))
}
