//! The benchmarks of the fleet: the release binary on real servers against the same work done bare, in interleaved pairs, as one table.
//! `tests/bench` starts servers of its own and runs this. No figure fails the run: only a call that is lost does.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a program of the tests that reports to a terminal")]

mod broker;
mod calls;
mod figures;
mod http;
mod installation;
mod parts;
mod process;
mod rows;
mod senders;
mod stub;

use std::path::PathBuf;
use std::time::Instant;

use figures::{Line, table};
use installation::Servers;
use parts::Sizes;

const USAGE: &str = "usage: bench [--quick] [--pairs N] [--parts abcdef] [--workload FILE]";

/// What the command line asks for.
struct Asked {
    sizes: Sizes,
    parts: String,
    workload: Option<PathBuf>,
}

impl Asked {
    fn from_command_line() -> Self {
        let words: Vec<String> = std::env::args().skip(1).collect();
        let quick = words.iter().any(|word| word == "--quick");
        let sizes = if quick { Sizes::quick() } else { Sizes::full() };
        let mut asked = Self { sizes, parts: "abcdef".into(), workload: None };
        let mut words = words.into_iter().filter(|word| word != "--quick");
        while let Some(word) = words.next() {
            match (word.as_str(), words.next()) {
                ("--pairs", Some(pairs)) => asked.sizes.pairs = pairs.parse().ok().filter(|n| *n > 0).expect(USAGE),
                ("--parts", Some(parts)) => asked.parts = parts,
                ("--workload", Some(file)) => asked.workload = Some(file.into()),
                _ => panic!("{USAGE}"),
            }
        }
        asked
    }
}

#[tokio::main]
async fn main() {
    let _first = rustls::crypto::ring::default_provider().install_default();
    let Asked { sizes, parts, workload } = Asked::from_command_line();
    let mut servers = Servers::from_environment().await;
    conditions(&servers, &sizes).await;
    let mut lines: Vec<Line> = Vec::new();
    for part in parts.chars() {
        let (began, load) = (Instant::now(), process::load());
        let measured = match part {
            'a' => parts::accepting(&mut servers, &sizes).await,
            'b' => parts::throughput(&mut servers, &sizes).await,
            'c' => parts::slots(&mut servers, &sizes).await,
            'd' => parts::scaling(&mut servers, &sizes).await,
            'e' => parts::in_flight(&mut servers, &sizes).await,
            'f' => match &workload {
                Some(file) => parts::chat(&mut servers, &sizes, file).await,
                None => {
                    println!("f: NOT RUN, since no --workload is given");
                    continue;
                }
            },
            _ => panic!("{USAGE}"),
        };
        println!("{part}: load {load:.1} before, {:.1} after, {} s", process::load(), began.elapsed().as_secs());
        measured.iter().for_each(|line| println!("   {line}"));
        lines.extend(measured);
    }
    println!("\n{}", table(&lines));
}

/// What a reader has to know to compare.
async fn conditions(servers: &Servers, sizes: &Sizes) {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let version = std::process::Command::new(&servers.binary).arg("--version").output().unwrap();
    println!(
        "{} · {} · {cores} cores · PostgreSQL {} · RabbitMQ {} · load {:.1} · pairs: {} · sizes: {sizes:?}",
        String::from_utf8_lossy(&version.stdout).trim(),
        servers.binary.display(),
        servers.database_version().await,
        std::env::var("RABBITMQ_VERSION").unwrap_or_else(|_| "?".into()),
        process::load(),
        sizes.pairs,
    );
}

/// Waits without asking anything: here time itself is the input.
async fn pause(milliseconds: u64) {
    let mut tick = tokio::time::interval(std::time::Duration::from_millis(milliseconds));
    tick.tick().await;
    tick.tick().await;
}
