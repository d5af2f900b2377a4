//! The page: everything escaped, nothing loaded, and what matters first.

use recall_core::prompt::Library;

use super::page;
use crate::eval::compare::by_labels;
use crate::eval::compare::decide::{Opinion, by_judge};
use crate::eval::compare::lab::Arm;
use crate::eval::compare::report::{Made, Report};
use crate::eval::compare::set::Conversation;
use crate::eval::compare::statistics::{Draw, Effort};
use crate::eval::compare::trial::{Blocked, Quote, Side, Trial};
use crate::eval::compare::world;

/// A small comparison in which b finds more.
pub(crate) fn report() -> Report {
    let conversations: Vec<Conversation> = (0..12).map(|number| world::conversation(number, 5)).collect();
    let mut draw = Draw::new(3);
    let mut trials: Vec<Trial> = Vec::new();
    for conversation in &conversations {
        trials.push(world::by_chance(conversation, Side::A, 0.3, &mut draw));
        trials.push(world::by_chance(conversation, Side::B, 0.95, &mut draw));
    }
    told(&conversations, trials)
}

fn told(conversations: &[Conversation], mut trials: Vec<Trial>) -> Report {
    by_labels(&mut trials, conversations);
    for memory in trials.iter_mut().flat_map(|trial| &mut trial.memories) {
        by_judge(memory, true, Opinion::NoJudge);
    }
    let arm = |side, prompt: &str| Arm {
        side,
        prompt: Library::builtin().extract(prompt).unwrap().clone(),
        model: None,
        first_sample: 0,
    };
    let made = Made {
        arms: &[arm(Side::A, "v1"), arm(Side::B, "v2")],
        repeats: 1,
        turns_per_call: 20,
        effort: Effort { resamples: 200, swaps: 199, seed: 1 },
        recorded: Vec::new(),
        matcher: None,
    };
    Report::new(made, conversations, trials)
}

#[test]
fn the_verdict_comes_first_and_every_part_is_there() {
    let page = page(&report()).unwrap();
    let places = [
        "<h1>v2 is better than v1 in gold facts found",
        "class=\"cards\"",
        "<h2>Every measure</h2>",
        "<svg ",
        "<h2>Parts</h2>",
        "<h2>Conversations that changed</h2>",
        "<details><summary>world-",
        "<h2>How it was made</h2>",
        "</html>",
    ]
    .map(|part| page.find(part).unwrap_or_else(|| panic!("{part} is missing")));
    assert!(places.is_sorted(), "{places:?}");
    assert_eq!(page.matches("<svg ").count(), 3, "no candidate was blocked, so three plots");
    assert!(!page.contains("#010101") && page.contains("var(--ink)"), "colours are the page's own");
}

#[test]
fn words_of_people_and_models_are_text_and_nothing_is_loaded() {
    let hostile = "</script><script src=\"http://evil.example/x.js\"></script><img src=x onerror=alert(1)> & 'you'";
    let mut conversation = world::conversation(0, 2);
    conversation.id = format!("id {hostile}");
    conversation.kind = format!("kind {hostile}");
    conversation.language = Some(format!("language {hostile}"));
    let labels = conversation.labels.as_mut().unwrap();
    labels.gold[0].claim = hostile.into();
    labels.falsehoods[0].claim = hostile.into();
    let mut memory = world::stored(hostile);
    memory.subject = hostile.into();
    memory.date = Some(hostile.into());
    memory.quotes = vec![Quote { turn: hostile.into(), speaker: hostile.into(), words: hostile.into() }];
    let mut a = world::trial(&conversation, Side::A, vec![memory]);
    a.models = vec![hostile.into()];
    a.blocked = vec![Blocked {
        stage: "ground".into(),
        reason: hostile.into(),
        content: hostile.into(),
        subject: hostile.into(),
        negative: false,
        gold: Vec::new(),
    }];
    let b = world::trial(&conversation, Side::B, Vec::new());
    let page = page(&told(&[conversation], vec![a, b])).unwrap();
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;"));
    for loaded in ["<script", "<img", "<link", "<iframe", "@import", "url(", "javascript:"] {
        assert!(!page.contains(loaded), "{loaded}");
    }
    let spaces = "http://www.w3.org/2000/svg";
    let addresses =
        page.matches("http").count() - page.matches(spaces).count() - page.matches("http://evil.example").count();
    assert_eq!(addresses, 1, "only the policy that forbids loading names http");
}
