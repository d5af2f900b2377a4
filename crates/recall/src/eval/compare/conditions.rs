//! Conditions that decide the exit code: `precision_b < precision_a - 0.01`, several with `and` and `or`.

use std::fmt;

use super::measures::{MEASURES, named};
use super::report::Report;

/// A condition that was read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Condition {
    text: String,
    or: Vec<Vec<Comparison>>,
}

#[derive(Debug, Clone, PartialEq)]
struct Comparison {
    left: Sum,
    than: Than,
    right: Sum,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Than {
    Less,
    AtMost,
    More,
    AtLeast,
}

#[derive(Debug, Clone, PartialEq)]
enum Sum {
    Number(f64),
    Figure { measure: &'static str, of: Of },
    Two(Box<Sum>, char, Box<Sum>),
}

/// Which figure of a measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    A,
    B,
    Difference,
    Low,
    High,
    P,
}

/// The longest condition, in bytes: a few comparisons, not so deep that reading them could end the process.
const LONGEST: usize = 500;

/// Endings of names, and the figure each means.
const ENDINGS: &[(&str, Of)] = &[
    ("_a", Of::A),
    ("_b", Of::B),
    ("_difference", Of::Difference),
    ("_low", Of::Low),
    ("_high", Of::High),
    ("_p", Of::P),
];

/// A condition that cannot be read, with the place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("--fail-if {text:?}: {why} at {place}")]
pub(crate) struct Unreadable {
    text: String,
    place: Place,
    why: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Place(Option<String>);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(word) => write!(f, "{word:?}"),
            None => f.write_str("its end"),
        }
    }
}

/// A figure that a condition names and this comparison does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("--fail-if {text:?} cannot be decided: there is no {measure} here (nothing to divide by, or nothing decided)")]
pub(crate) struct Undecided {
    text: String,
    measure: &'static str,
}

impl Condition {
    /// Reads a condition.
    ///
    /// # Errors
    /// The word that does not belong there, and what would.
    pub(crate) fn read(text: &str) -> Result<Self, Unreadable> {
        if text.len() > LONGEST {
            let start = text.chars().take(20).collect();
            return Err(Unreadable { text: start, place: Place(None), why: "longer than 500 bytes".into() });
        }
        let mut words = Words { text, words: words(text), at: 0 };
        let mut or = vec![vec![comparison(&mut words)?]];
        while let Some(word) = words.next() {
            let next = match word.as_str() {
                "and" | "or" => comparison(&mut words)?,
                _ => return Err(words.back("\"and\", \"or\" or the end was expected")),
            };
            match or.last_mut().filter(|_| word == "and") {
                Some(all) => all.push(next),
                None => or.push(vec![next]),
            }
        }
        Ok(Self { text: text.to_owned(), or })
    }

    /// Whether it holds for a comparison.
    ///
    /// # Errors
    /// A figure it needs is not there.
    pub(crate) fn holds(&self, report: &Report) -> Result<bool, Undecided> {
        let mut any = false;
        for all in &self.or {
            let mut every = true;
            for one in all {
                every &= self.compared(one, report)?;
            }
            any |= every;
        }
        Ok(any)
    }

    fn compared(&self, one: &Comparison, report: &Report) -> Result<bool, Undecided> {
        let value = |sum: &Sum| value(sum, report).map_err(|measure| Undecided { text: self.text.clone(), measure });
        let (left, right) = (value(&one.left)?, value(&one.right)?);
        if !(left.is_finite() && right.is_finite()) {
            return Err(Undecided { text: self.text.clone(), measure: "number" });
        }
        Ok(match one.than {
            Than::Less => left < right,
            Than::AtMost => left <= right,
            Than::More => left > right,
            Than::AtLeast => left >= right,
        })
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn value(sum: &Sum, report: &Report) -> Result<f64, &'static str> {
    match sum {
        Sum::Number(number) => Ok(*number),
        Sum::Figure { measure, of } => {
            let row = report.measures.iter().find(|row| row.name == *measure);
            let found = row.and_then(|row| match of {
                Of::A => row.compared.a.value,
                Of::B => row.compared.b.value,
                Of::Difference => row.compared.difference.figure.value,
                Of::Low => row.compared.difference.figure.low,
                Of::High => row.compared.difference.figure.high,
                Of::P => row.compared.difference.p,
            });
            found.ok_or(measure)
        }
        Sum::Two(left, sign, right) => {
            let (left, right) = (value(left, report)?, value(right, report)?);
            Ok(match sign {
                '+' => left + right,
                '-' => left - right,
                '*' => left * right,
                _ => left / right,
            })
        }
    }
}

struct Words<'t> {
    text: &'t str,
    words: Vec<String>,
    at: usize,
}

impl Words<'_> {
    fn next(&mut self) -> Option<String> {
        let word = self.words.get(self.at).cloned();
        self.at += 1;
        word
    }

    fn peek(&self) -> Option<&str> {
        self.words.get(self.at).map(String::as_str)
    }

    /// The word that was taken last is wrong.
    fn back(&self, why: &str) -> Unreadable {
        let word = self.at.checked_sub(1).and_then(|at| self.words.get(at)).cloned();
        Unreadable { text: self.text.to_owned(), place: Place(word), why: why.to_owned() }
    }
}

/// Names, numbers and signs.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for character in text.chars() {
        let part = character.is_ascii_alphanumeric() || character == '_' || character == '.';
        let second = character == '=' && words.last().is_some_and(|word| word == "<" || word == ">");
        match words.last_mut().filter(|_| part && open || second) {
            Some(word) => word.push(character),
            None if character.is_whitespace() => {}
            None => words.push(character.to_string()),
        }
        open = part;
    }
    words
}

fn comparison(words: &mut Words<'_>) -> Result<Comparison, Unreadable> {
    let left = sum(words)?;
    let than = match words.next().as_deref() {
        Some("<") => Than::Less,
        Some("<=") => Than::AtMost,
        Some(">") => Than::More,
        Some(">=") => Than::AtLeast,
        _ => return Err(words.back("<, <=, > or >= was expected")),
    };
    Ok(Comparison { left, than, right: sum(words)? })
}

fn sum(words: &mut Words<'_>) -> Result<Sum, Unreadable> {
    signed(words, &['+', '-'], |words| signed(words, &['*', '/'], one))
}

fn signed(
    words: &mut Words<'_>,
    signs: &[char],
    part: impl Fn(&mut Words<'_>) -> Result<Sum, Unreadable>,
) -> Result<Sum, Unreadable> {
    let mut sum = part(words)?;
    while let Some(sign) = words.peek().and_then(|word| signs.iter().find(|sign| word == sign.to_string())) {
        words.at += 1;
        sum = Sum::Two(Box::new(sum), *sign, Box::new(part(words)?));
    }
    Ok(sum)
}

fn one(words: &mut Words<'_>) -> Result<Sum, Unreadable> {
    let Some(word) = words.next() else { return Err(words.back("a figure or a number was expected")) };
    if word == "(" {
        let inside = sum(words)?;
        return if words.next().as_deref() == Some(")") { Ok(inside) } else { Err(words.back("\")\" was expected")) };
    }
    if word == "-" {
        return Ok(Sum::Two(Box::new(Sum::Number(0.0)), '-', Box::new(one(words)?)));
    }
    if let Ok(number) = word.parse() {
        return Ok(Sum::Number(number));
    }
    let figure = ENDINGS
        .iter()
        .find_map(|(ending, of)| Some(Sum::Figure { measure: named(word.strip_suffix(ending)?)?.name, of: *of }));
    figure.ok_or_else(|| {
        let names: Vec<&str> = MEASURES.iter().map(|measure| measure.name).collect();
        words.back(&format!(
            "a number or a figure was expected (one of {} with _a, _b, _difference, _low, _high or _p after it)",
            names.join(", ")
        ))
    })
}

#[cfg(test)]
mod tests;
