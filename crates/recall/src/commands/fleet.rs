//! `recall fleet`: workers, partitions, and what waits.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use recall_store::record::Stage;

use super::dead::{age, rows};
use super::say::{is_unheard, say};
use crate::cli::fleet::StatusArgs;
use crate::config::{Config, QueueUrl};
use crate::fleet::{self, FleetView, LaneView, Queue};
use crate::wire;

/// Between two looks of `--watch`.
const LOOK: Duration = Duration::from_secs(1);

/// Shows how the fleet is doing, once or until interrupted.
pub(super) async fn status(config: &Config, args: &StatusArgs) -> anyhow::Result<ExitCode> {
    let store = wire::store(config, &wire::Access::Read)?;
    let broker = wire::broker(config, &store).await?;
    loop {
        if let (Some(broker), Ok(used)) = (&broker, wire::used(&store.generations().await.map_err(wire::explained)?)) {
            broker.go_on(used);
        }
        let queue = match &broker {
            Some(broker) => Queue::Broker(wire::patient_depth(broker).await),
            None => Queue::Embedded,
        };
        let view = fleet::view(&store, &queue).await.map_err(wire::explained)?;
        match (args.json, args.watch) {
            (true, true) => say!("{}", serde_json::to_string(&view)?),
            (true, false) => say!("{}", serde_json::to_string_pretty(&view)?),
            // From the top of a cleared screen.
            (false, true) => {
                say!("\u{1b}[H\u{1b}[2J");
                print(&view, config.queue.partitions);
            }
            (false, false) => print(&view, config.queue.partitions),
        }
        if !args.watch || is_unheard() {
            return Ok(ExitCode::SUCCESS);
        }
        tokio::select! {
            stopped = tokio::signal::ctrl_c() => { stopped?; return Ok(ExitCode::SUCCESS) }
            () = tokio::time::sleep(LOOK) => {}
        }
    }
}

fn print(view: &FleetView, configured: u32) {
    let mut table = rows([
        "worker",
        "version",
        "alive",
        "since",
        "seen",
        "partitions",
        "in flight",
        "last minute",
        "oldest",
        "model",
    ]);
    for worker in &view.workers {
        let report = &worker.report;
        let model = report.paused.clone().unwrap_or_else(|| format!("pace {:.0} %", report.pace * 100.0));
        table.add_row([
            worker.worker.clone(),
            worker.version.clone(),
            if worker.alive { "yes" } else { "no" }.to_owned(),
            age(worker.since_seconds),
            format!("{} ago", age(worker.seen_seconds_ago)),
            worker.partitions.len().to_string(),
            worker.in_flight.to_string(),
            report.last_minute.to_string(),
            worker.oldest_seconds.map(age).unwrap_or_default(),
            model,
        ]);
    }
    say!("{table}");
    let without = view.partitions.iter().filter(|partition| partition.worker.is_none()).count();
    let owned = view.partitions.len() - without;
    say!("partitions {}, with a worker {owned}, without {without}", view.partitions.len());
    tell_generations(view, configured);
    say!("live {}; bulk {}", lane(&view.live), lane(&view.bulk));
    say!("in flight {}, finished within the last minute {}", view.in_flight, view.per_minute);
    let oldest = if view.dead > 0 { format!(" (oldest {})", age(view.oldest_dead_seconds)) } else { String::new() };
    say!("oldest waiting {}, dead letters {}{oldest}", age(view.oldest_seconds), view.dead);
    if view.astray.is_some_and(|astray| astray > 0) {
        say!("set aside by the broker {}", view.astray.unwrap_or_default());
    }
    if view.queue != "ok" {
        say!("the queue could not be asked: {}", view.queue);
    }
}

fn tell_generations(view: &FleetView, configured: u32) {
    if let [old, next, ..] = view.generations.as_slice() {
        let (from, to) = (old.partitions, next.partitions);
        let stage = match old.stage {
            Stage::Open => "doors go over to the new queues".to_owned(),
            Stage::Closed => "no call goes into the old queues any more".to_owned(),
            Stage::Marked => format!("{} of {} old queues are read to their end", old.read, u64::from(from) * 2),
            Stage::Read | Stage::Gone => "the new queues are read; the old ones are taken away".to_owned(),
        };
        say!("the number of partitions changes from {from} to {to}, since {}: {stage}", age(old.stage_seconds));
    }
    if let Some(newest) = view.generations.last().filter(|newest| newest.partitions != configured) {
        say!(
            "queue.partitions is {configured} here and the queues have {}: the setting counts at the very first start only, then \
             `recall fleet repartition` changes the number",
            newest.partitions
        );
    }
}

/// Begins a change of the number of partitions; doors and workers carry it out.
pub(super) async fn repartition(config: &Config, partitions: u32) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(
        matches!(config.queue.url, QueueUrl::Rabbit(_)),
        "one process works the whole embedded queue; there is nothing to part"
    );
    let store = wire::store(config, &wire::Access::Work { address: String::new() })?;
    wire::prepare(config, &store).await?;
    let generations = store.generations().await.map_err(wire::explained)?;
    let newest = wire::used(&generations)?.sent;
    if newest.partitions == partitions {
        say!("there are {partitions} partitions already");
        return Ok(ExitCode::SUCCESS);
    }
    let next = store.next_generation(partitions).await.map_err(wire::explained)?;
    let next = next.context("another change is under way; `recall fleet status` tells how far it is")?;
    say!(
        "generation {next} has {partitions} partitions; doors go over to it within seconds, workers as soon as the {} before are empty \
         (`recall fleet status --watch`)",
        newest.partitions
    );
    Ok(ExitCode::SUCCESS)
}

fn lane(lane: &LaneView) -> String {
    let queued = lane.queued.map_or_else(|| "unknown".into(), |queued| queued.to_string());
    format!("queued {queued}, parked {}", lane.parked)
}
