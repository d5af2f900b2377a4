//! Chance found as often as it should be, a planted difference as often as was promised.

use super::*;
use crate::eval::compare::counts::counts;
use crate::eval::compare::set::Conversation;
use crate::eval::compare::trial::Side;
use crate::eval::compare::world::{self, Known};

/// Conversations of which each further one is like an earlier one.
const KINDS: usize = 4;

/// A world of people.
struct World {
    conversations: Vec<Conversation>,
    known: Known,
}

impl World {
    fn new(conversations: usize, facts: usize) -> Self {
        let conversations = (0..conversations).map(|number| world::conversation(number % KINDS, facts)).collect();
        Self { conversations, known: Known::default() }
    }

    /// Both arms by a seed, through what labels, counts and measures make of them.
    fn pairs(&mut self, seed: u64, found: [f64; 2]) -> Vec<Pair> {
        let mut draw = Draw::new(seed);
        let Self { conversations, known } = self;
        let read = |conversation: &Conversation, arm, share: f64, draw: &mut Draw, known: &mut Known| {
            let mut trial = world::by_chance(conversation, arm, share, draw);
            known.decide(&mut trial, conversation);
            counts(&trial, conversation)
        };
        conversations
            .iter()
            .map(|conversation| Pair {
                a: read(conversation, Side::A, found[0], &mut draw, known),
                b: read(conversation, Side::B, found[1], &mut draw, known),
            })
            .collect()
    }
}

const QUICK: Effort = Effort { resamples: 0, swaps: 399, seed: 1 };

fn recall(compared: &[Compared]) -> Difference {
    compared[MEASURES.iter().position(|measure| measure.name == "recall").unwrap()].difference
}

#[test]
fn arms_that_are_alike_differ_in_one_of_twenty_comparisons() {
    let mut world = World::new(24, 6);
    let significant = (1..=200)
        .filter(|seed| {
            let compared = compare(&world.pairs(*seed, [0.7, 0.7]), Effort { seed: *seed, ..QUICK });
            recall(&compared).p.unwrap() < 0.05
        })
        .count();
    assert!((4..=17).contains(&significant), "{significant} of 200 seeds");
}

#[test]
fn a_planted_difference_of_five_points_is_found_in_a_set_that_is_large_enough() {
    let mut world = World::new(110, 12);
    let seeds = 50;
    let found = (1..=seeds)
        .filter(|seed| {
            let found = recall(&compare(&world.pairs(*seed, [0.75, 0.80]), QUICK));
            found.p.unwrap() < 0.05 && found.figure.value.unwrap() > 0.0
        })
        .count();
    assert!(found as f64 >= 0.8 * seeds as f64, "{found} of {seeds}");
}

#[test]
fn in_a_small_set_the_power_that_is_told_is_the_share_that_is_found() {
    let mut world = World::new(40, 8);
    let (mut found, mut told) = (0.0, 0.0);
    for seed in 1..=60 {
        let compared = compare(&world.pairs(seed, [0.75, 0.80]), Effort { resamples: 200, ..QUICK });
        let difference = recall(&compared);
        found += f64::from(u8::from(difference.p.unwrap() < 0.05)) / 60.0;
        told += power(0.05, difference.deviation.unwrap()) / 60.0;
    }
    assert!((0.15..0.75).contains(&told), "a set of which that can be asked: {told}");
    assert!((found - told).abs() < 0.15, "told {told}, found {found}");
}

#[test]
fn intervals_hold_the_truth_in_nineteen_of_twenty_worlds() {
    let mut world = World::new(30, 6);
    let held = (1..=60).filter(|seed| {
        let effort = Effort { resamples: 200, swaps: 0, seed: *seed };
        let figure = recall(&compare(&world.pairs(*seed, [0.6, 0.75]), effort)).figure;
        figure.low.unwrap() <= 0.15 && 0.15 <= figure.high.unwrap()
    });
    let held = held.count();
    assert!((51..=60).contains(&held), "{held} of 60");
}

#[test]
fn the_same_draw_gives_the_same_figures_and_alike_arms_no_difference() {
    let mut world = World::new(8, 4);
    let pairs = world.pairs(7, [0.5, 0.5]);
    let effort = Effort { resamples: 100, swaps: 99, seed: 3 };
    assert_eq!(compare(&pairs, effort), compare(&pairs, effort));
    let alike: Vec<Pair> = pairs.iter().map(|pair| Pair { a: pair.a, b: pair.a }).collect();
    let difference = recall(&compare(&alike, effort));
    assert_eq!((difference.figure.value, difference.figure.low, difference.p), (Some(0.0), Some(0.0), Some(1.0)));
}

#[test]
fn a_difference_in_every_conversation_is_as_improbable_as_swaps_can_tell() {
    let mut pairs = World::new(12, 4).pairs(1, [0.0, 1.0]);
    pairs.iter_mut().for_each(|pair| pair.a.gold_found = 0.0);
    let difference = recall(&compare(&pairs, QUICK));
    assert_eq!(difference.figure.value, Some(1.0));
    assert!(difference.p.unwrap() <= 3.0 / 400.0, "{difference:?}");
}

#[test]
fn the_normal_distribution_and_power_are_those_of_the_tables() {
    for (at, share) in [(0.0, 0.5), (1.0, 0.841_345), (-1.96, 0.024_998), (2.8, 0.997_445)] {
        assert!((normal(at) - share).abs() < 1e-5, "{at}: {}", normal(at));
    }
    assert!((power(detectable(0.02), 0.02) - 0.8).abs() < 1e-3);
    assert!((power(0.0, 0.02) - 0.05).abs() < 1e-3, "without a difference it is found by chance only");
}

#[test]
fn several_tests_together_err_in_one_of_twenty() {
    let given = [Some(0.01), None, Some(0.04), Some(0.03)];
    let adjusted = adjusted(&given);
    let right = [Some(0.03), None, Some(0.06), Some(0.06)];
    for (found, right) in adjusted.iter().zip(right) {
        assert!(found.zip(right).is_none_or(|(found, right)| (found - right).abs() < 1e-12), "{adjusted:?}");
        assert_eq!(found.is_some(), right.is_some());
    }
}
