//! What archives hold and what reading them would take, before anything is done.

use std::ops::ControlFlow;

use recall_core::call::Call;
use recall_core::prompt::{Ask, AskTurn};
use recall_core::turn::{Role, Turn};
use recall_llm::cost::{cost_micros, is_priced};
use recall_llm::tokens;
use serde::Serialize;

use super::reader::{Cut, Found, each};
use super::{Identity, Job};
use crate::config::{Config, Provider};

/// Bad lines that are told of; the rest are counted.
const TOLD: usize = 100;
/// Tokens of a reply for each turn that is read: what labelled conversations come to (0.4 claims a turn, each with its quote).
const REPLY_TOKENS_A_TURN: u64 = 50;

/// What the archives hold.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// Calls, those with nothing left included: the order counts them.
    pub calls: u64,
    /// Turns of them.
    pub turns: u64,
    /// Turns that were said before their person was erased.
    pub refused: u64,
    /// Lines that cannot be read.
    pub bad: u64,
    /// The first of them, as people are told.
    pub told: Vec<String>,
    /// What reading them would take.
    pub estimate: Estimate,
}

/// What reading the archives would take at the most: calls that were done before, or have nothing worth a request, take less.
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
pub(crate) struct Estimate {
    /// Conversations.
    pub conversations: u64,
    /// Calls with a turn to read.
    pub calls: u64,
    /// Turns.
    pub turns: u64,
    /// Tokens of prompts.
    pub prompt_tokens: u64,
    /// Tokens of replies, by what labelled conversations come to.
    pub completion_tokens: u64,
    /// In millionths of the price table's currency unit; `None` where the table has no price for the model.
    pub cost_micros: Option<u64>,
    /// With the rate limits and as many requests at once as are configured.
    pub seconds: u64,
}

/// Reads the archives of a job once, and works out what feeding them would take.
///
/// # Errors
/// A file that cannot be opened or unpacked.
pub(crate) fn survey(job: &Job, config: &Config) -> anyhow::Result<Survey> {
    let mut survey = Survey::default();
    let constant = count(tokens::constant(&job.identity.prompt));
    each(job, crate::clock::now(), &mut |found| {
        match found {
            Found::Bad(line) => {
                survey.bad += 1;
                if survey.told.len() < TOLD {
                    survey.told.push(line);
                }
            }
            Found::Calls(cuts) => survey.add(job, constant, &cuts),
        }
        ControlFlow::Continue(())
    })?;
    let estimate = &mut survey.estimate;
    estimate.cost_micros = cost(&job.identity, config, estimate);
    estimate.seconds = seconds(config, estimate);
    Ok(survey)
}

impl Survey {
    fn add(&mut self, job: &Job, constant: u64, cuts: &[Cut]) {
        self.estimate.conversations += 1;
        let mut before: Vec<Turn> = Vec::new();
        for cut in cuts {
            self.calls += 1;
            self.refused += count(cut.refused);
            let Some(call) = &cut.call else { continue };
            self.turns += count(call.turns.len());
            let spoken = call.turns.iter().filter(|turn| is_spoken(turn)).count();
            if spoken > 0 {
                self.estimate.calls += 1;
                self.estimate.turns += count(spoken);
                self.estimate.prompt_tokens += constant + count(tokens::asked(&ask(job, call, &before)));
                self.estimate.completion_tokens += REPLY_TOKENS_A_TURN * count(spoken);
            }
            before.extend(call.turns.iter().cloned());
            let skip = before.len().saturating_sub(job.settings.window_turns);
            before.drain(..skip);
        }
    }
}

/// What would be asked if the pre-filter kept every turn; what it drops is shown as context, so that it takes as much.
fn ask(job: &Job, call: &Call, before: &[Turn]) -> Ask {
    let shown = |turns: &[Turn]| turns.iter().filter(|turn| is_spoken(turn)).map(AskTurn::from).collect();
    Ask {
        session: call.session().to_owned(),
        turns: shown(&call.turns),
        context: shown(before),
        custom_instruction: job.settings.custom_instruction.clone(),
        prompt: std::sync::Arc::clone(&job.identity.prompt),
    }
}

fn is_spoken(turn: &Turn) -> bool {
    matches!(turn.role, Role::User | Role::Assistant)
}

fn cost(identity: &Identity, config: &Config, estimate: &Estimate) -> Option<u64> {
    let prices = &config.model.prices;
    match config.model.provider {
        Provider::Openai if !is_priced(prices, &identity.model) => None,
        Provider::Openai => {
            Some(cost_micros(prices, &identity.model, estimate.prompt_tokens, estimate.completion_tokens))
        }
        Provider::Rules | Provider::Recorded => Some(0),
    }
}

fn seconds(config: &Config, estimate: &Estimate) -> u64 {
    let model = &config.model;
    if model.provider != Provider::Openai {
        return 0;
    }
    let at_rate = |amount: u64, a_minute: u32| match a_minute {
        0 => 0,
        a_minute => amount.saturating_mul(60).div_ceil(u64::from(a_minute)),
    };
    let at_once = count(config.worker.concurrency.min(config.reprocess.calls_in_flight).max(1));
    let asked = estimate.calls.saturating_mul(config.reprocess.call_seconds).div_ceil(at_once);
    let tokens = estimate.prompt_tokens + estimate.completion_tokens;
    [asked, at_rate(estimate.calls, model.requests_per_minute), at_rate(tokens, model.tokens_per_minute)]
        .into_iter()
        .max()
        .unwrap_or_default()
}

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}
