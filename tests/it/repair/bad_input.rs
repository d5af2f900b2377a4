//! Every bad request is answered with the field that is wrong, and nothing is told of other tenants.

use serde_json::{Value, json};

use super::{call, plain_desk};

/// Method, path, body, status, field that is named.
type Bad = (&'static str, String, Value, u16, &'static str);

/// An id of this very moment that nobody was given.
fn made_up(trace: &str) -> String {
    let mut id: Vec<char> = trace.chars().collect();
    let last = id.pop();
    id.push(if last == Some('0') { '1' } else { '0' });
    id.into_iter().collect()
}

/// Requests about what another tenant holds, or nobody.
fn requests_for_what_is_not_there(memory: &str, trace: &str) -> Vec<Bad> {
    let stranger = "mem_00000000000000000000000001";
    let why = json!({ "reason": "a test" });
    vec![
        ("POST", format!("/v1/memories/{stranger}/forget"), why.clone(), 404, ""),
        ("POST", format!("/v1/memories/{memory}/forget?namespace=other"), why.clone(), 404, ""),
        ("POST", format!("/v1/memories/{memory}/restore?namespace=other"), why.clone(), 404, ""),
        ("DELETE", format!("/v1/memories/{memory}?namespace=other"), json!({}), 404, ""),
        (
            "PATCH",
            format!("/v1/memories/{memory}?namespace=other"),
            json!({ "content": "a b c", "reason": "x" }),
            404,
            "",
        ),
        ("POST", format!("/v1/memories/{memory}/dispute?namespace=other"), why.clone(), 404, ""),
        ("POST", format!("/v1/memories/{memory}/settle?namespace=other"), why.clone(), 404, ""),
        ("POST", format!("/v1/memories/{memory}/feedback?namespace=other"), json!({ "feedback": "wrong" }), 404, ""),
        ("POST", format!("/v1/traces/{trace}/forget?namespace=other"), why.clone(), 404, ""),
        (
            "POST",
            "/v1/traces/forget".into(),
            json!({ "namespace": "other", "trace_ids": [trace], "reason": "x" }),
            404,
            "",
        ),
        ("DELETE", "/v1/suppressions/rsp_00000000000000000000000001?reason=x".into(), json!({}), 404, ""),
        ("POST", format!("/v1/memories/{memory}/settle"), why.clone(), 409, ""),
        ("GET", format!("/v1/memories/{stranger}/history"), json!({}), 404, ""),
        ("GET", format!("/v1/traces/{trace}?namespace=other"), json!({}), 404, ""),
        ("GET", format!("/v1/traces/{}", made_up(trace)), json!({}), 404, ""),
        ("GET", "/v1/nothing".into(), json!({}), 404, ""),
        ("PUT", "/v1/memories".into(), json!({}), 405, ""),
        ("DELETE", "/v1/remember".into(), json!({}), 405, ""),
    ]
}

/// Requests with a field that is wrong.
fn requests_with_a_wrong_field(memory: &str) -> Vec<Bad> {
    let why = json!({ "reason": "a test" });
    let long = "x".repeat(600);
    vec![
        ("POST", "/v1/memories/nonsense/forget".into(), why.clone(), 422, "memory_id"),
        ("POST", format!("/v1/memories/{memory}/forget"), json!({ "reason": "  " }), 422, "reason"),
        ("POST", format!("/v1/memories/{memory}/forget"), json!({ "reason": long }), 422, "reason"),
        ("POST", format!("/v1/memories/{memory}/forget"), json!({ "reason": "a\u{0}b" }), 422, "reason"),
        ("POST", format!("/v1/memories/{memory}/forget"), json!({}), 422, "body"),
        ("POST", format!("/v1/memories/{memory}/forget"), json!({ "reason": "x", "why": "y" }), 422, "body"),
        ("POST", format!("/v1/memories/{memory}/feedback"), json!({ "feedback": "meh" }), 422, "body"),
        ("PATCH", format!("/v1/memories/{memory}"), json!({ "reason": "x" }), 422, "content"),
        ("PATCH", format!("/v1/memories/{memory}"), json!({ "content": " ", "reason": "x" }), 422, "content"),
        ("PATCH", format!("/v1/memories/{memory}"), json!({ "value": "y", "reason": "x" }), 422, "value"),
        ("PATCH", format!("/v1/memories/{memory}"), json!({ "expires_at": "soon", "reason": "x" }), 422, "expires_at"),
        ("POST", format!("/v1/memories/{memory}/dispute"), json!({ "with": "nonsense", "reason": "x" }), 422, "with"),
        ("POST", "/v1/memories/touch".into(), json!({ "memory_ids": [] }), 422, "memory_ids"),
        ("POST", "/v1/traces/forget".into(), json!({ "reason": "everything" }), 422, "trace_ids"),
        ("POST", "/v1/traces/forget".into(), json!({ "since": "yesterday", "reason": "x" }), 422, "since"),
        (
            "POST",
            "/v1/traces/forget".into(),
            json!({ "user_id": "a", "account_id": "b", "reason": "x" }),
            422,
            "account_id",
        ),
        (
            "POST",
            "/v1/suppressions".into(),
            json!({ "scope": {}, "text": "User owns a boat", "reason": "x" }),
            422,
            "scope",
        ),
        (
            "POST",
            "/v1/suppressions".into(),
            json!({ "scope": { "user_id": "kim" }, "text": "", "reason": "x" }),
            422,
            "text",
        ),
        ("GET", "/v1/suppressions".into(), json!({}), 422, "user_id"),
        ("GET", "/v1/memories?user_id=".into(), json!({}), 422, "user_id"),
        ("GET", "/v1/memories?account_id=%07".into(), json!({}), 422, "account_id"),
        ("GET", "/v1/memories/%FF".into(), json!({}), 400, "path"),
        ("POST", "/v1/people/erase".into(), json!({ "user_id": "", "reason": "x" }), 422, "user_id"),
        ("POST", "/v1/people/erase".into(), json!({ "user_id": "kim", "reason": "" }), 422, "reason"),
        ("GET", "/v1/people/export?user_id=".into(), json!({}), 422, "user_id"),
        ("POST", "/v1/traces/forget".into(), json!({ "user_id": "", "reason": "x" }), 422, "user_id"),
        ("GET", "/v1/audit?cursor=zz".into(), json!({}), 422, "cursor"),
        ("GET", "/v1/audit?memory_id=zz".into(), json!({}), 422, "memory_id"),
        ("GET", "/v1/audit?limit=0".into(), json!({}), 422, "limit"),
        ("GET", "/v1/disputes?colour=red".into(), json!({}), 422, "query"),
    ]
}

#[tokio::test]
async fn every_bad_request_is_named_and_changes_nothing() {
    let world = plain_desk().await;
    let trace = world.remember(&call("kim", "s", ("t1", "2026-03-02T18:11:00+01:00", "I collect lighthouses."))).await;
    world.done(&trace).await;
    let memory = world.memories("user_id=kim").await[0]["id"].as_str().unwrap().to_owned();
    let cases = requests_for_what_is_not_there(&memory, &trace).into_iter().chain(requests_with_a_wrong_field(&memory));
    for (method, path, body, expected, field) in cases {
        let (status, answer) = world.send(method, &path, &body).await;
        assert_eq!(status, expected, "{method} {path} {body}: {answer}");
        assert_eq!(answer["status"], expected, "a problem says its status: {answer}");
        if !field.is_empty() {
            assert_eq!(answer["errors"][0]["field"], field, "{method} {path}: {answer}");
        }
    }
    assert_eq!(world.count("SELECT count(*) FROM audit").await, 1, "nothing was changed");
    assert_eq!(world.memories("user_id=kim").await.len(), 1);
}

#[tokio::test]
async fn the_api_file_describes_every_route_of_the_repair_path() {
    let world = plain_desk().await;
    let (status, described) = world.get("/openapi.json").await;
    assert_eq!(status, 200);
    assert!(described["openapi"].as_str().unwrap().starts_with("3.1"));
    let routes = [
        ("/v1/memories/{memory_id}", "patch"),
        ("/v1/memories/{memory_id}", "delete"),
        ("/v1/memories/{memory_id}/forget", "post"),
        ("/v1/memories/{memory_id}/restore", "post"),
        ("/v1/memories/{memory_id}/dispute", "post"),
        ("/v1/memories/{memory_id}/settle", "post"),
        ("/v1/memories/{memory_id}/feedback", "post"),
        ("/v1/memories/{memory_id}/history", "get"),
        ("/v1/memories/touch", "post"),
        ("/v1/traces/{trace_id}/forget", "post"),
        ("/v1/traces/{trace_id}/restore", "post"),
        ("/v1/traces/forget", "post"),
        ("/v1/traces/restore", "post"),
        ("/v1/suppressions", "get"),
        ("/v1/suppressions", "post"),
        ("/v1/suppressions/test", "post"),
        ("/v1/suppressions/{suppression_id}", "delete"),
        ("/v1/audit", "get"),
        ("/v1/disputes", "get"),
    ];
    for (path, method) in routes {
        let route = &described["paths"][path][method];
        assert!(route["responses"]["200"].is_object(), "{method} {path}");
    }
    // Every shape that is named is described.
    let text = described.to_string();
    for name in text.split("#/components/schemas/").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(described["components"]["schemas"][name].is_object(), "{name} is not described");
    }
}
