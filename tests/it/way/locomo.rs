//! LoCoMo: sessions of two people with pictures, their labelled facts played as a model's replies, through one process and
//! through a fleet. Both ways must end in the same memories, whatever the order of arrival, and a second run must add nothing.
#![allow(clippy::print_stderr, reason = "the figures of both ways are for people to read")]

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::locomo::{self, calls, prepare};
use crate::world::{Backends, World, text};

/// Rows that a second run must not add to.
const TABLES: [&str; 4] = ["memories", "sources", "entities", "audit"];
/// Fields of a memory that must be the same both ways.
const SAME: [&str; 12] = [
    "content",
    "memory_type",
    "attribute",
    "value",
    "polarity",
    "status",
    "event_at",
    "event_until",
    "precision",
    "valid_from",
    "valid_until",
    "claim_key",
];

#[tokio::test]
async fn locomo_gives_the_same_memories_in_one_process_and_in_a_fleet_and_nothing_new_the_second_time() {
    let Some(rows) = locomo::read() else { return };
    let alone = in_one_process(&rows).await;
    let fleet = in_a_fleet(&rows).await;
    let facts: usize = rows.iter().map(|row| row["facts"].as_array().unwrap().len()).sum();
    eprintln!("{facts} facts on the tape; one is proposed where its turns are read together and none was dropped");
    alone.print("one process");
    fleet.print("rabbitmq, postgres, two workers");
    assert!(alone.memories.len() > rows.len(), "{} memories of {} sessions", alone.memories.len(), rows.len());
    let only = |here: &BTreeMap<String, usize>, there: &BTreeMap<String, usize>| -> Vec<String> {
        here.iter().filter(|(line, n)| there.get(*line) != Some(*n)).map(|(line, n)| format!("{n} x {line}")).collect()
    };
    let (left, right) = (only(&alone.memories, &fleet.memories), only(&fleet.memories, &alone.memories));
    assert!(
        left.is_empty() && right.is_empty(),
        "only alone:\n{}\nonly in the fleet:\n{}",
        left.join("\n"),
        right.join("\n")
    );
    assert_eq!(alone.dropped, fleet.dropped, "turns the pre-filter dropped");
    assert_eq!(alone.blocked, fleet.blocked, "candidates that were blocked");
}

/// What came of a way.
struct Ended {
    calls: usize,
    turns: u64,
    proposed: usize,
    joined: usize,
    /// Turns the pre-filter dropped, by reason.
    dropped: BTreeMap<String, usize>,
    /// Candidates that were blocked, by stage and reason.
    blocked: BTreeMap<String, usize>,
    /// Memories as lines of what must be the same, with their number.
    memories: BTreeMap<String, usize>,
    statuses: BTreeMap<String, usize>,
}

impl Ended {
    /// Reads the traces and memories of a way through its HTTP door.
    async fn of(world: &World, traces: &[String]) -> Self {
        let mut ended = Self {
            calls: traces.len(),
            turns: 0,
            proposed: 0,
            joined: 0,
            dropped: BTreeMap::new(),
            blocked: BTreeMap::new(),
            memories: BTreeMap::new(),
            statuses: BTreeMap::new(),
        };
        for id in traces {
            ended.add(&world.done(id).await);
        }
        let memories = all_memories(world).await;
        let by_id: BTreeMap<&str, &Value> =
            memories.iter().filter_map(|memory| Some((memory["id"].as_str()?, memory))).collect();
        for memory in &memories {
            let replaced = memory["superseded_by"].as_str().and_then(|id| by_id.get(id)).copied();
            *ended.memories.entry(line(memory, replaced.unwrap_or(&Value::Null))).or_default() += 1;
            *ended.statuses.entry(words(&memory["status"])).or_default() += 1;
        }
        ended
    }

    fn add(&mut self, trace: &Value) {
        self.turns += trace["turn_count"].as_u64().unwrap();
        for turn in trace["turns"].as_array().unwrap().iter().filter(|turn| !turn["dropped"].is_null()) {
            *self.dropped.entry(words(&turn["dropped"])).or_default() += 1;
        }
        for verdict in trace["verdicts"].as_array().unwrap() {
            self.proposed += 1;
            match verdict["outcome"].as_str().unwrap() {
                "dropped" => {
                    let reason = format!("{}/{}", words(&verdict["stage"]), words(&verdict["reason"]));
                    *self.blocked.entry(reason).or_default() += 1;
                }
                "merged" => self.joined += 1,
                _ => {}
            }
        }
    }

    fn print(&self, way: &str) {
        let sum = |counts: &BTreeMap<String, usize>| counts.values().sum::<usize>();
        eprintln!("{way}: {} calls, every trace done", self.calls);
        eprintln!("  {:>5} turns, {} dropped {:?}", self.turns, sum(&self.dropped), self.dropped);
        eprintln!("  {:>5} candidates, {} blocked {:?}", self.proposed, sum(&self.blocked), self.blocked);
        eprintln!("  {:>5} joined a memory that says the same", self.joined);
        eprintln!("  {:>5} memories {:?}", sum(&self.memories), self.statuses);
    }
}

/// `recall remember --json FILE`, twice.
async fn in_one_process(rows: &[Value]) -> Ended {
    let mut world = World::new(Backends::Embedded).await;
    let file = prepare(&mut world, rows).display().to_string();
    let mut counts = Vec::new();
    let mut traces = Vec::new();
    for _ in 0..2 {
        let output = world.recall(&["remember", "--user", "reader", "--json", &file]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let said: Value = serde_json::from_slice(&output.stdout).unwrap();
        traces = said["traces"].as_array().unwrap().iter().map(|trace| words(&trace["trace_id"])).collect();
        counts.push(count(&world).await);
    }
    nothing_was_added(&counts);
    world.serve();
    Ended::of(&world, &traces).await
}

/// The same calls posted to a fleet of two workers, the last session first, twice; then the last turns of each session again
/// under no key, as a client does that sends its whole history.
async fn in_a_fleet(rows: &[Value]) -> Ended {
    let mut world = World::new(Backends::Services).await;
    prepare(&mut world, rows);
    world.serve();
    world.work();
    world.work();
    let mut traces = Vec::new();
    let mut counts = Vec::new();
    for _ in 0..2 {
        traces.clear();
        for row in rows.iter().rev() {
            for call in calls(row) {
                traces.push(world.remember(&call).await);
            }
        }
        for id in &traces {
            world.done(id).await;
        }
        counts.push(count(&world).await);
    }
    let mut last = Vec::new();
    for row in rows {
        let mut call = calls(row).pop().unwrap();
        call.as_object_mut().unwrap().remove("idempotency_key");
        last.push(world.remember(&call).await);
    }
    for id in &last {
        // Behind the repeats in its session, so that they were seen when it is done.
        let trace = world.done(id).await;
        assert!(trace["turns"].as_array().unwrap().iter().all(|turn| turn["dropped"] == "seen"), "{trace}");
    }
    counts.push(count(&world).await);
    nothing_was_added(&counts);
    let distinct: BTreeSet<&String> = traces.iter().collect();
    assert_eq!(world.count("SELECT count(*) FROM runs").await as usize, distinct.len() + last.len());
    Ended::of(&world, &traces).await
}

async fn count(world: &World) -> Vec<i64> {
    let mut counts = Vec::new();
    for table in TABLES {
        counts.push(world.count(&format!("SELECT count(*) FROM {table}")).await);
    }
    counts
}

fn nothing_was_added(counts: &[Vec<i64>]) {
    assert!(counts[0].iter().all(|count| *count > 0), "{TABLES:?} {counts:?}");
    assert!(counts.windows(2).all(|pair| pair[0] == pair[1]), "{TABLES:?} {counts:?}");
}

/// What must be the same of a memory, as one line.
fn line(memory: &Value, replaced_by: &Value) -> String {
    let mut parts: Vec<String> = SAME.iter().map(|field| words(&memory[*field])).collect();
    parts.push(words(&memory["subject"]["name"]));
    parts.push(words(&memory["object"]["name"]));
    parts.push(words(&replaced_by["content"]));
    let sources = memory["provenance"]["sources"].as_array().unwrap();
    let sources: BTreeSet<String> = sources
        .iter()
        .map(|source| {
            format!(
                "{} {} {} {:?}",
                words(&source["said_at"]),
                words(&source["speaker"]),
                words(&source["turn_id"]),
                words(&source["quote"])
            )
        })
        .collect();
    parts.extend(sources);
    parts.join(" | ")
}

fn words(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

async fn all_memories(world: &World) -> Vec<Value> {
    let mut found = Vec::new();
    let mut cursor = String::new();
    loop {
        let (status, page) = world.get(&format!("/v1/memories?limit=500&user_id=reader{cursor}")).await;
        assert_eq!(status, 200, "{page}");
        found.extend(page["items"].as_array().unwrap().iter().cloned());
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return found,
        }
    }
}
