//! An installation to be measured: a database of its own, the queues all installations of a run share one after the other, a door and
//! workers.

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use sqlx::{AssertSqlSafe, Connection, Executor};

use super::broker::Broker;
use super::http::Client;
use super::pause;

/// How long a fleet may take to work off what it was given.
const PATIENCE: Duration = Duration::from_secs(240);

/// The servers of a run, and the binary that is measured.
pub(crate) struct Servers {
    pub(crate) binary: PathBuf,
    database: String,
    pub(crate) broker: Broker,
    made: u32,
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set; run tests/bench"))
}

fn in_database(server: &str, name: &str) -> String {
    let (before, _) = server.rsplit_once('/').unwrap();
    format!("{before}/{name}")
}

impl Servers {
    /// Those the environment names. Makes the schema once, to be copied.
    pub(crate) async fn from_environment() -> Self {
        let binary = PathBuf::from(variable("RECALL_BINARY"));
        let broker = Broker::connect(&variable("AMQP_URL")).await;
        let servers = Self { binary, database: variable("DATABASE_URL"), broker, made: 0 };
        servers.tell(&format!("CREATE DATABASE {TEMPLATE}")).await;
        let settings = servers.settings(&in_database(&servers.database, TEMPLATE), &[]);
        let migrated = command(&servers.binary, &settings, "migrate").status().unwrap();
        assert!(migrated.success(), "the schema could not be made");
        servers
    }

    async fn tell(&self, sql: &str) {
        let mut connection = sqlx::PgConnection::connect(&self.database).await.unwrap();
        connection.execute(AssertSqlSafe(sql.to_owned())).await.unwrap();
    }

    fn settings(&self, database: &str, more: &[(&str, &str)]) -> Vec<(String, String)> {
        let broker = variable("AMQP_URL");
        let always = [
            ("STORE__URL", database),
            ("QUEUE__URL", broker.as_str()),
            ("QUEUE__PREFIX", "bench"),
            ("KEYS__SECRET", "a secret of the benchmark"),
        ];
        named(always.iter().chain(more))
    }

    /// A fleet on an empty database and empty queues; nothing of it runs yet.
    pub(crate) async fn fleet(&mut self, more: &[(&str, &str)]) -> Installation {
        self.made += 1;
        let name = format!("bench_{}", self.made);
        self.tell(&format!("CREATE DATABASE {name} TEMPLATE {TEMPLATE}")).await;
        self.broker.purge().await;
        // So that what the run before left to be written weighs on nobody.
        self.tell("CHECKPOINT").await;
        let url = in_database(&self.database, &name);
        let settings = self.settings(&url, more);
        Installation::new(self.binary.clone(), settings, Home::Database { name, url })
    }

    /// One process with everything in it, on an empty directory.
    pub(crate) fn embedded(&self, more: &[(&str, &str)]) -> Installation {
        let directory = tempfile::tempdir().unwrap();
        let mut settings = named(more.iter());
        settings.push(("RECALL__DATA_DIR".into(), directory.path().to_str().unwrap().to_owned()));
        Installation::new(self.binary.clone(), settings, Home::Directory(directory))
    }

    /// Ends everything of an installation and removes what it stored.
    pub(crate) async fn end(&self, mut installation: Installation) {
        installation.stop();
        if let Home::Database { name, .. } = &installation.home {
            self.tell(&format!("DROP DATABASE {name} WITH (FORCE)")).await;
            self.broker.purge().await;
        }
    }

    /// The version of the database server.
    pub(crate) async fn database_version(&self) -> String {
        let mut connection = sqlx::PgConnection::connect(&self.database).await.unwrap();
        sqlx::query_scalar("SHOW server_version").fetch_one(&mut connection).await.unwrap()
    }
}

/// The database that holds the schema and nothing else.
const TEMPLATE: &str = "bench_template";

fn named<'s>(settings: impl Iterator<Item = &'s (&'s str, &'s str)>) -> Vec<(String, String)> {
    settings.map(|(name, value)| (format!("RECALL__{name}"), (*value).to_owned())).collect()
}

fn command(binary: &PathBuf, settings: &[(String, String)], role: &str) -> Command {
    let mut command = Command::new(binary);
    command.arg(role).envs(settings.iter().cloned());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::inherit());
    command
}

enum Home {
    Database { name: String, url: String },
    Directory(tempfile::TempDir),
}

/// Processes over a store.
pub(crate) struct Installation {
    binary: PathBuf,
    settings: Vec<(String, String)>,
    home: Home,
    pub(crate) port: u16,
    pub(crate) door: Option<Child>,
    pub(crate) workers: Vec<Child>,
}

impl Installation {
    fn new(binary: PathBuf, mut settings: Vec<(String, String)>, home: Home) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        settings.push(("RECALL__API__LISTEN".into(), format!("127.0.0.1:{port}")));
        settings.push(("RECALL__TELEMETRY__LOG".into(), "error".into()));
        Self { binary, settings, home, port, door: None, workers: Vec::new() }
    }

    /// Starts a door and waits until it would take a call.
    pub(crate) async fn open(&mut self) {
        self.door = Some(command(&self.binary, &self.settings, "serve").spawn().unwrap());
        let began = Instant::now();
        loop {
            assert!(began.elapsed() < Duration::from_secs(60), "the door does not get ready");
            if let Ok(mut client) = Client::connect(self.port).await
                && client.get("/readyz").await.is_ok_and(|(status, _)| status == 200)
            {
                return;
            }
            pause(50).await;
        }
    }

    /// Ends the door.
    pub(crate) fn close(&mut self) {
        self.door.iter_mut().for_each(end);
        self.door = None;
    }

    /// Starts workers.
    pub(crate) fn work(&mut self, number: usize) {
        for _ in 0..number {
            self.workers.push(command(&self.binary, &self.settings, "work").spawn().unwrap());
        }
    }

    /// Everything that runs.
    pub(crate) fn processes(&self) -> impl Iterator<Item = &Child> {
        self.door.iter().chain(&self.workers)
    }

    fn stop(&mut self) {
        self.close();
        self.workers.iter_mut().for_each(end);
        self.workers.clear();
    }

    /// Waits until so many calls are committed.
    pub(crate) async fn committed(&self, calls: usize) {
        let began = Instant::now();
        loop {
            let there = self.number("SELECT count(*) FROM runs").await;
            if there as usize >= calls {
                return;
            }
            assert!(began.elapsed() < PATIENCE, "only {there} of {calls} calls were committed in {PATIENCE:?}");
            pause(200).await;
        }
    }

    /// When each call was committed, in seconds of the database's clock.
    pub(crate) async fn commit_times(&self) -> Vec<f64> {
        let mut connection = self.database().await;
        let times: Vec<i64> =
            sqlx::query_scalar("SELECT committed_at FROM runs").fetch_all(&mut connection).await.unwrap();
        times.into_iter().map(|time| time as f64 / 1e6).collect()
    }

    /// A number the store answers.
    pub(crate) async fn number(&self, sql: &str) -> i64 {
        let sql = AssertSqlSafe(sql.to_owned());
        match &self.home {
            Home::Database { url, .. } => {
                let mut connection = sqlx::PgConnection::connect(url).await.unwrap();
                sqlx::query_scalar(sql).fetch_one(&mut connection).await.unwrap()
            }
            Home::Directory(directory) => {
                let url = format!("sqlite://{}?mode=ro", directory.path().join("recall.db").display());
                let mut connection = sqlx::SqliteConnection::connect(&url).await.unwrap();
                sqlx::query_scalar(sql).fetch_one(&mut connection).await.unwrap()
            }
        }
    }

    /// A connection to the database of a fleet.
    pub(crate) async fn database(&self) -> sqlx::PgConnection {
        sqlx::PgConnection::connect(self.database_url()).await.unwrap()
    }

    pub(crate) fn database_url(&self) -> &str {
        match &self.home {
            Home::Database { url, .. } => url,
            Home::Directory(_) => panic!("an embedded installation has no database server"),
        }
    }
}

impl Drop for Installation {
    fn drop(&mut self) {
        self.stop();
    }
}

fn end(process: &mut Child) {
    // One that has ended already is as good.
    let _ended = process.kill().and_then(|()| process.wait());
}
