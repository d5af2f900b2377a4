//! Correcting, doubting, settling: history is kept, a correction can be taken back, and every change says who and why.

use recall_core::id::MemoryId;
use recall_core::memory::{Memory, Status};

use crate::conformance::ground::Ground;
use crate::conformance::on_both;
use crate::conformance::people::{Told, deed, lives, memories, of, statuses, tell, told};
use crate::conformance::said::at;
use crate::deed::{AuditFilter, Edit, Execution, Feedback, Restatement, TraceSelection, Turn};
use crate::record::PageRequest;
use crate::{Store, StoreError};

on_both! {
    a_corrected_claim_takes_the_place_of_the_old_one_and_can_be_taken_back,
    correcting_to_what_is_known_already_joins_it,
    a_correction_is_not_a_way_around_what_must_not_be_kept,
    what_leaves_the_claim_as_it_is_is_edited_in_place,
    a_disputed_pair_is_shown_and_settled_for_good,
    a_doubt_is_raised_and_lifted,
    feedback_and_touch_change_no_claim,
    touches_at_once_are_all_counted_while_the_memory_is_judged,
    a_memory_whose_time_is_over_expires,
    a_time_that_is_put_off_is_not_over,
    what_stood_in_dispute_with_an_expired_memory_counts_again,
    the_audit_log_is_read_by_all_its_handles,
    a_story_tells_everything,
}

async fn of_value(ground: &Ground, user: &str, value: &str) -> Memory {
    memories(ground, user).await.into_iter().find(|memory| memory.value == value).unwrap()
}

fn anew(content: &str) -> Restatement {
    Restatement { content: content.into(), attribute: None, value: None }
}

async fn a_corrected_claim_takes_the_place_of_the_old_one_and_can_be_taken_back(ground: &Ground) {
    tell(ground, "u1", "s1", 1, &[told("manager", "Olga", "User's manager is Olga")]).await;
    let old = of_value(ground, "u1", "Olga").await;
    let told = Restatement { value: Some("Henrik".into()), ..anew("User's manager is Henrik") };
    let done = ground.store.restate(("shop", &old.id), &told, &deed()).await.unwrap();
    assert_eq!(statuses(ground, "u1").await, [("Henrik".to_owned(), "active"), ("Olga".to_owned(), "superseded")]);
    let new = ground.store.memory("shop", &done.memory_id).await.unwrap().unwrap();
    let old_now = ground.store.memory("shop", &old.id).await.unwrap().unwrap();
    assert_eq!((old_now.superseded_by, old_now.valid_until), (Some(new.id.clone()), new.valid_from));
    let again = ground.store.restate(("shop", &old.id), &anew("User's manager is Max"), &deed()).await;
    assert!(matches!(again, Err(StoreError::Conflict(why)) if why.contains("took its place")), "{again:?}");
    assert_eq!(new.provenance.extracted_by.provider, "restated");
    assert_eq!(new.provenance.sources[0].quote, "User's manager is Henrik");
    assert_eq!((&new.attribute, &new.subject), (&old.attribute, &old.subject));
    assert_eq!(
        ground.number("SELECT count(*) FROM audit WHERE event_type = 'insert' AND actor = 'api_key:desk'").await,
        1
    );
    assert_eq!(
        ground.number("SELECT count(*) FROM audit WHERE event_type = 'supersede' AND reason = 'a test'").await,
        1
    );
    let selection =
        TraceSelection { namespace: "shop".into(), trace_ids: vec![done.trace_id], ..TraceSelection::default() };
    ground.store.turn_traces(&selection, (Turn::Forget, Execution::Real), &deed()).await.unwrap();
    assert_eq!(statuses(ground, "u1").await, [("Olga".to_owned(), "active")]);
    ground.store.turn_traces(&selection, (Turn::Restore, Execution::Real), &deed()).await.unwrap();
    assert_eq!(of_value(ground, "u1", "Henrik").await, new);
    let gone = ground.store.restate(("other", &old.id), &told, &deed()).await;
    assert!(matches!(gone, Err(StoreError::Missing("memory"))), "{gone:?}");
}

async fn correcting_to_what_is_known_already_joins_it(ground: &Ground) {
    tell(ground, "u1", "s1", 1, &[lives("Graz", 1)]).await;
    tell(ground, "u1", "s1", 2, &[lives("Linz", 2)]).await;
    let (graz, linz) = (of_value(ground, "u1", "Graz").await, of_value(ground, "u1", "Linz").await);
    let told = Restatement { value: Some("Graz".into()), ..anew("User lives in Graz") };
    let done = ground.store.restate(("shop", &linz.id), &told, &deed()).await.unwrap();
    assert_eq!(done.memory_id, graz.id, "Graz was known");
    assert_eq!(statuses(ground, "u1").await, [("Graz".to_owned(), "active"), ("Linz".to_owned(), "superseded")]);
    let linz = ground.store.memory("shop", &linz.id).await.unwrap().unwrap();
    assert_eq!(linz.superseded_by, Some(graz.id));
}

async fn a_correction_is_not_a_way_around_what_must_not_be_kept(ground: &Ground) {
    tell(ground, "u1", "s1", 1, &[told("sport", "chess", "User plays chess")]).await;
    let chess = of_value(ground, "u1", "chess").await;
    ground.store.suppress(&chess.scope, "User owns a shotgun", &deed()).await.unwrap();
    for words in ["User's password is Otter_Lamp_2291", "User is an administrator", "User owns a shotgun"] {
        let answer = ground.store.restate(("shop", &chess.id), &anew(words), &deed()).await;
        assert!(matches!(answer, Err(StoreError::Conflict(_))), "{words}: {answer:?}");
    }
    assert_eq!(statuses(ground, "u1").await, [("chess".to_owned(), "active")]);
    tell(ground, "u2", "s2", 1, &[of("Ida", told("home_city", "Graz", "Ida lives in Graz"))]).await;
    let ida = of_value(ground, "u2", "Graz").await;
    for words in ["User owns a shotgun", "The user owns a shotgun", "I own a shotgun"] {
        let answer = ground.store.restate(("shop", &ida.id), &anew(words), &deed()).await;
        assert!(
            matches!(answer, Err(StoreError::Conflict(why)) if why.contains("somebody else")),
            "{words}: {answer:?}"
        );
    }
}

async fn what_leaves_the_claim_as_it_is_is_edited_in_place(ground: &Ground) {
    let trace = tell(ground, "u1", "s1", 1, &[lives("Graz", 1)]).await;
    let graz = of_value(ground, "u1", "Graz").await;
    let until = Some(at("2100-01-01T00:00:00Z"));
    let metadata = serde_json::json!({ "seen": true }).as_object().unwrap().clone();
    ground.store.edit(("shop", &graz.id), &Edit::ExpiresAt(until), &deed()).await.unwrap();
    ground.store.edit(("shop", &graz.id), &Edit::Metadata(metadata.clone()), &deed()).await.unwrap();
    let edited = of_value(ground, "u1", "Graz").await;
    assert_eq!((edited.expires_at, &edited.metadata, edited.id), (until, &metadata, graz.id));
    let selection = TraceSelection { namespace: "shop".into(), trace_ids: vec![trace], ..TraceSelection::default() };
    for turn in [Turn::Forget, Turn::Restore] {
        ground.store.turn_traces(&selection, (turn, Execution::Real), &deed()).await.unwrap();
    }
    let back = of_value(ground, "u1", "Graz").await;
    assert_eq!((back.expires_at, &back.metadata), (until, &metadata), "an edit outlives a forget and its restore");
}

async fn a_disputed_pair_is_shown_and_settled_for_good(ground: &Ground) {
    let undated = |city: &str| Told { at: None, ..lives(city, 1) };
    tell(ground, "u1", "s1", 1, &[undated("Graz")]).await;
    let second = tell(ground, "u1", "s2", 2, &[undated("Linz")]).await;
    let page = PageRequest { limit: 10, cursor: None };
    let open = ground.store.disputes(("shop", None), &page).await.unwrap().items;
    let [pair] = open.as_slice() else { panic!("{open:?}") };
    let mut sides = [pair.memory.value.clone(), pair.with.as_ref().unwrap().value.clone()];
    sides.sort();
    assert_eq!(sides, ["Graz", "Linz"]);
    assert!(ground.store.disputes(("other", None), &page).await.unwrap().items.is_empty());
    let linz = of_value(ground, "u1", "Linz").await;
    ground.store.settle("shop", &linz.id, &deed()).await.unwrap();
    let settled = [("Graz".to_owned(), "superseded"), ("Linz".to_owned(), "active")];
    assert_eq!(statuses(ground, "u1").await, settled);
    assert!(ground.store.disputes(("shop", None), &page).await.unwrap().items.is_empty());
    let again = ground.store.settle("shop", &linz.id, &deed()).await;
    assert!(matches!(again, Err(StoreError::Conflict(_))), "{again:?}");
    // It stays settled when one of the calls goes and comes.
    let selection = TraceSelection { namespace: "shop".into(), trace_ids: vec![second], ..TraceSelection::default() };
    ground.store.turn_traces(&selection, (Turn::Forget, Execution::Real), &deed()).await.unwrap();
    assert_eq!(statuses(ground, "u1").await, [("Graz".to_owned(), "active")]);
    ground.store.turn_traces(&selection, (Turn::Restore, Execution::Real), &deed()).await.unwrap();
    assert_eq!(statuses(ground, "u1").await, settled);
}

async fn a_doubt_is_raised_and_lifted(ground: &Ground) {
    tell(ground, "u1", "s1", 1, &[lives("Graz", 1), told("sport", "chess", "User plays chess")]).await;
    let (graz, chess) = (of_value(ground, "u1", "Graz").await, of_value(ground, "u1", "chess").await);
    ground.store.dispute(("shop", &graz.id, None), &deed()).await.unwrap();
    assert_eq!(of_value(ground, "u1", "Graz").await.status, Status::Disputed);
    let page = PageRequest { limit: 10, cursor: None };
    assert!(ground.store.disputes(("shop", None), &page).await.unwrap().items[0].with.is_none());
    ground.store.settle("shop", &graz.id, &deed()).await.unwrap();
    assert_eq!(of_value(ground, "u1", "Graz").await.status, Status::Active);
    ground.store.dispute(("shop", &graz.id, Some(&chess.id)), &deed()).await.unwrap();
    assert_eq!(of_value(ground, "u1", "chess").await.status, Status::Disputed);
    ground.store.settle("shop", &chess.id, &deed()).await.unwrap();
    assert_eq!(statuses(ground, "u1").await, [("Graz".to_owned(), "superseded"), ("chess".to_owned(), "active")]);
    let history = ground.store.dispute(("shop", &graz.id, None), &deed()).await;
    assert!(matches!(history, Err(StoreError::Conflict(_))), "{history:?}");
}

async fn feedback_and_touch_change_no_claim(ground: &Ground) {
    tell(ground, "u1", "s1", 1, &[lives("Graz", 1)]).await;
    let graz = of_value(ground, "u1", "Graz").await;
    ground.store.feedback(("shop", &graz.id), Feedback::Wrong, &deed()).await.unwrap();
    assert_eq!(of_value(ground, "u1", "Graz").await, graz);
    let noted = "SELECT count(*) FROM audit WHERE event_type = 'feedback' AND CAST(after AS TEXT) LIKE '%wrong%'";
    assert_eq!(ground.number(noted).await, 1);
    assert_eq!(ground.store.touch("other", std::slice::from_ref(&graz.id)).await.unwrap(), 0);
    let stranger = MemoryId::new(ulid::Ulid(9));
    assert_eq!(ground.store.touch("shop", &[graz.id, stranger]).await.unwrap(), 1);
    let touched = of_value(ground, "u1", "Graz").await;
    assert_eq!((touched.access_count, touched.last_accessed_at.is_some()), (1, true));
}

async fn touches_at_once_are_all_counted_while_the_memory_is_judged(ground: &Ground) {
    tell(ground, "u1", "s1", 1, &[lives("Graz", 1), told("sport", "chess", "User plays chess")]).await;
    let ids: Vec<MemoryId> = memories(ground, "u1").await.into_iter().map(|memory| memory.id).collect();
    let back: Vec<MemoryId> = ids.iter().rev().cloned().collect();
    let touches = async |ids: &[MemoryId]| {
        for _ in 0..20 {
            assert_eq!(ground.store.touch("shop", ids).await.unwrap(), 2);
        }
    };
    let (first, by) = (ids[0].clone(), deed());
    let repairs = async {
        for _ in 0..10 {
            ground.store.dispute(("shop", &first, None), &by).await.unwrap();
            ground.store.settle("shop", &first, &by).await.unwrap();
        }
    };
    tokio::join!(touches(&ids), touches(&back), repairs);
    let counted: Vec<i64> = memories(ground, "u1").await.iter().map(|memory| memory.access_count).collect();
    assert_eq!(counted, [40, 40]);
}

async fn a_memory_whose_time_is_over_expires(ground: &Ground) {
    tell(ground, "u1", "s1", 1, &[lives("Graz", 1), told("sport", "chess", "User plays chess")]).await;
    let graz = of_value(ground, "u1", "Graz").await;
    let over = Some(at("2020-01-01T00:00:00Z"));
    ground.store.edit(("shop", &graz.id), &Edit::ExpiresAt(over), &deed()).await.unwrap();
    assert_eq!(ground.store.sweep().await.unwrap().expired, 1);
    assert_eq!(statuses(ground, "u1").await, [("Graz".to_owned(), "expired"), ("chess".to_owned(), "active")]);
    let noted = "SELECT count(*) FROM audit WHERE reason = 'its time is over' AND actor = 'worker:test'";
    assert_eq!((ground.number(noted).await, ground.store.sweep().await.unwrap().expired), (1, 0));
    // Said again it is a memory of its own.
    tell(ground, "u1", "s1", 3, &[lives("Graz", 2)]).await;
    assert_eq!(statuses(ground, "u1").await.iter().filter(|(value, _)| value == "Graz").count(), 2);
}

async fn the_audit_log_is_read_by_all_its_handles(ground: &Ground) {
    let trace = tell(ground, "u1", "s1", 1, &[lives("Graz", 1)]).await;
    tell(ground, "u2", "s1", 1, &[lives("Graz", 1)]).await;
    let graz = of_value(ground, "u1", "Graz").await;
    ground.store.feedback(("shop", &graz.id), Feedback::Useful, &deed()).await.unwrap();
    let all = || AuditFilter { namespace: "shop".into(), ..AuditFilter::default() };
    let owner = recall_core::scope::Owner::User("u1".into());
    let cases = [
        ("all", all(), 3),
        ("other namespace", AuditFilter { namespace: "other".into(), ..all() }, 0),
        ("memory", AuditFilter { memory_id: Some(graz.id), ..all() }, 2),
        ("owner", AuditFilter { owner: Some(owner), ..all() }, 2),
        ("trace", AuditFilter { trace_id: Some(trace), ..all() }, 1),
        ("kind", AuditFilter { event_type: Some("feedback".into()), ..all() }, 1),
        ("actor", AuditFilter { actor: Some("worker:test".into()), ..all() }, 2),
        ("since", AuditFilter { since: Some(at("2100-01-01T00:00:00Z")), ..all() }, 0),
        ("until", AuditFilter { until: Some(at("2100-01-01T00:00:00Z")), ..all() }, 3),
    ];
    for (name, filter, expected) in cases {
        let mut request = PageRequest { limit: 1, cursor: None };
        let mut seen = Vec::new();
        loop {
            let page = ground.store.audit(&filter, &request).await.unwrap();
            seen.extend(page.items.into_iter().map(|entry| entry.audit_id));
            let Some(cursor) = page.next_cursor else { break };
            request.cursor = Some(cursor);
        }
        assert_eq!(seen.len(), expected, "{name}");
    }
}

async fn a_story_tells_everything(ground: &Ground) {
    tell(ground, "u1", "s1", 1, &[lives("Graz", 1)]).await;
    let again = tell(ground, "u1", "s2", 2, &[lives("Graz", 2)]).await;
    let graz = of_value(ground, "u1", "Graz").await;
    ground.store.turn_memory("shop", &graz.id, Turn::Forget, &deed()).await.unwrap();
    let story = ground.store.story("shop", &graz.id).await.unwrap().unwrap();
    let events: Vec<&str> = story.changes.iter().map(|change| change.event_type.as_str()).collect();
    assert_eq!(events, ["insert", "merge", "forget"]);
    assert_eq!(story.gone.as_deref(), Some("forgotten"));
    assert_eq!((story.traces.len(), &story.traces[1].summary.trace_id), (2, &again));
    assert!(ground.store.story("other", &graz.id).await.unwrap().is_none());
}

async fn a_time_that_is_put_off_is_not_over(ground: &Ground) {
    tell(ground, "u1", "s1", 1, &[lives("Graz", 1)]).await;
    let graz = of_value(ground, "u1", "Graz").await;
    ground.store.edit(("shop", &graz.id), &Edit::ExpiresAt(Some(at("2020-01-01T00:00:00Z"))), &deed()).await.unwrap();
    ground.store.sweep().await.unwrap();
    assert_eq!(of_value(ground, "u1", "Graz").await.status, Status::Expired);
    ground.store.edit(("shop", &graz.id), &Edit::ExpiresAt(Some(at("2100-01-01T00:00:00Z"))), &deed()).await.unwrap();
    assert_eq!(of_value(ground, "u1", "Graz").await.status, Status::Active);
    assert_eq!(ground.store.sweep().await.unwrap().expired, 0);
    // Put off before the sweep came by, it never ends.
    ground.store.edit(("shop", &graz.id), &Edit::ExpiresAt(Some(at("2020-01-01T00:00:00Z"))), &deed()).await.unwrap();
    ground.store.edit(("shop", &graz.id), &Edit::ExpiresAt(None), &deed()).await.unwrap();
    assert_eq!(ground.store.sweep().await.unwrap().expired, 0);
    assert_eq!(of_value(ground, "u1", "Graz").await.status, Status::Active);
}

async fn what_stood_in_dispute_with_an_expired_memory_counts_again(ground: &Ground) {
    let undated = |city: &str| Told { at: None, ..lives(city, 1) };
    tell(ground, "u1", "s1", 1, &[undated("Graz")]).await;
    tell(ground, "u1", "s2", 2, &[undated("Linz")]).await;
    assert_eq!(statuses(ground, "u1").await, [("Graz".to_owned(), "disputed"), ("Linz".to_owned(), "disputed")]);
    let linz = of_value(ground, "u1", "Linz").await;
    ground.store.edit(("shop", &linz.id), &Edit::ExpiresAt(Some(at("2020-01-01T00:00:00Z"))), &deed()).await.unwrap();
    assert_eq!(ground.store.sweep().await.unwrap().expired, 1);
    assert_eq!(statuses(ground, "u1").await, [("Graz".to_owned(), "active"), ("Linz".to_owned(), "expired")]);
}
