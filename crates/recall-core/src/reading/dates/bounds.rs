//! What bounds a point in time: "since", "until", "between", "for three years now"; and what recurs and is no point at all.

use super::expr::{Expr, Of, Way};
use super::grammar::{Found, Reader, is_day};
use super::words::Kind;
use super::{lexicon, numbers, years};

impl Reader<'_> {
    /// `2018 or later`, `from May onwards`.
    pub(super) fn or_later(self, found: Found) -> Found {
        let (expr, at) = found;
        let later =
            self.words.any(at, &["or", "and"]) && self.words.any(at + 1, &["later", "greater", "after", "onwards"]);
        let onward = self.words.any(at, &["onwards", "onward"]);
        let closed =
            !matches!(expr, Expr::Since(_) | Expr::After(_) | Expr::Until(_) | Expr::Before(_) | Expr::Recurring);
        let ends = self.words.get(at + 2).is_none_or(|word| word.kind == Kind::Symbol);
        match (later && ends, onward) {
            (true, _) if closed => (Expr::Since(Box::new(expr)), at + 2),
            (_, true) if closed => (Expr::Since(Box::new(expr)), at + 1),
            _ => (expr, at),
        }
    }

    /// `every Monday`, `on Fridays`, `weekly`, `once a year`.
    pub(super) fn recurring(self, at: usize) -> Option<Found> {
        let words = self.words;
        if words.any(at, &["daily", "weekly", "monthly", "yearly", "annually"]) {
            return Some((Expr::Recurring, at + 1));
        }
        if words.any(at, &["every", "each"]) {
            let from = words.skip(words.skip(at + 1, &["other", "single", "second"]), &["other"]);
            let from = numbers::cardinal(words, from).map_or(from, |(_, next)| next);
            let lex = words.lex(from);
            let named = lex.unit.is_some()
                || lex.weekday.is_some()
                || lex.part.is_some()
                || lex.month.is_some()
                || lex.season.is_some();
            let holiday = || years::holiday(self, from, Of::Open).map(|(_, next)| next);
            let end = if named { Some(from + 1) } else { holiday() };
            return end.map(|end| (Expr::Recurring, end));
        }
        let plural = words.text(at + 1).strip_suffix('s').is_some_and(|day| lexicon::lookup(day).weekday.is_some());
        (words.is(at, "on") && plural).then_some((Expr::Recurring, at + 2))
    }

    /// `since ...`, `until ...`, `between ... and ...`, `for three years now`.
    pub(super) fn bounded(self, at: usize) -> Option<Found> {
        let words = self.words;
        let inner = |at: usize| self.cue(at).point(at);
        let boxed = |wrap: fn(Box<Expr>) -> Expr, found: Found| (wrap(Box::new(found.0)), found.1);
        match words.text(at) {
            "between" => {
                let reader = Self { ranged: true, ..self.cue(at + 1) };
                let days = reader.days_to_days(at + 1);
                if days.is_some() {
                    return days;
                }
                let (first, next) = reader.point(at + 1)?;
                self.to(&first, next, &["and", "-"]).or(Some((first, next)))
            }
            "since" => inner(words.skip(at + 1, &["about", "around"])).map(|found| boxed(Expr::Since, found)),
            "beginning" | "commencing" | "effective" => {
                inner(words.skip(at + 1, &["on", "from"])).map(|found| boxed(Expr::Since, found))
            }
            "starting" | "as" if words.any(at + 1, &["on", "from", "in", "of"]) || words.is(at, "starting") => {
                let from = words.skip(at + 1, &["on", "from", "in", "of"]);
                inner(from).map(|found| boxed(Expr::Since, found))
            }
            "until" | "till" | "til" => inner(at + 1).map(|found| boxed(Expr::Until, found)),
            "by" => inner(at + 1).map(|found| boxed(Expr::Until, found)),
            "before" => inner(at + 1).map(|found| boxed(Expr::Before, found)),
            "after" => inner(at + 1).map(|found| boxed(Expr::After, found)),
            "no" if words.is(at + 1, "later") && words.is(at + 2, "than") => {
                inner(at + 3).map(|found| boxed(Expr::Until, found))
            }
            "later" if words.is(at + 1, "than") => inner(at + 2).map(|found| boxed(Expr::After, found)),
            "from" => self.from(at),
            "for" => self.lasting(at),
            "within" => self.within(at),
            _ => None,
        }
    }

    fn from(self, at: usize) -> Option<Found> {
        let reader = Self { ranged: true, ..self.cue(at + 1) };
        let links = ["to", "-", "until", "till", "til", "through", "thru"];
        if let Some(found) = reader.days_to_days(at + 1) {
            return Some(found);
        }
        let (first, next) = reader.point(at + 1)?;
        if let Some(found) = self.to(&first, next, &links) {
            return Some(found);
        }
        let runs = is_day(&first) && !matches!(first, Expr::Day(days) if days < 0);
        let on = self.words.skip(next, &["on", "onward", "onwards"]);
        let onward = on > next && !self.words.is(on, "the");
        match (runs || onward, onward) {
            (true, true) => Some((Expr::Since(Box::new(first)), on)),
            (true, false) => Some((Expr::Since(Box::new(first)), next)),
            (false, _) => Some((first, next)),
        }
    }

    /// "For three years" is a start where it still goes on, else only a length.
    fn lasting(self, at: usize) -> Option<Found> {
        let (amount, next) = numbers::amount(self.words, at + 1)?;
        let now = self.words.any(next, &["now", "already"]);
        let perfect = (at.saturating_sub(8)..at).any(|before| {
            self.words.any(before, &["have", "has", "been", "'ve"]) || self.words.text(before).ends_with("'ve")
        });
        let since = Expr::Since(Box::new(Expr::Shift { amount, way: Way::Back, from: Box::new(Expr::Now) }));
        (now || perfect).then_some((since, if now { next + 1 } else { next }))
    }

    fn within(self, at: usize) -> Option<Found> {
        let from = self.words.skip(self.words.skip(at + 1, &["the"]), &["next", "upcoming", "coming"]);
        let (amount, next) = numbers::amount(self.words, from)?;
        (amount.seconds == 0).then_some((Expr::Lasting { amount, from: Box::new(Expr::Day(0)) }, next))
    }
}
