//! Times that are over: memories whose `expires_at` has passed stop counting, and the audit log says so.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::json;

use super::delete;
use super::ground::{self, Noted};
use super::rejudge::rejudge;
use crate::deed::{Actor, Deed};
use crate::dialect::Statement as Sql;
use crate::fence::{Reach, Work};
use crate::sql::{self, Arg};
use crate::{SqlStore, StoreError};

pub(crate) static DUE: Sql = Sql::new(
    "SELECT CAST({object}('id', m.memory_id, 'scope_id', m.scope_id, 'namespace', m.namespace, 'status', m.status) AS TEXT) FROM memories m
    WHERE m.expires_at <= {now} AND m.status IN ('active', 'disputed') AND m.deleted_at IS NULL
    ORDER BY m.expires_at LIMIT 1000",
);

pub(crate) static EXPIRE: Sql = Sql::new(
    "UPDATE memories SET status = 'expired', changed_revision = $2 WHERE memory_id {in texts $1}
        AND status IN ('active', 'disputed') AND deleted_at IS NULL AND expires_at <= {now}
    RETURNING CAST({object}('id', memory_id) AS TEXT)",
);

#[derive(Deserialize)]
struct Due {
    id: String,
    scope_id: i64,
    namespace: String,
    status: String,
}

#[derive(Deserialize)]
struct Ended {
    id: String,
}

/// Ends what is over its time; how many memories. At most a thousand at once; the next sweep takes the rest.
pub(crate) async fn expire(store: &SqlStore) -> Result<u64, StoreError> {
    let mut connection = store.reader(Reach::Every(Work::Sweep)).await?;
    let due: Vec<Due> = sql::many(&mut connection, store.text(&DUE), Vec::new()).await?;
    drop(connection);
    let mut scopes: BTreeMap<(String, i64), Vec<Due>> = BTreeMap::new();
    for one in due {
        scopes.entry((one.namespace.clone(), one.scope_id)).or_default().push(one);
    }
    let worker = store.actor.strip_prefix("worker:").unwrap_or(&store.actor);
    let deed = Deed { actor: Actor::Worker(worker.to_owned()), reason: "its time is over".to_owned() };
    let mut expired = 0;
    for ((namespace, scope_id), due) in scopes {
        let mut work = store.begin(Reach::Tenant(&namespace)).await?;
        let mut ground = ground::lock(store, &mut work, scope_id, &deed).await?;
        let ids: Vec<&str> = due.iter().map(|one| one.id.as_str()).collect();
        let args = vec![sql::json(&ids)?, Arg::Number(ground.revision)];
        let ended: Vec<Ended> = sql::many(&mut work, store.text(&EXPIRE), args).await?;
        let ended: BTreeSet<String> = ended.into_iter().map(|one| one.id).collect();
        if ended.is_empty() {
            // Another sweep was first, or the time was put off meanwhile: nothing moves.
            continue;
        }
        expired += ended.len() as u64;
        for Due { id, status, .. } in due.iter().filter(|one| ended.contains(&one.id)) {
            ground.note(Noted {
                event: "update",
                memory: Some(id),
                before: Some(json!({ "status": status })),
                after: Some(json!({ "status": "expired" })),
                ..Noted::default()
            });
        }
        // What stood in dispute with one of them stands alone now.
        let seeds = delete::opposed(store, &mut work, &ended).await?;
        rejudge(store, &mut work, &mut ground, (&seeds, "restore")).await?;
        ground.close(store, &mut work).await?;
        work.commit().await?;
    }
    Ok(expired)
}
