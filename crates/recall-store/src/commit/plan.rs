//! What a run writes, worked out before anything is written: effects are carried out on values, so that rows made and
//! changed in the same run reach the database in their final state.

use std::collections::BTreeMap;

use recall_core::effect::{Effect, Words};
use recall_core::evidence::Source;
use recall_core::memory::{Memory, Wording};
use recall_core::run::Run;
use serde_json::{Value, json};

use super::audit::{self, Entry};
use super::memory_row::{change, memory_row, reach_back, tell, weight};
use super::scope::{Ground, Touched};
use super::turns;
use crate::entities::{AliasRow, EntityRow, NameRow};
use crate::rows::{
    AuditRow, BindingRow, DetailRow, DisputeRow, EffectRow, ExtractorRow, MemoryChange, MemoryRow, RunRow, SourceRow,
    SpanRow, StatementRow, TurnRow,
};
use crate::stored_memory::text_of;
use crate::table::Json;
use crate::{SqlStore, StoreError, bindings};

/// Every row a commit writes.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) extractors: Vec<ExtractorRow>,
    pub(super) runs: Vec<RunRow>,
    pub(super) turns: Vec<TurnRow>,
    pub(super) bindings: Vec<BindingRow>,
    pub(super) entities: Vec<EntityRow>,
    pub(super) aliases: Vec<AliasRow>,
    pub(super) names: Vec<NameRow>,
    pub(super) memories: Vec<MemoryRow>,
    pub(super) changed: Vec<MemoryChange>,
    pub(super) sources: Vec<SourceRow>,
    pub(super) statements: Vec<StatementRow>,
    pub(super) disputes: Vec<DisputeRow>,
    pub(super) effects: Vec<EffectRow>,
    pub(super) audit: Vec<AuditRow>,
    pub(super) details: Vec<DetailRow>,
    pub(super) spans: Vec<SpanRow>,
}

/// Where a memory of the ledger comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// Made by this run.
    New,
    /// There before, not changed yet.
    There,
    /// There before, changed by this run.
    Changed,
}

#[derive(Debug)]
pub(super) struct Held {
    pub(super) row: MemoryRow,
    pub(super) origin: Origin,
    /// Session and turn of its sources.
    pub(super) cited: Vec<(i64, String)>,
    pub(super) next_source: i64,
}

/// The memories of a run while its effects are carried out.
pub(super) struct Ledger<'a> {
    pub(super) run: &'a Run,
    pub(super) ground: &'a Ground,
    pub(super) actor: &'a str,
    pub(super) held: BTreeMap<String, Held>,
    pub(super) plan: Plan,
}

/// Works out the rows of a run.
pub(super) fn plan(
    (store, actor): (&SqlStore, &str),
    run: &Run,
    ground: &Ground,
    touched: Vec<Touched>,
) -> Result<Plan, StoreError> {
    let held = touched.into_iter().map(|memory| (memory.row.memory_id.clone(), Held::there(memory))).collect();
    let mut ledger = Ledger { run, ground, actor, held, plan: Plan::default() };
    ledger.plan.turns = turns::turns(store, run, ground)?;
    ledger.plan.bindings = bindings::claimed(&ground.settings, &run.call);
    ledger.plan.entities = turns::entities(run, ground);
    ledger.plan.aliases = turns::aliases(run);
    ledger.plan.names = turns::names(run, ground);
    for (ordinal, effect) in run.changes.effects.iter().enumerate() {
        ledger.carry_out(ordinal, effect)?;
    }
    ledger.plan.extractors = turns::extractors(run)?;
    ledger.plan.runs = vec![turns::run(run, ground, store.keys.current())?];
    ledger.plan.details = vec![turns::detail(run, ground)];
    ledger.plan.spans = turns::spans(run, ground);
    Ok(ledger.finish())
}

impl Held {
    fn there(memory: Touched) -> Self {
        let cited = memory.sources.unwrap_or_default().into_iter();
        Self {
            row: memory.row,
            origin: Origin::There,
            cited: cited.map(|turn| (turn.session_pk, turn.turn_id.0)).collect(),
            next_source: memory.next,
        }
    }

    pub(super) fn touch(&mut self, revision: i64) -> &mut MemoryRow {
        match self.origin {
            Origin::New => {}
            Origin::There | Origin::Changed => {
                self.origin = Origin::Changed;
                self.row.changed_revision = revision;
            }
        }
        &mut self.row
    }
}

impl Ledger<'_> {
    fn carry_out(&mut self, ordinal: usize, effect: &Effect) -> Result<(), StoreError> {
        let (kind, memory_id, other, detail) = match effect {
            Effect::Insert { memory, single_valued } => {
                let id = memory.id.as_str();
                self.state(ordinal, id, memory);
                ("insert", id, None, self.insert(memory, *single_valued)?)
            }
            Effect::AddSources { memory_id, sources, confidence, importance, said, words } => {
                let weights = (*confidence, *importance);
                let told = (&said.wording(), *words);
                let detail = self.add_sources(memory_id.as_str(), sources, weights, told)?;
                self.state(ordinal, memory_id.as_str(), said);
                ("add_sources", memory_id.as_str(), None, detail)
            }
            Effect::Activate { memory_id } => {
                ("activate", memory_id.as_str(), None, self.activate(memory_id.as_str())?)
            }
            Effect::Supersede { memory_id, by, valid_until } => {
                let detail = self.supersede(memory_id.as_str(), by.as_str(), *valid_until)?;
                ("supersede", memory_id.as_str(), Some(by.as_str()), detail)
            }
            Effect::Dispute { memory_id, with } => {
                let detail = self.dispute(memory_id.as_str(), with.as_str())?;
                ("dispute", memory_id.as_str(), Some(with.as_str()), detail)
            }
        };
        self.plan.effects.push(EffectRow {
            trace_id: self.run.call.trace_id.as_str().to_owned(),
            ordinal: turns::number(ordinal),
            kind: kind.to_owned(),
            memory_id: memory_id.to_owned(),
            other_id: other.map(str::to_owned),
            detail: Json(detail),
        });
        Ok(())
    }

    fn insert(&mut self, memory: &Memory, single_valued: bool) -> Result<Value, StoreError> {
        let row = memory_row(self.run, self.ground, memory, single_valued)?;
        let verdict = audit::verdict_of(self.run, &memory.id)?;
        self.audit(Entry {
            event: "insert",
            memory: &row.memory_id,
            before: None,
            after: Some(audit::claim(memory)),
            verdict,
        });
        let mut held = Held { row, origin: Origin::New, cited: Vec::new(), next_source: 0 };
        self.cite(&mut held, &memory.provenance.sources)?;
        self.held.insert(held.row.memory_id.clone(), held);
        Ok(json!({ "single_valued": single_valued }))
    }

    fn add_sources(
        &mut self,
        id: &str,
        sources: &[Source],
        (confidence, importance): (f64, f64),
        (said, words): (&Wording, Words),
    ) -> Result<Value, StoreError> {
        let mut held = self.take(id)?;
        let fresh: Vec<Source> = sources.iter().filter(|source| !self.is_cited(&held, source)).cloned().collect();
        let ordinals = self.cite(&mut held, &fresh)?;
        let row = held.touch(self.ground.revision);
        let before = weight(row);
        (row.confidence, row.importance) = (confidence, importance);
        reach_back(row, &fresh)?;
        if words == Words::Change {
            tell(row, said)?;
        }
        let after = weight(row);
        let told = json!({ "memory": after, "sources_added": fresh.len(), "said": said, "words": words });
        self.audit(Entry {
            event: "merge",
            memory: id,
            before: Some(before.clone()),
            after: Some(told),
            verdict: None,
        });
        self.held.insert(id.to_owned(), held);
        Ok(json!({ "sources": ordinals, "before": before, "after": after }))
    }

    /// Adds sources to a memory; their ordinals.
    fn cite(&mut self, held: &mut Held, sources: &[Source]) -> Result<Vec<i64>, StoreError> {
        let mut ordinals = Vec::with_capacity(sources.len());
        for source in sources {
            let ordinal = held.next_source;
            held.next_source += 1;
            held.cited.push((self.ground.session_pk, source.turn_id.0.clone()));
            self.plan.sources.push(SourceRow {
                memory_id: held.row.memory_id.clone(),
                ordinal,
                scope_id: self.ground.scope_id,
                session_pk: self.ground.session_pk,
                turn_id: source.turn_id.0.clone(),
                trace_id: self.run.call.trace_id.as_str().to_owned(),
                origin: text_of(source.origin)?,
                quote: source.quote.clone(),
                start_char: turns::number(source.start),
                end_char: turns::number(source.end),
                withdrawn: 0,
            });
            ordinals.push(ordinal);
        }
        Ok(ordinals)
    }

    /// Keeps what this call says of a memory, so that it can be judged again without other calls.
    fn state(&mut self, ordinal: usize, id: &str, said: &Memory) {
        let turn_of = |source: &&Source| self.run.call.turns.iter().position(|turn| turn.id == source.turn_id);
        let cited =
            said.provenance.sources.iter().filter(|source| source.origin == recall_core::evidence::Origin::Call);
        let place = cited.filter_map(|source| Some((turn_of(&source)?, source.start))).max().unwrap_or_default();
        self.plan.statements.push(StatementRow {
            trace_id: self.run.call.trace_id.as_str().to_owned(),
            ordinal: turns::number(ordinal),
            memory_id: id.to_owned(),
            scope_id: self.ground.scope_id,
            said: Json(said.clone()),
            turn_place: turns::number(place.0),
            char_place: turns::number(place.1),
            replaces: None,
        });
    }

    fn is_cited(&self, held: &Held, source: &Source) -> bool {
        let cited =
            |(session, turn): &(i64, String)| *session == self.ground.session_pk && turn == source.turn_id.as_str();
        held.cited.iter().any(cited)
    }

    /// A memory the run changes. One that is not there any more makes the run stale.
    pub(super) fn get(&mut self, id: &str) -> Result<&mut Held, StoreError> {
        self.held.get_mut(id).filter(|held| held.row.deleted_at.is_none()).ok_or(StoreError::Stale)
    }

    fn take(&mut self, id: &str) -> Result<Held, StoreError> {
        self.held.remove(id).filter(|held| held.row.deleted_at.is_none()).ok_or(StoreError::Stale)
    }

    pub(super) fn audit(&mut self, entry: Entry<'_>) {
        let row = audit::row(self.run, self.ground, self.actor, self.plan.audit.len(), entry);
        self.plan.audit.push(row);
    }

    fn finish(mut self) -> Plan {
        for held in self.held.into_values() {
            match held.origin {
                Origin::New => self.plan.memories.push(held.row),
                Origin::Changed => self.plan.changed.push(change(held.row)),
                Origin::There => {}
            }
        }
        self.plan
    }
}
