//! The way of a call: world read, value, judgement, value, world written.

use std::sync::Arc;
use std::time::Instant;

use recall_core::call::{Call, Mode};
use recall_core::candidate::Candidate;
use recall_core::class::Class;
use recall_core::context::{Context, Stamp};
use recall_core::effect::Changes;
use recall_core::literal;
use recall_core::moment::Moment;
use recall_core::pipeline::{self, STAGES};
use recall_core::prompt::{self, Prompt, Reply, UnknownPrompt};
use recall_core::provenance::ExtractedBy;
use recall_core::reading::{self, Reading};
use recall_core::run::{Outcome, Run, TurnVerdict, Usage, Verdict};
use recall_core::settings::Judge;
use recall_core::stage::{Dropped, Reason, Stage};
use recall_core::stages::suppress::secret::Blanks;
use recall_core::window::{Earlier, Window};
use recall_llm::LlmError;
use recall_store::StoreError;
use recall_store::record::Committed;
use tracing::Instrument;

use crate::Ports;
use crate::arrival::{left_out, renamed};
use crate::near::{known_before, near};
use crate::opinion::opinions;
use crate::probe::Recorder;
use crate::unwanted::Unwanted;

/// How often a call is judged anew because somebody else changed its scope meanwhile.
const STALE_TRIES: u32 = 5;

/// How the way of a call ended.
#[derive(Debug)]
pub enum Done {
    /// Committed now.
    Committed(Box<Run>),
    /// Committed by an earlier delivery.
    Before,
    /// Another call was committed under the same trace id: its idempotency key was used twice.
    Taken,
    /// Other calls of its session wait ahead of it; it goes behind them.
    Behind,
    /// It is not to be done any more; that, and why, is kept.
    Dropped(Unwanted),
}

/// Why an attempt failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The store failed.
    #[error("store failed")]
    Store(#[from] StoreError),
    /// The model door failed.
    #[error("model door failed")]
    Llm(#[from] LlmError),
    /// This worker does not know the prompt it is to ask with.
    #[error("this worker cannot ask")]
    Prompt(#[from] UnknownPrompt),
    /// Somebody else changed the scope every time.
    #[error("scope changed during every try")]
    Contended,
}

impl Error {
    /// What the error means for the call.
    pub fn class(&self) -> Class {
        match self {
            Self::Store(error) => error.class(),
            Self::Llm(error) => error.class(),
            // Another worker may know it, and this one after its next start: the call is not at fault.
            Self::Contended | Self::Prompt(_) => Class::Busy { retry_after: None },
        }
    }

    /// Where it came from, as a label.
    pub fn peer(&self) -> &'static str {
        match self {
            Self::Store(_) | Self::Contended => "store",
            Self::Llm(_) | Self::Prompt(_) => "model",
        }
    }
}

/// What comes with a call besides the call.
#[derive(Debug, Clone, Default)]
pub struct Attempt {
    /// Attempts charged before.
    pub number: u32,
    /// The call was parked, so parked calls of its session are not ahead of it.
    pub replayed: bool,
    /// W3C trace context of the request.
    pub traceparent: Option<String>,
}

/// Takes a call the whole way. No connection is held while the model works.
///
/// # Errors
/// What the outside failed with; the call itself is unharmed and can be tried again.
pub async fn process(ports: &Ports, call: Call, attempt: &Attempt, probe: &mut Recorder<'_>) -> Result<Done, Error> {
    let mut window = outside(ports, "store", "window", ports.store.window(&call)).await?;
    match window.earlier {
        Earlier::Nothing => {}
        Earlier::Erased if call.batch.is_some() => return Ok(Done::Dropped(Unwanted::Erased)),
        Earlier::Cancelled => return Ok(Done::Dropped(Unwanted::Cancelled)),
        Earlier::ThisCall | Earlier::Erased => return Ok(Done::Before),
        Earlier::AnotherCall => return Ok(Done::Taken),
    }
    if window.waiting && !attempt.replayed {
        return Ok(Done::Behind);
    }
    let prompt = prompt_of(ports, &call, &window)?;
    window.settings.prompt_examples.extend(prompt.iter().flat_map(|prompt| prompt.sentences.iter().cloned()));
    let call = renamed(ports, left_out(call, &window), &window);
    let reading = reading::read(window, call);
    let turns = STAGES.read(&reading, probe);
    let mut reply = extract(ports, &reading, &turns, prompt, probe).await?;
    let proposed: Vec<Candidate> = reply.candidates.iter().filter_map(|item| item.as_ref().ok().cloned()).collect();
    let keys = pipeline::near_keys(&proposed);
    let stamp = Stamp { ran_at: now(), extracted_by: reply.extracted_by.clone() };
    let opinions = match reading.window.settings.judge {
        Judge::Off => None,
        Judge::On => Some(opinions(ports, &reading, &stamp, (&proposed, &keys), &mut reply).await?),
    };
    let mut known = known_before(&reading.window, &proposed);
    let _turn = ports.scopes.turn(&reading.call.scope).await;
    for _ in 0..STALE_TRIES {
        let unmoved = known.is_some() && !proposed.is_empty();
        let near = near(ports, &reading.call, &keys, known.take()).await?;
        let cx =
            Context { reading: &reading, near: &near, keys: &ports.keys, stamp: &stamp, opinions: opinions.as_ref() };
        let (changes, verdicts) = STAGES.decide(&cx, proposed.clone(), probe);
        let run = Run { unmoved, ..finish(&cx, attempt, &turns, &reply, (changes, verdicts), probe) };
        match outside(ports, "store", "commit", ports.store.commit(&run)).await {
            Ok(Committed::Now) => return Ok(Done::Committed(Box::new(run))),
            Ok(Committed::Before) => return Ok(Done::Before),
            Err(StoreError::Stale) => probe.rewind(),
            Err(error) => return Err(error.into()),
        }
    }
    Err(Error::Contended)
}

/// What the call is asked with: the prompt of its reprocessing run, else the one its namespace chose; none where nobody is asked.
fn prompt_of(ports: &Ports, call: &Call, window: &Window) -> Result<Option<Arc<Prompt>>, UnknownPrompt> {
    let of_run = call.batch.as_ref().and_then(|batch| batch.prompt_version.as_ref());
    match call.mode {
        Mode::Literal => Ok(None),
        Mode::Infer => ports.prompts.extract(of_run.unwrap_or(&window.settings.prompt_version)).cloned().map(Some),
    }
}

/// Asks the model, where there is anything to ask and anybody is to be asked.
async fn extract(
    ports: &Ports,
    reading: &Reading,
    turns: &[TurnVerdict],
    prompt: Option<Arc<Prompt>>,
    probe: &mut Recorder<'_>,
) -> Result<Reply, Error> {
    let unasked = |candidates: Vec<Candidate>, extracted_by| Reply {
        candidates: candidates.into_iter().map(Ok).collect(),
        extracted_by,
        usage: Usage::default(),
        further_parts: 0,
        notes: Vec::new(),
    };
    let Some(prompt) = prompt else {
        return Ok(unasked(literal::candidates(reading, turns), literal::extracted_by()));
    };
    if turns.iter().all(|turn| turn.dropped.is_some()) {
        return Ok(unasked(Vec::new(), ExtractedBy::new("none", "none", ("", "", ""))));
    }
    let began = Instant::now();
    let ask = prompt::ask(reading, turns, prompt);
    let reply = outside(ports, "model", "extract", ports.extractor.extract(&ask)).await?;
    let malformed = reply.candidates.iter().filter(|item| item.is_err()).count();
    let dropped = (malformed > 0).then(|| (Reason::Malformed, count(malformed)));
    probe.note(Stage::Extract, began, count(reply.candidates.len()), dropped.into_iter().collect());
    Ok(reply)
}

/// Everything the commit needs, as one value.
fn finish(
    cx: &Context<'_>,
    attempt: &Attempt,
    turns: &[TurnVerdict],
    reply: &Reply,
    (changes, judged): (Changes, Vec<Verdict>),
    probe: &mut Recorder<'_>,
) -> Run {
    let reading = cx.reading;
    let blanks = Blanks::in_reach_of(reading);
    let (window, ring) = blanks.window(reading);
    let asked = reply.usage.model_calls > 0 || !reply.candidates.is_empty();
    // How long the commit takes is known only after it; its row says what it wrote, the metric how long it took.
    probe.note(Stage::Write, Instant::now(), count(changes.effects.len()), Vec::new());
    Run {
        ran_at: cx.stamp.ran_at,
        attempt: attempt.number,
        session_version: reading.window.version,
        epoch: cx.near.epoch,
        unmoved: false,
        turns: turns.to_vec(),
        verdicts: blanks.verdicts(in_order_of_reply(reply, judged)),
        changes,
        extracted_by: asked.then(|| reply.extracted_by.clone()),
        usage: reply.usage,
        notes: notes(reading, reply),
        spans: probe.spans(),
        window,
        ring,
        traceparent: attempt.traceparent.clone(),
        call: reading.call.clone(),
    }
}

/// Verdicts of the candidates, with a line for each item of the reply that was none.
fn in_order_of_reply(reply: &Reply, judged: Vec<Verdict>) -> Vec<Verdict> {
    let mut judged = judged.into_iter();
    let malformed = || Verdict {
        candidate: None,
        outcome: Outcome::Dropped(Dropped { stage: Stage::Extract, reason: Reason::Malformed }),
        support: None,
        resolution: None,
        when: None,
        calibration: None,
    };
    reply.candidates.iter().filter_map(|item| if item.is_ok() { judged.next() } else { Some(malformed()) }).collect()
}

/// What a reader of the trace should know, without words of people.
fn notes(reading: &Reading, reply: &Reply) -> Vec<String> {
    let mut notes = reply.notes.clone();
    let malformed = reply.candidates.iter().filter_map(|item| item.as_ref().err());
    notes.extend(malformed.map(|item| format!("candidate {} of the reply: {}", item.index, item.why)));
    notes.extend(reading.call.remarks.iter().cloned());
    notes
}

/// Times a call to the outside and counts its failure.
pub(crate) async fn outside<T, E>(
    ports: &Ports,
    peer: &'static str,
    operation: &'static str,
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, E>
where
    E: Classed,
{
    let span = tracing::info_span!("outside", peer, operation, class = tracing::field::Empty);
    let began = Instant::now();
    let result = work.instrument(span.clone()).await;
    ports.metrics.outside_seconds.with_label_values(&[peer, operation]).observe(began.elapsed().as_secs_f64());
    if let Err(error) = &result {
        let class = error.class().as_str();
        span.record("class", class);
        ports.metrics.outside_errors.with_label_values(&[peer, class]).inc();
    }
    result
}

/// An error with a class.
pub(crate) trait Classed {
    fn class(&self) -> Class;
}

impl Classed for StoreError {
    fn class(&self) -> Class {
        self.class()
    }
}

impl Classed for LlmError {
    fn class(&self) -> Class {
        self.class()
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The one clock of the pipeline: stamps `extracted_at`, never the date of an event.
#[allow(clippy::disallowed_methods, reason = "floor 3 may read the clock; this is the one place that does")]
fn now() -> Moment {
    Moment::new(jiff::Timestamp::now(), jiff::tz::Offset::UTC)
}
