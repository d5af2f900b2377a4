//! A server of a test's own, which the test may kill, stop and start again. `tests/own` runs it and lets nothing of it live longer.

use std::io::{BufRead, BufReader, Lines, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use crate::tree::root;

/// The server.
pub(super) struct Own {
    /// Its URL.
    pub(super) url: String,
    /// A folder on a small disk of its own, where one was asked for and may be mounted.
    pub(super) disk: Option<PathBuf>,
    keeper: Arc<Mutex<Keeper>>,
}

struct Keeper {
    process: Child,
    orders: Option<ChildStdin>,
    answers: Lines<BufReader<ChildStdout>>,
}

impl Own {
    /// A `postgresql` or a `rabbitmq`, perhaps with the size of a disk. `None`, and told loudly, where it is not installed.
    pub(super) fn start(what: &[&str]) -> Option<Self> {
        // In a group of its own: what ends this test by force must not end what cleans up behind it.
        let mut process = Command::new(root().join("tests/own"))
            .args(what)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .unwrap();
        let orders = process.stdin.take();
        let mut answers = BufReader::new(process.stdout.take().unwrap()).lines();
        let url = answers.next().expect("tests/own should have started the server").unwrap();
        if url == "NOT INSTALLED" {
            process.wait().unwrap();
            not_run(&format!("{} must be installed: this test hurts one of its own", what[0]));
            return None;
        }
        let disk = (what.len() > 1).then(|| answers.next().unwrap().unwrap());
        let disk = disk.filter(|answer| answer != "NOT PERMITTED").map(PathBuf::from);
        Some(Self { url, disk, keeper: Arc::new(Mutex::new(Keeper { process, orders, answers })) })
    }

    /// `kill`, `stop` or `start`; returns once it is done.
    pub(super) async fn must(&self, order: &'static str) {
        let keeper = Arc::clone(&self.keeper);
        let obeyed = tokio::task::spawn_blocking(move || {
            let mut keeper = keeper.lock().unwrap_or_else(PoisonError::into_inner);
            writeln!(keeper.orders.as_mut().unwrap(), "{order}").unwrap();
            keeper.answers.next().map(Result::unwrap)
        });
        assert_eq!(obeyed.await.unwrap().as_deref(), Some("done"), "{order}");
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        let mut keeper = self.keeper.lock().unwrap_or_else(PoisonError::into_inner);
        drop(keeper.orders.take());
        let _gone = keeper.process.wait();
    }
}

/// Says that a test did nothing.
#[expect(clippy::print_stderr, reason = "a test that could not do its work must be seen to have done none")]
pub(super) fn not_run(why: &str) {
    eprintln!("NOT RUN: {why}");
}
