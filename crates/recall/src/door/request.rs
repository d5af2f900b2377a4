//! What a caller may send, field by field; also the shape shown in the OpenAPI file.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// A `remember` request.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Remember {
    /// The turns: messages of the OpenAI shape, or one plain text said by the user.
    #[schema(value_type = MessagesSchema)]
    pub messages: Value,
    /// Whose memory it is.
    pub scope: ScopeFields,
    /// The conversation. Without one the call is a session of its own.
    #[serde(default)]
    pub session_id: Option<String>,
    /// What you want to find again beside the memories; at most 16 kB.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub metadata: Map<String, Value>,
    /// `false` keeps each user turn as it stands, without a model.
    #[serde(default = "yes")]
    pub infer: bool,
    /// IANA time zone for timestamps without offset, such as `Europe/Lisbon`.
    #[serde(default)]
    pub timezone: Option<String>,
    /// When memories of this call stop counting (RFC 3339).
    #[serde(default)]
    pub expires_at: Option<String>,
    /// The same key again meets the same trace. The `Idempotency-Key` header does the same.
    #[serde(default)]
    pub idempotency_key: Option<String>,
}

/// Namespace and owner. The namespace may be left out where the API key is bound to one.
#[derive(Debug, Clone, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScopeFields {
    /// The tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The person; exactly one of `user_id` and `account_id`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    /// The account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<String>,
    /// The agent the memory is kept for, where it is kept apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
}

/// One message.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub(crate) struct Message {
    /// Your own id of the turn, unique within the session.
    #[serde(default)]
    pub id: Option<String>,
    /// `user`, `assistant`, `system` or `tool`.
    pub role: String,
    /// The words, or parts of the OpenAI shape of which the text parts are read.
    #[schema(value_type = String)]
    #[serde(default)]
    pub content: Value,
    /// Name of the speaker.
    #[serde(default)]
    pub name: Option<String>,
    /// When it was said: RFC 3339, or seconds since 1970. `at` is taken, too.
    #[serde(default, alias = "at", alias = "created_at")]
    #[schema(value_type = Option<String>)]
    pub timestamp: Option<Value>,
    /// The scope the turn belongs to, where you know it; it must be the call's.
    #[serde(default)]
    pub scope: Option<ScopeFields>,
}

/// How `messages` may look (for the OpenAPI file).
#[derive(Deserialize, ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only its shape is used, in the OpenAPI file")]
pub(crate) enum MessagesSchema {
    /// One user turn.
    Text(String),
    /// A conversation.
    List(Vec<Message>),
}

/// A field that is wrong, and the way out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Fault {
    /// Path of the field, such as `messages[3].role`.
    pub field: String,
    /// What is wrong and what would be right.
    pub detail: String,
}

impl Fault {
    /// A fault of a field.
    pub(crate) fn new(field: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { field: field.into(), detail: detail.into() }
    }
}

fn yes() -> bool {
    true
}
