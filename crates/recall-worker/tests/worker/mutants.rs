//! Would anybody notice if extraction or writing were hollow? The two steps that are no pure functions are replaced, each as a
//! port, by one that lets everything pass and by one that lets nothing pass; what a conversation has to leave behind is then wrong.

use std::sync::Arc;

use async_trait::async_trait;
use recall_core::call::Call;
use recall_core::candidate::{Candidate, Citation, MemoryType, Polarity};
use recall_core::claim::ClaimKey;
use recall_core::context::{Near, NearKeys};
use recall_core::effect::Effect;
use recall_core::id::{BatchId, MemoryId, TraceId};
use recall_core::memory::Memory;
use recall_core::prompt::{Ask, Reply};
use recall_core::run::{Outcome, Run};
use recall_core::scope::Scope;
use recall_core::turn::TurnId;
use recall_core::window::Window;
use recall_llm::rules::Rules;
use recall_llm::{Extractor, LlmError};
use recall_store::record::{
    Backlog, Beat, Begun, CallEvent, Committed, DeadFilter, DeadLetter, LiveWorker, MemoryFilter, Page, PageRequest,
    Parked, ParkedKey, Partitions, Tenants, ToPark, Trace, TraceFilter, TraceSummary, Whereabouts,
};
use recall_store::{SqlStore, Store, StoreError};
use recall_worker::Ports;
use recall_worker::probe::Recorder;
use recall_worker::process::{Attempt, process};
use tokio::sync::Mutex;

use super::said::{call, ports, store};

/// Model doors: the honest one, one that proposes nothing, one that proposes whatever was said.
#[derive(Clone, Copy)]
enum Proposes {
    Claims,
    Nothing,
    EveryTurn,
}

#[async_trait]
impl Extractor for Proposes {
    async fn extract(&self, ask: &Ask) -> Result<Reply, LlmError> {
        let mut reply = Rules.extract(ask).await?;
        match self {
            Self::Claims => {}
            Self::Nothing => reply.candidates.clear(),
            Self::EveryTurn => {
                reply.candidates = ask.turns.iter().map(|turn| Ok(verbatim(&turn.id, turn.content.as_str()))).collect();
            }
        }
        Ok(reply)
    }

    fn provider(&self) -> &'static str {
        "mutant"
    }
}

fn verbatim(turn: &TurnId, words: &str) -> Candidate {
    Candidate {
        content: words.to_owned(),
        memory_type: MemoryType::Fact,
        subject: "user".into(),
        attribute: "note".into(),
        value: words.to_owned(),
        polarity: Polarity::Positive,
        evidence: vec![Citation { turn_id: turn.clone(), quote: words.to_owned() }],
        time_expression: None,
        confidence: 0.9,
    }
}

/// Stores: the honest one, one that says "done" and writes nothing, one that writes what was dropped, too.
#[derive(Clone, Copy)]
enum Writes {
    Judged,
    Nothing,
    Everything,
}

fn elsewhere<T>() -> Result<T, StoreError> {
    panic!("not on the way of a call")
}

/// A store behind which somebody else commits a call once, after the first snapshot was read. Of a scope in which nothing was ever
/// committed the window is the snapshot.
struct Raced {
    inner: Arc<SqlStore>,
    writes: Writes,
    meanwhile: Mutex<Option<(Ports, Call)>>,
}

/// The run with every proposal as a memory, in the clothes of the first one that was to be written.
fn undecided(run: &Run) -> Run {
    let mut run = run.clone();
    let Some(Effect::Insert { memory, .. }) = run.changes.effects.first().cloned() else { return run };
    for (place, verdict) in run.verdicts.iter().enumerate() {
        let (Outcome::Dropped(_), Some(candidate)) = (&verdict.outcome, &verdict.candidate) else { continue };
        let mut memory = memory.clone();
        memory.id = MemoryId::new(run.call.trace_id.derive("undecided", place));
        memory.claim_key = ClaimKey(candidate.content.clone());
        memory.content.clone_from(&candidate.content);
        run.changes.effects.push(Effect::Insert { memory, single_valued: false });
    }
    run
}

#[async_trait]
impl Store for Raced {
    async fn window(&self, call: &Call) -> Result<Window, StoreError> {
        let window = self.inner.window(call).await?;
        let meanwhile = self.meanwhile.lock().await.take();
        if let Some((others, call)) = meanwhile {
            run(&others, call).await.unwrap();
        }
        Ok(window)
    }

    async fn neighbours(&self, scope: &Scope, keys: &NearKeys) -> Result<Near, StoreError> {
        self.inner.neighbours(scope, keys).await
    }

    async fn staged_neighbours(&self, scope: &Scope, batch: &BatchId) -> Result<Near, StoreError> {
        self.inner.staged_neighbours(scope, batch).await
    }

    async fn commit(&self, run: &Run) -> Result<Committed, StoreError> {
        match self.writes {
            Writes::Judged => self.inner.commit(run).await,
            Writes::Nothing => Ok(Committed::Now),
            Writes::Everything => self.inner.commit(&undecided(run)).await,
        }
    }

    async fn migrate(&self) -> Result<Vec<String>, StoreError> {
        elsewhere()
    }

    async fn ready(&self) -> Result<(), StoreError> {
        elsewhere()
    }

    async fn drop_call(&self, _: &Call, _: &str, _: &str) -> Result<(), StoreError> {
        elsewhere()
    }

    async fn park(&self, _: &ToPark) -> Result<(), StoreError> {
        elsewhere()
    }

    async fn take(&self, _: &Partitions, _: &[String], _: u32) -> Result<Vec<Parked>, StoreError> {
        elsewhere()
    }

    async fn unpark(&self, _: &ParkedKey) -> Result<bool, StoreError> {
        elsewhere()
    }

    async fn backlog(&self) -> Result<Backlog, StoreError> {
        elsewhere()
    }

    async fn dead_letter(&self, _: &DeadLetter) -> Result<(), StoreError> {
        elsewhere()
    }

    async fn begin_attempt(&self, _: &TraceId) -> Result<Begun, StoreError> {
        elsewhere()
    }

    async fn runs_alone(&self, _: &TraceId) -> Result<(), StoreError> {
        elsewhere()
    }

    async fn end_attempts(&self, _: &TraceId) -> Result<(), StoreError> {
        elsewhere()
    }

    async fn beat(&self, _: &Beat) -> Result<Vec<LiveWorker>, StoreError> {
        elsewhere()
    }

    async fn leave(&self, _: &str) -> Result<(), StoreError> {
        elsewhere()
    }

    async fn trace(&self, _: &str, _: &TraceId) -> Result<Option<Trace>, StoreError> {
        elsewhere()
    }

    async fn traces(&self, _: &TraceFilter, _: &PageRequest) -> Result<Page<TraceSummary>, StoreError> {
        elsewhere()
    }

    async fn memory(&self, _: &str, _: &MemoryId) -> Result<Option<Memory>, StoreError> {
        elsewhere()
    }

    async fn memories(&self, _: &MemoryFilter, _: &PageRequest) -> Result<Page<Memory>, StoreError> {
        elsewhere()
    }

    async fn workers(&self) -> Result<Vec<LiveWorker>, StoreError> {
        elsewhere()
    }

    async fn dead_letters(&self, _: &DeadFilter, _: &PageRequest) -> Result<Page<DeadLetter>, StoreError> {
        elsewhere()
    }

    async fn whereabouts(&self, _: &Tenants, _: &str) -> Result<Whereabouts, StoreError> {
        elsewhere()
    }

    async fn events(&self, _: &str) -> Result<Vec<CallEvent>, StoreError> {
        elsewhere()
    }

    async fn requeue(&self, _: &str, _: &ToPark, _: &str) -> Result<bool, StoreError> {
        elsewhere()
    }

    async fn drop_dead(&self, _: &DeadLetter, _: &str, _: &str) -> Result<bool, StoreError> {
        elsewhere()
    }
}

async fn run(ports: &Ports, call: Call) -> Result<(), recall_worker::process::Error> {
    process(ports, call, &Attempt::default(), &mut Recorder::new(&ports.metrics)).await.map(|_| ())
}

/// Two sessions of one person at once: while the first is judged, the second, said later, commits. What is left in the store.
async fn left_behind(proposes: Proposes, writes: Writes) -> Result<Vec<(String, &'static str)>, String> {
    let (inner, _directory) = store().await;
    let later = call("evening", 2, "20", "I live in Porto.");
    let others = ports(inner.clone(), Proposes::Claims);
    let raced = Raced { inner: inner.clone(), writes, meanwhile: Mutex::new(Some((others, later))) };
    run(
        &ports(Arc::new(raced), proposes),
        call("morning", 1, "08", "I live in Lisbon. My dog is called Rex. My wifi password is Fjord-Lantern-77."),
    )
    .await
    .map_err(|error| error.to_string())?;
    let filter = MemoryFilter { namespace: "n".into(), ..MemoryFilter::default() };
    let page = inner.memories(&filter, &PageRequest { limit: 100, cursor: None }).await.unwrap();
    let mut left: Vec<_> = page.items.into_iter().map(|memory| (memory.content, memory.status.as_str())).collect();
    left.sort();
    Ok(left)
}

/// What two sessions must leave behind, whichever was first.
fn right() -> Result<Vec<(String, &'static str)>, String> {
    let memory = |content: &str, status: &'static str| (content.to_owned(), status);
    Ok(vec![
        memory("User lives in Lisbon", "superseded"),
        memory("User lives in Porto", "active"),
        memory("User's dog is called Rex", "active"),
    ])
}

#[tokio::test]
async fn a_later_value_that_was_committed_meanwhile_stays_the_active_one() {
    assert_eq!(left_behind(Proposes::Claims, Writes::Judged).await, right());
}

#[tokio::test]
async fn extraction_cannot_be_replaced_by_one_that_proposes_everything_or_nothing() {
    for mutant in [Proposes::Nothing, Proposes::EveryTurn] {
        let left = left_behind(mutant, Writes::Judged).await;
        assert!(left.is_ok() && left != right(), "{left:?}");
    }
}

#[tokio::test]
async fn writing_cannot_be_replaced_by_one_that_writes_everything_or_nothing() {
    for mutant in [Writes::Nothing, Writes::Everything] {
        let left = left_behind(Proposes::Claims, mutant).await;
        assert!(left.is_ok() && left != right(), "{left:?}");
    }
}
