//! Does the claim turn round what the words say: owned for rented, to for from, a year for a weight, the choice not made?

use super::alignment::Alignment;
use super::asked;
use super::claim::{Claim, Item, Kind};
use super::compared;
use super::passage::{Passage, Standing, Word};
use super::sources;
use crate::lexicon::{bare, stop, synonyms, verbs};
use crate::reading::Speaker;
use crate::stage::Reason;

/// A word that stands more often than this in a passage decides nothing: each place would have to be compared with all others.
const MOST: usize = 32;

/// The objection to a claim that has the words of its source and says something else with them.
pub(super) fn objection(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> Option<Reason> {
    if claim.items.iter().zip(&alignment.carried).any(|(item, carried)| is_corrected(passage, item, carried)) {
        return Some(Reason::UnsupportedNumber);
    }
    if compared::counts_times(claim, passage, alignment) {
        return Some(Reason::UnsupportedNumber);
    }
    let turned = is_only_held(claim, passage, alignment)
        || goes_the_other_way(claim, passage, alignment)
        || counts_something(claim, passage, alignment)
        || is_other_choice(claim, passage, alignment)
        || is_other_object(claim, passage, alignment)
        || asked::is_only_asked(claim, passage, alignment)
        || compared::is_turned(claim, passage, alignment);
    turned.then_some(Reason::UnsupportedDetail)
}

/// "two dogs" of "You have two dogs?" – "No, just the one".
fn is_corrected(passage: &Passage<'_>, item: &Item, carried: &[usize]) -> bool {
    let asked = |at: &usize| is_said_by(passage, *at, |speaker| *speaker == Speaker::Assistant);
    item.kind == Kind::Number && !carried.is_empty() && carried.iter().all(asked) && is_put_right(passage)
}

/// A person answers with no and says how many.
pub(super) fn is_put_right(passage: &Passage<'_>) -> bool {
    passage.turns.iter().any(|turn| matches!(turn.speaker, Speaker::Person(_)) && sources::corrects(turn))
}

pub(super) fn is_said_by(passage: &Passage<'_>, at: usize, test: impl Fn(&Speaker) -> bool) -> bool {
    passage.piece_of(at).and_then(|piece| passage.turns.get(piece.turn)).is_some_and(|turn| test(&turn.speaker))
}

/// The words of the same piece up to the next mark or joining word on either side of a place, and the place among them.
pub(super) fn run<'a, 'b>(passage: &'a Passage<'b>, at: usize) -> (&'a [Word<'b>], usize) {
    let Some(word) = passage.words.get(at) else { return (&[], 0) };
    let border = |other: &Word<'_>| {
        other.chunk != word.chunk || other.piece != word.piece || matches!(&*other.text, "and" | "but" | "or" | "so")
    };
    let from = passage.words.get(..at).unwrap_or_default().iter().rposition(border).map_or(0, |at| at + 1);
    let rest = passage.words.get(at..).unwrap_or_default();
    let to = at + rest.iter().skip(1).position(border).map_or(rest.len(), |at| at + 1);
    (passage.words.get(from..to).unwrap_or_default(), at - from)
}

/// The claim has somebody own or buy what the words have them rent, borrow or look after, or only name ("for the bakery").
fn is_only_held(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    let verb = claim
        .words
        .iter()
        .position(|word| matches!(word.as_str(), "owns" | "owned" | "bought" | "buys" | "purchased" | "acquired"))
        .or_else(|| claim.words.iter().position(|word| word == "has"));
    let Some(verb) = verb.filter(|_| !claim.says(&["rents", "rented", "hired", "borrowed", "leases"])) else {
        return false;
    };
    let owns = claim.words.get(verb).is_some_and(|verb| verb.starts_with("own"));
    let has = claim.words.get(verb).is_some_and(|verb| verb == "has");
    let thing = |item: &Item| item.at > verb && matches!(item.kind, Kind::Plain | Kind::Role | Kind::Name);
    let object = claim.items.iter().zip(&alignment.carried).find(|(item, _)| thing(item));
    object.is_some_and(|(_, carried)| {
        (1..=MOST).contains(&carried.len())
            && carried.iter().all(|at| {
                if has {
                    return is_next_door(passage, *at);
                }
                is_held(passage, *at) || is_of_another(claim, passage, *at) || owns && is_only_named(passage, *at)
            })
    })
}

/// "the dog next door".
fn is_next_door(passage: &Passage<'_>, at: usize) -> bool {
    let behind = passage.words.get(at + 1..at + 3).unwrap_or_default();
    matches!(behind, [next, door] if &*next.text == "next" && matches!(&*door.text, "door" | "doors"))
}

/// "my cousin's kayak", "her kayak": an owner stands right before it who is not the speaker, and whom the claim leaves out.
fn is_of_another(claim: &Claim, passage: &Passage<'_>, at: usize) -> bool {
    const REACH: usize = 2;
    let piece = passage.words.get(at).map(|word| word.piece);
    let before = passage.words.get(at.saturating_sub(REACH)..at).unwrap_or_default();
    let owner = |word: &&Word<'_>| {
        matches!(&*word.text, "his" | "her" | "my" | "our" | "their")
            || word.text.ends_with("'s") && !stop::is_function(&word.text)
            || verbs::is_known(&word.text)
    };
    let owner = before.iter().rev().take_while(|word| Some(word.piece) == piece).find(owner);
    owner.is_some_and(|owner| {
        let theirs = matches!(&*owner.text, "his" | "her" | "their") || owner.text.ends_with("'s");
        theirs && !claim.words.iter().any(|word| bare(word) == bare(&owner.text) || word.ends_with("'s"))
    })
}

fn is_held(passage: &Passage<'_>, at: usize) -> bool {
    const HOLDING: &[&str] = &["rent", "hire", "borrow", "leas", "sublet", "foster"];
    let (run, _) = run(passage, at);
    let holds = |pair: &[Word<'_>]| match pair {
        [verb, next] => {
            HOLDING.contains(&&*verb.root) && &*next.text != "out"
                || matches!(&*verb.root, "look") && &*next.text == "after"
                || &*verb.text == "on" && &*next.text == "loan"
        }
        _ => false,
    };
    run.windows(2).any(holds) && !run.iter().any(|word| owns(word))
}

/// "for the bakery": nobody's, as far as the words go.
fn is_only_named(passage: &Passage<'_>, at: usize) -> bool {
    const HAVING: &[&str] = &[
        "my",
        "our",
        "mine",
        "ours",
        "have",
        "has",
        "had",
        "got",
        "i've",
        "we've",
        "inherited",
        "built",
        "opened",
        "founded",
        "adopted",
        "started",
        "sold",
    ];
    let (run, place) = run(passage, at);
    let before = place.checked_sub(1).and_then(|at| run.get(at));
    before.is_some_and(|before| &*before.text == "the")
        && !run.iter().any(|word| owns(word) || HAVING.contains(&&*word.text))
}

fn owns(word: &Word<'_>) -> bool {
    matches!(&*word.root, "own" | "buy" | "purchas" | "owner" | "acquir")
}

/// Prepositions, by which a place, person or thing is where something comes from or goes to.
const FROM: &[&str] = &["from"];
const TO: &[&str] = &["to", "into"];

/// "flew to Lisbon" of "flew back from Lisbon": the same verb or the same day, and the other direction.
fn goes_the_other_way(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    let pairs = || claim.items.iter().zip(&alignment.carried);
    let word = |at: &usize| passage.words.get(*at);
    let same_deed = pairs().any(|(item, carried)| {
        item.kind == Kind::Calendar && !carried.is_empty()
            || verbs::is_known(&item.text) && carried.iter().filter_map(word).any(|word| *word.root == item.root)
    });
    same_deed
        && pairs().any(|(item, carried)| {
            let place = matches!(item.kind, Kind::Name | Kind::Role)
                || item.kind == Kind::Plain && !verbs::is_known(&item.text);
            let contrary = match claimed_direction(claim, item) {
                Some(word) if FROM.contains(&word) => TO,
                Some(word) if TO.contains(&word) => FROM,
                Some(_) | None => return false,
            };
            let turned = |at: &usize| {
                word(at).is_some_and(|said| *said.root == item.root)
                    && said_direction(passage, *at).is_some_and(|said| contrary.contains(&said))
            };
            place && !carried.is_empty() && carried.iter().all(turned)
        })
}

fn claimed_direction<'a>(claim: &'a Claim, item: &Item) -> Option<&'a str> {
    let before = claim.words.get(item.at.saturating_sub(3)..item.at).unwrap_or_default();
    direction(before.iter().map(String::as_str))
}

fn said_direction<'a>(passage: &'a Passage<'_>, at: usize) -> Option<&'a str> {
    let piece = passage.words.get(at)?.piece;
    let before = passage.words.get(at.saturating_sub(3)..at).unwrap_or_default();
    direction(before.iter().filter(|word| word.piece == piece).map(|word| &*word.text))
}

/// The last preposition before a word, where only articles, owners and words that are no verb stand between.
fn direction<'a>(before: impl DoubleEndedIterator<Item = &'a str>) -> Option<&'a str> {
    let mut before = before.rev().take_while(|word| !matches!(*word, "and" | "or" | "," | "but"));
    before
        .find(|word| {
            !matches!(*word, "a" | "an" | "the" | "my" | "our" | "their" | "his" | "her")
                && (stop::is_function(word) || verbs::is_known(word))
        })
        .filter(|word| FROM.contains(word) || TO.contains(word))
}

/// "made in 1975" of "weighs 1975 grams": the words count something by the number that the claim takes for a year.
fn counts_something(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    let word = |at: usize| claim.words.get(at).map_or("", String::as_str);
    let is_year = |item: &Item| {
        let value = item.value.as_deref().and_then(|value| value.parse::<u32>().ok());
        value.is_some_and(|value| (1000..2200).contains(&value))
            && item.at > 0
            && matches!(word(item.at - 1), "in" | "since" | "until" | "before" | "after")
            && !claim.items.iter().any(|next| next.at == item.at + 1 && next.kind == Kind::Plain)
    };
    let counted = |at: &usize| {
        let (run, place) = run(passage, *at);
        run.get(place + 1).is_some_and(|unit| {
            !unit.capital && !stop::is_function(&unit.text) && unit.text.ends_with('s') && !verbs::is_known(&unit.text)
        })
    };
    claim
        .items
        .iter()
        .zip(&alignment.carried)
        .any(|(item, carried)| is_year(item) && !carried.is_empty() && carried.iter().all(counted))
}

/// "the window or the aisle?" – "aisle": what stands in the question alone, and not what the answer takes of the two.
fn is_other_choice(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    const REACH: usize = 3;
    let by_person = |at: usize| is_said_by(passage, at, |speaker| matches!(speaker, Speaker::Person(_)));
    let answered = |word: &Word<'_>| {
        let said = |(at, other): (usize, &Word<'_>)| *other.root == *word.root && by_person(at);
        !stop::is_function(&word.text) && passage.words.iter().enumerate().any(said)
    };
    let is_left = |at: usize| {
        let near = at.saturating_sub(REACH)..(at + REACH + 1).min(passage.words.len());
        let or = near.clone().find(|at| passage.words.get(*at).is_some_and(|word| &*word.text == "or"));
        let Some(or) = or.filter(|or| *or != at) else { return false };
        let other = if at < or { or + 1..or + 1 + REACH } else { or.saturating_sub(REACH)..or };
        let other = passage.words.get(other.start..other.end.min(passage.words.len())).unwrap_or_default();
        other.iter().any(answered)
    };
    claim.items.iter().zip(&alignment.carried).any(|(item, carried)| {
        matches!(item.kind, Kind::Plain | Kind::Name)
            && (1..=MOST).contains(&carried.len())
            && !carried.iter().any(|at| by_person(*at))
            && carried.iter().all(|at| is_left(*at))
    })
}

/// "rides a motorbike" of "should I get a motorbike? I ride a moped": what the verb has for its object is another thing, and the claim's
/// stands in a question.
fn is_other_object(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    let pairs: Vec<(&Item, &Vec<usize>)> = claim.items.iter().zip(&alignment.carried).collect();
    pairs.windows(2).any(|pair| {
        let [(verb, told), (object, carried)] = pair else { return false };
        let asked = |at: &usize| {
            passage.piece_of(*at).is_some_and(|piece| piece.standing == Standing::Asked)
                && passage.words.get(*at).is_some_and(|word| !word.quoted)
                && is_said_by(passage, *at, |speaker| matches!(speaker, Speaker::Person(_)))
        };
        let other = |at: &usize| has_other_object(claim, passage, *at, object);
        (verb.at < 3 || verbs::is_known(&verb.text))
            && object.at <= verb.at + 2
            && object.kind == Kind::Plain
            && !carried.is_empty()
            && carried.iter().all(asked)
            && told.iter().take(MOST).any(|at| passage.words.get(*at).is_some_and(|word| word.quoted) && other(at))
    })
}

/// Right behind the verb at a place stands an article and a thing that the claim does not name.
fn has_other_object(claim: &Claim, passage: &Passage<'_>, verb: usize, object: &Item) -> bool {
    let Some([article, thing]) = passage.words.get(verb + 1..verb + 3) else { return false };
    matches!(&*article.text, "a" | "an" | "the" | "my" | "our")
        && !stop::is_function(&thing.text)
        && !claim.items.iter().any(|item| item.root == *thing.root)
        && !synonyms::same(&object.root, &thing.root)
        && !synonyms::general(&object.root, &thing.root)
}
