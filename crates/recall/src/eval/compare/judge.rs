//! The judge outside the pipeline: asked about each memory that no label decides, once, and kept in a file.

use std::collections::BTreeSet;
use std::path::Path;

use indicatif::ProgressBar;
use recall_core::moment::Moment;
use recall_core::prompt::{AskTurn, Doubt, Doubts, judging};
use recall_core::turn::{Role, Said, TurnId};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::decide::{Opinion, by_judge};
use super::set::Conversation;
use super::trial::{Stored, Trial};
use crate::config::{Config, Provider};
use crate::eval::second::Second;
use crate::wire;

/// What the judge was asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    /// Memories it was asked about now.
    pub asked: usize,
    /// Of these, without an answer.
    pub silent: usize,
    /// Tokens it used now.
    pub tokens: u64,
}

/// Decides every memory that labels leave open; without a file of answers nobody is asked.
///
/// # Errors
/// A file that cannot be used, an answer that is missing while no judge is configured.
pub(crate) async fn decide(
    trials: &mut [Trial],
    conversations: &[Conversation],
    (answers, config): (Option<&Path>, &Config),
    progress: &ProgressBar,
) -> anyhow::Result<Asked> {
    let mut second = answers.map(Second::open).transpose()?;
    let mut asked = Asked::default();
    if let Some(second) = &mut second {
        ask_open(second, trials, conversations, config, progress, &mut asked).await?;
    }
    for trial in trials {
        let Some(conversation) = of(conversations, trial) else { continue };
        for memory in &mut trial.memories {
            let opinion = match &second {
                None => Opinion::NoJudge,
                Some(second) => {
                    second.known(&key(&doubts(memory, conversation))).map_or(Opinion::Silent, Opinion::Said)
                }
            };
            by_judge(memory, conversation.labels.is_some(), opinion);
        }
    }
    Ok(asked)
}

async fn ask_open(
    second: &mut Second,
    trials: &[Trial],
    conversations: &[Conversation],
    config: &Config,
    progress: &ProgressBar,
    asked: &mut Asked,
) -> anyhow::Result<()> {
    let mut open: Vec<Doubts> = Vec::new();
    for trial in trials {
        let Some(conversation) = of(conversations, trial) else { continue };
        let undecided = trial.memories.iter().filter(|memory| memory.found.supported.is_none());
        for doubts in undecided.map(|memory| doubts(memory, conversation)) {
            if second.known(&key(&doubts)).is_none() && !open.contains(&doubts) {
                open.push(doubts);
            }
        }
    }
    let Some(first) = open.first() else { return Ok(()) };
    anyhow::ensure!(
        config.model.provider == Provider::Openai,
        "the file of the judge holds no answer about {} memories, the first of request {}, and no judge is configured (model.provider = \"openai\", model.judge_model)",
        open.len(),
        key(first)
    );
    let judge = wire::judge(config)?;
    progress.set_length(u64::try_from(open.len()).unwrap_or(u64::MAX));
    for doubts in &open {
        asked.asked += 1;
        match judge.judge(doubts, 0).await {
            Ok(judged) => {
                asked.tokens += judged.usage.prompt_tokens + judged.usage.completion_tokens;
                asked.silent += usize::from(judged.opinions.of_key(&key(doubts)).is_none());
                second.keep(doubts, &judged.opinions)?;
            }
            Err(_) => asked.silent += 1,
        }
        progress.inc(1);
    }
    Ok(())
}

fn of<'c>(conversations: &'c [Conversation], trial: &Trial) -> Option<&'c Conversation> {
    conversations.iter().find(|conversation| conversation.id == trial.conversation)
}

/// A memory as a question: its turns with the turn before each.
fn doubts(memory: &Stored, conversation: &Conversation) -> Doubts {
    let messages = conversation.sessions.iter().flat_map(|session| &session.messages);
    let turns: Vec<AskTurn> = messages.map(turn).collect();
    let cited = memory.quotes.iter().filter_map(|quote| turns.iter().position(|turn| turn.id.as_str() == quote.turn));
    let shown: BTreeSet<usize> = cited.flat_map(|at| at.checked_sub(1).into_iter().chain([at])).collect();
    let claims = vec![Doubt { key: String::new(), claim: memory.content.clone(), turns: shown }];
    keyed(Doubts { turns, claims })
}

fn turn(message: &Value) -> AskTurn {
    let text = |field: &str| message.get(field).and_then(Value::as_str).map(str::to_owned);
    let role = match text("role").as_deref() {
        Some("assistant") => Role::Assistant,
        Some("system") => Role::System,
        Some("tool") => Role::Tool,
        Some(_) | None => Role::User,
    };
    AskTurn {
        id: TurnId(text("id").unwrap_or_default()),
        role,
        name: text("name"),
        at: text("timestamp").and_then(|at| at.parse::<Moment>().ok()),
        content: Said::new(text("content").unwrap_or_default()),
    }
}

/// The key of a question: all a judge is shown.
fn keyed(mut doubts: Doubts) -> Doubts {
    let Some(prompt) = judging() else { return doubts };
    let (_, shown) = recall_core::prompt::render_doubts(&doubts, prompt);
    let digest = Sha256::digest(format!("{}\n{shown}", prompt.sha256).as_bytes());
    let key = hex::encode(digest.iter().take(16).copied().collect::<Vec<u8>>());
    doubts.claims.iter_mut().for_each(|doubt| doubt.key.clone_from(&key));
    doubts
}

fn key(doubts: &Doubts) -> String {
    doubts.claims.first().map(|doubt| doubt.key.clone()).unwrap_or_default()
}
