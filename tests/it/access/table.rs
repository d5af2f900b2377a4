//! Every route, who may ask it, and how it is asked.

use serde_json::{Value, json};

/// How a route is asked, and what others find there.
pub(super) enum Asked {
    /// For everybody, without a key.
    Open,
    /// A list or a page of an owner: `user_id=ana` goes with it. Another tenant finds its own, which is nothing.
    Of(&'static str),
    /// Something named in the path; this body is right. Another tenant, and another person, finds nothing.
    Named(Value),
    /// Something sent; this body is right and names the tenant. Another tenant is refused.
    Sent(Value),
    /// For admins of every tenant only.
    Whole,
}

pub(super) struct Route {
    pub(super) method: &'static str,
    pub(super) path: &'static str,
    /// Roles that may.
    pub(super) may: &'static [&'static str],
    pub(super) asked: Asked,
}

/// What there is of ana in the tenant `shop`.
pub(super) struct Seed {
    pub(super) memory: String,
    /// Two memories that may be deleted.
    pub(super) spare: Vec<String>,
    pub(super) trace: String,
    pub(super) entity: String,
    pub(super) suppression: String,
    pub(super) key: String,
}

pub(super) const READERS: &[&str] = &["user", "support", "admin"];
pub(super) const REPAIR: &[&str] = &["support", "admin"];
pub(super) const LOOK: &[&str] = &["user", "support", "detector", "admin"];
pub(super) const ADMIN: &[&str] = &["admin"];

pub(super) fn route(method: &'static str, path: &'static str, may: &'static [&'static str], asked: Asked) -> Route {
    Route { method, path, may, asked }
}

pub(super) fn looking() -> Vec<Route> {
    use Asked::{Named, Of, Open, Whole};
    vec![
        route("GET", "/healthz", &[], Open),
        route("GET", "/readyz", &[], Open),
        route("GET", "/metrics", &[], Open),
        route("GET", "/v1/fleet", &[], Whole),
        route("GET", "/v1/memories", &["user", "support", "detector", "agent", "admin"], Of("")),
        route(
            "GET",
            "/v1/memories/{memory_id}",
            &["user", "support", "detector", "agent", "admin"],
            Named(Value::Null),
        ),
        route("GET", "/v1/memories/{memory_id}/history", READERS, Named(Value::Null)),
        route("GET", "/v1/traces", READERS, Of("")),
        route("GET", "/v1/traces/{trace_id}", &["service", "user", "support", "admin"], Named(Value::Null)),
        route("GET", "/v1/audit", READERS, Of("")),
        route("GET", "/v1/disputes", LOOK, Of("")),
        route("GET", "/v1/suppressions", LOOK, Of("")),
        route("GET", "/v1/entities", LOOK, Of("")),
        route("GET", "/v1/entities/duplicates", LOOK, Of("")),
        route("GET", "/v1/people/export", READERS, Of("")),
        route("GET", "/v1/keys", ADMIN, Of("no owner")),
        route("GET", "/v1/dead", ADMIN, Of("no owner")),
        route("GET", "/v1/dead/{id}", ADMIN, Named(Value::Null)),
        route("GET", "/v1/runs", ADMIN, Of("no owner")),
        route("GET", "/v1/runs/{run_id}", ADMIN, Named(Value::Null)),
    ]
}

pub(super) fn changing(seed: &Seed) -> Vec<Route> {
    use Asked::Named;
    let why = || json!({ "reason": "a test" });
    vec![
        route("POST", "/v1/memories/{memory_id}/forget", REPAIR, Named(why())),
        route("POST", "/v1/memories/{memory_id}/restore", REPAIR, Named(why())),
        route("POST", "/v1/memories/{memory_id}/dispute", LOOK, Named(why())),
        route("POST", "/v1/memories/{memory_id}/settle", READERS, Named(why())),
        route("POST", "/v1/memories/{memory_id}/feedback", READERS, Named(json!({ "feedback": "useful" }))),
        route(
            "PATCH",
            "/v1/memories/{memory_id}",
            &["user", "support", "agent", "admin"],
            Named(json!({ "content": "User lives in Oslo", "reason": "a test" })),
        ),
        route("DELETE", "/v1/memories/{memory_id}", READERS, Named(Value::Null)),
        route("DELETE", "/v1/suppressions/{suppression_id}", READERS, Named(Value::Null)),
        route("POST", "/v1/traces/{trace_id}/forget", REPAIR, Named(why())),
        route("POST", "/v1/traces/{trace_id}/restore", REPAIR, Named(why())),
        route("POST", "/v1/runs/{run_id}/swap", ADMIN, Named(why())),
        route("POST", "/v1/runs/{run_id}/rollback", ADMIN, Named(why())),
        route("PATCH", "/v1/entities/{entity_id}", REPAIR, Named(json!({ "name": "Anna", "reason": "a test" }))),
        route(
            "POST",
            "/v1/entities/{entity_id}/merge",
            REPAIR,
            Named(json!({ "into": seed.entity, "reason": "a test" })),
        ),
        route("POST", "/v1/entities/{entity_id}/unmerge", REPAIR, Named(why())),
        route("POST", "/v1/runs/{run_id}/pause", ADMIN, Named(why())),
        route("POST", "/v1/runs/{run_id}/resume", ADMIN, Named(why())),
        route("POST", "/v1/runs/{run_id}/cancel", ADMIN, Named(why())),
        route("POST", "/v1/keys/{key_id}/rotate", ADMIN, Named(json!({ "grace_seconds": 0, "reason": "a test" }))),
        route("POST", "/v1/keys/{key_id}/revoke", ADMIN, Named(why())),
    ]
}

pub(super) fn sending(seed: &Seed) -> Vec<Route> {
    use Asked::Sent;
    let ana = json!({ "namespace": "shop", "user_id": "ana" });
    let traces = json!({ "namespace": "shop", "trace_ids": [seed.trace], "reason": "a test" });
    vec![
        route("POST", "/v1/remember", &["service", "admin"], Sent(json!({ "scope": ana, "messages": "I like tea." }))),
        route("POST", "/v1/memories/touch", REPAIR, Sent(json!({ "memory_ids": [seed.memory] }))),
        route("POST", "/v1/traces/forget", REPAIR, Sent(traces.clone())),
        route("POST", "/v1/traces/restore", REPAIR, Sent(traces.clone())),
        route(
            "POST",
            "/v1/suppressions",
            REPAIR,
            Sent(json!({ "scope": ana, "text": "User owns a boat", "reason": "a test" })),
        ),
        route("POST", "/v1/suppressions/test", LOOK, Sent(json!({ "scope": ana, "text": "User owns a boat" }))),
        route(
            "POST",
            "/v1/people/erase",
            &["user", "admin"],
            Sent(json!({ "namespace": "shop", "user_id": "ana", "reason": "a test" })),
        ),
        route(
            "POST",
            "/v1/keys",
            ADMIN,
            Sent(json!({ "namespace": "shop", "role": "admin", "label": "mine", "reason": "a test" })),
        ),
        route("POST", "/v1/dead/requeue", ADMIN, Sent(json!({ "namespace": "shop", "ids": ["trc_1"] }))),
        route(
            "POST",
            "/v1/dead/drop",
            ADMIN,
            Sent(json!({ "namespace": "shop", "ids": ["trc_1"], "reason": "a test" })),
        ),
    ]
}

/// A path with its parts filled in.
pub(super) fn filled(path: &str, seed: &Seed) -> String {
    path.replace("{memory_id}", &seed.memory)
        .replace("{trace_id}", &seed.trace)
        .replace("{entity_id}", &seed.entity)
        .replace("{suppression_id}", &seed.suppression)
        .replace("{key_id}", &seed.key)
        .replace("{run_id}", &seed.trace.replace("trc_", "run_"))
        .replace("{id}", &seed.trace)
        .replace("{run_id}", "run_00000000000000000000000001")
}

/// The same with ids that nobody has, as young as these.
pub(super) fn of_nobody(seed: &Seed) -> Seed {
    let other = |id: &String| {
        let (before, last) = id.split_at(id.len() - 1);
        format!("{before}{}", if last == "0" { "1" } else { "0" })
    };
    Seed {
        memory: other(&seed.memory),
        spare: Vec::new(),
        trace: other(&seed.trace),
        entity: other(&seed.entity),
        suppression: other(&seed.suppression),
        key: other(&seed.key),
    }
}
