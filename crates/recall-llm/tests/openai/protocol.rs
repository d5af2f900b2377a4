//! What is sent, and how replies are read.

use std::sync::Arc;

use recall_core::prompt::AskTurn;
use recall_core::turn::Role;
use recall_llm::cost::Price;
use recall_llm::openai::{Settings, Style};
use recall_llm::{Extractor, LlmError};

use crate::server::{Act, Server, body, candidates, fails, finishes, says};
use crate::{ask, door, settings, small_talk, turn};

#[tokio::test]
async fn a_reply_comes_back_with_its_origin_its_usage_and_its_cost() {
    let server = Server::with(vec![says(&candidates(&["t1"]))]).await;
    let prices = vec![Price { model: "small-model".into(), prompt_micros: 1_000_000, completion_micros: 2_000_000 }];
    let reply = door(Settings { prices, ..settings(&server.url) }).extract(&small_talk()).await.unwrap();
    let candidate = reply.candidates[0].as_ref().unwrap();
    assert_eq!((candidate.content.as_str(), candidate.evidence[0].turn_id.as_str()), ("User skis", "t1"));
    assert_eq!((reply.usage.model_calls, reply.usage.prompt_tokens, reply.usage.completion_tokens), (1, 400, 100));
    assert_eq!(reply.usage.cost_micros, 600);
    assert_eq!(
        (reply.extracted_by.provider.as_str(), reply.extracted_by.model.as_str()),
        ("openai", "small-model-0301")
    );
    assert_eq!(reply.extracted_by.prompt_sha256, small_talk().prompt.sha256);
    assert!(reply.notes.is_empty());
}

#[tokio::test]
async fn the_request_is_strict_deterministic_and_has_its_constant_part_first() {
    let server = Server::with(vec![says(&candidates(&[]))]).await;
    let door = door(settings(&server.url));
    door.extract(&small_talk()).await.unwrap();
    door.extract(&ask(vec![turn("t2", "I row")])).await.unwrap();
    let asked = server.asked();
    let first = &asked[0];
    assert_eq!(first.line, "POST /v1/chat/completions HTTP/1.1");
    assert_eq!(first.header("authorization"), Some("Bearer sk-test-key"));
    assert_eq!(first.body["response_format"]["type"], "json_schema");
    assert_eq!(first.body["response_format"]["json_schema"]["strict"], true);
    assert_eq!((&first.body["temperature"], &first.body["max_tokens"]), (&0.0.into(), &2000.into()));
    assert_eq!(first.body["messages"][0]["content"], asked[1].body["messages"][0]["content"]);
    assert!(first.words("user").contains("[t1] user: I ski a lot these days"));
}

#[tokio::test]
async fn a_call_of_one_pair_stays_below_900_tokens_schema_and_examples_included() {
    let server = Server::with(vec![says(&candidates(&[]))]).await;
    let at = Some("2026-03-02T18:30:00+01:00".parse().unwrap());
    let user = turn(
        "sess-0042-p07-u",
        "I started a new job at the observatory in Granada last week and I am still tired from the move.",
    );
    let assistant = turn(
        "sess-0042-p07-a",
        "Congratulations on the new job! Would you like a list of things to do in your first weeks in Granada?",
    );
    let mut ask = ask(vec![AskTurn { at, ..user }]);
    ask.context = vec![AskTurn { at, role: Role::Assistant, ..assistant }];
    door(settings(&server.url)).extract(&ask).await.unwrap();
    let asked = &server.asked()[0];
    let format = asked.body["response_format"].to_string();
    let texts = [asked.words("system"), asked.words("user"), format];
    let counted: usize = texts.iter().map(|text| bpe_openai::o200k_base().count(text.as_str())).sum();
    let by_characters: usize = texts.iter().map(|text| text.chars().count().div_ceil(4)).sum();
    assert!(counted <= 900 && by_characters <= 900, "{counted} tokens, {by_characters} by characters");
}

#[tokio::test]
async fn azure_is_asked_by_deployment_version_and_its_own_header() {
    let server = Server::with(vec![says(&candidates(&["t1"]))]).await;
    let style = Style::Azure { api_version: "2024-10-21".into() };
    let url = server.url.trim_end_matches("/v1").to_owned();
    door(Settings { style, ..settings(&url) }).extract(&small_talk()).await.unwrap();
    let asked = &server.asked()[0];
    let path = "POST /openai/deployments/small-model/chat/completions?api-version=2024-10-21 HTTP/1.1";
    assert_eq!(asked.line, path);
    assert_eq!((asked.header("api-key"), asked.header("authorization")), (Some("sk-test-key"), None));
}

#[tokio::test]
async fn a_server_without_a_key_is_sent_none() {
    let server = Server::with(vec![says(&candidates(&["t1"]))]).await;
    let settings = Settings { key: String::new().into(), ..settings(&server.url) };
    door(settings).extract(&small_talk()).await.unwrap();
    assert_eq!(server.asked()[0].header("authorization"), None);
}

#[tokio::test]
async fn a_server_that_knows_no_schema_is_asked_more_simply_and_remembered() {
    let server = Server::by(Arc::new(|_, asked| match asked.body["response_format"]["type"].as_str() {
        Some("json_schema") => fails(400, r#"{"error":{"code":400,"message":"json_schema is not supported"}}"#),
        Some(_) => fails(422, "response_format: unknown"),
        None => says(&format!("Here you are:\n```json\n{}\n```", candidates(&["t1"]))),
    }))
    .await;
    let door = door(settings(&server.url));
    let reply = door.extract(&small_talk()).await.unwrap();
    assert_eq!((reply.candidates.len(), reply.usage.model_calls), (1, 3));
    let reply = door.extract(&small_talk()).await.unwrap();
    assert_eq!((reply.candidates.len(), reply.usage.model_calls), (1, 1), "the simpler manner is remembered");
}

#[tokio::test]
async fn newer_names_of_settings_are_learnt_from_refusals() {
    let server = Server::by(Arc::new(|_, asked| {
        let refuse = |param: &str| fails(400, &format!(r#"{{"error":{{"param":"{param}","message":"unsupported"}}}}"#));
        match (asked.body.get("max_tokens"), asked.body.get("temperature")) {
            (Some(_), _) => refuse("max_tokens"),
            (None, Some(_)) => refuse("temperature"),
            (None, None) => says(&candidates(&["t1"])),
        }
    }))
    .await;
    door(settings(&server.url)).extract(&small_talk()).await.unwrap();
    let last = server.asked().pop().unwrap();
    assert_eq!(last.body["max_completion_tokens"], 2000);
    assert_eq!(last.body["response_format"]["type"], "json_schema", "what was understood is kept");
}

#[tokio::test]
async fn a_refusal_with_another_cause_makes_nothing_simpler_for_later_calls() {
    let echo = r#"{"error":{"message":"cannot read: what temperature does the schema of max_tokens have"}}"#;
    let server = Server::by(Arc::new(move |_, asked| match asked.words("user").contains("[t1]") {
        true => fails(400, echo),
        false => says(&candidates(&["t2"])),
    }))
    .await;
    let door = door(settings(&server.url));
    assert!(matches!(door.extract(&small_talk()).await, Err(LlmError::Refused { status: 400 })));
    door.extract(&ask(vec![turn("t2", "I row")])).await.unwrap();
    let last = server.asked().pop().unwrap();
    assert_eq!((last.body["max_tokens"].as_u64(), last.body["temperature"].as_f64()), (Some(2000), Some(0.0)));
    assert_eq!(last.body["response_format"]["type"], "json_schema");
}

#[tokio::test]
async fn nothing_to_read_is_nothing_to_ask() {
    let server = Server::with(vec![says(&candidates(&[]))]).await;
    let reply = door(settings(&server.url)).extract(&ask(vec![])).await.unwrap();
    assert_eq!((reply.candidates.len(), reply.usage.model_calls, server.asked().len()), (0, 0, 0));
}

#[tokio::test]
async fn prose_around_the_json_is_no_reason_to_ask_again() {
    let words = format!("Sure! I found one thing {{worth}} keeping.\n\n{}\n\nAnything else?", candidates(&["t1"]));
    let server = Server::with(vec![says(&words)]).await;
    let reply = door(settings(&server.url)).extract(&small_talk()).await.unwrap();
    assert_eq!((reply.candidates.len(), reply.usage.model_calls), (1, 1));
}

#[tokio::test]
async fn an_unusable_reply_is_repaired_once_and_it_is_noted() {
    let server = Server::with(vec![says("I think the user skis."), says(&candidates(&["t1"]))]).await;
    let reply = door(settings(&server.url)).extract(&small_talk()).await.unwrap();
    assert_eq!((reply.candidates.len(), reply.usage.model_calls, reply.usage.prompt_tokens), (1, 2, 800));
    assert_eq!(reply.notes, ["reply holds no JSON; the model was asked to repair it"]);
    let second = &server.asked()[1];
    assert_eq!(second.words("assistant"), "I think the user skis.");
    assert!(second.words("user").contains("That cannot be read: reply holds no JSON."));
}

#[tokio::test]
async fn a_repair_that_fails_too_is_an_error_and_not_an_empty_success() {
    let server = Server::with(vec![says("no"), says("no, really")]).await;
    let error = door(settings(&server.url)).extract(&small_talk()).await.unwrap_err();
    assert!(matches!(error, LlmError::Unusable { .. }), "{error}");
    assert_eq!(server.asked().len(), 2);
}

#[tokio::test]
async fn a_wrong_schema_is_repaired_and_a_wrong_item_is_kept_as_malformed() {
    let mixed = r#"{"candidates":[{"subject":"user"},{"content":"User skis","subject":"user","evidence":["t1"],"quote":"I ski"}]}"#;
    let server = Server::with(vec![says(r#"{"answer":[1,2]}"#), says(mixed)]).await;
    let reply = door(settings(&server.url)).extract(&small_talk()).await.unwrap();
    assert_eq!(reply.candidates[0].as_ref().unwrap_err().why, "content is missing");
    assert!(reply.candidates[1].is_ok());
}

#[tokio::test]
async fn a_reply_that_hit_the_limit_is_asked_again_in_halves() {
    let long = "My neighbour keeps bees behind the old mill and sells the honey on Sundays. ".repeat(20);
    let turns = vec![turn("t1", &long), turn("t2", &long)];
    let cut = candidates(&["t1", "t2"]);
    let cut = cut.get(..cut.len() - 30).unwrap().to_owned();
    let server = Server::by(Arc::new(move |number, asked| match number {
        0 => finishes(&cut, "length"),
        _ if asked.words("user").split("<turns>").nth(1).unwrap().contains("[t1]") => says(&candidates(&["t1"])),
        _ => says(&candidates(&["t2"])),
    }))
    .await;
    let reply = door(settings(&server.url)).extract(&ask(turns)).await.unwrap();
    let cited: Vec<&str> = reply.candidates.iter().map(|c| c.as_ref().unwrap().evidence[0].turn_id.as_str()).collect();
    assert_eq!(cited.first(), Some(&"t1"));
    assert_eq!(cited.last(), Some(&"t2"));
    assert!(reply.notes.iter().any(|note| note.starts_with("input was split into")), "{:?}", reply.notes);
    // A judge is told what the call spent of its budget, which grew by the further parts.
    assert_eq!((reply.usage.model_calls, reply.further_parts), (5, 3));
}

#[tokio::test]
async fn a_cut_reply_that_cannot_be_halved_is_repaired() {
    let server =
        Server::with(vec![finishes(r#"{"candidates":[{"content":"Us"#, "length"), says(&candidates(&["t1"]))]).await;
    let reply = door(settings(&server.url)).extract(&small_talk()).await.unwrap();
    assert_eq!((reply.candidates.len(), reply.usage.model_calls), (1, 2));
}

#[tokio::test]
async fn a_prompt_over_the_window_is_split_so_that_every_turn_is_asked() {
    let words = |n: usize| format!("On day {n} I planted {n} more trees along the lane behind our house. ").repeat(12);
    let turns: Vec<AskTurn> = (1..=12).map(|n| turn(&format!("t{n}"), &words(n))).collect();
    let server = Server::by(Arc::new(|_, asked| {
        let tokens = bpe_openai::o200k_base().count(asked.body.to_string().as_str());
        if tokens > 2_600 {
            let error = r#"{"error":{"code":400,"type":"exceed_context_size_error","message":"request exceeds the context size","n_ctx":4600}}"#;
            return fails(400, error);
        }
        let user = asked.words("user");
        let own = user.split("<turns>").nth(1).unwrap();
        let ids: Vec<&str> = own.lines().filter_map(|line| line.strip_prefix('[')?.split(']').next()).collect();
        says(&candidates(&ids))
    }))
    .await;
    let reply = door(settings(&server.url)).extract(&ask(turns)).await.unwrap();
    let mut cited: Vec<String> =
        reply.candidates.iter().map(|c| c.as_ref().unwrap().evidence[0].turn_id.to_string()).collect();
    cited.dedup();
    let all: Vec<String> = (1..=12).map(|n| format!("t{n}")).collect();
    assert_eq!(cited, all, "in the order of the conversation, none missing");
}

#[tokio::test]
async fn one_endless_turn_is_read_piece_by_piece_and_beyond_every_limit_the_call_is_refused() {
    let words: String = (0..900).map(|n| format!("In year {n} the harbour froze and I walked across. ")).collect();
    let server = Server::with(vec![says(&candidates(&["t1"]))]).await;
    let reply = door(settings(&server.url)).extract(&ask(vec![turn("t1", &words)])).await.unwrap();
    assert!(reply.candidates.len() > 1);
    assert!(
        server.asked().iter().all(|asked| bpe_openai::o200k_base().count(asked.body.to_string().as_str()) <= 6_300)
    );
    let few = Settings { max_parts: 2, ..settings(&server.url) };
    let error = door(few).extract(&ask(vec![turn("t1", &words)])).await.unwrap_err();
    assert!(matches!(error, LlmError::TooLong), "{error}");
}

#[tokio::test]
async fn the_budget_of_model_calls_is_never_exceeded() {
    let server = Server::with(vec![says("nothing of use")]).await;
    for most in [1, 2, 3] {
        let before = server.asked().len();
        let settings =
            Settings { max_model_calls: most, models: vec!["a".into(), "b".into()], ..settings(&server.url) };
        let error = door(settings).extract(&small_talk()).await.unwrap_err();
        assert!(matches!(error, LlmError::Unusable { .. }));
        assert!(server.asked().len() - before <= most as usize);
    }
}

#[tokio::test]
async fn odd_but_whole_responses_are_read() {
    let inner = serde_json::to_string(&candidates(&["t1"])).unwrap();
    let bodies = [
        format!(r#"{{"choices":[{{"message":{{"content":{inner}}},"finish_reason":"eos"}}]}}"#),
        format!(
            r#"{{"choices":[{{"message":{{"content":null,"tool_calls":[{{"function":{{"arguments":{inner}}}}}]}}}}]}}"#
        ),
        format!(
            r#"{{"id":null,"created":"x","choices":[{{"message":{{"content":{inner}}}}}],"usage":{{"prompt_tokens":1.0}}}}"#
        ),
        body(&format!("<think>hm {{</think>{}", candidates(&["t1"])), "stop"),
    ];
    for body in bodies {
        let server = Server::with(vec![Act::Answer(200, vec![], body.clone())]).await;
        let reply = door(settings(&server.url)).extract(&small_talk()).await;
        assert_eq!(reply.unwrap().candidates.len(), 1, "{body}");
    }
}

#[tokio::test]
async fn settings_that_cannot_work_are_named_before_anything_is_sent() {
    let budget = || Arc::new(recall_llm::budget::Budget::new(recall_llm::budget::Rates::default()));
    let good = settings("http://localhost:1/v1");
    let wrong = [
        Settings { base_url: "localhost:1".into(), ..good.clone() },
        Settings { base_url: "ftp://localhost".into(), ..good.clone() },
        Settings { base_url: "http://localhost:1/v1?api-version=2".into(), ..good.clone() },
        Settings { models: vec![], ..good.clone() },
        Settings { max_model_calls: 0, ..good.clone() },
        Settings { key: "line\nbreak".to_owned().into(), ..good.clone() },
    ];
    for settings in wrong {
        assert!(matches!(recall_llm::openai::OpenAi::new(settings, budget()), Err(LlmError::Config(_))));
    }
}
