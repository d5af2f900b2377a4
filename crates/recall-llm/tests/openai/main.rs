//! The door to OpenAI-compatible servers against a server that does everything servers were seen to do.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod faults;
mod judge;
mod protocol;
mod server;
mod standing_in;

use std::sync::Arc;
use std::time::Duration;

use recall_core::prompt::{Ask, AskTurn, Library};
use recall_core::turn::{Role, Said, TurnId};
use recall_llm::budget::{Budget, Rates};
use recall_llm::openai::{OpenAi, Settings, Timeouts};

/// Settings for a test server: short limits of time.
fn settings(url: &str) -> Settings {
    Settings {
        timeouts: Timeouts {
            connect: Duration::from_secs(2),
            read: Duration::from_millis(400),
            total: Duration::from_millis(1_500),
        },
        ..Settings::new(url, "sk-test-key".to_owned().into(), "small-model")
    }
}

fn door(settings: Settings) -> OpenAi {
    OpenAi::new(settings, Arc::new(Budget::new(Rates::default()))).unwrap()
}

fn turn(id: &str, words: &str) -> AskTurn {
    AskTurn { id: TurnId(id.into()), role: Role::User, name: None, at: None, content: Said::new(words) }
}

fn ask(turns: Vec<AskTurn>) -> Ask {
    let prompt = Library::builtin().extract("v1").unwrap().clone();
    Ask { session: "s1".into(), turns, context: Vec::new(), custom_instruction: None, prompt }
}

fn small_talk() -> Ask {
    ask(vec![turn("t1", "I ski a lot these days")])
}
