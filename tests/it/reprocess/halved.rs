//! Runs that are killed while they are swapped in or rolled back: each scope is moved as a whole, and the same command moves the rest.

use recall_llm::recorded::Labelled;
use serde_json::{Value, json};

use super::{moved, newest, remembered, reprocess, row, session_id};
use crate::world::{Backends, World};

/// Agents somebody talks to, each with a conversation: a scope each.
const SCOPES: usize = 40;
/// Turns of a conversation.
const FEW: usize = 2;
/// Scopes after which the process is killed, at the earliest; each time counted from where it was killed before.
const KILLS: [i64; 3] = [4, 1, 9];
/// Scopes in which what a staged run says counts.
const SWAPPED: &str = "SELECT count(DISTINCT c.scope_id) FROM staged_calls c
    WHERE NOT EXISTS (SELECT 1 FROM calls_aside a WHERE a.trace_id = c.trace_id AND a.batch = c.batch)";

/// A tape with every fact, or with one of each conversation; and the archive.
fn prepare(world: &mut World, facts: usize) -> String {
    let short = |session: usize, facts: usize| {
        let mut row = row(session);
        for (field, most) in [("turns", FEW), ("facts", facts)] {
            let all = row[field].as_array_mut().unwrap();
            all.remove(0);
            all.truncate(most);
        }
        row
    };
    let entry = |session: usize| {
        let labelled: Labelled = serde_json::from_value(short(session, facts)).unwrap();
        serde_json::to_string(&labelled.entry(&session_id(session))).unwrap() + "\n"
    };
    let conversation = |session: usize| {
        let row = short(session, FEW);
        let message = |(day, turn): (usize, &Value)| {
            let at = format!("2025-04-{:02}T18:00:00Z", day + 1);
            json!({ "id": turn["id"], "role": "user", "name": "Ida", "content": turn["text"], "timestamp": at })
        };
        let messages: Vec<Value> = row["turns"].as_array().unwrap().iter().enumerate().map(message).collect();
        let agent = format!("desk-{session}");
        json!({ "session_id": session_id(session), "user_id": "ida", "agent_id": agent, "messages": messages })
            .to_string()
            + "\n"
    };
    let (file, tape) = (world.folder().join("many.jsonl"), world.folder().join(format!("tape-{facts}.jsonl")));
    std::fs::write(&file, (0..SCOPES).map(conversation).collect::<String>()).unwrap();
    std::fs::write(&tape, (0..SCOPES).map(entry).collect::<String>()).unwrap();
    world.set("MODEL__PROVIDER", "recorded");
    world.set("MODEL__TAPE", &tape.display().to_string());
    file.display().to_string()
}

/// The archive read with the first prompt, and everything ready to read it with the second: a world, what is remembered, the file.
async fn read(backends: Backends) -> (World, Vec<String>, String) {
    let mut world = World::new(backends).await;
    let file = prepare(&mut world, FEW);
    let worker = (backends == Backends::Services).then(|| world.work());
    let (code, said) = reprocess(&world, &[&file]);
    assert_eq!(code, Some(0), "{said}");
    let former = remembered(&world);
    prepare(&mut world, 1);
    if let Some(place) = worker {
        world.kill(place);
        world.work();
    }
    (world, former, file)
}

/// Kills a process once so many scopes more are moved than were before; how many are then.
async fn killed(world: &mut World, place: usize, count: &str, (before, further): (i64, i64)) -> i64 {
    world.kill_at(place, count, (before, before + further)).await;
    let moved = world.count(count).await;
    assert!((before + further..SCOPES as i64).contains(&moved), "killed after {moved} of {SCOPES} scopes");
    moved
}

/// Kills both ways; what stands in the end.
async fn kills_in_the_midst_of_swaps_change_nothing(backends: Backends) -> Vec<String> {
    let (mut world, former, file) = read(backends).await;
    let args = ["--prompt", "v2", "--replace", &file];
    let mut swapped = 0;
    for further in KILLS {
        let place = world.reprocess(&args);
        swapped = killed(&mut world, place, SWAPPED, (swapped, further)).await;
    }
    let (code, said) = reprocess(&world, &args);
    assert!(code == Some(0) && said.contains("nothing is read again"), "{said}");
    let replaced = remembered(&world);
    assert!((SCOPES..former.len()).contains(&replaced.len()), "{} of {}", replaced.len(), former.len());
    let run = newest(&world);
    assert_eq!((&run["status"], &run["done"]), (&"done".into(), &SCOPES.into()), "{run:#}");

    let id = run["run_id"].as_str().unwrap();
    let rollback = ["run", "rollback", id, "--reason", "weighed again"];
    let given_back = format!("SELECT {SCOPES} - ({SWAPPED})");
    let mut back = 0;
    for further in KILLS {
        let place = world.begin(&rollback);
        back = killed(&mut world, place, &given_back, (back, further)).await;
    }
    moved(&world, "rollback", id, &[]);
    assert_eq!(remembered(&world), former, "exactly what stood before");
    moved(&world, "swap", id, &[]);
    assert_eq!(remembered(&world), replaced, "as without any kill");
    replaced
}

#[tokio::test]
async fn kills_in_the_midst_of_swaps_and_rollbacks_change_nothing_in_one_process() {
    let replaced = kills_in_the_midst_of_swaps_change_nothing(Backends::Embedded).await;
    let (undisturbed, _, file) = read(Backends::Embedded).await;
    let (code, said) = reprocess(&undisturbed, &["--prompt", "v2", "--replace", &file]);
    assert_eq!(code, Some(0), "{said}");
    let content = |lines: Vec<String>| {
        lines.iter().map(|line| line.split(" | 2:").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(content(remembered(&undisturbed)), content(replaced));
}

#[tokio::test]
async fn kills_in_the_midst_of_swaps_and_rollbacks_change_nothing_in_a_fleet() {
    kills_in_the_midst_of_swaps_change_nothing(Backends::Services).await;
}
