//! A model server of the tests' own: it answers by a script and keeps what it was asked.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// What the server does with a request.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    /// Status, headers, body.
    Answer(u16, Vec<(&'static str, String)>, String),
    /// Says nothing, for ever.
    Hang,
    /// Sends the body in pieces with pauses.
    Drip(String, Duration),
    /// Promises more bytes than it sends, and closes.
    Cut(String),
    /// Closes without a word.
    Close,
    /// Status and head, and then a body that never ends.
    Endless(u16, Vec<(&'static str, String)>),
}

/// A request as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) line: String,
    pub(crate) head: String,
    pub(crate) body: Value,
}

impl Asked {
    /// The words of all messages of a role.
    pub(crate) fn words(&self, role: &str) -> String {
        let messages = self.body["messages"].as_array().unwrap();
        let of_role = messages.iter().filter(|message| message["role"] == role);
        of_role.map(|message| message["content"].as_str().unwrap()).collect::<Vec<_>>().join("\n")
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
    }
}

/// Decides what to do by the request and its number, from 0.
pub(crate) type Script = Arc<dyn Fn(usize, &Asked) -> Act + Send + Sync>;

pub(crate) struct Server {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    _tasks: JoinSet<()>,
}

impl Server {
    /// Answers by a list; its last entry answers everything after.
    pub(crate) async fn with(acts: Vec<Act>) -> Self {
        Self::by(Arc::new(move |number, _| acts[number.min(acts.len() - 1)].clone())).await
    }

    pub(crate) async fn by(script: Script) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let mut tasks = JoinSet::new();
        let log = asked.clone();
        tasks.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let (script, log) = (script.clone(), log.clone());
                connections.spawn(async move {
                    serve(stream, &script, &log).await;
                });
            }
        });
        Self { url, asked, _tasks: tasks }
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

async fn serve(mut stream: TcpStream, script: &Script, log: &Mutex<Vec<Asked>>) {
    while let Some(asked) = request(&mut stream).await {
        let number = {
            let mut log = log.lock().unwrap();
            log.push(asked.clone());
            log.len() - 1
        };
        if !act(&mut stream, script(number, &asked)).await {
            return;
        }
    }
}

async fn act(stream: &mut TcpStream, act: Act) -> bool {
    match act {
        Act::Answer(status, headers, body) => {
            let mut head = format!("HTTP/1.1 {status} Whatever\r\ncontent-length: {}\r\n", body.len());
            for (name, value) in headers {
                head.push_str(&format!("{name}: {value}\r\n"));
            }
            stream.write_all(format!("{head}\r\n{body}").as_bytes()).await.is_ok()
        }
        Act::Hang => std::future::pending().await,
        Act::Drip(body, pause) => {
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
            stream.write_all(head.as_bytes()).await.unwrap();
            let mut pauses = tokio::time::interval(pause);
            for byte in body.bytes() {
                pauses.tick().await;
                if stream.write_all(&[byte]).await.is_err() {
                    return false;
                }
            }
            true
        }
        Act::Cut(body) => {
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len() + 100);
            stream.write_all(head.as_bytes()).await.unwrap();
            false
        }
        Act::Close => false,
        Act::Endless(status, headers) => {
            let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
            let head = format!("HTTP/1.1 {status} Whatever\r\ncontent-length: 1000\r\n{headers}\r\n<html>");
            stream.write_all(head.as_bytes()).await.unwrap();
            std::future::pending().await
        }
    }
}

async fn request(stream: &mut TcpStream) -> Option<Asked> {
    let mut bytes = Vec::new();
    let mut buffer = vec![0; 64 * 1024];
    let head_end = loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 4;
        }
        let read = stream.read(&mut buffer).await.ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(buffer.get(..read)?);
    };
    let head = String::from_utf8(bytes.get(..head_end)?.to_vec()).ok()?;
    let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let length: usize = length.unwrap_or_default();
    while bytes.len() < head_end + length {
        let read = stream.read(&mut buffer).await.ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(buffer.get(..read)?);
    }
    let body = serde_json::from_slice(bytes.get(head_end..)?).ok()?;
    Some(Asked { line: head.lines().next()?.to_owned(), head, body })
}

/// A success with these words.
pub(crate) fn says(words: &str) -> Act {
    finishes(words, "stop")
}

pub(crate) fn finishes(words: &str, reason: &str) -> Act {
    Act::Answer(200, vec![], body(words, reason))
}

pub(crate) fn body(words: &str, reason: &str) -> String {
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1_760_000_000, "model": "small-model-0301",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": words}, "finish_reason": reason}],
        "usage": {"prompt_tokens": 400, "completion_tokens": 100, "total_tokens": 500,
                  "prompt_tokens_details": {"cached_tokens": 300}}
    })
    .to_string()
}

/// An error with this status and body.
pub(crate) fn fails(status: u16, body: &str) -> Act {
    Act::Answer(status, vec![], body.into())
}

/// A reply with one candidate per turn id.
pub(crate) fn candidates(turns: &[&str]) -> String {
    let items: Vec<Value> = turns
        .iter()
        .map(|turn| {
            json!({
                "evidence": [{"turn_id": turn, "quote": "I ski"}], "content": "User skis", "memory_type": "fact",
                "subject": "user", "attribute": "hobby", "value": "skiing", "polarity": "positive",
                "time_expression": null, "confidence": 0.9
            })
        })
        .collect();
    json!({ "candidates": items }).to_string()
}
