//! One model of a server: how it wants to be asked is learnt from its refusals and remembered while the process lives.

use std::sync::{Arc, Mutex, PoisonError};

use async_openai::Client;
use async_openai::error::OpenAIError;
use async_openai::types::chat::{ChatCompletionRequestMessage, CreateChatCompletionResponse, FinishReason};
use recall_core::prompt::Prompt;
use serde::Serialize;
use serde_json::value::RawValue;

use super::door::{Address, Door};
use super::settings::Fallback;
use super::trouble::{Feature, Trouble};
use crate::LlmError;
use crate::breaker::{Away, Breaker, Outage, Standing};
use crate::budget::Budget;

/// What the schema of proposed claims is called in requests.
pub(super) const CANDIDATES: &str = "memory_candidates";
/// What the schema of a judge's answer is called in requests.
pub(super) const VERDICTS: &str = "claim_verdicts";

/// The form of a reply, as a request names it.
pub(super) struct Schema {
    name: &'static str,
    text: Box<RawValue>,
}

impl Schema {
    pub(super) fn new(name: &'static str, prompt: &Prompt) -> Result<Self, LlmError> {
        let text = RawValue::from_string(prompt.schema.clone());
        let text = text.map_err(|_| LlmError::Config("schema of the prompt is not JSON".into()))?;
        Ok(Self { name, text })
    }
}

/// A model and how it wants to be asked.
pub(super) struct Model {
    pub(super) name: String,
    pub(super) budget: Arc<Budget>,
    pub(super) breaker: Breaker,
    client: Client<Address>,
    manner: Mutex<Manner>,
    max_output_tokens: u32,
}

/// What of a request a server understands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Manner {
    format: Format,
    limit: Limit,
    temperature: Temperature,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Schema,
    Object,
    Plain,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Limit {
    MaxTokens,
    MaxCompletionTokens,
    Unset,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Temperature {
    Zero,
    Unset,
}

impl Manner {
    const FIRST: Self = Self { format: Format::Schema, limit: Limit::MaxTokens, temperature: Temperature::Zero };

    /// The next simpler manner after a refusal; `None` where nothing is left to give up.
    pub(super) fn without(self, feature: Feature) -> Option<Self> {
        match feature {
            Feature::Format => match self.format {
                Format::Schema => Some(Self { format: Format::Object, ..self }),
                Format::Object => Some(Self { format: Format::Plain, ..self }),
                Format::Plain => None,
            },
            Feature::Limit => match self.limit {
                Limit::MaxTokens => Some(Self { limit: Limit::MaxCompletionTokens, ..self }),
                Limit::MaxCompletionTokens => Some(Self { limit: Limit::Unset, ..self }),
                Limit::Unset => None,
            },
            Feature::Temperature => match self.temperature {
                Temperature::Zero => Some(Self { temperature: Temperature::Unset, ..self }),
                Temperature::Unset => None,
            },
        }
    }
}

/// A request as it is sent. The library's own request type would sort the keys of the schema, and a model writes in their order.
#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    messages: &'a [ChatCompletionRequestMessage],
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ResponseFormat<'a> {
    JsonObject,
    JsonSchema { json_schema: NamedSchema<'a> },
}

#[derive(Serialize)]
struct NamedSchema<'a> {
    name: &'static str,
    strict: bool,
    schema: &'a RawValue,
}

/// A reply of a model, before it is read.
pub(super) struct Answer {
    pub(super) words: String,
    pub(super) end: End,
    /// The model's own name, where the server says it.
    pub(super) model: Option<String>,
    pub(super) prompt_tokens: u64,
    pub(super) completion_tokens: u64,
}

/// How a reply ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Whole,
    /// The limit of tokens cut it.
    Cut,
    /// The model or a filter would not answer.
    Refused,
}

impl Model {
    pub(super) fn new(server: &Fallback, max_output_tokens: u32, door: Door) -> Result<Self, LlmError> {
        let address = Address::new(server)?;
        let client = Client::build(door.client.clone(), address).with_http_service(door.clone());
        let (name, budget, breaker) = (server.model.clone(), door.budget, Breaker::default());
        Ok(Self { name, budget, breaker, client, manner: Mutex::new(Manner::FIRST), max_output_tokens })
    }

    /// Whether it can be asked now: the breaker is closed, and the server named no long wait.
    pub(super) fn standing(&self) -> Standing {
        match (self.breaker.standing(), self.budget.closed_for()) {
            (Standing::Up | Standing::Trying, Some(again)) => Standing::Away(Away { why: Outage::Limited, again }),
            (standing, _) => standing,
        }
    }

    /// The manner the model is known to understand.
    pub(super) fn manner(&self) -> Manner {
        *self.manner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A manner brought a reply: the next calls begin with it. (A refusal alone teaches nothing: it may have had another cause.)
    pub(super) fn remember(&self, manner: Manner) {
        let mut known = self.manner.lock().unwrap_or_else(PoisonError::into_inner);
        if *known != manner {
            *known = manner;
            tracing::info!(model = %self.name, ?manner, "model server is asked in a simpler manner");
        }
    }

    /// Sends one request.
    pub(super) async fn ask(
        &self,
        manner: Manner,
        messages: &[ChatCompletionRequestMessage],
        schema: &Schema,
    ) -> Result<Answer, Trouble> {
        let request = self.request(manner, messages, schema);
        let response: Result<CreateChatCompletionResponse, OpenAIError> =
            self.client.chat().create_byot(&request).await;
        response.map(answer).map_err(trouble)
    }

    fn request<'a>(
        &'a self,
        manner: Manner,
        messages: &'a [ChatCompletionRequestMessage],
        schema: &'a Schema,
    ) -> Request<'a> {
        let most = Some(self.max_output_tokens);
        Request {
            model: &self.name,
            messages,
            response_format: match manner.format {
                Format::Schema => Some(ResponseFormat::JsonSchema {
                    json_schema: NamedSchema { name: schema.name, strict: true, schema: &schema.text },
                }),
                Format::Object => Some(ResponseFormat::JsonObject),
                Format::Plain => None,
            },
            temperature: match manner.temperature {
                Temperature::Zero => Some(0.0),
                Temperature::Unset => None,
            },
            max_tokens: most.filter(|_| manner.limit == Limit::MaxTokens),
            max_completion_tokens: most.filter(|_| manner.limit == Limit::MaxCompletionTokens),
        }
    }
}

fn answer(response: CreateChatCompletionResponse) -> Answer {
    let usage = response.usage.unwrap_or_default();
    let choice = response.choices.into_iter().next();
    let (finish, message) = choice.map_or((None, None), |choice| (choice.finish_reason, Some(choice.message)));
    let refused = message.as_ref().is_some_and(|message| message.content.is_none() && message.refusal.is_some());
    let end = match finish {
        Some(FinishReason::Length) => End::Cut,
        Some(FinishReason::ContentFilter) => End::Refused,
        Some(FinishReason::Stop | FinishReason::ToolCalls | FinishReason::FunctionCall) | None if refused => {
            End::Refused
        }
        Some(FinishReason::Stop | FinishReason::ToolCalls | FinishReason::FunctionCall) | None => End::Whole,
    };
    Answer {
        words: message.and_then(|message| message.content).unwrap_or_default(),
        end,
        model: Some(response.model).filter(|model| !model.is_empty()),
        prompt_tokens: usage.prompt_tokens.into(),
        completion_tokens: usage.completion_tokens.into(),
    }
}

/// The error the service packed, as it was; of the library's own errors nothing is kept, since they may hold a body.
fn trouble(error: OpenAIError) -> Trouble {
    match error {
        OpenAIError::Boxed(inner) => match inner.downcast::<Trouble>() {
            Ok(trouble) => *trouble,
            Err(_) => LlmError::Unreachable(None).into(),
        },
        OpenAIError::InvalidArgument(_) => LlmError::Config("request cannot be built".into()).into(),
        OpenAIError::Reqwest(_) => LlmError::Config("request cannot be built: check the base URL".into()).into(),
        OpenAIError::JSONDeserialize(..)
        | OpenAIError::ApiError(_)
        | OpenAIError::StreamError(_)
        | OpenAIError::FileSaveError(_)
        | OpenAIError::FileReadError(_) => LlmError::Unusable { why: "response is not of the protocol".into() }.into(),
    }
}
