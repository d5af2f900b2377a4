//! Every route of the served OpenAPI file, asked by everybody. A route that is not in the table fails the test.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::table::{Asked, Route, Seed, changing, filled, looking, of_nobody, sending};
use super::{ROOT, keyed, made, memory_with, remembered, says, user};
use crate::world::{Backends, World};

async fn seed(world: &World) -> (Seed, Vec<(&'static str, String)>) {
    let mut keys = Vec::new();
    for role in ["service", "support", "detector", "agent", "admin"] {
        keys.push((role, made(world, "shop", role).await));
    }
    let issuer = made(world, "shop", "issuer").await;
    let key = keys[0].1.0.clone();
    let mut bearers: Vec<(&str, String)> = keys.into_iter().map(|(role, (_, secret))| (role, secret)).collect();
    bearers.push(("user", user(&issuer, "shop", "ana")));
    let (service, support) = (bearers[0].1.clone(), bearers[1].1.clone());
    let trace = remembered(world, &service, &says("ana", "t1", "I live in Bergen.")).await;
    remembered(world, &service, &says("ana", "t2", "I work as a baker.")).await;
    remembered(world, &service, &says("ana", "t3", "I like rowing.")).await;
    let bergen = memory_with(world, &support, "Bergen").await;
    let id = |memory: &Value| memory["id"].as_str().unwrap().to_owned();
    let spare =
        vec![id(&memory_with(world, &support, "baker").await), id(&memory_with(world, &support, "rowing").await)];
    let shotgun = json!({ "scope": { "user_id": "ana" }, "text": "User owns a shotgun", "reason": "a test" });
    let (status, kept) = world.ask_as(Some(&support), ("POST", "/v1/suppressions"), &shotgun).await;
    assert_eq!(status, 200, "{kept}");
    let seed = Seed {
        memory: id(&bergen),
        spare,
        trace,
        entity: bergen["subject"]["id"].as_str().unwrap().to_owned(),
        suppression: kept["suppression_id"].as_str().unwrap().to_owned(),
        key,
    };
    (seed, bearers)
}

fn is_reading(route: &Route) -> bool {
    route.method == "GET"
}

/// Whoever may, may; whoever may not is told so: 403. What would change something is sent without what it needs: whoever may hears of
/// that (422), and nothing is changed.
async fn each_role(world: &World, seed: &mut Seed, route: &Route, bearers: &[(&'static str, String)]) {
    for (role, bearer) in bearers {
        let mut path = filled(route.path, seed);
        if route.method == "DELETE"
            && route.path.contains("memory_id")
            && route.may.contains(role)
            && *role != "support"
        {
            path = format!("/v1/memories/{}", seed.spare.pop().unwrap());
        }
        if matches!(&route.asked, Asked::Of("")) {
            path.push_str("?user_id=ana");
        }
        if route.method == "DELETE" && !route.may.contains(role) {
            path.push_str("?reason=test");
        }
        let (status, answer) = world.ask_as(Some(bearer), (route.method, &path), &json!({})).await;
        let expected: &[u16] = match (route.may.contains(role), route.method, route.path) {
            (false, _, _) => &[403],
            (true, _, "/v1/dead/{id}" | "/v1/runs/{run_id}") => &[404],
            (true, "GET", _) => &[200],
            // Support has to say why.
            (true, "DELETE", "/v1/memories/{memory_id}") if *role == "support" => &[422],
            (true, "DELETE", "/v1/memories/{memory_id}") => &[200],
            (true, _, _) => &[422],
        };
        assert!(expected.contains(&status), "{role} {} {}: {status} {answer}", route.method, route.path);
    }
}

/// Another person of the tenant, and the admin of another tenant.
async fn others(world: &World, seed: &Seed, route: &Route, (bob, stall): (&str, &str)) {
    let path = filled(route.path, seed);
    let what = format!("{} {}", route.method, route.path);
    match &route.asked {
        Asked::Open | Asked::Whole => {}
        Asked::Of(owner) => {
            let (status, found) = world.ask_as(Some(stall), (route.method, &owned(&path, owner)), &Value::Null).await;
            assert_eq!(status, 200, "{what}: {found}");
            let text = found.to_string();
            let told = [&seed.memory, &seed.trace, &seed.entity, &seed.suppression, &seed.key];
            assert!(!told.iter().any(|id| text.contains(id.as_str())) && !text.contains("Bergen"), "{what}: {found}");
            let theirs = owned(&path, owner) + if owner.is_empty() { "&namespace=shop" } else { "?namespace=shop" };
            assert_eq!(world.ask_as(Some(stall), (route.method, &theirs), &Value::Null).await.0, 403, "{what}");
            let (status, found) = world.ask_as(Some(bob), (route.method, &owned(&path, owner)), &Value::Null).await;
            assert_eq!(status, 403, "{what}: {found}");
        }
        Asked::Named(body) => {
            let reason = if route.method == "DELETE" { "?reason=test" } else { "" };
            let nobody = of_nobody(seed);
            let (there, nowhere) = (format!("{path}{reason}"), format!("{}{reason}", filled(route.path, &nobody)));
            let (status, told) = world.ask_as(Some(stall), (route.method, &there), body).await;
            assert_eq!(status, 404, "{what}: {told}");
            let (_, of_nobody) = world.ask_as(Some(stall), (route.method, &nowhere), body).await;
            let told = told.to_string().replace(&seed.trace, &nobody.trace);
            assert_eq!(told, of_nobody.to_string(), "{what} tells whether another tenant has it");
            let (status, told) = world.ask_as(Some(bob), (route.method, &there), body).await;
            let expected = if route.may.contains(&"user") { 404 } else { 403 };
            assert_eq!(status, expected, "{what}: {told}");
            if !route.path.contains("key_id") {
                let theirs = format!("{path}?namespace=shop{}", reason.replace('?', "&"));
                assert_eq!(world.ask_as(Some(stall), (route.method, &theirs), body).await.0, 403, "{what}");
            }
        }
        Asked::Sent(body) => {
            let path = if route.path == "/v1/memories/touch" { format!("{path}?namespace=shop") } else { path };
            let (status, told) = world.ask_as(Some(stall), (route.method, &path), body).await;
            assert_eq!(status, 403, "{what}: {told}");
            let (status, told) = world.ask_as(Some(bob), (route.method, &path), body).await;
            assert_eq!(status, 403, "{what}: {told}");
        }
    }
}

fn owned(path: &str, owner: &str) -> String {
    if owner.is_empty() { format!("{path}?user_id=ana") } else { path.to_owned() }
}

/// Without a key, with a wrong one, and with what opens no door: the same answer for all.
async fn strangers(world: &World, seed: &Seed, route: &Route, wrong: &[(&str, String)]) {
    let path = filled(route.path, seed);
    if matches!(route.asked, Asked::Open) {
        assert_eq!(world.ask_as(None, (route.method, &path), &Value::Null).await.0, 200, "{}", route.path);
        return;
    }
    let nobody = world.ask_as(None, (route.method, &path), &json!({})).await;
    assert_eq!(nobody.0, 401, "{} {}: {nobody:?}", route.method, route.path);
    for (what, bearer) in wrong {
        let answer = world.ask_as(Some(bearer), (route.method, &path), &json!({})).await;
        assert_eq!(answer, nobody, "{} {} with {what}", route.method, route.path);
    }
}

fn served(document: &Value) -> BTreeSet<(String, String)> {
    let mut served = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            served.insert((method.to_uppercase(), path.clone()));
        }
    }
    served
}

#[tokio::test]
async fn every_route_lets_in_whom_the_matrix_lets_in_and_tells_nothing_to_the_rest() {
    let world = keyed(Backends::Services).await;
    let (mut seed, bearers) = seed(&world).await;
    let mut routes = looking();
    routes.extend(changing(&seed));
    routes.extend(sending(&seed));
    let (_, document) = world.get("/openapi.json").await;
    let known: BTreeSet<(String, String)> =
        routes.iter().map(|route| (route.method.to_owned(), route.path.to_owned())).collect();
    assert_eq!(served(&document), known, "left: served, right: in the table of this test");
    assert_eq!(known.len(), routes.len(), "a route stands twice");
    let (_, stall) = made(&world, "stall", "admin").await;
    let issuer = made(&world, "shop", "issuer").await;
    let bob = user(&issuer, "shop", "bob");
    let mut flipped = bearers[0].1.clone();
    let last = if flipped.ends_with('0') { '1' } else { '0' };
    flipped.pop();
    flipped.push(last);
    let wrong = [
        ("a wrong secret", flipped),
        ("a key that never was", format!("rcl_00000000000000000000000001_{}", "0".repeat(64))),
        ("the secret of an issuer", issuer.1.clone()),
        ("a token for another tenant", user(&issuer, "stall", "ana")),
        ("a token of no issuer", user(&("key_00000000000000000000000001".into(), issuer.1.clone()), "shop", "ana")),
        ("nonsense", "nonsense".to_owned()),
    ];
    // What reads before what changes.
    routes.sort_by_key(|route| !is_reading(route));
    for route in &routes {
        strangers(&world, &seed, route, &wrong).await;
        if matches!(route.asked, Asked::Open) {
            continue;
        }
        others(&world, &seed, route, (&bob, &stall)).await;
        each_role(&world, &mut seed, route, &bearers).await;
        if matches!(route.asked, Asked::Whole) {
            assert_eq!(world.ask_as(Some(ROOT), (route.method, route.path), &Value::Null).await.0, 200);
        }
    }
    // After all of this ana's memory stands as it was.
    let (status, memory) =
        world.ask_as(Some(ROOT), ("GET", &format!("/v1/memories/{}?namespace=shop", seed.memory)), &Value::Null).await;
    assert_eq!((status, &memory["status"], &memory["deleted_at"]), (200, &json!("active"), &Value::Null), "{memory}");
}
