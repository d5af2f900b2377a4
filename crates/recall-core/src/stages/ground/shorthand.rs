//! What is said shorter beside a number: "T1 diabetes" is type 1 diabetes, "Q3" the third quarter.

use super::claim::{Claim, Item};
use super::passage::{Passage, Word};
use crate::text::Token;

/// A letter and the word it stands for.
const LETTERS: &[(char, &str)] = &[('t', "type"), ('q', "quarter")];

/// Indices of the words that carry an item of such a pair: both words of "type 1" are carried by "T1", and "T1" by both of "type 1".
pub(super) fn show(claim: &Claim, item: &Item, passage: &Passage<'_>) -> Vec<usize> {
    if matches!(&*item.text, "age" | "most" | "least") {
        return measure(claim, item, passage);
    }
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

/// "at the age of nine" of "when I was nine", "at most 40" of "40 max": the word beside the number that is said without it.
fn measure(claim: &Claim, item: &Item, passage: &Passage<'_>) -> Vec<usize> {
    const REACH: usize = 3;
    let number = claim.items.iter().find(|number| number.value.is_some() && number.at.abs_diff(item.at) <= REACH);
    let Some(value) = number.and_then(|number| number.value.as_ref()) else { return Vec::new() };
    let text = |at: Option<usize>| at.and_then(|at| passage.words.get(at)).map_or("", |word| &*word.text);
    let told = |at: usize| match &*item.text {
        "age" => matches!(text(at.checked_sub(1)), "was" | "were" | "at" | "turned" | "aged" | "i'm" | "is"),
        "most" => matches!(text(Some(at + 1)), "max" | "maximum" | "tops"),
        _ => matches!(text(Some(at + 1)), "min" | "minimum"),
    };
    let said = passage.words.iter().enumerate().filter(|(_, word)| word.value.as_ref() == Some(value));
    said.map(|(at, _)| at).filter(|at| told(*at)).collect()
}

/// "t1" of "type" and "1".
fn shortened(long: &str, number: &str) -> Option<String> {
    let (letter, _) = LETTERS.iter().find(|(_, known)| *known == long)?;
    let digits = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    digits.then(|| format!("{letter}{number}"))
}

/// "the bench stands in the yard": where a thing is, and no deed.
pub(super) fn is_placed(tokens: &[Token], at: usize, text: &str) -> bool {
    let near = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or("", |token| &*token.folded);
    matches!(text, "stands" | "sits")
        && !matches!(near(at.checked_sub(1)), "user" | "he" | "she" | "they")
        && matches!(near(Some(at + 1)), "in" | "on" | "at" | "under")
}
