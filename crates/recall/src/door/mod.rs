//! The door: turns what a caller sends into a checked call, or says which field is wrong and what to do about it.

mod request;
mod time;
mod turns;

use jiff::tz::TimeZone;
use recall_core::call::{Call, Lane, Mode};
use recall_core::id::TraceId;
use recall_core::keys::Key;
use recall_core::moment::Moment;
use recall_core::scope::{MAX_ID_BYTES, Owner, Scope};
use serde_json::{Map, Value};

pub(crate) use request::{Fault, Remember, ScopeFields};

/// The longest metadata of a call, in bytes of JSON.
const MAX_METADATA_BYTES: usize = 16 * 1024;
/// The deepest metadata: it travels inside a message, which must be readable again.
const MAX_METADATA_DEPTH: usize = 32;

/// The longest sentence of a memory that is told anew, in bytes.
pub(crate) const MAX_CONTENT_BYTES: usize = 2000;

/// The longest name of an entity, in bytes.
pub(crate) const MAX_NAME_BYTES: usize = 200;

/// What is wrong with words that a person wrote for a memory or a name; `None` where nothing is.
pub(crate) fn fault_of_words(text: &str, most: usize) -> Option<String> {
    if text.len() > most || !text.chars().any(char::is_alphanumeric) || text.chars().any(char::is_control) {
        return Some(format!("must be 1 to {most} bytes with a letter or digit and without control characters"));
    }
    None
}

/// What the door adds to a request.
pub(crate) struct Entry<'a> {
    /// Now, by the door's clock.
    pub now: Moment,
    /// Key for derived ids.
    pub key: &'a Key,
    /// Namespace of the caller's API key; `default` where none is configured.
    pub namespace: &'a str,
    /// Time zone of the namespace, for timestamps without offset.
    pub timezone: Option<&'a str>,
    /// What stands in for a time that is not given.
    pub absent: AbsentTime,
    /// The lane.
    pub lane: Lane,
}

/// What an absent timestamp means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AbsentTime {
    /// A live call: said now.
    Received,
    /// An archive: nobody knows.
    Unknown,
}

/// Checks a request and makes it a call. Every fault of it is named, not only the first.
///
/// # Errors
/// The faults, at most 20.
pub(crate) fn admit(request: Remember, entry: &Entry<'_>) -> Result<Call, Vec<Fault>> {
    let mut faults = Vec::new();
    let mut remarks = Vec::new();
    let scope = keep(scope(&request.scope, entry.namespace, "scope"), &mut faults);
    let zone = keep(zone(request.timezone.as_deref().or(entry.timezone)), &mut faults);
    let session_id = keep(optional_id("session_id", request.session_id), &mut faults).flatten();
    let idempotency = keep(optional_id("idempotency_key", request.idempotency_key), &mut faults).flatten();
    let expires_at = keep(time::expiry(request.expires_at.as_deref(), zone.as_ref(), entry.now), &mut faults).flatten();
    let metadata = keep(metadata(request.metadata), &mut faults).unwrap_or_default();
    let messages = keep(turns::messages(request.messages), &mut faults).unwrap_or_default();
    let turns = match &zone {
        Some(zone) => turns::turns(messages, zone, entry, &mut remarks, &mut faults),
        None => Vec::new(),
    };
    faults.truncate(20);
    let Some(scope) = scope.filter(|_| faults.is_empty()) else { return Err(faults) };
    let trace_id = match &idempotency {
        Some(key) => TraceId::from_idempotency_key(entry.key, scope.namespace(), key),
        None => TraceId::vouched(entry.key, scope.namespace(), fresh_ulid()),
    };
    let mut call = Call {
        trace_id,
        scope,
        session_id,
        turns: Vec::new(),
        metadata,
        expires_at,
        mode: if request.infer { Mode::Infer } else { Mode::Literal },
        lane: entry.lane,
        batch: None,
        accepted_at: entry.now,
        remarks,
    };
    call.turns = turns::with_ids(turns, call.session(), entry.key);
    Ok(call)
}

fn keep<T>(result: Result<T, Fault>, faults: &mut Vec<Fault>) -> Option<T> {
    result.map_err(|fault| faults.push(fault)).ok()
}

/// A scope from its fields.
pub(crate) fn scope(fields: &ScopeFields, namespace: &str, path: &str) -> Result<Scope, Fault> {
    if let Some(other) = fields.namespace.as_deref().filter(|other| *other != namespace && namespace != "*") {
        return Err(Fault::new(
            format!("{path}.namespace"),
            format!("this key belongs to namespace {namespace:?}, not {other:?}"),
        ));
    }
    let owner = match (&fields.user_id, &fields.account_id) {
        (Some(user), None) => Owner::User(user.clone()),
        (None, Some(account)) => Owner::Account(account.clone()),
        (None, None) | (Some(_), Some(_)) => {
            return Err(Fault::new(path, "name exactly one of user_id and account_id"));
        }
    };
    let fallback = if namespace == "*" { "default" } else { namespace };
    let namespace = fields.namespace.clone().unwrap_or_else(|| fallback.to_owned());
    Scope::new(namespace, owner, fields.agent_id.clone()).map_err(|error| Fault::new(path, error.to_string()))
}

fn zone(name: Option<&str>) -> Result<TimeZone, Fault> {
    let Some(name) = name else { return Ok(TimeZone::UTC) };
    TimeZone::get(name)
        .map_err(|_| Fault::new("timezone", format!("{name:?} is no IANA time zone; write one such as Europe/Lisbon")))
}

fn optional_id(field: &str, id: Option<String>) -> Result<Option<String>, Fault> {
    let fine = |id: &String| !id.is_empty() && id.len() <= MAX_ID_BYTES && !id.chars().any(char::is_control);
    match id {
        Some(id) if !fine(&id) => {
            Err(Fault::new(field, format!("must be 1 to {MAX_ID_BYTES} bytes without control characters")))
        }
        other => Ok(other),
    }
}

fn metadata(metadata: Map<String, Value>) -> Result<Map<String, Value>, Fault> {
    let size = serde_json::to_vec(&metadata).map_or(usize::MAX, |bytes| bytes.len());
    if size > MAX_METADATA_BYTES {
        return Err(Fault::new("metadata", format!("holds {size} bytes; at most {MAX_METADATA_BYTES} are kept")));
    }
    let whole = Value::Object(metadata);
    if depth(&whole) > MAX_METADATA_DEPTH {
        return Err(Fault::new("metadata", format!("nests deeper than {MAX_METADATA_DEPTH} levels")));
    }
    if holds_nul(&whole) {
        return Err(Fault::new("metadata", "holds a NUL character; leave it out"));
    }
    match whole {
        Value::Object(metadata) => Ok(metadata),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Ok(Map::new()),
    }
}

/// Levels of a value; parsing has bounded them already.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or_default(),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or_default(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

fn holds_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(items) => items.iter().any(holds_nul),
        Value::Object(fields) => fields.iter().any(|(name, value)| name.contains('\0') || holds_nul(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// A new ULID of now; the random part comes from the operating system.
pub(crate) fn fresh_ulid() -> ulid::Ulid {
    let now = crate::clock::now();
    let milliseconds = u64::try_from(now.instant().as_millisecond()).unwrap_or_default();
    ulid::Ulid::from_parts(milliseconds, rand::random())
}
