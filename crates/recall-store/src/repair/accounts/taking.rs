//! The statements that take a person out of one scope of an account. `$1` is the scope, `$2` the names they speak under, unless it says
//! otherwise.

use crate::dialect::Statement as Sql;

/// Turns of the scope `$1` that speakers `$2` said.
macro_rules! their_turns {
    ($that:literal) => {
        concat!("(SELECT 1 FROM turns w WHERE w.scope_id = $1 AND w.speaker {in texts $2} AND ", $that, ")")
    };
}

/// Sessions of the scope `$1` in which speakers `$2` spoke.
macro_rules! their_sessions {
    () => {
        "(SELECT w.session_pk FROM turns w WHERE w.scope_id = $1 AND w.speaker {in texts $2})"
    };
}

/// Scopes of accounts in which somebody of these names spoke.
pub(crate) static SPOKEN_IN: Sql = Sql::new(
    "SELECT CAST({object}('scope_id', c.scope_id, 'account', c.owner, 'agent', c.agent) AS TEXT) FROM scopes c
    WHERE c.namespace = $1 AND c.scope_id IN (SELECT w.scope_id FROM turns w JOIN scopes o ON o.scope_id = w.scope_id
        WHERE w.speaker {in texts $2} AND o.namespace = $1 AND o.owner_kind = 'account')",
);

/// Everything calls said of memories that rest on turns of theirs.
pub(crate) static TOLD: Sql = Sql::new(concat!(
    "SELECT CAST({object}('trace', t.trace_id, 'ordinal', t.ordinal, 'memory', t.memory_id, 'session', r.session_pk,
        'said', {json}(t.said)) AS TEXT)
    FROM statements t JOIN runs r ON r.trace_id = t.trace_id JOIN memories m ON m.memory_id = t.memory_id
    WHERE t.scope_id = $1 AND (m.gone IS NULL OR m.gone <> 'deleted')
        AND EXISTS (SELECT 1 FROM sources s WHERE s.memory_id = t.memory_id AND EXISTS ",
    their_turns!("w.session_pk = s.session_pk AND w.turn_id = s.turn_id"),
    ") ORDER BY r.revision, t.ordinal"
));

/// The turns of theirs that memories rest on.
pub(crate) static CITED: Sql = Sql::new(
    "SELECT DISTINCT CAST({object}('session', s.session_pk, 'turn', s.turn_id) AS TEXT) FROM sources s
    JOIN turns w ON w.session_pk = s.session_pk AND w.turn_id = s.turn_id AND w.scope_id = s.scope_id
    WHERE s.scope_id = $1 AND w.speaker {in texts $2}",
);

pub(crate) static UNSAY: Sql =
    Sql::new("DELETE FROM statements WHERE scope_id = $1 AND trace_id || ' ' || ordinal {in texts $2}");

pub(crate) static RESAY: Sql =
    Sql::new("UPDATE statements SET said = {document $3} WHERE trace_id = $1 AND ordinal = $2");

/// Memories that are gone for now and may come back.
pub(crate) static HIDDEN: Sql = Sql::new(
    "SELECT CAST({row m memories} AS TEXT) FROM memories m
    WHERE m.scope_id = $1 AND m.deleted_at IS NOT NULL AND m.memory_id {in texts $2}",
);

/// Memories that leaned on a quote of theirs lean on one of the others.
pub(crate) static ANCHORS: Sql = Sql::new(concat!(
    "UPDATE memories SET anchor_source = (SELECT s.ordinal FROM sources s WHERE s.memory_id = memories.memory_id
        AND NOT EXISTS ",
    their_turns!("w.session_pk = s.session_pk AND w.turn_id = s.turn_id"),
    " ORDER BY s.withdrawn, s.ordinal LIMIT 1)
    WHERE scope_id = $1 AND memory_id {in texts $3} AND EXISTS (SELECT 1 FROM sources a
        WHERE a.memory_id = memories.memory_id AND a.ordinal = memories.anchor_source AND EXISTS ",
    their_turns!("w.session_pk = a.session_pk AND w.turn_id = a.turn_id"),
    ")"
));

pub(crate) static LEAVE: Sql = Sql::new(concat!(
    "DELETE FROM sources WHERE scope_id = $1 AND memory_id {in texts $3} AND EXISTS ",
    their_turns!("w.session_pk = sources.session_pk AND w.turn_id = sources.turn_id")
));

pub(crate) static QUOTES: Sql = Sql::new("SELECT CAST(count(*) AS TEXT) FROM sources WHERE memory_id {in texts $1}");

/// Rows about memories that only they told (`$2`), and of their calls about the others (`$3`, `$4`).
pub(crate) static REDACT: Sql = Sql::new(
    "UPDATE audit SET before = {redacted before}, after = {redacted after}, verdict = {redacted verdict}
    WHERE scope_id = $1 AND (memory_id {in texts $2} OR (memory_id {in texts $3} AND trace_id {in texts $4}))",
);

/// What is kept for a while of the calls of their sessions: others' answers repeat what they said.
pub(crate) static DETAILS: Sql = Sql::new(concat!(
    "SELECT CAST({object}('trace', d.trace_id, 'verdicts', {json}(d.verdicts)) AS TEXT)
    FROM run_details d JOIN runs r ON r.trace_id = d.trace_id WHERE r.scope_id = $1 AND r.session_pk IN ",
    their_sessions!()
));

pub(crate) static WINDOWS: Sql = Sql::new(concat!(
    "UPDATE sessions SET last_turns = '[]', ring = '[]', version = version + 1 WHERE scope_id = $1 AND session_pk IN ",
    their_sessions!()
));

pub(crate) static STATES: Sql = Sql::new(concat!(
    "UPDATE batch_sessions SET last_turns = '[]', ring = '[]', version = version + 1
    WHERE scope_id = $1 AND session_pk IN ",
    their_sessions!()
));

/// The turn itself stays, as a keyed hash without a name: history that is sent again is known again, and not learnt.
pub(crate) static QUIET: Sql = Sql::new(
    "UPDATE turns SET speaker = NULL, said_at = NULL, said_offset = NULL WHERE scope_id = $1 AND speaker {in texts $2}",
);

/// The entity that is the person.
pub(crate) static NAMED: Sql = Sql::new(
    "SELECT CAST({object}('id', e.entity_id) AS TEXT) FROM entities e WHERE e.scope_id = $1 AND e.kind <> 'user'
        AND (e.name_key {in texts $2} OR EXISTS (SELECT 1 FROM entity_aliases a
            WHERE a.entity_id = e.entity_id AND a.alias_key {in texts $2}))",
);

pub(crate) static ABOUT_THEM: Sql = Sql::new(
    "SELECT CAST(count(*) AS TEXT) FROM memories m WHERE m.scope_id = $1 AND m.deleted_at IS NULL
        AND (m.subject_id {in texts $2} OR m.object_id {in texts $2})",
);

/// Of whom nobody says anything any more, the name goes: with what became part of them.
pub(crate) static FORGET_NAMES: Sql = Sql::new(
    "UPDATE entities SET name = 'erased', name_key = 'erased ' || entity_id, waits = 1
    WHERE scope_id = $1 AND kind <> 'user' AND (entity_id {in texts $2} OR merged_into {in texts $2})
        AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.scope_id = $1 AND (m.gone IS NULL OR m.gone <> 'deleted')
            AND (m.subject_id = entities.entity_id OR m.object_id = entities.entity_id
                OR m.subject_id = entities.merged_into OR m.object_id = entities.merged_into))
    RETURNING CAST({object}('id', entity_id) AS TEXT)",
);

pub(crate) static DROP_NAMES: Sql = Sql::new("DELETE FROM entity_aliases WHERE entity_id {in texts $1}");

/// Other names of those who are still spoken of (`$2`), where nobody whose words stay says them.
pub(crate) static DROP_UNSAID_NAMES: Sql = Sql::new(
    "DELETE FROM entity_aliases WHERE entity_id {in texts $2} AND NOT EXISTS (SELECT 1 FROM sources s
        JOIN memories m ON m.memory_id = s.memory_id WHERE s.scope_id = $1
            AND (m.subject_id = entity_aliases.entity_id OR m.object_id = entity_aliases.entity_id)
            AND {position}(lower(s.quote), entity_aliases.alias_key) > 0)",
);

/// What calls call those whose name goes.
pub(crate) static DROP_SAID: Sql = Sql::new("DELETE FROM names_said WHERE scope_id = $1 AND entity_id {in texts $2}");

/// The same of those who are still spoken of, where nobody whose words stay says them; the name they are known by stays.
pub(crate) static DROP_UNSAID: Sql = Sql::new(
    "DELETE FROM names_said WHERE scope_id = $1 AND entity_id {in texts $2} AND NOT EXISTS (SELECT 1 FROM entities e
            WHERE e.entity_id = names_said.entity_id AND e.name_key = names_said.name_key)
        AND NOT EXISTS (SELECT 1 FROM sources s JOIN memories m ON m.memory_id = s.memory_id WHERE s.scope_id = $1
            AND (m.subject_id = names_said.entity_id OR m.object_id = names_said.entity_id)
            AND {position}(lower(s.quote), names_said.name_key) > 0)",
);

pub(crate) static DROP_MERGES: Sql =
    Sql::new("DELETE FROM entity_merges WHERE scope_id = $1 AND (from_id {in texts $2} OR into_id {in texts $2})");
