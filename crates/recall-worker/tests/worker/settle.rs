//! What becomes of a delivery, over the embedded store and a model that does as it is told.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use recall_broker::{BrokerError, Delivery, Envelope, Settle, Stray};
use recall_core::call::{Batch, Call, Lane, Mode};
use recall_core::keys::{Key, KeyRing};
use recall_core::moment::Moment;
use recall_core::prompt::{Ask, Reply};
use recall_core::provenance::ExtractedBy;
use recall_core::retry::{Fate, Schedule};
use recall_core::run::Usage;
use recall_core::scope::{Owner, Scope};
use recall_core::settings::Settings;
use recall_core::turn::{AtSource, Role, Said, Turn, TurnId};
use recall_llm::{Away, Extractor, LlmError, Outage};
use recall_store::record::{Begun, DeadFilter, Happened, PageRequest, Partitions, Tenants, Whereabouts};
use recall_store::{Limits, Opening, SqlStore, Store};
use recall_worker::Ports;
use recall_worker::metrics::Metrics;
use recall_worker::settle::{Settled, run_one};
use tempfile::TempDir;

/// A model that finds nothing, or is away.
pub(super) enum Model {
    Silent,
    Away,
}

#[async_trait]
impl Extractor for Model {
    async fn extract(&self, _: &Ask) -> Result<Reply, LlmError> {
        match self {
            Self::Silent => Ok(Reply {
                candidates: Vec::new(),
                extracted_by: ExtractedBy::new("test", "silent", ("extract", "v1", "")),
                usage: Usage::default(),
                further_parts: 0,
                notes: Vec::new(),
            }),
            Self::Away => Err(LlmError::Away(Away { why: Outage::Unreachable, again: Duration::from_secs(50) })),
        }
    }

    fn provider(&self) -> &'static str {
        "test"
    }
}

pub(super) struct Bench {
    pub(super) ports: Ports,
    _folder: TempDir,
}

impl Bench {
    pub(super) async fn new(model: Model) -> Self {
        Self::with(model, Settings::default()).await
    }

    async fn with(model: Model, defaults: Settings) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let keys = KeyRing::new(Key::new("k1", b"a key for tests".to_vec()), Vec::new());
        let opening = Opening { keys: keys.clone(), actor: "worker:test".into(), limits: Limits::default(), defaults };
        let store = SqlStore::sqlite(folder.path(), "", opening).unwrap();
        store.migrate().await.unwrap();
        let ports = Ports {
            store: Arc::new(store),
            prompts: recall_core::prompt::Library::builtin(),
            extractor: Arc::new(model),
            judge: None,
            keys: Arc::new(keys),
            metrics: Arc::new(Metrics::new().unwrap()),
            schedule: Arc::new(Schedule::default()),
            scopes: Arc::default(),
            company: Arc::default(),
            join_trace: |_, _| {},
        };
        Self { ports, _folder: folder }
    }

    async fn run(&self, delivery: Delivery) -> Settled {
        run_one(&self.ports, delivery).await
    }

    /// An attempt begins as a worker begins it: alone where it has to be.
    async fn begin(&self, call: &Call) -> Begun {
        let begun = self.ports.store.begin_attempt(&call.trace_id).await.unwrap();
        if begun.alone {
            self.ports.store.runs_alone(&call.trace_id).await.unwrap();
        }
        begun
    }

    /// Once beside others, five times alone; each time the worker was gone before the end.
    async fn ended_its_worker(&self, call: &Call) {
        self.begin(call).await;
        for _ in 0..5 {
            assert!(self.begin(call).await.alone);
        }
    }

    async fn whereabouts(&self, call: &Call) -> Whereabouts {
        self.ports.store.whereabouts(&Tenants::All, call.trace_id.as_str()).await.unwrap()
    }
}

pub(super) fn call(number: u64) -> Call {
    let turn = Turn {
        id: TurnId(format!("turn_{number}")),
        role: Role::User,
        content: Said::new(format!("I planted {number} trees behind the house")),
        at: Moment::from_microseconds(0),
        at_source: AtSource::Stated,
        name: None,
        scope: None,
    };
    Call {
        trace_id: format!("trc_{number:026}").parse().unwrap(),
        scope: Scope::new("orchard".into(), Owner::User("kim".into()), None).unwrap(),
        session_id: Some("s".into()),
        turns: vec![turn],
        remarks: Vec::new(),
        metadata: serde_json::Map::default(),
        expires_at: None,
        mode: Mode::Infer,
        lane: Lane::Live,
        batch: None,
        accepted_at: Moment::from_microseconds(0).unwrap(),
    }
}

struct Taken;

#[async_trait]
impl Settle for Taken {
    async fn ack(self: Box<Self>) -> Result<bool, BrokerError> {
        Ok(true)
    }
}

pub(super) fn fresh(call: &Call) -> Delivery {
    Delivery {
        envelope: Ok(Envelope::new(call.clone(), None)),
        attempts: 0,
        redelivered: false,
        parked: false,
        noted: None,
        stray: None,
        settle: Box::new(Taken),
    }
}

fn again(call: &Call) -> Delivery {
    Delivery { redelivered: true, ..fresh(call) }
}

const UNTRIED: Begun = Begun { alone: false, unfinished_alone: 0 };

#[tokio::test]
async fn a_call_found_done_already_takes_its_marks_back() {
    let bench = Bench::new(Model::Silent).await;
    let call = call(1);
    assert_eq!(bench.run(fresh(&call)).await, Settled::As(Fate::Done));
    assert_eq!(bench.run(again(&call)).await, Settled::As(Fate::Done));
    assert_eq!(bench.ports.metrics.repeated.get(), 1);
    assert_eq!(bench.begin(&call).await, UNTRIED);
}

#[tokio::test]
async fn a_redelivered_call_has_company_until_an_attempt_at_it_never_ended() {
    let bench = Bench::new(Model::Silent).await;
    let another = Arc::clone(&bench.ports.company).read_owned().await;
    assert_eq!(bench.run(again(&call(1))).await, Settled::As(Fate::Done), "handed out before is no sign of harm");
    let suspect = call(2);
    assert_eq!(bench.begin(&suspect).await, UNTRIED);
    let mut running = Box::pin(bench.run(again(&suspect)));
    let waits = tokio::time::timeout(Duration::from_millis(200), &mut running).await;
    assert!(waits.is_err(), "it runs with nothing beside it");
    drop(another);
    assert_eq!(running.await, Settled::As(Fate::Done));
    assert_eq!(bench.begin(&suspect).await, UNTRIED);
}

#[tokio::test]
async fn a_worker_that_ends_while_suspects_wait_to_run_alone_charges_none_of_them() {
    let bench = Bench::new(Model::Silent).await;
    let suspect = call(1);
    assert_eq!(bench.begin(&suspect).await, UNTRIED);
    for _ in 0..4 {
        let _another = bench.ports.company.read().await;
        let waits = tokio::time::timeout(Duration::from_millis(100), bench.run(again(&suspect))).await;
        assert!(waits.is_err(), "it waits for the others, and goes with the worker");
    }
    assert_eq!(bench.begin(&suspect).await, Begun { alone: true, unfinished_alone: 0 });
    assert_eq!(bench.run(again(&suspect)).await, Settled::As(Fate::Done));
}

#[tokio::test]
async fn a_call_that_ends_its_worker_again_and_again_is_dead_and_says_so() {
    let bench = Bench::new(Model::Silent).await;
    let poison = call(1);
    bench.ended_its_worker(&poison).await;
    assert_eq!(bench.run(again(&poison)).await, Settled::As(Fate::Dead));
    let Whereabouts::Dead(letter) = bench.whereabouts(&poison).await else { panic!("a dead letter") };
    assert_eq!((letter.class.as_str(), letter.attempts), ("bug", 0));
    assert!(letter.reason.contains("5 times while it ran this call alone"), "{}", letter.reason);
    assert_eq!(bench.run(fresh(&call(2))).await, Settled::As(Fate::Done), "the session goes on");
}

#[tokio::test]
async fn a_call_whose_worker_ended_again_and_again_after_its_commit_is_done() {
    let bench = Bench::new(Model::Silent).await;
    let call = call(1);
    assert_eq!(bench.run(fresh(&call)).await, Settled::As(Fate::Done));
    bench.ended_its_worker(&call).await;
    assert_eq!(bench.run(again(&call)).await, Settled::As(Fate::Done));
    assert_eq!(bench.whereabouts(&call).await, Whereabouts::Done);
    assert_eq!(bench.begin(&call).await, UNTRIED);
}

#[tokio::test]
async fn what_the_broker_set_aside_is_kept_unless_another_copy_was_done() {
    let bench = Bench::new(Model::Silent).await;
    let (lost, done) = (call(1), call(2));
    let stray = |call: &Call| Delivery { stray: Some(Stray::Exhausted), ..again(call) };
    assert_eq!(bench.run(fresh(&done)).await, Settled::As(Fate::Done));
    assert_eq!(bench.run(stray(&done)).await, Settled::As(Fate::Done));
    assert_eq!(bench.run(stray(&lost)).await, Settled::As(Fate::Dead));
    let filter = DeadFilter::of(Tenants::All);
    let page = PageRequest { limit: 10, cursor: None };
    let letters = bench.ports.store.dead_letters(&filter, &page).await.unwrap().items;
    let kept: Vec<_> = letters.iter().map(|letter| (letter.id.as_str(), letter.class.as_str())).collect();
    assert_eq!(kept, [(lost.trace_id.as_str(), "permanent")]);
    assert_eq!(bench.ports.metrics.strays.with_label_values(&["exhausted"]).get(), 2);
}

#[tokio::test]
async fn while_every_model_is_away_a_call_waits_and_is_charged_nothing() {
    let bench = Bench::new(Model::Away).await;
    let call = call(1);
    assert_eq!(bench.run(fresh(&call)).await, Settled::As(Fate::Snooze { after: Duration::from_secs(50) }));
    let events = bench.ports.store.events(call.trace_id.as_str()).await.unwrap();
    let told: Vec<_> = events.iter().map(|event| (event.event, event.class.as_str())).collect();
    assert_eq!(told, [(Happened::Failed, "busy")]);
    assert!(events[0].reason.contains("no model is asked for now: unreachable"), "{}", events[0].reason);
    assert!(bench.ports.store.take(&Partitions::All, &[], 9).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_call_whose_prompt_is_not_known_here_waits_with_the_reason_and_is_charged_nothing() {
    let settings = Settings { prompt_version: "v99".into(), ..Settings::default() };
    let bench = Bench::with(Model::Silent, settings).await;
    let snoozed = Settled::As(Fate::Snooze { after: bench.ports.schedule.snooze });
    let waiting = call(1);
    assert_eq!(bench.run(fresh(&waiting)).await, snoozed);
    let events = bench.ports.store.events(waiting.trace_id.as_str()).await.unwrap();
    let told: Vec<_> = events.iter().map(|event| (event.event, event.class.as_str())).collect();
    assert_eq!(told, [(Happened::Failed, "busy")]);
    let reason = "this worker cannot ask: there is no prompt_version \"v99\"; there are v1, v2";
    assert_eq!(events[0].reason, reason);
    let literal = Call { mode: Mode::Literal, session_id: Some("other".into()), ..call(2) };
    assert_eq!(bench.run(fresh(&literal)).await, Settled::As(Fate::Done), "nobody is asked about it");
}

#[tokio::test]
async fn a_call_of_a_run_is_asked_with_the_prompt_of_its_run() {
    let bench = Bench::new(Model::Silent).await;
    let id: recall_core::id::BatchId = "run_00000000000000000000000007".parse().unwrap();
    let of_run = |version: &str, number| Call {
        batch: Some(Batch {
            id: id.clone(),
            prompt_version: Some(version.into()),
            staged: false,
            erased_too: false,
            before: Vec::new(),
        }),
        session_id: Some(format!("s{number}")),
        ..call(number)
    };
    let unknown = of_run("v99", 1);
    assert_eq!(bench.run(fresh(&unknown)).await, Settled::As(Fate::Snooze { after: bench.ports.schedule.snooze }));
    assert_eq!(bench.run(fresh(&of_run("v2", 2))).await, Settled::As(Fate::Done));
}
