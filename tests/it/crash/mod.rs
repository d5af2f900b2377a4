//! Power cuts at every boundary, cut networks, servers that die, fill up or refuse, wrong clocks, and messages of other versions:
//! each accepted call has exactly one effect, in the order of its session. The count is the one of the soak; `tests/ledger` shows
//! for each kind of damage that it is noticed.

mod boundaries;
mod clock;
mod cuts;
mod door;
mod model;
mod own;
mod partitions;
mod relay;
mod servers;
mod versions;

use std::collections::BTreeSet;

use recall_tests::Counts;
use relay::Relay;

use crate::world::{Backends, Servers, World};

/// No poison was planted.
const NONE: BTreeSet<String> = BTreeSet::new();

/// Relays in front of the servers of an installation, and the way through them.
struct Relays {
    database: Relay,
    broker: Relay,
    servers: Servers,
}

impl Relays {
    async fn of(world: &World) -> Self {
        let (database, to_database) = Relay::before_url(&world.servers().database, 5432).await;
        let (broker, to_broker) = Relay::before_url(&world.servers().broker, 5672).await;
        // The traps read what is said.
        let to_database = format!("{to_database}?sslmode=disable");
        Self { database, broker, servers: Servers { database: to_database, broker: to_broker } }
    }
}

/// The unit tests of the count doctor a ledger; this one doctors a store, so that reading it is tried as well.
#[tokio::test]
async fn damage_in_a_store_is_counted() {
    let mut world = World::new(Backends::Services).await;
    world.serve();
    world.work();
    let sent = world.send_all(0..2, 0..2).await;
    world.each_had_its_one_effect(&sent, &NONE).await;
    let (one, other) = (&sent[0].trace_id, &sent[1].trace_id);
    let damages = [
        (format!("DELETE FROM spans WHERE trace_id = '{one}' AND ordinal = 0"), "lost=1 doubled=0"),
        (
            format!(
                "INSERT INTO spans (trace_id, ordinal, expires_at, stage, started_ns, took_ns, items, dropped, namespace)
                SELECT trace_id, ordinal + 100, expires_at, stage, started_ns, took_ns, items, dropped, namespace FROM spans WHERE trace_id = '{other}' AND ordinal = 0"
            ),
            "lost=1 doubled=1",
        ),
        ("UPDATE runs SET session_version = 3 - session_version".into(), "out_of_order=2"),
        (format!("INSERT INTO attempts (trace_id, alone, began_at) VALUES ('{one}', 1, 0)"), "still_waiting=1"),
        (
            format!(
                "INSERT INTO dead_letters (id, class, reason, attempts, body, died_at) VALUES ('{one}', 'bug', '', 1, '', 0)"
            ),
            "dead_innocent=1",
        ),
    ];
    for (damage, told) in damages {
        assert!(world.count(&format!("WITH hurt AS ({damage} RETURNING 1) SELECT count(*) FROM hurt")).await > 0);
        let counts = Counts::of(&sent, &world.ledger().await.unwrap(), &NONE);
        assert!(!counts.is_right() && counts.to_string().contains(told), "{damage}: {counts}");
    }
}
