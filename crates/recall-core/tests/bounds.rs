//! Every step ends on the largest input. Nothing here looks at a clock: the runner ends a test after one minute, and a scan that
//! compares words with all other words of a turn (the one found first took eleven seconds on 20,000 characters) runs longer than
//! that on these turns. A cheaper square would pass; the benchmark `judge` prints how the time grows with the turn. Most turns are a
//! quarter of the longest, which keeps the suite short; one is as long as a turn may be.

use recall_core::call::{Call, Lane, MAX_TURN_BYTES, MAX_TURNS, Mode};
use recall_core::candidate::{Candidate, Citation, MemoryType, Polarity};
use recall_core::claim::{self, Statement};
use recall_core::context::{Context, Near, Stamp};
use recall_core::id::{SuppressionId, TraceId};
use recall_core::keys::{Key, KeyRing};
use recall_core::literal;
use recall_core::moment::Moment;
use recall_core::pipeline::{self, STAGES};
use recall_core::prompt::{MAX_CANDIDATES, MAX_CONTENT_CHARS, MAX_EVIDENCE, MAX_QUOTE_CHARS, MAX_VALUE_CHARS};
use recall_core::provenance::ExtractedBy;
use recall_core::reading::{self, Reading};
use recall_core::run::Verdict;
use recall_core::scope::{Owner, Scope};
use recall_core::turn::{AtSource, Role, Said, Turn, TurnId};
use recall_core::window::Window;
use ulid::Ulid;

/// Judges a call with a candidate for each list of quotes, then again as a literal one: every step that looks at words runs.
fn judge(turns: &[String], quotes: &[Vec<(usize, String)>]) {
    let candidates: Vec<Candidate> = quotes.iter().map(|quotes| candidate(quotes)).collect();
    let verdicts = decided(call(turns, Mode::Infer), |_| candidates.clone());
    assert_eq!(verdicts.len(), candidates.len(), "every candidate has its verdict");
    let verdicts = decided(call(turns, Mode::Literal), |reading| {
        let kept = STAGES.read(reading, &mut ());
        literal::candidates(reading, &kept)
    });
    let worded = turns.iter().filter(|turn| !turn.trim().is_empty()).count();
    assert_eq!(verdicts.len(), worded, "every turn with words has its verdict");
}

fn decided(call: Call, propose: impl Fn(&Reading) -> Vec<Candidate>) -> Vec<Verdict> {
    let turns = call.turns.len();
    let reading = reading::read(Window::default(), call);
    assert_eq!(STAGES.read(&reading, &mut ()).len(), turns, "every turn has its verdict");
    let candidates = propose(&reading);
    let _ = pipeline::near_keys(&candidates);
    let keys = KeyRing::new(key(), Vec::new());
    let deleted = Statement::sentence("User keeps bees on the roof.", "user");
    let near = Near {
        suppressions: vec![claim::suppression_of(&deleted, Vec::new(), &key(), SuppressionId::new(Ulid(1)))],
        ..Near::default()
    };
    let stamp = Stamp { ran_at: at(), extracted_by: ExtractedBy::new("test", "none", ("extract", "v1", "")) };
    let cx = Context { reading: &reading, near: &near, keys: &keys, stamp: &stamp, opinions: None };
    STAGES.decide(&cx, candidates, &mut ()).1
}

/// A long turn of repeated words, with a claim that quotes as much as a reply may, and one that quotes both ends.
fn long_turn_of(words: &str) {
    let turn = words.repeat(MAX_TURN_BYTES / 4 / words.len());
    let long: String = turn.chars().take(MAX_QUOTE_CHARS).collect();
    let first: String = turn.chars().take(60).collect();
    let last: String = words.repeat(3);
    judge(&[turn], &[vec![(0, long)], vec![(0, first), (0, last)]]);
}

fn long_turns_of(table: &[&str]) {
    table.iter().for_each(|words| long_turn_of(words));
}

#[test]
fn conjunctions_and_conditions_without_end_are_judged() {
    long_turns_of(&["and ", "if ", "because "]);
}

#[test]
fn pronouns_without_end_are_judged() {
    long_turns_of(&["i ", "she ", "i, i "]);
}

#[test]
fn denials_and_doubts_without_end_are_judged() {
    long_turns_of(&["no, ", "not ", "may "]);
}

#[test]
fn names_and_kin_without_end_are_judged() {
    long_turns_of(&["her Anna's ", "Anna and Ben ", "my sister "]);
}

#[test]
fn marks_without_end_are_judged() {
    long_turns_of(&[", ", "(", "\"", "\"a "]);
}

#[test]
fn stops_and_lines_without_end_are_judged() {
    long_turns_of(&["a.", "a. ", "\n", "> x\n"]);
}

#[test]
fn numbers_and_dates_without_end_are_judged() {
    long_turns_of(&["1 ", "9", "1-", "last week of may "]);
}

#[test]
fn code_and_letters_in_no_language_are_judged() {
    long_turns_of(&["```\n", "a=b&", "=(;\n", "aGVsbG8gd29ybGQ"]);
}

#[test]
fn the_longest_turn_is_read() {
    let turn = "and ".repeat(MAX_TURN_BYTES / 4);
    let reading = reading::read(Window::default(), call(&[turn], Mode::Infer));
    assert_eq!(STAGES.read(&reading, &mut ()).len(), 1, "the turn has its verdict");
}

#[test]
fn one_long_word_is_judged() {
    long_turns_of(&["x", "A1", "password is "]);
}

#[test]
fn signs_beyond_ascii_without_end_are_judged() {
    long_turns_of(&["\u{301}", "\u{1f3f3}\u{fe0f}\u{200d}\u{1f308}", "\u{200b}", "\u{65e5}\u{672c}"]);
}

#[test]
fn a_call_of_as_many_turns_and_candidates_as_there_may_be_is_judged() {
    let turns = many_turns();
    let cited = |claim: usize| Some(vec![(claim, turns.get(claim)?.chars().take(40).collect::<String>())]);
    let quotes: Vec<Vec<(usize, String)>> = (0..MAX_CANDIDATES.min(MAX_TURNS)).filter_map(cited).collect();
    judge(&turns, &quotes);
}

#[test]
fn candidates_that_cite_as_many_turns_as_they_may_are_judged() {
    let turns = many_turns();
    let quote = |place: usize| turns.get(place).map(|turn| turn.chars().skip(place % 40).take(900).collect::<String>());
    let cited = |claim: usize| {
        let places = (0..MAX_EVIDENCE).map(|nth| (claim + nth * 7) % MAX_TURNS);
        places.filter_map(|place| Some((place, quote(place)?))).collect::<Vec<_>>()
    };
    let quotes: Vec<Vec<(usize, String)>> = (0..6).map(cited).collect();
    judge(&turns, &quotes);
}

#[test]
fn candidates_with_the_longest_quotes_are_judged() {
    let turn = "my brother and I think she may not like tea, ".repeat(400);
    let quote: String = turn.chars().take(MAX_QUOTE_CHARS).collect();
    let quotes: Vec<Vec<(usize, String)>> = (0..6).map(|_| vec![(0, quote.clone())]).collect();
    judge(&[turn], &quotes);
}

/// As many turns as a call may hold, each of some 1,300 characters about the same people.
fn many_turns() -> Vec<String> {
    let words =
        ["Anna told Ben that ", "she left, ", "maybe on Monday. ", "I think he ", "moved to Oslo with my sister. "];
    let turn = |place: usize| words.iter().cycle().skip(place).take(80).copied().collect::<String>();
    (0..MAX_TURNS).map(turn).collect()
}

/// A claim that repeats the words of its quotes, as long as a reply may make it.
fn candidate(quotes: &[(usize, String)]) -> Candidate {
    let words: String = quotes.iter().flat_map(|(_, quote)| quote.chars()).take(MAX_CONTENT_CHARS).collect();
    let cite = |(turn, quote): &(usize, String)| Citation { turn_id: TurnId(format!("t{turn}")), quote: quote.clone() };
    Candidate {
        memory_type: MemoryType::Fact,
        subject: "user".into(),
        attribute: "likes".into(),
        value: words.chars().take(MAX_VALUE_CHARS).collect(),
        content: words,
        polarity: Polarity::Positive,
        evidence: quotes.iter().map(cite).collect(),
        time_expression: Some("last week".into()),
        confidence: 0.9,
    }
}

fn call(contents: &[String], mode: Mode) -> Call {
    let role = |place: usize| match mode {
        Mode::Infer if place % 2 == 1 => Role::Assistant,
        Mode::Infer | Mode::Literal => Role::User,
    };
    let turns = contents.iter().enumerate().map(|(place, content)| Turn {
        id: TurnId(format!("t{place}")),
        role: role(place),
        content: Said::new(content.clone()),
        at: Some(at()),
        at_source: AtSource::Stated,
        name: None,
        scope: None,
    });
    Call {
        trace_id: TraceId::from_idempotency_key(&key(), "test", "bounds"),
        scope: Scope::new("test".into(), Owner::User("u".into()), None).expect("a scope"),
        session_id: None,
        turns: turns.collect(),
        metadata: serde_json::Map::new(),
        expires_at: None,
        mode,
        lane: Lane::Live,
        batch: None,
        accepted_at: at(),
        remarks: Vec::new(),
    }
}

fn key() -> Key {
    Key::new("k", "a key of the test")
}

fn at() -> Moment {
    "2026-03-05T18:00:00+01:00".parse().expect("a moment")
}
