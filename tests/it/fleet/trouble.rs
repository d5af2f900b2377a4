//! Trouble outside: absurd waits, clients that dawdle, a disk that is full.

use std::process::Command;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{Act, PARROT, model, world_with};
use crate::world::{Backends, World, one_turn};

#[tokio::test]
async fn an_absurd_retry_after_is_believed_for_two_minutes_only() {
    let (url, _) = model(vec![Act::Fails(429, "99999999999")]).await;
    let mut world = world_with(Backends::Embedded, &url).await;
    world.serve();
    let id = world.remember(&one_turn("u", "s", "t1", PARROT)).await;
    world.trace_until(&id, &["parked"]).await;
    let waits = world.count("SELECT (not_before - parked_at) / 1000000 FROM parked").await;
    // 120 s, give or take a fifth.
    assert!((95..=145).contains(&waits), "{waits} s");
    assert_eq!(world.count("SELECT attempts FROM parked").await, 0, "a 429 is no fault of the call");
}

/// Sends bytes and waits for what comes back before the door hangs up.
async fn told_by_hanging_up(world: &World, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(world.door()).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    let mut answer = Vec::new();
    let read = tokio::time::timeout(crate::world::PATIENCE, stream.read_to_end(&mut answer)).await;
    assert!(read.is_ok(), "the connection was held open: {}", String::from_utf8_lossy(&answer));
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn a_client_that_never_ends_its_body_is_answered_408() {
    let mut world = World::new(Backends::Embedded).await;
    world.set("API__REQUEST_SECONDS", "1");
    world.serve();
    let head =
        "POST /v1/remember HTTP/1.1\r\nhost: localhost\r\ncontent-length: 500\r\nconnection: close\r\n\r\n{\"scope\"";
    let answer = told_by_hanging_up(&world, head.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
}

#[tokio::test]
async fn a_client_that_never_ends_its_head_is_cut_off() {
    let mut world = World::new(Backends::Embedded).await;
    world.set("API__HEAD_SECONDS", "1");
    world.serve();
    told_by_hanging_up(&world, b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-a").await;
    assert_eq!(world.get("/healthz").await.0, 200);
}

/// Sets how large a file of a process may become.
fn limit_files(pid: u32, limit: &str) {
    let set = Command::new("prlimit").args(["--pid", &pid.to_string(), &format!("--fsize={limit}")]).status();
    assert!(set.is_ok_and(|set| set.success()), "NOT RUN: prlimit (util-linux) is needed to play a full disk");
}

#[tokio::test]
async fn one_process_survives_a_full_disk_and_goes_on_when_there_is_room() {
    let mut world = World::new(Backends::Embedded).await;
    world.serve_ignoring_large_files();
    let before = world.remember(&one_turn("u", "s", "t1", PARROT)).await;
    world.done(&before).await;
    // The shell was replaced by the binary, so its id is the one of the door.
    limit_files(world.pid(0), "4096:unlimited");
    for number in 0..5 {
        let (status, answer) = world.post(&one_turn("u", "s", &format!("full-{number}"), PARROT)).await;
        assert_eq!(status, 503, "{answer}");
    }
    assert_eq!(world.get("/healthz").await.0, 200);
    limit_files(world.pid(0), "unlimited:unlimited");
    let after = world
        .until("a call to be accepted again", || async {
            let (status, answer) = world.post(&one_turn("u", "s", "t2", "I live in Narvik.")).await;
            (status == 202).then(|| answer["trace_id"].as_str().unwrap().to_owned())
        })
        .await;
    assert!(world.done(&after).await["stored_count"].as_u64().is_some_and(|stored| stored >= 1));
}
