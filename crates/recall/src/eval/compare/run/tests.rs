//! A few real runs: a stand-in for the model, the product's own pipeline, a store.

mod chance;

use std::sync::Mutex;

use async_trait::async_trait;
use recall_core::candidate::Candidate;
use recall_core::prompt::{Ask, Library, Reply};
use recall_core::provenance::ExtractedBy;
use recall_core::run::Usage;
use recall_llm::Extractor;

use super::*;
use crate::eval::compare::counts::counts;
use crate::eval::compare::statistics::Draw;
use crate::eval::compare::taped::Live;
use crate::eval::compare::trial::Side;
use crate::eval::compare::world;
use crate::eval::compare::{by_labels, report};

/// Says of each fact with a probability, by its seed; notes when it was asked.
struct Stub {
    conversations: Vec<Conversation>,
    found: f64,
    draw: Mutex<Draw>,
    said: Arc<Mutex<Vec<(String, &'static str)>>>,
    name: &'static str,
}

#[async_trait]
impl Extractor for Stub {
    async fn extract(&self, ask: &Ask) -> Result<Reply, LlmError> {
        self.said.lock().unwrap().push((ask.session.clone(), self.name));
        let conversation = self.conversations.iter().find(|one| one.sessions[0].id == ask.session).unwrap();
        let mut draw = self.draw.lock().unwrap();
        let asked = |candidate: &Candidate| ask.turns.iter().any(|turn| turn.id == candidate.evidence[0].turn_id);
        let facts = conversation.labels.as_ref().unwrap().gold.len();
        let proposed = (0..facts).map(|at| world::proposed(conversation, at)).filter(asked);
        let candidates = proposed.filter(|_| draw.share() < self.found).map(Ok).collect();
        if self.found == 0.0 {
            return Err(LlmError::Unusable { why: "no JSON".into() });
        }
        Ok(Reply {
            candidates,
            extracted_by: ExtractedBy::new("stub", "stub", ("extract", &ask.prompt.version, "")),
            usage: Usage { model_calls: 1, prompt_tokens: 100, completion_tokens: 10, cost_micros: 5 },
            further_parts: 0,
            notes: Vec::new(),
        })
    }

    fn provider(&self) -> &'static str {
        "stub"
    }
}

type Said = Arc<Mutex<Vec<(String, &'static str)>>>;

async fn trials(found: [f64; 2], seed: u64, turns_per_call: usize) -> (Vec<Conversation>, Vec<Trial>, Said) {
    let conversations: Vec<Conversation> = (0..4).map(|number| world::conversation(number, 5)).collect();
    let lab = Lab::open(&Settings::default(), Library::builtin()).await.unwrap();
    let said: Said = Arc::default();
    let arm = |side: Side, found, seed| {
        let stub = Stub {
            conversations: conversations.clone(),
            found,
            draw: Mutex::new(Draw::new(seed)),
            said: Arc::clone(&said),
            name: side.as_str(),
        };
        let arm = Arm { side, prompt: Library::builtin().extract("v1").unwrap().clone(), model: None, first_sample: 0 };
        (arm, Arc::new(Taped::new(None, Live::Free(Arc::new(stub)))))
    };
    let models = vec![vec![arm(Side::A, found[0], seed), arm(Side::B, found[1], seed + 1000)]];
    let manner = Manner { turns_per_call, at_once: 1 };
    let trials = run(&lab, &models, manner, &conversations, &ProgressBar::hidden()).await.unwrap();
    (conversations, trials, said)
}

#[tokio::test]
async fn what_a_model_says_is_stored_found_and_counted() {
    for seed in [1, 2, 3] {
        let (conversations, mut trials, said) = trials([0.9, 0.4], seed, 20).await;
        by_labels(&mut trials, &conversations);
        let mut found = [0.0, 0.0];
        for conversation in &conversations {
            let pair = report::pair(conversation, &trials);
            assert_eq!((pair.a.gold, pair.a.junk, pair.b.falsehoods_stored), (5.0, 0.0, 0.0));
            assert_eq!(pair.a.supported, pair.a.stored, "{trials:#?}");
            found[0] += pair.a.gold_found;
            found[1] += pair.b.gold_found;
        }
        let share = |seed: u64, share: f64| {
            let mut draw = Draw::new(seed);
            f64::from((0..20).map(|_| u32::from(draw.share() < share)).sum::<u32>())
        };
        assert_eq!(found, [share(seed, 0.9), share(seed + 1000, 0.4)], "what the model said is what is found");
        assert_eq!(said.lock().unwrap().len(), 8);
    }
}

#[tokio::test]
async fn the_arms_take_turns_call_by_call_and_the_first_changes() {
    let (_, trials, said) = trials([1.0, 1.0], 1, 2).await;
    let said = said.lock().unwrap();
    let first: Vec<&str> = said.iter().filter(|(session, _)| session == "world-0/s1").map(|(_, arm)| *arm).collect();
    assert_eq!(first, ["a", "b", "b", "a", "a", "b"], "{said:?}");
    let second: Vec<&str> = said.iter().filter(|(session, _)| session == "world-1/s1").map(|(_, arm)| *arm).collect();
    assert_eq!(second, ["b", "a", "a", "b", "b", "a"], "{said:?}");
    assert!(trials.iter().all(|trial| trial.memories.len() == 5 && trial.calls.len() == 3), "{trials:#?}");
    let quote = &trials[0].memories[0].quotes[0];
    assert_eq!((quote.speaker.as_str(), quote.words.starts_with("I have a ")), ("user", true), "{quote:?}");
}

#[tokio::test]
async fn a_reply_that_cannot_be_used_is_an_outcome_of_its_arm() {
    let (conversations, mut trials, _) = trials([1.0, 0.0], 1, 20).await;
    by_labels(&mut trials, &conversations);
    let b = trials.iter().filter(|trial| trial.arm == Side::B);
    for (trial, conversation) in b.zip(&conversations) {
        let counted = counts(trial, conversation);
        assert_eq!((counted.asked, counted.unusable, counted.gold_found), (1.0, 1.0, 0.0));
    }
}
