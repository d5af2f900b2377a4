//! The examples of a prompt, put to the gate as if a model had answered them: what we show as a good answer has to be one.

use jiff::civil;
use jiff::tz::{Offset, TimeZone};
use serde_json::Map;

use super::fault::Fault;
use super::parse;
use super::written::{Example, Prompt};
use crate::call::{Call, Lane, Mode};
use crate::candidate::Candidate;
use crate::context::{Context, Near, Stamp};
use crate::evidence::Support;
use crate::id::TraceId;
use crate::keys::{Key, KeyRing};
use crate::moment::Moment;
use crate::pipeline::STAGES;
use crate::provenance::ExtractedBy;
use crate::reading::{self, Reading};
use crate::run::{Outcome, TurnVerdict, Verdict};
use crate::scope::{Owner, Scope};
use crate::stage::{Reason, Stage};
use crate::turn::{AtSource, Role, Said, Turn, TurnId};
use crate::window::Window;

/// What the gate says of one example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// Its number, from 1.
    pub example: usize,
    /// How many candidates its reply has.
    pub candidates: usize,
    /// What is wrong; empty where every candidate is kept and found wholly said.
    pub faults: Vec<Fault>,
}

/// Puts every example through the stages, each as a call of its own in an empty scope with the defaults of the product. The
/// sentences of the prompt are left out of it: there every candidate would be an echo.
pub fn trials(prompt: &Prompt) -> Vec<Trial> {
    prompt.examples.iter().zip(1..).map(|(example, number)| trial(example, number)).collect()
}

fn trial(example: &Example, number: usize) -> Trial {
    let unreadable = |candidates, why: String| Trial {
        example: number,
        candidates,
        faults: vec![Fault::Example { example: number, why }],
    };
    let candidates = match candidates(&example.reply) {
        Ok(candidates) => candidates,
        Err(why) => return unreadable(0, why),
    };
    let reading = match conversation(&example.turns) {
        Ok(reading) => reading,
        Err(why) => return unreadable(candidates.len(), why),
    };
    let turns = STAGES.read(&reading, &mut ());
    let (near, keys) = (Near::default(), keys());
    let stamp =
        Stamp { ran_at: reading.call.accepted_at, extracted_by: ExtractedBy::new("example", "example", ("", "", "")) };
    let cx = Context { reading: &reading, near: &near, keys: &keys, stamp: &stamp, opinions: None };
    let (_, verdicts) = STAGES.decide(&cx, candidates.clone(), &mut ());
    let judged = candidates.iter().zip(&verdicts).zip(1..);
    let faults = judged.filter_map(|((claim, verdict), candidate)| {
        let turned_away = |(stage, reason)| Fault::TurnedAway { example: number, candidate, stage, reason };
        unread(claim, &turns)
            .map(|reason| turned_away((Stage::Prefilter, reason)))
            .or_else(|| objection(verdict).map(turned_away))
            .or_else(|| is_weak(verdict).then_some(Fault::Weak { example: number, candidate }))
    });
    Trial { example: number, candidates: candidates.len(), faults: faults.collect() }
}

/// The pre-filter's reason where it would show a model none of the cited turns.
fn unread(claim: &Candidate, turns: &[TurnVerdict]) -> Option<Reason> {
    let cited = |turn: &&TurnVerdict| claim.evidence.iter().any(|citation| citation.turn_id == turn.turn_id);
    let dropped: Vec<Option<Reason>> = turns.iter().filter(cited).map(|turn| turn.dropped).collect();
    dropped.iter().copied().reduce(|all, next| all.and(next)).flatten()
}

fn objection(verdict: &Verdict) -> Option<(Stage, Reason)> {
    match &verdict.outcome {
        Outcome::Stored { .. } => None,
        // An example that says one thing twice teaches a model to do so.
        Outcome::Merged { .. } => Some((Stage::Reconcile, Reason::SameClaim)),
        Outcome::Dropped(dropped) => Some((dropped.stage, dropped.reason)),
    }
}

fn is_weak(verdict: &Verdict) -> bool {
    verdict.support != Some(Support::Supported)
}

fn candidates(reply: &str) -> Result<Vec<Candidate>, String> {
    let items = parse(reply).map_err(|why| why.to_string())?;
    let read = items.into_iter().zip(1..);
    read.map(|(item, number)| item.map_err(|bad| format!("candidate {number}: {}", bad.why))).collect()
}

fn keys() -> KeyRing {
    KeyRing::new(Key::new("example", "example"), Vec::new())
}

/// The turns of an example, read as those of a call. They are written as a request shows them, with or without its fences.
fn conversation(written: &str) -> Result<Reading, String> {
    let (context, turns) = turns(written)?;
    let scope = Scope::new("example".into(), Owner::User("example".into()), None).map_err(|error| error.to_string())?;
    let call = Call {
        trace_id: TraceId::from_idempotency_key(keys().lasting(), scope.namespace(), "example"),
        scope,
        session_id: Some("example".into()),
        turns,
        metadata: Map::new(),
        expires_at: None,
        mode: Mode::Infer,
        lane: Lane::Live,
        batch: None,
        accepted_at: Moment::new(jiff::Timestamp::UNIX_EPOCH, Offset::UTC),
        remarks: Vec::new(),
    };
    Ok(reading::read(Window { turns: context, ..Window::default() }, call))
}

fn turns(written: &str) -> Result<(Vec<Turn>, Vec<Turn>), String> {
    let (mut context, mut turns): (Vec<Turn>, Vec<Turn>) = (Vec::new(), Vec::new());
    let mut in_context = false;
    for (line, number) in written.lines().zip(1..) {
        match line.trim_end() {
            "<context>" => in_context = true,
            "</context>" => in_context = false,
            "<turns>" | "</turns>" | "" => {}
            line => {
                let place = if in_context { &mut context } else { &mut turns };
                let further = line.strip_prefix("  ").zip(place.last_mut());
                match (further, turn(line)) {
                    (Some((words, turn)), _) => {
                        turn.content = Said::new(format!("{}\n{words}", turn.content.as_str()));
                    }
                    (None, Some(turn)) => place.push(turn),
                    (None, None) => {
                        return Err(format!("line {number} of its turns is not \"[id] role (name, time): words\""));
                    }
                }
            }
        }
    }
    if turns.is_empty() { Err("it has no turns".into()) } else { Ok((context, turns)) }
}

fn turn(line: &str) -> Option<Turn> {
    let (id, rest) = line.strip_prefix('[')?.split_once("] ")?;
    let (head, words) = rest.split_once(": ")?;
    let (role, about) = match head.split_once(" (") {
        Some((role, about)) => (role, about.strip_suffix(')')?),
        None => (head, ""),
    };
    let role = [Role::User, Role::Assistant, Role::System, Role::Tool].into_iter().find(|one| one.as_str() == role)?;
    let (name, at) = match about.rsplit_once(", ") {
        Some((name, at)) => (Some(name), Some(moment(at)?)),
        None => moment(about).map_or((Some(about), None), |at| (None, Some(at))),
    };
    Some(Turn {
        id: TurnId(id.to_owned()),
        role,
        content: Said::new(words),
        at,
        at_source: if at.is_some() { AtSource::Stated } else { AtSource::Unknown },
        name: name.filter(|name| !name.is_empty()).map(str::to_owned),
        scope: None,
    })
}

fn moment(text: &str) -> Option<Moment> {
    let at = civil::DateTime::strptime("%Y-%m-%d %H:%M", text).ok()?;
    Moment::from_civil(at, &TimeZone::UTC).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::Library;

    /// What the gate says of an example with one candidate, citing this turn and quote.
    fn judged(turns: &str, (content, cited, quote): (&str, &str, &str)) -> Vec<String> {
        let candidate = serde_json::json!({
            "evidence": [{ "turn_id": cited, "quote": quote }], "content": content, "memory_type": "fact", "subject": "user",
            "attribute": "hobby", "value": "fencing", "polarity": "positive", "time_expression": null, "confidence": 0.9,
        });
        let reply = serde_json::json!({ "candidates": [candidate] }).to_string();
        let trial = trial(&Example { turns: turns.into(), reply }, 3);
        assert!(trial.candidates <= 1);
        trial.faults.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_candidate_of_a_good_example_is_kept() {
        let v1 = trials(Library::builtin().extract("v1").unwrap());
        assert_eq!(v1.iter().map(|trial| trial.candidates).collect::<Vec<_>>(), [3, 0]);
        assert!(v1.iter().all(|trial| trial.faults.is_empty()), "{v1:?}");
        let fine = ("User fences", "b1", "I fence on Mondays");
        assert_eq!(judged("[b1] user: I fence on Mondays", fine), [""; 0]);
    }

    #[test]
    fn a_candidate_that_the_gate_would_not_keep_is_named_with_stage_and_reason() {
        let fences = "[b1] user: I fence on Mondays";
        let at = "examples.json, example 3, candidate 1: turned away at";
        let table = [
            (fences, ("User fences", "b1", "I fence on Tuesdays"), "ground (quote_not_found)"),
            (fences, ("User fences", "b2", "I fence on Mondays"), "ground (unknown_source)"),
            (fences, ("User does not fence", "b1", "I fence on Mondays"), "ground (polarity_flip)"),
            ("[b1] user: thanks!", ("User fences", "b1", "thanks!"), "prefilter (acknowledgement)"),
            (
                "[b1] user: my fencing password is hunter2",
                ("User's fencing password is hunter2", "b1", "my fencing password is hunter2"),
                "suppress (secret)",
            ),
        ];
        for (turns, claim, right) in table {
            assert_eq!(judged(turns, claim), [format!("{at} {right}")], "{turns}");
        }
    }

    #[test]
    fn one_claim_told_twice_is_no_good_example() {
        let v1 = Library::builtin().extract("v1").unwrap().examples[0].clone();
        let mut reply: serde_json::Value = serde_json::from_str(&v1.reply).unwrap();
        let first = reply["candidates"][0].clone();
        reply["candidates"].as_array_mut().unwrap().push(first);
        let trial = trial(&Example { reply: reply.to_string(), ..v1 }, 1);
        let fault = Fault::TurnedAway { example: 1, candidate: 4, stage: Stage::Reconcile, reason: Reason::SameClaim };
        assert_eq!(trial.faults, [fault]);
    }

    #[test]
    fn turns_are_read_as_they_are_shown_to_a_model() {
        let written = "<context>\n[a] assistant (2026-03-02 18:29): And you?\n</context>\n<turns>\n\
            [b] user (Ana, 2026-03-02 18:30): I row: daily\n  and sail\n[c] user (Bo): So do I\n</turns>\n";
        let (context, turns) = turns(written).unwrap();
        assert_eq!((context.len(), context[0].role, context[0].name.as_deref()), (1, Role::Assistant, None));
        assert_eq!(turns[0].content.as_str(), "I row: daily\nand sail");
        assert_eq!(turns[0].at.unwrap().to_string(), "2026-03-02T18:30:00+00:00");
        assert_eq!((turns[0].name.as_deref(), turns[1].name.as_deref(), turns[1].at), (Some("Ana"), Some("Bo"), None));
        for bad in ["", "I row", "[b] person: I row", "[b user: I row", "<context>\n[b] user: I row\n</context>"] {
            assert!(super::turns(bad).is_err(), "{bad}");
        }
    }
}
