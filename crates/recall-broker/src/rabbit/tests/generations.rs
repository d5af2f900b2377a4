//! The number of partitions changes while calls flow: nothing of the next generation is read before the last was read to its end, and
//! whoever has not heard of it cannot send into the old one any more.

use std::sync::atomic::{AtomicU32, Ordering};

use super::super::generations::{Generation, Generations, Used};
use super::*;

const OLD: Generation = Generation { number: 1, partitions: PARTITIONS };
const NEW: Generation = Generation { number: 2, partitions: SECOND };

/// The store of these tests: the generation calls go into.
struct Told(AtomicU32);

#[async_trait]
impl Register for Told {
    async fn stands(&self, using: Use, generation: u32) -> Result<bool, BrokerError> {
        Ok(match using {
            Use::Send => generation == self.0.load(Ordering::SeqCst),
            Use::Read => true,
        })
    }
}

/// Processes of one installation whose queues are to change.
struct Change<'i> {
    installation: &'i Installation,
    told: Arc<Told>,
}

impl<'i> Change<'i> {
    fn of(installation: &'i Installation) -> Self {
        Self { installation, told: Arc::new(Told(AtomicU32::new(1))) }
    }

    fn process(&self) -> Generations {
        let used = Used { sent: OLD, read: OLD };
        Generations::new(&url(), self.installation.settings.clone(), used, self.told.clone()).unwrap()
    }

    fn begin(&self) {
        self.told.0.store(2, Ordering::SeqCst);
    }
}

fn all_of(generation: Generation) -> Share {
    Share { of: generation.partitions, partitions: (0..generation.partitions).collect() }
}

/// Takes down whatever was read to its end until these many partitions were.
async fn ends(worker: &Generations, wanted: usize) {
    let mut seen = std::collections::BTreeSet::new();
    let counted = async {
        while seen.len() < wanted {
            for end in worker.ended() {
                seen.insert((end.generation, end.lane == Lane::Live, end.partition));
                end.acknowledge().await;
            }
            tokio::task::yield_now().await;
        }
    };
    if timeout(SOON, counted).await.is_err() {
        panic!("only {} of {wanted} partitions were read to their end", seen.len());
    }
}

#[tokio::test]
async fn a_session_keeps_its_order_over_a_change() {
    with_installation(async |installation| {
        let change = Change::of(installation);
        let (door, worker) = (change.process(), change.process());
        let home = partition(&envelope("s", 1).call, PARTITIONS);
        worker.set_partitions(&all_of(OLD)).await;
        for number in 1..=3 {
            door.publish(&envelope("s", number)).await.unwrap();
        }
        let held = next(&worker).await;
        change.begin();
        door.go_on(Used { sent: NEW, read: OLD });
        assert_eq!(door.sends_into(), 2, "nothing is under way");
        door.publish(&envelope("s", 4)).await.unwrap();
        assert_eq!(door.depth().await.unwrap().unrouted, 0);
        worker.close(OLD).await.unwrap();
        worker.mark_ends(OLD).await.unwrap();
        // A second mark behind the first, as by two workers at once, says the same.
        worker.mark_ends(OLD).await.unwrap();
        ends(&worker, 7).await;
        assert!(held.ack().await.unwrap());
        for number in 2..=3 {
            for end in worker.ended() {
                assert_ne!((end.lane, end.partition), (Lane::Live, home), "a call is still to be done");
                end.acknowledge().await;
            }
            expect(&worker, &envelope("s", number)).await;
        }
        ends(&worker, 1).await;
        worker.go_on(Used { sent: NEW, read: NEW });
        worker.set_partitions(&all_of(NEW)).await;
        expect(&worker, &envelope("s", 4)).await;
        let gone = async { while !worker.remove(OLD).await.unwrap() {} };
        timeout(SOON, gone).await.expect("the old queues are empty");
        assert!(worker.remove(OLD).await.unwrap(), "what is gone is gone");
        nothing_comes(&worker).await;
    })
    .await;
}

#[tokio::test]
async fn who_has_not_heard_of_a_change_cannot_send_into_the_old_queues() {
    with_installation(async |installation| {
        let change = Change::of(installation);
        let mut hasty = installation.settings.clone();
        hasty.publish_limit = Duration::from_secs(3);
        let used = Used { sent: OLD, read: OLD };
        let late = Generations::new(&url(), hasty, used, change.told.clone()).unwrap();
        let worker = change.process();
        late.publish(&envelope("s", 1)).await.unwrap();
        change.begin();
        worker.close(OLD).await.unwrap();
        let call = envelope("s", 2);
        let refused = late.publish(&call).await;
        assert!(matches!(refused, Err(BrokerError::Moved)), "{refused:?}");
        let (sent, ()) = tokio::join!(late.publish(&call), async { late.go_on(Used { sent: NEW, read: OLD }) });
        sent.unwrap();
        worker.set_partitions(&all_of(OLD)).await;
        expect(&worker, &envelope("s", 1)).await;
        nothing_comes(&worker).await;
        worker.go_on(Used { sent: NEW, read: NEW });
        worker.set_partitions(&all_of(NEW)).await;
        expect(&worker, &call).await;
    })
    .await;
}

#[tokio::test]
async fn a_queue_that_holds_a_call_behind_its_end_is_kept() {
    with_installation(async |installation| {
        let door = Change::of(installation).process();
        door.publish(&envelope("s", 1)).await.unwrap();
        let counted = async { while door.depth().await.unwrap().live != 1 {} };
        timeout(SOON, counted).await.expect("the call waits");
        assert!(!door.remove(OLD).await.unwrap());
        door.set_partitions(&all_of(OLD)).await;
        expect(&door, &envelope("s", 1)).await;
    })
    .await;
}

#[tokio::test]
async fn a_mark_that_comes_back_after_its_end_was_noted_does_not_keep_the_queue() {
    with_installation(async |installation| {
        let change = Change::of(installation);
        let (door, worker) = (change.process(), change.process());
        door.publish(&envelope("s", 1)).await.unwrap();
        worker.set_partitions(&all_of(OLD)).await;
        expect(&worker, &envelope("s", 1)).await;
        change.begin();
        worker.close(OLD).await.unwrap();
        worker.mark_ends(OLD).await.unwrap();
        worker.mark_ends(OLD).await.unwrap();
        // The ends were noted, the broker never heard: as of a worker that died in between.
        let mut noted = Vec::new();
        let counted = async {
            while noted.len() < 8 {
                noted.extend(worker.ended());
                tokio::task::yield_now().await;
            }
        };
        timeout(SOON, counted).await.expect("every partition is read to its end");
        drop((noted, worker));
        let next = change.process();
        let gone = async { while !next.remove(OLD).await.unwrap() {} };
        timeout(SOON, gone).await.expect("only marks were left");
    })
    .await;
}

#[tokio::test]
async fn a_call_behind_marks_is_kept_with_its_queue() {
    with_installation(async |installation| {
        let change = Change::of(installation);
        let door = change.process();
        door.publish(&envelope("s", 1)).await.unwrap();
        door.mark_ends(OLD).await.unwrap();
        let call = envelope("s", 2);
        door.publish(&call).await.unwrap();
        let counted = async { while door.depth().await.unwrap().live != 2 + u64::from(PARTITIONS) {} };
        timeout(SOON, counted).await.expect("two calls and the marks wait");
        assert!(!door.remove(OLD).await.unwrap(), "a call stands before a mark");
        let reader = installation.owning(&url(), &[0, 1, 2, 3]).await;
        expect(&reader, &envelope("s", 1)).await;
        drop(reader);
        assert!(!door.remove(OLD).await.unwrap(), "a call stands behind a mark");
        let reader = installation.owning(&url(), &[0, 1, 2, 3]).await;
        expect(&reader, &call).await;
    })
    .await;
}
