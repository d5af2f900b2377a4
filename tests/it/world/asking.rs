//! What a test asks of an installation: over HTTP, of its store, and until something is so.

use std::time::Duration;

use serde_json::Value;

use super::outside::{answer, execute, in_database};
use super::{Backends, PATIENCE, World};

impl World {
    /// Gets a page of any address as text.
    pub(crate) async fn page_at(&self, url: &str) -> String {
        self.http.get(url).send().await.unwrap().text().await.unwrap()
    }

    /// Posts a body to a path with headers.
    pub(crate) async fn post_to(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> (u16, Value) {
        let request = self.http.post(self.url(path)).json(body);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        answer(request.send().await.unwrap()).await
    }

    /// Sends a request in the name of a key or token, or of nobody; status and body.
    pub(crate) async fn ask_as(
        &self,
        bearer: Option<&str>,
        (method, path): (&str, &str),
        body: &Value,
    ) -> (u16, Value) {
        let method = reqwest::Method::from_bytes(method.as_bytes()).unwrap();
        let mut request = self.http.request(method.clone(), self.url(path));
        if let Some(bearer) = bearer {
            request = request.bearer_auth(bearer);
        }
        if method != reqwest::Method::GET && method != reqwest::Method::DELETE {
            request = request.json(body);
        }
        answer(request.send().await.unwrap()).await
    }

    /// Posts a body to `/v1/remember`.
    pub(crate) async fn post(&self, body: &Value) -> (u16, Value) {
        self.post_bytes(serde_json::to_vec(body).unwrap()).await
    }

    /// Posts a body to `/v1/remember`; the status, and after how many seconds to come back.
    pub(crate) async fn post_and_hear_when(&self, body: &Value) -> (u16, Option<u64>) {
        let response = self.http.post(self.url("/v1/remember")).json(body).send().await.unwrap();
        let after = response.headers().get("retry-after").and_then(|after| after.to_str().ok()?.parse().ok());
        (response.status().as_u16(), after)
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

    /// All memories of a query, page by page.
    pub(crate) async fn memories(&self, query: &str) -> Vec<Value> {
        let (mut found, mut cursor) = (Vec::new(), String::new());
        loop {
            let (status, page) = self.get(&format!("/v1/memories?limit=500&{query}{cursor}")).await;
            assert_eq!(status, 200, "{page}");
            found.extend(page["items"].as_array().unwrap().iter().cloned());
            match page["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return found,
            }
        }
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
        self.asked(sql).await.unwrap()
    }

    async fn asked(&self, sql: &str) -> sqlx::Result<i64> {
        use sqlx::{Connection as _, Row as _};
        sqlx::any::install_default_drivers();
        let url = match self.backends {
            Backends::Services => in_database(&self.servers.database, &self.name),
            Backends::Embedded => {
                let file = std::fs::read_dir(self.folder.path().join("data"))
                    .unwrap()
                    .filter_map(|entry| Some(entry.ok()?.path()))
                    .find(|path| path.extension().is_some_and(|end| end == "db" || end == "sqlite"))
                    .expect("a database file");
                format!("sqlite://{}?mode=ro", file.display())
            }
        };
        let mut connection = sqlx::AnyConnection::connect(&url).await?;
        let row = sqlx::query(sqlx::AssertSqlSafe(sql.to_owned())).fetch_one(&mut connection).await?;
        row.try_get(0)
    }

    /// Kills a process once a query gives this much. As soon as the query gives more than when the process was started, the process is
    /// frozen while it is asked, so that it is killed there and no further.
    pub(crate) async fn kill_at(&mut self, place: usize, sql: &str, (before, least): (i64, i64)) {
        let mut tick = tokio::time::interval(Duration::from_millis(2));
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let deadline = tokio::time::Instant::now() + PATIENCE;
        while self.asked(sql).await.is_ok_and(|number| number <= before) && tokio::time::Instant::now() < deadline {
            tick.tick().await;
        }
        while tokio::time::Instant::now() < deadline {
            self.signal(place, "STOP");
            // Frozen while it opens its database it may let nobody else in.
            if self.asked(sql).await.is_ok_and(|number| number >= least) {
                return self.kill(place);
            }
            self.signal(place, "CONT");
            tick.tick().await;
        }
        panic!("waited in vain for {least} of {sql}; the processes said:\n{}", self.log());
    }

    /// Runs a statement on the server of the database, past this installation's own.
    pub(crate) async fn tell_server(&self, sql: &str) {
        execute(&self.servers.database, sql).await;
    }

    /// Cuts every connection to the database of this installation.
    pub(crate) async fn cut_connections(&self) {
        let sql = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE pid <> pg_backend_pid() AND datname = current_database()";
        self.count(sql).await;
    }

    /// Posts and gets go to this address from now on, as `host:port`.
    pub(crate) fn reach_the_door_at(&mut self, address: &str) {
        self.address = Some(format!("http://{address}"));
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address.as_deref().expect("serve was called"))
    }
}
