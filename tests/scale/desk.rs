//! One process of the binary on a database of its own.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

pub(super) struct Desk {
    /// The URL of its database.
    pub(super) database: String,
    /// Where it answers.
    pub(super) address: String,
    name: String,
    folder: PathBuf,
    child: Child,
}

impl Desk {
    pub(super) async fn open() -> Self {
        let server = server();
        let name = format!("recall_scale_{:08x}", rand::random::<u32>());
        let (base, _) = server.rsplit_once('/').expect("DATABASE_URL names a database");
        let database = format!("{base}/{name}");
        let mut admin = PgConnection::connect(&server).await.unwrap();
        admin.execute(AssertSqlSafe(format!("CREATE DATABASE {name}"))).await.unwrap();
        let folder = std::env::temp_dir().join(&name);
        assert!(recall(&database, &folder, &["migrate"]).status().unwrap().success());
        let (child, address) = serve(&database, &folder);
        Self { database, address, name, folder, child }
    }

    pub(super) async fn close(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        let mut admin = PgConnection::connect(&server()).await.unwrap();
        admin.execute(AssertSqlSafe(format!("DROP DATABASE {} WITH (FORCE)", self.name))).await.unwrap();
        let _gone = std::fs::remove_dir_all(&self.folder);
    }
}

fn server() -> String {
    std::env::var("DATABASE_URL").expect("DATABASE_URL names a server")
}

fn recall(database: &str, folder: &Path, args: &[&str]) -> Command {
    let binary = std::env::var("RECALL_BINARY").unwrap_or_else(|_| "target/release/recall".into());
    let mut command = Command::new(binary);
    command.args(args).env("RECALL__STORE__URL", database).env("RECALL__QUEUE__URL", "embedded");
    command.env("RECALL__DATA_DIR", folder).env("RECALL__API__LISTEN", "127.0.0.1:0");
    command.env("RECALL__KEYS__SECRET", "a secret of the tests").env("RECALL__MODEL__PROVIDER", "rules");
    command
}

fn serve(database: &str, folder: &Path) -> (Child, String) {
    let mut child = recall(database, folder, &["serve"]).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let place = lines.find_map(|line| Some(line.ok()?.split_once("recall serves http://")?.1.to_owned())).unwrap();
    // Its log is read on, so that it never waits for a reader.
    std::thread::spawn(move || lines.for_each(drop));
    (child, format!("http://{}", place.split_whitespace().next().unwrap()))
}
