//! Does the claim say yes where the words say no, or no where they say yes?

use std::ops::Range;

use super::alignment::Alignment;
use super::claim::{Claim, Item, Kind};
use super::endings;
use super::passage::{Passage, Word};
use super::register::Register;
use super::sources;
use crate::lexicon::synonyms;
use crate::lexicon::verbs::{self, Form};
use crate::reading::Speaker;
use crate::stage::Reason;

/// Compares what is denied in the claim with what is denied in the words that carry it.
///
/// # Errors
/// [`Reason::PolarityFlip`].
pub(super) fn agrees(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> Result<(), Reason> {
    let flipped = claim.parts().into_iter().any(|part| match claim.register {
        Register::Stated => is_flipped(claim, passage, alignment, part),
        Register::Long | Register::Sentence | Register::Document | Register::Framed => {
            is_plainly_flipped(claim, passage, alignment, part)
        }
    });
    if flipped { Err(Reason::PolarityFlip) } else { Ok(()) }
}

/// Of a claim whose deed stands nowhere: all else it tells stands under a denial ("eats meat" of "gave up meat").
pub(super) fn takes_back(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    let told = |item: &Item| matches!(item.kind, Kind::Plain | Kind::Role);
    let mut carried = claim.items.iter().zip(&alignment.carried).filter(|(item, _)| told(item));
    let mut words = carried.clone().flat_map(|(_, carried)| carried).filter_map(|at| passage.words.get(*at)).peekable();
    claim.register == Register::Stated
        && !claim.items.iter().any(|item| item.negated)
        && carried.any(|(item, carried)| is_verb(item) && carried.is_empty())
        && words.peek().is_some()
        && words.all(|word| is_denied(passage, word))
}

/// What a word of the claim says of yes and no.
struct Vote {
    /// It is a verb.
    verb: bool,
    /// The words that carry it say the opposite.
    flips: bool,
    /// One of them stands in a quote.
    quoted: bool,
    /// Behind one of them something is excepted.
    excepts: bool,
}

/// A part of the claim goes by its verb, where the passage carries one; else by most of its words.
fn is_flipped(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment, part: Range<usize>) -> bool {
    let mut votes: Vec<Vote> = Vec::new();
    let (mut denied, mut excepted) = (false, false);
    for at in part {
        let (Some(item), Some(focused)) = (claim.items.get(at), alignment.focused.get(at)) else { continue };
        denied |= item.negated;
        excepted |= matches!(item.kind, Kind::Plain | Kind::Role | Kind::Name)
            && !focused.is_empty()
            && focused.iter().all(|at| is_excepted(passage, *at));
        if matches!(item.kind, Kind::Name | Kind::Number | Kind::Frequency | Kind::Calendar | Kind::Modifier)
            || is_time(item)
        {
            continue;
        }
        let words: Vec<&Word<'_>> = focused.iter().filter_map(|at| passage.words.get(*at)).collect();
        if !words.is_empty() {
            let flips = words.iter().all(|word| item.negated != (is_denied(passage, word) != is_opposite(item, word)));
            if flips && words.iter().all(|word| is_opposite(item, word)) {
                return true;
            }
            // What is given up is denied, the giving up is not; "quit when …" names nothing that is.
            if focused.iter().any(|at| is_lone(passage, *at))
                || !endings::ends(&item.root, claim.words.get(item.at + 1).map_or("", String::as_str))
            {
                let quoted = words.iter().any(|word| word.quoted);
                let excepts = focused.iter().any(|at| excepts(passage, *at));
                votes.push(Vote { verb: is_verb(item), flips, quoted, excepts });
            }
        }
    }
    if excepted
        && votes.iter().any(|vote| vote.verb && vote.excepts)
        && !claim.says(&["except", "but", "besides", "apart", "other"])
    {
        return !denied;
    }
    // What "it" stands for is told elsewhere, and whether that is so says nothing of what is told of it.
    if votes.iter().any(|vote| vote.quoted) {
        votes.retain(|vote| vote.quoted);
    }
    if let Some(vote) = votes.iter().find(|vote| vote.verb) {
        return vote.flips;
    }
    if votes.is_empty() && !denied {
        return names_are_denied(claim, passage, alignment);
    }
    if votes.is_empty() {
        return !passage.words.iter().any(|word| is_denied(passage, word));
    }
    votes.iter().filter(|vote| vote.flips).count() * 2 > votes.len()
}

/// "fits everything except my van": of what is excepted the opposite is said.
fn is_excepted(passage: &Passage<'_>, at: usize) -> bool {
    const REACH: usize = 4;
    let chunk = passage.words.get(at).map(|word| word.chunk);
    let before = passage.words.get(at.saturating_sub(REACH)..at).unwrap_or_default();
    before.iter().any(|word| &*word.text == "except" && Some(word.chunk) == chunk && !word.negated)
}

/// Behind the word, in its run, something is excepted.
fn excepts(passage: &Passage<'_>, at: usize) -> bool {
    let chunk = passage.words.get(at).map(|word| word.chunk);
    let rest = passage.words.get(at + 1..).unwrap_or_default();
    rest.iter().take_while(|word| Some(word.chunk) == chunk).any(|word| &*word.text == "except")
}

/// "has been to Kenya" of "I've never been to Kenya": nothing but names is told, and all of them stand under a denial.
fn names_are_denied(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    let told = |(item, carried): &(&Item, &Vec<usize>)| item.kind == Kind::Name && !carried.is_empty();
    let mut named = claim.items.iter().zip(&alignment.focused).filter(told).peekable();
    let denied = |at: &usize| passage.words.get(*at).is_none_or(|word| word.quoted && is_denied(passage, word));
    !claim.items.iter().any(|item| item.negated)
        && named.peek().is_some()
        && named.all(|(_, carried)| carried.iter().all(denied))
}

/// No object stands behind the word.
fn is_lone(passage: &Passage<'_>, at: usize) -> bool {
    let chunk = passage.words.get(at).map(|word| word.chunk);
    passage.words.get(at + 1).is_none_or(|next| Some(next.chunk) != chunk || endings::closes(&next.text))
}

/// A retold claim seldom keeps the words around a denial: only what is denied itself counts.
fn is_plainly_flipped(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment, part: Range<usize>) -> bool {
    let pairs = part.filter_map(|at| Some((claim.items.get(at)?, alignment.carried.get(at)?)));
    let (denied, stated): (Vec<_>, Vec<_>) = pairs.partition(|(item, _)| item.negated);
    let words = |carried: &[usize]| carried.iter().filter_map(|at| passage.words.get(*at)).collect::<Vec<_>>();
    if !denied.is_empty() {
        let content = |item: &Item| !matches!(item.kind, Kind::Light | Kind::Name | Kind::Modifier);
        let carried: Vec<_> = denied.iter().filter(|(item, carried)| content(item) && !carried.is_empty()).collect();
        if carried.is_empty() {
            return !passage.words.iter().any(|word| is_denied(passage, word) || lacks(&word.root));
        }
        return !carried.iter().any(|(item, carried)| {
            let words = words(carried);
            let same: Vec<_> = words.iter().filter(|word| !is_opposite(item, word)).collect();
            let denied = |word: &Word<'_>| is_denied(passage, word) || in_lacking_clause(passage, word);
            if same.is_empty() {
                words.iter().any(|word| !is_denied(passage, word))
            } else {
                same.iter().any(|word| denied(word))
            }
        });
    }
    let verb = stated.iter().find(|(item, carried)| is_verb(item) && !carried.is_empty());
    verb.is_some_and(|(item, carried)| words(carried).iter().all(|word| word.denied_here && !is_opposite(item, word)))
}

/// Words that deny without a negative word.
fn lacks(root: &str) -> bool {
    matches!(
        root,
        "lack"
            | "stop"
            | "avoid"
            | "refus"
            | "unabl"
            | "fail"
            | "miss"
            | "quit"
            | "without"
            | "instead"
            | "unfortun"
            | "rare"
    )
}

fn in_lacking_clause(passage: &Passage<'_>, word: &Word<'_>) -> bool {
    passage.pieces.get(word.piece).is_some_and(|piece| passage.said(piece).iter().any(|word| lacks(&word.root)))
}

/// "last month", "a year ago": when it was is not what is denied.
fn is_time(item: &Item) -> bool {
    matches!(
        &*item.root,
        "last" | "next" | "ago" | "day" | "week" | "weekend" | "month" | "year" | "morn" | "even" | "night"
    )
}

fn is_verb(item: &Item) -> bool {
    item.root == "mind"
        || (item.kind != Kind::Light || matches!(&*item.root, "work" | "need" | "want" | "use"))
            && (verbs::is_known(&item.text) || verbs::form(&item.text) != Form::Unclear)
}

fn is_opposite(item: &Item, word: &Word<'_>) -> bool {
    item.root != *word.root && synonyms::opposite(&item.root, &word.root)
}

/// A question that was answered with no denies what it asks.
fn is_denied(passage: &Passage<'_>, word: &Word<'_>) -> bool {
    let turn = passage.pieces.get(word.piece).and_then(|piece| passage.turns.get(piece.turn));
    let asked = turn.is_some_and(|turn| turn.speaker == Speaker::Assistant);
    let refused = asked
        && passage.turns.iter().any(|turn| {
            matches!(turn.speaker, Speaker::Person(_)) && sources::denies(turn) && !sources::corrects(turn)
        });
    word.negated != refused
}
