//! What a bad hour of 10,000 calls costs to take back and to restore, and how long others wait meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures::{StreamExt, stream};
use recall_tests::call;
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection, Row};
use tokio::task::JoinSet;

use super::desk::Desk;

/// Sessions, each of a person of its own, and calls of each of them.
const SESSIONS: u32 = 400;
const CALLS: u32 = 25;

/// What counts now, as a reader sees it: of which person what is said, and whether it stands.
const SEEN: &str = "SELECT count(*), count(*) FILTER (WHERE status = 'active'),
    coalesce(md5(string_agg(memory_id || status || round(confidence::numeric, 9) || content, ',' ORDER BY memory_id)), '')
    FROM memories WHERE deleted_at IS NULL AND namespace = 'default' AND scope_id IN (SELECT scope_id FROM scopes WHERE owner LIKE 'user-%')";

pub(super) async fn run() {
    let desk = Desk::open().await;
    let http = reqwest::Client::new();
    let mut rows = PgConnection::connect(&desk.database).await.unwrap();
    let posts = stream::iter((0..SESSIONS).map(|session| post_all(&http, &desk.address, session)));
    posts.buffer_unordered(16).collect::<Vec<()>>().await;
    let mut tick = tokio::time::interval(Duration::from_millis(200));
    while number(&mut rows, "SELECT count(*) FROM runs").await < i64::from(SESSIONS * CALLS) {
        tick.tick().await;
    }
    let before = seen(&mut rows).await;
    println!("{} calls, {} memories, {} of them active", SESSIONS * CALLS, before.0, before.1);
    let until = number(&mut rows, "SELECT max(committed_at) / 1000000 + 1 FROM runs").await;
    let until = jiff::Timestamp::from_second(until).unwrap().to_string();
    let stop = Arc::<AtomicBool>::default();
    let mut watcher = JoinSet::new();
    watcher.spawn(watch(http.clone(), desk.address.clone(), Arc::clone(&stop)));
    for (verb, dry_run) in [("forget", true), ("forget", false), ("restore", false)] {
        let began = Instant::now();
        let (mut requests, mut calls, mut left) = (0, 0, 1);
        while left > 0 && (requests == 0 || !dry_run) {
            let body = json!({ "since": "2001-01-01T00:00:00Z", "until": until, "dry_run": dry_run, "reason": "a measurement" });
            let answer = http.post(format!("{}/v1/traces/{verb}", desk.address)).json(&body).send().await.unwrap();
            assert!(answer.status().is_success(), "{}", answer.text().await.unwrap());
            let done: Value = answer.json().await.unwrap();
            left = done["left"].as_u64().unwrap();
            calls += done["traces"].as_u64().unwrap();
            requests += 1;
        }
        let now = seen(&mut rows).await;
        println!(
            "{verb}{}: {calls} calls in {:.1} s and {requests} requests, {left} left; {} memories count now",
            if dry_run { " (dry run)" } else { "" },
            began.elapsed().as_secs_f64(),
            now.1
        );
        assert_eq!(now == before, dry_run || verb == "restore", "{verb}");
    }
    stop.store(true, Ordering::Relaxed);
    let (posts, longest_post, longest_read) = watcher.join_next().await.unwrap().unwrap();
    println!(
        "meanwhile another person posted and read {posts} times: longest {:.0} and {:.0} ms",
        longest_post.as_secs_f64() * 1000.0,
        longest_read.as_secs_f64() * 1000.0
    );
    rows.close().await.unwrap();
    desk.close().await;
}

async fn post_all(http: &reqwest::Client, address: &str, session: u32) {
    for seq in 0..CALLS {
        let (body, _) = call(session, seq);
        let answer = http.post(format!("{address}/v1/remember")).json(&body).send().await.unwrap();
        assert_eq!(answer.status().as_u16(), 202, "{}", answer.text().await.unwrap());
    }
}

/// Posts and reads as somebody else, over and over: how often, and the longest of each.
async fn watch(http: reqwest::Client, address: String, stop: Arc<AtomicBool>) -> (u32, Duration, Duration) {
    let (mut times, mut longest_post, mut longest_read) = (0, Duration::ZERO, Duration::ZERO);
    let mut tick = tokio::time::interval(Duration::from_millis(50));
    while !stop.load(Ordering::Relaxed) {
        tick.tick().await;
        let (mut body, _) = call(1_000_000, times);
        body["scope"]["user_id"] = "somebody else".into();
        let began = Instant::now();
        let answer = http.post(format!("{address}/v1/remember")).json(&body).send().await.unwrap();
        assert_eq!(answer.status().as_u16(), 202);
        longest_post = longest_post.max(began.elapsed());
        let began = Instant::now();
        let answer = http.get(format!("{address}/v1/memories?user_id=somebody%20else&limit=10")).send().await.unwrap();
        assert!(answer.status().is_success());
        longest_read = longest_read.max(began.elapsed());
        times += 1;
    }
    (times, longest_post, longest_read)
}

async fn number(rows: &mut PgConnection, sql: &'static str) -> i64 {
    sqlx::query(sql).fetch_one(rows).await.unwrap().get(0)
}

async fn seen(rows: &mut PgConnection) -> (i64, i64, String) {
    let row = sqlx::query(SEEN).fetch_one(rows).await.unwrap();
    (row.get(0), row.get(1), row.get(2))
}
