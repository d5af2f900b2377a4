//! Lists longer than a page, fetched page by page.

use recall_store::StoreError;
use recall_store::record::{Page, PageRequest};

use crate::wire;

/// Rows the store gives at once.
const ROWS: u32 = 500;

/// Every row of a list.
pub(super) async fn all<T>(
    page: impl AsyncFnMut(PageRequest) -> Result<Page<T>, StoreError>,
) -> anyhow::Result<Vec<T>> {
    first(u32::MAX, page).await.map(|page| page.items)
}

/// The first `limit` rows of a list; a cursor is left where there are more.
pub(super) async fn first<T>(
    limit: u32,
    mut page: impl AsyncFnMut(PageRequest) -> Result<Page<T>, StoreError>,
) -> anyhow::Result<Page<T>> {
    let mut found = Page { items: Vec::new(), next_cursor: None };
    loop {
        let left = limit.saturating_sub(u32::try_from(found.items.len()).unwrap_or(u32::MAX));
        let request = PageRequest { limit: left.min(ROWS), cursor: found.next_cursor.take() };
        let next = page(request).await.map_err(wire::explained)?;
        found.items.extend(next.items);
        found.next_cursor = next.next_cursor;
        if found.next_cursor.is_none() || u32::try_from(found.items.len()).is_ok_and(|rows| rows >= limit) {
            return Ok(found);
        }
    }
}
