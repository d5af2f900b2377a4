//! Calls that are put into the queue at once in SQLite share a transaction: whoever gets the writer first writes for all who wait for it.

use std::sync::{Mutex, OnceLock, PoisonError};

use sqlx::AnyConnection;
use tokio::sync::oneshot;

use crate::dialect::{Dialect, render};
use crate::error::unavailable;
use crate::parked::{PARKED_ARGS, parked_values, queued};
use crate::sql::{self, Arg};
use crate::{SqlStore, StoreError};

/// Rows in one statement at most.
const MOST: usize = 16;

/// Calls that wait for the writer.
#[derive(Debug, Default)]
pub(crate) struct Gather(Mutex<Vec<Waiting>>);

#[derive(Debug)]
struct Waiting {
    args: Vec<Arg>,
    tell: oneshot::Sender<Result<(), StoreError>>,
}

impl Gather {
    fn put(&self, args: Vec<Arg>) -> oneshot::Receiver<Result<(), StoreError>> {
        let (tell, told) = oneshot::channel();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Waiting { args, tell });
        told
    }

    /// Those who waited longest; without those who went away.
    fn take(&self) -> Vec<Waiting> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.retain(|one| !one.tell.is_closed());
        let most = waiting.len().min(MOST);
        waiting.drain(..most).collect()
    }
}

/// Puts a call into the queue.
pub(crate) async fn put(store: &SqlStore, args: Vec<Arg>) -> Result<(), StoreError> {
    let mut told = store.gather.put(args);
    loop {
        let mut writer = tokio::select! {
            biased;
            answer = &mut told => {
                return answer.unwrap_or_else(|_| Err(unavailable("whoever wrote for this call went away".into())));
            }
            writer = store.writer() => writer?,
        };
        write(&mut writer, store.gather.take()).await;
    }
}

/// Writes rows in one statement, which is a transaction by itself. Where that fails each is written alone, so that none fails for another.
async fn write(writer: &mut AnyConnection, waiting: Vec<Waiting>) {
    let Some(text) = texts().get(waiting.len()) else { return };
    let args = waiting.iter().flat_map(|one| one.args.iter().cloned()).collect();
    let written = sql::execute(writer, text.as_str(), args).await;
    for one in waiting {
        let answer = match &written {
            Ok(_) => Ok(()),
            Err(_) => sql::execute(writer, alone(), one.args).await.map(|_| ()),
        };
        // Whoever waited may have gone away.
        let _heard = one.tell.send(answer);
    }
}

fn alone() -> &'static str {
    texts().get(1).map_or("", String::as_str)
}

/// Texts that insert none, one, two rows and so on.
fn texts() -> &'static [String] {
    static TEXTS: OnceLock<Vec<String>> = OnceLock::new();
    TEXTS.get_or_init(|| {
        let values = |row: usize| parked_values(row * PARKED_ARGS);
        let text = |rows| render(Dialect::Sqlite, &queued(&(0..rows).map(values).collect::<Vec<_>>().join(", ")));
        (0..=MOST).map(text).collect()
    })
}
