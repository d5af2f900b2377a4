//! Which words of the passage carry which word of the claim.

use super::bond::{Bond, Place, bond};
use super::claim::{Claim, Item, Kind, Language};
use super::home;
use super::passage::{Passage, Standing, Word};
use super::phrases;
use super::shorthand;
use super::spelling::is_slip;
use super::support::weight;
use crate::lexicon::verbs::{self, Form};
use crate::lexicon::{bare, people, synonyms};
use unicode_normalization::UnicodeNormalization;

use crate::moment::{Moment, Precision};
use crate::reading::dates::{self, Dated};
use crate::reading::references;

/// For every item of a claim the words of the passage that carry it.
pub(super) struct Alignment {
    /// Indices into [`Passage::words`], parallel to [`Claim::items`].
    pub carried: Vec<Vec<usize>>,
    /// The same, of every item only the words in quotes, and of those the ones in the clause that carries most of the claim.
    pub focused: Vec<Vec<usize>>,
}

/// Finds for every item the words that carry it.
pub(super) fn align(claim: &Claim, passage: &Passage<'_>) -> Alignment {
    let of_part = claim.says(PARTS);
    let mut carried: Vec<Vec<usize>> = claim
        .items
        .iter()
        .map(|item| {
            let carries = |word: &Word<'_>| carries(item, word, claim.language) || of_part && is_part(item, word);
            let hits = passage.words.iter().enumerate().filter(|(_, word)| carries(word));
            let mut hits: Vec<usize> = hits.map(|(at, _)| at).collect();
            if claim.language == Language::English {
                hits.extend(phrases::show(claim, item, passage));
                hits.extend(home::show(claim, item, passage));
                hits.extend(shorthand::show(claim, item, passage));
                hits.sort_unstable();
                hits.dedup();
            }
            hits
        })
        .collect();
    date_in_other_words(claim, passage, &mut carried);
    imply_deed(claim, passage, &mut carried);
    let focused = focus(claim, passage, &carried);
    Alignment { carried, focused }
}

/// By these a claim tells only the first or last signs of a word.
const PARTS: &[&str] = &["begins", "starts", "starting", "beginning", "ends", "ending", "last", "first"];

/// "ends in 7c" of "x51f7c".
fn is_part(item: &Item, word: &Word<'_>) -> bool {
    const FEWEST: usize = 2;
    item.kind == Kind::Number
        && item.text.len() >= FEWEST
        && word.text.len() > item.text.len() + FEWEST
        && (word.text.starts_with(&item.text) || word.text.ends_with(&item.text))
}

/// A word that stands in several clauses counts where most of the claim stands, quoted clauses first.
fn focus(claim: &Claim, passage: &Passage<'_>, carried: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let clause_of = |at: &usize| passage.piece_of(*at).map_or(0, |piece| piece.clause);
    let mut scores = vec![0.0; passage.pieces.last().map_or(1, |piece| piece.clause + 1)];
    for (item, words) in claim.items.iter().zip(carried) {
        let mut clauses: Vec<usize> = words.iter().map(clause_of).collect();
        clauses.dedup();
        for clause in clauses {
            if let Some(score) = scores.get_mut(clause) {
                *score += weight(item, claim.language).max(0.05);
            }
        }
    }
    let score = |at: &usize| scores.get(clause_of(at)).copied().unwrap_or_default();
    let best = |words: &Vec<usize>| words.iter().map(score).fold(0.0, f64::max);
    let quoted = |words: &Vec<usize>| -> Vec<usize> {
        let quoted: Vec<usize> =
            words.iter().copied().filter(|at| passage.words.get(*at).is_some_and(|word| word.quoted)).collect();
        if quoted.is_empty() { words.clone() } else { quoted }
    };
    let focused = |words: Vec<usize>| {
        let best = best(&words);
        words.into_iter().filter(|at| score(at) >= best).collect()
    };
    carried.iter().map(quoted).map(focused).collect()
}

/// "I can't stand it, but my flatmate loves it": of the words that carry an item those count that are said of the one the
/// claim is about, where a pronoun beside them stands in for the rest.
pub(super) fn refocus(standings: &[Place], claim: &Claim, passage: &Passage<'_>, alignment: &mut Alignment) {
    const STANDING_IN: &[&str] = &["it", "them", "that", "one", "so", "too"];
    const MOST: usize = 64;
    let mut own = vec![None; passage.pieces.len()];
    let mut is_own = |at: usize| {
        let place = passage.words.get(at).map(|word| word.piece);
        let (piece, known) = place.and_then(|place| passage.pieces.get(place).zip(own.get_mut(place)))?;
        *known.get_or_insert_with(|| Some(bond(claim, passage, piece, standings) == Bond::Own))
    };
    for (carried, focused) in alignment.carried.iter().zip(alignment.focused.iter_mut()) {
        if carried.len() < 2
            || carried.len() == focused.len()
            || focused.iter().take(MOST).any(|at| is_own(*at) == Some(true))
        {
            continue;
        }
        let stands_in = |at: usize| {
            let piece = passage.piece_of(at);
            piece.is_some_and(|piece| passage.said(piece).iter().any(|word| STANDING_IN.contains(&&*word.text)))
        };
        let said: Vec<usize> =
            carried.iter().copied().take(MOST).filter(|at| is_own(*at) == Some(true) && stands_in(*at)).collect();
        if !said.is_empty() {
            *focused = said;
        }
    }
}

/// "badminton with Ida on Mondays" tells that it is played: of a clause without any verb the object shows the deed that goes without saying.
fn imply_deed(claim: &Claim, passage: &Passage<'_>, carried: &mut [Vec<usize>]) {
    const UNSAID: &[&str] = &["play", "practis", "practic", "listen", "watch", "attend"];
    let Some(at) = claim.items.iter().position(|item| UNSAID.contains(&item.root.as_str())) else { return };
    if carried.get(at).is_none_or(|words| !words.is_empty()) {
        return;
    }
    let object = carried.get(at + 1).into_iter().flatten().copied().find(|word| {
        passage.words.get(*word).is_some_and(|word| word.quoted)
            && passage.piece_of(*word).is_some_and(|piece| {
                piece.standing == Standing::Asserted
                    && !passage.said(piece).iter().any(|word| {
                        verbs::is_known(&word.text) || word.value.is_none() && verbs::form(&word.text) != Form::Unclear
                    })
            })
    });
    if let Some((object, words)) = object.zip(carried.get_mut(at)) {
        words.push(object);
    }
}

fn carries(item: &Item, word: &Word<'_>, language: Language) -> bool {
    if is_had(item, word) {
        return true;
    }
    if let Some(value) = &item.value {
        return word.value.as_ref() == Some(value);
    }
    let text = bare(&word.text);
    if item.text == text || item.root == *word.root {
        return true;
    }
    if text.len() > item.text.len()
        && item.text.len() >= 8
        && item.text.contains(|c: char| c == '_' || c.is_ascii_digit())
        && text.starts_with(&item.text)
    {
        return true;
    }
    match item.kind {
        Kind::Name => {
            same_letters(&item.text, text) || language == Language::Other && is_name_in_another_case(&item.text, text)
        }
        Kind::Number => same_letters(&item.text, text),
        Kind::Calendar => is_short_for(text, &item.text) || is_short_for(&item.text, text),
        Kind::Comparative => false,
        Kind::Role => {
            people::relative(&item.text).is_some_and(|relative| people::relative(text) == Some(relative))
                || synonyms::same(&item.root, &word.root)
                || synonyms::general(&item.root, &word.root)
                || language == Language::Other && inflected(&item.text, without_elision(text))
        }
        Kind::Plain | Kind::Modifier | Kind::Retelling | Kind::Light | Kind::Frequency => match language {
            Language::English => {
                synonyms::same(&item.root, &word.root)
                    || synonyms::general(&item.root, &word.root)
                    || synonyms::opposite(&item.root, &word.root)
                    || derived(&item.root, &word.root)
                    || item.senses.zip(word.senses).is_some_and(|(one, other)| one.meet(other))
                    || is_slip(&item.text, text)
            }
            Language::Other => inflected(&item.text, without_elision(text)),
        },
    }
}

/// "we had soup": meals and drinks are had.
fn is_had(item: &Item, word: &Word<'_>) -> bool {
    matches!(&*word.text, "had" | "having") && matches!(&*item.root, "eat" | "drink")
}

/// "Fri" of "Friday", "Sept" of "September"; "sun" and "mar" are too often something else.
fn is_short_for(short: &str, whole: &str) -> bool {
    const SHORT: &str = "mon tue tues wed weds thu thur thurs fri sat jan feb apr jun jul aug sep sept oct nov dec";
    whole.len() > short.len()
        && whole.starts_with(short.get(..3).unwrap_or(short))
        && SHORT.split(' ').any(|known| known == short)
}

/// "Spider-Man" and "spiderman", "T-shirt" and "tshirt".
fn same_letters(left: &str, right: &str) -> bool {
    left.len() > 3 && left.chars().filter(|c| c.is_alphanumeric()).eq(right.chars().filter(|c| c.is_alphanumeric()))
}

/// "allergic" and "allergy": a long beginning in common.
fn derived(left: &str, right: &str) -> bool {
    let common = common(left, right);
    common >= 5 && common * 10 >= left.chars().count().max(right.chars().count()) * 6
}

/// "Gdańsku" and "Gdańska": a name changes its end; two first names are two.
fn is_name_in_another_case(left: &str, right: &str) -> bool {
    const SHORTEST: usize = 4;
    let common = common(left, right);
    let longest = left.chars().count().max(right.chars().count());
    let both_first_names = [left, right].iter().all(|name| references::is_first_name(name));
    common >= SHORTEST && common + 3 >= longest && !both_first_names
}

/// "j'habite", "dell'officina": what is pressed together with the word before it stands by itself.
fn without_elision(word: &str) -> &str {
    const LONGEST: usize = 5;
    let parted =
        word.split_once(['\'', '\u{2019}']).filter(|(before, after)| before.len() <= LONGEST && after.len() > 2);
    parted.map_or(word, |(_, after)| after)
}

fn inflected(left: &str, right: &str) -> bool {
    if verbs::is_form_of(left, right) {
        return true;
    }
    // German begins a participle by "ge": "gekauft" of "kaufen".
    let (left, right) = (left.strip_prefix("ge").unwrap_or(left), right.strip_prefix("ge").unwrap_or(right));
    let common = common(left, right);
    let longest = left.chars().count().max(right.chars().count());
    if common >= 3 && common * 10 >= longest * 6 {
        return true;
    }
    // Hebrew marks it by the last letter.
    let hebrew = |word: &str| word.chars().all(|c| ('\u{590}'..='\u{5ff}').contains(&c));
    if common >= 2 && longest <= common + 1 && hebrew(left) && hebrew(right) {
        return true;
    }
    // Arabic marks the person of a verb by its first letter, and "and" by a letter before the word.
    let rest = |word: &str| word.trim_start_matches('و').trim_start_matches(['أ', 'ي', 'ت', 'ن']).to_owned();
    let (left, right) = (rest(left), rest(right));
    left == right && left.chars().count() > 1 && !left.is_ascii()
}

/// Letters both begin with; what is written above or below one may change from form to form ("jeżdżę", "jeździ").
fn common(left: &str, right: &str) -> usize {
    if left.is_ascii() && right.is_ascii() {
        return left.bytes().zip(right.bytes()).take_while(|(left, right)| left == right).count();
    }
    let (left, right) = (left.chars().filter_map(|c| c.nfd().next()), right.chars().filter_map(|c| c.nfd().next()));
    left.zip(right).take_while(|(left, right)| left == right).count()
}

/// The claim's date, said in other words ("three days ago" for the 28th): its items count as carried.
fn date_in_other_words(claim: &Claim, passage: &Passage<'_>, carried: &mut [Vec<usize>]) {
    let dated = |item: &Item| matches!(item.kind, Kind::Number | Kind::Calendar);
    if !claim.items.iter().zip(carried.iter()).any(|(item, words)| dated(item) && words.is_empty()) {
        return;
    }
    for turn in &passage.turns {
        let Some(said_at) = turn.turn.at else { continue };
        for date in dates::find(&claim.content, said_at) {
            if !turn.dates.iter().any(|said| is_same_date(said, &date)) {
                continue;
            }
            for (item, words) in claim.items.iter().zip(carried.iter_mut()) {
                if words.is_empty() && date.span.start <= item.span.start && item.span.end <= date.span.end {
                    words.extend(first_word(passage));
                }
            }
        }
    }
}

fn is_same_date(said: &Dated, claimed: &Dated) -> bool {
    let day = |at: Option<Moment>| at.map(|at| at.civil().date());
    let starts =
        day(said.start) == day(claimed.start) || (said.future.is_some() && day(said.future) == day(claimed.start));
    let instants = said.precision != Precision::Instant || said.start == claimed.start;
    said.precision == claimed.precision && starts && instants && day(said.until) == day(claimed.until)
}

fn first_word(passage: &Passage<'_>) -> Option<usize> {
    (!passage.words.is_empty()).then_some(0)
}
