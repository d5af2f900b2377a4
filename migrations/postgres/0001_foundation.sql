-- Instants are BIGINT microseconds UTC; `_offset` is the speaker's offset in seconds where it matters.
-- Views named `*_readable` show the same rows to people with timestamptz.

CREATE TABLE namespaces (
    namespace  TEXT COLLATE "C" PRIMARY KEY,
    settings   JSONB NOT NULL,
    updated_at BIGINT NOT NULL
);

CREATE TABLE scopes (
    scope_id   BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key        TEXT COLLATE "C" NOT NULL UNIQUE,
    namespace  TEXT COLLATE "C" NOT NULL,
    owner_kind TEXT NOT NULL CHECK (owner_kind IN ('user', 'account')),
    owner      TEXT COLLATE "C" NOT NULL,
    agent      TEXT COLLATE "C" NOT NULL,
    -- Moved by every commit; memories carry the revision that changed them last.
    revision   BIGINT NOT NULL DEFAULT 0,
    -- The revision of the last delete, suppress, lift, forget, restore, swap, entity merge or settle.
    epoch      BIGINT NOT NULL DEFAULT 0 CHECK (epoch <= revision),
    created_at BIGINT NOT NULL
);
CREATE INDEX scopes_owner ON scopes (namespace, owner_kind, owner);

CREATE TABLE sessions (
    session_pk     BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    scope_id       BIGINT NOT NULL REFERENCES scopes,
    session_id     TEXT COLLATE "C" NOT NULL,
    version        BIGINT NOT NULL,
    last_turns     JSONB NOT NULL,
    ring           JSONB NOT NULL,
    window_expires BIGINT NOT NULL,
    created_at     BIGINT NOT NULL,
    UNIQUE (scope_id, session_id),
    UNIQUE (session_pk, scope_id)
);
CREATE INDEX sessions_window ON sessions (window_expires) WHERE last_turns <> '[]' OR ring <> '[]';

-- The scope of a session is one, so the key below also keeps (session_pk, turn_id) unique.
CREATE TABLE turns (
    session_pk   BIGINT NOT NULL,
    turn_id      TEXT COLLATE "C" NOT NULL,
    scope_id     BIGINT NOT NULL,
    role         TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'system', 'tool')),
    speaker      TEXT,
    said_at      BIGINT,
    said_offset  BIGINT,
    at_source    TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    hash_key     TEXT NOT NULL,
    CONSTRAINT turns_key PRIMARY KEY (session_pk, turn_id, scope_id),
    CONSTRAINT turns_session FOREIGN KEY (session_pk, scope_id) REFERENCES sessions (session_pk, scope_id)
);

-- In scopes of accounts a person is found by the name they speak under.
CREATE INDEX turns_of_speaker ON turns (speaker, scope_id) WHERE speaker IS NOT NULL;

-- Ids that the namespace wants to be unique, and who holds them.
CREATE TABLE bindings (
    namespace TEXT COLLATE "C" NOT NULL,
    kind      TEXT NOT NULL CHECK (kind IN ('session', 'turn')),
    id        TEXT COLLATE "C" NOT NULL,
    holder    TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (namespace, kind, id)
);

CREATE TABLE extractors (
    extractor                TEXT COLLATE "C" PRIMARY KEY,
    provider                 TEXT NOT NULL,
    model                    TEXT NOT NULL,
    model_version_hash       TEXT NOT NULL,
    extractor_schema_version BIGINT NOT NULL,
    prompt_name              TEXT NOT NULL,
    prompt_version           TEXT NOT NULL,
    prompt_sha256            TEXT NOT NULL
);

-- One row a run, for ever: a redelivered call meets it.
CREATE TABLE runs (
    trace_id          TEXT COLLATE "C" CONSTRAINT runs_once PRIMARY KEY,
    namespace         TEXT COLLATE "C" NOT NULL,
    scope_id          BIGINT NOT NULL,
    session_pk        BIGINT NOT NULL,
    session_version   BIGINT NOT NULL,
    extractor         TEXT COLLATE "C" REFERENCES extractors,
    accepted_at       BIGINT NOT NULL,
    accepted_offset   BIGINT NOT NULL,
    ran_at            BIGINT NOT NULL,
    committed_at      BIGINT NOT NULL,
    attempt           BIGINT NOT NULL,
    turn_count        BIGINT NOT NULL,
    candidate_count   BIGINT NOT NULL,
    stored_count      BIGINT NOT NULL,
    model_calls       BIGINT NOT NULL,
    prompt_tokens     BIGINT NOT NULL,
    completion_tokens BIGINT NOT NULL,
    cost_micros       BIGINT NOT NULL,
    call_hash         TEXT COLLATE "C" NOT NULL,
    hash_key          TEXT COLLATE "C" NOT NULL,
    -- The revision of its scope that its commit made.
    revision          BIGINT NOT NULL,
    -- Taken back by an operator; nothing it said counts until it is restored.
    forgotten_at      BIGINT,
    -- The reprocessing run it belongs to.
    batch_id          TEXT COLLATE "C",
    CONSTRAINT runs_session FOREIGN KEY (session_pk, scope_id) REFERENCES sessions (session_pk, scope_id)
);
CREATE INDEX runs_newest ON runs (namespace, committed_at, trace_id);
CREATE INDEX runs_scope ON runs (scope_id, committed_at);
CREATE INDEX runs_of_batch ON runs (batch_id) WHERE batch_id IS NOT NULL;

CREATE TABLE run_details (
    trace_id    TEXT COLLATE "C" PRIMARY KEY REFERENCES runs,
    expires_at  BIGINT NOT NULL,
    traceparent TEXT,
    turns       JSONB NOT NULL,
    verdicts    JSONB NOT NULL,
    notes       JSONB NOT NULL
);
CREATE INDEX run_details_expiry ON run_details (expires_at);

CREATE TABLE spans (
    trace_id   TEXT COLLATE "C" NOT NULL,
    ordinal    BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    stage      TEXT NOT NULL,
    started_ns BIGINT NOT NULL,
    took_ns    BIGINT NOT NULL,
    items      BIGINT NOT NULL,
    dropped    JSONB NOT NULL,
    PRIMARY KEY (trace_id, ordinal, expires_at)
) PARTITION BY RANGE (expires_at);
CREATE TABLE spans_default PARTITION OF spans DEFAULT;

CREATE TABLE entities (
    entity_id   TEXT COLLATE "C" PRIMARY KEY,
    scope_id    BIGINT NOT NULL REFERENCES scopes,
    name        TEXT NOT NULL,
    name_key    TEXT COLLATE "C" NOT NULL,
    kind        TEXT NOT NULL,
    merged_into TEXT COLLATE "C",
    created_at  BIGINT NOT NULL,
    -- 1 while nobody knows it: no call that speaks of it counts, or its name is erased.
    waits       BIGINT NOT NULL DEFAULT 0 CHECK (waits IN (0, 1)),
    -- 1 once a person gave it name or kind; those stay.
    by_hand     BIGINT NOT NULL DEFAULT 0 CHECK (by_hand IN (0, 1)),
    CONSTRAINT entities_scope UNIQUE (entity_id, scope_id),
    CONSTRAINT entities_merged FOREIGN KEY (merged_into, scope_id) REFERENCES entities (entity_id, scope_id)
);
CREATE INDEX entities_of_scope ON entities (scope_id);
CREATE UNIQUE INDEX entities_one_name ON entities (scope_id, name_key) WHERE merged_into IS NULL;

-- Other names that are known now: of calls that count, and (by_hand = 1) of people.
CREATE TABLE entity_aliases (
    entity_id TEXT COLLATE "C" NOT NULL REFERENCES entities,
    alias_key TEXT COLLATE "C" NOT NULL,
    alias     TEXT NOT NULL,
    by_hand   BIGINT NOT NULL DEFAULT 0 CHECK (by_hand IN (0, 1)),
    PRIMARY KEY (entity_id, alias_key)
);

-- What each call calls whom: the name with what it takes it for, then other names (without a kind). Names and kinds of entities are worked
-- out again from these whenever calls are taken back or restored.
CREATE TABLE names_said (
    trace_id  TEXT COLLATE "C" NOT NULL REFERENCES runs,
    ordinal   BIGINT NOT NULL,
    scope_id  BIGINT NOT NULL,
    entity_id TEXT COLLATE "C" NOT NULL,
    name      TEXT NOT NULL,
    name_key  TEXT COLLATE "C" NOT NULL,
    kind      TEXT,
    PRIMARY KEY (trace_id, ordinal),
    CONSTRAINT names_said_entity FOREIGN KEY (entity_id, scope_id) REFERENCES entities (entity_id, scope_id)
);
CREATE INDEX names_said_of_scope ON names_said (scope_id);
CREATE INDEX names_said_of_entity ON names_said (entity_id);

CREATE TABLE memories (
    memory_id          TEXT COLLATE "C" PRIMARY KEY,
    scope_id           BIGINT NOT NULL,
    namespace          TEXT COLLATE "C" NOT NULL,
    session_pk         BIGINT NOT NULL,
    -- I-4: the ordinal of one of its sources; checked at commit, so no memory is ever without one.
    anchor_source      BIGINT NOT NULL,
    content            TEXT NOT NULL,
    memory_type        TEXT NOT NULL CHECK (memory_type IN ('fact', 'preference', 'event', 'relation')),
    subject_id         TEXT COLLATE "C" NOT NULL,
    attribute          TEXT COLLATE "C" NOT NULL,
    value              TEXT NOT NULL,
    object_id          TEXT COLLATE "C",
    polarity           TEXT NOT NULL CHECK (polarity IN ('positive', 'negative')),
    confidence         DOUBLE PRECISION NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    importance         DOUBLE PRECISION NOT NULL CHECK (importance BETWEEN 0 AND 1),
    language           TEXT,
    event_at           BIGINT,
    event_at_offset    BIGINT,
    event_until        BIGINT,
    event_until_offset BIGINT,
    precision          TEXT NOT NULL,
    status             TEXT NOT NULL CHECK (status IN ('active', 'superseded', 'disputed', 'expired')),
    single_valued      BIGINT NOT NULL CHECK (single_valued IN (0, 1)),
    valid_from         BIGINT,
    valid_from_offset  BIGINT,
    valid_until        BIGINT,
    valid_until_offset BIGINT,
    superseded_by      TEXT COLLATE "C",
    deleted_at         BIGINT,
    expires_at         BIGINT,
    expires_at_offset  BIGINT,
    metadata           JSONB NOT NULL,
    created_at         BIGINT NOT NULL,
    last_accessed_at   BIGINT,
    access_count       BIGINT NOT NULL,
    claim_key          TEXT COLLATE "C" NOT NULL,
    occurrence         TEXT COLLATE "C" NOT NULL,
    extractor          TEXT COLLATE "C" NOT NULL REFERENCES extractors,
    extracted_at       BIGINT NOT NULL,
    trace_id           TEXT COLLATE "C" NOT NULL REFERENCES runs,
    changed_revision   BIGINT NOT NULL,
    -- Why it is gone on its own account. Where it is absent beside deleted_at, every call that said it is taken back, or another
    -- memory tells its claim (superseded_by). What is deleted is so for good.
    gone               TEXT CHECK (gone IN ('forgotten', 'suppressed', 'deleted')),
    -- What a person set beside the claim (metadata, expires_at): it stays whichever call tells the memory.
    edits              JSONB NOT NULL DEFAULT '{}',
    CONSTRAINT memories_scope UNIQUE (memory_id, scope_id),
    CONSTRAINT memories_session FOREIGN KEY (session_pk, scope_id) REFERENCES sessions (session_pk, scope_id),
    CONSTRAINT memories_subject FOREIGN KEY (subject_id, scope_id) REFERENCES entities (entity_id, scope_id),
    CONSTRAINT memories_object FOREIGN KEY (object_id, scope_id) REFERENCES entities (entity_id, scope_id),
    CONSTRAINT memories_superseded_by FOREIGN KEY (superseded_by, scope_id) REFERENCES memories (memory_id, scope_id)
        DEFERRABLE INITIALLY DEFERRED
);

-- I-5: a source names a turn and a memory of its own scope, or it is refused.
CREATE TABLE sources (
    memory_id   TEXT COLLATE "C" NOT NULL,
    ordinal     BIGINT NOT NULL,
    scope_id    BIGINT NOT NULL,
    session_pk  BIGINT NOT NULL,
    turn_id     TEXT COLLATE "C" NOT NULL,
    trace_id    TEXT COLLATE "C" NOT NULL REFERENCES runs,
    origin      TEXT NOT NULL CHECK (origin IN ('window', 'call')),
    quote       TEXT NOT NULL,
    start_char  BIGINT NOT NULL CHECK (start_char >= 0),
    end_char    BIGINT NOT NULL,
    -- 1 while the call that brought it is taken back: it stays for restoring, and does not count.
    withdrawn   BIGINT NOT NULL DEFAULT 0 CHECK (withdrawn IN (0, 1)),
    PRIMARY KEY (memory_id, ordinal),
    CHECK (end_char >= start_char),
    CONSTRAINT sources_memory FOREIGN KEY (memory_id, scope_id) REFERENCES memories (memory_id, scope_id),
    CONSTRAINT sources_turn FOREIGN KEY (session_pk, turn_id, scope_id) REFERENCES turns (session_pk, turn_id, scope_id)
);
CREATE INDEX sources_of_turn ON sources (session_pk, turn_id);
CREATE INDEX sources_of_trace ON sources (trace_id);

-- What each call said of a memory, as the memory it would be alone: the state of memories is judged again from these whenever
-- calls are taken back or restored.
CREATE TABLE statements (
    trace_id   TEXT COLLATE "C" NOT NULL REFERENCES runs,
    ordinal    BIGINT NOT NULL,
    memory_id  TEXT COLLATE "C" NOT NULL,
    scope_id   BIGINT NOT NULL,
    said       JSONB NOT NULL,
    turn_place BIGINT NOT NULL,
    char_place BIGINT NOT NULL,
    -- The memory a person put this claim in the place of.
    replaces   TEXT COLLATE "C",
    PRIMARY KEY (trace_id, ordinal),
    CONSTRAINT statements_memory FOREIGN KEY (memory_id, scope_id) REFERENCES memories (memory_id, scope_id)
);
CREATE INDEX statements_of_memory ON statements (memory_id);

-- The calls of reprocessing runs that stand beside what live calls said, and the turns each of them read.
CREATE TABLE staged_calls (
    trace_id   TEXT COLLATE "C" PRIMARY KEY REFERENCES runs,
    namespace  TEXT COLLATE "C" NOT NULL,
    batch      TEXT COLLATE "C" NOT NULL,
    scope_id   BIGINT NOT NULL,
    session_pk BIGINT NOT NULL,
    turn_ids   JSONB NOT NULL,
    CONSTRAINT staged_calls_session FOREIGN KEY (session_pk, scope_id) REFERENCES sessions (session_pk, scope_id)
);
CREATE INDEX staged_calls_of_batch ON staged_calls (batch, scope_id);
CREATE INDEX staged_calls_of_scope ON staged_calls (scope_id);

-- Calls that do not count because of a run: its own while it waits to be swapped in, else those whose turns it read again. A call
-- may be set aside by several runs.
CREATE TABLE calls_aside (
    trace_id TEXT COLLATE "C" NOT NULL REFERENCES runs,
    batch    TEXT COLLATE "C" NOT NULL,
    scope_id BIGINT NOT NULL,
    PRIMARY KEY (trace_id, batch)
);
CREATE INDEX calls_aside_of_scope ON calls_aside (scope_id, batch);

-- What had taken the place of a memory before a run was swapped in, and what took it then, for the rollback: it may be deleted for good
-- meanwhile.
CREATE TABLE swapped_places (
    batch              TEXT COLLATE "C" NOT NULL,
    memory_id          TEXT COLLATE "C" NOT NULL,
    scope_id           BIGINT NOT NULL,
    superseded_by      TEXT COLLATE "C",
    became             TEXT COLLATE "C",
    valid_until        BIGINT,
    valid_until_offset BIGINT,
    PRIMARY KEY (batch, memory_id),
    CONSTRAINT swapped_places_memory FOREIGN KEY (memory_id, scope_id) REFERENCES memories (memory_id, scope_id)
);
CREATE INDEX swapped_places_of_memory ON swapped_places (memory_id);
CREATE INDEX swapped_places_of_scope ON swapped_places (scope_id, batch);

ALTER TABLE memories ADD CONSTRAINT memories_have_a_source FOREIGN KEY (memory_id, anchor_source)
    REFERENCES sources (memory_id, ordinal) DEFERRABLE INITIALLY DEFERRED;

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
    memory_id        TEXT COLLATE "C" NOT NULL,
    with_id          TEXT COLLATE "C",
    scope_id         BIGINT NOT NULL,
    -- The run that met the contradiction; absent where somebody raised a doubt.
    trace_id         TEXT COLLATE "C" REFERENCES runs,
    opened_at        BIGINT NOT NULL,
    opened_revision  BIGINT NOT NULL,
    settled_at       BIGINT,
    settled_revision BIGINT,
    -- Which of the two counts since.
    kept             TEXT COLLATE "C",
    CHECK (memory_id <> with_id),
    CONSTRAINT disputes_memory FOREIGN KEY (memory_id, scope_id) REFERENCES memories (memory_id, scope_id),
    CONSTRAINT disputes_with FOREIGN KEY (with_id, scope_id) REFERENCES memories (memory_id, scope_id)
);
CREATE UNIQUE INDEX disputes_once ON disputes (memory_id, coalesce(with_id, ''));
CREATE INDEX disputes_with_id ON disputes (with_id);

-- What a person deleted, as keyed hashes.
CREATE TABLE suppressions (
    suppression_id TEXT COLLATE "C" PRIMARY KEY,
    scope_id       BIGINT NOT NULL REFERENCES scopes,
    entities       JSONB NOT NULL,
    polarity       TEXT NOT NULL CHECK (polarity IN ('positive', 'negative')),
    attribute      TEXT NOT NULL,
    parts          JSONB NOT NULL,
    normaliser     BIGINT NOT NULL,
    key_id         TEXT NOT NULL,
    created_at     BIGINT NOT NULL,
    lifted_at      BIGINT
);
CREATE INDEX suppressions_scope ON suppressions (scope_id) WHERE lifted_at IS NULL;

-- What merging two entities moved, so that they can be taken apart.
CREATE TABLE entity_merges (
    from_id   TEXT COLLATE "C" PRIMARY KEY REFERENCES entities,
    into_id   TEXT COLLATE "C" NOT NULL REFERENCES entities,
    scope_id  BIGINT NOT NULL,
    moved     JSONB NOT NULL,
    merged_at BIGINT NOT NULL
);

-- Owners that were erased, and names they spoke under in scopes of accounts, as keyed hashes: what was accepted before is dropped.
CREATE TABLE erasures (
    owner_hash TEXT COLLATE "C" PRIMARY KEY,
    key_id     TEXT NOT NULL,
    erased_at  BIGINT NOT NULL
);

-- What every run changed, so that it can be undone in reverse. No words of people.
CREATE TABLE effects (
    trace_id  TEXT COLLATE "C" NOT NULL REFERENCES runs,
    ordinal   BIGINT NOT NULL,
    kind      TEXT NOT NULL CHECK (kind IN ('insert', 'add_sources', 'activate', 'supersede', 'dispute')),
    memory_id TEXT COLLATE "C" NOT NULL,
    other_id  TEXT COLLATE "C",
    detail    JSONB NOT NULL,
    PRIMARY KEY (trace_id, ordinal)
);
CREATE INDEX effects_of_memory ON effects (memory_id);

CREATE TABLE audit (
    audit_id   TEXT COLLATE "C" PRIMARY KEY,
    event_type TEXT NOT NULL CHECK (event_type IN ('insert', 'merge', 'supersede', 'update', 'forget', 'delete', 'restore',
        'dispute', 'settle', 'suppress', 'lift', 'erase', 'entity_merge', 'feedback', 'stage', 'swap', 'rollback', 'key_create', 'key_rotate',
        'key_revoke')),
    namespace  TEXT COLLATE "C" NOT NULL,
    -- Absent where it is about no scope: keys, and the erasure of somebody of whom there was none.
    scope_id   BIGINT,
    memory_id  TEXT COLLATE "C",
    actor      TEXT NOT NULL,
    trace_id   TEXT COLLATE "C",
    at         BIGINT NOT NULL,
    reason     TEXT,
    before     JSONB,
    after      JSONB,
    verdict    JSONB
);
CREATE INDEX audit_of_memory ON audit (memory_id, at);
CREATE INDEX audit_of_scope ON audit (scope_id, at);
CREATE INDEX audit_newest ON audit (namespace, at, audit_id);
CREATE INDEX audit_of_person ON audit (namespace, actor) WHERE actor LIKE 'user:%';

-- What is left of a document of the audit log once its words are taken out.
CREATE FUNCTION audit_redacted(document JSONB) RETURNS JSONB LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN document IS NULL THEN NULL ELSE jsonb_build_object('redacted', 1, 'status', document -> 'status') END
$$;
CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit rows are append-only' USING ERRCODE = 'restrict_violation';
END $$;
-- The one change a row takes is its own redaction: every word out, or who it was that acted; everything else as it was.
CREATE FUNCTION audit_takes_redaction_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF ((NEW.before, NEW.after, NEW.verdict) IS DISTINCT FROM
            (audit_redacted(OLD.before), audit_redacted(OLD.after), audit_redacted(OLD.verdict))
            AND (NEW.before, NEW.after, NEW.verdict) IS DISTINCT FROM (OLD.before, OLD.after, OLD.verdict))
        OR (NEW.reason IS DISTINCT FROM OLD.reason AND NEW.reason IS NOT NULL)
        OR (NEW.actor <> OLD.actor AND NOT (OLD.actor LIKE 'user:%' AND NEW.actor = 'user:erased'))
        OR (NEW.audit_id, NEW.event_type, NEW.namespace, NEW.scope_id, NEW.memory_id, NEW.trace_id, NEW.at) IS DISTINCT FROM
            (OLD.audit_id, OLD.event_type, OLD.namespace, OLD.scope_id, OLD.memory_id, OLD.trace_id, OLD.at) THEN
        RAISE EXCEPTION 'audit rows are append-only' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER audit_rows_stay BEFORE UPDATE ON audit FOR EACH ROW EXECUTE FUNCTION audit_takes_redaction_only();
CREATE TRIGGER audit_rows_are_kept BEFORE DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_is_append_only();
CREATE TRIGGER audit_stays BEFORE TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();

-- Calls that wait, in the order of their session; the embedded queue is this table.
CREATE TABLE parked (
    seq         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    trace_id    TEXT COLLATE "C" NOT NULL UNIQUE,
    namespace   TEXT COLLATE "C" NOT NULL,
    owner       TEXT COLLATE "C",
    session_key TEXT COLLATE "C" NOT NULL,
    slot        BIGINT NOT NULL,
    lane        TEXT NOT NULL CHECK (lane IN ('live', 'bulk')),
    body        BYTEA NOT NULL,
    attempts    BIGINT NOT NULL,
    not_before  BIGINT NOT NULL,
    revision    BIGINT NOT NULL,
    why         TEXT NOT NULL,
    parked_at   BIGINT NOT NULL
);
CREATE INDEX parked_session ON parked (session_key, seq);
CREATE INDEX parked_newest ON parked (namespace, parked_at, trace_id);

CREATE TABLE dead_letters (
    id        TEXT COLLATE "C" PRIMARY KEY,
    namespace TEXT COLLATE "C",
    owner     TEXT COLLATE "C",
    class     TEXT NOT NULL,
    reason    TEXT NOT NULL,
    attempts  BIGINT NOT NULL,
    body      BYTEA NOT NULL,
    died_at   BIGINT NOT NULL,
    -- The reprocessing run its call belongs to.
    batch_id  TEXT COLLATE "C"
);
CREATE INDEX dead_letters_newest ON dead_letters (died_at, id);
CREATE INDEX dead_letters_of_namespace ON dead_letters (namespace, died_at, id);
CREATE INDEX dead_letters_of_batch ON dead_letters (batch_id) WHERE batch_id IS NOT NULL;

-- Attempts that began; a row left behind is one that never ended.
CREATE TABLE attempts (
    attempt  BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    trace_id TEXT COLLATE "C" NOT NULL,
    alone    BIGINT NOT NULL CHECK (alone IN (0, 1)),
    began_at BIGINT NOT NULL
);
CREATE INDEX attempts_of_trace ON attempts (trace_id);

-- What happened to calls that did not go through at once, and what was decided about them: ids and reasons, never words.
-- The same failure several times in a row is one row.
CREATE TABLE call_events (
    seq       BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    call_id   TEXT COLLATE "C" NOT NULL,
    namespace TEXT COLLATE "C",
    event     TEXT NOT NULL CHECK (event IN ('failed', 'died', 'requeued', 'dropped')),
    class     TEXT NOT NULL,
    reason    TEXT NOT NULL,
    actor     TEXT NOT NULL,
    times     BIGINT NOT NULL,
    first_at  BIGINT NOT NULL,
    last_at   BIGINT NOT NULL,
    -- The reprocessing run whose call was dropped on arrival.
    batch_id  TEXT COLLATE "C"
);
CREATE INDEX call_events_of_call ON call_events (call_id, seq);
CREATE INDEX call_events_oldest ON call_events (last_at);
CREATE INDEX call_events_of_batch ON call_events (batch_id) WHERE batch_id IS NOT NULL;

-- Reprocessing runs: one command over archives. No words of people and no ids of theirs: what the archives are is told by hashes.
CREATE TABLE batches (
    batch_id     TEXT COLLATE "C" PRIMARY KEY,
    namespace    TEXT COLLATE "C" NOT NULL,
    status       TEXT NOT NULL CHECK (status IN ('running', 'paused', 'cancelled', 'done')),
    spec         JSONB NOT NULL,
    -- Equal for the same command, so that it finds its run again.
    command_hash TEXT COLLATE "C" NOT NULL,
    archive_hash TEXT COLLATE "C" NOT NULL,
    -- What the archives hold.
    calls        BIGINT NOT NULL,
    turns        BIGINT NOT NULL,
    -- The checkpoint: so many calls from the beginning came to their end, so many of them were there before the run.
    settled      BIGINT NOT NULL DEFAULT 0,
    known        BIGINT NOT NULL DEFAULT 0,
    actor        TEXT NOT NULL,
    -- Who moved it last (paused, resumed, cancelled), and why.
    moved_by     TEXT,
    reason       TEXT,
    created_at   BIGINT NOT NULL,
    changed_at   BIGINT NOT NULL,
    ended_at     BIGINT
);
CREATE INDEX batches_newest ON batches (namespace, created_at, batch_id);
CREATE INDEX batches_open ON batches (namespace, command_hash) WHERE ended_at IS NULL;

-- Sessions as a reprocessing run knows them; live ones are neither read nor written by it. Gone when the run is
-- done; those of a cancelled one go over to the next run of its command, or are gone after 14 days.
CREATE TABLE batch_sessions (
    batch_id   TEXT COLLATE "C" NOT NULL,
    session_pk BIGINT NOT NULL,
    scope_id   BIGINT NOT NULL,
    version    BIGINT NOT NULL,
    last_turns JSONB NOT NULL,
    ring       JSONB NOT NULL,
    PRIMARY KEY (batch_id, session_pk),
    CONSTRAINT batch_sessions_session FOREIGN KEY (session_pk, scope_id) REFERENCES sessions (session_pk, scope_id)
);
CREATE INDEX batch_sessions_of_session ON batch_sessions (session_pk);

-- Turns a reprocessing run has read. Gone with its sessions.
CREATE TABLE batch_turns (
    batch_id   TEXT COLLATE "C" NOT NULL,
    session_pk BIGINT NOT NULL,
    turn_id    TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (batch_id, session_pk, turn_id)
);
CREATE INDEX batch_turns_of_session ON batch_turns (session_pk);

CREATE TABLE workers (
    worker     TEXT COLLATE "C" PRIMARY KEY,
    version    TEXT NOT NULL,
    in_flight  BIGINT NOT NULL,
    partitions JSONB NOT NULL,
    report     JSONB NOT NULL,
    began_at   BIGINT NOT NULL,
    seen_at    BIGINT NOT NULL
);

-- Numbers of partitions, one after the other, and how far the change from one to the next is.
CREATE TABLE fleet (
    generation BIGINT PRIMARY KEY,
    partitions BIGINT NOT NULL CHECK (partitions > 0),
    stage      TEXT NOT NULL CHECK (stage IN ('open', 'closed', 'marked', 'read', 'gone')),
    created_at BIGINT NOT NULL,
    stage_at   BIGINT NOT NULL
);

-- Partitions that were read to their end while the number changes.
CREATE TABLE fleet_ends (
    generation BIGINT NOT NULL,
    lane       TEXT COLLATE "C" NOT NULL,
    partition  BIGINT NOT NULL,
    PRIMARY KEY (generation, lane, partition)
);

-- Processes that send calls, and the oldest generation each may still send into.
CREATE TABLE doors (
    door       TEXT COLLATE "C" PRIMARY KEY,
    generation BIGINT NOT NULL,
    seen_at    BIGINT NOT NULL
);

-- What each key id stood for when it was first used, as a hash made with it: a process with another secret under the same id would
-- recognise no deleted claim and no known turn.
CREATE TABLE hash_keys (
    key_id     TEXT COLLATE "C" PRIMARY KEY,
    proof      TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL
);

-- Keys of callers. Of a secret only its keyed hash is kept; of one that signs tokens of users only the salt it is derived with, too.
-- Rows stay: a revoked key is shown, and an installation that ever had a key is never open.
CREATE TABLE api_keys (
    key_id       TEXT COLLATE "C" PRIMARY KEY,
    -- '*' is every one.
    namespace    TEXT COLLATE "C" NOT NULL,
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
    former_until BIGINT,
    created_at   BIGINT NOT NULL,
    created_by   TEXT NOT NULL,
    expires_at   BIGINT,
    revoked_at   BIGINT,
    last_used_at BIGINT
);
CREATE INDEX api_keys_newest ON api_keys (created_at, key_id);

-- The second fence between tenants. A transaction says whose rows it is about (`recall.namespace`), or by its name which work goes across
-- tenants (`recall.across`: queue, sweep, keys, operator); every statement finds only those rows, also one that forgot its WHERE, also
-- the owner's. Tables without a namespace of their own take it from the transaction that writes the row.
CREATE FUNCTION recall_fence(fenced TEXT) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', fenced);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', fenced);
    -- Selected once a statement, not once a row.
    EXECUTE format($policy$
        CREATE POLICY tenants ON %I USING (
            namespace = (SELECT current_setting('recall.namespace', true))
            OR (SELECT coalesce(current_setting('recall.across', true), '') <> '')
        )$policy$, fenced);
END $$;
DO $$
DECLARE fenced TEXT;
BEGIN
    FOREACH fenced IN ARRAY ARRAY['sessions', 'turns', 'run_details', 'spans', 'entities', 'entity_aliases', 'names_said', 'sources', 'statements',
        'calls_aside', 'swapped_places', 'disputes', 'suppressions', 'entity_merges', 'erasures', 'effects', 'batch_sessions',
        'batch_turns'] LOOP
        EXECUTE format($column$ALTER TABLE %I ADD COLUMN namespace TEXT COLLATE "C" NOT NULL
            DEFAULT nullif(current_setting('recall.namespace', true), '')$column$, fenced);
        PERFORM recall_fence(fenced);
    END LOOP;
    FOREACH fenced IN ARRAY ARRAY['namespaces', 'scopes', 'bindings', 'runs', 'staged_calls', 'memories', 'audit', 'parked', 'dead_letters', 'call_events',
        'api_keys', 'batches'] LOOP
        PERFORM recall_fence(fenced);
    END LOOP;
END $$;
DROP FUNCTION recall_fence(TEXT);
-- Asked for by its own name it gives nothing away; through `spans` the policy of that table holds.
ALTER TABLE spans_default ENABLE ROW LEVEL SECURITY;
ALTER TABLE spans_default FORCE ROW LEVEL SECURITY;

CREATE VIEW memories_readable WITH (security_invoker = true) AS
SELECT m.memory_id, c.namespace, c.owner_kind, c.owner, nullif(c.agent, '') AS agent, s.session_id, m.content,
    m.memory_type, e.name AS subject, m.attribute, m.value, o.name AS object, m.polarity, m.confidence, m.importance,
    to_timestamp(m.event_at / 1e6) AS event_at, to_timestamp(m.event_until / 1e6) AS event_until, m.precision, m.status,
    to_timestamp(m.valid_from / 1e6) AS valid_from, to_timestamp(m.valid_until / 1e6) AS valid_until, m.superseded_by,
    to_timestamp(m.deleted_at / 1e6) AS deleted_at, to_timestamp(m.created_at / 1e6) AS created_at, m.trace_id
FROM memories m
JOIN scopes c ON c.scope_id = m.scope_id
JOIN sessions s ON s.session_pk = m.session_pk
JOIN entities e ON e.entity_id = m.subject_id
LEFT JOIN entities o ON o.entity_id = m.object_id;

CREATE VIEW runs_readable WITH (security_invoker = true) AS
SELECT r.trace_id, c.namespace, c.owner_kind, c.owner, nullif(c.agent, '') AS agent, s.session_id, r.session_version,
    to_timestamp(r.accepted_at / 1e6) AS accepted_at, to_timestamp(r.committed_at / 1e6) AS committed_at, r.attempt,
    r.turn_count, r.candidate_count, r.stored_count, x.model, x.prompt_version, r.model_calls, r.prompt_tokens,
    r.completion_tokens, r.cost_micros
FROM runs r
JOIN scopes c ON c.scope_id = r.scope_id
JOIN sessions s ON s.session_pk = r.session_pk
LEFT JOIN extractors x ON x.extractor = r.extractor;

CREATE VIEW audit_readable WITH (security_invoker = true) AS
SELECT audit_id, event_type, namespace, scope_id, memory_id, actor, trace_id, to_timestamp(at / 1e6) AS at, reason, before,
    after, verdict
FROM audit;
