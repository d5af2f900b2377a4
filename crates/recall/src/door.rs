//! The door: turns what a caller sends into a checked call, or says which field is wrong and what to do about it.

use std::collections::{HashMap, HashSet};

use jiff::tz::TimeZone;
use recall_core::call::{Call, Lane, MAX_TURN_BYTES, MAX_TURNS, Mode};
use recall_core::id::TraceId;
use recall_core::keys::Key;
use recall_core::moment::{InvalidMoment, Moment};
use recall_core::scope::{MAX_ID_BYTES, Owner, Scope};
use recall_core::turn::{AtSource, Role, Said, Turn, TurnId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// How far ahead of our clock a turn may have been said: clocks differ, the future does not talk.
const CLOCK_SKEW_SECONDS: i64 = 24 * 3600;
/// The longest metadata of a call, in bytes of JSON.
const MAX_METADATA_BYTES: usize = 16 * 1024;

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

fn yes() -> bool {
    true
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
    let expires_at = keep(expiry(request.expires_at.as_deref(), zone.as_ref(), entry.now), &mut faults).flatten();
    let metadata = keep(metadata(request.metadata), &mut faults).unwrap_or_default();
    let messages = keep(messages(request.messages), &mut faults).unwrap_or_default();
    let turns = match &zone {
        Some(zone) => turns(messages, zone, entry, &mut remarks, &mut faults),
        None => Vec::new(),
    };
    faults.truncate(20);
    let Some(scope) = scope.filter(|_| faults.is_empty()) else { return Err(faults) };
    let trace_id = match &idempotency {
        Some(key) => TraceId::from_idempotency_key(entry.key, scope.namespace(), key),
        None => TraceId::new(fresh_ulid()),
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
        accepted_at: entry.now,
        remarks,
    };
    call.turns = with_ids(turns, call.session(), entry.key);
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

fn expiry(text: Option<&str>, zone: Option<&TimeZone>, now: Moment) -> Result<Option<Moment>, Fault> {
    let (Some(text), Some(zone)) = (text, zone) else { return Ok(None) };
    let (at, _) = read_time(text, zone).map_err(|detail| Fault::new("expires_at", detail))?;
    if at <= now { Err(Fault::new("expires_at", "lies in the past")) } else { Ok(Some(at)) }
}

fn metadata(metadata: Map<String, Value>) -> Result<Map<String, Value>, Fault> {
    let size = serde_json::to_vec(&metadata).map_or(usize::MAX, |bytes| bytes.len());
    if size > MAX_METADATA_BYTES {
        return Err(Fault::new("metadata", format!("holds {size} bytes; at most {MAX_METADATA_BYTES} are kept")));
    }
    if serde_json::to_string(&metadata).is_ok_and(|text| text.contains("\\u0000")) {
        return Err(Fault::new("metadata", "holds a NUL character; leave it out"));
    }
    Ok(metadata)
}

fn messages(messages: Value) -> Result<Vec<Result<Message, Fault>>, Fault> {
    let list = match messages {
        Value::String(text) => vec![serde_json::json!({ "role": "user", "content": text })],
        Value::Array(list) => list,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            return Err(Fault::new("messages", "must be a list of messages, or one text"));
        }
    };
    if list.is_empty() {
        return Err(Fault::new("messages", "must hold at least one message"));
    }
    if list.len() > MAX_TURNS {
        let detail = format!(
            "holds {} messages; send at most {MAX_TURNS} in one call, the rest in further calls of the session",
            list.len()
        );
        return Err(Fault::new("messages", detail));
    }
    let read = |(place, value): (usize, Value)| {
        serde_json::from_value(value).map_err(|error| Fault::new(format!("messages[{place}]"), error.to_string()))
    };
    Ok(list.into_iter().enumerate().map(read).collect())
}

fn turns(
    messages: Vec<Result<Message, Fault>>,
    zone: &TimeZone,
    entry: &Entry<'_>,
    remarks: &mut Vec<String>,
    faults: &mut Vec<Fault>,
) -> Vec<(Option<String>, Turn)> {
    let mut turns = Vec::with_capacity(messages.len());
    let mut seen: HashSet<String> = HashSet::new();
    for (place, message) in messages.into_iter().enumerate() {
        let path = format!("messages[{place}]");
        let read = message.and_then(|message| turn(message, &path, zone, entry, remarks));
        match read {
            Ok((Some(id), _)) if !seen.insert(id.clone()) => {
                faults.push(Fault::new(format!("{path}.id"), "stands twice in this call; ids of turns must differ"));
            }
            Ok(turn) => turns.push(turn),
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() && turns.iter().all(|(_, turn)| turn.content.as_str().trim().is_empty()) {
        faults.push(Fault::new("messages", "every message is empty; send at least one with words"));
    }
    let assumed = turns.iter().filter(|(_, turn)| turn.at_source == AtSource::Assumed).count();
    if assumed > 0 {
        let name = zone.iana_name().unwrap_or("UTC");
        remarks.push(format!("{assumed} turns gave a time without offset; it was read in {name}"));
    }
    turns
}

fn turn(
    message: Message,
    path: &str,
    zone: &TimeZone,
    entry: &Entry<'_>,
    remarks: &mut Vec<String>,
) -> Result<(Option<String>, Turn), Fault> {
    let field = |name: &str| format!("{path}.{name}");
    let role = role(&message.role).ok_or_else(|| {
        Fault::new(field("role"), format!("{:?} is no role; use user, assistant, system or tool", message.role))
    })?;
    let id = optional_id(&field("id"), message.id)?;
    let name = optional_id(&field("name"), message.name.filter(|name| !name.trim().is_empty()))?;
    let content = content(message.content, path, remarks)?;
    if content.len() > MAX_TURN_BYTES {
        let detail = format!(
            "holds {} bytes; at most {MAX_TURN_BYTES} are read, so cut it into several messages",
            content.len()
        );
        return Err(Fault::new(field("content"), detail));
    }
    let scope = message.scope.map(|scope_fields| scope(&scope_fields, entry.namespace, &field("scope"))).transpose()?;
    let (at, at_source) = match message.timestamp {
        Some(value) => time(&value, zone, entry.now).map_err(|detail| Fault::new(field("timestamp"), detail))?,
        None if entry.absent == AbsentTime::Received => (Some(entry.now), AtSource::Received),
        None => (None, AtSource::Unknown),
    };
    let turn = Turn { id: TurnId(String::new()), role, content: Said::new(content), at, at_source, name, scope };
    Ok((id, turn))
}

/// Roles of the OpenAI shape; `developer` is what `system` is called there now, `function` what `tool` was called.
fn role(name: &str) -> Option<Role> {
    match name {
        "user" => Some(Role::User),
        "assistant" => Some(Role::Assistant),
        "system" | "developer" => Some(Role::System),
        "tool" | "function" => Some(Role::Tool),
        _ => None,
    }
}

fn content(value: Value, path: &str, remarks: &mut Vec<String>) -> Result<String, Fault> {
    let text = match value {
        Value::String(text) => text,
        Value::Null => String::new(),
        Value::Array(parts) => {
            let texts: Vec<&str> = parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str)).collect();
            if texts.len() < parts.len() {
                remarks.push(format!("{path}: {} parts without text were left out", parts.len() - texts.len()));
            }
            texts.join("\n")
        }
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            return Err(Fault::new(format!("{path}.content"), "must be a text or a list of parts"));
        }
    };
    if !text.contains('\0') {
        return Ok(text);
    }
    remarks.push(format!("{path}: NUL characters were replaced"));
    Ok(text.replace('\0', "\u{fffd}"))
}

fn time(value: &Value, zone: &TimeZone, now: Moment) -> Result<(Option<Moment>, AtSource), String> {
    let (at, source) = match value {
        Value::String(text) => read_time(text, zone)?,
        Value::Number(number) => (since_1970(number).ok_or("lies outside the calendar")?, AtSource::Stated),
        Value::Null => return Ok((None, AtSource::Unknown)),
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
            return Err("must be RFC 3339, such as 2026-05-02T06:20:00+09:00, or seconds since 1970".into());
        }
    };
    if at.instant().duration_since(now.instant()).as_secs() > CLOCK_SKEW_SECONDS {
        return Err(format!("{at} lies in the future; give the time it was said, or leave it out"));
    }
    Ok((Some(at), source))
}

fn read_time(text: &str, zone: &TimeZone) -> Result<(Moment, AtSource), String> {
    match text.parse::<Moment>() {
        Ok(at) => Ok((at, AtSource::Stated)),
        Err(InvalidMoment::NoOffset(civil)) => {
            let at = Moment::from_civil(civil, zone).map_err(|error| error.to_string())?;
            Ok((at, AtSource::Assumed))
        }
        Err(error) => Err(error.to_string()),
    }
}

/// Seconds since 1970; from the year 5138 on read as milliseconds, which is what such a number is.
fn since_1970(number: &serde_json::Number) -> Option<Moment> {
    let seconds = number.as_f64().filter(|seconds| seconds.is_finite())?;
    let seconds = if seconds.abs() >= 1e11 { seconds / 1e3 } else { seconds };
    // Beyond the calendar the cast saturates and the calendar refuses it.
    #[allow(clippy::cast_possible_truncation, reason = "the calendar check follows")]
    Moment::from_microseconds((seconds * 1e6).round() as i64)
}

/// Turns without an id get one from session, role, content and occurrence, so that the whole history sent again makes nothing new.
fn with_ids(turns: Vec<(Option<String>, Turn)>, session: &str, key: &Key) -> Vec<Turn> {
    let mut occurrences: HashMap<(Role, String), usize> = HashMap::new();
    turns
        .into_iter()
        .map(|(id, mut turn)| {
            let occurrence = occurrences.entry((turn.role, turn.content.as_str().to_owned())).or_default();
            *occurrence += 1;
            let derived = || {
                let parts = ["turn", session, turn.role.as_str(), turn.content.as_str(), &occurrence.to_string()];
                format!("auto-{}", key.fingerprint(&parts))
            };
            turn.id = TurnId(id.unwrap_or_else(derived));
            turn
        })
        .collect()
}

/// A new ULID of now; the random part comes from the operating system.
pub(crate) fn fresh_ulid() -> ulid::Ulid {
    let now = crate::clock::now();
    let milliseconds = u64::try_from(now.instant().as_millisecond()).unwrap_or_default();
    ulid::Ulid::from_parts(milliseconds, rand::random())
}
