//! An installation of a test's own: the real binary on the embedded backends or on real services, driven by verbs.
//! Dropping it ends its processes and removes its database and queues.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

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
        // A second call finds the provider in place, which is as good.
        let _first = rustls::crypto::ring::default_provider().install_default();
        let folder = tempfile::tempdir().unwrap();
        let name = format!("recall_it_{:016x}", rand::random::<u64>());
        let mut world = Self {
            backends,
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
            let server = database_url();
            execute(&server, &format!("CREATE DATABASE {}", world.name)).await;
            world.set("STORE__URL", &in_database(&server, &world.name));
            world.set("QUEUE__URL", &amqp_url());
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
        self.start(&["work"], "recall worker ");
        self.processes.len() - 1
    }

    /// Starts a worker that answers those who watch it; where.
    pub(crate) fn work_watched(&mut self) -> String {
        self.set("WORKER__LISTEN", "127.0.0.1:0");
        self.start(&["work"], "recall answers ")
    }

    /// Gets a page of any address as text.
    pub(crate) async fn page_at(&self, url: &str) -> String {
        self.http.get(url).send().await.unwrap().text().await.unwrap()
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
        // The queues are there once the door is ready; an exchange without them would take the message and lose it.
        self.until("the door to be ready", || async { (self.get("/readyz").await.0 == 200).then_some(()) }).await;
        let connection = lapin::Connection::connect(&amqp_url(), lapin::ConnectionProperties::default()).await.unwrap();
        let channel = connection.create_channel().await.unwrap();
        channel.confirm_select(lapin::options::ConfirmSelectOptions::default()).await.unwrap();
        let properties = lapin::BasicProperties::default().with_message_id(id.into()).with_delivery_mode(2);
        let exchange = format!("{}.remember.g1", self.name);
        let options = lapin::options::BasicPublishOptions::default();
        let sent = channel.basic_publish(exchange.as_str().into(), routing_key.into(), options, body, properties);
        assert!(sent.await.unwrap().await.unwrap().is_ack());
        connection.close(200, "OK".into()).await.unwrap();
    }

    /// Takes the database away for good.
    pub(crate) async fn lose_database(&self) {
        execute(&database_url(), &format!("DROP DATABASE {} WITH (FORCE)", self.name)).await;
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

    /// Posts a body to a path with headers.
    pub(crate) async fn post_to(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> (u16, Value) {
        let request = self.http.post(self.url(path)).json(body);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        answer(request.send().await.unwrap()).await
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

    /// Posts a body to `/v1/remember`.
    pub(crate) async fn post(&self, body: &Value) -> (u16, Value) {
        self.post_bytes(serde_json::to_vec(body).unwrap()).await
    }

    /// Posts bytes to `/v1/remember`.
    pub(crate) async fn post_bytes(&self, body: Vec<u8>) -> (u16, Value) {
        let request = self.http.post(self.url("/v1/remember")).header("content-type", "application/json").body(body);
        answer(request.send().await.unwrap()).await
    }

    /// Has a call accepted; its trace id.
    pub(crate) async fn remember(&self, body: &Value) -> String {
        let (status, answer) = self.post(body).await;
        assert_eq!(status, 202, "{answer}");
        answer["trace_id"].as_str().unwrap().to_owned()
    }

    /// Gets a path; status and body.
    pub(crate) async fn get(&self, path: &str) -> (u16, Value) {
        answer(self.http.get(self.url(path)).send().await.unwrap()).await
    }

    /// Sends a JSON body to a path; status and answer.
    pub(crate) async fn send(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let method = reqwest::Method::from_bytes(method.as_bytes()).unwrap();
        answer(self.http.request(method, self.url(path)).json(body).send().await.unwrap()).await
    }

    /// Sends a JSON body to a path that takes it; the answer.
    pub(crate) async fn done_with(&self, method: &str, path: &str, body: &Value) -> Value {
        let (status, answer) = self.send(method, path, body).await;
        assert_eq!(status, 200, "{method} {path}: {answer}");
        answer
    }

    /// Status of a path asked for with a header.
    pub(crate) async fn get_with(&self, path: &str, (name, value): (&str, &str)) -> u16 {
        self.http.get(self.url(path)).header(name, value).send().await.unwrap().status().as_u16()
    }

    /// Gets a path as text.
    pub(crate) async fn page(&self, path: &str) -> String {
        self.http.get(self.url(path)).send().await.unwrap().text().await.unwrap()
    }

    /// Waits until a trace is in one of these states.
    pub(crate) async fn trace_until(&self, id: &str, states: &[&str]) -> Value {
        self.until(&format!("trace {id} to be {states:?}"), || async {
            let (status, trace) = self.get(&format!("/v1/traces/{id}")).await;
            let reached = status == 200 && states.contains(&trace["status"].as_str().unwrap_or_default());
            reached.then_some(trace)
        })
        .await
    }

    /// Waits until a trace is done.
    pub(crate) async fn done(&self, id: &str) -> Value {
        self.trace_until(id, &["done"]).await
    }

    /// Memories of a query.
    pub(crate) async fn memories(&self, query: &str) -> Vec<Value> {
        let (status, page) = self.get(&format!("/v1/memories?limit=500&{query}")).await;
        assert_eq!(status, 200, "{page}");
        page["items"].as_array().unwrap().clone()
    }

    /// Waits until a question has an answer.
    pub(crate) async fn until<T, F: Future<Output = Option<T>>>(&self, what: &str, ask: impl Fn() -> F) -> T {
        let mut tick = tokio::time::interval(Duration::from_millis(50));
        // A question that takes longer than that leaves time for the servers of this test.
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let asking = async {
            loop {
                tick.tick().await;
                if let Some(found) = ask().await {
                    return found;
                }
            }
        };
        match tokio::time::timeout(PATIENCE, asking).await {
            Ok(found) => found,
            Err(_) => panic!("waited in vain for {what}; the processes said:\n{}", self.log()),
        }
    }

    /// Runs a query on the store and gives its first number. The text must be the same in both dialects.
    pub(crate) async fn count(&self, sql: &str) -> i64 {
        use sqlx::Row as _;
        sqlx::any::install_default_drivers();
        let url = match self.backends {
            Backends::Services => in_database(&database_url(), &self.name),
            Backends::Embedded => {
                let file = std::fs::read_dir(self.folder.path().join("data"))
                    .unwrap()
                    .filter_map(|entry| Some(entry.ok()?.path()))
                    .find(|path| path.extension().is_some_and(|end| end == "db" || end == "sqlite"))
                    .expect("a database file");
                format!("sqlite://{}?mode=ro", file.display())
            }
        };
        let mut connection = <sqlx::AnyConnection as sqlx::Connection>::connect(&url).await.unwrap();
        let row = sqlx::query(sqlx::AssertSqlSafe(sql.to_owned())).fetch_one(&mut connection).await.unwrap();
        row.get::<i64, _>(0)
    }

    /// Folder of this installation.
    pub(crate) fn folder(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address.as_deref().expect("serve was called"))
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
            let name = self.name.clone();
            let swept = std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                runtime.block_on(async {
                    execute(&database_url(), &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
                    drop_queues(&name).await;
                });
            });
            assert!(swept.join().is_ok() || std::thread::panicking(), "the test left something behind");
        }
    }
}

/// A server of the test's own; where it listens.
#[allow(
    clippy::disallowed_methods,
    reason = "the server ends with the test's process and holds no call of the product"
)]
pub(crate) async fn stand_in(router: axum::Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::task::spawn(async move { axum::serve(listener, router).await });
    address
}

/// A call of one user turn.
pub(crate) fn one_turn(user: &str, session: &str, id: &str, words: &str) -> Value {
    json!({
        "scope": { "user_id": user }, "session_id": session,
        "messages": [{ "id": id, "role": "user", "content": words, "timestamp": "2026-03-02T18:10:00+01:00" }],
    })
}

/// Text of bytes a process printed.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The binary beside this test's own.
fn binary() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let binary = own.parent().and_then(|deps| deps.parent()).unwrap().join("recall");
    assert!(binary.is_file(), "{} is missing: run `cargo build -p recall` first, as tests/run does", binary.display());
    binary
}

pub(crate) fn database_url() -> String {
    std::env::var("DATABASE_URL").unwrap_or_else(|_| "postgres://postgres@127.0.0.1:5432/postgres".into())
}

pub(crate) fn amqp_url() -> String {
    std::env::var("AMQP_URL").unwrap_or_else(|_| "amqp://guest:guest@127.0.0.1:5672/%2f".into())
}

fn in_database(server: &str, name: &str) -> String {
    let (before, _) = server.rsplit_once('/').unwrap();
    format!("{before}/{name}")
}

async fn execute(url: &str, sql: &str) {
    use sqlx::Executor as _;
    sqlx::any::install_default_drivers();
    let mut connection = <sqlx::AnyConnection as sqlx::Connection>::connect(url)
        .await
        .unwrap_or_else(|error| panic!("PostgreSQL is needed (DATABASE_URL): {error}"));
    connection.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned()))).await.unwrap();
}

/// Removes what a prefix declared; what is not there is as good as removed.
async fn drop_queues(prefix: &str) {
    let connection = lapin::Connection::connect(&amqp_url(), lapin::ConnectionProperties::default()).await.unwrap();
    let mut queues = vec![format!("{prefix}.dead"), format!("{prefix}.unrouted")];
    for partition in 0..PARTITIONS {
        queues.extend(["remember", "bulk"].map(|lane| format!("{prefix}.{lane}.g1.p{partition:02}")));
    }
    for queue in queues {
        let channel = connection.create_channel().await.unwrap();
        let _gone = channel.queue_delete(queue.as_str().into(), lapin::options::QueueDeleteOptions::default()).await;
    }
    for exchange in ["remember.g1", "bulk.g1", "dlx", "unrouted"] {
        let channel = connection.create_channel().await.unwrap();
        let name = format!("{prefix}.{exchange}");
        let _gone =
            channel.exchange_delete(name.as_str().into(), lapin::options::ExchangeDeleteOptions::default()).await;
    }
}

async fn answer(response: reqwest::Response) -> (u16, Value) {
    let status = response.status().as_u16();
    let body = response.text().await.unwrap();
    (status, serde_json::from_str(&body).unwrap_or(Value::String(body)))
}
