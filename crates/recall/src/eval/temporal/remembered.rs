//! Dates of remembered turns: a question, the turns that answer it, and when it was.

use jiff::civil::Date;
use recall_core::call::{Call, Lane, Mode};
use recall_core::candidate::{Candidate, MemoryType, Polarity};
use recall_core::evidence::{Evidence, Origin, Source, Support};
use recall_core::id::TraceId;
use recall_core::keys::Key;
use recall_core::moment::Precision;
use recall_core::reading::{self, Reading};
use recall_core::scope::{Owner, Scope};
use recall_core::stages::anchor::{When, anchor_in};
use recall_core::turn::{AtSource, Role, Said, Turn, TurnId};
use recall_core::window::Window;
use serde_json::Value;

use super::{Row, day, moment, one, row, text};

/// Turns of a conversation and a question: the question stands for the claim, the whole turns for its quotes. Rows whose
/// turns hold no word of time at all cannot be dated from the words; there the gate must stay silent, and they are counted apart.
pub(super) fn locomo(line: &Value) -> Vec<Row> {
    let group = text(line, "group");
    let Some(expected) = line.get("expected").filter(|expected| !expected.is_null()) else { return Vec::new() };
    let date = |field: &str| text(expected, field).parse::<Date>().ok();
    let (Some(from), Some(to), Some(reading)) = (date("accept_from"), date("accept_to"), conversation(line)) else {
        return Vec::new();
    };
    let question = text(line, "question");
    let when = anchor_in(&reading, &claim(question), &whole_turns(&reading));
    let found = day(when.event_at);
    if !reading.turns.iter().any(|turn| has_time_word(turn.turn.content.as_str())) {
        return vec![row(group, one("silent_without_words", found.is_none()), None)];
    }
    let right = found.is_some_and(|found| inside(found, &when, from, to));
    let wrong = (!right).then(|| {
        format!("{question:?}: {found:?} ({:?}, {:?}); right {from} to {to}", when.expression, when.precision)
    });
    vec![row(group, one("accuracy", right), wrong)]
}

/// The date lies in the accepted interval, or the period named is a week that reaches into it.
fn inside(found: Date, when: &When, from: Date, to: Date) -> bool {
    let week_end =
        if when.precision == Precision::Week { found.saturating_add(jiff::Span::new().days(6)) } else { found };
    found <= to && from <= week_end
}

/// Words that can say when; kept apart from the grammar so that what the grammar misses counts as wrong.
const TIME_WORDS: &str = "today tonight yesterday tomorrow ago week month year day days weeks months years weekend weekends night \
    morning evening monday tuesday wednesday thursday friday saturday sunday january february march april may june july august \
    september october november december summer winter spring autumn fall just";

fn has_time_word(said: &str) -> bool {
    let said = said.to_lowercase();
    said.split(|c: char| !c.is_alphanumeric()).any(|word| {
        TIME_WORDS.split_whitespace().any(|known| known == word) || word.starts_with(|c: char| c.is_ascii_digit())
    })
}

fn conversation(line: &Value) -> Option<Reading> {
    let turns = line.get("evidence")?.as_array()?;
    let turn = |(place, turn): (usize, &Value)| Turn {
        id: TurnId(format!("{} {place}", text(turn, "id"))),
        role: Role::User,
        content: Said::new(text(turn, "text")),
        at: moment(&format!("{}T12:00:00", text(turn, "session_date"))),
        at_source: AtSource::Stated,
        name: Some(text(turn, "speaker").to_owned()),
        scope: None,
    };
    let scope = Scope::new("eval".into(), Owner::User("eval".into()), None).ok()?;
    let call = Call {
        trace_id: TraceId::from_idempotency_key(&Key::new("eval", "eval"), "eval", text(line, "id")),
        scope,
        session_id: None,
        turns: turns.iter().enumerate().map(turn).collect(),
        metadata: serde_json::Map::new(),
        expires_at: None,
        mode: Mode::Infer,
        lane: Lane::Bulk,
        batch: None,
        remarks: Vec::new(),
        accepted_at: moment("2020-01-01T00:00:00")?,
    };
    Some(reading::read(Window::default(), call))
}

fn claim(question: &str) -> Candidate {
    Candidate {
        content: question.to_owned(),
        memory_type: MemoryType::Event,
        subject: "user".to_owned(),
        attribute: String::new(),
        value: String::new(),
        polarity: Polarity::Positive,
        evidence: Vec::new(),
        time_expression: None,
        confidence: 1.0,
    }
}

fn whole_turns(reading: &Reading) -> Evidence {
    let source = |turn: &reading::ReadTurn| Source {
        turn_id: turn.turn.id.clone(),
        quote: turn.turn.content.as_str().to_owned(),
        start: 0,
        end: turn.turn.content.as_str().chars().count(),
        origin: Origin::Call,
        role: turn.turn.role,
        speaker: turn.turn.name.clone(),
        said_at: turn.turn.at,
    };
    let sources = reading.turns.iter().map(source).collect();
    Evidence { sources, support: Support::Supported, coverage: 1.0, reattributed: Vec::new() }
}
