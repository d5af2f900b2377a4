//! Whether a memory tells a labelled fact. By words of its own: the claim key of the product plays no part, since it would judge itself.

mod agreement;
mod lists;
mod words;

pub(crate) use agreement::{Agreement, agreement};

use recall_core::candidate::Polarity;

use super::set::{Falsehood, Gold};
use lists::KIN;
use words::{Word, holds_negation, spoken, words};

/// A claim of so many words may be told without one of them, where nothing else stands in its place.
const LONG: usize = 3;

/// A memory or candidate as it is told.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Told<'a> {
    /// One sentence.
    pub content: &'a str,
    /// Whom it is about; empty where nobody says.
    pub subject: &'a str,
    /// It is told as not so.
    pub negative: bool,
    /// ISO 639-1 of the conversation.
    pub language: Option<&'a str>,
}

/// A labelled claim.
#[derive(Debug, Clone, Copy)]
struct Claim<'a> {
    text: &'a str,
    subject: Option<&'a str>,
    keywords: &'a [Vec<String>],
    negative: bool,
}

/// Whether it tells a gold fact.
pub(crate) fn tells(told: &Told<'_>, gold: &Gold) -> bool {
    let claim = Claim {
        text: &gold.claim,
        subject: Some(&gold.subject),
        keywords: &gold.keywords,
        negative: gold.polarity == Polarity::Negative,
    };
    matches(told, &claim)
}

/// Whether it tells a planted falsehood.
pub(crate) fn tells_falsehood(told: &Told<'_>, falsehood: &Falsehood) -> bool {
    matches(told, &Claim { text: &falsehood.claim, subject: None, keywords: &falsehood.keywords, negative: false })
}

/// Whether two sentences tell the same, by their words alone.
pub(crate) fn same(told: &Told<'_>, claim: &str) -> bool {
    matches(told, &Claim { text: claim, subject: None, keywords: &[], negative: false })
}

/// How much of a claim stands in a memory, 0 to 1.
pub(crate) fn closeness(told: &Told<'_>, claim: &str) -> f64 {
    covered(&words(claim, told.language), &words(told.content, told.language))
}

fn matches(told: &Told<'_>, claim: &Claim<'_>) -> bool {
    let mut memory = words(told.content, told.language);
    let mut wanted = words(claim.text, told.language);
    let turn = |words: &mut Vec<Word>, negative: bool| {
        if negative && words.iter().all(|word| !word.negative) {
            words.iter_mut().for_each(|word| word.negative = true);
        }
    };
    turn(&mut memory, told.negative);
    turn(&mut wanted, claim.negative);
    if !of_the_same(told, claim, &memory, &wanted) {
        return false;
    }
    if claim.keywords.is_empty() { by_words(&memory, &wanted) } else { by_keywords(told, claim, &memory, &wanted) }
}

/// Every list of keywords is met, by words that are told as the claim tells them.
fn by_keywords(told: &Told<'_>, claim: &Claim<'_>, memory: &[Word], wanted: &[Word]) -> bool {
    // A label that lists "never" and "avoids" beside each other has the direction among its words.
    let directed = claim.keywords.iter().flatten().any(|words| holds_negation(words, told.language));
    let (mut negative, mut asked) = (false, false);
    for group in claim.keywords {
        let stands = |alternative: &String| standing((told.content, memory), alternative, told.language);
        let Some(met) = group.iter().find_map(stands) else { return false };
        negative |= met;
        let stands = |alternative: &String| standing((claim.text, wanted), alternative, told.language);
        asked |= group.iter().filter_map(stands).any(|met| met);
    }
    directed || negative == asked
}

/// Whether the words of an alternative stand in a sentence, and whether they are told as not so.
fn standing((text, sentence): (&str, &[Word]), alternative: &str, language: Option<&str>) -> Option<bool> {
    let wanted = words(alternative, language);
    let turned = || sentence.iter().any(|word| word.negative);
    if wanted.is_empty() {
        return (holds_negation(alternative, language) && turned()).then_some(true);
    }
    let all = |at: &&[Word]| at.iter().zip(&wanted).all(|(have, want)| have.is(want));
    match sentence.windows(wanted.len()).find(all) {
        Some(found) => Some(found.iter().any(|word| word.negative)),
        None => inside(text, alternative, language).then(turned),
    }
}

/// Every word of the claim stands in the memory, told the same way, and no other word in its place.
fn by_words(memory: &[Word], wanted: &[Word]) -> bool {
    let memory: Vec<&Word> = memory.iter().filter(|word| word.carries).collect();
    let wanted: Vec<&Word> = wanted.iter().filter(|word| word.carries).collect();
    let mut missing: Vec<&&Word> = Vec::new();
    for word in &wanted {
        let mut alike = memory.iter().filter(|other| other.is_like(word)).peekable();
        if alike.peek().is_none() {
            missing.extend((!word.is_light()).then_some(word));
        } else if alike.all(|other| other.negative != word.negative) {
            return false;
        }
    }
    let unasked = |word: &&&Word| !word.is_light() && !wanted.iter().any(|other| other.is_like(word));
    let more = memory.iter().filter(unasked).count();
    let turned = |words: &[&Word]| words.iter().any(|word| word.negative);
    if turned(&memory) != turned(&wanted) && more == 0 || !numbers_agree(&memory, &wanted) {
        return false;
    }
    match missing.as_slice() {
        [] => true,
        [one] => !one.name && !one.number && more == 0 && wanted.len() >= LONG,
        _ => false,
    }
}

/// Inside a longer word: scripts without spaces, and languages that write compounds as one.
fn inside(text: &str, alternative: &str, language: Option<&str>) -> bool {
    const COMPOUNDING: &[&str] = &["de", "nl", "sv", "no", "nb", "da", "fi", "hu"];
    let (text, alternative) = (words::fold(text), words::fold(alternative));
    let spaceless = alternative.chars().any(|character| ('\u{3040}'..='\u{9fff}').contains(&character));
    let compounds = language.is_some_and(|language| COMPOUNDING.contains(&language));
    (spaceless || compounds && alternative.chars().count() >= 6) && text.contains(&alternative)
}

fn is_kin(word: &Word, language: &str) -> bool {
    let lists = KIN.iter().filter(|(known, _)| *known == language);
    lists.flat_map(|(_, words)| words.split(' ')).any(|kin| kin == word.said)
}

/// Whom both are about: the person, or somebody both name.
fn of_the_same(told: &Told<'_>, claim: &Claim<'_>, memory: &[Word], wanted: &[Word]) -> bool {
    let either = [spoken(told.content, told.language), spoken(claim.text, told.language), "en"];
    let kin = |words: &[Word]| words.iter().any(|word| either.iter().any(|language| is_kin(word, language)));
    let begins_with_kin = kin(memory.get(..memory.len().min(4)).unwrap_or_default());
    let mentioned = || kin(wanted) || claim.keywords.iter().flatten().any(|one| kin(&words(one, told.language)));
    let of_the_person = claim.subject.is_none_or(|subject| subject == "user");
    if of_the_person && begins_with_kin && !mentioned() {
        return false;
    }
    let Some(subject) = claim.subject else { return true };
    let who =
        |name: &str| -> Vec<Word> { words(name, told.language).into_iter().filter(|word| word.carries).collect() };
    let (its, theirs) = (who(told.subject), who(subject));
    let named = |people: &[Word], text: &[Word]| people.iter().any(|one| text.iter().any(|word| word.is(one)));
    match (its.is_empty(), theirs.is_empty()) {
        (true, true) => true,
        // Told of the person with the other one in it, or of the other one with the person in it.
        (true, false) => named(&theirs, memory),
        (false, true) => named(&its, wanted),
        (false, false) => named(&its, &theirs) || named(&its, wanted),
    }
}

/// Numbers of the claim stand in the memory, and none stands against them.
fn numbers_agree(memory: &[&Word], wanted: &[&Word]) -> bool {
    let numbers = |words: &[&Word]| -> Vec<String> {
        words.iter().filter(|word| word.number).map(|word| word.folded.clone()).collect()
    };
    let (have, want) = (numbers(memory), numbers(wanted));
    want.iter().all(|number| have.contains(number))
        && (want.is_empty() || have.iter().all(|number| want.contains(number)))
}

/// The share of the words of a claim that stand among others.
fn covered(wanted: &[Word], there: &[Word]) -> f64 {
    let asked: Vec<&Word> = wanted.iter().filter(|word| word.carries).collect();
    let found = asked.iter().filter(|word| there.iter().any(|other| other.is_like(word))).count();
    if asked.is_empty() { 0.0 } else { found as f64 / asked.len() as f64 }
}

#[cfg(test)]
mod tests;
