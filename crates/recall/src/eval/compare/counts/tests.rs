//! A trial counted by hand.

use super::*;
use crate::eval::compare::decide::{Opinion, by_judge, by_labels};
use crate::eval::compare::measures::{MEASURES, named};
use crate::eval::compare::trial::{Blocked, Side};
use crate::eval::compare::world;

fn repaired() -> CallRecord {
    let tokens = CallRecord { prompt_tokens: 300, completion_tokens: 40, ..CallRecord::default() };
    CallRecord { model_calls: 2, milliseconds: Some(1500), ..tokens }
}

#[test]
fn every_figure_of_a_trial_is_the_one_counted_by_hand() {
    let mut conversation = world::conversation(0, 5);
    let labels = conversation.labels.as_mut().unwrap();
    labels.gold[4].replaced_by = Some("g3".into());
    labels.gold[0].date = Some("2026-03".into());
    labels.gold[1].date = Some("2026-03-02".into());
    let mut memories: Vec<Stored> = [0, 1, 4].map(|at| world::stored(&labels.gold[at].claim)).into();
    memories[0].date = Some("2026-03-09".into());
    memories[1].date = Some("2026-03-03".into());
    memories.extend(["User sings", "User has a crocodile"].map(world::stored));
    memories[0].confidence = 1.0;
    let [first, third] = [0, 2].map(|at| labels.gold[at].claim.clone());
    let mut trial = world::trial(&conversation, Side::A, memories);
    let blocked = |content: &str| Blocked {
        stage: "ground".into(),
        reason: "quote_not_found".into(),
        content: content.into(),
        subject: "user".into(),
        negative: false,
        gold: Vec::new(),
    };
    trial.blocked = vec![blocked(&third), blocked(&first), blocked("User flies")];
    trial.calls = vec![
        repaired(),
        CallRecord { unusable: true, milliseconds: Some(500), ..CallRecord::default() },
        CallRecord::default(),
    ];
    by_labels(&mut trial, &conversation);
    trial.memories.iter_mut().for_each(|memory| by_judge(memory, true, Opinion::NoJudge));
    let counted = counts(&trial, &conversation);
    let right = [
        ("recall", 2.0 / 4.0),
        ("precision", 2.0 / 5.0),
        ("resisted", 0.0),
        ("supported_blocked", 1.0 / 3.0),
        ("junk", 1.0 / 5.0),
        ("duplicates", 0.0),
        ("outdated", 1.0),
        ("dates_right", 1.0 / 2.0),
        // One of confidence 1 that is right; four of .8, of which one is.
        ("ece", (0.0 + (4.0 * 0.8_f64 - 1.0)) / 5.0),
        ("brier", (0.04 + 3.0 * 0.64) / 5.0),
        ("blocked", 3.0 / 8.0),
        ("unusable", 1.0 / 2.0),
        ("repaired", 1.0 / 2.0),
        ("memories", 5.0),
        ("prompt_tokens", 300.0),
        ("reply_tokens", 40.0),
        ("cost", 0.0),
        ("latency", 1.0),
        ("tokens_per_second", 20.0),
    ];
    assert_eq!(right.len(), MEASURES.len());
    for (name, value) in right {
        let found = (named(name).unwrap().of)(&counted).unwrap();
        assert!((found - value).abs() < 1e-9, "{name}: {found} instead of {value}");
    }
}

#[test]
fn sums_are_the_sums_of_every_count() {
    let conversation = world::conversation(1, 3);
    let mut trial = world::trial(&conversation, Side::A, vec![world::stored("User sings")]);
    by_labels(&mut trial, &conversation);
    trial.memories.iter_mut().for_each(|memory| by_judge(memory, true, Opinion::NoJudge));
    let one = counts(&trial, &conversation);
    let mut two = one;
    two += &one;
    assert_eq!((two.gold, two.decided, two.bins[8].memories), (6.0, 2.0, 2.0));
    for measure in MEASURES {
        assert_eq!((measure.of)(&one), (measure.of)(&two), "{}", measure.name);
    }
    assert_eq!((named("recall").unwrap().of)(&Counts::default()), None, "nothing to divide by");
}
