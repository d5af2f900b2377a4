//! The installation under attack: doors and workers of the release binary on servers of the soak's own, and the ways to hurt them.

use std::collections::BTreeSet;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rand::RngExt;
use rand::rngs::StdRng;
use recall_tests::{Counts, Place, Sent};
use sqlx::{AssertSqlSafe, Connection, Row};

use super::pause;

const DOORS: usize = 2;
const WORKERS: usize = 3;
const PARTITIONS: u32 = 16;

/// What is done to the installation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A worker ends as in a power cut.
    KillWorker,
    /// A worker is told to end and given time.
    StopWorker,
    /// A worker stands still for longer than its heartbeat counts.
    FreezeWorker,
    /// A door ends as in a power cut.
    KillDoor,
    /// The database ends at once and is started again.
    KillPostgres,
    /// Every connection to the database is cut.
    CutConnections,
    /// The broker ends as in a power cut and is started again.
    KillRabbit,
    /// The number of partitions changes.
    Repartition,
    /// The database answers nothing for half a minute and then goes on.
    FreezePostgres,
    /// The broker answers nothing for longer than its heartbeat counts, and then goes on.
    FreezeRabbit,
}

impl Fault {
    /// The `number`-th of so many: in each third of a long run both servers stand still once, else it is by chance.
    pub(crate) fn nth(number: u32, of: u32, chance: &mut StdRng) -> Self {
        match (of >= 90, number % (of / 3).max(1)) {
            (true, 10) => Self::FreezePostgres,
            (true, 20) => Self::FreezeRabbit,
            (_, _) => Self::by_chance(chance),
        }
    }

    /// Processes of ours most often, servers sometimes.
    fn by_chance(chance: &mut StdRng) -> Self {
        match chance.random_range(0..100) {
            0..55 => Self::KillWorker,
            55..65 => Self::StopWorker,
            65..70 => Self::FreezeWorker,
            70..86 => Self::KillDoor,
            86..92 => Self::CutConnections,
            92..96 => Self::KillPostgres,
            96..98 => Self::KillRabbit,
            _ => Self::Repartition,
        }
    }
}

/// Doors, workers and servers.
pub(crate) struct Fleet {
    binary: PathBuf,
    settings: Vec<(String, String)>,
    ports: Vec<u16>,
    doors: Vec<Child>,
    workers: Vec<Child>,
    poison: BTreeSet<String>,
    largest_kib: u64,
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set; run tests/soak"))
}

impl Fleet {
    pub(crate) async fn start() -> Self {
        let setting = |name: &str, value: &str| (format!("RECALL__{name}"), value.to_owned());
        let settings = vec![
            setting("STORE__URL", &variable("DATABASE_URL")),
            setting("QUEUE__URL", &variable("AMQP_URL")),
            setting("QUEUE__PARTITIONS", &PARTITIONS.to_string()),
            setting("KEYS__SECRET", "a secret of the soak"),
            setting("WORKER__RETRY_SECONDS", "[1, 1, 2, 4, 8, 16, 30, 60]"),
            setting("WORKER__SNOOZE_SECONDS", "1"),
            setting("WORKER__DRAIN_SECONDS", "5"),
        ];
        let ports = (0..DOORS).map(|_| free_port()).collect();
        let binary = PathBuf::from(variable("RECALL_BINARY"));
        let (doors, workers) = (Vec::new(), Vec::new());
        let mut fleet = Self { binary, settings, ports, doors, workers, poison: BTreeSet::new(), largest_kib: 0 };
        let migrated = fleet.command(&["migrate"]).status().unwrap();
        assert!(migrated.success(), "the schema could not be made");
        for place in 0..DOORS {
            let door = fleet.door(place);
            fleet.doors.push(door);
        }
        for _ in 0..WORKERS {
            let worker = fleet.worker();
            fleet.workers.push(worker);
        }
        fleet
    }

    /// Where calls are posted.
    pub(crate) fn doors(&self) -> Vec<String> {
        self.ports.iter().map(|port| format!("http://127.0.0.1:{port}")).collect()
    }

    pub(crate) fn largest_worker_mib(&self) -> u64 {
        self.largest_kib / 1024
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command.args(args).envs(self.settings.iter().cloned());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn door(&self, place: usize) -> Child {
        let mut command = self.command(&["serve"]);
        command.env("RECALL__API__LISTEN", format!("127.0.0.1:{}", self.ports[place]));
        command.spawn().unwrap()
    }

    fn worker(&self) -> Child {
        self.command(&["work"]).spawn().unwrap()
    }

    /// Does it, and starts again what ended.
    pub(crate) async fn strike(&mut self, fault: Fault, chance: &mut StdRng) {
        self.weigh();
        let worker = chance.random_range(0..self.workers.len());
        let door = chance.random_range(0..self.doors.len());
        match fault {
            Fault::KillWorker => {
                end(&mut self.workers[worker]);
                self.workers[worker] = self.worker();
            }
            Fault::StopWorker => {
                signal(&self.workers[worker], "TERM");
                let fresh = self.worker();
                let mut old = std::mem::replace(&mut self.workers[worker], fresh);
                let told = Instant::now();
                while old.try_wait().unwrap().is_none() && told.elapsed() < Duration::from_secs(20) {
                    pause(50).await;
                }
                end(&mut old);
            }
            Fault::FreezeWorker => {
                signal(&self.workers[worker], "STOP");
                pause(chance.random_range(4_500..9_000)).await;
                signal(&self.workers[worker], "CONT");
            }
            Fault::KillDoor => {
                end(&mut self.doors[door]);
                self.doors[door] = self.door(door);
            }
            Fault::CutConnections => {
                let cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()";
                // A database that is just coming up has nothing to cut.
                let _cut = number(cut).await;
            }
            Fault::KillPostgres => shell(&variable("SOAK_KILL_POSTGRES")),
            Fault::KillRabbit => shell(&variable("SOAK_KILL_RABBITMQ")),
            Fault::FreezePostgres => freeze("postgresql").await,
            Fault::FreezeRabbit => freeze("rabbitmq").await,
            Fault::Repartition => {
                let partitions = chance.random_range(4..24_u32).to_string();
                // Refused while the change before is under way.
                let _begun = self.command(&["fleet", "repartition", &partitions]).status().unwrap();
            }
        }
        self.raise_the_dead();
    }

    /// A process that ended by itself, for example since its server was away at its start, is started again as a supervisor would.
    fn raise_the_dead(&mut self) {
        for place in 0..self.workers.len() {
            if self.workers[place].try_wait().unwrap().is_some() {
                self.workers[place] = self.worker();
            }
        }
        for place in 0..self.doors.len() {
            if self.doors[place].try_wait().unwrap().is_some() {
                self.doors[place] = self.door(place);
            }
        }
    }

    /// Lets everything come up again.
    pub(crate) async fn calm(&mut self) {
        for _ in 0..20 {
            self.raise_the_dead();
            pause(250).await;
        }
    }

    /// Notes how much memory the workers hold.
    fn weigh(&mut self) {
        for worker in &self.workers {
            let status = std::fs::read_to_string(format!("/proc/{}/status", worker.id())).unwrap_or_default();
            let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
            let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
            self.largest_kib = self.largest_kib.max(kib.unwrap_or_default());
        }
    }

    /// Puts a message into the queues that is no call.
    pub(crate) async fn plant_poison(&mut self, number: u32) {
        let id = format!("poison-{number}");
        for _ in 0..100 {
            if let Ok((generation, partitions)) = newest_generation().await {
                let key = format!("p{:02}", i64::from(number) % partitions);
                // The number of partitions may change in between; then the exchange is gone. What a broker that comes up refuses is not in it,
                // and one that goes down never confirms.
                let exchange = format!("recall.remember.g{generation}");
                let sent = tokio::time::timeout(Duration::from_secs(10), publish(&exchange, &key, &id)).await;
                if matches!(sent, Ok(Ok(true))) {
                    self.poison.insert(id);
                    return;
                }
            }
            pause(500).await;
        }
        panic!("the broker took no message for a minute");
    }

    /// Waits until nothing moves any more, then counts.
    pub(crate) async fn settled(&self, sent: &[Sent], patience: Duration) -> Counts {
        let place = Place { database: variable("DATABASE_URL"), broker: variable("AMQP_URL"), prefix: "recall".into() };
        let began = Instant::now();
        loop {
            // While a server is away there is nothing to count.
            if let Ok(ledger) = recall_tests::read(&place).await {
                let counts = Counts::of(sent, &ledger, &self.poison);
                if counts.is_right() || began.elapsed() > patience {
                    return counts;
                }
            }
            pause(1000).await;
        }
    }

    pub(crate) fn stop(&mut self) {
        self.doors.iter_mut().chain(&mut self.workers).for_each(end);
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        self.stop();
    }
}

fn end(process: &mut Child) {
    // One that has ended already is as good.
    let _ended = process.kill().and_then(|()| process.wait());
}

fn signal(process: &Child, name: &str) {
    shell(&format!("kill -{name} {}", process.id()));
}

async fn freeze(server: &str) {
    let signal = |name: &str| shell(&format!("{}_{server} {name}", variable("SOAK_SIGNAL")));
    signal("STOP");
    pause(30_000).await;
    signal("CONT");
}

fn shell(line: &str) {
    let status = Command::new("bash").args(["-c", line]).status().unwrap();
    assert!(status.success(), "failed: {line}");
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

async fn number(sql: &str) -> sqlx::Result<i64> {
    let mut connection = sqlx::PgConnection::connect(&variable("DATABASE_URL")).await?;
    sqlx::query(AssertSqlSafe(sql.to_owned())).fetch_one(&mut connection).await?.try_get(0)
}

/// Number and partitions of the generation calls go into.
async fn newest_generation() -> sqlx::Result<(i64, i64)> {
    let mut connection = sqlx::PgConnection::connect(&variable("DATABASE_URL")).await?;
    let newest = "SELECT generation, partitions FROM fleet ORDER BY generation DESC LIMIT 1";
    let row = sqlx::query(newest).fetch_one(&mut connection).await?;
    Ok((row.try_get(0)?, row.try_get(1)?))
}

/// Calls that came to their end.
pub(crate) async fn finished() -> sqlx::Result<i64> {
    number("SELECT count(*) FROM runs").await
}

/// Sends a message that is no call; whether the broker took it.
async fn publish(exchange: &str, key: &str, id: &str) -> lapin::Result<bool> {
    let connection = lapin::Connection::connect(&variable("AMQP_URL"), lapin::ConnectionProperties::default()).await?;
    let channel = connection.create_channel().await?;
    channel.confirm_select(lapin::options::ConfirmSelectOptions::default()).await?;
    let properties = lapin::BasicProperties::default().with_delivery_mode(2).with_message_id(id.into());
    let options = lapin::options::BasicPublishOptions::default();
    let confirm = channel.basic_publish(exchange.into(), key.into(), options, b"no call", properties).await?.await?;
    let taken = confirm.is_ack();
    if !taken {
        println!("{id} was refused by the broker and is sent again");
    }
    // Taken is taken, however the connection ends.
    let _closed = connection.close(200, "done".into()).await;
    Ok(taken)
}
