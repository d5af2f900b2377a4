//! Chance through the whole pipeline: a model whose replies vary by seed, what the product stores of them, labels, counts, measures and the
//! randomisation test.

use std::collections::HashMap;

use async_trait::async_trait;
use recall_core::candidate::Candidate;
use recall_core::prompt::{Ask, Library, Reply};
use recall_core::provenance::ExtractedBy;
use recall_core::run::Usage;
use recall_llm::Extractor;

use super::super::*;
use crate::eval::compare::measures::MEASURES;
use crate::eval::compare::report;
use crate::eval::compare::statistics::{Difference, Draw, Effort, Pair, compare, power};
use crate::eval::compare::taped::Live;
use crate::eval::compare::trial::Side;
use crate::eval::compare::world::{self, Known};

/// What can be proposed of each session.
type Facts = Arc<HashMap<String, Vec<Candidate>>>;

/// Says each fact with a probability; which ones follows from the seed and the session alone, however calls come.
struct Chance {
    facts: Facts,
    found: f64,
    seed: u64,
}

#[async_trait]
impl Extractor for Chance {
    async fn extract(&self, ask: &Ask) -> Result<Reply, LlmError> {
        let number =
            ask.session.bytes().fold(self.seed, |sum, byte| sum.wrapping_mul(0x0100_0000_01b3) ^ u64::from(byte));
        let mut draw = Draw::new(number);
        let said = |_: &&Candidate| draw.share() < self.found;
        let candidates = self.facts[&ask.session].iter().filter(said).cloned().map(Ok).collect();
        Ok(Reply {
            candidates,
            extracted_by: ExtractedBy::new("stub", "stub", ("extract", &ask.prompt.version, "")),
            usage: Usage { model_calls: 1, ..Usage::default() },
            further_parts: 0,
            notes: Vec::new(),
        })
    }

    fn provider(&self) -> &'static str {
        "stub"
    }
}

/// How large a set is, how much of it the arms find, and how often it is read.
struct Plan {
    conversations: usize,
    facts: usize,
    found: [f64; 2],
    seeds: u32,
}

impl Plan {
    /// The difference in recall of each seed, as the product finds it: both arms with the same prompt, through the pipeline.
    async fn differences(&self) -> Vec<Difference> {
        let conversations: Vec<Conversation> =
            (0..self.conversations).map(|number| world::conversation(number, self.facts)).collect();
        let of = |one: &Conversation| (0..self.facts).map(|at| world::proposed(one, at)).collect();
        let facts: Facts = Arc::new(conversations.iter().map(|one| (one.sessions[0].id.clone(), of(one))).collect());
        let library = Library::builtin();
        let prompt = library.extract("v1").unwrap().clone();
        let arm = |side: Side, found: f64, seed: u64| {
            let stub = Chance { facts: Arc::clone(&facts), found, seed };
            let arm = Arm { side, prompt: Arc::clone(&prompt), model: None, first_sample: 0 };
            (arm, Arc::new(Taped::new(None, Live::Free(Arc::new(stub)))))
        };
        let both = |seed: u64| vec![arm(Side::A, self.found[0], 2 * seed), arm(Side::B, self.found[1], 2 * seed + 1)];
        let models: Vec<Readers> = (1..=u64::from(self.seeds)).map(both).collect();
        let lab = Lab::open(&Settings::default(), library).await.unwrap();
        let manner = Manner { turns_per_call: 20, at_once: 4 };
        let mut trials = run(&lab, &models, manner, &conversations, &ProgressBar::hidden()).await.unwrap();
        let mut known = Known::default();
        for trial in &mut trials {
            let conversation = conversations.iter().find(|one| one.id == trial.conversation).unwrap();
            known.decide(trial, conversation);
        }
        (0..self.seeds).map(|seed| self.difference(&conversations, &trials, seed)).collect()
    }

    fn difference(&self, conversations: &[Conversation], trials: &[Trial], seed: u32) -> Difference {
        let own: Vec<Trial> = trials.iter().filter(|trial| trial.repeat == seed).cloned().collect();
        let pairs: Vec<Pair> = conversations.iter().map(|one| report::pair(one, &own)).collect();
        let effort = Effort { resamples: 200, swaps: 399, seed: u64::from(seed) };
        compare(&pairs, effort)[MEASURES.iter().position(|measure| measure.name == "recall").unwrap()].difference
    }
}

/// Seeds in which a difference was found.
fn significant(differences: &[Difference]) -> usize {
    differences.iter().filter(|difference| difference.p.unwrap() < 0.05).count()
}

#[tokio::test(flavor = "multi_thread")]
#[allow(clippy::print_stderr, reason = "the figure is wanted")]
async fn arms_that_are_alike_differ_by_chance_alone_in_four_to_seventeen_of_two_hundred_seeds() {
    let plan = Plan { conversations: 10, facts: 5, found: [0.7, 0.7], seeds: 200 };
    let significant = significant(&plan.differences().await);
    eprintln!("alike, through the pipeline: significant in {significant} of 200 seeds");
    assert!((4..=17).contains(&significant), "{significant} of 200 seeds");
}

/// How often is what takes long: `RECALL_CHANCE=200` reads with so many seeds instead of two, and then counts in how many it was found.
#[tokio::test(flavor = "multi_thread")]
#[allow(clippy::print_stderr, reason = "the figures are wanted")]
async fn five_planted_points_are_found_in_a_set_that_is_large_enough() {
    const FEW: u32 = 2;
    let seeds = std::env::var("RECALL_CHANCE").map_or(FEW, |asked| asked.parse().unwrap());
    let plan = Plan { conversations: 110, facts: 12, found: [0.75, 0.80], seeds };
    let differences = plan.differences().await;
    let told: f64 =
        differences.iter().map(|one| power(0.05, one.deviation.unwrap())).sum::<f64>() / differences.len() as f64;
    let found = significant(&differences);
    eprintln!("five planted points, through the pipeline: found in {found} of {seeds} seeds; power told {told:.3}");
    assert!(told >= 0.8, "{told}: {differences:?}");
    assert!(seeds <= FEW || found as f64 >= 0.8 * f64::from(seeds), "{found} of {seeds}");
}
