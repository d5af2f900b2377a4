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
use recall_store::Store;
use recall_store::record::{MemoryFilter, Trace};
use recall_worker::Ports;
use recall_worker::metrics::Metrics;
use recall_worker::settle::{Settled, run_one};
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::funnel::{self, Funnel};
use super::pages;
use super::say::say;
use super::table;
use crate::archive::{self, Conversation};
use crate::cli::RememberArgs;
use crate::config::{Config, Provider};
use crate::door::{AbsentTime, Entry, Fault, Remember, ScopeFields, admit};
use crate::view::MemoryView;
use crate::wire;

/// Exit code for input that cannot be read.
const BAD_INPUT: u8 = 2;

/// Reads the files, drives their calls through the pipeline, and shows what came of them.
pub(super) async fn run(args: RememberArgs, config: &Config) -> anyhow::Result<ExitCode> {
    let Some(conversations) = read(&args)? else { return Ok(ExitCode::from(BAD_INPUT)) };
    let keys = wire::keys(config)?;
    let (sessions, faults) = admitted(conversations, &args, config, keys.lasting());
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
    show(&args, config, &*store, &traces).await?;
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

/// Calls by session, in order, and the messages the door refuses, by file and line.
fn admitted(
    conversations: Vec<(String, Conversation)>,
    args: &RememberArgs,
    config: &Config,
    key: &Key,
) -> (Vec<Vec<Call>>, Vec<String>) {
    let settings = wire::settings(config)(&args.scope.namespace);
    let entry = Entry {
        now: crate::clock::now(),
        key,
        namespace: &args.scope.namespace,
        timezone: settings.timezone.as_deref(),
        absent: AbsentTime::Unknown,
        lane: Lane::Live,
    };
    let mut sessions: BTreeMap<String, Vec<Call>> = BTreeMap::new();
    let mut order = Vec::new();
    let mut faults = Vec::new();
    for (file, conversation) in conversations {
        let session = args.session.clone().unwrap_or_else(|| conversation.session_id.clone());
        for part in conversation.messages.chunks(usize::from(args.turns_per_call)) {
            let mut part = part.to_vec();
            while !part.is_empty() {
                let list = match admit(request(&part, &session, &conversation, args, key), &entry) {
                    Ok(call) => {
                        if !sessions.contains_key(&session) {
                            order.push(session.clone());
                        }
                        sessions.entry(session.clone()).or_default().push(call);
                        break;
                    }
                    Err(list) => list,
                };
                faults.extend(list.iter().map(|fault| fault_line(&file, fault, &part)));
                // Only what is wrong is left out; a fault of the whole call leaves nothing to go on with.
                let places: Vec<usize> = list.iter().filter_map(|fault| place_of(&fault.field)).collect();
                if !args.skip_bad_lines || places.is_empty() {
                    break;
                }
                part =
                    part.into_iter().enumerate().filter(|(at, _)| !places.contains(at)).map(|(_, one)| one).collect();
            }
        }
    }
    (order.into_iter().filter_map(|session| sessions.remove(&session)).collect(), faults)
}

/// The same part of the same session always meets the same trace, so that a file read twice changes nothing.
fn request(
    part: &[(usize, Value)],
    session: &str,
    conversation: &Conversation,
    args: &RememberArgs,
    key: &Key,
) -> Remember {
    let messages: Vec<Value> = part.iter().map(|(_, message)| message.clone()).collect();
    let text = Value::Array(messages.clone()).to_string();
    let (user_id, account_id) = match &args.scope.account {
        Some(account) => (None, Some(account.clone())),
        None => (Some(args.scope.user.clone()), None),
    };
    let owner = user_id.clone().or(account_id.clone()).unwrap_or_default();
    let agent = args.scope.agent.clone().unwrap_or_default();
    let mode = if args.literal { "literal" } else { "infer" };
    Remember {
        messages: Value::Array(messages),
        scope: ScopeFields {
            namespace: Some(args.scope.namespace.clone()),
            user_id,
            account_id,
            agent_id: args.scope.agent.clone(),
        },
        session_id: Some(session.to_owned()),
        metadata: serde_json::Map::new(),
        infer: !args.literal,
        timezone: args.timezone.clone().or_else(|| conversation.timezone.clone()),
        expires_at: None,
        idempotency_key: Some(key.fingerprint(&["file", &owner, &agent, session, mode, &text])),
    }
}

fn fault_line(file: &str, fault: &Fault, part: &[(usize, Value)]) -> String {
    match place_of(&fault.field).and_then(|at| part.get(at)) {
        Some((line, _)) => format!("{file}:{line}: {}: {}", fault.field, fault.detail),
        None => format!("{file}: {}: {}", fault.field, fault.detail),
    }
}

/// The place of the message a fault is about.
fn place_of(field: &str) -> Option<usize> {
    field.strip_prefix("messages[")?.split(']').next()?.parse().ok()
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
        stray: None,
        settle: Box::new(Here),
    }
}

async fn show(args: &RememberArgs, config: &Config, store: &dyn Store, ids: &[TraceId]) -> anyhow::Result<()> {
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
        let all = json!({ "memories": views, "traces": traces, "funnel": funnel });
        say!("{}", serde_json::to_string_pretty(&all)?);
        return Ok(());
    }
    table::print_memories(&memories);
    say!("");
    funnel.print();
    funnel::print_blocked(&traces);
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
