//! The soak: many sessions send calls while doors, workers and servers are killed at random; at the end every accepted call is counted.
//! `tests/soak` starts servers of its own and runs this on the release binary.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a program of the tests that reports to a terminal")]

mod fleet;
mod senders;

use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use recall_tests::Sent;

use fleet::{Fault, Fleet};

/// How long a fleet may take to work off what waits once nothing is killed any more.
const PATIENCE: Duration = Duration::from_secs(600);

/// What the command line asks for.
struct Asked {
    kills: u32,
    seed: u64,
    sessions: u32,
    unfinished: u64,
}

impl Asked {
    fn from_command_line() -> Self {
        let mut asked = Self { kills: 100, seed: rand::random(), sessions: 60, unfinished: 600 };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let number = || words.next().and_then(|text| text.parse::<u64>().ok());
            let mut number = number;
            match (word.as_str(), number()) {
                ("--kills", Some(kills)) => asked.kills = kills as u32,
                ("--seed", Some(seed)) => asked.seed = seed,
                ("--sessions", Some(sessions)) => asked.sessions = sessions as u32,
                ("--unfinished", Some(unfinished)) => asked.unfinished = unfinished,
                _ => panic!("usage: soak [--kills N] [--seed S] [--sessions N] [--unfinished N]"),
            }
        }
        asked
    }
}

#[tokio::main]
async fn main() {
    let _first = rustls::crypto::ring::default_provider().install_default();
    let asked = Asked::from_command_line();
    let mut chance = StdRng::seed_from_u64(asked.seed);
    println!("seed {} · {} kills · {} sessions", asked.seed, asked.kills, asked.sessions);
    let mut fleet = Fleet::start().await;
    let began = Instant::now();
    let sending = senders::start(asked.sessions, asked.unfinished, fleet.doors());
    let mut done: Vec<(Fault, u32)> = Vec::new();
    for kill in 0..asked.kills {
        pause(chance.random_range(100..900)).await;
        if kill % 25 == 0 {
            fleet.plant_poison(kill / 25).await;
        }
        let fault = Fault::nth(kill, asked.kills, &mut chance);
        fleet.strike(fault, &mut chance).await;
        match done.iter_mut().find(|(known, _)| *known == fault) {
            Some((_, times)) => *times += 1,
            None => done.push((fault, 1)),
        }
        if (kill + 1) % 50 == 0 {
            let (accepted, finished) = (sending.accepted(), sending.finished());
            println!("{} kills, {accepted} accepted, {finished} finished, {} s", kill + 1, began.elapsed().as_secs());
        }
    }
    let sent: Vec<Sent> = sending.stop().await;
    fleet.calm().await;
    let counts = fleet.settled(&sent, PATIENCE).await;
    println!("faults: {done:?}");
    println!("largest worker: {} MiB resident", fleet.largest_worker_mib());
    println!("{counts} kills={} seed={} seconds={}", asked.kills, asked.seed, began.elapsed().as_secs());
    fleet.stop();
    if !counts.is_right() {
        std::process::exit(1);
    }
}

/// Waits without asking anything: here time itself is the input.
async fn pause(milliseconds: u64) {
    let mut tick = tokio::time::interval(Duration::from_millis(milliseconds));
    tick.tick().await;
    tick.tick().await;
}
