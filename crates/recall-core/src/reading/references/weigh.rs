//! Weighs the antecedents of a third-person pronoun: how well each fits, and whether the best is good enough.

use crate::entity::EntityKind;

use super::cast::{Cast, Figure, How, Spot};
use super::pronouns::{Class, Pronoun};
use super::{Number, Part};

/// The least lead of the best over the runner-up, and over nobody, with which it is taken.
const MARGIN: f64 = 1.0;
/// Turns further back than this are out of sight.
const REACH: usize = 20;
/// What a name of unknown gender scores instead of the logarithm of a share.
const UNKNOWN_GENDER: f64 = -0.5;
/// Score of "nobody who was named".
const NOBODY: f64 = 0.0;

/// Something that speaks for an antecedent or against it.
struct Clue {
    /// Points for each unit.
    weight: f64,
    /// How much of it there is.
    of: fn(&Look<'_>) -> f64,
}

/// Fitted on prose and dialogue by logistic regression around values set by hand; the share of women weighs as a logarithm.
const CLUES: [Clue; 28] = [
    Clue { weight: 1.0, of: |look| if look.is_lone() { 0.0 } else { look.gender() } },
    // Where full names are in use a name alone may be a surname, and tells less.
    Clue { weight: 1.5, of: |look| if look.is_lone() && !look.among_full_names { look.gender() } else { 0.0 } },
    Clue { weight: 0.5, of: |look| if look.is_lone() && look.among_full_names { look.gender() } else { 0.0 } },
    // Where it came up last.
    Clue { weight: 2.9, of: |look| one(look.is_here()) },
    Clue { weight: 1.1, of: |look| one(look.lines == 0 && look.sentences == 1) },
    Clue { weight: 0.4, of: |look| one(look.lines == 1) },
    Clue { weight: 0.4, of: |look| one(look.lines == 2) },
    Clue { weight: -0.1, of: |look| count(look.lines.min(10)) },
    Clue { weight: -0.1, of: |look| count(look.between.min(5)) },
    Clue { weight: -3.7, of: |look| one(look.is_ahead) },
    Clue { weight: 2.4, of: |look| one(look.is_ahead && look.was(Part::Subject)) },
    // The part it played there, and the part of the pronoun.
    Clue { weight: 1.8, of: |look| one(look.was(Part::Subject)) },
    Clue { weight: 0.6, of: |look| one(look.was(Part::Object)) },
    Clue { weight: 0.8, of: |look| one(look.was(Part::Possessor)) },
    Clue { weight: 0.7, of: |look| one(look.was(Part::Vocative)) },
    Clue { weight: 0.3, of: |look| one(look.spot.part == look.pronoun.part) },
    Clue {
        weight: 1.1,
        of: |look| one(look.lines == 0 && look.sentences == 1 && look.was(Part::Subject) && look.is(Part::Subject)),
    },
    Clue { weight: -0.5, of: |look| one(look.was(Part::Subject) && look.is(Part::Subject)) },
    Clue { weight: -0.4, of: |look| one(look.is_here() && look.was(Part::Subject) && look.is(Part::Possessor)) },
    Clue { weight: -0.7, of: |look| one(look.was_subject_here() && !look.was(Part::Subject)) },
    Clue { weight: 0.2, of: |look| one(look.is_here() && look.was(Part::Possessor) && !look.is(Part::Possessor)) },
    Clue { weight: 0.7, of: |look| one(look.between == 0 && look.is(Part::Possessor)) },
    Clue { weight: 0.5, of: |look| one(look.lines == 0 && look.spot.start >= look.pronoun.clause && !look.is_ahead) },
    // How often and how it came up.
    Clue { weight: 0.6, of: |look| count(look.times()).ln() },
    Clue { weight: -0.5, of: |look| one(look.figure.name.contains(' ') && !look.figure.is_noun) },
    Clue { weight: -1.5, of: |look| one(!look.is_topic()) },
    Clue { weight: -1.3, of: |look| one(look.is_addressee) },
    Clue { weight: -1.0, of: |look| one(look.is_indefinite()) },
];

fn one(truth: bool) -> f64 {
    if truth { 1.0 } else { 0.0 }
}

#[allow(clippy::cast_precision_loss, reason = "counts of turns, sentences and mentions are small")]
fn count(number: usize) -> f64 {
    number as f64
}

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
    /// Figures that come up later in the same sentence.
    pub(super) ahead: &'a [Figure],
}

/// A figure with its score.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ranked {
    /// Index in the cast, or behind it among those ahead.
    pub(super) at: usize,
    /// Points.
    pub(super) score: f64,
    /// Turns between its nearest spot and the pronoun.
    pub(super) distance: usize,
}

/// The figures a pronoun can mean, best first.
pub(super) fn rank(cast: &Cast, place: &Place<'_>) -> Vec<Ranked> {
    let fitting: Vec<(usize, &Figure, Spot)> = cast
        .figures
        .iter()
        .chain(place.ahead)
        .enumerate()
        .filter(|(at, figure)| Some(*at) != place.speaker && fits(figure, place.pronoun.class))
        .filter(|(_, figure)| !shares_clause(figure, place))
        .filter_map(|(at, figure)| Some((at, figure, nearest(figure, place)?)))
        .collect();
    let mut recent: Vec<(usize, usize)> = fitting.iter().map(|(_, _, spot)| (spot.line, spot.start)).collect();
    recent.sort_unstable();
    let among_full_names = fitting.iter().any(|(_, figure, _)| figure.has_full_name());
    let mut ranked: Vec<Ranked> = fitting
        .iter()
        .map(|(at, figure, spot)| {
            let after = recent.partition_point(|other| *other <= (spot.line, spot.start));
            let look = Look {
                is_addressee: Some(*at) == place.addressee,
                among_full_names,
                ..Look::new(figure, *spot, recent.len() - after, place)
            };
            let score = CLUES.iter().map(|clue| clue.weight * (clue.of)(&look)).sum();
            Ranked { at: *at, score, distance: look.lines }
        })
        .collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
    ranked
}

/// Lead of the best over the runner-up and over nobody.
pub(super) fn margin(ranked: &[Ranked]) -> f64 {
    let rival = ranked.get(1).map_or(NOBODY, |second| second.score.max(NOBODY));
    ranked.first().map_or(0.0, |best| best.score - rival)
}

/// Whether a lead is wide enough.
pub(super) fn is_clear(margin: f64) -> bool {
    margin >= MARGIN
}

/// A figure of the cast, or one that comes up later.
pub(super) fn figure<'a>(cast: &'a Cast, ahead: &'a [Figure], at: usize) -> Option<&'a Figure> {
    cast.figures.get(at).or_else(|| ahead.get(at.checked_sub(cast.figures.len())?))
}

/// Number and kind decide whether a figure is looked at; the gender of a name only weighs, that of a noun decides.
fn fits(figure: &Figure, class: Class) -> bool {
    let one = figure.number == Number::Singular;
    let person =
        matches!(figure.kind, EntityKind::Person | EntityKind::Unknown | EntityKind::Animal | EntityKind::User);
    match class {
        Class::He => one && person && !(figure.is_noun && figure.female.is_some_and(|share| share > 0.9)),
        Class::She => one && person && !(figure.is_noun && figure.female.is_some_and(|share| share < 0.1)),
        Class::It => one && !matches!(figure.kind, EntityKind::Person | EntityKind::User),
        Class::They => {
            let unknown = figure.kind == EntityKind::Person && figure.is_noun && figure.female.is_none();
            !one || figure.kind == EntityKind::Organisation || unknown
        }
        Class::Speaker | Class::Speakers | Class::Addressee => false,
    }
}

/// The last spot before the pronoun, or the first behind it.
fn nearest(figure: &Figure, place: &Place<'_>) -> Option<Spot> {
    let before = |spot: &&Spot| (spot.line, spot.start) < (place.line, place.pronoun.span.start);
    let spot = figure.spots.iter().rev().find(before).or(figure.spots.first()).copied()?;
    (place.line.saturating_sub(spot.line) <= REACH).then_some(spot)
}

/// "Joey killed him": subject and object of one clause are two people, unless it says "himself".
fn shares_clause(figure: &Figure, place: &Place<'_>) -> bool {
    let pronoun = place.pronoun;
    if pronoun.reflexive || pronoun.part != Part::Object {
        return false;
    }
    let inside = |spot: &&Spot| spot.line == place.line && (pronoun.clause..pronoun.span.start).contains(&spot.start);
    figure.spots.iter().rev().filter(inside).any(|spot| spot.part == Part::Subject)
}

/// A figure as seen from a pronoun.
struct Look<'a> {
    figure: &'a Figure,
    spot: Spot,
    pronoun: &'a Pronoun,
    line: usize,
    sentence: usize,
    lines: usize,
    sentences: usize,
    between: usize,
    is_ahead: bool,
    is_addressee: bool,
    among_full_names: bool,
}

impl<'a> Look<'a> {
    fn new(figure: &'a Figure, spot: Spot, between: usize, place: &Place<'a>) -> Self {
        let lines = place.line.saturating_sub(spot.line);
        Self {
            figure,
            spot,
            pronoun: place.pronoun,
            line: place.line,
            sentence: place.sentence,
            lines,
            sentences: if lines == 0 { place.sentence.saturating_sub(spot.sentence) } else { 0 },
            between,
            is_ahead: (spot.line, spot.start) > (place.line, place.pronoun.span.start),
            is_addressee: false,
            among_full_names: false,
        }
    }

    /// Logarithm of the share of bearers who are called by the pronoun.
    fn gender(&self) -> f64 {
        let share = match (self.pronoun.class, self.figure.female.map(f64::from)) {
            (Class::She, Some(share)) => share,
            (Class::He, Some(share)) => 1.0 - share,
            (Class::She | Class::He, None) => return UNKNOWN_GENDER,
            (Class::It | Class::They | Class::Speaker | Class::Speakers | Class::Addressee, _) => return 0.0,
        };
        share.clamp(0.01, 0.99).ln()
    }

    /// One word, which may be a first name or a surname.
    fn is_lone(&self) -> bool {
        !self.figure.name.contains(' ') && !self.figure.is_noun
    }

    fn is_here(&self) -> bool {
        self.lines == 0 && self.sentences == 0
    }

    fn was(&self, part: Part) -> bool {
        self.spot.part == part
    }

    fn is(&self, part: Part) -> bool {
        self.pronoun.part == part
    }

    fn was_subject_here(&self) -> bool {
        self.figure.spots.iter().rev().any(|spot| {
            spot.line == self.line
                && spot.sentence == self.sentence
                && spot.part == Part::Subject
                && spot.start < self.pronoun.span.start
        })
    }

    fn times(&self) -> usize {
        self.figure.spots.iter().rev().take_while(|spot| self.line.saturating_sub(spot.line) <= REACH).count().max(1)
    }

    /// Somebody spoke of it, not only to it, and it did not only speak.
    fn is_topic(&self) -> bool {
        self.figure.spots.iter().any(|spot| spot.how == How::Named && spot.part != Part::Vocative)
    }

    /// "a guy": a noun without article and owner.
    fn is_indefinite(&self) -> bool {
        self.figure.is_noun && !self.figure.name.starts_with("the ") && !self.figure.name.contains("'s ")
    }
}
