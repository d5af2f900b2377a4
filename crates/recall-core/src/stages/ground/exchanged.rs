//! Who did it to whom, and whose it is: a deed done to the user is not theirs, nor is the opinion or the trade of somebody beside them.

use super::agent::Agent;
use super::alignment::Alignment;
use super::claim::{Claim, Item, Kind};
use super::passage::{Passage, Piece, Word};
use super::person::Who;
use crate::lexicon::verbs::{self, Form};
use crate::lexicon::{people, stop};
use crate::reading::Speaker;
use crate::stage::Reason;

/// A word that stands more often than this in a passage decides nothing.
const MOST: usize = 32;

/// Checks that a claim about the user does not take the part of somebody else.
///
/// # Errors
/// [`Reason::WrongSpeaker`].
pub(super) fn keeps_parties(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> Result<(), Reason> {
    let exchanged = claim.agent == Agent::User
        && (is_done_to_them(claim, passage, alignment) || is_of_somebody_beside(claim, passage, alignment));
    let exchanged = exchanged
        || is_object_of_deed(claim, passage, alignment)
        || is_tie_of_two(claim, passage, alignment)
        || is_one_they_have(claim, passage, alignment);
    if exchanged { Err(Reason::WrongSpeaker) } else { Ok(()) }
}

/// "taught her sister" of "my sister taught me": the verb has somebody else for its subject and the speaker for its object.
fn is_done_to_them(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    const OPENING: usize = 4;
    // The word right after "user" is the verb, known or not.
    let is_verb = |item: &Item| {
        item.at < OPENING && verbs::form(&item.text) != Form::Unclear
            || item.at == 1 && matches!(item.kind, Kind::Plain | Kind::Light) && !item.text.ends_with("ss")
    };
    let verb = claim.items.iter().zip(&alignment.carried).find(|(item, _)| is_verb(item));
    let Some((item, carried)) = verb.filter(|(item, _)| !is_suffered(claim, item)) else { return false };
    let to_me = |at: &usize| {
        let same = passage.words.get(*at).is_some_and(|word| *word.root == item.root);
        let next = |ahead: usize| passage.words.get(at + ahead).map_or("", |next| &*next.text);
        let object = matches!(next(1), "me" | "us") || next(1) == "to" && matches!(next(2), "me" | "us");
        same && object && passage.piece_of(*at).is_some_and(is_of_another)
    };
    // Of several deeds of the same verb the one counts that stands with the rest of the claim.
    let others = |piece: usize| {
        let rest = claim.items.iter().zip(&alignment.carried).filter(|(other, _)| other.at != item.at);
        rest.flat_map(|(_, carried)| carried).filter_map(|at| passage.words.get(*at)).any(|word| word.piece == piece)
    };
    let beside = |at: &&usize| passage.words.get(**at).is_some_and(|word| others(word.piece));
    let mut nearest: Vec<&usize> = carried.iter().take(MOST).filter(beside).collect();
    if nearest.is_empty() {
        nearest = carried.iter().collect();
    }
    (1..=MOST).contains(&carried.len()) && nearest.into_iter().all(to_me)
}

/// "was offered a post" of "they offered me a post": what is done to the speaker, told of the speaker.
pub(super) fn is_suffered_by_speaker(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    const OPENING: usize = 5;
    let verb = claim.items.iter().zip(&alignment.carried).find(|(item, _)| verbs::form(&item.text) == Form::Past);
    let to_me = |at: &usize| {
        let by_person = passage.piece_of(*at).is_some_and(|piece| is_by_person(passage, piece));
        by_person && passage.words.get(at + 1).is_some_and(|next| matches!(&*next.text, "me" | "us"))
    };
    claim.agent == Agent::User
        && verb.is_some_and(|(item, carried)| {
            item.at < OPENING && is_suffered(claim, item) && carried.iter().take(MOST).any(to_me)
        })
}

/// "was taught": the claim's verb is suffered, not done.
fn is_suffered(claim: &Claim, item: &Item) -> bool {
    let before = claim.words.get(item.at.saturating_sub(2)..item.at).unwrap_or_default();
    let helps = |word: &String| {
        matches!(word.as_str(), "was" | "were" | "been" | "being" | "is" | "are" | "got" | "gets" | "get")
    };
    before.iter().any(helps)
}

/// "is a plumber" of "I'm married to a plumber": what one is does not stand behind a preposition or as the object of a verb.
fn is_of_somebody_beside(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    const OPENING: usize = 6;
    let is = claim.words.iter().take(OPENING).position(|word| matches!(word.as_str(), "is" | "was"));
    let article =
        is.and_then(|at| claim.words.get(at + 1)).is_some_and(|word| matches!(word.as_str(), "a" | "an" | "the"));
    let Some(is) = is.filter(|_| article) else { return false };
    let between = |item: &Item| {
        let words = claim.words.get(is + 2..item.at).unwrap_or_default();
        item.at > is && words.iter().all(|word| !stop::is_function(word) && !verbs::is_known(word))
    };
    let mut pairs = claim.items.iter().zip(&alignment.carried);
    let trade = pairs.find(|(item, _)| item.kind == Kind::Role && between(item));
    trade.is_some_and(|(_, carried)| {
        (1..=MOST).contains(&carried.len()) && carried.iter().all(|at| is_beside(passage, *at))
    })
}

/// Words before "a plumber" by which the plumber is somebody the speaker has to do with.
const BESIDE: &[&str] = &[
    "to", "with", "by", "for", "from", "near", "of", "met", "meet", "know", "knew", "hired", "saw", "see", "called",
    "dating", "dated", "married", "love", "hate", "need", "want", "asked", "behind", "beside",
];

/// "Rolf is the user's uncle" of "Rolf met my uncle": the tie stands in the words as the object of another's deed.
fn is_tie_of_two(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    let words: Vec<&str> = claim.words.iter().map(String::as_str).collect();
    let tells = words.windows(3).any(|three| matches!(three, ["is" | "was", "the", "user's"]));
    let tie = claim.items.iter().zip(&alignment.carried).rev().find(|(item, _)| item.kind == Kind::Role);
    let deed = |at: &usize| {
        let before = at.checked_sub(2).and_then(|from| passage.words.get(from..*at)).unwrap_or_default();
        matches!(before, [verb, owner]
            if matches!(&*owner.text, "my" | "our")
                && verbs::is_known(&verb.text)
                && !matches!(&*verb.root, "be" | "becom" | "have" | "call" | "turn"))
    };
    matches!(claim.agent, Agent::Named(_))
        && tells
        && tie.is_some_and(|(item, carried)| {
            item.at + 1 == words.len() && (1..=MOST).contains(&carried.len()) && carried.iter().all(deed)
        })
}

/// "Bo lent the user a tent" of "lent Bo my tent": right behind the verb stands whom it is done to.
fn is_object_of_deed(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    let Agent::Named(names) = &claim.agent else { return false };
    let verb = claim.items.iter().zip(&alignment.carried).next();
    let is_name = |word: &Word<'_>| names.iter().any(|name| name == crate::lexicon::bare(&word.text));
    let onto = |at: &usize| {
        let said = passage.piece_of(*at).map(|piece| piece.words.clone()).unwrap_or_default();
        let before = passage.words.get(said.start..*at).unwrap_or_default();
        let next = passage.words.get(at + 1).filter(|_| at + 1 < said.end);
        next.is_some_and(|next| is_name(next) && !next.text.ends_with("'s")) && !before.iter().any(is_name)
    };
    verb.is_some_and(|(item, carried)| {
        verbs::form(&item.text) == Form::Past
            && !is_suffered(claim, item)
            && (1..=MOST).contains(&carried.len())
            && carried.iter().all(onto)
    })
}

/// "Bo is a teacher" of "Bo's teacher": whom one has, one is not.
fn is_one_they_have(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    let Agent::Named(names) = &claim.agent else { return false };
    let is = claim.words.windows(2).any(|pair| matches!(pair, [is, article] if matches!(is.as_str(), "is" | "was") && matches!(article.as_str(), "a" | "an")));
    let theirs = |at: &usize| {
        let before = at.checked_sub(1).and_then(|at| passage.words.get(at));
        before.is_some_and(|owner| {
            owner.text.ends_with("'s") && names.iter().any(|name| name == crate::lexicon::bare(&owner.text))
        })
    };
    let trade = claim.items.iter().zip(&alignment.carried).find(|(item, _)| item.kind == Kind::Role);
    is && trade.is_some_and(|(_, carried)| (1..=MOST).contains(&carried.len()) && carried.iter().all(theirs))
}

fn is_beside(passage: &Passage<'_>, at: usize) -> bool {
    const REACH: usize = 5;
    let piece = passage.words.get(at).map(|word| word.piece);
    let before = passage.words.get(at.saturating_sub(REACH)..at).unwrap_or_default();
    let before = before.iter().rev().take_while(|word| Some(word.piece) == piece);
    let mut before = before.skip_while(|word| {
        matches!(&*word.text, "a" | "an" | "the" | "my" | "our" | "some")
            || !stop::is_function(&word.text) && !verbs::is_known(&word.text) && !people::is_person(&word.text)
    });
    let (governor, further) = (before.next(), before.next());
    // "one of the nurses" is one.
    let one_of = further.is_some_and(|word| matches!(&*word.text, "one" | "some" | "member"));
    governor.is_some_and(|word| BESIDE.contains(&&*word.text) && !(one_of && &*word.text == "of"))
        || governor.is_some_and(|word| is_named_beside(passage, word, at))
        || is_object_of_speaker(passage, at)
}

/// "the buyer, a student": what stands behind a mark tells who the one before it is.
fn is_named_beside(passage: &Passage<'_>, word: &Word<'_>, at: usize) -> bool {
    people::is_person(&word.text) && passage.words.get(at).is_some_and(|trade| trade.chunk != word.chunk)
}

/// "I assist the head gardener": what the speaker does to somebody, they are not.
fn is_object_of_speaker(passage: &Passage<'_>, at: usize) -> bool {
    const REACH: usize = 6;
    let before = passage.words.get(at.saturating_sub(REACH)..at).unwrap_or_default();
    let article = before.iter().rposition(|word| matches!(&*word.text, "a" | "an" | "the"));
    let opening = article.and_then(|article| before.get(article.checked_sub(2)?..article));
    opening.is_some_and(|opening| match opening {
        [subject, verb] => {
            matches!(&*subject.text, "i" | "we")
                && !stop::is_function(&verb.text)
                && !matches!(&*verb.root, "becom" | "made" | "play")
        }
        _ => false,
    })
}

/// Verbs by which an opinion is held.
const HOLDING: &[&str] = &[
    "reckons",
    "reckon",
    "reckoned",
    "thinks",
    "thought",
    "believes",
    "believed",
    "says",
    "said",
    "claims",
    "claimed",
    "finds",
    "found",
    "feels",
    "felt",
    "hopes",
    "hoped",
    "swears",
    "insists",
    "insisted",
    "considers",
    "fears",
    "think",
    "believe",
    "say",
    "find",
    "feel",
];

/// "thinks the bridge is ugly" of "my wife thinks the bridge is ugly": somebody else says, thinks or does what the claim tells of the
/// speaker, and nothing quoted is the speaker's own.
pub(super) fn is_held_by_another(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    let Some(frame) = claim.items.iter().position(|item| item.kind == Kind::Retelling && stop::is_frame(&item.root))
    else {
        return false;
    };
    let words = |at: usize| alignment.focused.get(at).into_iter().flatten().copied().take(MOST);
    let same = |at: &usize| {
        let word = passage.words.get(*at).zip(claim.items.get(frame));
        word.is_some_and(|(word, item)| *word.root == item.root)
    };
    let told: Vec<usize> = words(frame).filter(same).collect();
    if !told.is_empty() {
        return told.iter().all(|at| {
            passage.piece_of(*at).is_some_and(|piece| is_of_another(piece) && is_first_verb(passage, piece, *at))
        });
    }
    let others = (0..claim.items.len()).filter(|at| *at != frame).flat_map(words);
    let mut pieces =
        others.filter_map(|at| passage.piece_of(at)).filter(|piece| is_by_person(passage, piece)).peekable();
    pieces.peek().is_some() && pieces.all(|piece| is_of_another(piece) && first_verb(passage, piece).is_some_and(holds))
}

fn holds(word: &Word<'_>) -> bool {
    HOLDING.contains(&&*word.text)
}

fn first_verb<'a, 'b>(passage: &'a Passage<'b>, piece: &Piece) -> Option<&'a Word<'b>> {
    passage.said(piece).iter().find(|word| verbs::is_known(&word.text) || holds(word))
}

fn is_first_verb(passage: &Passage<'_>, piece: &Piece, at: usize) -> bool {
    let word = passage.words.get(at);
    first_verb(passage, piece).zip(word).is_none_or(|(first, word)| first.span.start >= word.span.start)
}

fn is_by_person(passage: &Passage<'_>, piece: &Piece) -> bool {
    passage.turns.get(piece.turn).is_some_and(|turn| matches!(turn.speaker, Speaker::Person(_)))
}

/// A relative, somebody named, "she": not the speaker, not the one addressed, and no thing.
fn is_of_another(piece: &Piece) -> bool {
    matches!(piece.who, Who::Relative(_) | Who::Named { .. } | Who::Pronoun(_) | Who::Other)
}
