//! Calls and ports for the tests of this crate.

use std::sync::Arc;

use recall_core::call::{Call, Lane, Mode};
use recall_core::id::TraceId;
use recall_core::keys::{Key, KeyRing};
use recall_core::moment::Moment;
use recall_core::scope::{Owner, Scope};
use recall_core::turn::{AtSource, Role, Said, Turn, TurnId};
use recall_llm::Extractor;
use recall_store::{Limits, Opening, SqlStore, Store};
use recall_worker::Ports;
use recall_worker::metrics::Metrics;
use recall_worker::scopes::Scopes;
use tempfile::TempDir;

/// A migrated store in a directory of its own.
pub(crate) async fn store() -> (Arc<SqlStore>, TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let limits = Limits::default();
    let opening = Opening { keys: keys(), actor: "worker:test".into(), limits, defaults: Default::default() };
    let store = SqlStore::sqlite(directory.path(), "http://127.0.0.1:1", opening).unwrap();
    store.migrate().await.unwrap();
    (Arc::new(store), directory)
}

fn keys() -> KeyRing {
    KeyRing::new(Key::new("k1", b"a key for tests".to_vec()), Vec::new())
}

/// Everything a call is driven with.
pub(crate) fn ports(store: Arc<dyn Store>, extractor: impl Extractor + 'static) -> Ports {
    Ports {
        store,
        prompts: recall_core::prompt::Library::builtin(),
        extractor: Arc::new(extractor),
        judge: None,
        keys: Arc::new(keys()),
        metrics: Arc::new(Metrics::new().unwrap()),
        schedule: Arc::default(),
        scopes: Arc::new(Scopes::default()),
        company: Arc::default(),
        join_trace: |_, _| {},
    }
}

/// A call of one turn, said at this hour.
pub(crate) fn call(session: &str, number: u64, hour: &str, said: &str) -> Call {
    let at: jiff::Timestamp = format!("2025-03-04T{hour}:00:00Z").parse().unwrap();
    let at = Moment::new(at, jiff::tz::Offset::UTC);
    let turn = Turn {
        id: TurnId("t1".into()),
        role: Role::User,
        content: Said::new(said),
        at: Some(at),
        at_source: AtSource::Stated,
        name: None,
        scope: None,
    };
    Call {
        trace_id: TraceId::from_idempotency_key(keys().current(), "n", &number.to_string()),
        scope: Scope::new("n".into(), Owner::User("ana".into()), None).unwrap(),
        session_id: Some(session.into()),
        turns: vec![turn],
        metadata: serde_json::Map::new(),
        expires_at: None,
        mode: Mode::Infer,
        lane: Lane::Live,
        batch: None,
        accepted_at: at,
        remarks: Vec::new(),
    }
}
