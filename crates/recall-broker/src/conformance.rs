//! What every queue promises, as one suite that runs over each of them.

use std::collections::HashSet;
use std::time::Duration;

use recall_core::call::{Call, Lane, Mode};
use recall_core::moment::Moment;
use recall_core::scope::{Owner, Scope};
use recall_core::turn::{AtSource, Role, Said, Turn, TurnId};
use tokio::time::timeout;

use crate::{Broker, BrokerError, Delivery, Envelope, Share, partition};

/// A message that should come comes within this time, a reconnect included.
const COMES: Duration = Duration::from_secs(20);
/// What has not come after this time is taken not to come.
const STAYS_AWAY: Duration = Duration::from_millis(250);

/// Makes a test of every promise; `$with` runs a promise over a fresh queue with four partitions, all of them owned.
macro_rules! promises {
    ($with:path) => {
        crate::conformance::promises!($with;
            a_confirmed_call_comes_out_once,
            calls_of_a_session_come_out_in_order,
            sessions_do_not_wait_for_each_other,
            a_dropped_call_comes_back_before_those_behind_it,
            an_acknowledged_call_never_comes_again,
            a_call_that_comes_again_says_so,
            eight_publishers_at_once_lose_nothing,
            both_lanes_come_out,
            calls_of_others_stay_with_them,
            depth_counts_what_waits,
            after_stop_nothing_is_handed_out_but_what_is_out_can_be_settled,
        );
    };
    ($with:path; $($promise:ident),* $(,)?) => {
        $(#[tokio::test]
        async fn $promise() {
            $with(crate::conformance::$promise).await;
        })*
    };
}
pub(crate) use promises;

/// The `number`-th call of a session.
pub(crate) fn envelope(session: &str, number: u64) -> Envelope {
    let turn = Turn {
        id: TurnId(format!("turn_{number}")),
        role: Role::User,
        content: Said::new(format!("I planted {number} trees")),
        at: Moment::from_microseconds(0),
        at_source: AtSource::Stated,
        name: None,
        scope: None,
    };
    let call = Call {
        trace_id: format!("trc_{number:026}").parse().unwrap(),
        scope: Scope::new("orchard".into(), Owner::User("kim".into()), None).unwrap(),
        session_id: Some(session.into()),
        turns: vec![turn],
        remarks: Vec::new(),
        metadata: serde_json::Map::default(),
        expires_at: None,
        mode: Mode::Infer,
        lane: Lane::Live,
        batch: None,
        accepted_at: Moment::from_microseconds(0).unwrap(),
    };
    Envelope::new(call, Some("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01".into()))
}

/// These of the four partitions.
pub(crate) fn share(partitions: &[u32]) -> Share {
    Share { of: 4, partitions: partitions.to_vec() }
}

/// The next delivery, which must come.
pub(crate) async fn next(queue: &dyn Broker) -> Delivery {
    timeout(COMES, queue.receive()).await.expect("a call should have come").unwrap()
}

/// Takes the next call, which must be this one, for good.
pub(crate) async fn expect(queue: &dyn Broker, envelope: &Envelope) {
    let delivery = next(queue).await;
    assert_eq!(delivery.envelope.as_ref().unwrap(), envelope);
    assert!(delivery.ack().await.unwrap());
}

/// Nothing comes for a while.
pub(crate) async fn nothing_comes(queue: &dyn Broker) {
    let came = timeout(STAYS_AWAY, queue.receive()).await;
    assert!(came.is_err(), "came all the same: {came:?}");
}

fn session_of(delivery: &Delivery) -> String {
    delivery.envelope.as_ref().unwrap().call.session().to_owned()
}

pub(crate) async fn a_confirmed_call_comes_out_once(queue: &dyn Broker) {
    queue.publish(&envelope("s", 1)).await.unwrap();
    expect(queue, &envelope("s", 1)).await;
    nothing_comes(queue).await;
}

pub(crate) async fn calls_of_a_session_come_out_in_order(queue: &dyn Broker) {
    for number in 1..=12 {
        queue.publish(&envelope("odd", number * 2 + 1)).await.unwrap();
        queue.publish(&envelope("even", number * 2)).await.unwrap();
    }
    let (mut odd, mut even) = (Vec::new(), Vec::new());
    for _ in 0..24 {
        let delivery = next(queue).await;
        let id = delivery.envelope.as_ref().unwrap().call.trace_id.clone();
        if session_of(&delivery) == "odd" {
            odd.push(id)
        } else {
            even.push(id)
        }
        assert!(delivery.ack().await.unwrap());
    }
    assert!(odd.len() == 12 && odd.is_sorted(), "{odd:?}");
    assert!(even.len() == 12 && even.is_sorted(), "{even:?}");
}

pub(crate) async fn sessions_do_not_wait_for_each_other(queue: &dyn Broker) {
    for (number, session) in (1..).zip(["a", "b", "c", "d", "e"]) {
        queue.publish(&envelope(session, number)).await.unwrap();
    }
    let mut held = Vec::new();
    for _ in 0..5 {
        held.push(next(queue).await);
    }
    let sessions: HashSet<String> = held.iter().map(session_of).collect();
    assert_eq!(sessions.len(), 5);
    for delivery in held {
        assert!(delivery.ack().await.unwrap());
    }
}

pub(crate) async fn a_dropped_call_comes_back_before_those_behind_it(queue: &dyn Broker) {
    for number in 1..=4 {
        queue.publish(&envelope("s", number)).await.unwrap();
    }
    expect(queue, &envelope("s", 1)).await;
    drop(next(queue).await);
    for number in 2..=4 {
        expect(queue, &envelope("s", number)).await;
    }
    nothing_comes(queue).await;
}

pub(crate) async fn an_acknowledged_call_never_comes_again(queue: &dyn Broker) {
    queue.publish(&envelope("s", 1)).await.unwrap();
    queue.publish(&envelope("s", 2)).await.unwrap();
    expect(queue, &envelope("s", 1)).await;
    // Handing one back makes the queue send again everything it believes unsettled.
    drop(next(queue).await);
    expect(queue, &envelope("s", 2)).await;
    nothing_comes(queue).await;
}

pub(crate) async fn a_call_that_comes_again_says_so(queue: &dyn Broker) {
    queue.publish(&envelope("s", 1)).await.unwrap();
    let first = next(queue).await;
    assert!(!first.redelivered);
    assert_eq!(first.attempts, 0);
    drop(first);
    let again = next(queue).await;
    assert!(again.redelivered);
    assert!(again.ack().await.unwrap());
}

pub(crate) async fn eight_publishers_at_once_lose_nothing(queue: &dyn Broker) {
    let publish = async |publisher: u64| {
        let session = format!("s{publisher}");
        for number in 0..10 {
            queue.publish(&envelope(&session, publisher * 100 + number)).await.unwrap();
        }
    };
    futures::future::join_all((1..=8).map(publish)).await;
    let mut seen = HashSet::new();
    for _ in 0..80 {
        let delivery = next(queue).await;
        assert!(seen.insert(delivery.envelope.as_ref().unwrap().call.trace_id.clone()));
        assert!(delivery.ack().await.unwrap());
    }
    nothing_comes(queue).await;
}

pub(crate) async fn both_lanes_come_out(queue: &dyn Broker) {
    let mut bulk = envelope("archive", 2);
    bulk.call.lane = Lane::Bulk;
    queue.publish(&envelope("now", 1)).await.unwrap();
    queue.publish(&bulk).await.unwrap();
    let mut lanes = HashSet::new();
    for _ in 0..2 {
        let delivery = next(queue).await;
        lanes.insert(delivery.envelope.as_ref().unwrap().call.lane);
        assert!(delivery.ack().await.unwrap());
    }
    assert_eq!(lanes.len(), 2);
}

pub(crate) async fn calls_of_others_stay_with_them(queue: &dyn Broker) {
    let mine = envelope("s", 1);
    let theirs = (2..).map(|n| envelope(&format!("s{n}"), n));
    let home = partition(&mine.call, 4);
    let theirs = theirs.into_iter().find(|other| partition(&other.call, 4) != home).unwrap();
    queue.set_partitions(&share(&[home])).await;
    queue.publish(&theirs).await.unwrap();
    queue.publish(&mine).await.unwrap();
    expect(queue, &mine).await;
    nothing_comes(queue).await;
    queue.set_partitions(&share(&[0, 1, 2, 3])).await;
    expect(queue, &theirs).await;
}

pub(crate) async fn depth_counts_what_waits(queue: &dyn Broker) {
    queue.set_partitions(&share(&[])).await;
    for number in 1..=2 {
        queue.publish(&envelope("s", number)).await.unwrap();
    }
    let mut bulk = envelope("archive", 3);
    bulk.call.lane = Lane::Bulk;
    queue.publish(&bulk).await.unwrap();
    let counted = async {
        while queue.depth().await.unwrap().ready() != 3 {
            tokio::task::yield_now().await;
        }
    };
    timeout(COMES, counted).await.expect("three calls wait");
    let depth = queue.depth().await.unwrap();
    assert_eq!((depth.live, depth.bulk), (2, 1));
    assert_eq!(queue.depth().await.unwrap().astray(), 0);
    queue.ready().await.unwrap();
}

pub(crate) async fn after_stop_nothing_is_handed_out_but_what_is_out_can_be_settled(queue: &dyn Broker) {
    queue.publish(&envelope("s", 1)).await.unwrap();
    queue.publish(&envelope("s", 2)).await.unwrap();
    let held = next(queue).await;
    queue.stop().await;
    assert!(matches!(queue.receive().await, Err(BrokerError::Stopped)));
    assert!(held.ack().await.unwrap());
}
