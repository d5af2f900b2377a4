//! What servers do when they fail, and what of it may be seen.

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use recall_core::class::Class;
use recall_core::prompt::Reply;
use recall_llm::budget::{Budget, Rates};
use recall_llm::openai::OpenAi;
use recall_llm::{Extractor, LlmError, Outage};

use crate::server::{Act, Server, body, candidates, fails, says};
use crate::{ask, door, settings, small_talk, turn};

async fn outcome(act: Act) -> (Result<Reply, LlmError>, usize) {
    let server = Server::with(vec![act]).await;
    let outcome = door(settings(&server.url)).extract(&small_talk()).await;
    (outcome, server.asked().len())
}

#[tokio::test]
async fn a_429_is_handed_back_with_its_wait_and_never_retried_here() {
    let with = |headers: Vec<(&'static str, &str)>| {
        let headers = headers.into_iter().map(|(name, value)| (name, value.to_owned())).collect();
        Act::Answer(429, headers, "slow down".into())
    };
    let date = ("date", "Tue, 03 Mar 2026 10:00:00 GMT");
    let table = [
        (with(vec![("retry-after", "7")]), 7.0..=7.0),
        (with(vec![("retry-after-ms", "250"), ("retry-after", "9")]), 0.25..=0.25),
        (with(vec![("retry-after", "Tue, 03 Mar 2026 10:01:00 GMT"), date]), 60.0..=60.0),
        (with(vec![("retry-after", "99999999999")]), 3600.0..=3600.0),
        (with(vec![("retry-after", "gibberish")]), 1.5..=2.5),
        (with(vec![("retry-after", "0")]), 1.5..=2.5),
        (Act::Endless(429, vec![("retry-after", "7".into())]), 7.0..=7.0),
        (with(vec![]), 1.5..=2.5),
    ];
    for (act, wait) in table {
        let shown = format!("{act:?}");
        let (outcome, asked) = outcome(act).await;
        let Err(LlmError::Limited { retry_after: Some(named) }) = outcome else { panic!("{shown}: {outcome:?}") };
        assert!(wait.contains(&named.as_secs_f64()), "{shown}: {named:?}");
        assert_eq!(asked, 1);
    }
}

#[tokio::test]
async fn after_a_429_the_key_sends_nothing_until_the_wait_is_over() {
    let limited = Act::Answer(429, vec![("retry-after", "600".into())], String::new());
    let server = Server::with(vec![limited, says(&candidates(&["t1"]))]).await;
    let door = door(settings(&server.url));
    door.extract(&small_talk()).await.unwrap_err();
    let error = door.extract(&small_talk()).await.unwrap_err();
    assert!(matches!(error.class(), Class::Busy { retry_after: Some(wait) } if wait > Duration::from_secs(590)));
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn a_spent_limit_in_the_headers_closes_the_door_before_the_429() {
    let headers =
        vec![("x-ratelimit-remaining-requests", "0".to_owned()), ("x-ratelimit-reset-requests", "5m".to_owned())];
    let server = Server::with(vec![Act::Answer(200, headers, body(&candidates(&["t1"]), "stop"))]).await;
    let door = door(settings(&server.url));
    door.extract(&small_talk()).await.unwrap();
    let closed = door.extract(&small_talk()).await;
    assert!(matches!(&closed, Err(LlmError::Away(away)) if away.why == Outage::Limited), "{closed:?}");
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn the_status_survives_every_shape_of_error() {
    let html = "<!doctype html><html><body>Bad gateway</body></html>";
    let table = [
        (fails(500, html), "model server failed (status 500)"),
        (fails(502, html), "model server failed (status 502)"),
        (
            fails(503, r#"{"error":{"message":"Loading model","type":"unavailable_error","code":503}}"#),
            "model server failed (status 503)",
        ),
        (
            fails(401, r#"{"error":{"message":"Invalid API Key","code":401}}"#),
            "model server rejected the key or the model (status 401)",
        ),
        (fails(403, ""), "model server rejected the key or the model (status 403)"),
        (
            fails(404, r#"{"error":{"code":"model_not_found"}}"#),
            "model server rejected the key or the model (status 404)",
        ),
        (
            fails(400, r#"{"object":"error","message":"bad","type":"BadRequestError","param":null,"code":400}"#),
            "model server refuses the request (status 400)",
        ),
        (fails(418, "plain text"), "model server refuses the request (status 418)"),
        (fails(302, ""), "model server failed (status 302)"),
    ];
    for (act, said) in table {
        let (outcome, asked) = outcome(act).await;
        assert_eq!((outcome.unwrap_err().to_string().as_str(), asked), (said, 1));
    }
}

#[tokio::test]
async fn a_success_that_is_none_is_an_error() {
    let table = [
        (Act::Answer(200, vec![], "<html>ok</html>".into()), "response of the server is not JSON"),
        (Act::Answer(200, vec![], r#"{"choices":[]}"#.into()), "response holds no choices"),
        (Act::Answer(200, vec![], r#"{"error":{"message":"x"}}"#.into()), "response is an error with status 200"),
        (
            Act::Answer(200, vec![], r#"{"choices":[{"message":{"content":"{\"cand"#.into()),
            "response of the server is not JSON",
        ),
        (Act::Answer(200, vec![], "x".repeat(5 * 1024 * 1024)), "response exceeds 4194304 bytes"),
    ];
    for (act, why) in table {
        let (outcome, _) = outcome(act).await;
        let error = outcome.unwrap_err();
        assert!(matches!(&error, LlmError::Unusable { why: said } if said == why), "{error}");
        assert_eq!(error.class(), Class::Transient);
    }
}

#[tokio::test]
async fn refusals_and_filters_are_not_taken_for_nothing_to_remember() {
    let refusal = r#"{"choices":[{"message":{"content":null,"refusal":"I cannot"},"finish_reason":"stop"}]}"#;
    for act in [Act::Answer(200, vec![], refusal.into()), crate::server::finishes("", "content_filter")] {
        let (outcome, asked) = outcome(act).await;
        assert_eq!(outcome.unwrap_err().to_string(), "reply of the model could not be used: model would not answer");
        assert_eq!(asked, 1, "asking again would be refused again");
    }
}

#[tokio::test]
async fn silence_dripping_and_cut_connections_end_within_their_limits() {
    let whole = body(&candidates(&["t1"]), "stop");
    for act in [Act::Hang, Act::Drip(whole.clone(), Duration::from_millis(100)), Act::Cut(whole), Act::Close] {
        let shown: String = format!("{act:?}").chars().take(12).collect();
        let begun = Instant::now();
        let (outcome, _) = outcome(act).await;
        assert!(matches!(outcome, Err(LlmError::Unreachable(_))), "{shown}: {outcome:?}");
        assert!(begun.elapsed() < Duration::from_secs(4), "{shown}: {:?}", begun.elapsed());
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_unreachable() {
    let error = door(settings("http://127.0.0.1:9/v1")).extract(&small_talk()).await.unwrap_err();
    assert!(matches!(error, LlmError::Unreachable(Some(_))), "{error:?}");
}

#[tokio::test]
async fn requests_beyond_the_rate_are_refused_here_and_not_by_the_server() {
    let server = Server::with(vec![says(&candidates(&["t1"]))]).await;
    let rates = Rates { requests_per_minute: 22, longest_wait: Duration::ZERO, ..Rates::default() };
    let door = OpenAi::new(settings(&server.url), Arc::new(Budget::new(rates))).unwrap();
    let mut refused = 0;
    for _ in 0..10 {
        refused +=
            usize::from(matches!(door.extract(&small_talk()).await, Err(LlmError::Limited { retry_after: Some(_) })));
    }
    assert_eq!((server.asked().len(), refused), (2, 8));
}

/// Keeps everything that is logged at any level by anyone.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn words_of_people_and_keys_show_up_in_no_error_and_no_log() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_span_events(tracing_subscriber::fmt::format::FmtSpan::FULL)
        .with_writer(move || writer.clone())
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let echo = r#"{"error":{"message":"cannot read: marmaladefish","code":"x"}}"#;
    let acts = [
        says("marmaladefish is no JSON"),
        says(&candidates(&["t1"]).replace("User skis", "User owns a marmaladefish")),
        fails(400, echo),
        fails(500, "<html>marmaladefish</html>"),
        fails(429, "marmaladefish"),
        Act::Answer(200, vec![], "marmaladefish".into()),
        Act::Answer(
            200,
            vec![],
            r#"{"choices":[{"message":{"content":"marmaladefish"},"finish_reason":"odd"}]}"#.into(),
        ),
        Act::Cut("marmaladefish".into()),
        Act::Close,
    ];
    let mut seen = String::new();
    for act in acts {
        let server = Server::with(vec![act]).await;
        let url = server.url.replace("http://", "http://name:sk-test-key@");
        match door(settings(&url)).extract(&ask(vec![turn("t1", "I have a marmaladefish")])).await {
            Ok(reply) => seen.push_str(&reply.notes.join("\n")),
            Err(error) => seen.push_str(&format!("{error} {error:?} {:?}", std::error::Error::source(&error))),
        }
        assert!(!server.asked().is_empty());
    }
    seen.push_str(&format!("{:?}", settings("http://localhost/v1")));
    let logged = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(logged.contains("outside"), "the log is really kept");
    for secret in ["marmaladefish", "sk-test-key"] {
        assert!(!seen.contains(secret), "{seen}");
        let line = logged.lines().find(|line| line.contains(secret));
        assert_eq!(line, None);
    }
}
