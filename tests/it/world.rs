//! An installation of a test's own: the real binary on the embedded backends or on real services, driven by verbs.
//! Dropping it ends its processes and removes its database and queues.

mod asking;
mod counting;
mod outside;

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use outside::{OWNER, binary, drop_queues, make_owner, owned_database};
pub(crate) use outside::{Servers, execute, one_turn, stand_in, text};

/// How long anything may take before the test says what is missing.
pub(crate) const PATIENCE: Duration = Duration::from_secs(45);
/// Partitions of a test's queues: few, so that a test is light on the broker.
const PARTITIONS: u32 = 4;

/// What stands behind an installation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Backends {
    /// One process, one file.
    Embedded,
    /// RabbitMQ and Postgres.
    Services,
}

/// An installation.
pub(crate) struct World {
    backends: Backends,
    servers: Servers,
    folder: TempDir,
    settings: Vec<(String, String)>,
    name: String,
    processes: Vec<Child>,
    log: Arc<Mutex<String>>,
    address: Option<String>,
    http: reqwest::Client,
}

impl World {
    /// An installation with an empty store and no process yet.
    pub(crate) async fn new(backends: Backends) -> Self {
        Self::on(backends, Servers::of_this_run()).await
    }

    /// The same on servers of a test's own.
    pub(crate) async fn on(backends: Backends, servers: Servers) -> Self {
        // A second call finds the provider in place, which is as good.
        let _first = rustls::crypto::ring::default_provider().install_default();
        let folder = tempfile::tempdir().unwrap();
        let name = format!("recall_it_{:016x}", rand::random::<u64>());
        let mut world = Self {
            backends,
            servers,
            settings: Vec::new(),
            processes: Vec::new(),
            log: Arc::default(),
            address: None,
            http: reqwest::Client::builder().timeout(PATIENCE).build().unwrap(),
            folder,
            name,
        };
        let data = world.folder.path().join("data").display().to_string();
        world.set("DATA_DIR", &data);
        world.set("API__LISTEN", "127.0.0.1:0");
        world.set("WORKER__RETRY_SECONDS", "[1, 1]");
        world.set("WORKER__SNOOZE_SECONDS", "1");
        if backends == Backends::Services {
            make_owner(&world.servers.database).await;
            execute(&world.servers.database, &format!("CREATE DATABASE {} OWNER {OWNER}", world.name)).await;
            world.go_to(&world.servers.clone());
            let prefix = world.name.clone();
            world.set("QUEUE__PREFIX", &prefix);
            world.set("QUEUE__PARTITIONS", &PARTITIONS.to_string());
            world.set("KEYS__SECRET", "a secret of the tests");
            let migrated = world.recall(&["migrate"]);
            assert!(migrated.status.success(), "{}", text(&migrated.stderr));
        }
        world
    }

    /// Sets `RECALL__<name>` for every process that is started after this.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.settings.push((format!("RECALL__{name}"), value.to_owned()));
    }

    /// Where processes that are started after this find database and broker.
    pub(crate) fn go_to(&mut self, servers: &Servers) {
        self.set("STORE__URL", &owned_database(&servers.database, &self.name));
        self.set("QUEUE__URL", &servers.broker);
    }

    /// The servers behind this installation.
    pub(crate) fn servers(&self) -> &Servers {
        &self.servers
    }

    /// Runs the binary to its end.
    pub(crate) fn recall(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
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

    /// Sends a message to the broker past the door, under a routing key.
    pub(crate) async fn slip_in(&self, routing_key: &str, id: &str, body: &[u8]) {
        self.publish((&format!("{}.remember.g1", self.name), routing_key), id, body).await;
    }

    /// Puts a message into a queue of this installation by its name.
    pub(crate) async fn slip_into_queue(&self, queue: &str, id: &str, body: &[u8]) {
        self.publish(("", &format!("{}.{queue}", self.name)), id, body).await;
    }

    async fn publish(&self, (exchange, routing_key): (&str, &str), id: &str, body: &[u8]) {
        // The queues are there once the door is ready; an exchange without them would take the message and lose it.
        self.until("the door to be ready", || async { (self.get("/readyz").await.0 == 200).then_some(()) }).await;
        let connection =
            lapin::Connection::connect(&self.servers.broker, lapin::ConnectionProperties::default()).await.unwrap();
        let channel = connection.create_channel().await.unwrap();
        channel.confirm_select(lapin::options::ConfirmSelectOptions::default()).await.unwrap();
        let properties = lapin::BasicProperties::default().with_message_id(id.into()).with_delivery_mode(2);
        let options = lapin::options::BasicPublishOptions::default();
        let sent = channel.basic_publish(exchange.into(), routing_key.into(), options, body, properties);
        assert!(sent.await.unwrap().await.unwrap().is_ack());
        connection.close(200, "OK".into()).await.unwrap();
    }

    /// Takes the database away for good.
    pub(crate) async fn lose_database(&self) {
        execute(&self.servers.database, &format!("DROP DATABASE {} WITH (FORCE)", self.name)).await;
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

    /// Name of the queues and of the database.
    pub(crate) fn name(&self) -> &str {
        &self.name
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

    /// Folder of this installation.
    pub(crate) fn folder(&self) -> PathBuf {
        self.folder.path().to_owned()
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

impl Drop for World {
    fn drop(&mut self) {
        for process in &mut self.processes {
            // One that has ended already is as good.
            let _ended = process.kill().and_then(|()| process.wait());
        }
        if self.backends == Backends::Services {
            let (name, servers) = (self.name.clone(), self.servers.clone());
            let swept = std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                runtime.block_on(async {
                    execute(&servers.database, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
                    drop_queues(&servers.broker, &name).await;
                });
            });
            assert!(swept.join().is_ok() || std::thread::panicking(), "the test left something behind");
        }
    }
}
