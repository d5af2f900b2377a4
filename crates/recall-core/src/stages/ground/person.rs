//! Of whom a run of words speaks: the speaker, the one addressed, somebody named, a relative, a pronoun.

use std::borrow::Cow;
use std::ops::Range;

use super::leaving_out::{begins_with_verb, speaks_by_ending};
use super::passage::{Passage, Word};
use super::possessed::{self, owned, possessed};
use super::pronouns::{
    ARTICLES, CONJUNCTIONS, FIRST, FIRST_POSSESSIVE, INVERTING, JOINING, PLACING, REPORTING, SECOND, SUBORDINATING,
    THING, THIRD, is_calendar, is_filler,
};
use crate::lexicon::verbs::{self, Form};
use crate::lexicon::{bare, people};
use crate::reading::ReadTurn;
use crate::reading::references::{Reference, is_first_name};
use crate::text::Token;

/// Of whom a piece speaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Who {
    /// "I", "we", "my knee".
    Speaker,
    /// "you", "your".
    Addressee,
    /// A name, perhaps with the role it was given in the same breath.
    Named { name: String, chain: Vec<String> },
    /// "my sister", "my ex-husband's mother": the way from the speaker.
    Relative(Vec<String>),
    /// "she", with what it was resolved to; empty where it stays open.
    Pronoun(Vec<String>),
    /// Somebody else, known only by not being the speaker ("the younger one").
    Other,
    /// "it", with what it was resolved to.
    It(Vec<String>),
    /// A thing, or nobody.
    Thing,
    /// No subject of its own: of whom the words before spoke, else the speaker.
    Unsaid,
}

/// Cuts a clause where a new person becomes the one it speaks of, and where a scope of it begins.
pub(super) fn pieces(tokens: &[Cow<'_, Token>], scopes: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut cuts = vec![0];
    let (mut start, mut spoken_so_far) = (0, false);
    for at in 1..tokens.len() {
        spoken_so_far |= tokens.get(at - 1).is_some_and(|token| verbs::is_known(&token.folded));
        let begins_scope = scopes.iter().any(|scope| scope.start == at);
        if begins_scope || at > start + 1 && begins_piece(tokens, start, at, spoken_so_far) {
            cuts.push(at);
            (start, spoken_so_far) = (at, false);
        }
    }
    let ends = cuts.iter().skip(1).copied().chain([tokens.len()]);
    cuts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

/// `spoken_so_far` tells that a verb went before in the piece that began at `start`.
fn begins_piece(tokens: &[Cow<'_, Token>], start: usize, at: usize, spoken_so_far: bool) -> bool {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.folded.as_str());
    let (here, before, next) = (text(at), text(at - 1), text(at + 1));
    let someone = || (1..4).any(|step| people::is_person(bare(text(at + step))));
    // "… since my youngest got his diagnosis": a person of the family begins a clause of their own.
    if spoken_so_far && SUBORDINATING.contains(&before) && FIRST_POSSESSIVE.contains(&here) && someone() {
        return true;
    }
    if REPORTING.contains(&before) {
        let named = tokens.get(at).is_some_and(|token| token.capital && !FIRST.contains(&here));
        if named || (FIRST_POSSESSIVE.contains(&here) && someone()) {
            return true;
        }
    }
    // "ma sœur ouvre un café, moi je …": behind the comma the speaker takes over; verbs of other languages are not known.
    if before == "," && matches!(here, "ich" | "ik" | "moi" | "je" | "yo" | "io" | "eu") {
        return true;
    }
    if is_subject(here) && !JOINING.contains(&before) && !INVERTING.contains(&before) {
        return spoken_so_far;
    }
    if CONJUNCTIONS.contains(&here) {
        let one = next == "the" && text(at + 3) == "one";
        let theirs = spoken_so_far
            && matches!(next, "his" | "her" | "their")
            && (2..4).any(|step| people::is_person(bare(text(at + step))));
        let opens = theirs || is_subject(next) || SECOND.contains(&next) || FIRST_POSSESSIVE.contains(&next) || one;
        // "my wife and I" is one subject, "my sister snores and I" are two.
        let joins_people = at < start + 3
            || people::is_person(bare(before))
            || at < start + 5
                && tokens.get(at - 1).is_some_and(|token| token.capital)
                && !PLACING.contains(&at.checked_sub(2).map_or("", text));
        return opens && (spoken_so_far || !joins_people || FIRST_POSSESSIVE.contains(&next));
    }
    // A comma before a person of the family, or before "the younger one", begins a new subject.
    let after_comma = matches!(before, "," | ";") && !only_names(tokens, start, at);
    let theirs = || spoken_so_far && matches!(here, "his" | "her" | "their") && someone();
    after_comma && (FIRST_POSSESSIVE.contains(&here) && someone() || theirs() || here == "the" && text(at + 2) == "one")
}

/// "Ingrid, my cousin, …": what stands behind a name alone tells who that is.
fn only_names(tokens: &[Cow<'_, Token>], start: usize, at: usize) -> bool {
    const LONGEST: usize = 3;
    let before = tokens.get(start..at.saturating_sub(1)).unwrap_or_default();
    (1..=LONGEST).contains(&before.len())
        && before.iter().all(|token| token.capital && !FIRST.contains(&&*token.folded))
}

fn is_subject(text: &str) -> bool {
    (FIRST.contains(&text) && text != "i'd") || THIRD.contains(&text)
}

/// Of whom a run of words speaks, from its first words up to the verb.
pub(super) fn spoken_of(words: &[Word<'_>]) -> Who {
    if let Some(who) = by_opening(words) {
        return who;
    }
    let mut skipped = 0;
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let text = &*word.text;
        if let Some(who) = pronoun(text) {
            return who;
        }
        let before = at.checked_sub(1).and_then(|at| words.get(at)).map_or("", |word| &*word.text);
        if PLACING.contains(&before) {
            // "in Bergen", "with my aunt": no subject stands behind a preposition.
            skipped += 1;
            at += if FIRST_POSSESSIVE.contains(&text) || ARTICLES.contains(&text) { 2 } else { 1 };
            continue;
        }
        if opens_role(words, at) {
            at += 3;
            continue;
        }
        if let Some(who) = owned(text, words.get(at + 1..).unwrap_or_default()) {
            return who;
        }
        let acts = words
            .get(at + 1..)
            .unwrap_or_default()
            .iter()
            .take(3)
            .any(|next| verbs::is_known(&next.text) || next.capital);
        let counted = before == "no" || words.get(at.wrapping_sub(1)).is_some_and(|word| word.value.is_some());
        if (people::relative(text).is_some() && (acts || at > 0)
            || people::is_role(text) && skipped < 2 && acts_later(words.get(at + 1..).unwrap_or_default()))
            && !counted
        {
            return possessed(words.get(at..).unwrap_or_default(), Who::Thing);
        }
        if text == "one" && skipped > 0 {
            let named = possessed::in_apposition(words, at);
            return named.map_or(Who::Other, |name| Who::Named { name, chain: Vec::new() });
        }
        if is_name(words, at) {
            if words.get(at + 1..).unwrap_or_default().iter().take(2).any(|next| FIRST.contains(&&*next.text)) {
                return Who::Speaker;
            }
            return Who::Named { name: name_at(words, at), chain: Vec::new() };
        }
        // "haven't smoked since …": no subject stands behind it.
        let denies = text.ends_with("n't");
        if verbs::is_known(text) || denies || skipped > 6 {
            skipped += usize::from(denies);
            break;
        }
        if !ARTICLES.contains(&text) && !is_filler(text) && !is_adverb(text) {
            skipped += 1;
        }
        at += 1;
    }
    if words.iter().any(|word| FIRST.contains(&&*word.text)) {
        return Who::Speaker;
    }
    if skipped == 0 { Who::Unsaid } else { Who::Thing }
}

/// "as a student I lived there": the role is no subject.
fn opens_role(words: &[Word<'_>], at: usize) -> bool {
    let text = |at: usize| words.get(at).map_or("", |word| &*word.text);
    text(at) == "as" && matches!(text(at + 1), "a" | "an")
}

/// "apparently", "luckily": words of a sentence, not of its subject.
fn is_adverb(text: &str) -> bool {
    text.len() > 5 && text.ends_with("ly") && people::relative(text).is_none() && text != "family"
}

/// Of whom a run speaks that begins with a verb.
fn by_opening(words: &[Word<'_>]) -> Option<Who> {
    let speaks = || words.iter().any(|word| FIRST.contains(&&*word.text));
    // "Home is Lagos": whose home it is goes without saying.
    if matches!(words, [home, is, ..] if &*home.text == "home" && &*is.text == "is" || &*home.text == "home's") {
        return Some(Who::Speaker);
    }
    if begins_with_verb(words) || speaks_by_ending(words) || opens_by_doing(words) && speaks() {
        return Some(Who::Speaker);
    }
    opens_by_doing(words).then_some(Who::Unsaid)
}

/// "minding my neighbour's tortoise", "swapped the tyres": a deed whose subject is left out, known as a verb or not.
fn opens_by_doing(words: &[Word<'_>]) -> bool {
    const BEHIND: &[&str] = &[
        "my", "our", "the", "a", "an", "some", "his", "her", "their", "for", "to", "with", "on", "in", "at", "up",
        "out", "off", "from", "all", "two", "three",
    ];
    let (Some(first), Some(next)) = (words.first(), words.get(1)) else { return false };
    let did = || &*first.text == "did" && !words.iter().skip(2).take(3).any(|word| people::is_person(bare(&word.text)));
    (matches!(verbs::form(&first.text), Form::Progressive | Form::Past) || did())
        && BEHIND.contains(&&*next.text)
        && !is_first_name(&first.text)
}

/// "tram driver, 15 years now" is what the speaker is; a role that does something is somebody.
fn acts_later(words: &[Word<'_>]) -> bool {
    words.first().is_some_and(|next| next.capital) || words.iter().any(|word| verbs::is_known(&word.text))
}

fn pronoun(text: &str) -> Option<Who> {
    if FIRST.contains(&text) {
        return Some(Who::Speaker);
    }
    if SECOND.contains(&text) {
        return Some(Who::Addressee);
    }
    if THIRD.contains(&text) {
        return Some(Who::Pronoun(Vec::new()));
    }
    if matches!(text, "it" | "it's") {
        return Some(Who::It(Vec::new()));
    }
    THING.contains(&text).then_some(Who::Thing)
}

fn is_name(words: &[Word<'_>], at: usize) -> bool {
    let Some(word) = words.get(at) else { return false };
    let opens = at == 0;
    // "Vivo en …": a capital at the beginning and a preposition behind it make no name.
    let placed = words.get(at + 1).is_some_and(|next| next.text != "from" && PLACING.contains(&&*next.text));
    if opens && placed {
        return false;
    }
    word.capital
        && !crate::lexicon::stop::is_function(&word.text)
        && !verbs::is_known(&word.text)
        && (!opens || !is_filler(&word.text))
        && !is_calendar(&word.text)
}

/// The run of capitalised words from a place on.
pub(super) fn name_at(words: &[Word<'_>], at: usize) -> String {
    let run = words.iter().skip(at).take_while(|word| word.capital && !FIRST.contains(&&*word.text));
    run.map(|word| bare(&word.text)).collect::<Vec<_>>().join(" ")
}

/// Fills in what a piece leaves unsaid, and whom its pronoun means.
pub(super) fn settle(passage: &mut Passage<'_>) {
    let mut before: Option<(usize, usize, Who)> = None;
    for at in 0..passage.pieces.len() {
        let Some(piece) = passage.pieces.get(at) else { continue };
        let (turn, words) = (piece.turn, piece.words.clone());
        let first = passage.words.get(words.start).map(|word| word.span.start).unwrap_or_default();
        let read = passage.turns.get(turn).copied();
        let sentence = read.map_or(0, |read| read.sentences.partition_point(|range| range.end <= first));
        let who = match &piece.who {
            Who::Unsaid => match &before {
                Some((same_turn, same_sentence, who)) if *same_turn == turn && *same_sentence == sentence => {
                    who.clone()
                }
                Some(_) | None => Who::Unsaid,
            },
            Who::Relative(chain) => {
                let told = before.as_ref().filter(|(same_turn, ..)| *same_turn == turn);
                Who::Relative(possessed::of_the_one_before(chain, told.map(|(.., who)| who)))
            }
            Who::Pronoun(_) => Who::Pronoun(meant(passage, read, words, THIRD)),
            Who::It(_) => Who::It(meant(passage, read, words, &["it", "it's"])),
            settled @ (Who::Speaker | Who::Addressee | Who::Named { .. } | Who::Other | Who::Thing) => settled.clone(),
        };
        before = Some((turn, sentence, who.clone()));
        if let Some(piece) = passage.pieces.get_mut(at) {
            piece.who = who;
        }
    }
}

/// What the first of these pronouns was resolved to.
fn meant(passage: &Passage<'_>, read: Option<&ReadTurn>, words: Range<usize>, pronouns: &[&str]) -> Vec<String> {
    let said = passage.words.get(words).unwrap_or_default();
    let span = said.iter().find(|word| pronouns.contains(&&*word.text)).map(|word| word.span.clone());
    let found =
        read.zip(span).and_then(|(read, span)| read.references.iter().find(|reference| overlaps(reference, &span)));
    found.map(|reference| reference.antecedents.clone()).unwrap_or_default()
}

fn overlaps(reference: &Reference, span: &Range<usize>) -> bool {
    reference.span.start < span.end && span.start < reference.span.end
}
