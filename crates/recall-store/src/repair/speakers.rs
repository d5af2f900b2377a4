//! Who speaks in scopes of accounts. Turns there name their speaker; those of somebody who was erased after they were accepted are not
//! read, and stay in no message that is kept.

use std::collections::{BTreeMap, BTreeSet};

use recall_core::call::Call;
use recall_core::keys::Key;
use recall_core::scope::Owner;
use recall_core::turn::{Turn, TurnId};
use serde::Deserialize;
use serde_json::Value;
use sqlx::AnyConnection;

use super::erase::TOMBSTONE;
use crate::dialect::Statement as Sql;
use crate::sql::{self, Arg};
use crate::{SqlStore, StoreError};

/// When speakers of these hashes were erased last.
pub(crate) static ERASED_SPEAKERS: Sql = Sql::new(
    "SELECT CAST({object}('hash', e.owner_hash, 'at', e.erased_at) AS TEXT) FROM erasures e
    WHERE e.owner_hash {in texts $1}",
);

#[derive(Deserialize)]
struct ErasedSpeaker {
    hash: String,
    at: i64,
}

/// The names of those who speak in a call of an account. In a scope of a person's own whoever speaks is erased with its owner.
pub(crate) fn of(call: &Call) -> BTreeSet<&str> {
    match call.scope.owner() {
        Owner::User(_) => BTreeSet::new(),
        Owner::Account(_) => turns(call).filter_map(|turn| turn.name.as_deref()).collect(),
    }
}

/// Everything said that travels with a call.
fn turns(call: &Call) -> impl Iterator<Item = &Turn> {
    call.before().iter().chain(&call.turns)
}

/// The hash that stays of a speaker.
fn speaker_hash(key: &Key, namespace: &str, name: &str) -> String {
    key.fingerprint(&["erased speaker", namespace, name])
}

/// Keeps turns of before of these speakers away.
pub(super) async fn silence(
    store: &SqlStore,
    work: &mut AnyConnection,
    (namespace, names): (&str, &BTreeSet<String>),
) -> Result<(), StoreError> {
    let key = store.keys.current();
    for name in names {
        let args = vec![Arg::Text(speaker_hash(key, namespace, name)), Arg::from(key.id())];
        sql::rows(work, store.text(&TOMBSTONE), args).await?;
    }
    Ok(())
}

/// Turns of a call whose speaker was erased after they were accepted, or, of an archive, said.
pub(crate) async fn erased_turns(
    store: &SqlStore,
    work: &mut AnyConnection,
    call: &Call,
) -> Result<Vec<TurnId>, StoreError> {
    let namespace = call.scope.namespace();
    let hashes = |name| store.keys.all().map(move |key| (speaker_hash(key, namespace, name), name));
    let names: BTreeMap<String, &str> = of(call).into_iter().flat_map(hashes).collect();
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let args = vec![sql::json(&names.keys().collect::<Vec<_>>())?];
    let found: Vec<ErasedSpeaker> = sql::many(work, store.text(&ERASED_SPEAKERS), args).await?;
    let mut erased: BTreeMap<&str, i64> = BTreeMap::new();
    for ErasedSpeaker { hash, at } in found {
        let Some(name) = names.get(&hash) else { continue };
        let last = erased.entry(*name).or_default();
        *last = at.max(*last);
    }
    let is_of_before = |turn: &&Turn| {
        let at = turn.name.as_deref().and_then(|name| erased.get(name));
        at.is_some_and(|at| *at >= call.turn_erasable_since(turn))
    };
    Ok(turns(call).filter(is_of_before).map(|turn| turn.id.clone()).collect())
}

/// A message without the turns of people who were erased meanwhile; `None` where no turn is left.
pub(crate) async fn without_erased(
    store: &SqlStore,
    work: &mut AnyConnection,
    (call, body): (&Call, &[u8]),
) -> Result<Option<Vec<u8>>, StoreError> {
    let erased = erased_turns(store, work, call).await?;
    if erased.is_empty() {
        return Ok(Some(body.to_vec()));
    }
    let is_kept = |turn: &Value| !turn["id"].as_str().is_some_and(|id| erased.iter().any(|gone| gone.as_str() == id));
    Ok(match rest(body, is_kept) {
        Rest::Whole => Some(body.to_vec()),
        Rest::Part(part) => Some(part),
        Rest::Nothing => None,
    })
}

/// What is left of a message.
pub(super) enum Rest {
    /// All of it.
    Whole,
    /// These bytes.
    Part(Vec<u8>),
    /// No turn.
    Nothing,
}

/// A message without what speakers said in it.
pub(super) fn without_names(body: &[u8], names: &BTreeSet<String>) -> Rest {
    rest(body, |turn| !turn["name"].as_str().is_some_and(|name| names.contains(name)))
}

/// A message with those of its turns that are kept, and of those that were said before it. It is read as plain JSON, since another version
/// of this program may have written it; where it cannot be read it is left as it is.
fn rest(body: &[u8], is_kept: impl Fn(&Value) -> bool) -> Rest {
    let Ok(mut message) = serde_json::from_slice::<Value>(body) else { return Rest::Whole };
    let mut cut = |place| {
        let turns = message.pointer_mut(place).and_then(Value::as_array_mut)?;
        let before = turns.len();
        turns.retain(&is_kept);
        Some((turns.len(), before - turns.len()))
    };
    let (before, turns) = (cut("/call/batch/before"), cut("/call/turns"));
    match (turns, before) {
        (None, _) | (Some((_, 0)), None | Some((_, 0))) => Rest::Whole,
        (Some((0, _)), _) => Rest::Nothing,
        (Some(_), _) => serde_json::to_vec(&message).map_or(Rest::Nothing, Rest::Part),
    }
}
