//! Commits of a run that stands beside what there is: everything is written, and nothing of it counts before the run is swapped in.

use recall_core::call::Batch;
use recall_core::entity::EntityKind;
use recall_core::run::Run;
use sqlx::AnyConnection;

use super::plan::Plan;
use super::scope::Ground;
use crate::repair::insert_rows;
use crate::rows::AuditRow;
use crate::table::{Json, row};
use crate::{SqlStore, StoreError};

row! {
    /// A call of a reprocessing run, with the turns it read.
    StagedCallRow: "staged_calls", "" {
        trace_id: String,
        namespace: String,
        batch: String,
        scope_id: i64,
        session_pk: i64,
        turn_ids: Json<Vec<String>>,
    }
}

row! {
    /// A call that does not count because of a run.
    AsideRow: "calls_aside", "ON CONFLICT (trace_id, batch) DO NOTHING" {
        trace_id: String,
        batch: String,
        scope_id: i64,
    }
}

/// The revision of memories that no other call has to heed.
const UNSEEN: i64 = 0;

/// The run a call stages, where it stages one.
pub(super) fn staging(run: &Run) -> Option<&Batch> {
    run.call.batch.as_ref().filter(|batch| batch.staged)
}

/// Makes a plan one that changes nothing that counts: memories are gone from the start, nobody knows whom only the run learnt of, nor
/// other names it gives, and the audit log does not say that anything became active. What its memories are to each other and to the
/// rest is judged when they count.
pub(super) fn stage(plan: &mut Plan, ground: &Ground) {
    for memory in &mut plan.memories {
        memory.deleted_at = Some(ground.now);
        memory.changed_revision = UNSEEN;
    }
    plan.disputes.clear();
    plan.effects.retain(|effect| effect.kind != "dispute");
    plan.audit.retain(|row| row.event_type == "insert");
    for AuditRow { event_type, .. } in &mut plan.audit {
        "stage".clone_into(event_type);
    }
    // The owner of a scope is known before anything is known of them.
    for entity in plan.entities.iter_mut().filter(|entity| entity.kind != EntityKind::User.as_str()) {
        entity.waits = 1;
    }
    plan.aliases.clear();
}

/// Notes what a staged call read, and sets it aside.
pub(super) async fn note(
    store: &SqlStore,
    work: &mut AnyConnection,
    (run, batch): (&Run, &Batch),
    ground: &Ground,
) -> Result<(), StoreError> {
    let (trace_id, batch) = (run.call.trace_id.as_str().to_owned(), batch.id.as_str().to_owned());
    let aside = AsideRow { trace_id: trace_id.clone(), batch: batch.clone(), scope_id: ground.scope_id };
    let staged = StagedCallRow {
        trace_id,
        namespace: run.call.scope.namespace().to_owned(),
        batch,
        scope_id: ground.scope_id,
        session_pk: ground.session_pk,
        turn_ids: Json(run.call.turns.iter().map(|turn| turn.id.as_str().to_owned()).collect()),
    };
    insert_rows(store, work, &[staged]).await?;
    insert_rows(store, work, &[aside]).await
}
