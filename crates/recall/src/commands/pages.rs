//! Lists that are told whole, however many pages they take.

use recall_store::StoreError;
use recall_store::record::{Page, PageRequest};

use crate::wire;

/// Every row of a list, fetched page by page.
pub(super) async fn all<T>(
    mut page: impl AsyncFnMut(PageRequest) -> Result<Page<T>, StoreError>,
) -> anyhow::Result<Vec<T>> {
    let mut found = Vec::new();
    let mut cursor = None;
    loop {
        let next = page(PageRequest { limit: 500, cursor }).await.map_err(wire::explained)?;
        found.extend(next.items);
        cursor = next.next_cursor;
        if cursor.is_none() {
            return Ok(found);
        }
    }
}
