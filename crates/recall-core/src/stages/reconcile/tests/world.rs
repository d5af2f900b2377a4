//! A scope held in memory, and people who tell things in calls.

use std::collections::BTreeSet;

use ulid::Ulid;

use super::super::*;
use crate::call::{Call, Lane, Mode};
use crate::candidate::{Candidate, MemoryType, Polarity};
use crate::context::{Near, Stamp};
use crate::effect::{Effect, Words};
use crate::entity::EntityKind;
use crate::evidence::{Evidence, Support};
use crate::id::TraceId;
use crate::keys::{Key, KeyRing};
use crate::moment::Moment;
use crate::provenance::ExtractedBy;
use crate::reading;
use crate::scope::{Owner, Scope};
use crate::stages::anchor::When;
use crate::stages::calibrate::{Calibration, FORMULA};
use crate::stages::resolve::{Named, Resolution};
use crate::turn::{AtSource, Role, Said, Turn, TurnId};
use crate::window::Window;

/// One statement of a call: attribute, value, sentence, time of its turn, confidence.
#[derive(Debug, Clone)]
pub(super) struct Told {
    pub(super) subject: &'static str,
    pub(super) attribute: &'static str,
    pub(super) value: String,
    pub(super) content: String,
    pub(super) at: Option<Moment>,
    pub(super) happened: Option<Moment>,
    pub(super) confidence: f64,
}

pub(super) fn told(attribute: &'static str, value: &str, content: &str, at: Option<&str>) -> Told {
    let at = at.map(|at| at.parse().expect("a moment"));
    Told {
        subject: "user",
        attribute,
        value: value.into(),
        content: content.into(),
        at,
        happened: None,
        confidence: 0.9,
    }
}

pub(super) fn lives(value: &str, at: Option<&str>) -> Told {
    told("home_city", value, &format!("User lives in {value}"), at)
}

impl Told {
    pub(super) fn of(self, subject: &'static str) -> Self {
        Self { subject, ..self }
    }

    pub(super) fn happened(self, on: &str) -> Self {
        Self { happened: Some(on.parse().expect("a moment")), ..self }
    }

    pub(super) fn unsure(self) -> Self {
        Self { confidence: 0.5, ..self }
    }
}

/// A scope as a store would hold it.
#[derive(Default, Clone)]
pub(super) struct World {
    pub(super) near: Near,
}

impl World {
    /// Runs one call, one turn a statement; the outcomes in order.
    pub(super) fn remember(&mut self, number: u64, told: &[Told]) -> Vec<Outcome> {
        let call = call(number, told);
        let drafts: Vec<Draft> = told.iter().zip(&call.turns).map(|(told, turn)| draft(told, turn)).collect();
        let reading = reading::read(Window::default(), call);
        let keys = KeyRing::new(Key::new("k1", "secret"), Vec::new());
        let stamp = Stamp { ran_at: moment(number), extracted_by: ExtractedBy::new("rules", "rules", ("", "", "")) };
        let cx = Context { reading: &reading, near: &self.near, keys: &keys, stamp: &stamp, opinions: None };
        let (changes, outcomes) = reconcile(&cx, &drafts);
        assert_eq!(reconcile(&cx, &drafts), (changes.clone(), outcomes.clone()), "the same call, the same changes");
        let asked_for = self.asked_for(&drafts);
        let cx = Context { near: &asked_for, ..cx };
        assert_eq!(
            reconcile(&cx, &drafts),
            (changes.clone(), outcomes.clone()),
            "what is not asked for changes nothing"
        );
        self.apply(changes);
        outcomes
    }

    /// What a store answers when it is asked for these drafts.
    fn asked_for(&self, drafts: &[Draft]) -> Near {
        let candidates: Vec<Candidate> = drafts.iter().map(|draft| draft.candidate.clone()).collect();
        let keys = crate::pipeline::near_keys(&candidates);
        let mut near = self.near.clone();
        near.memories
            .retain(|memory| keys.attributes.contains(&memory.attribute) || keys.claims.contains(&memory.claim_key));
        near
    }

    pub(super) fn apply(&mut self, changes: Changes) {
        self.near.entities.extend(changes.entities);
        for (id, alias) in changes.aliases {
            let entity = self.near.entities.iter_mut().find(|entity| entity.id == id);
            entity.expect("an alias of a known entity").aliases.push(alias);
        }
        for effect in changes.effects {
            self.carry_out(effect);
            self.check_indexes();
        }
        for memory in &self.near.memories {
            if let Some(by) = &memory.superseded_by {
                assert!(self.near.memories.iter().any(|other| other.id == *by), "what replaced it is there");
            }
        }
    }

    pub(super) fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::Insert { memory, .. } => self.near.memories.push(*memory),
            Effect::AddSources { memory_id, sources, confidence, importance, said, words, .. } => {
                let memory = self.memory(&memory_id);
                if words == Words::Change {
                    memory.tell(&said.wording());
                }
                memory.provenance.source_turn_ids.extend(sources.iter().map(|source| source.turn_id.clone()));
                memory.provenance.sources.extend(sources);
                memory.valid_from = memory.provenance.sources.iter().filter_map(|source| source.said_at).min();
                (memory.confidence, memory.importance) = (confidence, importance);
            }
            Effect::Supersede { memory_id, by, valid_until } => {
                let memory = self.memory(&memory_id);
                memory.status = Status::Superseded;
                (memory.superseded_by, memory.valid_until) = (Some(by), valid_until);
            }
            Effect::Activate { memory_id } => {
                let memory = self.memory(&memory_id);
                memory.status = Status::Active;
                (memory.superseded_by, memory.valid_until) = (None, None);
            }
            Effect::Dispute { memory_id, with } => {
                for id in [memory_id, with] {
                    let memory = self.memory(&id);
                    memory.status = Status::Disputed;
                    (memory.superseded_by, memory.valid_until) = (None, None);
                }
            }
        }
    }

    pub(super) fn memory(&mut self, id: &MemoryId) -> &mut Memory {
        self.near.memories.iter_mut().find(|memory| memory.id == *id).expect("an effect on a memory that is there")
    }

    /// What the databases refuse: two active memories of one claim.
    pub(super) fn check_indexes(&self) {
        let mut claims = BTreeSet::new();
        for memory in self.near.memories.iter().filter(|memory| memory.status == Status::Active) {
            assert!(
                claims.insert((memory.subject.id.clone(), memory.claim_key.clone(), memory.occurrence.clone())),
                "one active claim"
            );
        }
    }

    /// Everything that must not depend on the order of arrival.
    pub(super) fn state(&self) -> BTreeSet<String> {
        let key = |id: &MemoryId| self.near.memories.iter().find(|other| other.id == *id).map(|other| &other.claim_key);
        let line = |memory: &Memory| {
            let turns: BTreeSet<&str> = memory.provenance.source_turn_ids.iter().map(TurnId::as_str).collect();
            let until = memory.valid_until.map(Moment::instant);
            let by = memory.superseded_by.as_ref().and_then(key);
            let from = memory.valid_from.map(Moment::instant);
            format!(
                "{} {} {:?} {} {turns:?} by {by:?} {from:?}..{until:?} {:.6} {:.2}",
                memory.subject.name,
                memory.value,
                memory.content,
                memory.status.as_str(),
                memory.confidence,
                memory.importance
            )
        };
        self.near.memories.iter().map(line).collect()
    }

    pub(super) fn statuses(&self) -> Vec<(&str, Status)> {
        self.near.memories.iter().map(|memory| (memory.value.as_str(), memory.status)).collect()
    }
}

pub(super) fn moment(number: u64) -> Moment {
    Moment::from_microseconds(1_700_000_000_000_000 + i64::try_from(number).expect("small")).expect("a moment")
}

pub(super) fn call(number: u64, told: &[Told]) -> Call {
    let turn = |(place, told): (usize, &Told)| Turn {
        id: TurnId(format!("c{number}t{place}")),
        role: Role::User,
        content: Said::new(told.content.clone()),
        at: told.at,
        at_source: AtSource::Unknown,
        name: None,
        scope: None,
    };
    Call {
        trace_id: TraceId::new(Ulid::from_parts(number, 1)),
        scope: Scope::new("n".into(), Owner::User("u".into()), None).expect("a scope"),
        session_id: Some(format!("s{number}")),
        turns: told.iter().enumerate().map(turn).collect(),
        metadata: serde_json::Map::new(),
        expires_at: None,
        mode: Mode::Infer,
        lane: Lane::Live,
        batch: None,
        accepted_at: moment(number),
        remarks: Vec::new(),
    }
}

pub(super) fn draft(told: &Told, turn: &Turn) -> Draft {
    let source = Source {
        turn_id: turn.id.clone(),
        quote: told.content.clone(),
        start: 0,
        end: told.content.chars().count(),
        origin: Origin::Call,
        role: Role::User,
        speaker: None,
        said_at: turn.at,
    };
    let subject =
        Named { name: told.subject.into(), kind: EntityKind::Unknown, known: None, aliases: Vec::new(), alone: None };
    Draft {
        candidate: Candidate {
            content: told.content.clone(),
            memory_type: if told.happened.is_some() { MemoryType::Event } else { MemoryType::Fact },
            subject: told.subject.into(),
            attribute: told.attribute.into(),
            value: told.value.clone(),
            polarity: Polarity::Positive,
            evidence: Vec::new(),
            time_expression: None,
            confidence: told.confidence,
        },
        evidence: Evidence {
            sources: vec![source],
            support: Support::Supported,
            coverage: 1.0,
            reattributed: Vec::new(),
        },
        resolution: Resolution { subject, object: None, references: Vec::new(), unresolved: false },
        when: When {
            event_at: told.happened,
            precision: told.happened.map_or(Precision::Unknown, |_| Precision::Day),
            ..When::default()
        },
        calibration: Calibration {
            confidence: told.confidence,
            importance: 0.4,
            factors: Vec::new(),
            formula: FORMULA,
        },
    }
}
