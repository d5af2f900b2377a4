//! Turns, claims and the dates that are theirs.

use super::*;
use crate::call::{Call, Lane, Mode};
use crate::candidate::Polarity;
use crate::evidence::{Origin, Support};
use crate::id::TraceId;
use crate::keys::Key;
use crate::reading;
use crate::scope::{Owner, Scope};
use crate::turn::{AtSource, Role, Said, Turn};
use crate::window::Window;

/// What a claim is dated to: normal form of the reading, or nothing.
fn dated(said_at: &str, said: &str, quote: &str, claim: &str, expression: &str) -> When {
    let turn = Turn {
        id: TurnId("t1".into()),
        role: Role::User,
        content: Said::new(said),
        at: said_at.parse().ok(),
        at_source: AtSource::Stated,
        name: None,
        scope: None,
    };
    let call = Call {
        trace_id: TraceId::from_idempotency_key(&Key::new("k", "k"), "n", "t"),
        scope: Scope::new("n".into(), Owner::User("u".into()), None).expect("a scope"),
        session_id: None,
        turns: vec![turn],
        metadata: serde_json::Map::new(),
        expires_at: None,
        mode: Mode::Infer,
        lane: Lane::Live,
        batch: None,
        accepted_at: "2030-01-01T00:00:00Z".parse().expect("a moment"),
        remarks: Vec::new(),
    };
    let start = said.find(quote).expect("the quote stands there");
    let start = said.get(..start).unwrap_or_default().chars().count();
    let source = Source {
        turn_id: TurnId("t1".into()),
        quote: quote.into(),
        start,
        end: start + quote.chars().count(),
        origin: Origin::Call,
        role: Role::User,
        speaker: None,
        said_at: said_at.parse().ok(),
    };
    let evidence =
        Evidence { sources: vec![source], support: Support::Supported, coverage: 1.0, reattributed: Vec::new() };
    let candidate = Candidate {
        content: claim.into(),
        memory_type: MemoryType::Fact,
        subject: "user".into(),
        attribute: String::new(),
        value: String::new(),
        polarity: Polarity::Positive,
        evidence: Vec::new(),
        time_expression: Some(expression.to_owned()).filter(|words| !words.is_empty()),
        confidence: 0.9,
    };
    anchor_in(&reading::read(Window::default(), call), &candidate, &evidence)
}

const SAID: &str = "2026-05-20T21:49:00+02:00";

/// Turn, claim, expression, normal form.
const TENSES: &[(&str, &str, &str, &str)] = &[
    ("the plumber comes on Friday", "The plumber comes on Friday", "on Friday", "2026-05-22"),
    ("the plumber came on Friday", "The plumber came on Friday", "on Friday", "2026-05-15"),
    ("I'm flying to Oslo in March", "User flies to Oslo in March", "in March", "2027-03"),
    ("we flew to Oslo in March", "User flew to Oslo in March", "in March", "2026-03"),
    ("my sister is getting married on 12 September", "The wedding is on 12 September", "on 12 September", "2026-09-12"),
    ("my sister got married on 12 September", "The sister married on 12 September", "on 12 September", "2025-09-12"),
    ("the room is booked from 3 to 9 August", "The room is booked", "from 3 to 9 August", "2026-08-03/2026-08-09"),
    ("I have to hand it in by Monday", "User has to hand it in", "by Monday", "../2026-05-25"),
    ("my lease runs out in November", "User's lease runs out", "in November", "2026-11"),
    ("I turn forty in April", "User turns forty", "in April", "2027-04"),
    ("haven't slept since Monday", "User has not slept since Monday", "since Monday", "2026-05-18/.."),
    ("the party was supposed to be in April", "The party was planned for April", "in April", "2026-04"),
    ("dentist on Friday", "User sees the dentist", "on Friday", "2026-05-22"),
    ("gonna quit on the 3rd, don't tell", "User is going to quit", "on the 3rd", "2026-06-03"),
    ("I signed up for a choir trial on 4 June", "User signed up for a choir trial", "on 4 June", "2026-06-04"),
    ("we bought tickets for the fair on 12 April", "User bought tickets for the fair", "on 12 April", "2026-04-12"),
    ("I sang at the fair on 12 June", "User sang at the fair", "on 12 June", "2025-06-12"),
];

#[test]
fn plans_are_dated_ahead_and_stories_back() {
    for (said, claim, expression, right) in TENSES {
        let when = dated(SAID, said, said, claim, expression);
        assert_eq!(when.normal.as_deref(), Some(*right), "{said:?}");
    }
}

#[test]
fn the_expression_the_claim_names_wins_over_others_in_the_quote() {
    let said = "yesterday I planted beans, the day before yesterday the chard";
    let when = dated(SAID, said, said, "User planted chard", "the day before yesterday");
    assert_eq!(when.normal.as_deref(), Some("2026-05-18"));
    assert_eq!(when.expression.as_deref(), Some("the day before yesterday"));
}

#[test]
fn without_an_expression_the_date_nearest_to_the_claims_words_is_taken_from_the_quote_alone() {
    let said = "I sold the tent last week and my brother painted the gate yesterday. I like plums";
    let gate = dated(SAID, said, said, "User's brother painted the gate", "");
    assert_eq!(gate.normal.as_deref(), Some("2026-05-19"));
    let tent = dated(SAID, said, said, "User sold the tent", "");
    assert_eq!(tent.normal.as_deref(), Some("2026-W20"));
    assert_eq!(dated(SAID, said, "I like plums", "User likes plums", ""), When::default());
}

#[test]
fn a_number_called_a_time_is_none_and_habits_have_no_date() {
    let said = "our house number is 2019";
    assert_eq!(dated(SAID, said, said, "User's house number is 2019", "2019").event_at, None);
    let said = "we usually camp in August";
    assert_eq!(dated(SAID, said, said, "User usually camps in August", "in August").event_at, None);
    let said = "every Monday I swim";
    assert_eq!(dated(SAID, said, said, "User swims every Monday", "every Monday").event_at, None);
}

#[test]
fn a_year_alone_answers_only_a_claim_that_names_it() {
    assert_eq!(dated(SAID, "2017.", "2017.", "User moved in 2017", "2017").normal.as_deref(), Some("2017"));
    assert_eq!(dated(SAID, "2017.", "2017.", "User's locker is 2017", "").event_at, None);
}

#[test]
fn a_turn_without_time_dates_nothing_and_says_so() {
    let said = "I moved yesterday";
    assert_eq!(dated("", said, said, "User moved yesterday", "yesterday"), When::default());
}

#[test]
fn quotes_with_wide_characters_keep_their_place() {
    let said = "\u{1f600}\u{e9}\u{e9} ok. ich: I won the cup yesterday \u{1f3c6}";
    let when = dated(SAID, said, "I won the cup yesterday", "User won the cup", "");
    assert_eq!(when.event_at, "2026-05-19T00:00:00+02:00".parse().ok());
}
