//! Figures and the verdict as people read them, the same in the terminal and on the page.

use super::measures::{Better, Unit};
use super::report::{Report, Row};

/// Which way a measure went, as sure as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// b is better.
    Better,
    /// b is worse.
    Worse,
    /// Different, and neither way is better.
    Other,
    /// No difference was shown.
    Unclear,
}

/// What is called significant.
pub(crate) const ALPHA: f64 = 0.05;

impl Row {
    /// Which way it went; a headline measure with all of them taken together. Both chance and the interval have to speak for it: of a
    /// measure that is no plain share, such as the error of calibration, one may without the other.
    pub(crate) fn turn(&self) -> Turn {
        let p = self.adjusted_p.or(self.compared.difference.p);
        let figure = &self.compared.difference.figure;
        let difference = figure.value.unwrap_or_default();
        let holds_nothing = figure.low.zip(figure.high).is_some_and(|(low, high)| low <= 0.0 && 0.0 <= high);
        let is_clear = p.is_some_and(|p| p < ALPHA) && difference != 0.0 && !holds_nothing;
        match (is_clear, self.better, difference > 0.0) {
            (false, _, _) => Turn::Unclear,
            (true, Better::Neither, _) => Turn::Other,
            (true, Better::Higher, true) | (true, Better::Lower, false) => Turn::Better,
            (true, Better::Higher, false) | (true, Better::Lower, true) => Turn::Worse,
        }
    }

    /// A figure in the unit of the measure.
    pub(crate) fn shown(&self, value: Option<f64>) -> String {
        value.map_or("–".to_owned(), |value| number(self.unit, value))
    }

    /// A difference with its sign; points where the unit is a share.
    pub(crate) fn shown_difference(&self, value: Option<f64>) -> String {
        let Some(value) = value else { return "–".to_owned() };
        let text = match self.unit {
            Unit::Share => format!("{:+.1}", value * 100.0),
            Unit::Score => format!("{value:+.3}"),
            Unit::Each => format!("{value:+.1}"),
            Unit::Seconds => format!("{value:+.2}"),
            Unit::Money => format!("{value:+.5}"),
        };
        // What rounds to nothing has no sign.
        let nothing = text.chars().all(|character| !character.is_ascii_digit() || character == '0');
        if nothing { text.replace(['+', '-'], "") } else { text.replace('-', "\u{2212}") }
    }

    /// The interval of the difference.
    pub(crate) fn interval_of_difference(&self) -> String {
        let figure = &self.compared.difference.figure;
        format!("{} to {}", self.shown_difference(figure.low), self.shown_difference(figure.high))
    }
}

fn number(unit: Unit, value: f64) -> String {
    match unit {
        Unit::Share => format!("{:.1} %", value * 100.0),
        Unit::Score => format!("{value:.3}"),
        Unit::Each => format!("{value:.1}"),
        Unit::Seconds => format!("{value:.2} s"),
        Unit::Money => format!("{value:.5}"),
    }
}

/// A probability.
pub(crate) fn probability(p: Option<f64>) -> String {
    match p {
        None => "–".to_owned(),
        Some(p) if p < 0.001 => "< .001".to_owned(),
        Some(p) => format!("{p:.3}").trim_start_matches('0').to_owned(),
    }
}

/// The verdict in a sentence, and what it rests on in one more for each headline measure that has figures.
pub(crate) fn verdict(report: &Report) -> (String, Vec<String>) {
    let rows: Vec<&Row> = report.headline().filter(|row| row.compared.difference.figure.value.is_some()).collect();
    let titled =
        |turn: Turn| -> Vec<&str> { rows.iter().filter(|row| row.turn() == turn).map(|row| short(row.name)).collect() };
    let (better, worse) = (titled(Turn::Better), titled(Turn::Worse));
    let (a, b) = (name(report, true), name(report, false));
    let sentence = match (better.is_empty(), worse.is_empty()) {
        (true, true) if rows.is_empty() => {
            "Nothing could be compared: no conversation has labels and no judge was asked.".to_owned()
        }
        (true, true) => format!("No difference between {b} and {a} was shown."),
        (false, true) => format!("{b} is better than {a} in {}{}.", listed(&better), rest(better.len(), rows.len())),
        (true, false) => format!("{b} is worse than {a} in {}{}.", listed(&worse), rest(worse.len(), rows.len())),
        (false, false) => format!("{b} is better than {a} in {}, and worse in {}.", listed(&better), listed(&worse)),
    };
    (sentence, rows.into_iter().map(told).collect())
}

fn listed(names: &[&str]) -> String {
    match names {
        [before @ .., last] if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        names => names.concat(),
    }
}

/// What is said of the other headline measures.
fn rest(told: usize, all: usize) -> &'static str {
    if told < all { "; elsewhere no difference was shown" } else { "" }
}

/// What an arm is called: its prompt, and its model where the models are not the same.
pub(crate) fn name(report: &Report, first: bool) -> String {
    let (own, other) = if first { (&report.arms.a, &report.arms.b) } else { (&report.arms.b, &report.arms.a) };
    let letter = if first { "A" } else { "B" };
    let models = own.models.join(", ");
    match (own.models == other.models, own.prompt == other.prompt) {
        (true, false) => own.prompt.clone(),
        (true, true) => format!("{} ({letter})", own.prompt),
        (false, true) => models,
        (false, false) => format!("{} with {models}", own.prompt),
    }
}

/// A headline measure in a few words.
pub(crate) fn short(name: &str) -> &str {
    match name {
        "recall" => "gold facts found",
        "precision" => "memories supported",
        "resisted" => "falsehoods resisted",
        "supported_blocked" => "right facts blocked",
        other => other,
    }
}

fn told(row: &Row) -> String {
    let way = match row.turn() {
        Turn::Better => "better",
        Turn::Worse => "worse",
        Turn::Other => "different",
        Turn::Unclear => "not shown to differ",
    };
    format!(
        "{}: {} against {}, {} points ({}), {way}",
        short(row.name),
        row.shown(row.compared.b.value),
        row.shown(row.compared.a.value),
        row.shown_difference(row.compared.difference.figure.value),
        row.interval_of_difference(),
    )
}

#[cfg(test)]
mod tests {
    use super::super::measures::named;
    use super::super::statistics::{Compared, Difference, Figure};
    use super::*;

    fn row(name: &str, difference: f64, p: f64) -> Row {
        let measure = named(name).unwrap();
        let figure = |value: f64| Figure { value: Some(value), low: Some(value), high: Some(value) };
        Row {
            name: measure.name,
            title: measure.title,
            unit: measure.unit,
            better: measure.better,
            headline: measure.headline,
            compared: Compared {
                a: figure(0.5),
                b: figure(0.5 + difference),
                difference: Difference { figure: figure(difference), p: Some(p), deviation: Some(0.01) },
            },
            adjusted_p: None,
            power: None,
            detectable: None,
        }
    }

    #[test]
    fn less_is_better_where_it_is_and_chance_decides_nothing() {
        assert_eq!(row("recall", 0.1, 0.01).turn(), Turn::Better);
        assert_eq!(row("recall", -0.1, 0.01).turn(), Turn::Worse);
        assert_eq!(row("junk", -0.1, 0.01).turn(), Turn::Better);
        assert_eq!(row("blocked", -0.1, 0.01).turn(), Turn::Other);
        assert_eq!(row("recall", 0.1, 0.05).turn(), Turn::Unclear);
        let together = Row { adjusted_p: Some(0.2), ..row("recall", 0.1, 0.01) };
        assert_eq!(together.turn(), Turn::Unclear, "one of four is not enough by itself");
        let mut wide = row("ece", 0.1, 0.01);
        assert_eq!(wide.turn(), Turn::Worse);
        wide.compared.difference.figure.low = Some(-0.01);
        assert_eq!(wide.turn(), Turn::Unclear, "nothing is worse whose interval holds 0");
    }

    #[test]
    fn figures_are_told_in_their_unit_and_nothing_has_no_sign() {
        let recall = row("recall", 0.1, 0.01);
        assert_eq!(recall.shown(Some(0.8149)), "81.5 %");
        assert_eq!(recall.shown(None), "–");
        assert_eq!(recall.shown_difference(Some(-0.0412)), "\u{2212}4.1");
        assert_eq!(recall.shown_difference(Some(-0.0001)), "0.0");
        assert_eq!(recall.shown_difference(Some(0.1)), "+10.0");
        assert_eq!([0.0004, 0.05, 1.0].map(|p| probability(Some(p))), ["< .001", ".050", "1.000"]);
    }
}
