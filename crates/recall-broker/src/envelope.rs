//! The versioned wire form of a call.

use recall_core::call::Call;
use serde::{Deserialize, Serialize};

/// The version this build writes. It reads this one and those before.
pub const VERSION: u32 = 1;

/// A call with what travels beside it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Envelope {
    /// [`VERSION`] of the writer.
    pub version: u32,
    /// The call.
    pub call: Call,
    /// W3C trace context of the request, where it had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traceparent: Option<String>,
}

/// A message that is not a call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("message cannot be read: {why}")]
pub struct Unreadable {
    /// Where it fails; never words of the message.
    pub why: String,
    /// The message as it came, for the dead letters.
    pub body: Vec<u8>,
    /// Its id, where it has one.
    pub message_id: Option<String>,
}

impl Envelope {
    /// A call in this build's version.
    pub fn new(call: Call, traceparent: Option<String>) -> Self {
        Self { version: VERSION, call, traceparent }
    }

    /// As bytes.
    ///
    /// # Errors
    /// Metadata that JSON cannot hold.
    pub fn encode(&self) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(self)
    }

    /// From bytes.
    ///
    /// # Errors
    /// [`Unreadable`] for other versions and other shapes.
    pub fn decode(body: &[u8], message_id: Option<&str>) -> Result<Self, Unreadable> {
        #[derive(Deserialize)]
        struct Head {
            version: u32,
        }
        let unreadable =
            |why: String| Unreadable { why, body: body.to_vec(), message_id: message_id.map(str::to_owned) };
        let place = |error: serde_json::Error| format!("line {} column {}", error.line(), error.column());
        let head: Head = serde_json::from_slice(body).map_err(|error| unreadable(place(error)))?;
        if head.version == 0 || head.version > VERSION {
            return Err(unreadable(format!("version {} is not known here", head.version)));
        }
        serde_json::from_slice(body).map_err(|error| unreadable(place(error)))
    }
}
