//! What a memory is found to be.

use super::*;
use crate::eval::compare::trial::Side;
use crate::eval::compare::world;

fn judged(contents: &[&str], opinion: Opinion) -> Vec<Found> {
    let mut conversation = world::conversation(0, 3);
    let labels = conversation.labels.as_mut().unwrap();
    labels.gold[2].replaced_by = Some("g1".into());
    let memories = contents.iter().map(|content| world::stored(content)).collect();
    let mut trial = world::trial(&conversation, Side::A, memories);
    by_labels(&mut trial, &conversation);
    trial.memories.iter_mut().for_each(|memory| by_judge(memory, true, opinion));
    trial.memories.into_iter().map(|memory| memory.found).collect()
}

#[test]
fn gold_falsehoods_replaced_facts_and_the_rest_are_told_apart() {
    let found = judged(
        &[
            "User has a parrot called Rico",
            "User keeps a crocodile",
            "User's turtle is called Bruno",
            "User sings",
            "Rico is user's parrot",
        ],
        Opinion::NoJudge,
    );
    let by: Vec<_> = found.iter().map(|found| (found.supported, found.decided_by)).collect();
    let right = [
        (Some(true), Some(Decider::Gold)),
        (Some(false), Some(Decider::Falsehood)),
        (Some(false), Some(Decider::Replaced)),
        (Some(false), Some(Decider::Gold)),
        (Some(true), Some(Decider::Gold)),
    ];
    assert_eq!(by, right, "{found:#?}");
    assert_eq!(found.iter().map(|found| found.junk).collect::<Vec<_>>(), [false, false, false, true, false]);
    assert_eq!(found.iter().map(|found| found.duplicate).collect::<Vec<_>>(), [false, false, false, false, true]);
    assert_eq!(found[0].gold, ["g0"]);
}

#[test]
fn a_judge_decides_what_labels_leave_open_and_nothing_else() {
    let contents = ["User has a parrot called Rico", "User sings"];
    let unsupported = judged(&contents, Opinion::Said(Support::Partial));
    assert_eq!((unsupported[0].supported, unsupported[1].supported), (Some(true), Some(false)));
    assert_eq!(unsupported[1].decided_by, Some(Decider::Judge));
    assert_eq!(judged(&contents, Opinion::Said(Support::Supported))[1].supported, Some(true));
    assert_eq!(judged(&contents, Opinion::Silent)[1].supported, None, "no answer decides nothing");
    assert!(judged(&contents, Opinion::Said(Support::Supported))[1].junk, "true, and still nothing anybody asked for");
}

#[test]
fn without_labels_and_judge_nobody_decides_and_repeats_are_found_by_their_words() {
    let conversation = Conversation { labels: None, ..world::conversation(0, 1) };
    let memories = ["User plays the cello", "The user plays a cello", "User plays chess"];
    let memories = memories.iter().map(|content| world::stored(content)).collect();
    let mut trial = world::trial(&conversation, Side::A, memories);
    by_labels(&mut trial, &conversation);
    trial.memories.iter_mut().for_each(|memory| by_judge(memory, false, Opinion::NoJudge));
    let found: Vec<_> = trial.memories.iter().map(|memory| (memory.found.supported, memory.found.duplicate)).collect();
    assert_eq!(found, [(None, false), (None, true), (None, false)]);
}

#[test]
fn a_true_memory_that_shares_a_word_with_a_falsehood_stays_true() {
    let mut conversation = world::conversation(0, 1);
    let labels = conversation.labels.as_mut().unwrap();
    labels.falsehoods[0].claim = "User has a parrot farm".into();
    labels.falsehoods[0].keywords = vec![vec!["parrot".into()]];
    let mut trial = world::trial(&conversation, Side::A, vec![world::stored("User has a parrot called Rico")]);
    by_labels(&mut trial, &conversation);
    assert_eq!(trial.memories[0].found.supported, Some(true), "{:?}", trial.memories[0]);
}
