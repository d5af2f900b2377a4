//! A claim and its denial: which of them counts, and what stays side by side.

use proptest::prelude::*;

use super::world::{Told, World, moment, told};
use super::*;
use crate::memory::Status::{self, Active, Disputed, Superseded};

/// A statement of one of several topics, told so or not so.
pub(super) fn statement() -> impl Strategy<Value = Told> {
    let shapes = vec![
        ("medical_condition", "gout", "User has gout"),
        ("ailment", "gout", "User has gout"),
        ("medical_condition", "gout", "User no longer has gout"),
        ("likes", "fennel", "User loves fennel"),
        ("dislikes", "fennel", "User hates fennel"),
        ("food", "fennel", "User does not like fennel"),
        ("children", "two", "User has two kids"),
        ("family", "none", "User has no kids"),
    ];
    let times = prop::option::weighted(0.8, 0u64..4);
    (prop::sample::select(shapes), times).prop_map(|((attribute, value, content), time)| {
        let mut told = told(attribute, value, content, None);
        told.at = time.map(|time| moment(time * 10));
        told
    })
}

fn after(first: Claim, second: Claim, times: [Option<&str>; 2]) -> Vec<Status> {
    let mut world = World::default();
    for (number, ((attribute, value, content), at)) in [first, second].into_iter().zip(times).enumerate() {
        world.remember(number as u64, &[told(attribute, value, content, at)]);
    }
    world.near.memories.iter().map(|memory| memory.status).collect()
}

type Claim = (&'static str, &'static str, &'static str);

#[rustfmt::skip]
const ENDED: &[(Claim, Claim)] = &[
    (("medical_condition", "gout", "User has gout"), ("medical_condition", "gout", "User does not have gout")),
    (("medical_condition", "gout", "User has gout"), ("ailment", "gout", "User no longer has gout")),
    (("diet", "pork", "User eats pork"), ("diet", "pork", "User does not eat pork")),
    (("diet", "pork", "User doesn't eat pork"), ("food", "pork", "User eats pork")),
    (("owns", "van", "User owns a van"), ("owns", "van", "User does not own a van")),
    (("smoker", "yes", "User smokes"), ("habit", "smoking", "User has quit smoking")),
    (("smoker", "no", "User doesn't smoke"), ("smoker", "yes", "User smokes")),
    (("pet", "goat", "User has a goat"), ("pet", "goat", "User has no goat anymore")),
    (("allergy", "figs", "User is allergic to figs"), ("allergy", "figs", "User is not allergic to figs")),
    (("likes", "fennel", "User likes fennel"), ("dislikes", "fennel", "User hates fennel")),
    (("likes", "fennel", "User enjoys fennel"), ("likes", "fennel", "User cannot stand fennel")),
    (("dislikes", "fennel", "User dislikes fennel"), ("likes", "fennel", "User loves fennel")),
    (("age", "41", "User is 41"), ("age", "42", "User is 42 years old")),
    (("weight", "80 kg", "User weighs 80 kg"), ("weight", "84 kg", "User weighs 84 kg")),
    (("children", "none", "User has no kids"), ("children", "two", "User has two kids")),
    (("number_of_children", "1", "User has one child"), ("number_of_children", "2", "User has two children")),
];

#[rustfmt::skip]
const APART: &[(Claim, Claim)] = &[
    (("likes", "figs", "User likes figs"), ("likes", "dates", "User likes dates")),
    (("likes", "figs", "User likes figs"), ("dislikes", "dates", "User hates dates")),
    (("car", "Saab", "User drives a Saab"), ("car", "Lancia", "User drives a Lancia")),
    (("owns", "van", "User owns a van"), ("owns", "boat", "User does not own a boat")),
    (("medical_condition", "gout", "User has gout"), ("medical_condition", "asthma", "User does not have asthma")),
    (("diet", "pork", "User eats pork"), ("diet", "pork", "User does not eat pork on Fridays")),
    (("likes", "tea", "User likes tea"), ("likes", "tea", "User does not like tea in the morning")),
    (("pet", "goat", "User has a goat"), ("pet", "goat", "User used to have a goat")),
    (("gym", "", "User went to the gym"), ("gym", "", "User did not go to the gym")),
    (("habit", "smoking", "User smokes"), ("plan", "smoking", "User plans to stop smoking")),
    (("child_name", "Ivo", "User has a child called Ivo"), ("child_name", "Mia", "User has a child called Mia")),
];

#[test]
fn a_denial_said_later_ends_the_claim_and_the_other_way_round() {
    for (first, second) in ENDED.iter().flat_map(|(one, other)| [(*one, *other), (*other, *one)]) {
        assert_eq!(after(first, second, [MAY, JUNE]), [Superseded, Active], "{first:?} {second:?}");
        assert_eq!(after(first, second, [JUNE, MAY]), [Active, Superseded], "{first:?} {second:?}");
        assert_eq!(after(first, second, [MAY, MAY]), [Disputed, Disputed], "{first:?} {second:?}");
        assert_eq!(after(first, second, [None, JUNE]), [Disputed, Disputed], "{first:?} {second:?}");
    }
}

#[test]
fn what_can_both_hold_stays_side_by_side() {
    for (first, second) in APART.iter().flat_map(|(one, other)| [(*one, *other), (*other, *one)]) {
        assert_eq!(after(first, second, [MAY, JUNE]), [Active, Active], "{first:?} {second:?}");
    }
}

#[test]
fn a_guess_ends_nothing() {
    let mut world = World::default();
    world.remember(1, &[told("allergy", "figs", "User is allergic to figs", MAY)]);
    world.remember(2, &[told("allergy", "figs", "User is not allergic to figs", JUNE).unsure()]);
    assert!(world.near.memories.iter().all(|memory| memory.status == Active));
}

#[test]
fn the_same_words_are_one_memory_whatever_they_are_labelled() {
    let mut world = World::default();
    world
        .remember(1, &[told("condition", "gout", "User has gout", MAY), told("ailment", "gout", "User has gout", MAY)]);
    assert_eq!(world.near.memories.len(), 1);
    assert_eq!(world.near.memories[0].provenance.sources.len(), 2);
}

#[test]
fn a_claim_said_again_after_its_denial_counts_again() {
    let mut world = World::default();
    world.remember(1, &[told("likes", "fennel", "User likes fennel", MAY)]);
    world.remember(2, &[told("dislikes", "fennel", "User hates fennel", JUNE)]);
    world.remember(3, &[told("food", "fennel", "User loves fennel", JULY)]);
    let stood: Vec<Status> = world.near.memories.iter().map(|memory| memory.status).collect();
    assert_eq!(stood, [Active, Superseded]);
}
