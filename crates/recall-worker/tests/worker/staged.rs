//! A run that stands beside: live calls are judged as if it were not there, until it is swapped in.

use std::sync::Arc;

use recall_core::call::{Batch, Call};
use recall_core::id::BatchId;
use recall_llm::rules::Rules;
use recall_store::deed::{Actor, Deed, Execution};
use recall_store::record::{MemoryFilter, PageRequest};
use recall_store::swap::Swap;
use recall_store::{SqlStore, Store};
use recall_worker::probe::Recorder;
use recall_worker::process::{Attempt, Done, process};

use super::said::{call, ports, store};

async fn take(store: &Arc<SqlStore>, call: Call) {
    let ports = ports(Arc::clone(store) as Arc<dyn Store>, Rules);
    let done = process(&ports, call, &Attempt::default(), &mut Recorder::new(&ports.metrics)).await.unwrap();
    assert!(matches!(done, Done::Committed(_)), "{done:?}");
}

/// Whom and what is remembered of ana.
async fn remembered(store: &SqlStore) -> Vec<(String, String, &'static str)> {
    let filter = MemoryFilter { namespace: "n".into(), ..MemoryFilter::default() };
    let found = store.memories(&filter, &PageRequest { limit: 50, cursor: None }).await.unwrap().items;
    let mut lines: Vec<_> =
        found.into_iter().map(|memory| (memory.subject.name, memory.content, memory.status.as_str())).collect();
    lines.sort();
    lines
}

/// Two live calls, and the calls of a run between them.
async fn lived(store: &Arc<SqlStore>, run: Option<&BatchId>) -> Vec<(String, String, &'static str)> {
    take(store, call("morning", 1, "08", "I live in Lisbon.")).await;
    if let Some(id) = run {
        let staged = |number, hour, said| Call {
            batch: Some(Batch {
                id: id.clone(),
                prompt_version: None,
                staged: true,
                erased_too: false,
                before: Vec::new(),
            }),
            ..call("archive", number, hour, said)
        };
        take(store, staged(2, "09", "I live in Porto. My sister Priya lives in Turin.")).await;
        assert_eq!(remembered(store).await.len(), 1, "it waits");
    }
    take(store, call("evening", 3, "19", "My sister lives in Bari. I work as a baker.")).await;
    remembered(store).await
}

#[tokio::test]
async fn a_live_call_is_judged_as_if_no_run_waited() {
    let ((with, _one), (without, _other)) = (store().await, store().await);
    let run = "run_00000000000000000000000001".parse::<BatchId>().unwrap();
    let lines = lived(&with, Some(&run)).await;
    assert_eq!(lines, lived(&without, None).await);
    assert!(lines.iter().any(|(_, content, status)| content.contains("Lisbon") && *status == "active"), "{lines:?}");
    let deed = Deed::new(Actor::Operator("test".into()), "a test").unwrap();
    let swapped = with.swap(("n", &run), (Swap::In, Execution::Real), &deed).await.unwrap();
    assert_eq!((swapped.standing.swapped, swapped.standing.replaced), (1, 0), "it read turns of its own");
    let now = remembered(&with).await;
    assert!(now.iter().any(|(who, content, _)| who.contains("Priya") && content.contains("Turin")), "{now:?}");
    assert!(now.iter().any(|(_, content, status)| content.contains("Lisbon") && *status == "superseded"), "{now:?}");
    with.swap(("n", &run), (Swap::Out, Execution::Real), &deed).await.unwrap();
    assert_eq!(remembered(&with).await, lines);
}
