//! What is remembered of one person as JSON lines, page by page, so that a long life needs no large memory.

use std::sync::Arc;

use futures::Stream;
use recall_core::scope::Owner;
use recall_store::deed::AuditFilter;
use recall_store::record::{MemoryFilter, Page, PageRequest};
use recall_store::{SqlStore, Store as _, StoreError};
use serde::Serialize;
use serde_json::{Value, json};

use crate::view::MemoryView;
use crate::view::repair::{AuditView, EntityEntryView, SuppressionView};

/// Rows of a page.
const ROWS: u32 = 200;

/// What is told of a person, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Memories,
    Entities,
    Suppressions,
    Audit,
}

impl Part {
    fn next(self) -> Option<Self> {
        match self {
            Self::Memories => Some(Self::Entities),
            Self::Entities => Some(Self::Suppressions),
            Self::Suppressions => Some(Self::Audit),
            Self::Audit => None,
        }
    }
}

struct Reading {
    store: Arc<SqlStore>,
    namespace: String,
    owner: Owner,
    at: Option<(Part, Option<String>)>,
}

/// The lines of a person, some hundred at a time.
pub(crate) fn pages(
    store: Arc<SqlStore>,
    namespace: String,
    owner: Owner,
) -> impl Stream<Item = Result<String, StoreError>> {
    let reading = Reading { store, namespace, owner, at: Some((Part::Memories, None)) };
    futures::stream::try_unfold(reading, |mut reading| async move {
        let Some((part, cursor)) = reading.at.take() else { return Ok(None) };
        let (lines, next) = reading.page(part, cursor).await?;
        reading.at = match next {
            Some(cursor) => Some((part, Some(cursor))),
            None => part.next().map(|part| (part, None)),
        };
        Ok(Some((lines, reading)))
    })
}

impl Reading {
    async fn page(&self, part: Part, cursor: Option<String>) -> Result<(String, Option<String>), StoreError> {
        let request = PageRequest { limit: ROWS, cursor };
        let of_owner = (self.namespace.as_str(), &self.owner);
        Ok(match part {
            Part::Memories => {
                let filter = MemoryFilter {
                    namespace: self.namespace.clone(),
                    owner: Some(self.owner.clone()),
                    ..MemoryFilter::default()
                };
                lines("memory", self.store.memories(&filter, &request).await?, |memory| MemoryView::from(&memory))
            }
            Part::Entities => lines("entity", self.store.entities(of_owner, &request).await?, EntityEntryView::from),
            Part::Suppressions => {
                lines("suppression", self.store.suppressions(of_owner, &request).await?, SuppressionView::from)
            }
            Part::Audit => {
                let filter = AuditFilter {
                    namespace: self.namespace.clone(),
                    owner: Some(self.owner.clone()),
                    ..AuditFilter::default()
                };
                lines("audit", self.store.audit(&filter, &request).await?, AuditView::from)
            }
        })
    }
}

fn lines<T, V: Serialize>(kind: &str, page: Page<T>, view: impl Fn(T) -> V) -> (String, Option<String>) {
    let line = |item: T| {
        let mut value = json!({ "kind": kind });
        if let (Value::Object(line), Ok(Value::Object(fields))) = (&mut value, serde_json::to_value(view(item))) {
            // What an entity is stands under a name of its own.
            line.extend(fields.into_iter().map(|(name, field)| match name.as_str() {
                "kind" => ("entity_kind".to_owned(), field),
                _ => (name, field),
            }));
        }
        format!("{value}\n")
    };
    (page.items.into_iter().map(line).collect(), page.next_cursor)
}
