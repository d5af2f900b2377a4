//! Upkeep: settings of namespaces, keys, and sweeping away what is over its time.

pub(crate) mod details;

use recall_core::keys::Key;
use recall_core::settings::Settings;
use sqlx::Row;

use crate::batches::rows as batches;
use crate::dialect::Statement;
use crate::fence::{Reach, Work};
use crate::record::Swept;
use crate::repair::expire;
use crate::sql::{self, Arg};
use crate::{SqlStore, StoreError};

/// Microseconds of a day.
pub(crate) const DAY: i64 = 24 * 3600 * 1_000_000;

pub(crate) static PUT_SETTINGS: Statement = Statement::new(
    "INSERT INTO namespaces (namespace, settings, updated_at) VALUES ($1, {document $2}, {now})
    ON CONFLICT (namespace) DO UPDATE SET settings = excluded.settings, updated_at = excluded.updated_at",
);

pub(crate) static PROMPT_VERSIONS: Statement = Statement::new(
    "SELECT CAST({object}('namespace', n.namespace, 'version', n.settings ->> 'prompt_version') AS TEXT)
    FROM namespaces n ORDER BY n.namespace",
);

pub(crate) static FIX_KEY: Statement = Statement::new(
    "INSERT INTO hash_keys (key_id, proof, created_at) VALUES ($1, $2, {now}) ON CONFLICT (key_id) DO NOTHING",
);

pub(crate) static KEY_PROOFS: Statement = Statement::new("SELECT key_id, proof FROM hash_keys ORDER BY key_id");

pub(crate) static SWEEP_WINDOWS: Statement = Statement::new(
    "UPDATE sessions SET last_turns = '[]', ring = '[]'
    WHERE window_expires <= {now} AND (last_turns <> '[]' OR ring <> '[]')",
);

/// That a dead letter ended is kept even where nobody decided: its call must not seem to be on its way for ever.
pub(crate) static NOTE_OLD_LETTERS: Statement = Statement::new(
    "INSERT INTO call_events (call_id, namespace, event, class, reason, actor, times, first_at, last_at)
    SELECT d.id, d.namespace, 'dropped', d.class, 'nobody decided within 14 days', 'sweep', 1, {now}, {now}
    FROM dead_letters d WHERE d.died_at <= $1",
);

pub(crate) static SWEEP_DEAD_LETTERS: Statement = Statement::new("DELETE FROM dead_letters WHERE died_at <= $1");

/// What was dropped stays for ever: its id is all that is left of it.
pub(crate) static SWEEP_EVENTS: Statement =
    Statement::new("DELETE FROM call_events WHERE last_at <= {now} - 1209600000000 AND event <> 'dropped'");

pub(crate) static SWEEP_WORKERS: Statement = Statement::new("DELETE FROM workers WHERE seen_at <= {now} - 3600000000");

pub(crate) static SWEEP_DOORS: Statement = Statement::new("DELETE FROM doors WHERE seen_at <= {now} - 3600000000");

pub(crate) static NOW: Statement = Statement::new("SELECT CAST({now} AS TEXT)");

pub(crate) async fn put_settings(store: &SqlStore, namespace: &str, settings: &Settings) -> Result<(), StoreError> {
    let mut work = store.begin(Reach::Tenant(namespace)).await?;
    let args = vec![Arg::from(namespace), sql::json(settings)?];
    sql::execute(&mut work, store.text(&PUT_SETTINGS), args).await?;
    Ok(work.commit().await?)
}

/// A namespace with settings of its own, and the version of the prompt they choose.
#[derive(serde::Deserialize)]
struct Chosen {
    namespace: String,
    version: Option<String>,
}

pub(crate) async fn prompt_versions(store: &SqlStore) -> Result<Vec<(String, String)>, StoreError> {
    let mut connection = store.reader(Reach::Every(Work::Operator)).await?;
    let chosen: Vec<Chosen> = sql::many(&mut connection, store.text(&PROMPT_VERSIONS), Vec::new()).await?;
    let standard = Settings::default().prompt_version;
    Ok(chosen.into_iter().map(|one| (one.namespace, one.version.unwrap_or_else(|| standard.clone()))).collect())
}

/// What is wrong with the keys of a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyFault {
    /// The key of this id has another secret than before.
    Other(String),
    /// Hashes were made with the key of this id, and it is not kept.
    Missing(String),
}

/// Writes down which keys are used, each with a proof of its secret; what is wrong with them, where something is.
pub(crate) async fn fix_keys(store: &SqlStore) -> Result<Option<KeyFault>, StoreError> {
    let mut work = store.begin(Reach::Every(Work::Keys)).await?;
    let known = sql::rows(&mut work, store.text(&KEY_PROOFS), Vec::new()).await?;
    for row in known {
        let (id, proof): (String, String) = (row.try_get("key_id")?, row.try_get("proof")?);
        let Some(key) = store.keys.get(&id) else { return Ok(Some(KeyFault::Missing(id))) };
        if proof_of(key) != proof {
            return Ok(Some(KeyFault::Other(id)));
        }
    }
    for key in store.keys.all() {
        let args = vec![Arg::from(key.id()), Arg::Text(proof_of(key))];
        sql::execute(&mut work, store.text(&FIX_KEY), args).await?;
    }
    work.commit().await?;
    Ok(None)
}

fn proof_of(key: &Key) -> String {
    key.fingerprint(&["hash key", key.id()])
}

/// Removes what is over its time.
pub(crate) async fn sweep(store: &SqlStore) -> Result<Swept, StoreError> {
    let dead_letters = sweep_dead_letters(store).await?;
    let each = async |statement: &'static Statement| -> Result<u64, StoreError> {
        let mut work = store.begin(Reach::Every(Work::Sweep)).await?;
        let removed = sql::execute(&mut work, store.text(statement), Vec::new()).await?;
        work.commit().await?;
        Ok(removed)
    };
    let swept = Swept {
        expired: 0,
        dead_letters,
        windows: each(&SWEEP_WINDOWS).await?,
        details: 0,
        spans: 0,
        events: each(&SWEEP_EVENTS).await?,
        workers: each(&SWEEP_WORKERS).await? + each(&SWEEP_DOORS).await?,
        states: each(&batches::SWEEP_SESSIONS).await? + each(&batches::SWEEP_TURNS).await?,
    };
    // Last, the one that takes a table for itself and the one that judges: what stops them does not stop the rest.
    let (details, spans) = details::sweep(store).await?;
    Ok(Swept { expired: expire::expire(store).await?, details, spans, ..swept })
}

/// Removes letters nobody decided about and notes it, by one moment: none goes without its note.
async fn sweep_dead_letters(store: &SqlStore) -> Result<u64, StoreError> {
    let mut work = store.begin(Reach::Every(Work::Sweep)).await?;
    let now: i64 = sql::one(&mut work, store.text(&NOW), Vec::new()).await?.unwrap_or_default();
    let over = || vec![Arg::Number(now - 14 * DAY)];
    sql::execute(&mut work, store.text(&NOTE_OLD_LETTERS), over()).await?;
    let removed = sql::execute(&mut work, store.text(&SWEEP_DEAD_LETTERS), over()).await?;
    work.commit().await?;
    Ok(removed)
}
