//! The second opinion: one request about all doubtful claims of a call, to a model of its own where one is named.

use async_trait::async_trait;
use recall_core::prompt::{Doubts, Opinions, Prompt, judging, parse_opinions, render_doubts};
use recall_core::run::Usage;

use super::messages::{system, user};
use super::model::{Schema, VERDICTS};
use super::run::Run;
use super::trouble::Trouble;
use super::{FRAME_TOKENS, OpenAi};
use crate::tokens;
use crate::{Judge, Judged, LlmError, Unjudged};

#[async_trait]
impl Judge for OpenAi {
    async fn judge(&self, doubts: &Doubts, spent: u32) -> Result<Judged, Unjudged> {
        let unasked = |error| Unjudged { error, usage: Usage::default() };
        let prompt = judging().ok_or_else(|| unasked(LlmError::Config("no prompt for a judge".into())))?;
        let schema = Schema::new(VERDICTS, prompt).map_err(unasked)?;
        let constant = tokens::constant(prompt) + FRAME_TOKENS;
        let fitting = doubts.within(self.settings.max_input_tokens.saturating_sub(constant), tokens::count);
        if fitting.claims.is_empty() {
            return Ok(Judged::default());
        }
        let mut run = Run::new(self, prompt, &schema, self.settings.max_model_calls.saturating_sub(spent).min(1));
        let judged = opinions(&mut run, self, &fitting, prompt).await;
        let usage = run.usage;
        match judged {
            Ok(opinions) => Ok(Judged { opinions, shown: fitting.claims.len(), usage }),
            Err(error) => Err(Unjudged { error, usage }),
        }
    }
}

async fn opinions(run: &mut Run<'_>, door: &OpenAi, doubts: &Doubts, prompt: &Prompt) -> Result<Opinions, LlmError> {
    let model = door.models.first().ok_or_else(|| LlmError::Config("no model is named".into()))?;
    let (rules, claims) = render_doubts(doubts, prompt);
    let answer = run.send(model, &[system(&rules), user(&claims)]).await.map_err(|trouble| match trouble {
        Trouble::Final(error) => error,
        Trouble::Unknown { status, .. } => LlmError::Refused { status },
        Trouble::TooLong { .. } => LlmError::TooLong,
    })?;
    let opinions = parse_opinions(&answer.words, doubts);
    opinions.ok_or_else(|| LlmError::Unusable { why: "the judge gave no verdicts".into() })
}
