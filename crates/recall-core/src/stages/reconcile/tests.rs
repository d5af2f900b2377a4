//! Calls against a scope held in memory: each verdict once, and the same end whatever the order of arrival.

mod denials;
mod world;

use std::collections::BTreeSet;

use proptest::prelude::*;
use ulid::Ulid;

use world::{Told, World, call, draft, lives, moment, told};

use super::*;
use crate::context::{Near, Stamp};
use crate::entity::{Entity, EntityKind};
use crate::keys::{Key, KeyRing};
use crate::provenance::ExtractedBy;
use crate::reading;
use crate::stages::calibrate::corroborated;
use crate::stages::resolve::Resolved;
use crate::turn::Turn;
use crate::window::Window;

const MAY: Option<&str> = Some("2026-05-01T10:00:00+02:00");
const JUNE: Option<&str> = Some("2026-06-01T10:00:00+02:00");
const JULY: Option<&str> = Some("2026-07-01T10:00:00+02:00");

fn reason(outcome: &Outcome) -> Option<Reason> {
    match outcome {
        Outcome::Stored { reason, .. } => *reason,
        Outcome::Merged { .. } => Some(Reason::SameClaim),
        Outcome::Dropped(dropped) => Some(dropped.reason),
    }
}

/// What is checked, the first statement, the second, and what became of the second and of the first.
type Line = (&'static str, Told, Told, Option<Reason>, (Status, Status));

fn check(table: Vec<Line>) {
    for (name, first, second, expected, (old, new)) in table {
        let mut world = World::default();
        world.remember(1, &[first]);
        let outcome = world.remember(2, &[second]);
        assert_eq!(reason(&outcome[0]), expected, "{name}");
        let statuses = world.statuses();
        assert_eq!(statuses.first().map(|(_, status)| *status), Some(old), "{name}");
        assert_eq!(statuses.last().map(|(_, status)| *status), Some(new), "{name}");
    }
}

#[test]
#[rustfmt::skip]
fn a_second_value_is_held_against_the_first_by_when_it_was_said() {
    use Status::{Active, Disputed, Superseded};
    let gone = || told("home_city", "Brno", "User does not live in Brno", JUNE);
    check(vec![
        ("the same again joins", lives("Brno", MAY), lives("Brno", JUNE), Some(Reason::SameClaim), (Active, Active)),
        ("a later home replaces", lives("Brno", MAY), lives("Graz", JUNE), Some(Reason::NewerValue), (Superseded, Active)),
        ("an earlier home is history", lives("Brno", JUNE), lives("Graz", MAY), Some(Reason::OlderValue), (Active, Superseded)),
        ("at the same instant nobody can tell", lives("Brno", MAY), lives("Graz", MAY), Some(Reason::Undecided), (Disputed, Disputed)),
        ("of unknown time nobody can tell", lives("Brno", None), lives("Graz", JUNE), Some(Reason::Undecided), (Disputed, Disputed)),
        ("no longer there replaces there", lives("Brno", MAY), gone(), Some(Reason::NewerValue), (Superseded, Active)),
    ]);
}

#[test]
#[rustfmt::skip]
fn what_is_no_present_value_of_the_same_person_ends_nothing() {
    use Status::Active;
    let plan = told("home_city", "Graz", "User plans to move to Graz", JUNE);
    let past = told("home_city", "Graz", "User lived in Graz in 2011", JUNE);
    let maybe = told("home_city", "Graz", "User might live in Graz", JUNE).unsure();
    let bike = told("owns", "a bike", "User owns a bike", JUNE);
    check(vec![
        ("a plan", lives("Brno", MAY), plan, None, (Active, Active)),
        ("a past home", lives("Brno", MAY), past, None, (Active, Active)),
        ("a possibility", lives("Brno", MAY), maybe, None, (Active, Active)),
        ("a relative's home", lives("Brno", MAY), lives("Graz", JUNE).of("user's sister"), None, (Active, Active)),
        ("a bike beside a boat", told("owns", "a boat", "User owns a boat", MAY), bike, None, (Active, Active)),
    ]);
}

#[test]
fn inside_a_call_the_place_decides_where_the_time_does_not() {
    let mut world = World::default();
    let outcomes = world.remember(1, &[lives("Brno", None), lives("Graz", None)]);
    assert_eq!(outcomes.iter().map(reason).collect::<Vec<_>>(), [None, Some(Reason::NewerValue)]);
    assert_eq!(world.statuses().into_iter().collect::<BTreeSet<_>>().len(), 2);
    assert!(world.statuses().contains(&("Graz", Status::Active)));
}

#[test]
fn a_value_said_again_after_it_was_replaced_counts_again() {
    let mut world = World::default();
    world.remember(1, &[lives("Brno", MAY)]);
    world.remember(2, &[lives("Graz", JUNE)]);
    let outcome = world.remember(3, &[lives("Brno", JULY)]);
    assert_eq!(reason(&outcome[0]), Some(Reason::SameClaim));
    assert_eq!(world.statuses(), [("Brno", Status::Active), ("Graz", Status::Superseded)]);
}

#[test]
fn a_claim_is_told_in_the_words_that_were_said_first() {
    let (first, second) = (lives("Brno", MAY), told("home_city", "Brno", "Brno is where User lives", JUNE));
    for order in [[&first, &second], [&second, &first]] {
        let mut world = World::default();
        for (number, told) in order.into_iter().enumerate() {
            world.remember(number as u64, std::slice::from_ref(told));
        }
        let memory = &world.near.memories[0];
        assert_eq!((world.near.memories.len(), memory.content.as_str()), (1, "User lives in Brno"));
        assert_eq!(memory.provenance.sources.len(), 2);
    }
}

#[test]
fn what_happens_again_on_another_day_is_another_event_and_a_move_told_twice_is_one() {
    let mut world = World::default();
    let ran = |on: &str| told("activity", "marathon", "User ran a marathon", Some("2024-01-01T08:00:00Z")).happened(on);
    world.remember(1, &[ran("2020-05-03T00:00:00Z"), ran("2023-09-17T00:00:00Z")]);
    let again = world.remember(2, &[ran("2020-05-03T00:00:00Z")]);
    assert!(matches!(again[0], Outcome::Merged { .. }), "{again:?}");
    assert_eq!(world.near.memories.len(), 2);
    assert!(world.near.memories.iter().all(|memory| memory.status == Status::Active));
    let moved = |on: &str| lives("Faro", Some("2024-01-01T08:00:00Z")).happened(on);
    world.remember(3, &[moved("2023-01-01T00:00:00Z"), moved("2023-01-02T00:00:00Z")]);
    assert_eq!(world.near.memories.len(), 3, "where one lives is a state, whenever it began");
}

#[test]
fn a_later_word_settles_a_dispute() {
    let mut world = World::default();
    world.remember(1, &[lives("Brno", MAY)]);
    world.remember(2, &[lives("Graz", MAY)]);
    world.remember(3, &[lives("Graz", JULY)]);
    assert_eq!(world.statuses(), [("Brno", Status::Superseded), ("Graz", Status::Active)]);
}

#[test]
fn the_same_turn_again_adds_nothing() {
    let mut world = World::default();
    world.remember(1, &[lives("Brno", MAY)]);
    let before = world.state();
    world.remember(1, &[lives("Brno", MAY)]);
    assert_eq!(world.state(), before);
}

#[test]
fn three_guesses_stay_a_guess_and_a_firm_word_lifts_it() {
    let mut world = World::default();
    for number in 1..=3 {
        world.remember(number, &[lives("Brno", MAY).unsure()]);
    }
    assert_eq!(world.near.memories[0].confidence, 0.5);
    world.remember(4, &[lives("Brno", JUNE)]);
    assert_eq!(world.near.memories[0].confidence, 0.9);
    assert_eq!(world.near.memories[0].provenance.sources.len(), 4);
}

#[test]
fn two_strangers_are_not_one_and_one_stranger_is_not_two() {
    let stranger = |told: &Told, turn: &Turn| {
        let mut draft = draft(told, turn);
        draft.resolution.unresolved = true;
        draft.resolution.references =
            vec![Resolved { pronoun: "She".into(), entity: Vec::new(), distance: None, runner_up: None, margin: 0.0 }];
        draft
    };
    let told = [lives("Brno", MAY).of("she"), lives("Graz", JUNE).of("she")];
    let call = call(1, &told);
    let apart: Vec<Draft> = told.iter().zip(&call.turns).map(|(told, turn)| stranger(told, turn)).collect();
    let together: Vec<Draft> = told.iter().map(|told| stranger(told, &call.turns[0])).collect();
    let reading = reading::read(Window::default(), call);
    let (near, keys) = (Near::default(), KeyRing::new(Key::new("k1", "secret"), Vec::new()));
    let stamp = Stamp { ran_at: moment(1), extracted_by: ExtractedBy::new("rules", "rules", ("", "", "")) };
    let cx = Context { reading: &reading, near: &near, keys: &keys, stamp: &stamp, opinions: None };
    let strangers = |drafts: &[Draft]| {
        let made = reconcile(&cx, drafts).0.entities;
        made.into_iter().filter(|entity| entity.kind != EntityKind::User).count()
    };
    assert_eq!((strangers(&apart), strangers(&together)), (2, 1));
}

#[test]
fn a_known_name_leads_to_the_known_entity_and_a_new_one_is_learnt_once() {
    let mut world = World::default();
    world.near.entities.push(Entity {
        id: crate::id::EntityId::new(Ulid(9)),
        name: "Tordis Vik".into(),
        kind: EntityKind::Person,
        aliases: vec!["Tordis".into()],
    });
    world.remember(
        1,
        &[
            lives("Brno", MAY).of("tordis"),
            lives("Graz", MAY).of("Ulla"),
            told("pet", "cat", "Ulla has a cat", MAY).of("Ulla"),
        ],
    );
    assert_eq!(world.near.entities.iter().filter(|entity| entity.kind != EntityKind::User).count(), 2);
    assert_eq!(world.near.memories[0].subject.name, "Tordis Vik");
    assert_eq!(world.near.memories[1].subject, world.near.memories[2].subject);
}

#[test]
fn a_credential_beside_the_claim_is_blanked_in_the_quote() {
    let content = "User works at the dairy, the door password is Hay_Loft_9931";
    let mut world = World::default();
    world.remember(1, &[told("employer", "dairy", content, MAY)]);
    assert!(!world.near.memories[0].provenance.sources[0].quote.contains("Hay_Loft_9931"));
}

fn statement() -> impl Strategy<Value = Told> {
    let values = prop::sample::select(vec!["Brno", "Graz", "Lund"]);
    let times = prop::option::weighted(0.8, 0u64..4);
    let shape = prop::sample::select(vec!["lives", "lives", "home", "not", "unsure", "past"]);
    (values, times, shape).prop_map(|(value, time, shape)| {
        let mut told = match shape {
            "not" => told("home_city", value, &format!("User does not live in {value}"), None),
            "past" => told("home_city", value, &format!("User used to live in {value}"), None),
            "home" => told("home_city", value, &format!("{value} is where User lives"), None),
            _ => lives(value, None),
        };
        told.at = time.map(|time| moment(time * 10));
        if shape == "unsure" { told.unsure() } else { told }
    })
}

/// Unsure words get a time of their own: which of two words of one call stood first is not kept, only what followed from it, and
/// from unsure words nothing follows until they are confirmed.
fn dated(number: usize, told: &[Told]) -> Vec<Told> {
    let date = |(place, told): (usize, &Told)| {
        let own = Some(moment((number * 10 + place * 3 + 1) as u64));
        Told { at: if told.confidence < 0.6 { own } else { told.at }, ..told.clone() }
    };
    told.iter().enumerate().map(date).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn the_end_does_not_depend_on_the_order_of_arrival(
        calls in prop::collection::vec(prop::collection::vec(prop_oneof![statement(), denials::statement()], 1..3), 2..6),
        order in Just((0usize..6).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let mut one = World::default();
        for (number, told) in calls.iter().enumerate() {
            one.remember(number as u64, &dated(number, told));
        }
        let mut other = World::default();
        for number in order.into_iter().filter(|number| *number < calls.len()) {
            other.remember(number as u64, &dated(number, &calls[number]));
        }
        prop_assert_eq!(one.state(), other.state());
    }

    #[test]
    fn exactly_what_was_said_last_counts(said in prop::collection::vec((prop::sample::select(vec!["Brno", "Graz", "Lund"]), 0u64..1000), 1..6)) {
        let mut world = World::default();
        for (number, (value, time)) in said.iter().enumerate() {
            let mut told = lives(value, None);
            told.at = Some(moment(*time));
            world.remember(number as u64, &[told]);
        }
        let last = said.iter().map(|(_, time)| *time).max().unwrap_or_default();
        let latest: BTreeSet<&str> = said.iter().filter(|(_, time)| *time == last).map(|(value, _)| *value).collect();
        let counting: BTreeSet<&str> = world.statuses().into_iter().filter(|(_, status)| *status != Status::Superseded).map(|(value, _)| value).collect();
        prop_assert_eq!(latest, counting);
    }

    #[test]
    fn corroboration_does_not_depend_on_order(mut said in prop::collection::vec(0.05f64..0.98, 2..6)) {
        let fold = |said: &[f64]| said.iter().copied().reduce(corroborated).unwrap_or_default();
        let forward = fold(&said);
        said.reverse();
        prop_assert!((forward - fold(&said)).abs() < 1e-9);
        prop_assert!(forward >= said.iter().copied().fold(0.0, f64::max) - 1e-9);
    }
}

#[test]
fn a_quote_is_stored_without_the_credential_that_stands_beside_the_claim() {
    let mut world = World::default();
    let said = "my router password is Otter_Lamp_2291 and the router is in the hall";
    world.remember(1, &[told("router_place", "hall", said, Some("2026-02-10T10:00:00Z"))]);
    let quotes: Vec<&str> =
        world.near.memories.iter().flat_map(|memory| &memory.provenance.sources).map(|source| &*source.quote).collect();
    assert_eq!(quotes, ["my router password is [redacted] and the router is in the hall"]);
}
