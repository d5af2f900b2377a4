-- Instants are INTEGER microseconds UTC; `_offset` is the speaker's offset in seconds where it matters.

CREATE TABLE namespaces (
    namespace  TEXT PRIMARY KEY,
    settings   TEXT NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE scopes (
    scope_id   INTEGER PRIMARY KEY AUTOINCREMENT,
    key        TEXT NOT NULL UNIQUE,
    namespace  TEXT NOT NULL,
    owner_kind TEXT NOT NULL CHECK (owner_kind IN ('user', 'account')),
    owner      TEXT NOT NULL,
    agent      TEXT NOT NULL,
    -- Moved by every commit; memories carry the revision that changed them last.
    revision   INTEGER NOT NULL DEFAULT 0,
    -- The revision of the last delete, suppress, lift, forget, restore, swap, entity merge or settle.
    epoch      INTEGER NOT NULL DEFAULT 0 CHECK (epoch <= revision),
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX scopes_owner ON scopes (namespace, owner_kind, owner);

CREATE TABLE sessions (
    session_pk     INTEGER PRIMARY KEY AUTOINCREMENT,
    scope_id       INTEGER NOT NULL REFERENCES scopes,
    session_id     TEXT NOT NULL,
    version        INTEGER NOT NULL,
    last_turns     TEXT NOT NULL,
    ring           TEXT NOT NULL,
    window_expires INTEGER NOT NULL,
    created_at     INTEGER NOT NULL,
    UNIQUE (scope_id, session_id),
    UNIQUE (session_pk, scope_id)
) STRICT;
CREATE INDEX sessions_window ON sessions (window_expires) WHERE last_turns <> '[]' OR ring <> '[]';

-- The scope of a session is one, so the key below also keeps (session_pk, turn_id) unique.
CREATE TABLE turns (
    session_pk   INTEGER NOT NULL,
    turn_id      TEXT NOT NULL,
    scope_id     INTEGER NOT NULL,
    role         TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'system', 'tool')),
    speaker      TEXT,
    said_at      INTEGER,
    said_offset  INTEGER,
    at_source    TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    hash_key     TEXT NOT NULL,
    CONSTRAINT turns_key PRIMARY KEY (session_pk, turn_id, scope_id),
    CONSTRAINT turns_session FOREIGN KEY (session_pk, scope_id) REFERENCES sessions (session_pk, scope_id)
) STRICT;

-- In scopes of accounts a person is found by the name they speak under.
CREATE INDEX turns_of_speaker ON turns (speaker, scope_id) WHERE speaker IS NOT NULL;

-- Ids that the namespace wants to be unique, and who holds them.
CREATE TABLE bindings (
    namespace TEXT NOT NULL,
    kind      TEXT NOT NULL CHECK (kind IN ('session', 'turn')),
    id        TEXT NOT NULL,
    holder    TEXT NOT NULL,
    PRIMARY KEY (namespace, kind, id)
) STRICT;

CREATE TABLE extractors (
    extractor                TEXT PRIMARY KEY,
    provider                 TEXT NOT NULL,
    model                    TEXT NOT NULL,
    model_version_hash       TEXT NOT NULL,
    extractor_schema_version INTEGER NOT NULL,
    prompt_name              TEXT NOT NULL,
    prompt_version           TEXT NOT NULL,
    prompt_sha256            TEXT NOT NULL
) STRICT;

-- One row a run, for ever: a redelivered call meets it.
CREATE TABLE runs (
    trace_id          TEXT CONSTRAINT runs_once PRIMARY KEY,
    namespace         TEXT NOT NULL,
    scope_id          INTEGER NOT NULL,
    session_pk        INTEGER NOT NULL,
    session_version   INTEGER NOT NULL,
    extractor         TEXT REFERENCES extractors,
    accepted_at       INTEGER NOT NULL,
    accepted_offset   INTEGER NOT NULL,
    ran_at            INTEGER NOT NULL,
    committed_at      INTEGER NOT NULL,
    attempt           INTEGER NOT NULL,
    turn_count        INTEGER NOT NULL,
    candidate_count   INTEGER NOT NULL,
    stored_count      INTEGER NOT NULL,
    model_calls       INTEGER NOT NULL,
    prompt_tokens     INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    cost_micros       INTEGER NOT NULL,
    call_hash         TEXT NOT NULL,
    hash_key          TEXT NOT NULL,
    -- The revision of its scope that its commit made.
    revision          INTEGER NOT NULL,
    -- Taken back by an operator; nothing it said counts until it is restored.
    forgotten_at      INTEGER,
    -- The reprocessing run it belongs to.
    batch_id          TEXT,
    CONSTRAINT runs_session FOREIGN KEY (session_pk, scope_id) REFERENCES sessions (session_pk, scope_id)
) STRICT;
CREATE INDEX runs_newest ON runs (namespace, committed_at, trace_id);
CREATE INDEX runs_scope ON runs (scope_id, committed_at);
CREATE INDEX runs_of_batch ON runs (batch_id) WHERE batch_id IS NOT NULL;

CREATE TABLE run_details (
    trace_id    TEXT PRIMARY KEY REFERENCES runs,
    expires_at  INTEGER NOT NULL,
    traceparent TEXT,
    turns       TEXT NOT NULL,
    verdicts    TEXT NOT NULL,
    notes       TEXT NOT NULL
) STRICT;
CREATE INDEX run_details_expiry ON run_details (expires_at);

CREATE TABLE spans (
    trace_id   TEXT NOT NULL,
    ordinal    INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    stage      TEXT NOT NULL,
    started_ns INTEGER NOT NULL,
    took_ns    INTEGER NOT NULL,
    items      INTEGER NOT NULL,
    dropped    TEXT NOT NULL,
    PRIMARY KEY (trace_id, ordinal, expires_at)
) STRICT;

CREATE TABLE entities (
    entity_id   TEXT PRIMARY KEY,
    scope_id    INTEGER NOT NULL REFERENCES scopes,
    name        TEXT NOT NULL,
    name_key    TEXT NOT NULL,
    kind        TEXT NOT NULL,
    merged_into TEXT,
    created_at  INTEGER NOT NULL,
    -- 1 while nobody knows it: no call that speaks of it counts, or its name is erased.
    waits       INTEGER NOT NULL DEFAULT 0 CHECK (waits IN (0, 1)),
    -- 1 once a person gave it name or kind; those stay.
    by_hand     INTEGER NOT NULL DEFAULT 0 CHECK (by_hand IN (0, 1)),
    CONSTRAINT entities_scope UNIQUE (entity_id, scope_id),
    CONSTRAINT entities_merged FOREIGN KEY (merged_into, scope_id) REFERENCES entities (entity_id, scope_id)
) STRICT;
CREATE INDEX entities_of_scope ON entities (scope_id);
CREATE UNIQUE INDEX entities_one_name ON entities (scope_id, name_key) WHERE merged_into IS NULL;

-- Other names that are known now: of calls that count, and (by_hand = 1) of people.
CREATE TABLE entity_aliases (
    entity_id TEXT NOT NULL REFERENCES entities,
    alias_key TEXT NOT NULL,
    alias     TEXT NOT NULL,
    by_hand   INTEGER NOT NULL DEFAULT 0 CHECK (by_hand IN (0, 1)),
    PRIMARY KEY (entity_id, alias_key)
) STRICT;

-- What each call calls whom: the name with what it takes it for, then other names (without a kind). Names and kinds of entities are worked
-- out again from these whenever calls are taken back or restored.
CREATE TABLE names_said (
    trace_id  TEXT NOT NULL REFERENCES runs,
    ordinal   INTEGER NOT NULL,
    scope_id  INTEGER NOT NULL,
    entity_id TEXT NOT NULL,
    name      TEXT NOT NULL,
    name_key  TEXT NOT NULL,
    kind      TEXT,
    PRIMARY KEY (trace_id, ordinal),
    CONSTRAINT names_said_entity FOREIGN KEY (entity_id, scope_id) REFERENCES entities (entity_id, scope_id)
) STRICT;
CREATE INDEX names_said_of_scope ON names_said (scope_id);
CREATE INDEX names_said_of_entity ON names_said (entity_id);

CREATE TABLE memories (
    memory_id          TEXT PRIMARY KEY,
    scope_id           INTEGER NOT NULL,
    namespace          TEXT NOT NULL,
    session_pk         INTEGER NOT NULL,
    -- I-4: the ordinal of one of its sources; checked at commit, so no memory is ever without one.
    anchor_source      INTEGER NOT NULL,
    content            TEXT NOT NULL,
    memory_type        TEXT NOT NULL CHECK (memory_type IN ('fact', 'preference', 'event', 'relation')),
    subject_id         TEXT NOT NULL,
    attribute          TEXT NOT NULL,
    value              TEXT NOT NULL,
    object_id          TEXT,
    polarity           TEXT NOT NULL CHECK (polarity IN ('positive', 'negative')),
    confidence         REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    importance         REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
    language           TEXT,
    event_at           INTEGER,
    event_at_offset    INTEGER,
    event_until        INTEGER,
    event_until_offset INTEGER,
    precision          TEXT NOT NULL,
    status             TEXT NOT NULL CHECK (status IN ('active', 'superseded', 'disputed', 'expired')),
    single_valued      INTEGER NOT NULL CHECK (single_valued IN (0, 1)),
    valid_from         INTEGER,
    valid_from_offset  INTEGER,
    valid_until        INTEGER,
    valid_until_offset INTEGER,
    superseded_by      TEXT,
    deleted_at         INTEGER,
    expires_at         INTEGER,
    expires_at_offset  INTEGER,
    metadata           TEXT NOT NULL,
    created_at         INTEGER NOT NULL,
    last_accessed_at   INTEGER,
    access_count       INTEGER NOT NULL,
    claim_key          TEXT NOT NULL,
    occurrence         TEXT NOT NULL,
    extractor          TEXT NOT NULL REFERENCES extractors,
    extracted_at       INTEGER NOT NULL,
    trace_id           TEXT NOT NULL REFERENCES runs,
    changed_revision   INTEGER NOT NULL,
    -- Why it is gone on its own account. Where it is absent beside deleted_at, every call that said it is taken back, or another
    -- memory tells its claim (superseded_by). What is deleted is so for good.
    gone               TEXT CHECK (gone IN ('forgotten', 'suppressed', 'deleted')),
    -- What a person set beside the claim (metadata, expires_at): it stays whichever call tells the memory.
    edits              TEXT NOT NULL DEFAULT '{}',
    CONSTRAINT memories_scope UNIQUE (memory_id, scope_id),
    CONSTRAINT memories_session FOREIGN KEY (session_pk, scope_id) REFERENCES sessions (session_pk, scope_id),
    CONSTRAINT memories_subject FOREIGN KEY (subject_id, scope_id) REFERENCES entities (entity_id, scope_id),
    CONSTRAINT memories_object FOREIGN KEY (object_id, scope_id) REFERENCES entities (entity_id, scope_id),
    CONSTRAINT memories_superseded_by FOREIGN KEY (superseded_by, scope_id) REFERENCES memories (memory_id, scope_id)
        DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT memories_have_a_source FOREIGN KEY (memory_id, anchor_source) REFERENCES sources (memory_id, ordinal)
        DEFERRABLE INITIALLY DEFERRED
) STRICT;

-- I-5: a source names a turn and a memory of its own scope, or it is refused.
CREATE TABLE sources (
    memory_id   TEXT NOT NULL,
    ordinal     INTEGER NOT NULL,
    scope_id    INTEGER NOT NULL,
    session_pk  INTEGER NOT NULL,
    turn_id     TEXT NOT NULL,
    trace_id    TEXT NOT NULL REFERENCES runs,
    origin      TEXT NOT NULL CHECK (origin IN ('window', 'call')),
    quote       TEXT NOT NULL,
    start_char  INTEGER NOT NULL CHECK (start_char >= 0),
    end_char    INTEGER NOT NULL,
    -- 1 while the call that brought it is taken back: it stays for restoring, and does not count.
    withdrawn   INTEGER NOT NULL DEFAULT 0 CHECK (withdrawn IN (0, 1)),
    PRIMARY KEY (memory_id, ordinal),
    CHECK (end_char >= start_char),
    CONSTRAINT sources_memory FOREIGN KEY (memory_id, scope_id) REFERENCES memories (memory_id, scope_id),
    CONSTRAINT sources_turn FOREIGN KEY (session_pk, turn_id, scope_id) REFERENCES turns (session_pk, turn_id, scope_id)
) STRICT;
CREATE INDEX sources_of_turn ON sources (session_pk, turn_id);
CREATE INDEX sources_of_trace ON sources (trace_id);

-- What each call said of a memory, as the memory it would be alone: the state of memories is judged again from these whenever
-- calls are taken back or restored.
CREATE TABLE statements (
    trace_id   TEXT NOT NULL REFERENCES runs,
    ordinal    INTEGER NOT NULL,
    memory_id  TEXT NOT NULL,
    scope_id   INTEGER NOT NULL,
    said       TEXT NOT NULL,
    turn_place INTEGER NOT NULL,
    char_place INTEGER NOT NULL,
    -- The memory a person put this claim in the place of.
    replaces   TEXT,
    PRIMARY KEY (trace_id, ordinal),
    CONSTRAINT statements_memory FOREIGN KEY (memory_id, scope_id) REFERENCES memories (memory_id, scope_id)
) STRICT;
CREATE INDEX statements_of_memory ON statements (memory_id);

-- The calls of reprocessing runs that stand beside what live calls said, and the turns each of them read.
CREATE TABLE staged_calls (
    trace_id   TEXT PRIMARY KEY REFERENCES runs,
    namespace  TEXT NOT NULL,
    batch      TEXT NOT NULL,
    scope_id   INTEGER NOT NULL,
    session_pk INTEGER NOT NULL,
    turn_ids   TEXT NOT NULL,
    CONSTRAINT staged_calls_session FOREIGN KEY (session_pk, scope_id) REFERENCES sessions (session_pk, scope_id)
) STRICT;
CREATE INDEX staged_calls_of_batch ON staged_calls (batch, scope_id);
CREATE INDEX staged_calls_of_scope ON staged_calls (scope_id);

-- Calls that do not count because of a run: its own while it waits to be swapped in, else those whose turns it read again. A call
-- may be set aside by several runs.
CREATE TABLE calls_aside (
    trace_id TEXT NOT NULL REFERENCES runs,
    batch    TEXT NOT NULL,
    scope_id INTEGER NOT NULL,
    PRIMARY KEY (trace_id, batch)
) STRICT;
CREATE INDEX calls_aside_of_scope ON calls_aside (scope_id, batch);

-- What had taken the place of a memory before a run was swapped in, and what took it then, for the rollback: it may be deleted for good
-- meanwhile.
CREATE TABLE swapped_places (
    batch              TEXT NOT NULL,
    memory_id          TEXT NOT NULL,
    scope_id           INTEGER NOT NULL,
    superseded_by      TEXT,
    became             TEXT,
    valid_until        INTEGER,
    valid_until_offset INTEGER,
    PRIMARY KEY (batch, memory_id),
    CONSTRAINT swapped_places_memory FOREIGN KEY (memory_id, scope_id) REFERENCES memories (memory_id, scope_id)
) STRICT;
CREATE INDEX swapped_places_of_memory ON swapped_places (memory_id);
CREATE INDEX swapped_places_of_scope ON swapped_places (scope_id, batch);

CREATE UNIQUE INDEX memories_one_active_claim ON memories (scope_id, subject_id, claim_key, occurrence, polarity, coalesce(object_id, ''))
    WHERE status = 'active' AND deleted_at IS NULL;
CREATE UNIQUE INDEX memories_one_active_value ON memories (scope_id, subject_id, attribute)
    WHERE status = 'active' AND deleted_at IS NULL AND single_valued = 1;
CREATE INDEX memories_attribute ON memories (scope_id, attribute) WHERE deleted_at IS NULL;
CREATE INDEX memories_claim ON memories (scope_id, claim_key) WHERE deleted_at IS NULL;
CREATE INDEX memories_newest ON memories (namespace, created_at, memory_id) WHERE deleted_at IS NULL;
CREATE INDEX memories_forgotten ON memories (namespace, created_at, memory_id)
    WHERE deleted_at IS NOT NULL AND coalesce(gone, '') <> 'deleted';
CREATE INDEX memories_of_scope ON memories (scope_id, created_at, memory_id);
CREATE INDEX memories_of_trace ON memories (trace_id);
CREATE INDEX memories_session_rows ON memories (session_pk);
CREATE INDEX memories_replaced_by ON memories (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memories_due ON memories (expires_at)
    WHERE expires_at IS NOT NULL AND deleted_at IS NULL AND status IN ('active', 'disputed');
CREATE INDEX memories_of_object ON memories (object_id) WHERE object_id IS NOT NULL;

-- Two memories that say different things, or one that somebody doubts (no with_id); settled by a person.
CREATE TABLE disputes (
    memory_id        TEXT NOT NULL,
    with_id          TEXT,
    scope_id         INTEGER NOT NULL,
    -- The run that met the contradiction; absent where somebody raised a doubt.
    trace_id         TEXT REFERENCES runs,
    opened_at        INTEGER NOT NULL,
    opened_revision  INTEGER NOT NULL,
    settled_at       INTEGER,
    settled_revision INTEGER,
    -- Which of the two counts since.
    kept             TEXT,
    CHECK (memory_id <> with_id),
    CONSTRAINT disputes_memory FOREIGN KEY (memory_id, scope_id) REFERENCES memories (memory_id, scope_id),
    CONSTRAINT disputes_with FOREIGN KEY (with_id, scope_id) REFERENCES memories (memory_id, scope_id)
) STRICT;
CREATE UNIQUE INDEX disputes_once ON disputes (memory_id, coalesce(with_id, ''));
CREATE INDEX disputes_with_id ON disputes (with_id);

-- What a person deleted, as keyed hashes.
CREATE TABLE suppressions (
    suppression_id TEXT PRIMARY KEY,
    scope_id       INTEGER NOT NULL REFERENCES scopes,
    entities       TEXT NOT NULL,
    polarity       TEXT NOT NULL CHECK (polarity IN ('positive', 'negative')),
    attribute      TEXT NOT NULL,
    parts          TEXT NOT NULL,
    normaliser     INTEGER NOT NULL,
    key_id         TEXT NOT NULL,
    created_at     INTEGER NOT NULL,
    lifted_at      INTEGER
) STRICT;
CREATE INDEX suppressions_scope ON suppressions (scope_id) WHERE lifted_at IS NULL;

-- What merging two entities moved, so that they can be taken apart.
CREATE TABLE entity_merges (
    from_id   TEXT PRIMARY KEY REFERENCES entities,
    into_id   TEXT NOT NULL REFERENCES entities,
    scope_id  INTEGER NOT NULL,
    moved     TEXT NOT NULL,
    merged_at INTEGER NOT NULL
) STRICT;

-- Owners that were erased, and names they spoke under in scopes of accounts, as keyed hashes: what was accepted before is dropped.
CREATE TABLE erasures (
    owner_hash TEXT PRIMARY KEY,
    key_id     TEXT NOT NULL,
    erased_at  INTEGER NOT NULL
) STRICT;

-- What every run changed, so that it can be undone in reverse. No words of people.
CREATE TABLE effects (
    trace_id  TEXT NOT NULL REFERENCES runs,
    ordinal   INTEGER NOT NULL,
    kind      TEXT NOT NULL CHECK (kind IN ('insert', 'add_sources', 'activate', 'supersede', 'dispute')),
    memory_id TEXT NOT NULL,
    other_id  TEXT,
    detail    TEXT NOT NULL,
    PRIMARY KEY (trace_id, ordinal)
) STRICT;
CREATE INDEX effects_of_memory ON effects (memory_id);

CREATE TABLE audit (
    audit_id   TEXT PRIMARY KEY,
    event_type TEXT NOT NULL CHECK (event_type IN ('insert', 'merge', 'supersede', 'update', 'forget', 'delete', 'restore',
        'dispute', 'settle', 'suppress', 'lift', 'erase', 'entity_merge', 'feedback', 'stage', 'swap', 'rollback', 'key_create', 'key_rotate',
        'key_revoke')),
    namespace  TEXT NOT NULL,
    -- Absent where it is about no scope: keys, and the erasure of somebody of whom there was none.
    scope_id   INTEGER,
    memory_id  TEXT,
    actor      TEXT NOT NULL,
    trace_id   TEXT,
    at         INTEGER NOT NULL,
    reason     TEXT,
    before     TEXT,
    after      TEXT,
    verdict    TEXT
) STRICT;
CREATE INDEX audit_of_memory ON audit (memory_id, at);
CREATE INDEX audit_of_scope ON audit (scope_id, at);
CREATE INDEX audit_newest ON audit (namespace, at, audit_id);
CREATE INDEX audit_of_person ON audit (namespace, actor) WHERE actor LIKE 'user:%';

-- The one change a row takes is its own redaction: every word out, or who it was that acted; everything else as it was.
CREATE TRIGGER audit_rows_stay BEFORE UPDATE ON audit WHEN
    ((NEW.before IS NOT OLD.before OR NEW.after IS NOT OLD.after OR NEW.verdict IS NOT OLD.verdict) AND (
        NEW.before IS NOT CASE WHEN OLD.before IS NULL THEN NULL ELSE json_object('redacted', 1, 'status', OLD.before ->> 'status') END
        OR NEW.after IS NOT CASE WHEN OLD.after IS NULL THEN NULL ELSE json_object('redacted', 1, 'status', OLD.after ->> 'status') END
        OR NEW.verdict IS NOT CASE WHEN OLD.verdict IS NULL THEN NULL ELSE json_object('redacted', 1, 'status', OLD.verdict ->> 'status') END))
    OR (NEW.reason IS NOT OLD.reason AND NEW.reason IS NOT NULL)
    OR (NEW.actor <> OLD.actor AND NOT (OLD.actor LIKE 'user:%' AND NEW.actor = 'user:erased'))
    OR NEW.audit_id <> OLD.audit_id OR NEW.event_type <> OLD.event_type OR NEW.namespace <> OLD.namespace
    OR NEW.scope_id IS NOT OLD.scope_id OR NEW.memory_id IS NOT OLD.memory_id OR NEW.trace_id IS NOT OLD.trace_id
    OR NEW.at <> OLD.at
BEGIN SELECT RAISE(ABORT, 'audit rows are append-only'); END;
CREATE TRIGGER audit_stays BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'audit rows are append-only'); END;

-- Calls that wait, in the order of their session; the embedded queue is this table.
CREATE TABLE parked (
    seq         INTEGER PRIMARY KEY AUTOINCREMENT,
    trace_id    TEXT NOT NULL UNIQUE,
    namespace   TEXT NOT NULL,
    owner       TEXT,
    session_key TEXT NOT NULL,
    slot        INTEGER NOT NULL,
    lane        TEXT NOT NULL CHECK (lane IN ('live', 'bulk')),
    body        BLOB NOT NULL,
    attempts    INTEGER NOT NULL,
    not_before  INTEGER NOT NULL,
    revision    INTEGER NOT NULL,
    why         TEXT NOT NULL,
    parked_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX parked_session ON parked (session_key, seq);
CREATE INDEX parked_newest ON parked (namespace, parked_at, trace_id);

CREATE TABLE dead_letters (
    id        TEXT PRIMARY KEY,
    namespace TEXT,
    owner     TEXT,
    class     TEXT NOT NULL,
    reason    TEXT NOT NULL,
    attempts  INTEGER NOT NULL,
    body      BLOB NOT NULL,
    died_at   INTEGER NOT NULL,
    -- The reprocessing run its call belongs to.
    batch_id  TEXT
) STRICT;
CREATE INDEX dead_letters_newest ON dead_letters (died_at, id);
CREATE INDEX dead_letters_of_namespace ON dead_letters (namespace, died_at, id);
CREATE INDEX dead_letters_of_batch ON dead_letters (batch_id) WHERE batch_id IS NOT NULL;

-- Attempts that began; a row left behind is one that never ended.
CREATE TABLE attempts (
    attempt  INTEGER PRIMARY KEY,
    trace_id TEXT NOT NULL,
    alone    INTEGER NOT NULL CHECK (alone IN (0, 1)),
    began_at INTEGER NOT NULL
) STRICT;
CREATE INDEX attempts_of_trace ON attempts (trace_id);

-- What happened to calls that did not go through at once, and what was decided about them: ids and reasons, never words.
-- The same failure several times in a row is one row.
CREATE TABLE call_events (
    seq       INTEGER PRIMARY KEY AUTOINCREMENT,
    call_id   TEXT NOT NULL,
    namespace TEXT,
    event     TEXT NOT NULL CHECK (event IN ('failed', 'died', 'requeued', 'dropped')),
    class     TEXT NOT NULL,
    reason    TEXT NOT NULL,
    actor     TEXT NOT NULL,
    times     INTEGER NOT NULL,
    first_at  INTEGER NOT NULL,
    last_at   INTEGER NOT NULL,
    -- The reprocessing run whose call was dropped on arrival.
    batch_id  TEXT
) STRICT;
CREATE INDEX call_events_of_call ON call_events (call_id, seq);
CREATE INDEX call_events_oldest ON call_events (last_at);
CREATE INDEX call_events_of_batch ON call_events (batch_id) WHERE batch_id IS NOT NULL;

-- Reprocessing runs: one command over archives. No words of people and no ids of theirs: what the archives are is told by hashes.
CREATE TABLE batches (
    batch_id     TEXT PRIMARY KEY,
    namespace    TEXT NOT NULL,
    status       TEXT NOT NULL CHECK (status IN ('running', 'paused', 'cancelled', 'done')),
    spec         TEXT NOT NULL,
    -- Equal for the same command, so that it finds its run again.
    command_hash TEXT NOT NULL,
    archive_hash TEXT NOT NULL,
    -- What the archives hold.
    calls        INTEGER NOT NULL,
    turns        INTEGER NOT NULL,
    -- The checkpoint: so many calls from the beginning came to their end, so many of them were there before the run.
    settled      INTEGER NOT NULL DEFAULT 0,
    known        INTEGER NOT NULL DEFAULT 0,
    actor        TEXT NOT NULL,
    -- Who moved it last (paused, resumed, cancelled), and why.
    moved_by     TEXT,
    reason       TEXT,
    created_at   INTEGER NOT NULL,
    changed_at   INTEGER NOT NULL,
    ended_at     INTEGER
) STRICT;
CREATE INDEX batches_newest ON batches (namespace, created_at, batch_id);
CREATE INDEX batches_open ON batches (namespace, command_hash) WHERE ended_at IS NULL;

-- Sessions as a reprocessing run knows them; live ones are neither read nor written by it. Gone when the run is
-- done; those of a cancelled one go over to the next run of its command, or are gone after 14 days.
CREATE TABLE batch_sessions (
    batch_id   TEXT NOT NULL,
    session_pk INTEGER NOT NULL,
    scope_id   INTEGER NOT NULL,
    version    INTEGER NOT NULL,
    last_turns TEXT NOT NULL,
    ring       TEXT NOT NULL,
    PRIMARY KEY (batch_id, session_pk),
    CONSTRAINT batch_sessions_session FOREIGN KEY (session_pk, scope_id) REFERENCES sessions (session_pk, scope_id)
) STRICT;
CREATE INDEX batch_sessions_of_session ON batch_sessions (session_pk);

-- Turns a reprocessing run has read. Gone with its sessions.
CREATE TABLE batch_turns (
    batch_id   TEXT NOT NULL,
    session_pk INTEGER NOT NULL,
    turn_id    TEXT NOT NULL,
    PRIMARY KEY (batch_id, session_pk, turn_id)
) STRICT;
CREATE INDEX batch_turns_of_session ON batch_turns (session_pk);

CREATE TABLE workers (
    worker     TEXT PRIMARY KEY,
    version    TEXT NOT NULL,
    in_flight  INTEGER NOT NULL,
    partitions TEXT NOT NULL,
    report     TEXT NOT NULL,
    began_at   INTEGER NOT NULL,
    seen_at    INTEGER NOT NULL
) STRICT;

-- Numbers of partitions, one after the other, and how far the change from one to the next is.
CREATE TABLE fleet (
    generation INTEGER PRIMARY KEY,
    partitions INTEGER NOT NULL CHECK (partitions > 0),
    stage      TEXT NOT NULL CHECK (stage IN ('open', 'closed', 'marked', 'read', 'gone')),
    created_at INTEGER NOT NULL,
    stage_at   INTEGER NOT NULL
) STRICT;

-- Partitions that were read to their end while the number changes.
CREATE TABLE fleet_ends (
    generation INTEGER NOT NULL,
    lane       TEXT NOT NULL,
    partition  INTEGER NOT NULL,
    PRIMARY KEY (generation, lane, partition)
) STRICT;

-- Processes that send calls, and the oldest generation each may still send into.
CREATE TABLE doors (
    door       TEXT PRIMARY KEY,
    generation INTEGER NOT NULL,
    seen_at    INTEGER NOT NULL
) STRICT;

-- What each key id stood for when it was first used, as a hash made with it: a process with another secret under the same id would
-- recognise no deleted claim and no known turn.
CREATE TABLE hash_keys (
    key_id     TEXT PRIMARY KEY,
    proof      TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

-- Keys of callers. Of a secret only its keyed hash is kept; of one that signs tokens of users only the salt it is derived with, too.
-- Rows stay: a revoked key is shown, and an installation that ever had a key is never open.
CREATE TABLE api_keys (
    key_id       TEXT PRIMARY KEY,
    -- '*' is every one.
    namespace    TEXT NOT NULL,
    role         TEXT NOT NULL CHECK (role IN ('service', 'support', 'detector', 'agent', 'admin', 'issuer')),
    label        TEXT NOT NULL,
    prefix       TEXT NOT NULL,
    secret_hash  TEXT NOT NULL,
    hash_key     TEXT NOT NULL,
    salt         TEXT,
    -- The secret before the last rotation, and until when it is still taken.
    former_hash  TEXT,
    former_key   TEXT,
    former_salt  TEXT,
    former_until INTEGER,
    created_at   INTEGER NOT NULL,
    created_by   TEXT NOT NULL,
    expires_at   INTEGER,
    revoked_at   INTEGER,
    last_used_at INTEGER
) STRICT;
CREATE INDEX api_keys_newest ON api_keys (created_at, key_id);
