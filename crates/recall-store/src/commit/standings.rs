//! Effects that move how a memory stands: superseded, active again, disputed.

use recall_core::memory::Status;
use recall_core::moment::Moment;
use serde_json::{Map, Value, json};

use super::audit::Entry;
use super::memory_row::standing;
use super::plan::Ledger;
use crate::StoreError;
use crate::rows::DisputeRow;
use crate::stored_memory::columns;

impl Ledger<'_> {
    pub(super) fn supersede(&mut self, id: &str, by: &str, valid_until: Option<Moment>) -> Result<Value, StoreError> {
        let revision = self.ground.revision;
        let row = self.get(id)?.touch(revision);
        let before = standing(row);
        row.status = Status::Superseded.as_str().to_owned();
        row.superseded_by = Some(by.to_owned());
        (row.valid_until, row.valid_until_offset) = columns(valid_until);
        let after = standing(row);
        self.audit(Entry {
            event: "supersede",
            memory: id,
            before: Some(before.clone()),
            after: Some(after),
            verdict: None,
        });
        Ok(json!({ "before": before }))
    }

    pub(super) fn activate(&mut self, id: &str) -> Result<Value, StoreError> {
        let revision = self.ground.revision;
        let row = self.get(id)?.touch(revision);
        let before = standing(row);
        row.status = Status::Active.as_str().to_owned();
        row.superseded_by = None;
        (row.valid_until, row.valid_until_offset) = columns(None);
        let after = standing(row);
        self.audit(Entry {
            event: "update",
            memory: id,
            before: Some(before.clone()),
            after: Some(after),
            verdict: None,
        });
        Ok(json!({ "before": before }))
    }

    pub(super) fn dispute(&mut self, id: &str, with: &str) -> Result<Value, StoreError> {
        let mut before = Map::new();
        for (one, other) in [(id, with), (with, id)] {
            let revision = self.ground.revision;
            let row = self.get(one)?.touch(revision);
            let standing = standing(row);
            row.status = Status::Disputed.as_str().to_owned();
            row.superseded_by = None;
            (row.valid_until, row.valid_until_offset) = columns(None);
            before.insert(one.to_owned(), standing.clone());
            let after = json!({ "status": "disputed", "with": other });
            self.audit(Entry {
                event: "dispute",
                memory: one,
                before: Some(standing),
                after: Some(after),
                verdict: None,
            });
        }
        let (first, second) = if id < with { (id, with) } else { (with, id) };
        self.plan.disputes.push(DisputeRow {
            memory_id: first.to_owned(),
            with_id: Some(second.to_owned()),
            scope_id: self.ground.scope_id,
            trace_id: Some(self.run.call.trace_id.as_str().to_owned()),
            opened_at: self.ground.now,
            opened_revision: self.ground.revision,
        });
        Ok(json!({ "before": before }))
    }
}
