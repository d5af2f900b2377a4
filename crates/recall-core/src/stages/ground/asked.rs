//! A question of the assistant and its answer: the answer stands in the time of the question, and the question's nouns are no news.

use super::agent::Agent;
use super::alignment::Alignment;
use super::claim::Claim;
use super::passage::{Passage, Piece, Standing};
use super::sources;
use crate::lexicon::verbs;
use crate::reading::Speaker;
use crate::reading::acts::Modality;

/// "Which tent will you bring?" – "the small one" told as "brought the small one": a claim of something done rests on a short answer to a
/// question about what is to come.
pub(super) fn lies_ahead(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment, tells_as_done: bool) -> bool {
    let ahead = |piece: &Piece| {
        is_question(passage, piece) && matches!(piece.modality, Modality::Plan | Modality::Possible | Modality::Wish)
    };
    tells_as_done
        && claim.modality == Modality::Actual
        && passage.pieces.iter().any(ahead)
        && !passage.pieces.iter().any(|piece| is_by_person(passage, piece) && tells(passage, piece))
        && alignment
            .carried
            .iter()
            .flatten()
            .filter_map(|at| passage.piece_of(*at))
            .any(|piece| is_by_person(passage, piece))
}

/// "works on the cable car" of "When does the cable car open?" – "at nine": the question does not ask about the person, and
/// nothing of the claim stands in the answer.
pub(super) fn is_only_asked(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    let asked = |at: &usize| passage.piece_of(*at).is_some_and(|piece| is_question(passage, piece));
    let mut carried = alignment.carried.iter().flatten().peekable();
    claim.agent == Agent::User
        && carried.peek().is_some()
        && carried.all(asked)
        && passage.pieces.iter().any(|piece| is_by_person(passage, piece))
        && !passage.pieces.iter().any(|piece| !is_by_person(passage, piece) && addresses(passage, piece))
        && !passage.turns.iter().any(|turn| sources::confirms(turn) || sources::denies(turn))
}

/// "Who will you take along?" – "my cousin": an answer without a verb is said of the one who was asked.
pub(super) fn answers_for_oneself(passage: &Passage<'_>, piece: &Piece) -> bool {
    let asks = |other: &Piece| other.turn + 1 == piece.turn && is_question(passage, other) && addresses(passage, other);
    is_by_person(passage, piece) && !tells(passage, piece) && passage.pieces.iter().any(asks)
}

fn is_question(passage: &Passage<'_>, piece: &Piece) -> bool {
    piece.standing == Standing::Asked
        && passage.turns.get(piece.turn).is_some_and(|turn| turn.speaker == Speaker::Assistant)
}

fn is_by_person(passage: &Passage<'_>, piece: &Piece) -> bool {
    passage.turns.get(piece.turn).is_some_and(|turn| matches!(turn.speaker, Speaker::Person(_)))
}

fn tells(passage: &Passage<'_>, piece: &Piece) -> bool {
    passage.said(piece).iter().any(|word| verbs::is_known(&word.text))
}

fn addresses(passage: &Passage<'_>, piece: &Piece) -> bool {
    passage.said(piece).iter().any(|word| word.text.starts_with("you"))
}
