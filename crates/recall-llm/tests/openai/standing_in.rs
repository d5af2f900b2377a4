//! Who is asked where the first model or server cannot: another model, another server, nobody for a while.

use crate::server::{Act, Server, candidates, fails, says};
use crate::{door, settings, small_talk};
use recall_core::class::Class;
use recall_llm::budget::{Budget, Rates};
use recall_llm::openai::{Fallback, OpenAi, Settings, Style};
use recall_llm::{Extractor, LlmError, Outage, Standing};
use std::sync::Arc;
use std::time::Duration;

#[tokio::test]
async fn another_server_stands_in_where_the_first_is_away_or_out_of_quota() {
    for (status, stands_in) in [(500, true), (401, true), (429, true), (400, false)] {
        let first = Server::with(vec![fails(status, "")]).await;
        let second = Server::with(vec![says(&candidates(&["t1"]))]).await;
        let budget = Arc::new(Budget::new(Rates::default()));
        let fallback = Fallback {
            base_url: second.url.clone(),
            key: "sk-other".to_owned().into(),
            style: Style::OpenAi,
            model: "other-model".into(),
        };
        let settings = Settings { models: vec!["small-model".into(), "same-key".into()], ..settings(&first.url) };
        let door = door(settings).or_else_ask(&fallback, &budget).unwrap();
        let outcome = door.extract(&small_talk()).await;
        assert_eq!(outcome.is_ok(), stands_in, "{status}: {outcome:?}");
        if let Ok(reply) = outcome {
            assert_eq!(reply.extracted_by.model, "small-model-0301", "the name the answering server gave");
            assert!(reply.usage.model_calls <= 3 && second.asked().len() == 1, "{status}: {:?}", reply.usage);
            assert_eq!(second.asked()[0].header("authorization"), Some("Bearer sk-other"));
            assert_eq!(second.asked()[0].body["model"], "other-model");
        }
    }
}

#[tokio::test]
async fn what_our_own_limit_holds_back_costs_no_call_and_another_server_stands_in() {
    let first = Server::with(vec![says(&candidates(&["t1"]))]).await;
    let second = Server::with(vec![says(&candidates(&["t1"]))]).await;
    let rates = Rates { requests_per_minute: 11, longest_wait: Duration::ZERO, ..Rates::default() };
    let fallback = Fallback {
        base_url: second.url.clone(),
        key: String::new().into(),
        style: Style::OpenAi,
        model: "other-model".into(),
    };
    let settings = Settings { max_model_calls: 1, ..settings(&first.url) };
    let door = OpenAi::new(settings, Arc::new(Budget::new(rates))).unwrap();
    let door = door.or_else_ask(&fallback, &Arc::new(Budget::new(Rates::default()))).unwrap();
    for _ in 0..3 {
        assert_eq!(door.extract(&small_talk()).await.unwrap().usage.model_calls, 1);
    }
    assert_eq!((first.asked().len(), second.asked().len()), (1, 2));
}

#[tokio::test]
async fn a_server_that_mostly_fails_is_not_asked_until_a_try_shows_that_it_is_well() {
    let server = Server::with(vec![fails(500, "")]).await;
    let door = door(settings(&server.url));
    for _ in 0..4 {
        assert_eq!(door.extract(&small_talk()).await.unwrap_err().class(), Class::Transient);
    }
    let fifth = door.extract(&small_talk()).await.unwrap_err();
    assert!(matches!(fifth, LlmError::Away(away) if away.why == Outage::Failing), "{fifth}");
    assert!(matches!(fifth.class(), Class::Busy { retry_after: Some(_) }), "an outage is no fault of the call");
    assert!(matches!(door.standing(), Standing::Away(_)));
    door.extract(&small_talk()).await.unwrap_err();
    assert_eq!(server.asked().len(), 5, "nothing is sent while it is away");
}

#[tokio::test]
async fn with_a_fallback_that_answers_nothing_is_away() {
    let (first, second) = (Server::with(vec![Act::Close]).await, Server::with(vec![says(&candidates(&["t1"]))]).await);
    let budget = Arc::new(Budget::new(Rates::default()));
    let fallback = Fallback {
        base_url: second.url.clone(),
        key: String::new().into(),
        style: Style::OpenAi,
        model: "other-model".into(),
    };
    let door = door(settings(&first.url)).or_else_ask(&fallback, &budget).unwrap();
    for _ in 0..12 {
        door.extract(&small_talk()).await.unwrap();
    }
    assert_eq!((first.asked().len(), second.asked().len()), (5, 12), "the first is left alone after a while");
    assert_eq!(door.standing(), Standing::Up);
}

#[tokio::test]
async fn a_second_model_stands_in_where_the_first_fails_and_only_there() {
    let table = [(500, true), (404, true), (400, false), (429, false)];
    for (status, stands_in) in table {
        let server = Server::by(Arc::new(move |_, asked| match asked.body["model"].as_str() {
            Some("first") => fails(status, ""),
            _ => says(&candidates(&["t1"])),
        }))
        .await;
        let settings = Settings { models: vec!["first".into(), "second".into()], ..settings(&server.url) };
        let outcome = door(settings).extract(&small_talk()).await;
        assert_eq!(outcome.is_ok(), stands_in, "{status}: {outcome:?}");
        if let Ok(reply) = outcome {
            assert_eq!(reply.notes, ["model first gave no reply; second was asked"]);
            assert_eq!(reply.usage.model_calls, 2);
        }
    }
}
