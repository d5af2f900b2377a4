//! Tapes: what was recorded is played, and nothing else.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::Write;
use std::time::Duration;

use async_trait::async_trait;
use recall_core::candidate::{Candidate, Citation, MemoryType, Polarity};
use recall_core::class::Class;
use recall_core::prompt::{Ask, AskTurn, Library, Malformed, Reply};
use recall_core::provenance::ExtractedBy;
use recall_core::run::Usage;
use recall_core::turn::{Role, Said, TurnId};
use recall_llm::recorded::{Entry, Failure, Header, Item, Labelled, Lookup, Recorded, Recorder, Tape, Words};
use recall_llm::rules::Rules;
use recall_llm::{Extractor, LlmError};

fn turn(id: &str) -> AskTurn {
    AskTurn { id: TurnId(id.into()), role: Role::User, name: None, at: None, content: Said::new("I keep bees") }
}

fn ask(session: &str, turns: &[&str], context: &[&str]) -> Ask {
    Ask {
        session: session.into(),
        turns: turns.iter().map(|id| turn(id)).collect(),
        context: context.iter().map(|id| turn(id)).collect(),
        custom_instruction: None,
        prompt: Library::builtin().extract("v1").unwrap().clone(),
    }
}

fn claim(content: &str, cited: &[&str]) -> Candidate {
    let evidence = cited.iter().map(|id| Citation { turn_id: TurnId((*id).into()), quote: "I keep bees".into() });
    Candidate {
        content: content.into(),
        memory_type: MemoryType::Fact,
        subject: "user".into(),
        attribute: "hobby".into(),
        value: "bees".into(),
        polarity: Polarity::Positive,
        evidence: evidence.collect(),
        time_expression: None,
        confidence: 0.9,
    }
}

fn entry(session: &str, turns: &[&str], candidates: Vec<Candidate>) -> Entry {
    Entry {
        session: session.into(),
        turns: turns.iter().map(|id| TurnId((*id).into())).collect(),
        words: Words::Items { candidates: candidates.into_iter().map(Item::Candidate).collect() },
        model: "small-model".into(),
        usage: Usage { model_calls: 1, prompt_tokens: 10, completion_tokens: 5, cost_micros: 0 },
        took_ms: None,
        asked: None,
    }
}

fn header() -> Header {
    Header {
        recorded_by: "recall".into(),
        command: "recall remember talk.jsonl".into(),
        model: "rules".into(),
        model_version_hash: "0".into(),
        recorded_at: "2026-03-02T18:00:00Z".into(),
    }
}

fn contents(reply: &Reply) -> Vec<&str> {
    reply.candidates.iter().map(|item| item.as_ref().unwrap().content.as_str()).collect()
}

#[tokio::test]
async fn the_order_of_the_turns_does_not_matter_and_other_turns_are_not_recorded() {
    let tape = Tape::new([entry("s", &["t2", "t1"], vec![claim("a", &["t1"])])]);
    let recorded = Recorded::new(tape, Lookup::Exact);
    let reply = recorded.extract(&ask("s", &["t1", "t2"], &[])).await.unwrap();
    assert_eq!(contents(&reply), ["a"]);
    assert_eq!((reply.extracted_by.provider.as_str(), reply.extracted_by.model.as_str()), ("recorded", "small-model"));
    for other in [ask("s", &["t1"], &[]), ask("r", &["t1", "t2"], &[])] {
        let error = recorded.extract(&other).await.unwrap_err();
        let named = format!("session {}, turns {}", other.session, if other.turns.len() == 1 { "t1" } else { "t1 t2" });
        assert!(error.to_string().contains(&named), "{error}");
        assert_eq!(error.class(), Class::Permanent);
    }
}

#[tokio::test]
async fn one_tape_of_a_session_serves_calls_that_are_cut_differently() {
    let claims =
        vec![claim("one", &["t1"]), claim("two", &["t2"]), claim("both", &["t1", "t2"]), claim("three", &["t3"])];
    let recorded = Recorded::new(Tape::new([entry("s", &["t1", "t2", "t3"], claims)]), Lookup::BySession);
    let table: [(&[&str], &[&str], &[&str]); 4] = [
        (&["t1"], &[], &["one"]),
        (&["t2"], &["t1"], &["two", "both"]),
        (&["t1", "t2", "t3"], &[], &["one", "two", "both", "three"]),
        (&["t9"], &["t1"], &[]),
    ];
    for (turns, context, expected) in table {
        let reply = recorded.extract(&ask("s", turns, context)).await.unwrap();
        assert_eq!(contents(&reply), expected, "{turns:?} after {context:?}");
    }
}

#[tokio::test]
async fn what_was_recorded_twice_is_played_once_as_it_was_recorded_last() {
    let twice = [
        entry("s", &["t1", "t2"], vec![claim("old", &["t1"])]),
        entry("s", &["t3"], vec![claim("three", &["t3"])]),
        entry("s", &["t2", "t1"], vec![claim("new", &["t1"])]),
    ];
    for (lookup, turns, expected) in [
        (Lookup::BySession, vec!["t1", "t2", "t3"], vec!["new", "three"]),
        (Lookup::Exact, vec!["t1", "t2"], vec!["new"]),
    ] {
        let recorded = Recorded::new(Tape::new(twice.clone()), lookup);
        let reply = recorded.extract(&ask("s", &turns, &[])).await.unwrap();
        assert_eq!(contents(&reply), expected, "{lookup:?}");
    }
}

#[tokio::test]
async fn a_line_that_broke_off_spoils_none_that_is_recorded_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tape.jsonl");
    std::fs::write(&path, "{\"session\":\"s\",\"tur").unwrap();
    let ask = ask("s", &["t1"], &[]);
    Recorder::append(Rules, &path, header()).unwrap().extract(&ask).await.unwrap();
    let written = std::fs::read_to_string(&path).unwrap();
    let whole = written.split_once('\n').unwrap().1;
    let recorded = Recorded::new(Tape::from_lines(whole.as_bytes()).unwrap(), Lookup::Exact);
    assert_eq!(contents(&recorded.extract(&ask).await.unwrap()), ["User keeps bees"]);
    assert!(Tape::open(&path).unwrap_err().to_string().contains("line 1 "));
}

#[tokio::test]
async fn scripted_failures_come_first_and_then_the_reply() {
    let recorded = Recorded::new(Tape::new([entry("s", &["t1"], vec![])]), Lookup::Exact).failing_first([
        Failure::Status(429, Some(Duration::from_secs(7))),
        Failure::Status(503, None),
        Failure::Status(401, None),
        Failure::Silence,
        Failure::Unusable,
    ]);
    let ask = ask("s", &["t1"], &[]);
    let mut classes = Vec::new();
    for _ in 0..5 {
        classes.push(recorded.extract(&ask).await.unwrap_err().class());
    }
    let busy = |retry_after| Class::Busy { retry_after };
    let named = busy(Some(Duration::from_secs(7)));
    assert_eq!(classes, [named, Class::Transient, busy(None), Class::Transient, Class::Transient]);
    assert!(recorded.extract(&ask).await.is_ok());
}

#[tokio::test]
async fn what_another_extractor_answered_is_recorded_and_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tape.jsonl");
    let ask = ask("s", &["t1", "t2"], &["t0"]);
    let first = Recorder::append(Rules, &path, header()).unwrap().extract(&ask).await.unwrap();
    assert_eq!(contents(&first), ["User keeps bees", "User keeps bees"]);
    Recorder::append(Odd, &path, header()).unwrap().extract(&super_ask()).await.unwrap();
    let recorded = Recorded::new(Tape::open(&path).unwrap(), Lookup::Exact);
    assert_eq!(recorded.extract(&ask).await.unwrap().candidates, first.candidates);
    let odd = recorded.extract(&super_ask()).await.unwrap();
    assert_eq!(odd.candidates, Odd.extract(&super_ask()).await.unwrap().candidates, "malformed items are kept, too");
}

#[tokio::test]
async fn a_recorded_reply_answers_its_own_question_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tape.jsonl");
    let asked = ask("s", &["t1"], &["t0"]);
    Recorder::append(Rules, &path, header()).unwrap().extract(&asked).await.unwrap();
    Recorder::append(Refusing, &path, header()).unwrap().sample(1).extract(&asked).await.unwrap_err();
    let tape = Tape::open(&path).unwrap();
    assert_eq!((tape.len(), tape.headers().len()), (2, 2));
    let play = |sample, ask: &Ask| {
        let recorded = Recorded::new(tape.clone(), Lookup::Exact).sample(sample);
        let ask = ask.clone();
        async move { recorded.extract(&ask).await }
    };
    assert_eq!(contents(&play(0, &asked).await.unwrap()), ["User keeps bees"]);
    assert!(matches!(play(1, &asked).await, Err(LlmError::Unusable { .. })), "what could not be used is kept, too");
    let other_prompt = Ask { prompt: Library::builtin().extract("v2").unwrap().clone(), ..asked.clone() };
    let other_context = ask("s", &["t1"], &[]);
    let other_words = Ask { custom_instruction: Some("Only food.".into()), ..asked.clone() };
    for (sample, ask) in [(2, &asked), (0, &other_prompt), (0, &other_context), (0, &other_words)] {
        let error = play(sample, ask).await.unwrap_err();
        assert!(matches!(error, LlmError::NotRecorded { .. }), "{error}");
    }
}

/// Never answers anything that can be used.
struct Refusing;

#[async_trait]
impl Extractor for Refusing {
    async fn extract(&self, _: &Ask) -> Result<Reply, LlmError> {
        Err(LlmError::Unusable { why: "no JSON".into() })
    }

    fn provider(&self) -> &'static str {
        "refusing"
    }
}

fn super_ask() -> Ask {
    ask("other", &["t1"], &[])
}

/// Answers one item that cannot be read.
struct Odd;

#[async_trait]
impl Extractor for Odd {
    async fn extract(&self, _: &Ask) -> Result<Reply, LlmError> {
        Ok(Reply {
            candidates: vec![Err(Malformed { index: 0, why: "content is missing".into() })],
            extracted_by: ExtractedBy::new("odd", "odd", ("extract", "v1", "")),
            usage: Usage::default(),
            further_parts: 0,
            notes: Vec::new(),
        })
    }

    fn provider(&self) -> &'static str {
        "odd"
    }
}

#[tokio::test]
async fn a_raw_reply_is_read_when_it_is_played() {
    let lines = concat!(
        r#"{"session":"s","turns":["t1"],"reply":"Sure: {\"candidates\":[{\"content\":\"User rows\",\"subject\":\"user\"}]}","model":"m"}"#,
        "\n\n",
        r#"{"session":"s","turns":["t2"],"reply":"{\"candidates\":[{\"cont","model":"m"}"#,
    );
    let recorded = Recorded::new(Tape::from_lines(lines.as_bytes()).unwrap(), Lookup::Exact);
    assert_eq!(contents(&recorded.extract(&ask("s", &["t1"], &[])).await.unwrap()), ["User rows"]);
    assert!(matches!(recorded.extract(&ask("s", &["t2"], &[])).await, Err(LlmError::Unusable { .. })));
}

#[test]
fn a_line_that_is_no_entry_is_named() {
    let mut lines = serde_json::to_vec(&entry("s", &["t1"], vec![])).unwrap();
    lines.write_all(b"\n{\"session\":\"s\"}\n").unwrap();
    let error = Tape::from_lines(lines.as_slice()).unwrap_err();
    assert_eq!(error.to_string(), "model settings are wrong: line 2 of the tape is no entry");
}

#[test]
fn labelled_facts_become_candidates_with_the_words_of_their_turns() {
    let labelled: Labelled = serde_json::from_value(serde_json::json!({
        "turns": [
            {"id": "1", "speaker": "Ilse", "text": "I sold the mill in 2019, at last."},
            {"id": "2", "speaker": "Bo", "text": "My favourite soup is borscht."}
        ],
        "facts": [
            {"about": "Ilse", "text": "Ilse sold a mill in 2019.", "evidence": ["1"]},
            {"about": "Bo", "text": "Bo's favourite soup is borscht.", "evidence": ["2", "9"]}
        ]
    }))
    .unwrap();
    let Words::Items { candidates } = labelled.entry("ilse-1").words else { panic!("items") };
    let candidates: Vec<Candidate> = candidates.into_iter().map(|item| item.into_result().unwrap()).collect();
    let [sale, soup] = candidates.as_slice() else { panic!("two") };
    assert_eq!((sale.subject.as_str(), sale.memory_type, sale.attribute.as_str()), ("Ilse", MemoryType::Event, "sold"));
    assert_eq!(sale.evidence[0].quote, "I sold the mill in 2019, at last.");
    assert_eq!(sale.time_expression.as_deref(), Some("in 2019"));
    assert_eq!(
        (soup.memory_type, soup.attribute.as_str(), soup.value.as_str()),
        (MemoryType::Preference, "favorite_soup", "borscht")
    );
    assert_eq!(soup.evidence[1].quote, "", "a turn nobody said has no words");
}
