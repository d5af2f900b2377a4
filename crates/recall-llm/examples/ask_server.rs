//! Asks a model server what it would remember of a few turns, and shows what came back and what it used:
//! `printf 'user: I moved to Graz\n' | MODEL_KEY=… cargo run --example ask_server -- http://localhost:8080/v1 MODEL`.
#![allow(clippy::print_stdout, reason = "a command line tool answers on standard output")]

use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use recall_core::prompt::{Ask, AskTurn, Library};
use recall_core::turn::{Role, Said, TurnId};
use recall_llm::Extractor;
use recall_llm::budget::{Budget, Rates};
use recall_llm::openai::{OpenAi, Settings, Timeouts};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(base_url), Some(model)) = (arguments.next(), arguments.next()) else {
        return Err("usage: ask_server BASE_URL MODEL < TURNS".into());
    };
    let key = std::env::var("MODEL_KEY").unwrap_or_default();
    let patient = Duration::from_secs(600);
    let timeouts = Timeouts { read: patient, total: patient, ..Timeouts::default() };
    let settings = Settings { timeouts, ..Settings::new(&base_url, key.into(), &model) };
    let door = OpenAi::new(settings, Arc::new(Budget::new(Rates::default())))?;
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let turns = text.lines().enumerate().map(turn).collect();
    let ask = Ask {
        session: "session".into(),
        turns,
        context: Vec::new(),
        custom_instruction: None,
        prompt: Library::builtin().extract("v1")?.clone(),
    };
    let reply = door.extract(&ask).await?;
    for item in &reply.candidates {
        println!("{}", item.as_ref().map_or_else(|bad| Ok(bad.why.clone()), serde_json::to_string)?);
    }
    println!("{} | {:?} | {:?}", reply.extracted_by.model, reply.usage, reply.notes);
    Ok(())
}

fn turn((number, line): (usize, &str)) -> AskTurn {
    let (role, words) = match line.split_once(": ") {
        Some(("assistant", words)) => (Role::Assistant, words),
        Some(("user", words)) => (Role::User, words),
        Some(_) | None => (Role::User, line),
    };
    AskTurn { id: TurnId(format!("t{}", number + 1)), role, name: None, at: None, content: Said::new(words) }
}
