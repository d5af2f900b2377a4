//! Whom the drafts of a call are about: known entities by id, new ones with ids derived from the trace.

use std::collections::HashMap;

use crate::context::Context;
use crate::draft::Draft;
use crate::effect::Naming;
use crate::entity::{Entity, EntityKind, EntityRef, USER};
use crate::id::{EntityId, TraceId};
use crate::stages::resolve::{Alone, Named};
use crate::text;

/// The entities of a scope as this call knows them.
pub(super) struct Cast<'a> {
    cx: &'a Context<'a>,
    /// Folded name or alias to entity.
    names: HashMap<String, EntityRef>,
    made: Vec<Entity>,
    learnt: Vec<(EntityId, String)>,
    namings: Vec<Naming>,
}

impl<'a> Cast<'a> {
    /// The entities of the snapshot; the owner of the scope is always there.
    pub(super) fn new(cx: &'a Context<'a>) -> Self {
        let mut cast = Self { cx, names: HashMap::new(), made: Vec::new(), learnt: Vec::new(), namings: Vec::new() };
        let user = EntityRef { id: cx.user(), name: USER.to_owned() };
        if cx.near.entities.iter().all(|known| known.id != user.id) {
            let (id, name) = (user.id.clone(), user.name.clone());
            cast.made.push(Entity { id, name, kind: EntityKind::User, aliases: Vec::new() });
        }
        cast.names.insert(USER.to_owned(), user);
        for known in &cx.near.entities {
            let reference = EntityRef { id: known.id.clone(), name: known.name.clone() };
            for name in std::iter::once(&known.name).chain(&known.aliases) {
                cast.names.entry(text::fold(name)).or_insert_with(|| reference.clone());
            }
        }
        cast
    }

    /// Subject of a draft. A pronoun that stays open is somebody of its own, so that two strangers never become one.
    pub(super) fn subject(&mut self, draft: &Draft) -> EntityRef {
        let named = &draft.resolution.subject;
        let open = named.known.is_none()
            && draft.resolution.references.iter().any(|reference| {
                reference.entity.is_empty() && text::fold(&reference.pronoun) == text::fold(&named.name)
            });
        if open { self.stranger(draft) } else { self.entity(named) }
    }

    /// Object of a draft, where it has one.
    pub(super) fn object(&mut self, draft: &Draft) -> Option<EntityRef> {
        draft.resolution.object.as_ref().map(|named| self.entity(named))
    }

    /// What the call makes known: new entities, names learnt for known ones, and what it calls whom.
    pub(super) fn into_news(self) -> (Vec<Entity>, Vec<(EntityId, String)>, Vec<Naming>) {
        (self.made, self.learnt, self.namings)
    }

    fn entity(&mut self, named: &Named) -> EntityRef {
        let by_id = named.known.as_ref().and_then(|id| self.cx.near.entities.iter().find(|known| known.id == *id));
        let found = match by_id {
            Some(known) => Some(EntityRef { id: known.id.clone(), name: known.name.clone() }),
            None => self.names.get(&text::fold(&named.name)).cloned(),
        };
        let found = found.unwrap_or_else(|| self.make(&named.name, named.kind));
        for alias in std::iter::once(&named.name).chain(&named.aliases) {
            self.learn(&found, alias);
        }
        let by_itself = named.alone.clone().unwrap_or_else(|| Alone { name: named.name.clone(), kind: named.kind });
        self.call(&found, by_itself, &named.aliases);
        found
    }

    /// Notes what an entity goes by in this call. The owner of the scope is known without.
    fn call(&mut self, entity: &EntityRef, Alone { name, kind }: Alone, aliases: &[String]) {
        if entity.name == USER || text::fold(&name).is_empty() {
            return;
        }
        let is_same =
            |naming: &&mut Naming| naming.entity == entity.id && text::fold(&naming.name) == text::fold(&name);
        match self.namings.iter_mut().find(is_same) {
            Some(naming) => naming.aliases.extend_from_slice(aliases),
            None => {
                let (name, aliases) = (name.trim().to_owned(), aliases.to_vec());
                self.namings.push(Naming { entity: entity.id.clone(), name, kind, aliases });
            }
        }
    }

    fn stranger(&mut self, draft: &Draft) -> EntityRef {
        let pronoun = text::fold(&draft.resolution.subject.name);
        let turn = draft.evidence.sources.iter().map(|source| source.turn_id.as_str()).next_back().unwrap_or_default();
        let place = format!("{pronoun}\u{1f}{turn}");
        if let Some(known) = self.names.get(&place) {
            return known.clone();
        }
        let id = self.next_id();
        let mark: String = id.as_str().chars().rev().take(8).collect::<Vec<_>>().into_iter().rev().collect();
        let name = format!("{pronoun} (unresolved {mark})");
        let made = EntityRef { id: id.clone(), name: name.clone() };
        self.names.insert(place, made.clone());
        let kind = draft.resolution.subject.kind;
        self.made.push(Entity { id, name: name.clone(), kind, aliases: Vec::new() });
        self.call(&made, Alone { name, kind }, &[]);
        made
    }

    fn make(&mut self, name: &str, kind: EntityKind) -> EntityRef {
        let hidden = self.cx.near.hidden.get(&text::fold(name)).cloned();
        let made = EntityRef { id: hidden.unwrap_or_else(|| self.next_id()), name: name.trim().to_owned() };
        self.names.insert(text::fold(name), made.clone());
        self.made.push(Entity { id: made.id.clone(), name: made.name.clone(), kind, aliases: Vec::new() });
        made
    }

    /// Notes a name of an entity unless somebody bears it already.
    fn learn(&mut self, entity: &EntityRef, alias: &str) {
        let folded = text::fold(alias);
        if folded.is_empty() || self.names.contains_key(&folded) {
            return;
        }
        self.names.insert(folded, entity.clone());
        match self.made.iter_mut().find(|made| made.id == entity.id) {
            Some(made) => made.aliases.push(alias.to_owned()),
            None => self.learnt.push((entity.id.clone(), alias.to_owned())),
        }
    }

    fn next_id(&self) -> EntityId {
        let trace: &TraceId = &self.cx.reading.call.trace_id;
        EntityId::new(trace.derive("entity", self.made.len()))
    }
}
