//! What a person said in scopes of accounts, taken out: their turns give no name, their quotes go, and with them what only they said. What
//! others said as well stands on theirs alone, judged again. The scope stays the account's.

pub(crate) mod messages;
mod parting;
pub(crate) mod taking;

use std::collections::{BTreeMap, BTreeSet};

use recall_core::text::fold;
use serde::Deserialize;
use serde_json::json;
use sqlx::AnyConnection;

use self::parting::{Parting, Told};
use self::taking::{
    ABOUT_THEM, ANCHORS, CITED, DETAILS, DROP_MERGES, DROP_NAMES, DROP_SAID, DROP_UNSAID, DROP_UNSAID_NAMES,
    FORGET_NAMES, HIDDEN, LEAVE, NAMED, QUIET, QUOTES, REDACT, RESAY, SPOKEN_IN, STATES, TOLD, UNSAY, WINDOWS,
};
use super::delete::{self, Detail, SET_VERDICTS};
use super::ground::{Ground, Noted, update};
use super::rejudge::rejudge;
use crate::commit::told_row;
use crate::erasure::{OfAccount, Rows};
use crate::rows::MemoryRow;
use crate::sql::{self, Arg};
use crate::{SqlStore, StoreError};

/// A scope of an account.
#[derive(Debug, Deserialize)]
pub(super) struct Spoken {
    scope_id: i64,
    account: String,
    agent: String,
}

#[derive(Deserialize)]
struct Cited {
    session: i64,
    turn: String,
}

#[derive(Deserialize)]
struct Named {
    id: String,
}

/// A scope while a person is taken out of it.
struct Place<'a> {
    store: &'a SqlStore,
    ground: &'a mut Ground,
    names: &'a BTreeSet<String>,
    rows: Rows,
}

/// The scopes of accounts in which a person spoke, by number.
pub(super) async fn spoken_in(
    store: &SqlStore,
    work: &mut AnyConnection,
    (namespace, names): (&str, &BTreeSet<String>),
) -> Result<BTreeMap<i64, Spoken>, StoreError> {
    if names.is_empty() {
        return Ok(BTreeMap::new());
    }
    let args = vec![Arg::from(namespace), sql::json(names)?];
    let spoken: Vec<Spoken> = sql::many(work, store.text(&SPOKEN_IN), args).await?;
    Ok(spoken.into_iter().map(|spoken| (spoken.scope_id, spoken)).collect())
}

/// Takes a person out of scopes of accounts, whose grounds are locked, and out of the calls of accounts that wait or are dead.
pub(super) async fn take(
    store: &SqlStore,
    work: &mut AnyConnection,
    (namespace, names): (&str, &BTreeSet<String>),
    (spoken, grounds): (BTreeMap<i64, Spoken>, &mut BTreeMap<i64, Ground>),
) -> Result<Vec<OfAccount>, StoreError> {
    let mut taken: BTreeMap<(String, String), OfAccount> = BTreeMap::new();
    for (scope_id, Spoken { account, agent, .. }) in spoken {
        let Some(ground) = grounds.get_mut(&scope_id) else { continue };
        let mut place = Place { store, ground: &mut *ground, names, rows: Rows::new() };
        let told_by_others = place.empty(work).await?;
        let rows = place.rows;
        ground.note(Noted { event: "erase", after: Some(json!({ "rows": rows })), ..Noted::default() });
        let of = OfAccount { rows, told_by_others, ..OfAccount::default() };
        taken.insert((account, agent), of);
    }
    for (account, table, rows) in messages::take(store, work, (namespace, names)).await? {
        *taken.entry((account, String::new())).or_default().rows.entry(table.to_owned()).or_default() += rows;
    }
    let named = |((account, agent), of)| OfAccount {
        account,
        agent: Some(agent).filter(|agent: &String| !agent.is_empty()),
        ..of
    };
    Ok(taken.into_iter().map(named).collect())
}

impl Place<'_> {
    fn theirs(&self) -> Result<Vec<Arg>, StoreError> {
        Ok(vec![Arg::Number(self.ground.scope_id), sql::json(self.names)?])
    }

    fn count(&mut self, table: &str, rows: u64) {
        *self.rows.entry(table.to_owned()).or_default() += rows;
    }

    /// Takes everything of theirs; how many memories others told of them stay.
    async fn empty(&mut self, work: &mut AnyConnection) -> Result<u64, StoreError> {
        let told: Vec<Told> = sql::many(work, self.store.text(&TOLD), self.theirs()?).await?;
        let cited: Vec<Cited> = sql::many(work, self.store.text(&CITED), self.theirs()?).await?;
        let cited = cited.into_iter().map(|cited| (cited.session, cited.turn)).collect();
        let parting = Parting::of(told, &cited, self.names);
        self.unsay(work, &parting).await?;
        self.leave(work, &parting).await?;
        self.redact(work, &parting).await?;
        for (table, statement) in [("sessions", &WINDOWS), ("batch_sessions", &STATES), ("turns", &QUIET)] {
            let rows = sql::execute(work, self.store.text(statement), self.theirs()?).await?;
            self.count(table, rows);
        }
        self.unname(work, &parting).await
    }

    /// What calls said only by their words was never said; what is left is judged again.
    async fn unsay(&mut self, work: &mut AnyConnection, parting: &Parting) -> Result<(), StoreError> {
        let args = vec![Arg::Number(self.ground.scope_id), sql::json(&parting.unsaid)?];
        let unsaid = sql::execute(work, self.store.text(&UNSAY), args).await?;
        for told in &parting.resaid {
            let args = vec![Arg::from(told.trace.as_str()), Arg::Number(told.ordinal), sql::json(&told.said)?];
            sql::execute(work, self.store.text(&RESAY), args).await?;
        }
        self.count("statements", unsaid + parting.resaid.len() as u64);
        rejudge(self.store, work, self.ground, (&parting.touched, "erase")).await?;
        let stay: Vec<&String> = parting.left.keys().collect();
        let args = vec![Arg::Number(self.ground.scope_id), sql::json(&stay)?];
        let hidden: Vec<MemoryRow> = sql::many(work, self.store.text(&HIDDEN), args).await?;
        let mut retold = Vec::new();
        for row in hidden {
            let Some(said) = parting.left.get(&row.memory_id) else { continue };
            let words = told_row(&row, said, row.single_valued > 0)?;
            let MemoryRow { status, superseded_by, valid_until, valid_until_offset, .. } = row;
            retold.push(MemoryRow { status, superseded_by, valid_until, valid_until_offset, ..words });
        }
        update(self.store, work, &["memory_id"], &retold.iter().collect::<Vec<_>>()).await
    }

    /// Takes their quotes, and the words of memories nobody else told.
    async fn leave(&mut self, work: &mut AnyConnection, parting: &Parting) -> Result<(), StoreError> {
        let stay: Vec<&String> = parting.left.keys().collect();
        let mut quotes = 0;
        for statement in [&ANCHORS, &LEAVE] {
            let mut args = self.theirs()?;
            args.push(sql::json(&stay)?);
            quotes = sql::execute(work, self.store.text(statement), args).await?;
        }
        let alone: Option<u64> = sql::one(work, self.store.text(&QUOTES), vec![sql::json(&parting.alone)?]).await?;
        self.count("sources", quotes + alone.unwrap_or_default());
        self.count("memories", parting.touched.len() as u64);
        delete::blank(self.store, work, self.ground, (&parting.alone, "deleted")).await
    }

    async fn redact(&mut self, work: &mut AnyConnection, parting: &Parting) -> Result<(), StoreError> {
        let (alone, touched) = (sql::json(&parting.alone)?, sql::json(&parting.touched)?);
        let args = vec![Arg::Number(self.ground.scope_id), alone, touched, sql::json(&parting.traces)?];
        let rows = sql::execute(work, self.store.text(&REDACT), args).await?;
        self.count("audit", rows);
        let details: Vec<Detail> = sql::many(work, self.store.text(&DETAILS), self.theirs()?).await?;
        self.count("run_details", details.len() as u64);
        for Detail { trace, mut verdicts } in details {
            verdicts.iter_mut().for_each(delete::silence);
            sql::execute(work, self.store.text(&SET_VERDICTS), vec![Arg::Text(trace), sql::json(&verdicts)?]).await?;
        }
        Ok(())
    }

    /// Takes the names of people and things that only they spoke of, and their own where nobody else tells of them.
    async fn unname(&mut self, work: &mut AnyConnection, parting: &Parting) -> Result<u64, StoreError> {
        let scope = || Arg::Number(self.ground.scope_id);
        let keys: BTreeSet<String> = self.names.iter().map(|name| fold(name)).collect();
        let themselves: Vec<Named> = sql::many(work, self.store.text(&NAMED), vec![scope(), sql::json(&keys)?]).await?;
        let themselves: BTreeSet<String> = themselves.into_iter().map(|named| named.id).collect();
        let args = vec![scope(), sql::json(&themselves)?];
        let stay: Option<u64> = sql::one(work, self.store.text(&ABOUT_THEM), args).await?;
        let meant: BTreeSet<&String> = themselves.iter().chain(&parting.entities).collect();
        let gone: Vec<Named> =
            sql::many(work, self.store.text(&FORGET_NAMES), vec![scope(), sql::json(&meant)?]).await?;
        let gone: Vec<String> = gone.into_iter().map(|named| named.id).collect();
        let aliases = sql::execute(work, self.store.text(&DROP_NAMES), vec![sql::json(&gone)?]).await?;
        let args = vec![scope(), sql::json(&parting.entities)?];
        let unsaid = sql::execute(work, self.store.text(&DROP_UNSAID_NAMES), args).await?;
        let args = vec![scope(), sql::json(&gone)?];
        let mut said = sql::execute(work, self.store.text(&DROP_SAID), args).await?;
        let args = vec![scope(), sql::json(&parting.entities)?];
        said += sql::execute(work, self.store.text(&DROP_UNSAID), args).await?;
        let merges = sql::execute(work, self.store.text(&DROP_MERGES), vec![scope(), sql::json(&gone)?]).await?;
        for (table, rows) in [
            ("entities", gone.len() as u64),
            ("entity_aliases", aliases + unsaid),
            ("names_said", said),
            ("entity_merges", merges),
        ] {
            self.count(table, rows);
        }
        Ok(stay.unwrap_or_default())
    }
}
