//! Weighs the antecedents of a third-person pronoun: how well each fits, and whether the best is good enough.

use crate::entity::EntityKind;

use super::cast::{Cast, Figure, How, Spot};
use super::pronouns::{Class, Pronoun};
use super::{Number, Part};

/// The score the best must reach over the runner-up, and over nobody, to be taken.
const MARGIN: f64 = 1.0;
/// Turns further back than this are out of sight.
const REACH: usize = 20;

/// What is looked at, in the order of the weights.
pub(super) const FEATURES: usize = 20;
type Features = [f64; FEATURES];

/// Weights for he and she.
const PERSON: Features =
    [1.0, 1.6, 1.3, -0.2, 0.6, 0.2, -0.35, 0.8, 0.1, 0.5, 0.5, 0.5, 0.9, 0.5, 0.3, -1.0, -1.5, -0.2, 0.5, -0.2];
/// Score of "nobody who was named".
const NOBODY: f64 = 0.6;

/// Where a pronoun stands in the scene.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    /// Index of its turn.
    pub(super) line: usize,
    /// Index of its sentence in the turn.
    pub(super) sentence: usize,
    /// The pronoun.
    pub(super) pronoun: &'a Pronoun,
    /// The figure that speaks the turn.
    pub(super) speaker: Option<usize>,
    /// The figure spoken to.
    pub(super) addressee: Option<usize>,
    /// The last pronoun of the class that stayed open, and where.
    pub(super) open: Option<(usize, usize)>,
}

/// What the weighing says.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Choice {
    /// The best figure, if any fits at all.
    pub(super) best: Option<usize>,
    /// The next best.
    pub(super) runner_up: Option<usize>,
    /// Best score minus the better of runner-up and nobody.
    pub(super) margin: f64,
    /// Turns between.
    pub(super) distance: usize,
}

impl Choice {
    /// Whether the best is clear enough to be taken.
    pub(super) fn is_clear(&self) -> bool {
        self.best.is_some() && self.margin >= MARGIN
    }
}

/// Ranks the figures for a pronoun.
pub(super) fn choose(cast: &Cast, place: &Place<'_>) -> Choice {
    let mut ranked: Vec<(usize, f64, Spot)> =
        candidates(cast, place).into_iter().map(|(at, spot, features)| (at, score(&features), spot)).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    let best = ranked.first().copied();
    let second = ranked.get(1).copied();
    let rival = second.map_or(NOBODY, |(_, score, _)| score.max(NOBODY));
    Choice {
        best: best.map(|(at, ..)| at),
        runner_up: second.map(|(at, ..)| at),
        margin: best.map_or(0.0, |(_, score, _)| score - rival),
        distance: best.map_or(0, |(_, _, spot)| place.line.saturating_sub(spot.line)),
    }
}

fn score(features: &Features) -> f64 {
    features.iter().zip(PERSON).map(|(value, weight)| value * weight).sum()
}

/// The figures a pronoun can mean, with the spot nearest to it and what speaks for them.
pub(super) fn candidates(cast: &Cast, place: &Place<'_>) -> Vec<(usize, Spot, Features)> {
    let fitting: Vec<(usize, Spot)> = cast
        .figures
        .iter()
        .enumerate()
        .filter(|(at, figure)| Some(*at) != place.speaker && fits(figure, place.pronoun.class))
        .filter_map(|(at, figure)| Some((at, nearest(figure, place)?)))
        .filter(|(at, spot)| !shares_clause(cast, *at, spot, place))
        .collect();
    let order = |spot: &Spot| (spot.line, spot.start);
    fitting
        .iter()
        .filter_map(|(at, spot)| {
            let between = fitting.iter().filter(|(_, other)| order(other) > order(spot)).count();
            let figure = cast.figures.get(*at)?;
            Some((*at, *spot, features(figure, *at, spot, between, place)))
        })
        .collect()
}

/// Number and kind decide whether a figure is looked at; gender only weighs.
fn fits(figure: &Figure, class: Class) -> bool {
    let person =
        matches!(figure.kind, EntityKind::Person | EntityKind::Unknown | EntityKind::Animal | EntityKind::User);
    match class {
        Class::He => person && figure.number == Number::Singular && figure.female.is_none_or(|share| share < 0.9),
        Class::She => person && figure.number == Number::Singular && figure.female.is_none_or(|share| share > 0.1),
        Class::It => {
            let thing = matches!(
                figure.kind,
                EntityKind::Thing
                    | EntityKind::Animal
                    | EntityKind::Organisation
                    | EntityKind::Place
                    | EntityKind::Unknown
            );
            thing && figure.number == Number::Singular
        }
        Class::They => {
            figure.number == Number::Plural
                || figure.kind == EntityKind::Organisation
                || (figure.kind == EntityKind::Person && figure.is_noun && figure.female.is_none())
        }
        Class::Speaker | Class::Speakers | Class::Addressee => false,
    }
}

fn nearest(figure: &Figure, place: &Place<'_>) -> Option<Spot> {
    let before = |spot: &&Spot| (spot.line, spot.start) < (place.line, place.pronoun.span.start);
    let spot = figure.spots.iter().rev().find(before).copied()?;
    (place.line - spot.line <= REACH).then_some(spot)
}

/// "Joey killed him": subject and object of one clause are two people, unless it says "himself".
fn shares_clause(cast: &Cast, at: usize, spot: &Spot, place: &Place<'_>) -> bool {
    let pronoun = place.pronoun;
    if pronoun.reflexive || pronoun.part == Part::Possessor || spot.line != place.line {
        return false;
    }
    let inside = |spot: &Spot| {
        spot.line == place.line
            && spot.start >= pronoun.clause
            && spot.start < pronoun.span.start
            && spot.part != Part::Possessor
            && spot.how != How::Speaking
    };
    cast.figures.get(at).is_some_and(|figure| figure.spots.iter().any(inside))
}

fn features(figure: &Figure, at: usize, spot: &Spot, between: usize, place: &Place<'_>) -> Features {
    let pronoun = place.pronoun;
    let gender = figure.female.map_or(0.5, |share| match pronoun.class {
        Class::She => f64::from(share),
        Class::He => 1.0 - f64::from(share),
        Class::It | Class::They | Class::Speaker | Class::Speakers | Class::Addressee => 0.5,
    });
    let lines = place.line - spot.line;
    let sentences = if lines == 0 { place.sentence.saturating_sub(spot.sentence) } else { 0 };
    let is = |truth: bool| if truth { 1.0 } else { 0.0 };
    let count = figure.spots.iter().filter(|spot| place.line - spot.line.min(place.line) <= REACH).count();
    let opened = place.open.is_some_and(|open| open >= (spot.line, spot.start));
    let named = figure.spots.iter().any(|spot| spot.how == How::Named);
    #[allow(clippy::cast_precision_loss, reason = "counts of turns and sentences are small")]
    let float = |count: usize| count as f64;
    [
        gender.clamp(0.02, 0.98).ln(),
        is(lines == 0 && sentences == 0),
        is(lines == 0 && sentences == 1),
        if lines == 0 { float(sentences.saturating_sub(1).min(5)) } else { 0.0 },
        is(lines == 1),
        is(lines == 2),
        float(lines.min(10)),
        is(spot.part == Part::Subject),
        is(spot.part == Part::Possessor),
        is(spot.part == pronoun.part),
        float(count).ln(),
        is(figure.kind == EntityKind::Person),
        is(matches!(spot.how, How::Pronoun(class) if class == pronoun.class)),
        is(between == 0),
        is(at == 0),
        is(!named),
        is(place.addressee == Some(at)),
        is(figure.is_noun),
        is(lines == 0 && sentences == 0 && spot.part == Part::Subject && pronoun.part == Part::Possessor),
        float(between.min(5)) + if opened { 5.0 } else { 0.0 },
    ]
}
