//! Runs that are committed at once in SQLite share a transaction: the pages they write, which are mostly the same, reach the disk once,
//! and one wait for the disk serves all. Each run is a savepoint of its own, written by its own task; whoever finds nobody behind it
//! commits for all, and nobody is told before that.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use recall_core::run::Run;
use tokio::sync::{Mutex, oneshot};

use super::beside_erasures;
use super::work::{BEGIN, COMMIT, Work, Writer};
use crate::record::Committed;
use crate::{SqlStore, StoreError};

/// Runs in one transaction at most: others wait for the writer, too.
const MOST: usize = 16;
/// Whoever was to come next may have gone away; after so long one of those who wait commits.
const PATIENCE: Duration = Duration::from_millis(50);

const BEGIN_FIRST: &str = "BEGIN IMMEDIATE;\nSAVEPOINT run";
const BEGIN_NEXT: &str = "SAVEPOINT run";
const RELEASE: &str = "RELEASE run";
const TAKE_BACK: &str = "ROLLBACK TO run;\nRELEASE run";

/// The transaction that runs are written in now.
#[derive(Debug, Default)]
pub(crate) struct Group {
    open: Mutex<Option<Open>>,
    /// Runs that will be written next, the one that is written now included.
    coming: AtomicUsize,
}

/// A transaction with runs in it.
struct Open {
    writer: Writer,
    /// Those whose runs are in it: whether they are committed. One that is not has to be written alone.
    members: Vec<oneshot::Sender<bool>>,
    begun: bool,
}

impl std::fmt::Debug for Open {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Open").field("members", &self.members.len()).finish_non_exhaustive()
    }
}

/// A run that is coming.
struct Coming<'a>(&'a Group);

impl Drop for Coming<'_> {
    fn drop(&mut self) {
        self.0.coming.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Commits a run together with those that come at the same time; alone where they could not be committed together.
pub(super) async fn commit(store: &SqlStore, run: &Run) -> Result<Committed, StoreError> {
    match together(store, run).await? {
        Some(done) => Ok(done),
        None => alone(store, run).await,
    }
}

/// Commits a run in a transaction of its own.
async fn alone(store: &SqlStore, run: &Run) -> Result<Committed, StoreError> {
    let mut writer = Writer::of(store).await?;
    let end = || COMMIT;
    let mut work = Work::with_edges(writer.connection()?, BEGIN, &end);
    let done = beside_erasures(store, &mut work, run, &store.actor).await;
    let ended = work.ended().is_some();
    match done {
        Ok(Committed::Now) if ended => writer.hand_back(),
        Ok(Committed::Now) => {
            writer.say(COMMIT).await?;
            writer.hand_back();
        }
        Ok(Committed::Before) | Err(_) => writer.roll_back().await,
    }
    done
}

async fn together(store: &SqlStore, run: &Run) -> Result<Option<Committed>, StoreError> {
    let group = &store.group;
    group.coming.fetch_add(1, Ordering::SeqCst);
    let coming = Coming(group);
    let mut place = group.open.lock().await;
    let mut open = match place.take() {
        Some(open) => open,
        None => Open { writer: Writer::of(store).await?, members: Vec::new(), begun: false },
    };
    let is_last = group.coming.load(Ordering::SeqCst) <= 1 || open.members.len() + 1 >= MOST;
    let end = move || if is_last { COMMIT } else { RELEASE };
    let begin = if open.begun { BEGIN_NEXT } else { BEGIN_FIRST };
    let mut work = Work::with_edges(open.writer.connection()?, begin, &end);
    let mut done = beside_erasures(store, &mut work, run, &store.actor).await;
    let mut ended = work.ended();
    open.begun = true;
    if matches!(done, Ok(Committed::Now)) && ended.is_none() {
        let said = open.writer.say(end()).await;
        ended = Some(end());
        done = said.map(|()| Committed::Now);
    }
    match (done, ended) {
        (Ok(Committed::Now), Some(COMMIT)) => {
            open.committed();
            Ok(Some(Committed::Now))
        }
        (Ok(Committed::Now), _) => {
            let (tell, told) = oneshot::channel();
            open.members.push(tell);
            *place = Some(open);
            drop(place);
            drop(coming);
            group.wait(told).await
        }
        // What kept the others from being committed may be this run or one of them.
        (Err(_), Some(COMMIT)) if !open.members.is_empty() => {
            open.failed().await;
            Ok(None)
        }
        (done, _) => {
            open.take_back(is_last, &mut place).await;
            done.map(Some)
        }
    }
}

impl Group {
    /// Waits until the transaction is committed; `None` where it could not be.
    async fn wait(&self, mut told: oneshot::Receiver<bool>) -> Result<Option<Committed>, StoreError> {
        loop {
            match tokio::time::timeout(PATIENCE, &mut told).await {
                Ok(committed) => return Ok(matches!(committed, Ok(true)).then_some(Committed::Now)),
                Err(_) => {
                    if let Some(open) = self.open.lock().await.take() {
                        open.end().await;
                    }
                }
            }
        }
    }
}

impl Open {
    /// All runs in it are committed.
    fn committed(self) {
        self.writer.hand_back();
        tell(self.members, true);
    }

    /// None of the runs in it can be.
    async fn failed(self) {
        self.writer.roll_back().await;
        tell(self.members, false);
    }

    /// Commits what is in it.
    async fn end(mut self) {
        match self.writer.say(COMMIT).await {
            Ok(()) => self.committed(),
            Err(_) => self.failed().await,
        }
    }

    /// Takes back the run that was written last and leaves the others in their places.
    async fn take_back(mut self, is_last: bool, place: &mut Option<Self>) {
        if self.members.is_empty() {
            return self.writer.roll_back().await;
        }
        if self.writer.say(TAKE_BACK).await.is_err() {
            return self.failed().await;
        }
        if is_last {
            return self.end().await;
        }
        *place = Some(self);
    }
}

fn tell(members: Vec<oneshot::Sender<bool>>, committed: bool) {
    for member in members {
        // Whoever waited may have gone away.
        let _heard = member.send(committed);
    }
}
