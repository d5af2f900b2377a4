//! Does every word, name, number, role and comparative of the claim stand in the cited turns?

use std::collections::HashSet;

use super::claim::{Agent, Claim, Item, Kind, Language};
use super::passage::{Passage, Word};
use super::person::Who;
use crate::context::Context;
use crate::evidence::Support;
use crate::lexicon::{bare, people, synonyms, verbs};
use crate::reading::Speaker;
use crate::reading::dates;
use crate::stage::Reason;

/// For every item of a claim the words of the passage that carry it.
pub(super) struct Alignment {
    /// Indices into [`Passage::words`], parallel to [`Claim::items`].
    pub carried: Vec<Vec<usize>>,
    /// The same, of every item only the words in quotes, and of those the ones in the clause that carries most of the claim.
    pub focused: Vec<Vec<usize>>,
}

/// What the sources were measured against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Evidenced {
    /// The model pointed at words: they have to carry the claim.
    ByQuote,
    /// Whole turns were cited: the claim may retell them.
    ByTurn,
    /// A document stands behind the sentence, which should keep close to its words.
    ByDocument,
}

/// Finds for every item the words that carry it.
pub(super) fn align(cx: &Context<'_>, claim: &Claim, passage: &Passage<'_>) -> Alignment {
    let mut carried: Vec<Vec<usize>> = claim
        .items
        .iter()
        .map(|item| {
            let hits = passage.words.iter().enumerate().filter(|(_, word)| carries(item, word, claim.language));
            hits.map(|(at, _)| at).collect()
        })
        .collect();
    date_in_other_words(claim, passage, &mut carried);
    let focused = focus(claim, passage, &carried);
    Alignment { carried, focused }
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

/// Weighs what is missing.
///
/// # Errors
/// The kind of the heaviest missing item.
pub(super) fn support(
    cx: &Context<'_>,
    claim: &Claim,
    passage: &Passage<'_>,
    alignment: &Alignment,
    evidenced: Evidenced,
) -> Result<(Support, f64), Reason> {
    let missing = |item: &Item, carried: &[usize]| {
        carried.is_empty()
            && !is_known_otherwise(cx, passage, item)
            && !(evidenced == Evidenced::ByTurn && is_retold(claim, passage, item))
    };
    let pairs = || claim.items.iter().zip(&alignment.carried);
    let lost: Vec<&Item> = pairs().filter(|(item, carried)| missing(item, carried)).map(|(item, _)| item).collect();
    for (kind, reason) in HEAVY {
        let weighs =
            |item: &&Item| item.kind == *kind && !(evidenced == Evidenced::ByTurn && said_before(cx, passage, item));
        if lost.iter().any(weighs) && blocks(*kind, evidenced) {
            return Err(*reason);
        }
    }
    if lost.iter().any(|item| is_replaced(claim, passage, item)) {
        return Err(if lost.iter().any(|item| item.kind == Kind::Name) {
            Reason::UnsupportedName
        } else {
            Reason::UnsupportedDetail
        });
    }
    if number_of_something_else(claim, passage, alignment) || value_left_behind(claim, passage) {
        return Err(Reason::UnsupportedNumber);
    }
    if evidenced == Evidenced::ByQuote && lost.first().is_some_and(|item| is_deed(claim, item)) {
        return Err(Reason::UnsupportedDetail);
    }
    let coverage = coverage(cx, claim, passage, alignment, evidenced);
    if claim.items.is_empty() && claim.words.is_empty() {
        return Err(Reason::UnsupportedDetail);
    }
    let limits = limits(evidenced, claim.language);
    if coverage <= limits.blocked || lost.iter().any(|item| is_head(item, claim, evidenced)) {
        return Err(Reason::UnsupportedDetail);
    }
    let support = if coverage < limits.supported { Support::Partial } else { Support::Supported };
    Ok((support, coverage))
}

/// Kinds whose absence blocks by itself, in the order in which they are named as the reason.
const HEAVY: &[(Kind, Reason)] = &[
    (Kind::Name, Reason::UnsupportedName),
    (Kind::Number, Reason::UnsupportedNumber),
    (Kind::Calendar, Reason::UnsupportedNumber),
    (Kind::Role, Reason::UnsupportedDetail),
    (Kind::Comparative, Reason::UnsupportedDetail),
];

fn blocks(kind: Kind, evidenced: Evidenced) -> bool {
    match evidenced {
        Evidenced::ByQuote => true,
        Evidenced::ByTurn | Evidenced::ByDocument => matches!(kind, Kind::Name | Kind::Number | Kind::Calendar),
    }
}

struct Limits {
    /// Coverage below which the claim is only partly supported.
    supported: f64,
    /// Coverage up to which it is not supported.
    blocked: f64,
}

fn limits(evidenced: Evidenced, language: Language) -> Limits {
    match (evidenced, language) {
        (Evidenced::ByQuote, Language::English) => Limits { supported: 0.92, blocked: 0.75 },
        (Evidenced::ByQuote, Language::Other) => Limits { supported: 0.85, blocked: 0.75 },
        (Evidenced::ByTurn, Language::English | Language::Other) => Limits { supported: 0.5, blocked: 0.25 },
        (Evidenced::ByDocument, Language::English | Language::Other) => Limits { supported: 0.85, blocked: 0.72 },
    }
}

/// Share of the weight of the claim's items that the passage carries. Where a claim was retold from whole turns, another
/// word for the same counts less than the same word, and a word of the turns before hardly.
fn coverage(
    cx: &Context<'_>,
    claim: &Claim,
    passage: &Passage<'_>,
    alignment: &Alignment,
    evidenced: Evidenced,
) -> f64 {
    const OTHER_WORD: f64 = 0.7;
    const WORD_BEFORE: f64 = 0.2;
    let (mut total, mut carried) = (0.0, 0.0);
    for (item, words) in claim.items.iter().zip(&alignment.carried) {
        let quality = match evidenced {
            Evidenced::ByQuote if words.is_empty() => f64::from(u8::from(is_known_otherwise(cx, passage, item))),
            Evidenced::ByQuote => 1.0,
            // Whoever speaks or is spoken to is named in any claim about the conversation.
            Evidenced::ByTurn if item.kind == Kind::Name && name_is_known(cx, passage, &item.text) => continue,
            Evidenced::ByTurn | Evidenced::ByDocument if words.is_empty() => {
                if said_before(cx, passage, item) {
                    WORD_BEFORE
                } else {
                    0.0
                }
            }
            Evidenced::ByTurn | Evidenced::ByDocument => {
                let same = words
                    .iter()
                    .filter_map(|at| passage.words.get(*at))
                    .any(|word| item.root == word.root || item.text == bare(&word.text));
                if same { 1.0 } else { OTHER_WORD }
            }
        };
        let weight = weight(item, claim.language);
        total += weight;
        carried += weight * quality;
    }
    if total > 0.0 { carried / total } else { 1.0 }
}

fn weight(item: &Item, language: Language) -> f64 {
    let base = match item.kind {
        Kind::Name => 1.2,
        Kind::Number | Kind::Calendar => 0.1,
        Kind::Role | Kind::Comparative | Kind::Plain => 1.0,
        Kind::Modifier => 0.5,
        Kind::Retelling => 0.3,
        Kind::Light => 0.15,
        Kind::Frequency => 0.0,
    };
    match language {
        Language::English => base,
        Language::Other if item.text.chars().count() <= 3 && item.text.is_ascii() => base * 0.3,
        Language::Other if item.text.chars().next().is_some_and(char::is_lowercase) => base * 0.6,
        Language::Other => base,
    }
}

/// The missing item is the verb of the claim: what is done, not with whom or where.
fn is_deed(claim: &Claim, item: &Item) -> bool {
    let first = claim
        .items
        .iter()
        .find(|item| !matches!(item.kind, Kind::Frequency | Kind::Modifier | Kind::Light | Kind::Retelling));
    item.kind == Kind::Plain && verbs::is_known(&item.text) && first.is_some_and(|first| first.at == item.at)
}

/// In other languages a missing noun is seen by its capital or by its length.
fn is_head(item: &Item, claim: &Claim, evidenced: Evidenced) -> bool {
    claim.language == Language::Other
        && evidenced == Evidenced::ByQuote
        && item.kind == Kind::Plain
        && item.text.chars().count() >= 8
}

fn carries(item: &Item, word: &Word<'_>, language: Language) -> bool {
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
        Kind::Name | Kind::Number => same_letters(&item.text, text),
        Kind::Calendar | Kind::Comparative => false,
        Kind::Role => {
            people::relative(&item.text).is_some_and(|relative| people::relative(text) == Some(relative))
                || synonyms::same(&item.root, &word.root)
                || synonyms::general(&item.root, &word.root)
        }
        Kind::Plain | Kind::Modifier | Kind::Retelling | Kind::Light | Kind::Frequency => match language {
            Language::English => {
                synonyms::same(&item.root, &word.root)
                    || synonyms::general(&item.root, &word.root)
                    || synonyms::opposite(&item.root, &word.root)
                    || derived(&item.root, &word.root)
            }
            Language::Other => inflected(&item.text, text),
        },
    }
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

fn inflected(left: &str, right: &str) -> bool {
    let common = common(left, right);
    let longest = left.chars().count().max(right.chars().count());
    if common >= 3 && common * 10 >= longest * 6 {
        return true;
    }
    // Arabic marks the person of a verb by its first letter, and "and" by a letter before the word.
    let rest = |word: &str| word.trim_start_matches('و').trim_start_matches(['أ', 'ي', 'ت', 'ن']).to_owned();
    let (left, right) = (rest(left), rest(right));
    left == right && left.chars().count() > 1 && !left.is_ascii()
}

fn common(left: &str, right: &str) -> usize {
    left.chars().zip(right.chars()).take_while(|(left, right)| left == right).count()
}

/// The claim's date, said in other words ("three days ago" for the 28th): its items count as carried.
fn date_in_other_words(claim: &Claim, passage: &Passage<'_>, carried: &mut [Vec<usize>]) {
    for turn in &passage.turns {
        let Some(said_at) = turn.turn.at else { continue };
        for dated in dates::find(&claim.content, said_at) {
            let same = turn.dates.iter().any(|said| {
                let day = |at: &Option<crate::moment::Moment>| at.map(|at| at.civil().date());
                said.precision == dated.precision && day(&said.start) == day(&dated.start)
                    || (said.future.is_some()
                        && said.precision == dated.precision
                        && day(&said.future) == day(&dated.start))
            });
            if !same {
                continue;
            }
            let inside = claim
                .items
                .iter()
                .enumerate()
                .filter(|(_, item)| dated.span.start <= item.span.start && item.span.end <= dated.span.end);
            for (at, _) in inside {
                if let Some(slot) = carried.get_mut(at).filter(|slot| slot.is_empty()) {
                    slot.extend(first_word(passage));
                }
            }
        }
    }
}

fn first_word(passage: &Passage<'_>) -> Option<usize> {
    (!passage.words.is_empty()).then_some(0)
}

/// Names of speakers and of entities that a mention leads to need not stand in the words; nor what a pronoun stands for.
fn is_known_otherwise(cx: &Context<'_>, passage: &Passage<'_>, item: &Item) -> bool {
    if item.kind == Kind::Name && name_is_known(cx, passage, &item.text) {
        return true;
    }
    let meant = passage.turns.iter().flat_map(|turn| &turn.references).flat_map(|reference| &reference.antecedents);
    if item.kind != Kind::Number && meant.clone().any(|name| has_word(name, &item.text)) {
        return true;
    }
    matches!(item.kind, Kind::Plain | Kind::Role | Kind::Light) && stands_before(cx, passage, item)
}

/// A name in short ("NYC") or misspelt.
fn is_retold(claim: &Claim, passage: &Passage<'_>, item: &Item) -> bool {
    if item.kind != Kind::Name {
        return false;
    }
    let run: Vec<&Item> =
        claim.items.iter().filter(|other| other.kind == Kind::Name && other.at.abs_diff(item.at) < 4).collect();
    let initials: String = run.iter().filter_map(|item| item.text.chars().next()).collect();
    passage.words.iter().any(|word| {
        (initials.len() > 1 && *word.text == *initials)
            || (item.text.len() > 5 && strsim::jaro_winkler(&item.text, &word.text) > 0.92)
            || (word.text.len() > 1
                && word.text.len() < 5
                && item.text.len() == word.text.len()
                && is_initials_of(passage, &item.text))
    })
}

/// The passage has words in a row that begin with these letters.
fn is_initials_of(passage: &Passage<'_>, initials: &str) -> bool {
    let firsts: Vec<char> = passage.words.iter().filter_map(|word| word.text.chars().next()).collect();
    let wanted: Vec<char> = initials.chars().collect();
    wanted.len() > 1 && firsts.windows(wanted.len()).any(|run| run == wanted.as_slice())
}

/// The word stands in the turns right before.
fn said_before(cx: &Context<'_>, passage: &Passage<'_>, item: &Item) -> bool {
    const REACH: usize = 2;
    let first =
        passage.turns.first().and_then(|turn| cx.reading.turns.iter().position(|other| std::ptr::eq(other, *turn)));
    let before = first.and_then(|first| cx.reading.turns.get(first.saturating_sub(REACH)..first)).unwrap_or_default();
    before.iter().flat_map(|turn| &turn.tokens).any(|token| bare(&token.folded) == item.text || token.stem == item.root)
}

/// The passage has another word of the same kind where the claim has this one: "cat" for "dog", "Santa Potter" for "Harry Potter".
fn is_replaced(claim: &Claim, passage: &Passage<'_>, item: &Item) -> bool {
    let claimed = |word: &Word<'_>| claim.items.iter().any(|other| other.root == *word.root);
    if item.kind != Kind::Name {
        return passage.words.iter().any(|word| synonyms::exclude(&item.root, &word.root) && !claimed(word));
    }
    let next = claim.items.iter().find(|other| other.kind == Kind::Name && other.at == item.at + 1);
    next.is_some_and(|next| {
        passage.words.windows(2).any(|pair| matches!(pair, [before, word] if bare(&word.text) == next.text && before.capital && !claimed(before)))
    })
}

/// "she got it": what "it" is stands in the turns right before.
fn stands_before(cx: &Context<'_>, passage: &Passage<'_>, item: &Item) -> bool {
    const STANDING_IN: &[&str] = &[
        "it", "it's", "that", "that's", "this", "there", "them", "one", "they", "mine", "those", "he", "she", "him",
        "her", "his", "he's", "she's",
    ];
    passage.words.iter().any(|word| word.quoted && STANDING_IN.contains(&&*word.text)) && said_before(cx, passage, item)
}

fn name_is_known(cx: &Context<'_>, passage: &Passage<'_>, word: &str) -> bool {
    if cx.reading.turns.iter().any(|turn| speaker_is(&turn.speaker, word)) {
        return true;
    }
    let antecedent = passage.pieces.iter().any(|piece| match &piece.who {
        Who::Pronoun(names) => names.iter().any(|name| has_word(name, word)),
        Who::Speaker
        | Who::Addressee
        | Who::Named { .. }
        | Who::Relative(_)
        | Who::It(_)
        | Who::Other
        | Who::Thing
        | Who::Unsaid => false,
    });
    antecedent || known_by_alias(cx, passage, word)
}

fn speaker_is(speaker: &Speaker, word: &str) -> bool {
    match speaker {
        Speaker::Person(Some(name)) => has_word(name, word),
        Speaker::Person(None) | Speaker::Assistant | Speaker::Nobody => false,
    }
}

fn has_word(name: &str, word: &str) -> bool {
    name.split_whitespace().any(|part| crate::text::fold(part) == word)
}

/// A word of an entity's main name, where another name of it stands in the passage or is meant by a pronoun.
fn known_by_alias(cx: &Context<'_>, passage: &Passage<'_>, word: &str) -> bool {
    cx.near
        .entities
        .iter()
        .filter(|entity| has_word(&entity.name, word) || entity.aliases.iter().any(|alias| has_word(alias, word)))
        .any(|entity| {
            let names: Vec<&str> = std::iter::once(&entity.name).chain(&entity.aliases).map(String::as_str).collect();
            names.iter().any(|name| is_meant(passage, name) || is_said(passage, name))
        })
}

fn is_meant(passage: &Passage<'_>, name: &str) -> bool {
    passage.pieces.iter().any(|piece| match &piece.who {
        Who::Pronoun(names) => names.iter().any(|meant| crate::text::fold(meant) == crate::text::fold(name)),
        Who::Speaker
        | Who::Addressee
        | Who::Named { .. }
        | Who::Relative(_)
        | Who::It(_)
        | Who::Other
        | Who::Thing
        | Who::Unsaid => false,
    })
}

fn is_said(passage: &Passage<'_>, name: &str) -> bool {
    let said: HashSet<&str> = passage.words.iter().map(|word| bare(&word.text)).collect();
    !name.is_empty() && name.split_whitespace().all(|part| said.contains(crate::text::fold(part).as_str()))
}

/// The name of whom the claim speaks stands in the passage, or belongs to a speaker.
pub(super) fn agent_is_known(cx: &Context<'_>, claim: &Claim, passage: &Passage<'_>) -> bool {
    match &claim.agent {
        Agent::Named(name) => name.iter().filter(|word| !crate::lexicon::stop::is_function(word)).all(|word| {
            passage
                .words
                .iter()
                .any(|said| bare(&said.text) == word || said.root.as_ref() == crate::lexicon::stem(word))
                || name_is_known(cx, passage, word)
        }),
        Agent::User | Agent::Assistant | Agent::Relative { .. } | Agent::Open | Agent::Thing => true,
    }
}

/// The number stands in the passage, and beside other words than those the claim puts it with.
fn number_of_something_else(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    let chunks_of = |kind: fn(Kind) -> bool| -> HashSet<usize> {
        let pairs = claim.items.iter().zip(&alignment.carried).filter(|(item, _)| kind(item.kind));
        pairs.flat_map(|(_, carried)| carried).filter_map(|at| passage.words.get(*at)).map(|word| word.chunk).collect()
    };
    let numbers = chunks_of(|kind| kind == Kind::Number);
    let others = chunks_of(|kind| matches!(kind, Kind::Plain | Kind::Role | Kind::Name));
    if numbers.is_empty() || others.is_empty() || !numbers.is_disjoint(&others) {
        return false;
    }
    // Only where the claim's words have a number of their own beside them.
    passage.words.iter().any(|word| others.contains(&word.chunk) && word.value.is_some())
}

/// "went up from 840 to 910": what was left behind is no longer so.
fn value_left_behind(claim: &Claim, passage: &Passage<'_>) -> bool {
    if claim.says(&["from", "was", "were", "used", "before", "previously"]) {
        return false;
    }
    passage.words.windows(4).any(|run| {
        let [from, old, to, new] = run else { return false };
        let claims = |word: &Word<'_>| word.value.is_some() && claim.items.iter().any(|item| item.value == word.value);
        &*from.text == "from" && &*to.text == "to" && new.value.is_some() && claims(old) && !claims(new)
    })
}
