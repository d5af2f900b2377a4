//! The session before a call: its last turns, what was seen, and who else holds its ids.

use recall_core::settings::{SessionIds, Settings, TurnIds};
use recall_core::turn::TurnId;
use recall_core::window::Earlier;

use super::ground::Ground;
use super::on_both;
use super::said::{call, claim, ring_turn, run};
use crate::{Store, StoreError};

on_both! {
    the_window_of_a_new_session_is_empty_and_makes_no_rows,
    the_window_holds_what_the_last_call_left,
    a_known_turn_is_seen_and_a_changed_one_rewritten,
    turns_of_other_scopes_and_sessions_are_not_compared,
    a_hash_of_an_older_key_is_still_compared,
    a_window_ends_after_its_time_but_the_version_stays,
    ids_are_bound_only_where_the_namespace_says_so,
    an_id_bound_meanwhile_makes_the_run_stale,
    a_committed_call_is_done,
}

async fn the_window_of_a_new_session_is_empty_and_makes_no_rows(ground: &Ground) {
    let call = call("u1", "s1", 1, &["I keep two goats."]);
    let window = ground.store.window(&call).await.unwrap();
    assert_eq!(window, recall_core::window::Window::default());
    assert_eq!(ground.count("scopes").await + ground.count("sessions").await, 0);
}

async fn the_window_holds_what_the_last_call_left(ground: &Ground) {
    let settings =
        Settings { custom_instruction: Some("keep „pets“".into()), window_turns: 2, ..Settings::default() };
    ground.store.put_settings("shop", &Settings::default()).await.unwrap();
    ground.store.put_settings("shop", &settings).await.unwrap();
    let first = call("u1", "s1", 1, &["I keep two goats.", "And a hen."]);
    ground.store.commit(&run(&first, 0, 0, &[])).await.unwrap();
    let window = ground.store.window(&call("u1", "s1", 3, &["They are loud."])).await.unwrap();
    assert_eq!(window.version, 1);
    assert_eq!(window.turns, first.turns);
    assert_eq!(window.ring, first.turns.iter().map(ring_turn).collect::<Vec<_>>());
    assert_eq!(window.settings, settings);
    let own = Settings { prompt_version: "own".into(), ..settings };
    ground.store.put_settings("stall", &own).await.unwrap();
    let chosen = ground.store.prompt_versions().await.unwrap();
    let chosen: Vec<(&str, &str)> = chosen.iter().map(|(of, version)| (of.as_str(), version.as_str())).collect();
    assert_eq!(chosen, [("shop", "v1"), ("stall", "own")]);
    assert!(window.earlier == Earlier::Nothing && !window.waiting && window.seen.is_empty());
}

async fn a_known_turn_is_seen_and_a_changed_one_rewritten(ground: &Ground) {
    let first = call("u1", "s1", 1, &["I keep two goats.", "And a hen."]);
    ground.store.commit(&run(&first, 0, 0, &[])).await.unwrap();
    let mut again = call("u1", "s1", 1, &["I keep two goats.", "And a horse.", "New."]);
    again.turns[0].at = None;
    let window = ground.store.window(&again).await.unwrap();
    assert_eq!((window.seen, window.rewritten), (vec![TurnId("1".into())], vec![TurnId("2".into())]));
    // A turn that is known stays as it was first said.
    ground.store.commit(&run(&again, 1, 1, &[])).await.unwrap();
    assert_eq!(ground.count("turns").await, 3);
    let window = ground.store.window(&first).await.unwrap();
    assert_eq!((window.seen.len(), window.rewritten.len()), (2, 0));
}

async fn turns_of_other_scopes_and_sessions_are_not_compared(ground: &Ground) {
    ground.store.commit(&run(&call("u1", "s1", 1, &["I keep two goats."]), 0, 0, &[])).await.unwrap();
    for other in [call("u2", "s1", 1, &["I keep two goats."]), call("u1", "s2", 1, &["I keep two goats."])] {
        let window = ground.store.window(&other).await.unwrap();
        assert_eq!((window.seen.len(), window.rewritten.len(), window.version), (0, 0, 0));
    }
    ground.store.commit(&run(&call("u2", "s1", 1, &["I keep two goats."]), 0, 0, &[])).await.unwrap();
    let hashes = ground.number("SELECT count(DISTINCT content_hash) FROM turns").await;
    assert_eq!(hashes, 2, "the same words of two people have two hashes");
}

async fn a_hash_of_an_older_key_is_still_compared(ground: &Ground) {
    let first = call("u1", "s1", 1, &["I keep two goats.", "And a hen.", "They are loud."]);
    ground.store.commit(&run(&first, 0, 0, &[])).await.unwrap();
    let old = ground.store.keys.get("k0").unwrap();
    let hash = crate::hashes::of_turn(old, &first.scope, &first.turns[0]);
    ground
        .raw(&format!("UPDATE turns SET hash_key = 'k0', content_hash = '{hash}' WHERE turn_id = '1'"))
        .await
        .unwrap();
    ground.raw("UPDATE turns SET hash_key = 'k0' WHERE turn_id = '2'").await.unwrap();
    ground.raw("UPDATE turns SET hash_key = 'lost' WHERE turn_id = '3'").await.unwrap();
    let window = ground.store.window(&first).await.unwrap();
    assert_eq!(window.rewritten, [TurnId("2".into())]);
    assert_eq!(window.seen.len(), 2, "where the key is lost, the id decides");
}

async fn a_window_ends_after_its_time_but_the_version_stays(ground: &Ground) {
    ground.store.commit(&run(&call("u1", "s1", 1, &["I keep two goats."]), 0, 0, &[])).await.unwrap();
    ground.raw("UPDATE sessions SET window_expires = 1").await.unwrap();
    let next = call("u1", "s1", 2, &["And a hen."]);
    let window = ground.store.window(&next).await.unwrap();
    assert_eq!((window.version, window.turns.len(), window.ring.len()), (1, 0, 0));
    assert_eq!(ground.store.sweep().await.unwrap().windows, 1);
    assert_eq!(ground.store.sweep().await.unwrap().windows, 0);
    assert_eq!(ground.store.window(&next).await.unwrap().version, 1);
}

async fn ids_are_bound_only_where_the_namespace_says_so(ground: &Ground) {
    ground.store.commit(&run(&call("u1", "s1", 1, &["I keep two goats."]), 0, 0, &[])).await.unwrap();
    let unique = Settings { session_ids: SessionIds::Unique, turn_ids: TurnIds::Unique, ..Settings::default() };
    ground.store.put_settings("shop", &unique).await.unwrap();
    let other = call("u2", "s1", 1, &["I play chess.", "And go."]);
    let window = ground.store.window(&other).await.unwrap();
    assert!(!window.session_bound_elsewhere && window.bound_elsewhere.is_empty(), "nobody claimed them before");
    ground.store.commit(&run(&call("u1", "s1", 2, &["And a hen."]), 1, 1, &[])).await.unwrap();
    let window = ground.store.window(&other).await.unwrap();
    assert!(window.session_bound_elsewhere);
    assert_eq!(window.bound_elsewhere, [TurnId("2".into())]);
    let own = ground.store.window(&call("u1", "s1", 2, &["And a hen."])).await.unwrap();
    assert!(!own.session_bound_elsewhere && own.bound_elsewhere.is_empty());
    ground.store.put_settings("shop", &Settings::default()).await.unwrap();
    let window = ground.store.window(&other).await.unwrap();
    assert!(!window.session_bound_elsewhere && window.bound_elsewhere.is_empty());
}

async fn an_id_bound_meanwhile_makes_the_run_stale(ground: &Ground) {
    let unique = Settings { turn_ids: TurnIds::Unique, ..Settings::default() };
    ground.store.put_settings("shop", &unique).await.unwrap();
    ground.store.commit(&run(&call("u1", "s1", 1, &["I keep two goats."]), 0, 0, &[])).await.unwrap();
    let late = call("u2", "s2", 1, &["I play chess."]);
    let stale = ground.store.commit(&run(&late, 0, 0, &[claim("hobby", "chess")])).await;
    assert!(matches!(stale, Err(StoreError::Stale)), "{stale:?}");
    ground.store.commit(&run(&late, 0, 0, &[])).await.unwrap();
}

async fn a_committed_call_is_done(ground: &Ground) {
    let call = call("u1", "s1", 1, &["I keep two goats."]);
    ground.store.commit(&run(&call, 0, 0, &[])).await.unwrap();
    assert_eq!(ground.store.window(&call).await.unwrap().earlier, Earlier::ThisCall);
    let mut again = call.clone();
    again.turns.iter_mut().for_each(|turn| turn.at = None);
    assert_eq!(
        ground.store.window(&again).await.unwrap().earlier,
        Earlier::ThisCall,
        "each acceptance stamps its own time"
    );
    again.turns.pop();
    assert_eq!(ground.store.window(&again).await.unwrap().earlier, Earlier::AnotherCall);
}
