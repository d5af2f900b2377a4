//! What a person set beside a claim: it belongs to the memory, not to the call that tells it.

use recall_core::moment::Moment;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What a person set beside a claim; it stays whichever call tells the memory.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Edits {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) metadata: Option<Map<String, Value>>,
    /// Some nothing where the memory has no end.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "end")]
    pub(crate) expires_at: Option<Option<Moment>>,
}

/// A field that may be there and say that there is no end.
mod end {
    use recall_core::moment::Moment;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(end: &Option<Option<Moment>>, serializer: S) -> Result<S::Ok, S::Error> {
        end.flatten().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<Moment>>, D::Error> {
        Option::deserialize(deserializer).map(Some)
    }
}
