//! Tables of claims and what grounding has to say of them.

mod document;
mod everyday;
mod judge;
mod measures;
mod moods;
mod not_said;
mod operators;
mod parties;
mod said;
mod sources;
mod stance;

use proptest::prelude::*;

use super::ground;
use crate::call::{Call, Lane, Mode};
use crate::candidate::{Candidate, Citation, MemoryType, Polarity};
use crate::context::{Context, Near, Stamp};
use crate::evidence::{Evidence, Support};
use crate::id::TraceId;
use crate::keys::{Key, KeyRing};
use crate::moment::Moment;
use crate::prompt;
use crate::provenance::ExtractedBy;
use crate::reading;
use crate::scope::{Owner, Scope};
use crate::stage::Reason;
use crate::turn::{AtSource, Role, Said, Turn, TurnId};
use crate::window::Window;

const NAME: Option<Reason> = Some(Reason::UnsupportedName);
const NUMBER: Option<Reason> = Some(Reason::UnsupportedNumber);
const DETAIL: Option<Reason> = Some(Reason::UnsupportedDetail);

/// A conversation as (speaker, words): `user`, `assistant`, `system`, `tool`, or the name of a user.
type Said2<'a> = &'a [(&'a str, &'a str)];

/// Turn (from 1) and quote.
type Quotes<'a> = &'a [(usize, &'a str)];

struct Case<'a> {
    said: Said2<'a>,
    /// Subject and content of the claim.
    claim: (&'a str, &'a str),
    quotes: Quotes<'a>,
}

fn turn(at: usize, (speaker, words): (&str, &str)) -> Turn {
    let (role, name) = match speaker {
        "user" => (Role::User, None),
        "assistant" => (Role::Assistant, None),
        "system" => (Role::System, None),
        "tool" => (Role::Tool, None),
        name => (Role::User, Some(name.to_owned())),
    };
    let minute = at % 60;
    Turn {
        id: TurnId(format!("t{}", at + 1)),
        role,
        content: Said::new(words),
        at: format!("2026-05-12T10:{minute:02}:00+02:00").parse().ok(),
        at_source: AtSource::Stated,
        name,
        scope: None,
    }
}

fn with_context<T>(said: Said2<'_>, window: Window, judge: impl FnOnce(&Context<'_>) -> T) -> T {
    let scope = Scope::new("quarry".into(), Owner::User("u7".into()), None).unwrap();
    let at: Moment = "2026-05-12T11:00:00+02:00".parse().unwrap();
    let call = Call {
        trace_id: TraceId::from_idempotency_key(&Key::new("k", "secret"), "quarry", "s"),
        scope,
        session_id: Some("s".into()),
        turns: said.iter().enumerate().map(|(at, said)| turn(at, *said)).collect(),
        metadata: serde_json::Map::new(),
        expires_at: None,
        mode: Mode::Infer,
        lane: Lane::Live,
        batch: None,
        accepted_at: at,
        remarks: Vec::new(),
    };
    let reading = reading::read(window, call);
    let keys = KeyRing::new(Key::new("k", "secret"), Vec::new());
    let stamp = Stamp { ran_at: at, extracted_by: ExtractedBy::new("test", "test", ("", "", "")) };
    judge(&Context { reading: &reading, near: &Near::default(), keys: &keys, stamp: &stamp, opinions: None })
}

fn candidate(subject: &str, content: &str, quotes: Quotes<'_>) -> Candidate {
    let cite = |(turn, quote): &(usize, &str)| Citation { turn_id: TurnId(format!("t{turn}")), quote: (*quote).into() };
    Candidate {
        content: content.into(),
        memory_type: MemoryType::Fact,
        subject: subject.into(),
        attribute: "attribute".into(),
        value: String::new(),
        polarity: Polarity::Positive,
        evidence: quotes.iter().map(cite).collect(),
        time_expression: None,
        confidence: 0.9,
    }
}

fn judged(case: &Case<'_>) -> Result<Evidence, Reason> {
    let claim = candidate(case.claim.0, case.claim.1, case.quotes);
    with_context(case.said, Window::default(), |cx| ground(cx, &claim))
}

/// One user turn, a claim with its subject, a quote; what is right (`None` keeps).
type Line<'a> = (&'a str, &'a str, &'a str, &'a str, Option<Reason>);

fn check(lines: &[Line<'_>]) {
    let mut wrong = Vec::new();
    for (words, subject, content, quote, right) in lines {
        let case = Case { said: &[("user", words)], claim: (subject, content), quotes: &[(1, quote)] };
        let found = judged(&case).err();
        if found != *right {
            wrong.push(format!("{content:?} from {words:?}: {found:?} instead of {right:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), lines.len(), wrong.join("\n"));
}
