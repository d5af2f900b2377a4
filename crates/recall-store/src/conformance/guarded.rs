//! What the databases refuse by themselves, whoever asks: a memory without a source, a source of another scope, a changed audit row.

use super::ground::Ground;
use super::on_both;
use super::said::{call, claim, run};
use crate::{Store, StoreError};

on_both! {
    raw_sql_that_breaks_an_invariant_is_refused,
    raw_sql_that_keeps_the_invariants_is_taken,
    the_audit_log_is_append_only,
}

/// Two scopes with a memory each; the first has a second source to its first.
async fn two_people(ground: &Ground) {
    let anna = call("anna", "s1", 1, &["I keep two goats.", "Two goats, yes."]);
    let mut both = run(&anna, 0, 0, &[claim("animal", "goats")]);
    let recall_core::effect::Effect::Insert { memory, .. } = &mut both.changes.effects[0] else { panic!("an insert") };
    memory.provenance.sources.push(super::said::source(&anna.turns[1]));
    ground.store.commit(&both).await.unwrap();
    let berta = call("berta", "s1", 1, &["I play chess."]);
    ground.store.commit(&run(&berta, 0, 0, &[claim("hobby", "chess")])).await.unwrap();
}

const ANNA: &str = "(SELECT scope_id FROM scopes WHERE owner = 'anna')";
const BERTA: &str = "(SELECT scope_id FROM scopes WHERE owner = 'berta')";

/// A copy of Anna's memory under another id, with these columns written otherwise.
fn copy_of_memory(changes: &[(&str, &str)]) -> String {
    let columns = [
        "memory_id",
        "scope_id",
        "namespace",
        "session_pk",
        "anchor_source",
        "content",
        "memory_type",
        "subject_id",
        "attribute",
        "value",
        "polarity",
        "confidence",
        "importance",
        "precision",
        "status",
        "single_valued",
        "metadata",
        "created_at",
        "access_count",
        "claim_key",
        "occurrence",
        "extractor",
        "extracted_at",
        "trace_id",
        "changed_revision",
    ];
    let values = columns.iter().map(|column| {
        let changed = changes.iter().find(|(name, _)| name == column);
        changed.map_or((*column).to_owned(), |(_, value)| (*value).to_owned())
    });
    let values = values.collect::<Vec<_>>().join(", ");
    format!("INSERT INTO memories ({}) SELECT {values} FROM memories WHERE scope_id = {ANNA}", columns.join(", "))
}

fn source(memory: &str, ordinal: u32, scope: &str, session: &str, turn: &str) -> String {
    format!(
        "INSERT INTO sources (memory_id, ordinal, scope_id, session_pk, turn_id, trace_id, origin, quote, start_char, end_char)
        SELECT {memory}, {ordinal}, {scope}, {session}, '{turn}', trace_id, 'call', 'q', 0, 1 FROM runs LIMIT 1"
    )
}

async fn raw_sql_that_breaks_an_invariant_is_refused(ground: &Ground) {
    two_people(ground).await;
    let of = |owner: &str| format!("(SELECT memory_id FROM memories WHERE scope_id = {owner})");
    let session = |owner: &str| format!("(SELECT session_pk FROM sessions WHERE scope_id = {owner})");
    let (annas, bertas) = (session(ANNA), session(BERTA));
    let copy = [("memory_id", "'mem_copy'"), ("claim_key", "'other'")];
    let berta_subject = format!("(SELECT entity_id FROM entities WHERE scope_id = {BERTA})");
    let cases = [
        ("a memory without a source", copy_of_memory(&copy)),
        ("a memory with no anchor", copy_of_memory(&[copy[0], copy[1], ("anchor_source", "NULL")])),
        ("a memory anchored on the source of another memory", {
            let other = source(&of(BERTA), 7, BERTA, &bertas, "1");
            format!("{other}; {}", copy_of_memory(&[copy[0], copy[1], ("anchor_source", "7")]))
        }),
        ("the last sources of a memory taken away", format!("DELETE FROM sources WHERE memory_id = {}", of(ANNA))),
        (
            "the anchor of a memory taken away",
            format!("DELETE FROM sources WHERE memory_id = {} AND ordinal = 0", of(ANNA)),
        ),
        ("a source given to another memory", {
            format!("UPDATE sources SET memory_id = {} WHERE memory_id = {} AND ordinal = 0", of(BERTA), of(ANNA))
        }),
        ("a source moved to another scope", format!("UPDATE sources SET scope_id = {BERTA} WHERE scope_id = {ANNA}")),
        ("a memory moved to another scope", format!("UPDATE memories SET scope_id = {BERTA} WHERE scope_id = {ANNA}")),
        ("a turn of another scope cited", source(&of(ANNA), 5, ANNA, &bertas, "1")),
        ("a turn of another scope cited under its scope", source(&of(ANNA), 5, BERTA, &bertas, "1")),
        ("a turn nobody said cited", source(&of(ANNA), 5, ANNA, &annas, "999")),
        ("a memory about an entity of another scope", {
            let source = source("'mem_copy'", 0, ANNA, &annas, "1");
            format!("{}; {source}", copy_of_memory(&[copy[0], copy[1], ("subject_id", &berta_subject)]))
        }),
        ("a memory of a session of another scope", {
            let source = source("'mem_copy'", 0, ANNA, &annas, "1");
            format!("{}; {source}", copy_of_memory(&[copy[0], copy[1], ("session_pk", &bertas)]))
        }),
        ("a turn of a session of another scope", {
            "INSERT INTO turns (session_pk, turn_id, scope_id, role, at_source, content_hash, hash_key)
            SELECT s.session_pk, 'x', c.scope_id, 'user', 'stated', 'h', 'k' FROM sessions s, scopes c
            WHERE s.scope_id <> c.scope_id"
                .to_owned()
        }),
        ("a turn that is cited deleted", "DELETE FROM turns".to_owned()),
        ("a session moved to another scope", format!("UPDATE sessions SET scope_id = {BERTA} WHERE scope_id = {ANNA}")),
        ("a confidence above 1", "UPDATE memories SET confidence = 1.5".to_owned()),
        ("a run twice", "INSERT INTO runs SELECT * FROM runs".to_owned()),
        ("a run forgotten", "DELETE FROM runs".to_owned()),
    ];
    for (what, sql) in cases {
        let answer = ground.raw(&sql).await;
        assert!(matches!(answer, Err(StoreError::Refused { .. })), "{what}: {answer:?}");
    }
    let copied_claim = {
        let source = source("'mem_copy'", 0, ANNA, &annas, "1");
        format!("{}; {source}", copy_of_memory(&[copy[0]]))
    };
    let answer = ground.raw(&copied_claim).await;
    assert!(matches!(answer, Err(StoreError::Stale)), "an active claim twice: {answer:?}");
    assert_eq!((ground.count("memories").await, ground.count("sources").await), (2, 3));
}

async fn raw_sql_that_keeps_the_invariants_is_taken(ground: &Ground) {
    two_people(ground).await;
    let annas = format!("(SELECT session_pk FROM sessions WHERE scope_id = {ANNA})");
    let copy = copy_of_memory(&[("memory_id", "'mem_copy'"), ("claim_key", "'other'")]);
    let insert = format!("{copy}; {}", source("'mem_copy'", 0, ANNA, &annas, "2"));
    ground.raw(&insert).await.unwrap();
    // The anchor may go once another source is the anchor.
    let memory = format!("memory_id <> 'mem_copy' AND scope_id = {ANNA}");
    let moved = format!(
        "DELETE FROM sources WHERE {memory} AND ordinal = 0; UPDATE memories SET anchor_source = 1 WHERE {memory}"
    );
    ground.raw(&moved).await.unwrap();
    // A memory may go with all its sources.
    let gone = "DELETE FROM sources WHERE memory_id = 'mem_copy'; DELETE FROM memories WHERE memory_id = 'mem_copy'";
    ground.raw(gone).await.unwrap();
    assert_eq!((ground.count("memories").await, ground.count("sources").await), (2, 2));
}

async fn the_audit_log_is_append_only(ground: &Ground) {
    two_people(ground).await;
    for sql in
        ["UPDATE audit SET actor = 'nobody'", "DELETE FROM audit", "DELETE FROM audit WHERE event_type = 'insert'"]
    {
        let answer = ground.raw(sql).await;
        let Err(StoreError::Refused { rule }) = answer else { panic!("{sql}: {answer:?}") };
        assert!(rule.contains("append-only"), "{rule}");
    }
    assert_eq!(ground.count("audit").await, 2);
    assert_eq!(
        ground.number("SELECT count(*) FROM audit WHERE actor = 'worker:test' AND verdict IS NOT NULL").await,
        2
    );
}
