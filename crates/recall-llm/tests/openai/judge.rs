//! The second opinion: what a judge is shown, and what it used even where it gave none.

use std::collections::BTreeSet;

use recall_core::prompt::{Doubt, Doubts};
use recall_llm::openai::Settings;
use recall_llm::{Judge, LlmError};
use serde_json::json;

use crate::server::{Server, fails, says};
use crate::{door, settings, turn};

/// Claims, each with the turns it rests on.
fn doubts(words: &[&str], claims: &[&[usize]]) -> Doubts {
    let turns = words.iter().zip(1..).map(|(words, number)| turn(&format!("t{number}"), words)).collect();
    let claims = claims.iter().zip(1..).map(|(turns, number)| {
        let turns: BTreeSet<usize> = turns.iter().copied().collect();
        Doubt { key: format!("key {number}"), claim: format!("User does thing {number}"), turns }
    });
    Doubts { turns, claims: claims.collect() }
}

fn verdicts(number: usize) -> String {
    let verdicts = (1..=number).map(|claim| json!({ "claim": claim, "verdict": "supported" }));
    json!({ "verdicts": verdicts.collect::<Vec<_>>() }).to_string()
}

#[tokio::test]
async fn every_turn_is_shown_once_under_a_schema_with_a_name_of_its_own() {
    let server = Server::with(vec![says(&verdicts(2))]).await;
    let doubts = doubts(&["I was up in the hills", "with the telescope"], &[&[0, 1], &[1]]);
    let judged = door(settings(&server.url)).judge(&doubts, 1).await.unwrap();
    assert_eq!((judged.shown, judged.usage.model_calls, judged.usage.prompt_tokens), (2, 1, 400));
    let asked = &server.asked()[0];
    assert_eq!(asked.words("user").matches("with the telescope").count(), 1, "{}", asked.words("user"));
    assert_eq!(asked.body["response_format"]["json_schema"]["name"], "claim_verdicts");
    let keys = &asked.body["response_format"]["json_schema"]["schema"]["properties"];
    assert!(keys.get("verdicts").is_some(), "{keys}");
}

#[tokio::test]
async fn doubts_beyond_the_limit_of_a_request_are_left_out_and_one_that_fits_alone_is_asked() {
    let long = "I walked from the harbour up to the old mill and back again. ".repeat(100);
    let server = Server::with(vec![says(&verdicts(1))]).await;
    let small = Settings { max_input_tokens: 1_000, ..settings(&server.url) };
    let judged = door(small.clone()).judge(&doubts(&[&long, "I row"], &[&[0], &[0, 1], &[1]]), 1).await.unwrap();
    assert_eq!((judged.shown, judged.usage.model_calls), (1, 1));
    let sent = server.asked().remove(0);
    assert!(sent.words("user").contains("Claim 1, from [2]: User does thing 3"), "{}", sent.words("user"));
    assert!(bpe_openai::o200k_base().count(sent.body.to_string().as_str()) <= 1_000);
    let judged = door(small).judge(&doubts(&[&long], &[&[0]]), 1).await.unwrap();
    assert_eq!((judged.shown, judged.usage.model_calls, server.asked().len()), (0, 0, 1), "nothing to ask about");
}

#[tokio::test]
async fn a_judge_that_gives_no_opinion_has_used_what_it_used() {
    let table = [(says("They all look fine to me."), 400), (fails(500, ""), 0), (fails(400, ""), 0)];
    for (act, tokens) in table {
        let shown = format!("{act:?}");
        let server = Server::with(vec![act]).await;
        let unjudged = door(settings(&server.url)).judge(&doubts(&["I row"], &[&[0]]), 1).await.unwrap_err();
        assert_eq!((unjudged.usage.model_calls, unjudged.usage.prompt_tokens), (1, tokens), "{shown}");
    }
}

#[tokio::test]
async fn a_call_that_has_spent_its_requests_has_none_left_for_a_judge() {
    let server = Server::with(vec![says(&verdicts(1))]).await;
    let unjudged = door(settings(&server.url)).judge(&doubts(&["I row"], &[&[0]]), 3).await.unwrap_err();
    assert!(matches!(unjudged.error, LlmError::Unusable { .. }) && unjudged.usage.model_calls == 0, "{unjudged:?}");
    assert_eq!(server.asked().len(), 0);
}
