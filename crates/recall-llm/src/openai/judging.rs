//! The second opinion: one request about all doubtful claims of a call, to a model of its own where one is named.

use async_trait::async_trait;
use recall_core::prompt::{Doubt, Judged, judging, parse_opinions, render_doubts};
use serde_json::value::RawValue;

use super::OpenAi;
use super::messages::{system, user};
use super::run::Run;
use super::trouble::Trouble;
use crate::{Judge, LlmError};

#[async_trait]
impl Judge for OpenAi {
    async fn judge(&self, doubts: &[Doubt], spent: u32) -> Result<Judged, LlmError> {
        let prompt = judging().ok_or_else(|| LlmError::Config("no prompt for a judge".into()))?;
        let schema = RawValue::from_string(prompt.schema.clone());
        let schema = schema.map_err(|_| LlmError::Config("schema of the prompt is not JSON".into()))?;
        let model = self.models.first().ok_or_else(|| LlmError::Config("no model is named".into()))?;
        let mut run = Run::new(self, prompt, &schema, self.settings.max_model_calls.saturating_sub(spent).min(1));
        let (rules, claims) = render_doubts(doubts, prompt);
        let answer = run.send(model, &[system(&rules), user(&claims)]).await.map_err(|trouble| match trouble {
            Trouble::Final(error) => error,
            Trouble::Unknown { status, .. } => LlmError::Refused { status },
            Trouble::TooLong { .. } => LlmError::TooLong,
        })?;
        let opinions = parse_opinions(&answer.words, doubts);
        let opinions = opinions.ok_or_else(|| LlmError::Unusable { why: "the judge gave no verdicts".into() })?;
        Ok(Judged { opinions, usage: run.usage() })
    }
}
