//! Dead letters as people and programs see them, and what can be done about them: one way for the command line and for HTTP.

mod asked;

use recall_broker::{Envelope, slot};
use recall_core::call::{Call, Lane};
use recall_core::id::TraceId;
use recall_core::moment::Moment;
use recall_core::scope::Scope;
use recall_store::record::{CallEvent, DeadFilter, DeadLetter, Order, PageRequest, Tenants, ToPark, Whereabouts, Why};
use recall_store::{Store, StoreError};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

pub(crate) use asked::{check_ids, check_reason, check_words};

/// The most calls one request may speak of.
pub(crate) const MOST: usize = 500;

/// A dead letter without words of people.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct DeadView {
    /// Its trace, or the id of the message where it could not be read.
    pub id: String,
    /// The tenant, where it is known.
    pub namespace: Option<String>,
    /// Whose memory it was for.
    #[schema(value_type = Option<Object>)]
    pub scope: Option<Scope>,
    /// The conversation.
    pub session_id: Option<String>,
    /// Turns of the call.
    pub turn_count: usize,
    /// `live` or `bulk`.
    #[schema(value_type = Option<String>)]
    pub lane: Option<Lane>,
    /// Class of the last error: `transient`, `permanent` or `bug`.
    pub class: String,
    /// The last error.
    pub reason: String,
    /// Attempts charged.
    pub attempts: u32,
    /// When the door accepted the call (RFC 3339).
    #[schema(value_type = Option<String>)]
    pub accepted_at: Option<Moment>,
    /// When it died (RFC 3339).
    #[schema(value_type = Option<String>)]
    pub died_at: Option<Moment>,
    /// Since then.
    pub age_seconds: u64,
}

/// A dead letter with its story.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct DeadStory {
    /// The letter.
    #[serde(flatten)]
    pub letter: DeadView,
    /// What happened to the call, in order.
    #[schema(value_type = Vec<Object>)]
    pub history: Vec<CallEvent>,
    /// The message, which holds words of people; only where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub payload: Option<Value>,
}

/// What became of one call that was to be sent on or dropped.
#[derive(Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Decided {
    /// The call.
    pub id: String,
    /// What became of it.
    pub outcome: Outcome,
    /// The trace under which a call that was sent on goes on: another one where its own was taken by another call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<String>,
}

/// What became of a call somebody decided about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    /// It waits for a worker now, behind what its session has waiting.
    Requeued,
    /// It was sent on before and waits.
    Waiting,
    /// It is done already; nothing is left to do.
    Done,
    /// It is gone for good now, or was before.
    Dropped,
    /// This build cannot read the message, so no worker could; a newer one may, else drop it.
    Unreadable,
    /// There is no such dead letter.
    Unknown,
}

impl Outcome {
    /// All of them.
    pub(crate) const ALL: [Self; 6] =
        [Self::Requeued, Self::Waiting, Self::Done, Self::Dropped, Self::Unreadable, Self::Unknown];

    /// For people.
    pub(crate) fn told(self) -> &'static str {
        match self {
            Self::Requeued => "requeued",
            Self::Waiting => "waits already",
            Self::Done => "is done",
            Self::Dropped => "dropped",
            Self::Unreadable => "cannot be read by this build; try a newer one, or drop it",
            Self::Unknown => "is no dead letter",
        }
    }

    /// What was asked for is so.
    pub(crate) fn is_fine(self) -> bool {
        match self {
            Self::Requeued | Self::Waiting | Self::Done | Self::Dropped => true,
            Self::Unreadable | Self::Unknown => false,
        }
    }
}

impl From<&DeadLetter> for DeadView {
    fn from(letter: &DeadLetter) -> Self {
        let call = Envelope::decode(&letter.body, None).ok().map(|envelope| envelope.call);
        let now = crate::clock::now().microseconds();
        let age = letter.died_at.map(|at| (now - at.microseconds()) / 1_000_000);
        Self {
            id: letter.id.clone(),
            namespace: letter.namespace.clone(),
            scope: call.as_ref().map(|call| call.scope.clone()),
            session_id: call.as_ref().and_then(|call| call.session_id.clone()),
            turn_count: call.as_ref().map(|call| call.turns.len()).unwrap_or_default(),
            lane: call.as_ref().map(|call| call.lane),
            class: letter.class.clone(),
            reason: letter.reason.clone(),
            attempts: letter.attempts,
            accepted_at: call.map(|call| call.accepted_at),
            died_at: letter.died_at,
            age_seconds: age.and_then(|age| u64::try_from(age).ok()).unwrap_or_default(),
        }
    }
}

/// The message of a dead letter, as JSON where it is that.
pub(crate) fn payload(letter: &DeadLetter) -> Value {
    serde_json::from_slice(&letter.body)
        .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&letter.body).into_owned()))
}

/// A dead letter with its story, without its message; `None` where there is none of that id.
pub(crate) async fn story(
    store: &dyn Store,
    tenants: &Tenants,
    id: &str,
) -> Result<Option<(DeadStory, DeadLetter)>, StoreError> {
    match store.whereabouts(tenants, id).await? {
        Whereabouts::Dead(letter) => {
            let history = store.events(id).await?;
            Ok(Some((DeadStory { letter: DeadView::from(&*letter), history, payload: None }, *letter)))
        }
        Whereabouts::Waiting | Whereabouts::Done | Whereabouts::Dropped | Whereabouts::Unknown => Ok(None),
    }
}

/// Sends dead letters on, in the order in which their calls were accepted, so that a session keeps its order.
pub(crate) async fn requeue(
    store: &dyn Store,
    tenants: &Tenants,
    ids: &[String],
    actor: &str,
) -> Result<Vec<Decided>, StoreError> {
    let mut found = Vec::with_capacity(ids.len());
    for (place, id) in ids.iter().enumerate() {
        let whereabouts = store.whereabouts(tenants, id).await?;
        let call = match &whereabouts {
            Whereabouts::Dead(letter) => Envelope::decode(&letter.body, None).ok().map(|envelope| envelope.call),
            Whereabouts::Waiting | Whereabouts::Done | Whereabouts::Dropped | Whereabouts::Unknown => None,
        };
        found.push((call.map(|call| (call.accepted_at.microseconds(), call)), place, id, whereabouts));
    }
    found.sort_by_key(|(call, place, ..)| (call.as_ref().map(|(accepted_at, _)| *accepted_at), *place));
    let mut decided = Vec::with_capacity(ids.len());
    for (call, place, id, whereabouts) in found {
        let mut trace_id = None;
        let outcome = match (call, whereabouts) {
            (Some((_, call)), Whereabouts::Dead(letter)) => {
                let row = row(call, &letter);
                trace_id = Some(row.trace_id.to_string());
                // Somebody else may have been quicker, with the same or with another decision.
                if store.requeue(&letter.id, &row, actor).await? {
                    Outcome::Requeued
                } else {
                    elsewhere(&store.whereabouts(tenants, id).await?)
                }
            }
            (_, whereabouts) => elsewhere(&whereabouts),
        };
        decided.push((place, Decided { id: id.clone(), outcome, trace_id }));
    }
    decided.sort_by_key(|(place, _)| *place);
    Ok(decided.into_iter().map(|(_, decided)| decided).collect())
}

/// Part of the dead letters of a filter, sent on from the oldest.
pub(crate) struct Chunk {
    /// What became of each.
    pub decided: Vec<Decided>,
    /// Where the next part begins; `None` where this was the last.
    pub next_cursor: Option<String>,
}

/// Sends on the dead letters of a filter from the oldest, at most [`MOST`] at a time: a session died in its order. With the moment the first
/// part was asked for as `died_before`, one that dies again is not met again.
pub(crate) async fn requeue_chunk(
    store: &dyn Store,
    filter: &DeadFilter,
    cursor: Option<String>,
    actor: &str,
) -> Result<Chunk, StoreError> {
    let filter = DeadFilter { order: Order::OldestFirst, ..filter.clone() };
    let page = store.dead_letters(&filter, &PageRequest { limit: MOST as u32, cursor }).await?;
    let ids: Vec<String> = page.items.into_iter().map(|letter| letter.id).collect();
    let decided = requeue(store, &filter.tenants, &ids, actor).await?;
    Ok(Chunk { decided, next_cursor: page.next_cursor })
}

/// A dead letter as it will wait. One whose trace another call had taken (an idempotency key used twice) gets a trace of its own.
fn row(mut call: Call, letter: &DeadLetter) -> ToPark {
    let mut body = letter.body.clone();
    if letter.id != call.trace_id.as_str() && letter.id.starts_with(call.trace_id.as_str()) {
        call.trace_id = TraceId::new(call.trace_id.derive(&letter.id, 0));
        body = Envelope::new(call.clone(), None).encode().unwrap_or(body);
    }
    ToPark {
        trace_id: call.trace_id.clone(),
        session_key: call.session_key(),
        slot: slot(&call),
        lane: call.lane,
        body,
        attempts: 0,
        wait_seconds: 0.0,
        why: Why::Requeued,
    }
}

fn elsewhere(whereabouts: &Whereabouts) -> Outcome {
    match whereabouts {
        Whereabouts::Dead(_) => Outcome::Unreadable,
        Whereabouts::Waiting => Outcome::Waiting,
        Whereabouts::Done => Outcome::Done,
        Whereabouts::Dropped => Outcome::Dropped,
        Whereabouts::Unknown => Outcome::Unknown,
    }
}

/// Removes dead letters for good.
pub(crate) async fn drop_all(
    store: &dyn Store,
    tenants: &Tenants,
    ids: &[String],
    reason: &str,
    actor: &str,
) -> Result<Vec<Decided>, StoreError> {
    let mut decided = Vec::with_capacity(ids.len());
    for id in ids {
        let outcome = match store.whereabouts(tenants, id).await? {
            Whereabouts::Dead(letter) if store.drop_dead(&letter, reason, actor).await? => Outcome::Dropped,
            Whereabouts::Dead(_) => elsewhere(&store.whereabouts(tenants, id).await?),
            there @ (Whereabouts::Waiting | Whereabouts::Done | Whereabouts::Dropped | Whereabouts::Unknown) => {
                elsewhere(&there)
            }
        };
        decided.push(Decided { id: id.clone(), outcome, trace_id: None });
    }
    Ok(decided)
}
