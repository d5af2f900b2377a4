//! Both arms over the same conversations, call by call in turns, so that what drifts meanwhile meets both.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use futures::{StreamExt as _, TryStreamExt as _};
use indicatif::ProgressBar;
use recall_core::call::{Call, Lane};
use recall_core::class::Class;
use recall_core::memory::{Memory, Status};
use recall_core::run::{Outcome, Run, Verdict};
use recall_core::settings::Settings;
use recall_llm::LlmError;
use recall_store::Store as _;
use recall_store::record::{MemoryFilter, PageRequest};
use recall_worker::Ports;
use recall_worker::probe::Recorder;
use recall_worker::process::{Attempt, Done, Error, process};
use serde_json::Value;

use super::lab::{Arm, Lab, Readers};
use super::set::Conversation;
use super::taped::Taped;
use super::trial::{Blocked, CallRecord, Found, Quote, Stored, Trial};
use crate::door::{AbsentTime, Entry, Remember, ScopeFields, admit};
use crate::wire;

/// How often a call is tried while the model is away.
const TRIES: u32 = 6;
/// The wait after the first failure; it doubles.
const FIRST_WAIT: Duration = Duration::from_secs(2);

/// How the conversations are read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Manner {
    /// Turns of one call.
    pub turns_per_call: usize,
    /// Conversations read at once.
    pub at_once: usize,
}

/// An arm reading one conversation.
struct Reader {
    arm: Arm,
    repeat: u32,
    namespace: String,
    ports: Ports,
    model: Arc<Taped>,
    calls: Vec<Call>,
}

/// Reads every conversation with every arm, once for each list of models; trials in the order of the conversations, repeats and arms.
///
/// # Errors
/// A request the tape does not hold, a model that stays away, a store that fails.
pub(crate) async fn run(
    lab: &Lab,
    models: &[Readers],
    manner: Manner,
    conversations: &[Conversation],
    progress: &ProgressBar,
) -> anyhow::Result<Vec<Trial>> {
    let repeats = || (0_u32..).zip(models);
    let places = conversations.iter().flat_map(|conversation| repeats().map(move |of| (conversation, of)));
    let work = places.enumerate().map(|(place, (conversation, (repeat, arms)))| async move {
        let told = || format!("conversation {}", conversation.id);
        let trials = together(lab, arms, manner, (conversation, repeat, place)).await.with_context(told)?;
        progress.inc(1);
        Ok::<_, anyhow::Error>(trials)
    });
    let trials: Vec<Vec<Trial>> = futures::stream::iter(work).buffered(manner.at_once.max(1)).try_collect().await?;
    Ok(trials.into_iter().flatten().collect())
}

/// One conversation, every arm, each call right after the other arm's.
async fn together(
    lab: &Lab,
    arms: &[(Arm, Arc<Taped>)],
    manner: Manner,
    (conversation, repeat, place): (&Conversation, u32, usize),
) -> anyhow::Result<Vec<Trial>> {
    let mut readers = Vec::with_capacity(arms.len());
    for arm in arms {
        readers.push(reader(lab, arm, manner, (conversation, repeat)).await?);
    }
    let mut records: Vec<Vec<(CallRecord, Option<Box<Run>>)>> = readers.iter().map(|_| Vec::new()).collect();
    let calls = readers.iter().map(|reader| reader.calls.len()).max().unwrap_or_default();
    for at in 0..calls {
        let mut order: Vec<usize> = (0..readers.len()).collect();
        // Who goes first changes with every call and every conversation.
        if (at + place) % 2 == 1 {
            order.reverse();
        }
        for which in order {
            let (Some(reader), Some(records)) = (readers.get(which), records.get_mut(which)) else { continue };
            if let Some(call) = reader.calls.get(at) {
                records.push(one_call(lab, reader, call.clone()).await?);
            }
        }
    }
    let mut trials = Vec::with_capacity(readers.len());
    for (reader, records) in readers.iter().zip(records) {
        trials.push(trial(lab, reader, conversation, records).await?);
    }
    Ok(trials)
}

/// A namespace of its own for every arm, conversation and repeat: one store, and nothing of one trial is near another.
async fn reader(
    lab: &Lab,
    (arm, model): &(Arm, Arc<Taped>),
    manner: Manner,
    (conversation, repeat): (&Conversation, u32),
) -> anyhow::Result<Reader> {
    let mark = lab.key().fingerprint(&["conversation", &conversation.id]);
    let namespace = format!("{}{repeat}-{mark}", arm.side.as_str());
    let settings = Settings { prompt_version: arm.prompt.version.clone(), ..lab.settings().clone() };
    lab.store().put_settings(&namespace, &settings).await.map_err(wire::explained)?;
    let ports = lab.ports(Arc::clone(model) as Arc<dyn recall_llm::Extractor>);
    let calls = calls(lab, conversation, &namespace, manner.turns_per_call)?;
    Ok(Reader { arm: arm.clone(), repeat, namespace, ports, model: Arc::clone(model), calls })
}

/// The conversation as calls the door let in.
fn calls(lab: &Lab, conversation: &Conversation, namespace: &str, turns_per_call: usize) -> anyhow::Result<Vec<Call>> {
    let entry = Entry {
        now: crate::clock::now(),
        key: lab.key(),
        namespace,
        timezone: lab.settings().timezone.as_deref(),
        absent: AbsentTime::Unknown,
        lane: Lane::Live,
    };
    let parts = conversation.sessions.iter().flat_map(|session| {
        session.messages.chunks(turns_per_call.max(1)).enumerate().map(move |part| (session.id.as_str(), part))
    });
    parts
        .map(|(session, (place, messages))| {
            let request = Remember {
                messages: Value::Array(messages.to_vec()),
                scope: ScopeFields { namespace: Some(namespace.to_owned()), ..conversation.scope.clone() },
                session_id: Some(session.to_owned()),
                metadata: serde_json::Map::new(),
                infer: true,
                timezone: conversation.timezone.clone(),
                expires_at: None,
                idempotency_key: Some(entry.key.fingerprint(&["call", session, &place.to_string()])),
            };
            admit(request, &entry).map_err(|faults| {
                let faults: Vec<String> =
                    faults.iter().map(|fault| format!("{}: {}", fault.field, fault.detail)).collect();
                anyhow!("session {session}: {}", faults.join("; "))
            })
        })
        .collect()
}

/// Drives a call. A reply that cannot be used is an outcome; what failed outside is tried again.
async fn one_call(lab: &Lab, reader: &Reader, call: Call) -> anyhow::Result<(CallRecord, Option<Box<Run>>)> {
    let mut wait = FIRST_WAIT;
    for _ in 0..TRIES {
        let mut probe = Recorder::new(lab.metrics());
        let error = match process(&reader.ports, call.clone(), &Attempt::default(), &mut probe).await {
            Ok(Done::Committed(run)) => return Ok((record(reader, &run), Some(run))),
            Ok(Done::Before | Done::Taken | Done::Behind | Done::Dropped(_)) => {
                bail!("the store has read session {} before", call.session())
            }
            Err(Error::Llm(LlmError::Unusable { .. })) => {
                let took = reader.model.took(call.session(), call.turns.iter().map(|turn| turn.id.as_str()));
                let milliseconds = took.map(milliseconds);
                return Ok((CallRecord { unusable: true, milliseconds, ..CallRecord::default() }, None));
            }
            Err(error) => error,
        };
        match error.class() {
            Class::Transient => {}
            Class::Busy { retry_after } => wait = retry_after.unwrap_or(wait),
            Class::Permanent | Class::Bug => return Err(told(error)),
        }
        tokio::time::sleep(wait).await;
        wait = wait.saturating_mul(2);
    }
    bail!(
        "the model did not answer {TRIES} times; what was answered is on the tape, and the same command goes on from there"
    )
}

/// The error of the model or the store itself: which request the tape lacks, and not only that something failed.
fn told(error: Error) -> anyhow::Error {
    match error {
        Error::Llm(error) => error.into(),
        Error::Store(error) => wire::explained(error),
        Error::Prompt(error) => error.into(),
        other @ Error::Contended => other.into(),
    }
}

fn milliseconds(took: Duration) -> u64 {
    u64::try_from(took.as_millis()).unwrap_or(u64::MAX)
}

fn record(reader: &Reader, run: &Run) -> CallRecord {
    let took = reader.model.took(run.call.session(), run.call.turns.iter().map(|turn| turn.id.as_str()));
    CallRecord {
        model_calls: run.usage.model_calls,
        prompt_tokens: run.usage.prompt_tokens,
        completion_tokens: run.usage.completion_tokens,
        cost_micros: run.usage.cost_micros,
        milliseconds: took.map(milliseconds),
        unusable: false,
    }
}

async fn trial(
    lab: &Lab,
    reader: &Reader,
    conversation: &Conversation,
    records: Vec<(CallRecord, Option<Box<Run>>)>,
) -> anyhow::Result<Trial> {
    let memories = memories(lab, &reader.namespace).await?;
    let stands = |memory: &&Memory| matches!(memory.status, Status::Active | Status::Disputed);
    let runs: Vec<&Run> = records.iter().filter_map(|(_, run)| run.as_deref()).collect();
    let joined = |verdict: &&Verdict| matches!(verdict.outcome, Outcome::Merged { .. });
    let merged = runs.iter().flat_map(|run| &run.verdicts).filter(joined).count();
    let dropped = runs.iter().flat_map(|run| &run.turns).filter(|turn| turn.dropped.is_some()).count();
    Ok(Trial {
        conversation: conversation.id.clone(),
        arm: reader.arm.side,
        repeat: reader.repeat,
        models: models(&runs),
        memories: memories.iter().filter(stands).map(stored).collect(),
        history: memories.iter().filter(|memory| !stands(memory)).map(|memory| memory.content.clone()).collect(),
        merged: u32::try_from(merged).unwrap_or(u32::MAX),
        blocked: runs.iter().flat_map(|run| &run.verdicts).filter_map(blocked).collect(),
        turns_dropped: u32::try_from(dropped).unwrap_or(u32::MAX),
        calls: records.iter().map(|(record, _)| *record).collect(),
    })
}

/// Who answered, by the name the server gave.
fn models(runs: &[&Run]) -> Vec<String> {
    let asked = runs.iter().filter(|run| run.usage.model_calls > 0).filter_map(|run| run.extracted_by.as_ref());
    let mut models: Vec<String> = asked.map(|by| by.model.clone()).collect();
    models.sort();
    models.dedup();
    models
}

/// Every memory of a trial, in the order they were said.
async fn memories(lab: &Lab, namespace: &str) -> anyhow::Result<Vec<Memory>> {
    let filter = MemoryFilter { namespace: namespace.to_owned(), ..MemoryFilter::default() };
    let (mut found, mut cursor) = (Vec::new(), None);
    loop {
        let page = lab.store().memories(&filter, &PageRequest { limit: 500, cursor }).await.map_err(wire::explained)?;
        found.extend(page.items);
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    found.sort_by(|one, other| {
        (one.valid_from, &one.session_id, &one.content).cmp(&(other.valid_from, &other.session_id, &other.content))
    });
    Ok(found)
}

fn stored(memory: &Memory) -> Stored {
    let quotes = memory.provenance.sources.iter().map(|source| Quote {
        turn: source.turn_id.as_str().to_owned(),
        speaker: source.speaker.clone().unwrap_or_else(|| source.role.as_str().to_owned()),
        words: source.quote.clone(),
    });
    Stored {
        content: memory.content.clone(),
        subject: memory.subject.name.clone(),
        negative: memory.polarity == recall_core::candidate::Polarity::Negative,
        date: super::dates::told(memory),
        confidence: memory.confidence,
        quotes: quotes.collect(),
        found: Found::default(),
    }
}

fn blocked(verdict: &Verdict) -> Option<Blocked> {
    let Outcome::Dropped(dropped) = &verdict.outcome else { return None };
    let candidate = verdict.candidate.as_ref();
    Some(Blocked {
        stage: dropped.stage.as_str().to_owned(),
        reason: dropped.reason.as_str().to_owned(),
        content: candidate.map(|candidate| candidate.content.clone()).unwrap_or_default(),
        subject: candidate.map(|candidate| candidate.subject.clone()).unwrap_or_default(),
        negative: candidate.is_some_and(|candidate| candidate.polarity == recall_core::candidate::Polarity::Negative),
        gold: Vec::new(),
    })
}

#[cfg(test)]
mod tests;
