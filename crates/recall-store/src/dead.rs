//! Calls that cannot be done: kept with their reason and with what happened to them, until a person sends them on or drops them.

use recall_core::call::Call;
use recall_core::moment::Moment;
use serde::Deserialize;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

use crate::dialect::Statement;
use crate::fence::{Reach, Work};
use crate::list::{self, Place, Query};
use crate::parked::{INSERT_PARKED, UNPARK_TRACE, end_attempts, parked_args};
use crate::record::{
    CallEvent, DeadFilter, DeadLetter, Happened, Order, Page, PageRequest, Tenants, ToPark, Whereabouts,
};
use crate::repair::{erase, owners, speakers};
use crate::sql::{self, Arg};
use crate::{SqlStore, StoreError, bindings};

/// A reason is told up to this length, in characters.
const REASON_CHARS: usize = 500;

pub(crate) static DEAD_LETTER: Statement = Statement::new(
    "INSERT INTO dead_letters (id, namespace, owner, class, reason, attempts, body, died_at, batch_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7, {now}, $8)
    ON CONFLICT (id) DO UPDATE SET class = excluded.class, reason = excluded.reason, attempts = excluded.attempts,
        body = excluded.body, died_at = excluded.died_at, batch_id = excluded.batch_id",
);

pub(crate) static TAKE_OFF: Statement = Statement::new("DELETE FROM dead_letters WHERE id = $1");

pub(crate) static LETTER: Statement =
    Statement::new(concat!("SELECT ", letter_columns!(), " FROM dead_letters d WHERE d.id = $1"));

/// Where a call is that is no dead letter; a namespace tells only of its own.
pub(crate) static ELSEWHERE: Statement = Statement::new(
    "SELECT CAST({object}(
        'namespace', coalesce((SELECT p.namespace FROM parked p WHERE p.trace_id = $1),
            (SELECT r.namespace FROM runs r WHERE r.trace_id = $1),
            (SELECT max(e.namespace) FROM call_events e WHERE e.call_id = $1 AND e.event = 'dropped')),
        'waiting', (SELECT count(*) FROM parked p WHERE p.trace_id = $1),
        'done', (SELECT count(*) FROM runs r WHERE r.trace_id = $1),
        'dropped', (SELECT count(*) FROM call_events e WHERE e.call_id = $1 AND e.event = 'dropped')) AS TEXT)",
);

/// The failure that happened last, once more.
pub(crate) static FAILED_AGAIN: Statement = Statement::new(
    "UPDATE call_events SET times = times + 1, last_at = {now}
    WHERE seq = (SELECT max(seq) FROM call_events WHERE call_id = $1) AND event = 'failed' AND class = $2 AND reason = $3",
);

/// Another failure; a call that fails in turns for days is told of a hundred times, not for ever.
pub(crate) static FAILED: Statement = Statement::new(
    "INSERT INTO call_events (call_id, namespace, event, class, reason, actor, times, first_at, last_at)
    SELECT $1, $2, 'failed', $3, $4, $5, 1, {now}, {now}
    WHERE (SELECT count(*) FROM call_events WHERE call_id = $1) < 100",
);

pub(crate) static HAPPENED: Statement = Statement::new(
    "INSERT INTO call_events (call_id, namespace, event, class, reason, actor, times, first_at, last_at)
    VALUES ($1, $2, $3, $4, $5, $6, 1, {now}, {now})",
);

pub(crate) static EVENTS: Statement = Statement::new(
    "SELECT CAST({object}('event', e.event, 'class', e.class, 'reason', e.reason, 'actor', e.actor, 'times', e.times,
        'first_at', e.first_at, 'last_at', e.last_at) AS TEXT)
    FROM call_events e WHERE e.call_id = $1 ORDER BY e.seq",
);

/// A dead letter `d`.
macro_rules! letter_columns {
    () => {
        "d.id, d.namespace, d.class, d.reason, d.attempts, d.body, d.died_at"
    };
}
pub(crate) use letter_columns;

#[derive(Deserialize)]
struct Elsewhere {
    namespace: Option<String>,
    waiting: u32,
    done: u32,
    dropped: u32,
}

#[derive(Deserialize)]
struct EventRow {
    event: Happened,
    class: String,
    reason: String,
    actor: String,
    times: u64,
    first_at: i64,
    last_at: i64,
}

/// Keeps a call that cannot be done, and removes its parked row. Of a person who was erased meanwhile nothing is kept.
pub(crate) async fn dead_letter(store: &SqlStore, letter: &DeadLetter) -> Result<(), StoreError> {
    let call = glimpse(&letter.body);
    let args = |body: Vec<u8>| {
        vec![
            Arg::from(letter.id.as_str()),
            Arg::Maybe(letter.namespace.clone()),
            Arg::Maybe(call.as_ref().map(|call| bindings::owner(&call.scope))),
            Arg::from(letter.class.as_str()),
            Arg::Text(told(&letter.reason)),
            Arg::from(letter.attempts),
            Arg::Bytes(body),
            Arg::Maybe(call.as_ref().and_then(|call| call.batch.as_ref()).map(|batch| batch.id.to_string())),
        ]
    };
    let mut work = store.begin(Reach::Every(Work::Queue)).await?;
    let kept = match &call {
        Some(call) => {
            owners::share(store, &mut work, call).await?;
            let erased = erase::is_erased(store, &mut work, call).await?;
            if erased { None } else { speakers::without_erased(store, &mut work, (call, &letter.body)).await? }
        }
        None => Some(letter.body.clone()),
    };
    if let Some(body) = kept {
        sql::execute(&mut work, store.text(&DEAD_LETTER), args(body)).await?;
    }
    sql::execute(&mut work, store.text(&UNPARK_TRACE), vec![Arg::from(letter.id.as_str())]).await?;
    end_attempts(store, &mut work, &letter.id).await?;
    let (id, namespace) = (letter.id.as_str(), letter.namespace.as_deref());
    happened(store, &mut work, (id, namespace), Happened::Died, (&letter.class, &letter.reason), &store.actor).await?;
    Ok(work.commit().await?)
}

/// Notes a failed attempt at a call that will be tried again.
pub(crate) async fn failed(
    store: &SqlStore,
    work: &mut AnyConnection,
    (id, namespace): (&str, &str),
    (class, reason): (&str, &str),
) -> Result<(), StoreError> {
    let told = told(reason);
    let again = vec![Arg::from(id), Arg::from(class), Arg::from(told.as_str())];
    if sql::execute(work, store.text(&FAILED_AGAIN), again).await? == 0 {
        let first = vec![
            Arg::from(id),
            Arg::from(namespace),
            Arg::from(class),
            Arg::Text(told),
            Arg::from(store.actor.as_str()),
        ];
        sql::execute(work, store.text(&FAILED), first).await?;
    }
    Ok(())
}

/// Dead letters.
pub(crate) async fn dead_letters(
    store: &SqlStore,
    filter: &DeadFilter,
    page: &PageRequest,
) -> Result<Page<DeadLetter>, StoreError> {
    let mut query = Query::new(concat!("SELECT ", letter_columns!(), " FROM dead_letters d WHERE true"));
    match &filter.tenants {
        Tenants::All => {}
        Tenants::One(namespace) => query.with(" AND d.namespace = ?", Arg::from(namespace.as_str())),
    }
    query.with_some(" AND d.class = ?", filter.class.clone());
    query.with_some(" AND {position}(d.reason, ?) > 0", filter.reason.clone());
    query.with_some(" AND d.died_at < ?", filter.died_before.map(Moment::microseconds));
    let columns = ("d.died_at", "d.id");
    match filter.order {
        Order::NewestFirst => query.newest_first(columns, &Place::after(page)?, page),
        Order::OldestFirst => query.oldest_first(columns, &Place::after_oldest(page)?, page),
    }
    let mut connection = store.reader(Reach::of(&filter.tenants)).await?;
    let rows = sql::rows(&mut connection, query.sql(store.dialect), query.args).await?;
    let letters = rows.iter().map(letter).collect::<Result<Vec<_>, _>>()?;
    Ok(list::page(letters, page, |letter| Place {
        at: letter.died_at.map(Moment::microseconds).unwrap_or_default(),
        id: letter.id.clone(),
    }))
}

/// A dead letter from a row of `letter_columns!`.
pub(crate) fn letter(row: &AnyRow) -> Result<DeadLetter, StoreError> {
    Ok(DeadLetter {
        id: row.try_get("id")?,
        namespace: row.try_get("namespace")?,
        class: row.try_get("class")?,
        reason: row.try_get("reason")?,
        attempts: u32::try_from(row.try_get::<i64, _>("attempts")?).unwrap_or_default(),
        body: row.try_get("body")?,
        died_at: Moment::from_microseconds(row.try_get("died_at")?),
    })
}

/// The call inside a message, where it can be read: the line of the list shows whose it is and when it came.
pub(crate) fn glimpse(body: &[u8]) -> Option<Call> {
    #[derive(Deserialize)]
    struct Message {
        call: Call,
    }
    serde_json::from_slice::<Message>(body).ok().map(|message| message.call)
}

/// Where a call is.
pub(crate) async fn whereabouts(store: &SqlStore, tenants: &Tenants, id: &str) -> Result<Whereabouts, StoreError> {
    let mine = |namespace: Option<&str>| match tenants {
        Tenants::All => true,
        Tenants::One(own) => namespace == Some(own.as_str()),
    };
    let mut connection = store.reader(Reach::of(tenants)).await?;
    let rows = sql::rows(&mut connection, store.text(&LETTER), vec![Arg::from(id)]).await?;
    if let Some(letter) = rows.first().map(letter).transpose()? {
        let seen = mine(letter.namespace.as_deref());
        return Ok(if seen { Whereabouts::Dead(Box::new(letter)) } else { Whereabouts::Unknown });
    }
    let found: Option<Elsewhere> = sql::one(&mut connection, store.text(&ELSEWHERE), vec![Arg::from(id)]).await?;
    Ok(match found {
        Some(found) if !mine(found.namespace.as_deref()) => Whereabouts::Unknown,
        Some(Elsewhere { done: 1.., .. }) => Whereabouts::Done,
        Some(Elsewhere { waiting: 1.., .. }) => Whereabouts::Waiting,
        Some(Elsewhere { dropped: 1.., .. }) => Whereabouts::Dropped,
        Some(_) | None => Whereabouts::Unknown,
    })
}

/// What happened to a call, in order.
pub(crate) async fn events(store: &SqlStore, id: &str) -> Result<Vec<CallEvent>, StoreError> {
    let mut connection = store.reader(Reach::Every(Work::Operator)).await?;
    let rows: Vec<EventRow> = sql::many(&mut connection, store.text(&EVENTS), vec![Arg::from(id)]).await?;
    let event = |row: EventRow| {
        let EventRow { event, class, reason, actor, times, first_at, last_at } = row;
        let (first_at, last_at) = (Moment::from_microseconds(first_at), Moment::from_microseconds(last_at));
        CallEvent { event, class, reason, actor, times, first_at, last_at }
    };
    Ok(rows.into_iter().map(event).collect())
}

/// Takes a dead letter out and puts its call behind what its session has waiting; `false` where it is no dead letter.
pub(crate) async fn requeue(store: &SqlStore, letter: &str, call: &ToPark, actor: &str) -> Result<bool, StoreError> {
    let (namespace, _) = bindings::of_session_key(&call.session_key);
    let mut work = store.begin(Reach::Every(Work::Operator)).await?;
    if sql::execute(&mut work, store.text(&TAKE_OFF), vec![Arg::from(letter)]).await? == 0 {
        return Ok(false);
    }
    sql::execute(&mut work, store.text(&INSERT_PARKED), parked_args(call)).await?;
    let trace = call.trace_id.as_str();
    let reason = if trace == letter { String::new() } else { format!("goes on as {trace}") };
    happened(store, &mut work, (letter, Some(namespace)), Happened::Requeued, ("", &reason), actor).await?;
    work.commit().await?;
    Ok(true)
}

/// Removes a dead letter for good; that it was, when, by whom and why stays. `false` where it is no dead letter.
pub(crate) async fn drop_dead(
    store: &SqlStore,
    letter: &DeadLetter,
    reason: &str,
    actor: &str,
) -> Result<bool, StoreError> {
    let mut work = store.begin(Reach::Every(Work::Operator)).await?;
    if sql::execute(&mut work, store.text(&TAKE_OFF), vec![Arg::from(letter.id.as_str())]).await? == 0 {
        return Ok(false);
    }
    let call = (letter.id.as_str(), letter.namespace.as_deref());
    happened(store, &mut work, call, Happened::Dropped, (&letter.class, reason), actor).await?;
    work.commit().await?;
    Ok(true)
}

async fn happened(
    store: &SqlStore,
    work: &mut AnyConnection,
    (id, namespace): (&str, Option<&str>),
    event: Happened,
    (class, reason): (&str, &str),
    actor: &str,
) -> Result<(), StoreError> {
    let args = vec![
        Arg::from(id),
        Arg::Maybe(namespace.map(str::to_owned)),
        Arg::from(event.as_str()),
        Arg::from(class),
        Arg::Text(told(reason)),
        Arg::from(actor),
    ];
    sql::execute(work, store.text(&HAPPENED), args).await.map(|_| ())
}

fn told(reason: &str) -> String {
    reason.chars().map(|c| if c == '\0' { '\u{fffd}' } else { c }).take(REASON_CHARS).collect()
}
