//! Medians, rates and the one table they end in.

use std::fmt;
use std::time::Duration;

/// The middle of some figures, the mean of the two in the middle where their number is even.
pub(crate) fn median(figures: &[f64]) -> f64 {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    let half = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[half] } else { (sorted[half - 1] + sorted[half]) / 2.0 }
}

/// The latency that a share of all stayed under, in milliseconds.
pub(crate) fn quantile(latencies: &mut [Duration], share: f64) -> f64 {
    latencies.sort_unstable();
    let at = (latencies.len() as f64 * share) as usize;
    latencies[at.min(latencies.len() - 1)].as_secs_f64() * 1000.0
}

/// Events a second from times in seconds, the first and last tenth left out: there a fleet starts and runs dry.
pub(crate) fn steady_rate(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    let (from, to) = (times.len() / 10, times.len() - 1 - times.len() / 10);
    (to - from) as f64 / (times[to] - times[from])
}

/// Events a second of something that holds `slots` at once: counted over whole rounds of all slots, since those begin together and
/// a window cut anywhere would count one round too many or too few. The first two rounds are left out.
pub(crate) fn rate_of_slots(mut times: Vec<f64>, slots: usize, rounds: usize) -> f64 {
    times.sort_by(f64::total_cmp);
    let (from, to) = (2 * slots, (2 + rounds) * slots);
    assert!(times.len() > to, "{} events are too few for {rounds} rounds of {slots}", times.len());
    (to - from) as f64 / (times[to] - times[from])
}

/// Whether a figure is good enough.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    AtLeast(f64),
    AtMost(f64),
    /// Shown beside the others.
    None,
}

/// A line of the table.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) part: &'static str,
    pub(crate) what: String,
    /// The figure of each repetition; their median counts.
    pub(crate) figures: Vec<f64>,
    pub(crate) target: Target,
    /// Why the figure counts for nothing, where it does not.
    pub(crate) void: Option<String>,
}

impl Line {
    pub(crate) fn new(part: &'static str, what: impl Into<String>, figures: Vec<f64>, target: Target) -> Self {
        Self { part, what: what.into(), figures, target, void: None }
    }

    fn verdict(&self) -> String {
        let figure = median(&self.figures);
        match (&self.void, self.target) {
            (Some(why), _) => format!("void: {why}"),
            (None, Target::AtLeast(least)) if figure >= least => "met".into(),
            (None, Target::AtMost(most)) if figure <= most => "met".into(),
            (None, Target::AtLeast(_) | Target::AtMost(_)) => "missed".into(),
            (None, Target::None) => String::new(),
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let least = self.figures.iter().copied().fold(f64::INFINITY, f64::min);
        let most = self.figures.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let target = match self.target {
            Target::AtLeast(figure) => format!(">= {}", short(figure)),
            Target::AtMost(figure) => format!("<= {}", short(figure)),
            Target::None => String::new(),
        };
        let spread = format!("{} .. {}", short(least), short(most));
        let (middle, verdict) = (short(median(&self.figures)), self.verdict());
        write!(f, "| {} | {} | {middle} | {spread} | {target} | {verdict} |", self.part, self.what)
    }
}

/// Three digits that count.
fn short(figure: f64) -> String {
    match figure.abs() {
        size if size >= 100.0 => format!("{figure:.0}"),
        size if size >= 10.0 => format!("{figure:.1}"),
        size if size >= 0.1 || size == 0.0 => format!("{figure:.2}"),
        _ => format!("{figure:.3}"),
    }
}

/// The table, as Markdown.
pub(crate) fn table(lines: &[Line]) -> String {
    let mut text = String::from("| part | what | median | least .. most | target | |\n|---|---|---|---|---|---|\n");
    for line in lines {
        text.push_str(&format!("{line}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_an_odd_and_an_even_number() {
        assert_eq!((median(&[3.0, 1.0, 2.0]), median(&[4.0, 1.0, 2.0, 3.0])), (2.0, 2.5));
    }

    #[test]
    fn whole_rounds_give_the_rate_of_the_slots() {
        // Four slots that begin together and take a second each.
        let times: Vec<f64> = (0..40).map(|event| f64::from(event / 4)).collect();
        assert_eq!(rate_of_slots(times.clone(), 4, 5), 4.0);
        assert!((steady_rate(times) - 4.0).abs() < 0.5);
    }

    #[test]
    fn a_verdict_can_be_bad() {
        let line = |figure, target| Line::new("a", "x", vec![figure], target).verdict();
        assert_eq!(line(0.89, Target::AtLeast(0.9)), "missed");
        assert_eq!(line(0.9, Target::AtLeast(0.9)), "met");
        assert_eq!(line(2.1, Target::AtMost(2.0)), "missed");
        let void = Line { void: Some("too slow".into()), ..Line::new("b", "x", vec![1.0], Target::AtLeast(0.7)) };
        assert_eq!(void.verdict(), "void: too slow");
        assert!(table(&[void]).ends_with("| b | x | 1.00 | 1.00 .. 1.00 | >= 0.70 | void: too slow |\n"));
    }
}
