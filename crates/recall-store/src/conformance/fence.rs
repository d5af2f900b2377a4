//! The second fence, tried as a role that owns nothing and passes over no policy.

use sqlx::{AnyConnection, AssertSqlSafe, Connection, Executor, Row};

use super::ground::{Ground, make_role, opening};
use super::people::{lives, memories, tell};
use crate::dialect::{Dialect, Statement};
use crate::fence::{Reach, Work};
use crate::memory::MEMORY;
use crate::sql::{self, Arg};
use crate::stored_memory::StoredMemory;
use crate::tables::{Bound, TABLES};
use crate::{SqlStore, StoreError};

/// May read and write every table, and owns none.
const GUEST: &str = "recall_test_guest";
/// Written before anything is known of a call but its id; holds ids of calls and times.
const UNFENCED: &[&str] = &["attempts"];

async fn guest(ground: &Ground) -> AnyConnection {
    make_role(GUEST).await;
    ground
        .as_superuser(&format!("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {GUEST}"))
        .await;
    AnyConnection::connect(&Ground::address_of(GUEST, ground.database())).await.unwrap()
}

fn fenced() -> impl Iterator<Item = &'static str> {
    let tables = TABLES.iter().filter(|table| matches!(table.bound, Bound::To(_)));
    tables.map(|table| table.name).filter(|name| !UNFENCED.contains(name))
}

/// A row in every fenced table, all of the tenant `shop`.
async fn fill(ground: &Ground) {
    tell(ground, "u1", "s1", 1, &[lives("Graz", 1), lives("Linz", 2)]).await;
    for text in [
        "INSERT INTO namespaces (namespace, settings, updated_at) VALUES ('shop', '{}', 1)",
        "INSERT INTO bindings (namespace, kind, id, holder) VALUES ('shop', 'turn', 't', 'u')",
        "INSERT INTO erasures (owner_hash, key_id, erased_at) VALUES ('h', 'k1', 1)",
        "INSERT INTO api_keys (key_id, namespace, role, label, prefix, secret_hash, hash_key, created_at, created_by)
            VALUES ('key_1', 'shop', 'admin', 'l', 'p', 'h', 'k1', 1, 'x')",
        "INSERT INTO parked (trace_id, namespace, session_key, slot, lane, body, attempts, not_before, revision, why, parked_at)
            VALUES ('trc_1', 'shop', 'k', 0, 'live', '', 0, 0, 0, 'x', 1)",
        "INSERT INTO dead_letters (id, namespace, class, reason, attempts, body, died_at) VALUES ('d', 'shop', 'c', 'r', 1, '', 1)",
        "INSERT INTO call_events (call_id, namespace, event, class, reason, actor, times, first_at, last_at)
            VALUES ('d', 'shop', 'died', 'c', 'r', 'a', 1, 1, 1)",
        "INSERT INTO staged_calls (trace_id, namespace, batch, scope_id, session_pk, turn_ids)
            SELECT trace_id, 'shop', 'run_1', scope_id, session_pk, '[]' FROM runs LIMIT 1",
        "INSERT INTO calls_aside (trace_id, batch, scope_id) SELECT trace_id, 'run_1', scope_id FROM runs LIMIT 1",
        "INSERT INTO swapped_places (batch, memory_id, scope_id, superseded_by)
            SELECT 'run_1', memory_id, scope_id, memory_id FROM memories LIMIT 1",
        "INSERT INTO disputes (memory_id, scope_id, opened_at, opened_revision)
            SELECT memory_id, scope_id, 1, 1 FROM memories LIMIT 1",
        "INSERT INTO entity_aliases (entity_id, alias_key, alias) SELECT entity_id, 'a', 'A' FROM entities LIMIT 1",
        "INSERT INTO names_said (trace_id, ordinal, scope_id, entity_id, name, name_key)
            SELECT r.trace_id, 9, r.scope_id, e.entity_id, 'A', 'a' FROM runs r JOIN entities e ON e.scope_id = r.scope_id LIMIT 1",
        "INSERT INTO entity_merges (from_id, into_id, scope_id, moved, merged_at)
            SELECT entity_id, entity_id, scope_id, '{}', 1 FROM entities LIMIT 1",
        "INSERT INTO suppressions (suppression_id, scope_id, entities, polarity, attribute, parts, normaliser, key_id, created_at)
            SELECT 'rsp_1', scope_id, '[]', 'positive', 'a', '[]', 1, 'k1', 1 FROM scopes LIMIT 1",
        "INSERT INTO spans (trace_id, ordinal, expires_at, stage, started_ns, took_ns, items, dropped)
            SELECT trace_id, 0, 1, 's', 0, 0, 0, '[]' FROM runs LIMIT 1",
        "INSERT INTO batches (batch_id, namespace, status, spec, command_hash, archive_hash, calls, turns, actor, created_at, changed_at)
            VALUES ('run_1', 'shop', 'running', '{}', 'c', 'a', 1, 1, 'x', 1, 1)",
        "INSERT INTO batch_sessions (batch_id, session_pk, scope_id, version, last_turns, ring)
            SELECT 'run_1', session_pk, scope_id, 1, '[]', '[]' FROM sessions LIMIT 1",
        "INSERT INTO batch_turns (batch_id, session_pk, turn_id) SELECT 'run_1', session_pk, 't' FROM sessions LIMIT 1",
        "INSERT INTO run_details (trace_id, expires_at, turns, verdicts, notes)
            SELECT trace_id, 1, '[]', '[]', '[]' FROM runs ON CONFLICT DO NOTHING",
    ] {
        ground.raw(text).await.unwrap();
    }
}

/// Rows of each fenced table that a connection finds when a transaction begins like this.
async fn found(connection: &mut AnyConnection, begin: &str) -> Vec<(&'static str, i64)> {
    let mut counts = Vec::new();
    for table in fenced() {
        connection.execute(sqlx::raw_sql(AssertSqlSafe(begin.to_owned()))).await.unwrap();
        let row = sqlx::query(AssertSqlSafe(format!("SELECT count(*) FROM {table}"))).fetch_one(&mut *connection).await;
        counts.push((table, row.unwrap().get(0)));
        connection.execute("ROLLBACK").await.unwrap();
    }
    counts
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_statement_without_a_where_finds_the_rows_of_its_own_tenant_alone() {
    let ground = Ground::postgres().await;
    fill(&ground).await;
    let mut guest = guest(&ground).await;
    for (table, rows) in found(&mut guest, &Reach::Tenant("shop").begin()).await {
        assert!(rows > 0, "{table} has no row to hide");
    }
    for (table, rows) in found(&mut guest, &Reach::Every(Work::Sweep).begin()).await {
        assert!(rows > 0, "{table} is hidden from work across tenants");
    }
    for begin in [Reach::Tenant("stall").begin(), Reach::Tenant("").begin(), "BEGIN".to_owned()] {
        for (table, rows) in found(&mut guest, &begin).await {
            assert_eq!(rows, 0, "{table} after {begin}");
        }
    }
    // The setting ended with its transaction.
    guest.execute(sqlx::raw_sql(AssertSqlSafe(Reach::Tenant("shop").begin()))).await.unwrap();
    guest.execute("COMMIT").await.unwrap();
    let row = sqlx::query("SELECT count(*) FROM memories").fetch_one(&mut guest).await.unwrap();
    assert_eq!(row.get::<i64, _>(0), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_written_into_another_tenant() {
    let ground = Ground::postgres().await;
    fill(&ground).await;
    let mut guest = guest(&ground).await;
    for text in [
        "INSERT INTO scopes (key, namespace, owner_kind, owner, agent, created_at) VALUES ('x', 'shop', 'user', 'x', '', 1)",
        "INSERT INTO bindings (namespace, kind, id, holder) VALUES ('shop', 'turn', 'x', 'u')",
        "INSERT INTO erasures (owner_hash, key_id, erased_at, namespace) VALUES ('x', 'k1', 1, 'shop')",
    ] {
        for begin in [Reach::Tenant("stall").begin(), "BEGIN".to_owned()] {
            guest.execute(sqlx::raw_sql(AssertSqlSafe(begin))).await.unwrap();
            let refused = guest.execute(sqlx::raw_sql(text)).await;
            let message = refused.err().map(|error| error.to_string()).unwrap_or_default();
            assert!(message.contains("row-level security"), "{text}: {message}");
            guest.execute("ROLLBACK").await.unwrap();
        }
    }
    guest.execute(sqlx::raw_sql(AssertSqlSafe(Reach::Tenant("stall").begin()))).await.unwrap();
    let changed = guest.execute("UPDATE scopes SET owner = 'x'").await.unwrap();
    assert_eq!(changed.rows_affected(), 0);
}

/// The statement that reads one memory, with the condition on its tenant forgotten.
async fn forgetful(store: &SqlStore, id: &str) -> Result<bool, StoreError> {
    let text = MEMORY.sql(Dialect::Postgres);
    let forgotten = text.replace(" AND m.namespace = $2", "");
    assert_ne!(text, forgotten);
    let mut reader = store.reader(Reach::Tenant("stall")).await?;
    let found: Option<StoredMemory> = sql::one(&mut reader, AssertSqlSafe(forgotten), vec![Arg::from(id)]).await?;
    Ok(found.is_some())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_forgotten_condition_leaks_without_the_fence_and_not_with_it() {
    let ground = Ground::postgres().await;
    tell(&ground, "u1", "s1", 1, &[lives("Graz", 1)]).await;
    let id = memories(&ground, "u1").await[0].id.clone();
    drop(guest(&ground).await);
    assert!(!ground.store.passes_over_policies().await.unwrap());
    let store = SqlStore::postgres(&Ground::address_of(GUEST, ground.database()), opening(2)).unwrap();
    assert!(!forgetful(&store, id.as_str()).await.unwrap(), "the fence holds what the statement forgot");
    for table in fenced() {
        ground.as_superuser(&format!("ALTER TABLE {table} DISABLE ROW LEVEL SECURITY")).await;
    }
    assert!(forgetful(&store, id.as_str()).await.unwrap(), "without the fence the statement leaks: the test can fail");
}

/// Forgets its condition on the tenant.
static COUNT: Statement = Statement::new("SELECT CAST(count(*) AS TEXT) FROM memories");

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fence_inside_the_statement_holds_for_that_statement_alone() {
    let ground = Ground::postgres().await;
    tell(&ground, "u1", "s1", 1, &[lives("Graz", 1)]).await;
    drop(guest(&ground).await);
    let store = SqlStore::postgres(&Ground::address_of(GUEST, ground.database()), opening(1)).unwrap();
    for (tenant, found) in [("shop", 1), ("stall", 0), ("", 0), ("shop", 1)] {
        let there: Option<i64> = store.one_of_tenant(&COUNT, tenant, Vec::new()).await.unwrap();
        assert_eq!(there, Some(found), "{tenant:?}");
        let unfenced: Option<i64> =
            sql::one(&mut store.plain_reader().await.unwrap(), COUNT.sql(Dialect::Postgres), Vec::new()).await.unwrap();
        assert_eq!(unfenced, Some(0), "the setting ends with its statement");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_table_of_tenants_is_fenced_for_its_owner_too() {
    let ground = Ground::postgres().await;
    let forced = "SELECT CAST(c.relname AS TEXT) FROM pg_class c JOIN pg_policies p ON p.tablename = c.relname
        WHERE c.relrowsecurity AND c.relforcerowsecurity ORDER BY c.relname";
    let rows = sqlx::query(forced).fetch_all(&ground.store.reading).await.unwrap();
    let there: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    let mut expected: Vec<&str> = fenced().collect();
    expected.sort_unstable();
    assert_eq!(there, expected);
    // Parts of a table that are asked for by their own name.
    let open = "SELECT count(*) FROM pg_class WHERE relispartition AND relkind = 'r' AND NOT (relrowsecurity AND relforcerowsecurity)";
    ground.store.sweep().await.unwrap();
    assert_eq!(ground.number(open).await, 0);
}
