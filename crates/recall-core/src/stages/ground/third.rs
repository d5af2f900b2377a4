//! How a run of words stands to somebody who neither speaks nor is addressed.

use super::agent::Agent;
use super::alignment::Alignment;
use super::bond::{Bond, Place, bond};
use super::claim::{Claim, Kind};
use super::kin;
use super::known;
use super::passage::{Passage, Piece, Word};
use super::person::Who;
use super::possessed::{THEIRS, relation};
use super::pronouns::THIRD;
use super::register::is_core;
use crate::entity::EntityKind;
use crate::lexicon::{self, bare, people, synonyms, verbs};
use crate::reading::references::{Mention, Number, Part};
use crate::reading::{Speaker, references};

/// The bond to a person or relative from elsewhere.
pub(super) fn of_third(claim: &Claim, passage: &Passage<'_>, piece: &Piece) -> Bond {
    match (&claim.agent, &piece.who) {
        (Agent::Named(name), Who::Named { name: said, .. }) => {
            if same_name(name, said) {
                Bond::Own
            } else {
                Bond::Foreign
            }
        }
        (Agent::Named(name), Who::Pronoun(meant) | Who::It(meant)) => {
            let by_name = by_pronoun(meant, &|meant| same_name(name, &crate::text::fold(meant)));
            let of_person = matches!(piece.who, Who::It(_)) && !names_a_thing(passage, name);
            match by_name {
                Bond::Open if of_person || is_of_other_sex(passage, piece, name) => Bond::Foreign,
                Bond::Open if is_only_name(passage, piece, name) => Bond::Near,
                bond @ (Bond::Open | Bond::Foreign | Bond::Near | Bond::Own) => bond,
            }
        }
        (Agent::Named(name), Who::Speaker) => {
            let ours = passage.said(piece).iter().any(|word| matches!(&*word.text, "we" | "our" | "we've" | "we're"));
            if ours && names_stand_in(passage, piece.turn, name) { Bond::Near } else { Bond::Foreign }
        }
        (Agent::Relative { chain, .. }, Who::Named { chain: said, .. })
            if said.is_empty() && answers_about(passage, piece, chain) =>
        {
            Bond::Near
        }
        (Agent::Relative { chain, words }, Who::Relative(said) | Who::Named { chain: said, .. }) => {
            let same = kin::is_same(chain, said) && !is_other_one(words, passage.said(piece));
            // "my sister … her husband": whose he is stands before.
            let of_somebody = matches!((chain.as_slice(), said.as_slice()), ([_, .., kin], [owner, last]) if owner == THEIRS && kin == last);
            match (same, of_somebody) {
                (true, _) => Bond::Own,
                (false, true) => Bond::Near,
                (false, false) => Bond::Foreign,
            }
        }
        (Agent::Relative { words, chain }, Who::Pronoun(meant)) => {
            let by_role = by_pronoun(meant, &|meant| {
                words.iter().any(|word| {
                    meant.split_whitespace().any(|part| relation(&crate::text::fold(part)) == relation(word))
                })
            });
            if by_role == Bond::Open && is_only_relative(passage, piece, chain) { Bond::Near } else { by_role }
        }
        (Agent::Relative { words, .. }, Who::Other) => {
            if is_other_one(words, passage.said(piece)) {
                Bond::Foreign
            } else {
                Bond::Near
            }
        }
        (Agent::Relative { chain, .. }, Who::Addressee) if says_relative(passage, piece, chain) => Bond::Near,
        (_, Who::Thing) => Bond::Near,
        _ => Bond::Foreign,
    }
}

/// "the older one" and the younger: the words of the claim for somebody have an opposite in how the piece begins.
fn is_other_one(words: &[String], said: &[Word<'_>]) -> bool {
    let ends = |word: &&Word<'_>| !(&*word.text == "one" || people::is_person(bare(&word.text)));
    let begins = || said.iter().take_while(ends);
    words.iter().map(|word| lexicon::stem(word)).any(|word| begins().any(|said| synonyms::opposite(&word, &said.root)))
}

/// "your sister": the relative stands in the words that speak to the one it belongs to.
fn says_relative(passage: &Passage<'_>, piece: &Piece, chain: &[String]) -> bool {
    passage.said(piece).iter().any(|word| chain.last().is_some_and(|last| relation(bare(&word.text)) == *last))
}

/// The piece begins the answer to a question of the assistant that asks after the relative: "What's your vet's name?".
fn answers_about(passage: &Passage<'_>, piece: &Piece, chain: &[String]) -> bool {
    let asked = |other: &Piece| {
        other.turn + 1 == piece.turn
            && passage.turns.get(other.turn).is_some_and(|turn| turn.speaker == Speaker::Assistant)
            && says_relative(passage, other, chain)
    };
    before(passage, piece).next().is_none() && passage.pieces.iter().any(asked)
}

/// A mention of the name is known not to be a person.
fn names_a_thing(passage: &Passage<'_>, name: &[String]) -> bool {
    let mentions = passage.turns.iter().flat_map(|turn| &turn.mentions);
    let mut same = mentions.filter(|mention| same_name(name, &crate::text::fold(&mention.name))).peekable();
    same.peek().is_some() && same.all(|mention| !matches!(mention.kind, EntityKind::Person | EntityKind::User))
}

/// "she", and the first name is a man's.
fn is_of_other_sex(passage: &Passage<'_>, piece: &Piece, name: &[String]) -> bool {
    let pronoun = passage.said(piece).iter().find(|word| THIRD.contains(&&*word.text));
    pronoun.zip(name.first()).is_some_and(|(pronoun, name)| references::is_of_other_sex(name, &pronoun.text))
}

/// A pronoun that stayed open, in a turn that speaks of nobody else by name, before it.
fn is_only_name(passage: &Passage<'_>, piece: &Piece, name: &[String]) -> bool {
    let named: Vec<&Who> = before(passage, piece).filter(|who| matches!(who, Who::Named { .. })).collect();
    let all = named.iter().all(|who| matches!(who, Who::Named { name: said, .. } if same_name(name, said)));
    let is_it = |mention: &Mention| same_name(name, &crate::text::fold(&mention.name));
    all && names_stand_in(passage, piece.turn, name) && !another_fits(passage, piece, &is_it)
}

/// Somebody else is named before an open "he" or "she" who may be meant as well; the sex of a name leaves out whom it does not fit.
fn another_fits(passage: &Passage<'_>, piece: &Piece, is_it: &dyn Fn(&Mention) -> bool) -> bool {
    const SURE: f32 = 0.9;
    let Some(pronoun) = passage.said(piece).iter().find(|word| THIRD.contains(&&*word.text)) else { return false };
    let fits = |mention: &Mention| match (pronoun.text.starts_with("she"), mention.female) {
        (_, None) => true,
        (true, Some(women)) => women > 1.0 - SURE,
        (false, Some(women)) => women < SURE,
    };
    let single = matches!(pronoun.text.get(..2), Some("he" | "sh"));
    let before = passage.turns.iter().enumerate().take(piece.turn + 1);
    let mentions = before.flat_map(|(turn, read)| read.mentions.iter().map(move |mention| (turn, mention)));
    single
        && mentions.filter(|(turn, mention)| *turn < piece.turn || mention.start < pronoun.span.start).any(
            |(_, mention)| {
                mention.kind == EntityKind::Person
                    && mention.number == Number::Singular
                    && mention.part != Part::Vocative
                    && fits(mention)
                    && !is_it(mention)
            },
        )
}

fn is_only_relative(passage: &Passage<'_>, piece: &Piece, chain: &[String]) -> bool {
    let mut told = before(passage, piece).filter(|who| matches!(who, Who::Named { .. } | Who::Relative(_))).peekable();
    told.peek().is_some()
        && told
            .all(|who| matches!(who, Who::Relative(said) | Who::Named { chain: said, .. } if kin::is_same(said, chain)))
        && !another_fits(passage, piece, &|mention| {
            let names = [Some(&mention.name), mention.role.as_ref()];
            let last = |name: &String| name.rsplit(' ').next().map(|last| relation(&crate::text::fold(last)));
            names.into_iter().flatten().filter_map(last).any(|last| chain.last() == Some(&last))
        })
}

/// Of whom the pieces of the same turn up to this one speak.
fn before<'a>(passage: &'a Passage<'_>, piece: &'a Piece) -> impl Iterator<Item = &'a Who> {
    passage
        .pieces
        .iter()
        .filter(|other| other.turn == piece.turn && other.words.start < piece.words.start)
        .map(|other| &other.who)
}

fn names_stand_in(passage: &Passage<'_>, turn: usize, name: &[String]) -> bool {
    let pieces = passage.pieces.iter().filter(|piece| piece.turn == turn);
    pieces.flat_map(|piece| passage.said(piece)).any(|word| name.iter().any(|part| part == bare(&word.text)))
}

fn by_pronoun(meant: &[String], is_it: &dyn Fn(&str) -> bool) -> Bond {
    if meant.is_empty() {
        return Bond::Open;
    }
    if meant.iter().any(|meant| is_it(meant)) { Bond::Own } else { Bond::Foreign }
}

fn same_name(name: &[String], said: &str) -> bool {
    said.split(known::parts_names).any(|part| name.iter().any(|word| word == part))
}

/// "speaks Japanese" of "I speak Dutch, my sister adds Japanese": what the claim ends with stands only where somebody else is spoken of.
pub(super) fn object_is_foreign(
    claim: &Claim,
    passage: &Passage<'_>,
    alignment: &Alignment,
    standings: &[Place],
) -> bool {
    const STANDING_IN: &[&str] = &[
        "it", "there", "them", "her", "him", "one", "ones", "both", "us", "we", "our", "me", "my", "i", "i'm", "they",
        "this", "these", "too", "with", "for",
    ];
    const MOST: usize = 32;
    let last = claim.items.iter().zip(&alignment.carried).rfind(|(item, _)| is_core(item));
    let foreign = |at: &usize| {
        passage.piece_of(*at).is_some_and(|piece| {
            matches!(piece.who, Who::Relative(_) | Who::Named { .. })
                && passage.said(piece).iter().any(|word| verbs::is_known(&word.text) || word.text.ends_with('s'))
                && !passage.said(piece).iter().any(|word| STANDING_IN.contains(&&*word.text))
                && bond(claim, passage, piece, standings) == Bond::Foreign
        })
    };
    let takes_up = || {
        let own = passage.pieces.iter().filter(|piece| !matches!(piece.who, Who::Relative(_) | Who::Named { .. }));
        own.flat_map(|piece| passage.said(piece)).any(|word| {
            matches!(&*word.text, "it" | "there" | "them" | "her" | "him" | "that" | "one" | "both" | "they" | "too")
        })
    };
    claim.agent == Agent::User
        && last.is_some_and(|(item, carried)| {
            matches!(item.kind, Kind::Plain | Kind::Name)
                && (1..=MOST).contains(&carried.len())
                && carried.iter().all(foreign)
                && !takes_up()
        })
}

/// "User's sister has a camper" of "my sister's camper".
pub(super) fn has_by_name(claim: &Claim, passage: &Passage<'_>, at: usize) -> bool {
    let Agent::Relative { chain, .. } = &claim.agent else { return false };
    let before = passage.words.get(at.saturating_sub(2)..at).unwrap_or_default();
    let [.., owner, kin] = before else { return false };
    matches!(&*owner.text, "my" | "our")
        && kin.text.ends_with("'s")
        && chain.len() == 1
        && chain.last().is_some_and(|last| people::relative(bare(&kin.text)) == Some(last.as_str()))
}

/// "wants to move back to Oulu, her family is there": the place is named of another, and "there" puts the one in question at it.
pub(super) fn is_place_of(
    claim: &Claim,
    passage: &Passage<'_>,
    alignment: &Alignment,
    predicate: usize,
    standings: &[Place],
) -> bool {
    let named = claim.items.get(predicate).filter(|item| item.kind == Kind::Name);
    let place = named.and(alignment.carried.get(predicate)).and_then(|carried| carried.last());
    let first = place.and_then(|at| passage.piece_of(*at));
    first.is_some_and(|first| {
        passage.pieces.iter().filter(|piece| piece.turn == first.turn).any(|piece| {
            piece.words.start > first.words.start
                && passage.said(piece).iter().any(|word| &*word.text == "there" && word.quoted)
                && bond(claim, passage, piece, standings) == Bond::Own
        })
    })
}
