//! `recall remember FILE…`: the whole way of a conversation, now and here.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use async_trait::async_trait;
use indicatif::{ProgressBar, ProgressStyle};
use recall_broker::{BrokerError, Delivery, Envelope, Settle};
use recall_core::call::{Call, Lane};
use recall_core::id::TraceId;
use recall_core::keys::Key;
use recall_core::memory::Memory;
use recall_core::retry::Fate;
use recall_core::turn::TurnId;
use recall_store::Store;
use recall_store::record::{MemoryFilter, Trace};
use recall_worker::Ports;
use recall_worker::metrics::Metrics;
use recall_worker::settle::{Settled, run_one};
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::funnel::{self, Funnel};
use super::pages;
use super::places::Places;
use super::say::say;
use super::table;
use crate::archive::{self, Conversation, Whose};
use crate::cli::ScopeArgs;
use crate::cli::reprocess::RememberArgs;
use crate::config::{Config, Provider};
use crate::cut::{Cutter, Marks};
use crate::door::{AbsentTime, Entry};
use crate::view::MemoryView;
use crate::wire;

/// Exit code for input that cannot be read.
const BAD_INPUT: u8 = 2;

/// Reads the files, drives their calls through the pipeline, and shows what came of them.
pub(super) async fn run(args: RememberArgs, config: &Config) -> anyhow::Result<ExitCode> {
    let Some(conversations) = read(&args)? else { return Ok(ExitCode::from(BAD_INPUT)) };
    let keys = wire::keys(config)?;
    let Admitted { sessions, places, faults } = admitted(conversations, &args, config, keys.lasting());
    faults.iter().for_each(|fault| eprintln!("{fault}"));
    if !faults.is_empty() && !args.skip_bad_lines {
        eprintln!("nothing was remembered; mend these lines, or leave them out with --skip-bad-lines");
        return Ok(ExitCode::from(BAD_INPUT));
    }
    let store = wire::store(config, &wire::Access::Work { address: String::new() })?;
    wire::prepare(config, &store).await?;
    let ports = wire::ports(config, &store, Arc::new(Metrics::new()?), &wire::Budgets::new(&config.model))?;
    let traces: Vec<TraceId> = sessions.iter().flatten().map(|call| call.trace_id.clone()).collect();
    let metrics = Arc::clone(&ports.metrics);
    let unfinished = drive(ports, sessions, config.worker.concurrency).await;
    show(&args, config, &*store, (&traces, &places)).await?;
    let repeated = metrics.repeated.get();
    if repeated > 0 {
        eprintln!(
            "{repeated} of {} calls were remembered before: nothing was added, what they once made is shown",
            traces.len()
        );
    }
    if unfinished > 0 {
        eprintln!(
            "{unfinished} calls are not done; `recall trace show ID` tells which waits for `recall serve` and which is dead, and why"
        );
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// The conversations of all files; `None` where a line is bad and bad lines are not to be skipped.
fn read(args: &RememberArgs) -> anyhow::Result<Option<Vec<(String, Conversation)>>> {
    let mut conversations = Vec::new();
    let mut bad = Vec::new();
    for path in &args.files {
        let archive = archive::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let file = path.display().to_string();
        conversations.extend(archive.conversations.into_iter().map(|conversation| (file.clone(), conversation)));
        bad.extend(archive.bad);
    }
    bad.iter().for_each(|line| eprintln!("{line}"));
    if bad.is_empty() || args.skip_bad_lines {
        return Ok(Some(conversations));
    }
    eprintln!("nothing was remembered; mend these lines, or leave them out with --skip-bad-lines");
    Ok(None)
}

/// What was read.
struct Admitted {
    /// Calls by session, in order.
    sessions: Vec<Vec<Call>>,
    places: Places,
    /// The messages the door refuses, by file and line.
    faults: Vec<String>,
}

/// Cuts conversations into calls.
fn admitted(conversations: Vec<(String, Conversation)>, args: &RememberArgs, config: &Config, key: &Key) -> Admitted {
    let settings = wire::settings(config)(&args.scope.namespace);
    let cutter = Cutter {
        entry: Entry {
            now: crate::clock::now(),
            key,
            namespace: &args.scope.namespace,
            timezone: settings.timezone.as_deref(),
            absent: AbsentTime::Unknown,
            lane: Lane::Live,
        },
        timezone: args.timezone.as_deref(),
        literal: args.literal,
        turns_per_call: usize::from(args.turns_per_call),
        skip_bad: args.skip_bad_lines,
    };
    let whose = whose(&args.scope);
    let named = |marks: &Marks<'_>| {
        let owner = whose.user_id.as_deref().or(whose.account_id.as_deref()).unwrap_or_default();
        let mode = if args.literal { "literal" } else { "infer" };
        let agent = whose.agent_id.as_deref().unwrap_or_default();
        key.fingerprint(&["file", owner, agent, marks.session, mode, marks.messages])
    };
    let mut sessions: BTreeMap<String, Vec<Call>> = BTreeMap::new();
    let mut order = Vec::new();
    let (mut places, mut faults) = (Places::default(), Vec::new());
    for (file, conversation) in conversations {
        let session = args.session.clone().unwrap_or_else(|| conversation.session_id.clone());
        let calls = cutter.calls((&file, &session, &whose), &conversation, &named, &mut faults);
        calls.iter().flatten().for_each(|cut| places.note(&file, &session, cut));
        if !sessions.contains_key(&session) {
            order.push(session.clone());
        }
        sessions.entry(session).or_default().extend(calls.into_iter().flatten().map(|cut| cut.call));
    }
    let sessions = order.into_iter().filter_map(|session| sessions.remove(&session)).collect();
    Admitted { sessions, places, faults }
}

fn whose(scope: &ScopeArgs) -> Whose {
    let agent_id = scope.agent.clone();
    match &scope.account {
        Some(account) => Whose { user_id: None, account_id: Some(account.clone()), agent_id },
        None => Whose { user_id: Some(scope.user.clone()), account_id: None, agent_id },
    }
}

/// Drives the sessions side by side, the calls of each in order; how many calls were not finished.
async fn drive(ports: Ports, sessions: Vec<Vec<Call>>, concurrency: usize) -> usize {
    let calls = sessions.iter().map(Vec::len).sum::<usize>();
    let progress = ProgressBar::new(u64::try_from(calls).unwrap_or(u64::MAX));
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} calls, {eta} left") {
        progress.set_style(style);
    }
    let places = Arc::new(Semaphore::new(concurrency));
    let mut tasks = JoinSet::new();
    for session in sessions {
        let (ports, places, progress) = (ports.clone(), Arc::clone(&places), progress.clone());
        tasks.spawn(async move {
            let mut unfinished = 0;
            let Ok(_place) = places.acquire().await else { return session.len() };
            for call in session {
                let settled = run_one(&ports, here(call)).await;
                unfinished += usize::from(settled != Settled::As(Fate::Done));
                progress.inc(1);
            }
            unfinished
        });
    }
    let mut unfinished = 0;
    while let Some(ended) = tasks.join_next().await {
        unfinished += ended.unwrap_or(1);
    }
    progress.finish_and_clear();
    unfinished
}

/// A call as a delivery of no queue.
fn here(call: Call) -> Delivery {
    struct Here;
    #[async_trait]
    impl Settle for Here {
        async fn ack(self: Box<Self>) -> Result<bool, BrokerError> {
            Ok(true)
        }
    }
    Delivery {
        envelope: Ok(Envelope::new(call, None)),
        attempts: 0,
        redelivered: false,
        parked: false,
        noted: None,
        stray: None,
        settle: Box::new(Here),
    }
}

async fn show(
    args: &RememberArgs,
    config: &Config,
    store: &dyn Store,
    (ids, places): (&[TraceId], &Places),
) -> anyhow::Result<()> {
    let mut traces: Vec<Trace> = Vec::with_capacity(ids.len());
    let mut memories: Vec<Memory> = Vec::new();
    for id in ids {
        traces.extend(store.trace(&args.scope.namespace, id).await.map_err(wire::explained)?);
        for memory in of_trace(store, &args.scope.namespace, id).await? {
            if memories.iter().all(|known| known.id != memory.id) {
                memories.push(memory);
            }
        }
    }
    memories.sort_by(|a, b| (a.valid_from, &a.session_id, &a.content).cmp(&(b.valid_from, &b.session_id, &b.content)));
    let funnel = Funnel::of(&traces);
    if args.json {
        let views: Vec<MemoryView> = memories.iter().map(MemoryView::from).collect();
        let all = json!({ "memories": views, "traces": traces, "funnel": funnel, "read_from": places.calls() });
        say!("{}", serde_json::to_string_pretty(&all)?);
        return Ok(());
    }
    let label = |memory: &Memory, turn: &TurnId| {
        let place = places.of_turn(&memory.session_id, turn).filter(|_| turn.is_derived());
        place.unwrap_or(turn.as_str()).to_owned()
    };
    table::print_memories_from(&memories, &label);
    say!("");
    funnel.print();
    funnel::print_blocked(&traces, places);
    funnel::print_unfinished(&traces, places);
    say!("traces");
    traces.iter().for_each(|trace| say!("  {}", trace.summary.trace_id));
    if config.model.provider == Provider::Rules {
        say!(
            "\nNo model was asked: provider \"rules\" reads plain first-person sentences only, for trying out and for tests."
        );
        say!("Set model.provider = \"openai\" and a key for the real thing.");
    }
    Ok(())
}

/// Every memory a trace wrote or added to, oldest first.
async fn of_trace(store: &dyn Store, namespace: &str, id: &TraceId) -> anyhow::Result<Vec<Memory>> {
    let filter =
        MemoryFilter { namespace: namespace.to_owned(), trace_id: Some(id.clone()), ..MemoryFilter::default() };
    let mut found = pages::all(async |page| store.memories(&filter, &page).await).await?;
    found.reverse();
    Ok(found)
}
