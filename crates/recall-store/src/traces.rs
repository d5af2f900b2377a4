//! Lists of traces: committed runs, waiting calls and dead letters in one order.

use recall_core::moment::Moment;
use sqlx::AnyConnection;

use crate::dead::letter_columns;
use crate::fence::Reach;
use crate::list::{self, Place, Query};
use crate::record::{Operation, Page, PageRequest, TraceFilter, TraceStatus, TraceSummary};
use crate::sql;
use crate::trace::{Line, StoredRun, dead_line, parked_columns, run_from, run_json, waiting_line};
use crate::{SqlStore, StoreError, bindings};

/// Traces of a namespace, newest first: committed runs, waiting calls and dead letters in one order.
pub(crate) async fn traces(
    store: &SqlStore,
    filter: &TraceFilter,
    page: &PageRequest,
) -> Result<Page<TraceSummary>, StoreError> {
    let after = Place::after(page)?;
    let mut connection = store.reader(Reach::Tenant(&filter.namespace)).await?;
    let asked = |wanted: &[TraceStatus]| filter.status.is_none_or(|status| wanted.contains(&status));
    let mut lines = Vec::new();
    if asked(&[TraceStatus::Done]) {
        lines.extend(runs(store, &mut connection, filter, &after, page).await?);
    }
    if filter.operation.is_none() && asked(&[TraceStatus::Queued, TraceStatus::Parked]) {
        lines.extend(waiting(store, &mut connection, filter, &after, page).await?);
    }
    if filter.operation.is_none() && asked(&[TraceStatus::Dead]) {
        lines.extend(dead(store, &mut connection, filter, &after, page).await?);
    }
    lines.sort_by(|(a, _), (b, _)| (b.at, &b.id).cmp(&(a.at, &a.id)));
    let page = list::page(lines, page, |(place, _)| place.clone());
    Ok(Page { items: page.items.into_iter().map(|(_, line)| line).collect(), next_cursor: page.next_cursor })
}

async fn runs(
    store: &SqlStore,
    connection: &mut AnyConnection,
    filter: &TraceFilter,
    after: &Place,
    page: &PageRequest,
) -> Result<Vec<Line>, StoreError> {
    let mut query = Query::new(concat!("SELECT CAST({object}(", run_json!(), ") AS TEXT) FROM ", run_from!()));
    let owner = "(CASE c.owner_kind WHEN 'user' THEN 'u' ELSE 'a' END || '\u{1f}' || c.owner)";
    narrow(&mut query, filter, ("r.namespace", owner, "r.committed_at"));
    let provider = "(SELECT x.provider FROM extractors x WHERE x.extractor = r.extractor)";
    match filter.operation {
        Some(Operation::Literal) => query.with(&format!(" AND {provider} = ?"), "literal".into()),
        Some(Operation::Restate) => query.with(&format!(" AND {provider} = ?"), "restated".into()),
        Some(Operation::Remember) => {
            query.with(&format!(" AND coalesce({provider}, '') NOT IN ('literal', ?)"), "restated".into());
        }
        None => {}
    }
    query.newest_first(("r.committed_at", "r.trace_id"), after, page);
    let stored: Vec<StoredRun> = sql::many(connection, query.sql(store.dialect), query.args).await?;
    stored.into_iter().map(StoredRun::into_line).collect()
}

async fn waiting(
    store: &SqlStore,
    connection: &mut AnyConnection,
    filter: &TraceFilter,
    after: &Place,
    page: &PageRequest,
) -> Result<Vec<Line>, StoreError> {
    let mut query = Query::new(concat!("SELECT ", parked_columns!(), " FROM parked p"));
    narrow(&mut query, filter, ("p.namespace", "p.owner", "p.parked_at"));
    match filter.status {
        Some(TraceStatus::Queued) => query.with(" AND p.why = ?", "queued".into()),
        Some(TraceStatus::Parked) => query.with(" AND p.why <> ?", "queued".into()),
        Some(TraceStatus::Done | TraceStatus::Dead | TraceStatus::Dropped) | None => {}
    }
    query.newest_first(("p.parked_at", "p.trace_id"), after, page);
    let rows = sql::rows(connection, query.sql(store.dialect), query.args).await?;
    rows.iter().map(waiting_line).collect()
}

async fn dead(
    store: &SqlStore,
    connection: &mut AnyConnection,
    filter: &TraceFilter,
    after: &Place,
    page: &PageRequest,
) -> Result<Vec<Line>, StoreError> {
    let mut query = Query::new(concat!("SELECT ", letter_columns!(), " FROM dead_letters d"));
    narrow(&mut query, filter, ("d.namespace", "d.owner", "d.died_at"));
    query.newest_first(("d.died_at", "d.id"), after, page);
    let rows = sql::rows(connection, query.sql(store.dialect), query.args).await?;
    rows.iter().filter_map(|row| dead_line(row).transpose()).collect()
}

fn narrow(query: &mut Query, filter: &TraceFilter, (namespace, owner, at): (&str, &str, &str)) {
    query.with(&format!(" WHERE {namespace} = ?"), filter.namespace.as_str().into());
    query.with_some(&format!(" AND {owner} = ?"), filter.owner.as_ref().map(bindings::holder));
    query.with_some(&format!(" AND {at} >= ?"), filter.since.map(Moment::microseconds));
    query.with_some(&format!(" AND {at} < ?"), filter.until.map(Moment::microseconds));
}
