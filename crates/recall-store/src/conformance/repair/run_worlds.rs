//! A run that is swapped in leads to what its calls and those it did not read again alone give; rolled back, to what there would be
//! had it never been.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use recall_core::id::{BatchId, TraceId};
use recall_core::memory::Memory;
use ulid::Ulid;

use super::remaining::{state, statement, turn};
use crate::conformance::ground::Ground;
use crate::conformance::on_both;
use crate::conformance::people::{Told, deed, memories, staged, tell};
use crate::deed::{Execution, Turn};
use crate::dialect::Dialect;
use crate::swap::{Swap, Swapped};

on_both! {
    a_run_is_swapped_in_and_rolled_back_as_if_it_had_never_been,
}

/// What live calls and people do.
#[derive(Debug, Clone)]
enum Step {
    Call(Vec<Told>),
    Forget(usize),
    Restore(usize),
    /// One of the memories that are there.
    Delete(usize),
}

/// A call of the run: the live call whose turns it reads again, whether all of them, and what it makes of them.
type Reread = (usize, bool, Vec<Told>);

#[derive(Debug, Clone)]
struct Story {
    before: Vec<Step>,
    run: Vec<Reread>,
    /// While the run waits.
    waiting: Vec<Step>,
    /// While it is swapped in.
    swapped: Vec<Step>,
    /// After it was rolled back.
    after: Vec<Step>,
}

fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => prop::collection::vec(statement(), 1..3).prop_map(Step::Call),
        1 => (0usize..6).prop_map(Step::Forget),
        1 => (0usize..6).prop_map(Step::Restore),
        1 => (0usize..6).prop_map(Step::Delete),
    ];
    prop::collection::vec(step, 0..most)
}

fn stories() -> impl Strategy<Value = Story> {
    let reread = (0usize..5, prop::bool::weighted(0.8), prop::collection::vec(statement(), 0..3));
    let run = prop::collection::vec(reread, 1..5);
    (steps(7), run, steps(3), steps(5), steps(3)).prop_map(|(before, run, waiting, swapped, after)| Story {
        before,
        run,
        waiting,
        swapped,
        after,
    })
}

struct Live {
    trace: TraceId,
    told: Vec<Told>,
    counts: bool,
}

/// A user, and what live calls told of them.
struct World<'g> {
    ground: &'g Ground,
    user: String,
    calls: Vec<Live>,
}

fn session(number: usize) -> String {
    format!("s{}", number % 2)
}

fn key(memory: &Memory) -> String {
    format!("{} {}", memory.subject.name, memory.claim_key.0)
}

impl<'g> World<'g> {
    fn new(ground: &'g Ground) -> Self {
        Self { ground, user: format!("{:016x}", rand::random::<u64>()), calls: Vec::new() }
    }

    async fn there(&self) -> Vec<Memory> {
        let mut found = memories(self.ground, &self.user).await;
        found.sort_by_key(key);
        found
    }

    async fn state(&self) -> BTreeSet<String> {
        state(&self.there().await)
    }

    async fn take(&mut self, step: &Step) {
        match step {
            Step::Call(told) => {
                let number = self.calls.len();
                let trace = tell(self.ground, &self.user, &session(number), number * 10, told).await;
                self.calls.push(Live { trace, told: told.clone(), counts: true });
            }
            Step::Forget(at) | Step::Restore(at) => {
                let way = if matches!(step, Step::Forget(_)) { Turn::Forget } else { Turn::Restore };
                let Some(live) = self.calls.get_mut(*at) else { return };
                turn(self.ground, &live.trace, way).await;
                live.counts = way == Turn::Restore;
            }
            Step::Delete(_) => {}
        }
    }

    async fn delete(&self, wanted: &str) {
        for memory in self.there().await.into_iter().filter(|memory| key(memory) == wanted) {
            self.ground.store.delete_memory("shop", &memory.id, &deed()).await.unwrap();
        }
    }
}

/// Takes steps in both worlds; what is deleted is there in both.
async fn both(one: &mut World<'_>, other: &mut World<'_>, steps: &[Step]) {
    for step in steps {
        if let Step::Delete(at) = step {
            let there: BTreeSet<String> = other.there().await.iter().map(key).collect();
            let shared: Vec<String> = one.there().await.iter().map(key).filter(|key| there.contains(key)).collect();
            let Some(wanted) = shared.get(at % shared.len().max(1)) else { continue };
            one.delete(wanted).await;
            other.delete(wanted).await;
        }
        one.take(step).await;
        other.take(step).await;
    }
}

async fn swap(ground: &Ground, run: &BatchId, way: Swap) -> Swapped {
    let supposed = ground.store.swap(("shop", run), (way, Execution::DryRun), &deed()).await.unwrap();
    let done = ground.store.swap(("shop", run), (way, Execution::Real), &deed()).await.unwrap();
    assert_eq!((supposed.scopes, &supposed.repaired), (done.scopes, &done.repaired), "a dry run says what comes");
    done
}

fn is_delete(step: &Step) -> bool {
    matches!(step, Step::Delete(_))
}

/// The turns a call of the run reads.
fn turns(live: &Live, whole: bool, told: &[Told]) -> usize {
    if whole { live.told.len().max(told.len()) } else { told.len().max(1) }
}

/// The live calls all of whose turns the run read.
fn covered(calls: &[Live], run: &[Reread]) -> BTreeSet<usize> {
    let reads = |number: usize, live: &Live| {
        run.iter().any(|(of, whole, told)| *of == number && turns(live, *whole, told) >= live.told.len())
    };
    calls.iter().enumerate().filter(|(number, live)| reads(*number, live)).map(|(number, _)| number).collect()
}

/// The calls that count once the run is swapped in, told one after the other.
async fn alone(ground: &Ground, one: &World<'_>, (before, run): (usize, &[Reread])) -> BTreeSet<String> {
    let other = World::new(ground);
    let covered = covered(&one.calls[..before], run);
    let kept = |number: &usize| one.calls[*number].counts && !covered.contains(number);
    for number in (0..before).filter(kept) {
        tell(ground, &other.user, &session(number), number * 10, &one.calls[number].told).await;
    }
    for (of, whole, told) in run {
        let reads = turns(&one.calls[*of], *whole, told);
        staged(ground, (&other.user, &session(*of), of * 10), (told, reads), None).await;
    }
    for number in (before..one.calls.len()).filter(kept) {
        tell(ground, &other.user, &session(number), number * 10, &one.calls[number].told).await;
    }
    other.state().await
}

async fn played(ground: &Ground, story: &Story) -> Result<(), TestCaseError> {
    let (mut one, mut other) = (World::new(ground), World::new(ground));
    both(&mut one, &mut other, &story.before).await;
    let before = one.calls.len();
    let mut reread: BTreeMap<usize, (bool, Vec<Told>)> = BTreeMap::new();
    for (of, whole, mut told) in story.run.iter().filter(|(of, _, _)| *of < before).cloned() {
        // The same turn was said at the same time, whoever reads it.
        told.iter_mut().zip(&one.calls[of].told).for_each(|(new, old)| new.at = old.at);
        reread.insert(of, (whole, told));
    }
    let reread: Vec<Reread> = reread.into_iter().map(|(of, (whole, told))| (of, whole, told)).collect();
    if reread.is_empty() {
        return Ok(());
    }
    let run = BatchId::new(Ulid(rand::random()));
    for (of, whole, told) in &reread {
        let reads = turns(&one.calls[*of], *whole, told);
        staged(ground, (&one.user, &session(*of), of * 10), (told, reads), Some(&run)).await;
    }
    both(&mut one, &mut other, &story.waiting).await;
    prop_assert_eq!(one.state().await, other.state().await, "what waits changes nothing");
    swap(ground, &run, Swap::In).await;
    let deletes = |steps: &[Step]| steps.iter().any(is_delete);
    if !deletes(&story.before) && !deletes(&story.waiting) {
        prop_assert_eq!(one.state().await, alone(ground, &one, (before, &reread)).await, "swapped in");
    }
    // What live calls say while the run counts, and a person deletes then, ends nothing that was set aside: nobody knows what it said.
    let (deleting, others): (Vec<Step>, Vec<Step>) = story.swapped.iter().cloned().partition(is_delete);
    both(&mut one, &mut other, &deleting).await;
    both(&mut one, &mut other, &others).await;
    let swapped = one.state().await;
    swap(ground, &run, Swap::Out).await;
    prop_assert_eq!(one.state().await, other.state().await, "rolled back");
    swap(ground, &run, Swap::In).await;
    if !deletes(&story.swapped) {
        prop_assert_eq!(one.state().await, swapped, "swapped in again");
    }
    swap(ground, &run, Swap::Out).await;
    both(&mut one, &mut other, &story.after).await;
    prop_assert_eq!(one.state().await, other.state().await, "after it was rolled back");
    Ok(())
}

async fn a_run_is_swapped_in_and_rolled_back_as_if_it_had_never_been(ground: &Ground) {
    let cases = match ground.store.dialect {
        Dialect::Sqlite => 40,
        Dialect::Postgres => 8,
    };
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 200, ..Config::default() };
    let runtime = tokio::runtime::Handle::current();
    let checked = tokio::task::block_in_place(|| {
        let ran = TestRunner::new(config).run(&stories(), |story| runtime.block_on(played(ground, &story)));
        ran.map_err(|failed| failed.to_string())
    });
    checked.unwrap_or_else(|failed| panic!("{failed}"));
}
