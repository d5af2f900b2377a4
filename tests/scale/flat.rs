//! Whether finding the memories of a trace stays flat: the same question over 10,000 and over 1,000,000 memories, through HTTP.

use std::time::{Duration, Instant};

use serde_json::Value;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, Row};

use super::desk::Desk;

/// Memories of one trace.
const OF_A_TRACE: u64 = 5;
/// Memories before and after.
const SIZES: [u64; 2] = [10_000, 1_000_000];
/// Questions at each size.
const QUESTIONS: u64 = 200;

/// Rows of a table for the traces `$1` to `$2`; `t` is the number of the trace and `m` that of a memory of it.
const ROWS: [&str; 9] = [
    "INSERT INTO extractors SELECT 'x', 'none', 'none', '', 1, 'extract', 'v1', '' WHERE $1 = 1",
    "INSERT INTO scopes (scope_id, key, namespace, owner_kind, owner, agent, revision, created_at) OVERRIDING SYSTEM VALUE
        SELECT t, 'scope ' || t, 'default', 'user', 'u' || t, '', 1, t FROM generate_series($1, $2) t",
    "INSERT INTO sessions (session_pk, scope_id, session_id, version, last_turns, ring, window_expires, created_at) OVERRIDING SYSTEM VALUE
        SELECT t, t, 's', 1, '[]', '[]', 0, t FROM generate_series($1, $2) t",
    "INSERT INTO turns SELECT t, 't1', t, 'user', NULL, t, 0, 'stated', '', 'k' FROM generate_series($1, $2) t",
    "INSERT INTO entities SELECT 'ent_' || lpad(t::text, 26, '0'), t, 'user', 'user', 'user', NULL, t FROM generate_series($1, $2) t",
    "INSERT INTO runs SELECT 'trc_' || lpad(t::text, 26, '0'), 'default', t, t, 0, 'x', t, 0, t, t, 0, 1, 5, 5, 0, 0, 0, 0, '', 'k', 1, NULL
        FROM generate_series($1, $2) t",
    "INSERT INTO memories (memory_id, scope_id, namespace, session_pk, anchor_source, content, memory_type, subject_id, attribute, value,
            polarity, confidence, importance, precision, status, single_valued, metadata, created_at, access_count, claim_key, occurrence,
            extractor, extracted_at, trace_id, changed_revision)
        SELECT 'mem_' || lpad((t * 5 + m)::text, 26, '0'), t, 'default', t, 0, 'User likes thing ' || (t * 5 + m), 'preference',
            'ent_' || lpad(t::text, 26, '0'), 'likes', 'thing ' || (t * 5 + m), 'positive', 0.9, 0.5, 'unknown', 'active', 0, '{}', t, 0,
            'key ' || (t * 5 + m), '', 'x', t, 'trc_' || lpad(t::text, 26, '0'), 1
        FROM generate_series($1, $2) t, generate_series(0, 4) m",
    "INSERT INTO sources SELECT 'mem_' || lpad((t * 5 + m)::text, 26, '0'), 0, t, t, 't1', 'trc_' || lpad(t::text, 26, '0'), 'call',
            'I like thing ' || (t * 5 + m), 0, 14, 0
        FROM generate_series($1, $2) t, generate_series(0, 4) m",
    "INSERT INTO statements SELECT 'trc_' || lpad(t::text, 26, '0'), m, 'mem_' || lpad((t * 5 + m)::text, 26, '0'), t, '{}', 0, 0, NULL
        FROM generate_series($1, $2) t, generate_series(0, 4) m",
];

/// What the tables were read by, so far.
#[derive(Debug, Clone, Copy)]
struct Scans {
    /// Reads of a whole table.
    whole: i64,
    by_trace: i64,
}

pub(super) async fn run() {
    let desk = Desk::open().await;
    let mut rows = PgConnection::connect(&desk.database).await.unwrap();
    // Whose rows they are: what no statement says, the fence fills in.
    rows.execute("SET recall.namespace = 'default'").await.unwrap();
    let mut medians = Vec::new();
    let mut filled = 0;
    for size in SIZES {
        fill(&mut rows, filled / OF_A_TRACE + 1, size / OF_A_TRACE).await;
        filled = size;
        let before = scans(&mut rows).await;
        let median = ask(&desk.address, size / OF_A_TRACE).await;
        let after = scans(&mut rows).await;
        println!(
            "{size} memories: median of {QUESTIONS} questions {:.2} ms; {} reads by the index of traces, {} of a whole table",
            median.as_secs_f64() * 1000.0,
            after.by_trace - before.by_trace,
            after.whole - before.whole
        );
        medians.push(median.as_secs_f64());
    }
    println!("ratio {:.2}", medians[1] / medians[0]);
    rows.close().await.unwrap();
    desk.close().await;
}

/// Fills in traces of these numbers, each with its memories.
async fn fill(rows: &mut PgConnection, first: u64, last: u64) {
    let mut work = rows.begin().await.unwrap();
    for sql in ROWS {
        let statement = AssertSqlSafe(sql.replace("$1", &first.to_string()).replace("$2", &last.to_string()));
        work.execute(statement).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
    work.commit().await.unwrap();
    rows.execute("VACUUM ANALYZE").await.unwrap();
}

/// Asks for the memories of traces spread over all of them; the median time.
async fn ask(address: &str, traces: u64) -> Duration {
    let http = reqwest::Client::new();
    let mut took = Vec::new();
    for question in 0..QUESTIONS + 20 {
        let trace = 1 + question * 7919 % traces;
        let began = Instant::now();
        let answer = http.get(format!("{address}/v1/memories?trace_id=trc_{trace:026}")).send().await.unwrap();
        let page: Value = answer.json().await.unwrap();
        // The first ones wake the pool up.
        took.extend((question >= 20).then(|| began.elapsed()));
        assert_eq!(page["items"].as_array().map(Vec::len), Some(OF_A_TRACE as usize), "{page}");
    }
    took.sort();
    took[took.len() / 2]
}

async fn scans(rows: &mut PgConnection) -> Scans {
    // The server tells what it counted about a second late.
    rows.execute("SELECT pg_sleep(2)").await.unwrap();
    rows.execute("SELECT pg_stat_clear_snapshot()").await.unwrap();
    let whole =
        "SELECT CAST(sum(seq_scan) AS BIGINT) FROM pg_stat_user_tables WHERE relname IN ('memories', 'sources')";
    let by_trace = "SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = 'sources_of_trace'";
    let number = |row: sqlx::postgres::PgRow| row.get::<i64, _>(0);
    Scans {
        whole: rows.fetch_one(whole).await.map(number).unwrap(),
        by_trace: rows.fetch_one(by_trace).await.map(number).unwrap(),
    }
}
