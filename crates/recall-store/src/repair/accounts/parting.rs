//! What becomes of each statement that rests on words of somebody who is erased: it goes, or it rests on what others said.

use std::collections::{BTreeMap, BTreeSet};

use recall_core::evidence::Source;
use recall_core::memory::Memory;
use recall_core::text::fold;
use recall_core::turn::Role;
use serde::Deserialize;

/// What a call said of a memory.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Told {
    pub(super) trace: String,
    pub(super) ordinal: i64,
    pub(super) memory: String,
    session: i64,
    pub(super) said: Memory,
}

/// What goes and what stays of memories that rest on a person's words.
#[derive(Debug, Default)]
pub(super) struct Parting {
    /// The memories.
    pub(super) touched: BTreeSet<String>,
    /// Those that nobody else told.
    pub(super) alone: BTreeSet<String>,
    /// What is left of the others: the first that was said of each.
    pub(super) left: BTreeMap<String, Memory>,
    /// Statements that go, as `trace ordinal`.
    pub(super) unsaid: Vec<String>,
    /// Statements that stay, without the person's quotes.
    pub(super) resaid: Vec<Told>,
    /// Calls that read words of theirs.
    pub(super) traces: BTreeSet<String>,
    /// Whom and what their statements named.
    pub(super) entities: BTreeSet<String>,
}

impl Parting {
    /// Parts statements, in the order they were made, by turns that are the person's (session and turn) and names they speak under.
    pub(super) fn of(told: Vec<Told>, cited: &BTreeSet<(i64, String)>, names: &BTreeSet<String>) -> Self {
        let mut parting = Self::default();
        for mut told in told {
            parting.touched.insert(told.memory.clone());
            let is_theirs = |source: &Source| {
                source.speaker.as_ref().is_some_and(|name| names.contains(name))
                    || cited.contains(&(told.session, source.turn_id.0.clone()))
            };
            let (theirs, others): (Vec<Source>, Vec<Source>) =
                told.said.provenance.sources.iter().cloned().partition(is_theirs);
            if theirs.is_empty() {
                parting.left.entry(told.memory).or_insert(told.said);
                continue;
            }
            parting.traces.insert(told.trace.clone());
            let named = std::iter::once(&told.said.subject).chain(&told.said.object);
            parting.entities.extend(named.map(|entity| entity.id.as_str().to_owned()));
            if is_told_by(&others, &theirs, &told.said) {
                told.said.provenance.source_turn_ids = others.iter().map(|source| source.turn_id.clone()).collect();
                told.said.provenance.sources = others;
                parting.left.entry(told.memory.clone()).or_insert_with(|| told.said.clone());
                parting.resaid.push(told);
            } else {
                parting.unsaid.push(format!("{} {}", told.trace, told.ordinal));
            }
        }
        parting.alone = parting.touched.iter().filter(|id| !parting.left.contains_key(*id)).cloned().collect();
        parting
    }
}

/// Whether others tell a claim without the person: somebody says its value and does not only ask, and no word of it is the person's alone.
fn is_told_by(others: &[Source], theirs: &[Source], said: &Memory) -> bool {
    let words_of = |sources: &[Source]| sources.iter().flat_map(|source| words(&source.quote)).collect::<BTreeSet<_>>();
    let (known, own) = (words_of(others), words_of(theirs));
    let claim: BTreeSet<String> = words(&said.content).chain(words(&said.value)).collect();
    let tells = |source: &Source| {
        let quote: BTreeSet<String> = words(&source.quote).collect();
        source.role == Role::User
            && !fold(&source.quote).ends_with('?')
            && words(&said.value).all(|word| quote.contains(&word))
    };
    claim.iter().all(|word| known.contains(word) || !own.contains(word)) && others.iter().any(tells)
}

fn words(text: &str) -> impl Iterator<Item = String> + use<> {
    let folded = fold(text);
    let words: Vec<String> = folded.split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect();
    words.into_iter().filter(|word| !word.is_empty())
}
