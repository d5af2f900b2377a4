//! Correcting: a claim told anew by a person takes the place of the old one, as a call of its own; what does not change the claim is
//! edited in place.

use std::collections::BTreeSet;

use recall_core::call::{Call, Lane, Mode};
use recall_core::candidate::{Candidate, Citation};
use recall_core::claim::{self, Form, Statement};
use recall_core::effect::{Changes, Effect};
use recall_core::entity::USER;
use recall_core::evidence::{Origin, Source};
use recall_core::id::{MemoryId, TraceId};
use recall_core::memory::{Memory, Status};
use recall_core::moment::{Moment, Precision};
use recall_core::provenance::{ExtractedBy, Provenance};
use recall_core::run::{Run, TurnVerdict, Usage};
use recall_core::scope::Owner;
use recall_core::stages::suppress::{injection, secret};
use recall_core::turn::{AtSource, Role, Said, Turn, TurnId};
use serde_json::json;
use sqlx::AnyConnection;

use super::forget::find;
use super::ground::{self, Ground, Noted};
use super::rejudge::rejudge;
use crate::commit;
use crate::deed::{Actor, Deed, Edit, Restated, Restatement};
use crate::dialect::Statement as Sql;
use crate::edits::Edits;
use crate::fence::Reach;
use crate::memory::MEMORY;
use crate::record::Committed;

use crate::sql::{self, Arg};
use crate::stored_memory::{StoredMemory, columns, utc};
use crate::{SqlStore, StoreError, neighbours};

pub(crate) static REPLACES: Sql = Sql::new("UPDATE statements SET replaces = $2 WHERE trace_id = $1 AND ordinal = 0");

pub(crate) static EDIT: Sql = Sql::new(
    "UPDATE memories SET edits = {document $2}, metadata = {document $3}, expires_at = CAST($4 AS {integer}),
        expires_at_offset = CAST($5 AS {integer}), changed_revision = $6
    WHERE memory_id = $1",
);

pub(crate) static EDITS: Sql =
    Sql::new("SELECT CAST({object}('edits', {json}(m.edits)) AS TEXT) FROM memories m WHERE m.memory_id = $1");

/// A memory that is there, with its row locked by its scope.
pub(super) async fn live(
    store: &SqlStore,
    work: &mut AnyConnection,
    namespace: &str,
    id: &MemoryId,
) -> Result<Memory, StoreError> {
    let found = find(store, work, namespace, id).await?.not_final()?;
    if found.deleted_at.is_some() {
        return Err(StoreError::Conflict("the memory is forgotten; restore it first"));
    }
    let args = vec![Arg::from(id.as_str()), Arg::from(namespace)];
    let stored: Option<StoredMemory> = sql::one(work, store.text(&MEMORY), args).await?;
    stored.ok_or(StoreError::Missing("memory"))?.into_memory()
}

/// Puts a claim told anew in the place of a memory.
pub(super) async fn restate(
    store: &SqlStore,
    (namespace, id): (&str, &MemoryId),
    told: &Restatement,
    deed: &Deed,
) -> Result<Restated, StoreError> {
    let mut work = store.begin(Reach::Tenant(namespace)).await?;
    let scope_id = find(store, &mut work, namespace, id).await?.scope_id;
    let mut ground = ground::lock(store, &mut work, scope_id, deed).await?;
    let old = live(store, &mut work, namespace, id).await?;
    if old.superseded_by.is_some() {
        return Err(StoreError::Conflict("another memory took its place (superseded_by); correct that one"));
    }
    let candidate = candidate(&old, told)?;
    let suppressed = neighbours::suppressions(store, &mut work, scope_id).await?;
    let statement = Statement { subject: &old.subject.name, ..Statement::from(&candidate) };
    if claim::known_again(&statement, std::slice::from_ref(&old.subject.id), &suppressed, &store.keys).is_some() {
        return Err(StoreError::Conflict("this claim was deleted by the person; lift its suppression first"));
    }
    let run = run(&ground, &old, candidate, speaker(&old, deed))?;
    match commit::within(store, &mut work, &run, &deed.actor.to_string()).await? {
        Committed::Now => {}
        Committed::Before => return Err(StoreError::Stale),
    }
    let trace = run.call.trace_id.as_str();
    sql::execute(&mut work, store.text(&REPLACES), vec![Arg::from(trace), Arg::from(id.as_str())]).await?;
    let new = MemoryId::new(run.call.trace_id.derive("memory", 0));
    let seeds = BTreeSet::from([id.as_str().to_owned(), new.as_str().to_owned()]);
    let repaired = rejudge(store, &mut work, &mut ground, (&seeds, "update")).await?;
    ground.close(store, &mut work).await?;
    // Where the claim was known already, the memory that tells it took the new words in.
    let args = vec![Arg::from(new.as_str()), Arg::from(namespace)];
    let stored: Option<StoredMemory> = sql::one(&mut work, store.text(&MEMORY), args).await?;
    let made = stored.ok_or(StoreError::Missing("memory"))?.into_memory()?;
    let memory_id = made.superseded_by.filter(|_| made.deleted_at.is_some()).unwrap_or(new);
    work.commit().await?;
    Ok(Restated { memory_id, trace_id: run.call.trace_id, repaired })
}

/// What is claimed now, as a candidate with its own words as quote.
fn candidate(old: &Memory, told: &Restatement) -> Result<Candidate, StoreError> {
    if old.subject.name != USER && claim::tells_of_the_user(&told.content) {
        return Err(StoreError::Conflict("the sentence is about the user and the memory about somebody else"));
    }
    let inferred = Statement::sentence(&told.content, &old.subject.name);
    let value = match &told.value {
        Some(value) => value.clone(),
        None if inferred.value.is_empty() => told.content.clone(),
        None => inferred.value.to_owned(),
    };
    let candidate = Candidate {
        content: told.content.clone(),
        memory_type: old.memory_type,
        subject: old.subject.name.clone(),
        attribute: told.attribute.clone().unwrap_or_else(|| old.attribute.clone()),
        value,
        polarity: inferred.polarity,
        evidence: vec![Citation { turn_id: TurnId("restated".into()), quote: told.content.clone() }],
        time_expression: None,
        confidence: 1.0,
    };
    if secret::claims_secret(&candidate, &told.content) || secret::holds_secret(&told.content) {
        return Err(StoreError::Conflict("the words hold a credential; it is never kept"));
    }
    let words = &told.content;
    if injection::claims_authority(&candidate)
        || injection::claims_role(&candidate, words)
        || injection::is_injection(words)
    {
        return Err(StoreError::Conflict("the words claim authority or instruct the system; they are never kept"));
    }
    Ok(candidate)
}

/// Who tells a memory of an account anew: their words go with them. A person's own memory is theirs anyway.
fn speaker(old: &Memory, deed: &Deed) -> Option<String> {
    match (old.scope.owner(), &deed.actor) {
        (Owner::Account(_), Actor::User(id)) => Some(id.clone()),
        (Owner::Account(_), Actor::ApiKey(_) | Actor::Worker(_) | Actor::Operator(_)) | (Owner::User(_), _) => None,
    }
}

/// The restatement as a run of its own: one turn, one claim, written as history until it is judged with the others.
fn run(ground: &Ground, old: &Memory, candidate: Candidate, speaker: Option<String>) -> Result<Run, StoreError> {
    let now = utc(ground.now)?;
    let trace_id = TraceId::new(ground.fresh("restated", 0));
    let turn = Turn {
        id: TurnId("restated".into()),
        role: Role::User,
        content: Said::new(candidate.content.clone()),
        at: Some(now),
        at_source: AtSource::Received,
        name: speaker,
        scope: None,
    };
    let call = Call {
        trace_id: trace_id.clone(),
        scope: old.scope.clone(),
        session_id: None,
        turns: vec![turn],
        metadata: old.metadata.clone(),
        expires_at: old.expires_at,
        mode: Mode::Literal,
        lane: Lane::Live,
        batch: None,
        accepted_at: now,
        remarks: vec![format!("told anew in the place of {}", old.id)],
    };
    let by = ExtractedBy::new("restated", "none", ("restated", "v1", ""));
    let memory = memory(&call, old, &candidate, &by);
    Ok(Run {
        ran_at: now,
        attempt: 0,
        session_version: 0,
        // The scope is locked, so nothing can have moved since.
        epoch: ground.revision,
        unmoved: false,
        turns: vec![TurnVerdict { turn_id: TurnId("restated".into()), dropped: None }],
        verdicts: Vec::new(),
        changes: Changes {
            effects: vec![Effect::Insert { memory: Box::new(memory), single_valued: false }],
            ..Changes::default()
        },
        extracted_by: Some(by),
        usage: Usage::default(),
        notes: Vec::new(),
        spans: Vec::new(),
        window: Vec::new(),
        ring: Vec::new(),
        traceparent: None,
        call,
    })
}

fn memory(call: &Call, old: &Memory, candidate: &Candidate, by: &ExtractedBy) -> Memory {
    let form = Form::of(&Statement::from(candidate));
    let now: Option<Moment> = Some(call.accepted_at);
    let turn_id = TurnId("restated".into());
    let source = Source {
        turn_id: turn_id.clone(),
        quote: candidate.content.clone(),
        start: 0,
        end: candidate.content.chars().count(),
        origin: Origin::Call,
        role: Role::User,
        speaker: call.turns.first().and_then(|turn| turn.name.clone()),
        said_at: now,
    };
    Memory {
        id: MemoryId::new(call.trace_id.derive("memory", 0)),
        session_id: call.session().to_owned(),
        content: candidate.content.clone(),
        attribute: form.attribute.clone(),
        value: candidate.value.clone(),
        object: None,
        polarity: candidate.polarity,
        confidence: 0.98,
        importance: 0.9,
        language: None,
        event_at: None,
        event_until: None,
        precision: Precision::Unknown,
        status: Status::Superseded,
        valid_from: now,
        valid_until: None,
        superseded_by: None,
        claim_key: form.key(),
        last_accessed_at: None,
        access_count: 0,
        provenance: Provenance {
            source_turn_ids: vec![turn_id],
            source_session_id: call.session().to_owned(),
            source_scope: call.scope.clone(),
            sources: vec![source],
            extracted_by: by.clone(),
            extracted_at: call.accepted_at,
            extraction_trace_id: call.trace_id.clone(),
        },
        ..old.clone()
    }
}

/// Edits what does not change the claim.
pub(super) async fn edit(
    store: &SqlStore,
    (namespace, id): (&str, &MemoryId),
    edit: &Edit,
    deed: &Deed,
) -> Result<(), StoreError> {
    #[derive(serde::Deserialize)]
    struct Stored {
        edits: Edits,
    }
    let mut work = store.begin(Reach::Tenant(namespace)).await?;
    let scope_id = find(store, &mut work, namespace, id).await?.scope_id;
    let mut ground = ground::lock(store, &mut work, scope_id, deed).await?;
    let old = live(store, &mut work, namespace, id).await?;
    let stored: Option<Stored> = sql::one(&mut work, store.text(&EDITS), vec![Arg::from(id.as_str())]).await?;
    let mut edits = stored.map(|stored| stored.edits).unwrap_or_default();
    let (before, after) = match edit {
        Edit::Metadata(metadata) => {
            edits.metadata = Some(metadata.clone());
            (json!({ "metadata": old.metadata }), json!({ "metadata": metadata }))
        }
        Edit::ExpiresAt(at) => {
            edits.expires_at = Some(*at);
            (json!({ "expires_at": old.expires_at }), json!({ "expires_at": at }))
        }
    };
    let (instant, offset) = columns(edits.expires_at.unwrap_or(old.expires_at));
    let text = |number: Option<i64>| Arg::Maybe(number.map(|number| number.to_string()));
    let args = vec![
        Arg::from(id.as_str()),
        sql::json(&edits)?,
        sql::json(edits.metadata.as_ref().unwrap_or(&old.metadata))?,
        text(instant),
        text(offset),
        Arg::Number(ground.revision),
    ];
    sql::execute(&mut work, store.text(&EDIT), args).await?;
    ground.note(Noted {
        event: "update",
        memory: Some(id.as_str()),
        before: Some(before),
        after: Some(after),
        ..Noted::default()
    });
    if old.status == Status::Expired {
        // Its time may not be over any more.
        rejudge(store, &mut work, &mut ground, (&BTreeSet::from([id.as_str().to_owned()]), "restore")).await?;
    }
    ground.close(store, &mut work).await?;
    Ok(work.commit().await?)
}
