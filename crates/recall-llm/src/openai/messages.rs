//! The messages of a request, and how long they are.

use async_openai::types::chat::{
    ChatCompletionRequestAssistantMessage, ChatCompletionRequestMessage, ChatCompletionRequestSystemMessage,
    ChatCompletionRequestUserMessage,
};
use recall_core::prompt::Unusable;

pub(super) fn repair(why: Unusable) -> String {
    format!(
        "That cannot be read: {why}. Answer again for the same turns with the JSON object alone, \
         {{\"candidates\": [...]}}, no words around it. Shorter is fine."
    )
}

pub(super) fn system(text: &str) -> ChatCompletionRequestMessage {
    ChatCompletionRequestSystemMessage::from(text).into()
}

pub(super) fn user(text: &str) -> ChatCompletionRequestMessage {
    ChatCompletionRequestUserMessage::from(text).into()
}

pub(super) fn assistant(text: &str) -> ChatCompletionRequestMessage {
    ChatCompletionRequestAssistantMessage::from(text).into()
}

/// Length of a message as it will be sent.
pub(super) fn length(message: &ChatCompletionRequestMessage) -> usize {
    serde_json::to_vec(message).map(|bytes| bytes.len()).unwrap_or_default()
}
