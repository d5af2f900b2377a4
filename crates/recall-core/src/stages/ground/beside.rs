//! What stands beside what: "two weeks" are not two months, and "tea with Ida, soup with Bo" says nothing of soup with Ida.

use super::agent::Agent;
use super::alignment::Alignment;
use super::claim::{Claim, Item, Kind};
use super::passage::{Passage, Word};
use super::turned::{is_said_by, run};
use crate::lexicon::verbs::{self, Form};
use crate::lexicon::{stop, synonyms};
use crate::reading::Speaker;
use crate::stage::Reason;

/// A word that stands more often than this in a passage decides nothing: each place would have to be compared with all others.
const MOST: usize = 32;

/// The objection to a claim that puts side by side what the words keep apart.
pub(super) fn objection(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> Option<Reason> {
    if counts_another_thing(claim, passage, alignment)
        || counts_by_another_unit(claim, passage, alignment)
        || comes_at_another_rate(claim, passage)
    {
        return Some(Reason::UnsupportedNumber);
    }
    let parted = has_another_companion(claim, passage, alignment)
        || exchanges_companions(claim, passage, alignment)
        || is_told_of_another_thing(claim, passage, alignment)
        || is_other_sort(claim, passage, alignment)
        || is_done_to_oneself(claim, passage, alignment);
    parted.then_some(Reason::UnsupportedDetail)
}

/// One spelling for a unit of time or measure.
fn unit(word: &str) -> Option<&'static str> {
    Some(match word {
        "second" | "seconds" | "sec" | "secs" => "second",
        "minute" | "minutes" | "min" | "mins" => "minute",
        "hour" | "hours" | "hr" | "hrs" => "hour",
        "day" | "days" => "day",
        "night" | "nights" => "night",
        "week" | "weeks" | "wk" | "wks" => "week",
        "fortnight" | "fortnights" => "fortnight",
        "weekend" | "weekends" => "weekend",
        "month" | "months" => "month",
        "term" | "terms" => "term",
        "year" | "years" | "yr" | "yrs" => "year",
        "decade" | "decades" => "decade",
        "gram" | "grams" | "g" => "gram",
        "kilo" | "kilos" | "kg" | "kilogram" | "kilograms" => "kilo",
        "stone" => "stone",
        "pound" | "pounds" | "lb" | "lbs" => "pound",
        "mile" | "miles" => "mile",
        "km" | "kilometre" | "kilometres" | "kilometer" | "kilometers" => "kilometre",
        "metre" | "metres" | "meter" | "meters" => "metre",
        "litre" | "litres" | "liter" | "liters" => "litre",
        "inch" | "inches" => "inch",
        _ => return None,
    })
}

/// "three months" of "three weeks": wherever the words have the number they count something else of the same sort by it.
fn counts_by_another_unit(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    claim.items.iter().zip(&alignment.carried).any(|(item, carried)| {
        let counted = claim.words.get(item.at + 1).and_then(|next| unit(next));
        let Some(counted) = counted.filter(|_| item.kind == Kind::Number) else { return false };
        let another = |at: &usize| {
            let next = passage.words.get(at + 1).and_then(|next| unit(&next.text));
            next.is_some_and(|next| next != counted)
        };
        (1..=MOST).contains(&carried.len()) && carried.iter().all(another)
    })
}

/// "450 grams of spelt" of "450 grams of rye and 90 of spelt": the number stands with another thing, and the thing with another number.
fn counts_another_thing(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    const REACH: usize = 4;
    let pairs =
        || claim.items.iter().zip(&alignment.carried).filter(|(_, carried)| (1..=MOST).contains(&carried.len()));
    let claimed = |word: &Word<'_>| claim.items.iter().any(|item| item.value.is_some() && item.value == word.value);
    pairs().filter(|(item, _)| item.kind == Kind::Number).any(|(number, numbers)| {
        let sort = |item: &Item| matches!(item.kind, Kind::Plain | Kind::Name);
        let near = |item: &Item| sort(item) && item.at > number.at && item.at - number.at <= REACH;
        pairs().filter(|(item, _)| near(item)).any(|(_, things)| {
            let with_another = |at: &usize| {
                let (words, place) = run(passage, *at);
                let from = at - place;
                let behind = words.get(place + 1..).unwrap_or_default();
                !things.iter().any(|own| (from..from + words.len()).contains(own))
                    && behind.iter().any(|word| is_thing(word) && !is_claimed(claim, word))
            };
            let by_another = |at: &usize| {
                let (words, place) = run(passage, *at);
                words.get(..place).unwrap_or_default().iter().any(|word| word.value.is_some() && !claimed(word))
            };
            numbers.iter().all(with_another) && things.iter().all(by_another)
        })
    })
}

/// "once a week" of "once a month".
fn comes_at_another_rate(claim: &Claim, passage: &Passage<'_>) -> bool {
    let told: Vec<(&str, &str)> =
        claim.words.windows(3).filter_map(|three| rate([three.first()?, three.get(1)?, three.get(2)?])).collect();
    if told.is_empty() {
        return false;
    }
    let said = passage.words.windows(3);
    let said: Vec<(&str, &str)> = said
        .filter_map(|three| rate([&three.first()?.text, &three.get(1)?.text, &three.get(2)?.text]))
        .take(MOST)
        .collect();
    told.iter().any(|(times, unit)| said.iter().any(|(same, _)| same == times) && !said.contains(&(times, unit)))
}

fn rate([times, per, each]: [&str; 3]) -> Option<(&str, &'static str)> {
    let counts = matches!(times, "once" | "twice" | "times");
    unit(each).filter(|_| counts && matches!(per, "a" | "an" | "per" | "every" | "each")).map(|unit| (times, unit))
}

/// Prepositions by which a thing or person is put beside another.
const BINDING: &[&str] =
    &["with", "for", "in", "on", "at", "to", "into", "from", "by", "via", "through", "about", "over", "under"];

/// The preposition that governs a word: only articles, owners and words that describe stand between.
fn governor<'a>(before: impl DoubleEndedIterator<Item = &'a str>) -> Option<&'a str> {
    const REACH: usize = 4;
    before
        .rev()
        .take(REACH)
        .find(|word| BINDING.contains(word) || verbs::is_known(word) || stop::is_function(word) && !is_determiner(word))
        .filter(|word| BINDING.contains(word))
}

fn is_determiner(word: &str) -> bool {
    matches!(word, "a" | "an" | "the" | "my" | "our" | "their" | "his" | "her" | "its" | "user's")
}

/// "soup with Ida" of "tea with Ida, soup with Bo": beside the one stands somebody else by the same preposition, and beside the other
/// something else.
fn has_another_companion(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    let pairs: Vec<(&Item, &Vec<usize>)> = claim.items.iter().zip(&alignment.carried).collect();
    pairs.windows(2).any(|pair| {
        let [(one, ones), (other, others)] = pair else { return false };
        let between = claim.words.get(one.at + 1..other.at).unwrap_or_default();
        let Some(binding) = governor(between.iter().map(String::as_str)) else { return false };
        let sort = |item: &Item| matches!(item.kind, Kind::Plain | Kind::Name | Kind::Role);
        sort(one)
            && sort(other)
            && (1..=MOST).contains(&ones.len())
            && (1..=MOST).contains(&others.len())
            && ones.iter().all(|at| binds_another(claim, passage, *at, binding, others))
            && others.iter().all(|at| belongs_to_another(claim, passage, *at))
    })
}

/// Behind the word at a place the same preposition leads to something the claim does not tell, and none of its words stands there.
fn binds_another(claim: &Claim, passage: &Passage<'_>, at: usize, binding: &str, others: &[usize]) -> bool {
    let (words, place) = run(passage, at);
    let from = at - place;
    if others.iter().any(|other| (from..from + words.len()).contains(other)) {
        return false;
    }
    let behind = words.get(place + 1..).unwrap_or_default();
    let bound = behind.iter().position(|word| &*word.text == binding);
    let object = bound.and_then(|bound| {
        let mut rest = behind.get(bound + 1..).unwrap_or_default().iter();
        rest.find(|word| !is_determiner(&word.text))
    });
    // "met Ida there" binds a place by itself.
    let placed = matches!(binding, "in" | "at" | "to")
        && others.iter().all(|other| *other > at)
        && behind.iter().any(|word| &*word.text == "there");
    placed || object.is_some_and(|object| !stop::is_function(&object.text) && !is_claimed(claim, object))
}

/// In the run of a word stands another thing that the claim does not tell, before it or right behind it.
fn belongs_to_another(claim: &Claim, passage: &Passage<'_>, at: usize) -> bool {
    let (words, place) = run(passage, at);
    let before = words.get(..place).unwrap_or_default();
    let behind = words.get(place + 1).into_iter();
    let is_deed = |word: &Word<'_>| {
        !stop::is_function(&word.text) && !stop::is_light(&word.root) && verbs::form(&word.text) == Form::Past
    };
    before.iter().chain(behind).any(|word| is_thing(word) && !is_claimed(claim, word))
        || before.iter().any(|word| is_deed(word) && !is_claimed(claim, word))
}

fn is_thing(word: &Word<'_>) -> bool {
    !stop::is_function(&word.text)
        && !stop::is_light(&word.root)
        && !verbs::is_known(&word.text)
        && word.value.is_none()
        && (word.capital || word.senses.map_or(word.text.len() > 3, |senses| senses.is_thing))
}

fn is_claimed(claim: &Claim, word: &Word<'_>) -> bool {
    claim.items.iter().any(|item| item.root == *word.root || synonyms::same(&item.root, &word.root))
}

/// "to Doha via Oslo" of "to Oslo via Doha".
fn exchanges_companions(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    let claimed = |item: &Item| governor(claim.words.get(..item.at).unwrap_or_default().iter().map(String::as_str));
    let said = |at: &usize| {
        let (words, place) = run(passage, *at);
        governor(words.get(..place).unwrap_or_default().iter().map(|word| &*word.text))
    };
    let bound: Vec<(&str, Vec<&str>)> = claim
        .items
        .iter()
        .zip(&alignment.carried)
        .filter(|(item, carried)| {
            matches!(item.kind, Kind::Plain | Kind::Name | Kind::Role) && (1..=MOST).contains(&carried.len())
        })
        .filter_map(|(item, carried)| Some((claimed(item)?, carried.iter().filter_map(said).collect())))
        .collect();
    bound.iter().any(|(one, by)| {
        !by.is_empty()
            && !by.contains(one)
            && bound.iter().any(|(other, theirs)| {
                other != one && by.contains(other) && theirs.contains(one) && !theirs.contains(other)
            })
    })
}

/// "the hall is painted" of "the kitchen's painted, the hall has to wait": what the claim tells of one thing is told of another.
fn is_told_of_another_thing(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    const STANDING_IN: &[&str] = &[
        "it", "it's", "they", "they're", "that", "that's", "them", "both", "which", "one", "i", "i'm", "i've", "we",
        "we're", "he", "she", "all", "this", "these", "those", "its", "their", "there", "who", "what",
    ];
    let told = |(item, _): &(&Item, &Vec<usize>)| matches!(item.kind, Kind::Plain | Kind::Comparative);
    let pairs: Vec<(&Item, &Vec<usize>)> = claim.items.iter().zip(&alignment.carried).filter(told).collect();
    let [(thing, named), (state, told)] = pairs.as_slice() else { return false };
    let is = claim.words.get(thing.at + 1).is_some_and(|word| matches!(word.as_str(), "is" | "are" | "was" | "were"));
    let another = |at: &usize| {
        let (words, place) = run(passage, *at);
        let from = *at - place;
        let before = words.get(..place).unwrap_or_default();
        !named.iter().any(|named| (from..from + words.len()).contains(named))
            && !words.iter().any(|word| STANDING_IN.contains(&&*word.text))
            && before.iter().any(|word| is_thing(word) && !is_claimed(claim, word))
    };
    matches!(claim.agent, Agent::Thing)
        && is
        && thing.at < state.at
        && (1..=MOST).contains(&named.len())
        && (1..=MOST).contains(&told.len())
        && told.iter().all(another)
}

/// "the half marathon" of "You run the half marathon?" – "the full marathon, actually": the answer has another word before the same thing.
fn is_other_sort(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    let by_person = |at: usize| is_said_by(passage, at, |speaker| matches!(speaker, Speaker::Person(_)));
    let pairs: Vec<(&Item, &Vec<usize>)> = claim.items.iter().zip(&alignment.carried).collect();
    pairs.windows(2).any(|pair| {
        let [(sort, told), (thing, things)] = pair else { return false };
        let other = |at: &usize| {
            let before = at.checked_sub(1).and_then(|at| passage.words.get(at));
            by_person(*at)
                && before.is_some_and(|before| {
                    !stop::is_function(&before.text)
                        && !verbs::is_known(&before.text)
                        && !claim.items.iter().any(|item| item.root == *before.root)
                        && passage.piece_of(*at).is_some_and(|piece| piece.words.contains(&(at - 1)))
                })
        };
        sort.at + 1 == thing.at
            && matches!(sort.kind, Kind::Plain | Kind::Name | Kind::Number)
            && thing.kind == Kind::Plain
            && (1..=MOST).contains(&told.len())
            && !told.iter().any(|at| by_person(*at))
            && things.iter().take(MOST).any(other)
    })
}

/// "teaches the lute" of "teaching myself the lute".
fn is_done_to_oneself(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    let oneself = |at: &usize| {
        passage
            .words
            .get(at + 1)
            .is_some_and(|next| matches!(&*next.text, "myself" | "ourselves" | "himself" | "herself"))
    };
    !claim.words.iter().any(|word| word.ends_with("self") || word.ends_with("selves"))
        && claim.items.iter().zip(&alignment.carried).any(|(item, carried)| {
            let mut same = carried
                .iter()
                .filter(|at| passage.words.get(**at).is_some_and(|word| *word.root == item.root))
                .peekable();
            item.root == "teach" && same.peek().is_some() && same.all(oneself)
        })
}
