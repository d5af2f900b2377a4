//! An installation of a test's own: the real binary on the embedded backends or on real services, driven by verbs.
//! Dropping it ends its processes and removes its database and queues.

mod asking;
mod counting;
mod outside;
mod processes;

use std::path::PathBuf;
use std::process::Child;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tempfile::TempDir;

use outside::{OWNER, drop_queues, generations, make_owner, owned_database};
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

    /// Takes a setting back for every process that is started after this.
    pub(crate) fn unset(&mut self, name: &str) {
        self.settings.retain(|(set, _)| *set != format!("RECALL__{name}"));
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

    /// Name of the queues and of the database.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Folder of this installation.
    pub(crate) fn folder(&self) -> PathBuf {
        self.folder.path().to_owned()
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
                    let generations = generations(&servers.database, &name).await;
                    execute(&servers.database, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
                    drop_queues(&servers.broker, &name, &generations).await;
                });
            });
            assert!(swept.join().is_ok() || std::thread::panicking(), "the test left something behind");
        }
    }
}
