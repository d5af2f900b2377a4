//! Is the claim about the one the words are about? What "I" says belongs to the speaker, what "my sister" does to the sister.

use super::agent::Agent;
use super::alignment::Alignment;
use super::bond::{Bond, PIECES, Place, bond, of_item, standings};
use super::claim::{Claim, Item, Kind};
use super::exchanged;
use super::known;
use super::passage::{Passage, Word};
use super::person::Who;
use super::register::Register;
use super::third::{is_place_of, object_is_foreign};
use crate::context::Context;
use crate::lexicon::{bare, people, verbs};
use crate::reading::Speaker;
use crate::stage::Reason;

/// Checks that what the claim says of somebody is said of that one.
///
/// # Errors
/// [`Reason::WrongSpeaker`], or [`Reason::UnsupportedName`] where a name was put for a pronoun that stays open.
pub(super) fn speaks(
    cx: &Context<'_>,
    claim: &Claim,
    passage: &Passage<'_>,
    alignment: &Alignment,
) -> Result<(), Reason> {
    if !known::agent_is_known(cx, claim, passage) {
        return Err(Reason::UnsupportedName);
    }
    if wrong_relative(claim, passage) || is_met(claim, passage, alignment) {
        return Err(Reason::WrongSpeaker);
    }
    if is_named_in_passing(claim, passage) {
        return Ok(());
    }
    match &claim.agent {
        Agent::Thing | Agent::Open => return Ok(()),
        Agent::User | Agent::Assistant | Agent::Named(_) | Agent::Relative { .. } => {}
    }
    if deed_is_lost(claim, alignment) {
        // What nobody does cannot be done by the wrong one: support will say so.
        return Ok(());
    }
    if exchanged::is_suffered_by_speaker(claim, passage, alignment) {
        return Ok(());
    }
    let standings = standings(cx, claim, passage);
    let bonds = |item: usize| of_item(claim, passage, alignment, (item, &standings));
    let predicate = predicate(claim, passage, alignment);
    let best = match claim.register {
        Register::Framed if standings.contains(&Place::Speaks) => {
            exchanged::is_held_by_another(claim, passage, alignment).then_some(Bond::Foreign)
        }
        Register::Stated | Register::Framed => {
            predicate.and_then(&bonds).or_else(|| quoted(passage, &|piece| bond(claim, passage, piece, &standings)))
        }
        Register::Long | Register::Sentence | Register::Document => {
            predicate.and_then(&bonds).max(said_of_all(claim, &bonds))
        }
    };
    let own = best == Some(Bond::Own) && claim.register == Register::Stated;
    let best = if own && object_is_foreign(claim, passage, alignment, &standings) { Some(Bond::Foreign) } else { best };
    let taken_up = || predicate.is_some_and(|at| is_taken_up(claim, passage, alignment, at, &standings));
    match best {
        Some(Bond::Foreign) if taken_up() => Ok(()),
        Some(Bond::Foreign) => Err(Reason::WrongSpeaker),
        Some(Bond::Open) => {
            Err(if matches!(claim.agent, Agent::User) { Reason::WrongSpeaker } else { Reason::UnsupportedName })
        }
        Some(Bond::Near | Bond::Own) | None => Ok(()),
    }
}

/// "we all caught the flu, my dad had it worse": the thing is named of others, and taken up where it is told of the one in question.
fn is_taken_up(
    claim: &Claim,
    passage: &Passage<'_>,
    alignment: &Alignment,
    predicate: usize,
    standings: &[Place],
) -> bool {
    const STANDING_IN: &[&str] = &["it", "them", "one", "that", "too", "along", "us", "her", "him"];
    if is_place_of(claim, passage, alignment, predicate, standings) {
        return true;
    }
    let named = alignment.carried.get(predicate).and_then(|carried| carried.first());
    let is_deed = claim.items.get(predicate).is_none_or(|item| claim.tells_by(item));
    let (false, Some(named), Agent::User | Agent::Relative { .. } | Agent::Named(_)) = (is_deed, named, &claim.agent)
    else {
        return false;
    };
    let told = |item: &Item| {
        matches!(item.kind, Kind::Plain | Kind::Light | Kind::Comparative | Kind::Calendar | Kind::Number)
    };
    let carried =
        claim.items.iter().zip(&alignment.carried).filter(|(item, _)| told(item)).flat_map(|(_, carried)| carried);
    carried.filter(|at| *at > named).filter_map(|at| passage.piece_of(*at)).take(PIECES).any(|piece| {
        bond(claim, passage, piece, standings) == Bond::Own
            && passage.piece_of(*named).is_some_and(|named| named.turn == piece.turn)
            && passage.said(piece).iter().any(|word| STANDING_IN.contains(&&*word.text))
    })
}

/// A short claim whose verb nothing carries.
fn deed_is_lost(claim: &Claim, alignment: &Alignment) -> bool {
    let first = claim
        .items
        .iter()
        .zip(&alignment.carried)
        .find(|(item, _)| !matches!(item.kind, Kind::Frequency | Kind::Modifier | Kind::Light));
    claim.register == Register::Stated
        && first.is_some_and(|(item, carried)| carried.is_empty() && claim.tells_by(item))
}

/// "User's wife is Signe" from "… with my wife Signe …": the claim tells nothing but the name, and the words name her in passing,
/// whomever the sentence is about.
fn is_named_in_passing(claim: &Claim, passage: &Passage<'_>) -> bool {
    let Agent::Relative { chain, words } = &claim.agent else { return false };
    let mut names = claim.items.iter().filter(|item| item.kind == Kind::Name);
    let (Some(name), None, Some(relative), 1) = (names.next(), names.next(), words.last(), chain.len()) else {
        return false;
    };
    let bare =
        claim.items.iter().all(|item| matches!(item.kind, Kind::Name | Kind::Light | Kind::Role) && !item.negated);
    let told = |three: &[super::passage::Word<'_>]| match three {
        [owner, kin, called] => {
            matches!(&*owner.text, "my" | "our")
                && *kin.text == **relative
                && called.capital
                && *called.text == *name.text
        }
        _ => false,
    };
    bare && passage.words.windows(3).any(told)
}

/// The first item with content that the passage carries: what is said of the subject.
fn predicate(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> Option<usize> {
    let carried = |at: usize| alignment.carried.get(at).is_some_and(|carried| !carried.is_empty());
    // A question of the assistant says nothing of anybody; its answer does.
    let of_person = |at: usize| {
        let words = alignment.carried.get(at).into_iter().flatten();
        words
            .filter_map(|at| passage.piece_of(*at))
            .filter_map(|piece| passage.turns.get(piece.turn))
            .any(|turn| turn.speaker != Speaker::Assistant)
    };
    let strong = |item: &Item| {
        !matches!(item.kind, Kind::Light | Kind::Frequency | Kind::Modifier | Kind::Comparative | Kind::Calendar)
    };
    let first = |test: &dyn Fn(&Item) -> bool| {
        claim.items.iter().enumerate().find(|(at, item)| carried(*at) && test(item)).map(|(at, _)| at)
    };
    let beside = apposition(claim);
    let told = |item: &Item| strong(item) && !beside.contains(&item.at);
    let answered = |test: &dyn Fn(&Item) -> bool| {
        claim.items.iter().enumerate().find(|(at, item)| of_person(*at) && test(item)).map(|(at, _)| at)
    };
    answered(&told).or_else(|| answered(&strong)).or_else(|| first(&strong)).or_else(|| first(&|_| true))
}

/// "Birgit, the user's younger sister, is a weaver": what stands between the commas behind the name tells who he is, not what he does.
fn apposition(claim: &Claim) -> std::ops::Range<usize> {
    const OPENING: usize = 4;
    let mut commas = claim.words.iter().enumerate().filter(|(_, word)| *word == ",").map(|(at, _)| at);
    match (commas.next().filter(|at| *at < OPENING), commas.next()) {
        (Some(from), Some(to)) if matches!(claim.agent, Agent::Named(_)) => from..to,
        _ => 0..0,
    }
}

/// Nothing of the claim is carried: how the quoted words stand to the one it is about, where that stays open.
fn quoted(passage: &Passage<'_>, bond: &dyn Fn(&super::passage::Piece) -> Bond) -> Option<Bond> {
    let pieces = passage.pieces.iter().filter(|piece| passage.said(piece).iter().any(|word| word.quoted));
    pieces.take(PIECES).map(bond).max().filter(|bond| *bond == Bond::Open)
}

/// A claim of several things: most of what is carried has to be said of the person.
fn said_of_all(claim: &Claim, bonds: &dyn Fn(usize) -> Option<Bond>) -> Option<Bond> {
    let strong =
        |item: &Item| matches!(item.kind, Kind::Plain | Kind::Name | Kind::Number | Kind::Role | Kind::Retelling);
    let found: Vec<Bond> =
        claim.items.iter().enumerate().filter(|(_, item)| strong(item)).filter_map(|(at, _)| bonds(at)).collect();
    let own = found.iter().filter(|bond| **bond >= Bond::Near).count();
    found.iter().max().map(|_| {
        if own * 2 > found.len() {
            Bond::Own
        } else {
            found.iter().copied().find(|bond| *bond == Bond::Open).unwrap_or(Bond::Foreign)
        }
    })
}

/// The claim names the user's mother, and the words speak of somebody else's.
fn wrong_relative(claim: &Claim, passage: &Passage<'_>) -> bool {
    let claimed: Vec<&str> = claim
        .words
        .windows(2)
        .filter_map(|pair| {
            let [owner, relative] = pair else { return None };
            matches!(owner.as_str(), "own" | "user's").then(|| crate::lexicon::people::relative(relative)).flatten()
        })
        .collect();
    claimed.iter().any(|relative| {
        let chains: Vec<&[String]> = passage
            .pieces
            .iter()
            .filter_map(|piece| match &piece.who {
                Who::Relative(chain) | Who::Named { chain, .. }
                    if chain.last().is_some_and(|last| last == relative) =>
                {
                    Some(chain.as_slice())
                }
                Who::Speaker
                | Who::Addressee
                | Who::Named { .. }
                | Who::Relative(_)
                | Who::Pronoun(_)
                | Who::It(_)
                | Who::Other
                | Who::Thing
                | Who::Unsaid => None,
            })
            .collect();
        !chains.is_empty() && chains.iter().all(|chain| chain.len() > 1) || is_somebody_elses(passage, relative)
    })
}

/// "is a tax adviser" of "found a tax adviser": whoever one finds, hires or meets one is not oneself.
fn is_met(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    const REACH: usize = 5;
    const MET: &[&str] =
        &["find", "found", "hire", "meet", "met", "see", "saw", "need", "call", "visit", "book", "know"];
    let is_article = |word: &str| matches!(word, "a" | "an");
    let is = claim.words.iter().take(3).any(|word| word == "is")
        && claim.words.iter().take(4).any(|word| is_article(word))
        && claim.agent == Agent::User;
    let role = claim.items.iter().zip(&alignment.carried).find(|(item, _)| item.kind == Kind::Role);
    let met = |at: &usize| {
        let chunk = passage.words.get(*at).map(|word| word.chunk);
        let before = passage.words.get(at.saturating_sub(REACH)..*at).unwrap_or_default();
        let article = before.iter().rposition(|word| is_article(&word.text));
        article
            .and_then(|at| before.get(..at)?.iter().rev().find(|word| !matches!(&*word.text, "me" | "us")))
            .is_some_and(|verb| Some(verb.chunk) == chunk && (MET.contains(&&*verb.root) || MET.contains(&&*verb.text)))
    };
    is && role.is_some_and(|(_, carried)| !carried.is_empty() && carried.iter().all(met))
}

/// "her nephew", "his brother": wherever the words name such a relative, somebody else has them.
fn is_somebody_elses(passage: &Passage<'_>, relative: &str) -> bool {
    let is_theirs = |word: &Word<'_>| matches!(&*word.text, "his" | "her" | "their");
    // Most passages have no such word, and looking up every word of a passage costs.
    if !passage.words.iter().any(is_theirs) {
        return false;
    }
    let named = |(_, word): &(usize, &Word<'_>)| people::relative(bare(&word.text)) == Some(relative);
    let mut owners =
        passage.words.iter().enumerate().filter(named).map(|(at, word)| owner(passage, at, word)).peekable();
    owners.peek().is_some() && owners.all(|owner| owner.is_some_and(is_theirs))
}

/// The nearest owner, article or verb right before a word of the same piece.
fn owner<'a, 'b>(passage: &'a Passage<'b>, at: usize, word: &Word<'_>) -> Option<&'a Word<'b>> {
    const REACH: usize = 3;
    let before = passage.words.get(at.saturating_sub(REACH)..at).unwrap_or_default();
    before.iter().rev().take_while(|other| other.piece == word.piece).find(|other| {
        matches!(&*other.text, "my" | "our" | "your" | "his" | "her" | "their" | "a" | "the")
            || verbs::is_known(&other.text)
    })
}
