//! Which of the dates of a quote is the claim's, where the model named none: the one nearest to the claim's own words.

use std::collections::HashSet;
use std::ops::Range;

use super::{Choice, Cited, gap};
use crate::candidate::Candidate;
use crate::lexicon::verbs::{self, Form};
use crate::moment::Precision;
use crate::reading::ReadTurn;
use crate::reading::dates::{self, Dated};
use crate::text::{self, Token, TokenKind};

/// How far from the quote a date may stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Inside it: the model saw no words of time, so what it did not quote is not its claim's.
    Quote,
    /// In its sentence as well.
    Sentence,
}

/// The most dates of one quote that are weighed, the first ones; a later one is not taken for the claim's.
const MOST: usize = 200;

/// The most dates of one claim that are held against those of a quote.
const MOST_TOLD: usize = 16;

/// The date that stands nearest to the words of the claim.
pub(super) fn by_quote<'a>(claim: &Candidate, cited: &[Cited<'a>], reach: Reach) -> Option<Choice<'a>> {
    // Most quotes have no date near them, and then nothing has to be known of the claim.
    if cited.iter().all(|source| source.turn.dates.is_empty()) {
        return None;
    }
    let tokens = text::tokens(&claim.content);
    let stems = content_stems(&tokens);
    let tells_past = tokens.iter().any(|token| verbs::form(&token.folded) == Form::Past);
    let mut best: Option<(f64, Choice<'a>)> = None;
    for source in cited {
        let inside = |dated: &&Dated| gap(&dated.span, &source.quote) == 0;
        let usable = |dated: &&'a Dated| dated.start.is_some() || dated.until.is_some();
        let mut near: Vec<&'a Dated> = source.turn.dates.iter().filter(usable).filter(inside).take(MOST).collect();
        if near.is_empty() && reach == Reach::Sentence {
            let sentence = sentence_of(source.turn, &source.quote);
            let beside = |dated: &&Dated| gap(&dated.span, &sentence) == 0;
            near = source.turn.dates.iter().filter(usable).filter(beside).take(MOST).collect();
        }
        if near.is_empty() {
            continue;
        }
        let told = said_in(&claim.content, source.turn);
        let about = sentence_about(&stems, source);
        for dated in near.into_iter().filter(|dated| reach_of(source.turn, dated) <= about) {
            if reach == Reach::Quote && !tells_past && is_set_against(&stems, source.turn, dated) {
                continue;
            }
            let told = told.iter().any(|told| dates::agree(told, dated));
            let score = exactness(dated) * closeness(&stems, source.turn, dated) + if told { 100.0 } else { 0.0 };
            if best.as_ref().is_none_or(|(most, _)| score > *most) {
                best = Some((score, (source.turn, dated)));
            }
        }
    }
    best.map(|(_, choice)| choice)
}

/// Of two dates that stand equally near the more exact one says when.
fn exactness(dated: &Dated) -> f64 {
    match dated.precision {
        Precision::Instant | Precision::Day | Precision::Week => 1.2,
        Precision::Month | Precision::Season => 1.0,
        Precision::Year | Precision::Unknown => 0.8,
    }
}

/// Index of the sentence of a date.
fn reach_of(turn: &ReadTurn, dated: &Dated) -> usize {
    let place = turn.tokens.partition_point(|token| token.span.end <= dated.span.start);
    turn.tokens.get(place).map_or(0, |token| token.sentence)
}

/// The last sentence of a quote that tells most of a claim. Dates of later sentences tell of something else; earlier ones may
/// set the time ("Something happened last Friday. The chimney was swept.").
fn sentence_about(stems: &HashSet<String>, source: &Cited<'_>) -> usize {
    let mut counts: Vec<(usize, usize)> = Vec::new();
    for token in source.turn.tokens.iter().filter(|token| gap(&token.span, &source.quote) == 0) {
        let hit = usize::from(stems.contains(&token.stem));
        match counts.last_mut() {
            Some((sentence, count)) if *sentence == token.sentence => *count += hit,
            Some(_) | None => counts.push((token.sentence, hit)),
        }
    }
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or_default();
    counts.iter().rev().find(|(_, count)| *count + 2 >= most).map_or(usize::MAX, |(sentence, _)| *sentence)
}

/// "Yesterday we lost, but I like the coach", of a claim in the present: the date stands on the side of a contrast that has no word of the claim.
fn is_set_against(stems: &HashSet<String>, turn: &ReadTurn, dated: &Dated) -> bool {
    const CONTRAST: &[&str] = &["but", "though", "although", "however", "whereas", "yet"];
    let sentence = reach_of(turn, dated);
    let from = turn.tokens.partition_point(|token| token.sentence < sentence);
    let to = turn.tokens.partition_point(|token| token.sentence <= sentence);
    let tokens = turn.tokens.get(from..to).unwrap_or_default();
    let about = |side: &[Token]| side.iter().any(|token| stems.contains(&token.stem));
    let holds = |side: &[Token]| side.iter().any(|token| gap(&token.span, &dated.span) == 0);
    let sides: Vec<&[Token]> = tokens.split(|token| CONTRAST.contains(&token.folded.as_str())).collect();
    let own = sides.iter().position(|side| holds(side));
    own.is_some_and(|own| {
        sides.get(own).is_some_and(|side| !about(side))
            && sides.iter().enumerate().any(|(at, side)| at != own && about(side))
    })
}

/// Dates that the claim itself names.
fn said_in(content: &str, turn: &ReadTurn) -> Vec<Dated> {
    let mut told = turn.turn.at.map(|at| dates::find(content, at)).unwrap_or_default();
    told.truncate(MOST_TOLD);
    told
}

/// The sentences a quote lies in.
fn sentence_of(turn: &ReadTurn, quote: &Range<usize>) -> Range<usize> {
    let mut inside = turn.sentences.iter().filter(|sentence| sentence.start < quote.end && quote.start < sentence.end);
    let first = inside.next().cloned().unwrap_or_else(|| quote.clone());
    let last = inside.next_back().map_or(first.end, |last| last.end);
    first.start..last
}

fn content_stems(tokens: &[Token]) -> HashSet<String> {
    let long = tokens.iter().filter(|token| token.kind == TokenKind::Word && token.folded.len() > 3);
    long.map(|token| token.stem.clone()).collect()
}

/// Tokens on each side of a date that count for its closeness to a claim.
const REACH: usize = 40;

/// How near the words of a claim stand to a date; another sentence is far.
fn closeness(stems: &HashSet<String>, turn: &ReadTurn, dated: &Dated) -> f64 {
    let tokens = &turn.tokens;
    let place = tokens.partition_point(|token| token.span.end <= dated.span.start);
    let Some(sentence) = tokens.get(place).map(|token| token.sentence) else { return 0.0 };
    let (from, to) = (place.saturating_sub(REACH), (place + REACH).min(tokens.len()));
    let near = tokens.get(from..to).unwrap_or_default().iter().enumerate();
    let score = near.filter(|(_, token)| stems.contains(&token.stem)).map(|(at, token)| {
        let far = token.sentence.abs_diff(sentence) * 10;
        1.0 / (2 + (from + at).abs_diff(place) + far) as f64
    });
    score.sum()
}
