//! The comparison as data: what the table, the JSON and the page show.

mod making;

pub(crate) use making::{Made, pair};

use std::collections::BTreeMap;

use recall_llm::recorded::Header;
use serde::Serialize;

use super::matching::Agreement;
use super::measures::{Better, Unit};
use super::set::Labels;
use super::statistics::{Compared, Effort};
use super::trial::Trial;

/// The size of a difference whose power is told.
pub(crate) const PLANTED: f64 = 0.05;

/// All of a comparison.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// Of this form.
    pub format: u32,
    /// The arms.
    pub arms: Arms,
    /// How it was made.
    pub protocol: Protocol,
    /// What was read.
    pub conversations: Vec<Read>,
    /// Every measure over all conversations.
    pub measures: Vec<Row>,
    /// The headline measures over parts of them.
    pub slices: Vec<Slice>,
    /// Candidates that were not kept, by reason.
    pub reasons: Vec<ReasonRow>,
    /// Memories by tenth of confidence.
    pub reliability: Both<Vec<Tenth>>,
    /// How long answers took, in seconds.
    pub answers: Both<Option<Times>>,
    /// How far the matcher agrees with people.
    pub matcher: Option<Agreement>,
    /// Conversations in which the arms stored different things, the furthest apart first.
    pub changed: Vec<String>,
    /// What each arm made of each conversation.
    pub trials: Vec<Trial>,
}

/// One of each arm.
#[derive(Debug, Serialize)]
pub(crate) struct Both<T> {
    /// Arm a.
    pub a: T,
    /// Arm b.
    pub b: T,
}

/// What was compared.
pub(crate) type Arms = Both<ArmInfo>;

/// An arm.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct ArmInfo {
    /// Version of the extraction prompt.
    pub prompt: String,
    /// SHA-256 over its files.
    pub prompt_sha256: String,
    /// The models that answered, by the names servers gave.
    pub models: Vec<String>,
}

/// How a comparison was made.
#[derive(Debug, Serialize)]
pub(crate) struct Protocol {
    /// How often each arm read each conversation.
    pub repeats: u32,
    /// Turns of one call.
    pub turns_per_call: usize,
    /// How much was drawn.
    #[serde(flatten)]
    pub effort: Effort,
    /// Who decided whether memories are supported: how many by label, by judge, and by nobody.
    pub decided: Decided,
    /// How the tape came to be.
    pub recorded: Vec<Header>,
}

/// Memories by who decided.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Decided {
    /// By labels.
    pub by_labels: usize,
    /// By the judge.
    pub by_judge: usize,
    /// By nobody.
    pub by_nobody: usize,
}

/// A conversation as the report names it.
#[derive(Debug, Serialize)]
pub(crate) struct Read {
    /// Its id.
    pub id: String,
    /// Its language, `?` where nobody says.
    pub language: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// How long it is, in a word.
    pub length: &'static str,
    /// Turns.
    pub turns: usize,
    /// What people found in it.
    pub labels: Option<Labels>,
    /// The headline measures of this conversation alone, by name.
    pub figures: BTreeMap<&'static str, Both<Option<f64>>>,
}

/// A measure of both arms.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Row {
    /// As conditions name it.
    pub name: &'static str,
    /// As people read it.
    pub title: &'static str,
    /// What it is counted in.
    pub unit: Unit,
    /// Which way is better.
    pub better: Better,
    /// The verdict rests on it.
    pub headline: bool,
    /// The figures.
    #[serde(flatten)]
    pub compared: Compared,
    /// For headline measures: the probability with all of them taken together.
    pub adjusted_p: Option<f64>,
    /// For headline measures: how probably a true difference of 5 points would be found.
    pub power: Option<f64>,
    /// For headline measures: the difference that would be found in 80 % of runs.
    pub detectable: Option<f64>,
}

impl Row {
    /// Whether there is anything to show: a figure, and of money one that is not nothing.
    pub(crate) fn has_figures(&self) -> bool {
        let figures = [self.compared.a.value, self.compared.b.value];
        figures.iter().flatten().any(|value| self.unit != Unit::Money || *value > 0.0)
    }
}

/// Conversations a part needs before anything of it is called clear: of fewer, an interval says nothing.
pub(crate) const FEW: usize = 5;

impl Slice {
    /// Whether the interval of a difference does not hold 0, and there are enough conversations to say so.
    pub(crate) fn is_clear(&self, row: &Row) -> bool {
        let figure = &row.compared.difference.figure;
        self.conversations >= FEW && figure.low.zip(figure.high).is_some_and(|(low, high)| low > 0.0 || high < 0.0)
    }
}

/// Headline measures of some of the conversations.
#[derive(Debug, Serialize)]
pub(crate) struct Slice {
    /// What the conversations have in common: `type`, `language`, `length`.
    pub by: &'static str,
    /// Which.
    pub name: String,
    /// How many.
    pub conversations: usize,
    /// The figures.
    pub measures: Vec<Row>,
}

/// A reason for which candidates were not kept.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct ReasonRow {
    /// The reason.
    pub reason: String,
    /// How many of arm a, and how many of these tell a gold fact.
    pub a: (u64, u64),
    /// How many of arm b, and how many of these tell a gold fact.
    pub b: (u64, u64),
}

/// Memories of one tenth of confidence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Tenth {
    /// Where it begins.
    pub from: f64,
    /// How many.
    pub memories: f64,
    /// Their mean confidence.
    pub confidence: Option<f64>,
    /// The share that is supported.
    pub supported: Option<f64>,
}

/// Seconds of answers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Times {
    /// How many were timed.
    pub answers: usize,
    /// Half were quicker.
    pub median: f64,
    /// One in twenty was slower.
    pub p95: f64,
}

impl Report {
    /// The rows the verdict rests on.
    pub(crate) fn headline(&self) -> impl Iterator<Item = &Row> {
        self.measures.iter().filter(|row| row.headline)
    }
}
