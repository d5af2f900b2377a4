//! From archives to calls, in an order that is the same each time: read once to be checked and counted, once more to be fed.

use std::ops::ControlFlow;

use anyhow::{Context as _, bail};
use recall_core::call::{Call, Lane};
use recall_core::id::BatchId;
use recall_core::moment::Moment;
use recall_core::scope::{Owner, Scope};
use tokio::sync::mpsc;

use super::Job;
use crate::archive::{self, BadLine, Conversation, Input, Whose};
use crate::cut::{Cutter, Marks};
use crate::door::{AbsentTime, Entry};

/// Calls that are handed over together.
const HANDFUL: usize = 100;

/// One call of the archives.
#[derive(Debug)]
pub(super) struct Cut {
    /// The call; `None` where its turns are bad or refused, all of them.
    pub(super) call: Option<Call>,
    /// Its person is named though erased.
    pub(super) erased_too: bool,
    /// Turns left out, since they were said before their person was erased.
    pub(super) refused: usize,
}

/// What is found in the archives.
pub(super) enum Found {
    /// The calls of a conversation.
    Calls(Vec<Cut>),
    /// A line that cannot be read, as people are told of it.
    Bad(String),
}

/// A call with its place in the order of all.
#[derive(Debug)]
pub(crate) struct Numbered {
    /// From 0.
    pub(super) number: u64,
    /// The call; `None` where nothing is left of it.
    pub(super) call: Option<Call>,
}

/// Reads every file of a job, until the visitor has enough.
pub(super) fn each(job: &Job, now: Moment, visit: &mut dyn FnMut(Found) -> ControlFlow<()>) -> anyhow::Result<()> {
    let cutter = Cutter {
        entry: Entry {
            now,
            key: &job.key,
            namespace: &job.namespace,
            timezone: job.settings.timezone.as_deref(),
            absent: AbsentTime::Unknown,
            lane: Lane::Bulk,
        },
        timezone: job.timezone.as_deref(),
        literal: false,
        turns_per_call: job.turns_per_call,
        skip_bad: job.skip_bad,
    };
    for input in &job.inputs {
        let mut enough = ControlFlow::Continue(());
        let read = archive::each(input, job.mapping.as_ref(), &mut |part| {
            for bad in part.bad {
                enough = visit(Found::Bad(bad.to_string()));
                if enough.is_break() {
                    return enough;
                }
            }
            for conversation in part.conversations {
                enough = conversation_of(job, &cutter, input, &conversation, visit);
                if enough.is_break() {
                    return enough;
                }
            }
            enough
        });
        read.with_context(|| format!("cannot read {}", input.name))?;
        if enough.is_break() {
            return Ok(());
        }
    }
    Ok(())
}

fn conversation_of(
    job: &Job,
    cutter: &Cutter<'_>,
    input: &Input,
    conversation: &Conversation,
    visit: &mut dyn FnMut(Found) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let named = job.whose.user_id.is_some() || job.whose.account_id.is_some();
    let told = if named { &job.whose } else { &conversation.whose };
    let agent_id = job.whose.agent_id.clone().or_else(|| conversation.whose.agent_id.clone());
    let whose = Whose { agent_id, ..told.clone() };
    let scope = match scope(&job.namespace, &whose) {
        Ok(scope) => scope,
        Err(reason) => {
            let line = conversation.messages.first().map_or(1, |(line, _)| *line);
            return visit(Found::Bad(BadLine { file: input.name.clone(), line, reason }.to_string()));
        }
    };
    let erased_at = job.erasures.of(&scope);
    let erased_too = whose.user_id.as_ref().is_some_and(|user| job.include_erased.contains(user));
    let key = |marks: &Marks<'_>| job.named(marks, erased_at.filter(|_| erased_too));
    let mut faults = Vec::new();
    let about = (input.name.as_str(), conversation.session_id.as_str(), &whose);
    let calls = cutter.calls(about, conversation, &key, &mut faults);
    for fault in faults {
        visit(Found::Bad(fault))?;
    }
    let refusing = erased_at.filter(|_| !erased_too);
    visit(Found::Calls(
        calls.into_iter().map(|cut| cut.map(|cut| cut.call)).map(|call| cut(call, refusing, erased_too)).collect(),
    ))
}

fn scope(namespace: &str, whose: &Whose) -> Result<Scope, String> {
    let owner = match (&whose.user_id, &whose.account_id) {
        (Some(user), None) => Owner::User(user.clone()),
        (None, Some(account)) => Owner::Account(account.clone()),
        (None, None) => {
            return Err("names no user_id; name one for all with --user or --account, or in a mapping".into());
        }
        (Some(_), Some(_)) => return Err("names both a user_id and an account_id".into()),
    };
    Scope::new(namespace.to_owned(), owner, whose.agent_id.clone()).map_err(|error| error.to_string())
}

/// Leaves out what was said before an erasure, or may have been.
fn cut(call: Option<Call>, refusing: Option<i64>, erased_too: bool) -> Cut {
    let Some(mut call) = call else { return Cut { call, erased_too, refused: 0 } };
    let all = call.turns.len();
    if let Some(erased_at) = refusing {
        call.turns.retain(|turn| turn.at.is_some_and(|at| at.microseconds() > erased_at));
    }
    let refused = all - call.turns.len();
    Cut { call: Some(call).filter(|call| !call.turns.is_empty()), erased_too, refused }
}

/// Reads the archives again on a thread of its own, a few handfuls ahead of whoever feeds them.
pub(crate) fn read_ahead(
    job: Job,
    run: BatchId,
    archive_hash: String,
) -> mpsc::Receiver<anyhow::Result<Vec<Numbered>>> {
    let (sender, receiver) = mpsc::channel(4);
    std::thread::spawn(move || {
        let read = hand_over(&job, &run, &archive_hash, &sender);
        if let Err(error) = read {
            // Nobody listens any more: then the error is of no use to anybody either.
            let _unheard = sender.blocking_send(Err(error));
        }
    });
    receiver
}

fn hand_over(
    job: &Job,
    run: &BatchId,
    archive_hash: &str,
    sender: &mpsc::Sender<anyhow::Result<Vec<Numbered>>>,
) -> anyhow::Result<()> {
    if super::archive_hash(&job.inputs)? != archive_hash {
        bail!("the archives changed while they were read");
    }
    let (mut number, mut handful) = (0, Vec::new());
    each(job, crate::clock::now(), &mut |found| {
        let Found::Calls(cuts) = found else { return ControlFlow::Continue(()) };
        for Cut { call, erased_too, .. } in cuts {
            let call = call.map(|call| Call { batch: Some(job.batch(run, erased_too)), ..call });
            handful.push(Numbered { number, call });
            number += 1;
        }
        if handful.len() < HANDFUL {
            return ControlFlow::Continue(());
        }
        match sender.blocking_send(Ok(std::mem::take(&mut handful))) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    })?;
    // Whoever feeds may have left.
    let _left = sender.blocking_send(Ok(handful));
    Ok(())
}
