//! Prefixed ULIDs: every row a caller can name says what it is, and sorts by the time it was made.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use ulid::Ulid;

use crate::keys::Key;

/// Why a text is not an id of the wanted kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("id must be {prefix} followed by 26 characters of a ULID")]
pub struct InvalidId {
    prefix: &'static str,
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The letters every id of this kind begins with.
            pub const PREFIX: &'static str = $prefix;

            /// The id of a ULID.
            pub fn new(ulid: Ulid) -> Self {
                Self(format!(concat!($prefix, "{}"), ulid))
            }

            /// Prefix and ULID as one text.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The ULID without its prefix.
            pub fn ulid(&self) -> Ulid {
                self.0.strip_prefix($prefix).and_then(|text| Ulid::from_string(text).ok()).unwrap_or_default()
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;
            fn from_str(text: &str) -> Result<Self, InvalidId> {
                let wrong = InvalidId { prefix: $prefix };
                let ulid = text.strip_prefix($prefix).ok_or(wrong.clone())?;
                Ulid::from_string(ulid).map(Self::new).map_err(|_| wrong)
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidId;
            fn try_from(text: String) -> Result<Self, InvalidId> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id!(/// One call, one pipeline run, one trace.
    TraceId, "trc_");
id!(/// A reprocessing run: many calls over archived conversations.
    BatchId, "run_");
id!(/// A memory.
    MemoryId, "mem_");
id!(/// A person or thing memories are about.
    EntityId, "ent_");
id!(/// A row of the audit log.
    AuditId, "aud_");
id!(/// A suppressed claim.
    SuppressionId, "rsp_");
id!(/// A reprocessing or evaluation run.
    RunId, "run_");
id!(/// A key of a caller.
    ApiKeyId, "key_");

impl TraceId {
    /// The trace id an idempotency key leads to: the same key in the same namespace always meets the same id.
    pub fn from_idempotency_key(key: &Key, namespace: &str, idempotency_key: &str) -> Self {
        Self::vouched(key, namespace, Ulid(leading_u128(&key.digest(&["trace", namespace, idempotency_key]))))
    }

    /// The trace id of a call of a namespace. The last 40 bits vouch for the others, so that every process of the installation
    /// recognises an id it gave away.
    pub fn vouched(key: &Key, namespace: &str, made_from: Ulid) -> Self {
        let leading = made_from.0 >> VOUCHING_BITS;
        Self::new(Ulid(leading << VOUCHING_BITS | vouching(key, namespace, leading)))
    }

    /// Whether this installation gave the id to a call of this namespace; told from the id alone.
    pub fn is_vouched(&self, key: &Key, namespace: &str) -> bool {
        let (leading, last) = (self.ulid().0 >> VOUCHING_BITS, self.ulid().0 & VOUCHING_MASK);
        vouching(key, namespace, leading) == last
    }

    /// A ULID that is the same for the same trace, kind and ordinal, so that a repeated run makes the same ids.
    /// It keeps the time part of the trace id.
    pub fn derive(&self, kind: &str, ordinal: usize) -> Ulid {
        let mut hash = Sha256::new();
        hash.update(self.as_str());
        hash.update([0]);
        hash.update(kind);
        hash.update([0]);
        hash.update((ordinal as u64).to_be_bytes());
        let random = leading_u128(&hash.finalize());
        Ulid::from_parts(self.ulid().timestamp_ms(), random)
    }
}

/// Bits of an id that vouch for the others.
const VOUCHING_BITS: u32 = 40;
const VOUCHING_MASK: u128 = (1 << VOUCHING_BITS) - 1;

fn vouching(key: &Key, namespace: &str, leading: u128) -> u128 {
    leading_u128(&key.digest(&["trace-vouched", namespace, &leading.to_string()])) & VOUCHING_MASK
}

fn leading_u128(digest: &[u8]) -> u128 {
    digest.iter().take(16).fold(0, |sum, byte| (sum << 8) | u128::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_reads_back_and_a_foreign_prefix_is_refused() {
        let id = TraceId::new(Ulid(7));
        assert_eq!(id.as_str().parse::<TraceId>(), Ok(id.clone()));
        assert!(id.as_str().parse::<MemoryId>().is_err());
        assert!("trc_nonsense".parse::<TraceId>().is_err());
    }

    #[test]
    fn derived_ids_repeat_and_differ_by_kind_and_ordinal() {
        let trace = TraceId::new(Ulid::from_parts(1_700_000_000_000, 5));
        assert_eq!(trace.derive("memory", 0), trace.derive("memory", 0));
        assert_ne!(trace.derive("memory", 0), trace.derive("memory", 1));
        assert_ne!(trace.derive("memory", 0), trace.derive("entity", 0));
        assert_eq!(trace.derive("memory", 3).timestamp_ms(), 1_700_000_000_000);
    }

    #[test]
    fn an_id_is_recognised_by_its_own_installation_and_namespace_only() {
        let (ours, theirs) = (Key::new("k", "ours"), Key::new("k", "theirs"));
        let id = TraceId::from_idempotency_key(&ours, "shop", "order 7");
        assert_eq!(id, TraceId::from_idempotency_key(&ours, "shop", "order 7"));
        assert_ne!(id, TraceId::from_idempotency_key(&ours, "shop", "order 8"));
        assert_ne!(id, TraceId::from_idempotency_key(&ours, "stall", "order 7"));
        assert!(id.is_vouched(&ours, "shop"));
        assert!(!id.is_vouched(&ours, "stall"));
        assert!(!id.is_vouched(&theirs, "shop"));
        let fresh = Ulid::from_parts(1_700_000_000_000, 5 << 40);
        assert!(!TraceId::new(fresh).is_vouched(&ours, "shop"));
        let id = TraceId::vouched(&ours, "shop", fresh);
        assert!(id.is_vouched(&ours, "shop") && !id.is_vouched(&ours, "stall") && !id.is_vouched(&theirs, "shop"));
        assert_eq!(id.ulid().timestamp_ms(), 1_700_000_000_000);
    }
}
