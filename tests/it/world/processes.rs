//! The processes of an installation: started, signalled, killed, and what they say.

use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use serde_json::Value;

use super::outside::{binary, text};
use super::{Backends, PATIENCE, World};

impl World {
    /// Runs the binary to its end.
    pub(crate) fn recall(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// The same where nobody reads what it prints.
    pub(crate) fn recall_unheard(&self, args: &[&str]) -> Output {
        let mut child = self.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        child.wait_with_output().unwrap()
    }

    /// Starts the HTTP door; embedded, it also works the queue. Returns once it listens.
    pub(crate) fn serve(&mut self) {
        let said = self.start(&["serve"], "recall serves http://");
        self.address = said.split_whitespace().next().map(|address| format!("http://{address}"));
    }

    /// Starts a worker; its place for [`World::kill`].
    pub(crate) fn work(&mut self) -> usize {
        self.work_by(&[])
    }

    /// Starts a worker by another program, which becomes it; its place.
    pub(crate) fn work_by(&mut self, by: &[&str]) -> usize {
        self.start_by(by, &["work"], "recall worker ");
        self.processes.len() - 1
    }

    /// Starts reading archives again; its place. Returns once the run began or goes on.
    pub(crate) fn reprocess(&mut self, args: &[&str]) -> usize {
        let args: Vec<&str> = ["reprocess"].iter().chain(args).copied().collect();
        self.start(&args, "run_");
        self.processes.len() - 1
    }

    /// Starts anything; its place, at once.
    pub(crate) fn begin(&mut self, args: &[&str]) -> usize {
        let quiet = self.command(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        self.processes.push(quiet.unwrap());
        self.processes.len() - 1
    }

    /// Starts a worker that answers those who watch it; where.
    pub(crate) fn work_watched(&mut self) -> String {
        self.set("WORKER__LISTEN", "127.0.0.1:0");
        self.start(&["work"], "recall answers ")
    }

    /// Starts what takes calls in and works them.
    pub(crate) fn start_all(&mut self) {
        self.serve();
        if self.backends == Backends::Services {
            self.work();
        }
    }

    /// Ends a process as a power cut would.
    pub(crate) fn kill(&mut self, place: usize) {
        self.processes[place].kill().unwrap();
        self.processes[place].wait().unwrap();
    }

    /// Sends a process a signal by its name, such as `TERM`.
    pub(crate) fn signal(&self, place: usize, signal: &str) {
        let pid = self.processes[place].id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &pid]).status().unwrap().success(), "kill -s {signal}");
    }

    /// Waits until a process has ended; its exit code, or `None` where a signal ended it.
    pub(crate) async fn ended(&mut self, place: usize) -> Option<i32> {
        let mut tick = tokio::time::interval(Duration::from_millis(20));
        let process = &mut self.processes[place];
        let waiting = async {
            loop {
                tick.tick().await;
                if let Some(status) = process.try_wait().unwrap() {
                    return status.code();
                }
            }
        };
        tokio::time::timeout(PATIENCE, waiting).await.expect("the process should have ended")
    }

    /// The id of a process at the system.
    pub(crate) fn pid(&self, place: usize) -> u32 {
        self.processes[place].id()
    }

    /// Runs the binary to its end, which must be a good one; what it printed, as JSON.
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        let output = self.recall(args);
        assert!(output.status.success(), "{args:?}: {}{}", text(&output.stdout), text(&output.stderr));
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{args:?}: {error}: {}", text(&output.stdout)))
    }

    /// Where the door listens, as host and port.
    pub(crate) fn door(&self) -> &str {
        self.address.as_deref().and_then(|address| address.strip_prefix("http://")).expect("serve was called")
    }

    /// Starts the door in a shell that ignores the signal of a file that grows too large, so that the write fails instead.
    pub(crate) fn serve_ignoring_large_files(&mut self) {
        let said = self.start_by(&["sh", "-c", "trap '' XFSZ; exec \"$@\"", "sh"], &["serve"], "recall serves http://");
        self.address = said.split_whitespace().next().map(|address| format!("http://{address}"));
    }

    /// Ends every process as a power cut would.
    pub(crate) fn stop_all(&mut self) {
        for place in 0..self.processes.len() {
            self.kill(place);
        }
        self.processes.clear();
    }

    /// What all processes have written on standard error.
    pub(crate) fn log(&self) -> String {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn command(&self, args: &[&str]) -> Command {
        self.command_by(&[], args)
    }

    /// The binary, run by another program.
    fn command_by(&self, by: &[&str], args: &[&str]) -> Command {
        let binary = binary();
        let mut command = match by.split_first() {
            None => Command::new(binary),
            Some((program, before)) => {
                let mut command = Command::new(program);
                command.args(before).arg(binary);
                command
            }
        };
        command.args(args).current_dir(self.folder.path()).env_remove("RUST_LOG");
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("RECALL_")) {
            command.env_remove(name);
        }
        command.envs(self.settings.iter().cloned());
        command
    }

    /// Starts a process and returns what follows `sign` on the line that begins with it.
    fn start(&mut self, args: &[&str], sign: &'static str) -> String {
        self.start_by(&[], args, sign)
    }

    fn start_by(&mut self, by: &[&str], args: &[&str], sign: &'static str) -> String {
        let mut child = self
            .command_by(by, args)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let (tell, told) = std::sync::mpsc::channel();
        let log = Arc::clone(&self.log);
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                if let Some(rest) = line.strip_prefix(sign) {
                    // The receiver is gone once the first sign was seen, which is fine.
                    let _heard = tell.send(rest.to_owned());
                }
                let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
                log.push_str(&line);
                log.push('\n');
            }
        });
        self.processes.push(child);
        told.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("{args:?} did not start:\n{}", self.log()))
    }
}
