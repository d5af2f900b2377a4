//! What every table holds: by which key what belongs to a person is found in it, or why there is nothing to find; and by which columns a
//! statement is bound to a tenant. Erasure, fences and the
//! table of the documentation are tested against this list.

/// What a table holds of people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Personal {
    /// Words or ids of people, found by this.
    FoundBy(&'static str),
    /// None, because.
    Nothing(&'static str),
}

/// Which statements may touch a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    /// Rows of tenants: a statement names one of these columns, each of which leads to one tenant alone.
    To(&'static [&'static str]),
    /// Rows of nobody.
    Free,
}

/// A table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Declared {
    pub(crate) name: &'static str,
    pub(crate) personal: Personal,
    pub(crate) bound: Bound,
}

const fn holds(name: &'static str, by: &'static str, bound: &'static [&'static str]) -> Declared {
    Declared { name, personal: Personal::FoundBy(by), bound: Bound::To(bound) }
}

const fn tenants_only(name: &'static str, because: &'static str, bound: &'static [&'static str]) -> Declared {
    Declared { name, personal: Personal::Nothing(because), bound: Bound::To(bound) }
}

const fn nobodys(name: &'static str, because: &'static str) -> Declared {
    Declared { name, personal: Personal::Nothing(because), bound: Bound::Free }
}

/// Every table but the one in which migrations are noted.
pub(crate) const TABLES: &[Declared] = &[
    tenants_only("namespaces", "settings of a tenant", &["namespace"]),
    holds("scopes", "namespace, owner", &["namespace", "key", "scope_id"]),
    holds("sessions", "scope_id", &["scope_id", "session_pk"]),
    holds("turns", "session_pk of the person's sessions; speaker, in scopes of accounts", &["scope_id", "session_pk"]),
    holds("bindings", "namespace, holder", &["namespace"]),
    nobodys("extractors", "names of models and prompts"),
    tenants_only(
        "runs",
        "numbers and hashes; whose they are is said by the scope",
        &["namespace", "scope_id", "trace_id", "batch_id"],
    ),
    holds("run_details", "trace_id of the person's runs", &["trace_id"]),
    holds("spans", "trace_id of the person's runs", &["trace_id"]),
    holds("entities", "scope_id", &["scope_id", "entity_id"]),
    holds("entity_aliases", "entity_id of the person's entities", &["entity_id"]),
    holds("names_said", "scope_id", &["scope_id", "entity_id", "trace_id"]),
    holds("memories", "scope_id", &["namespace", "scope_id", "memory_id"]),
    holds("sources", "memory_id of the person's memories", &["scope_id", "memory_id", "trace_id"]),
    holds("statements", "memory_id of the person's memories", &["scope_id", "memory_id", "trace_id"]),
    holds("staged_calls", "scope_id", &["namespace", "scope_id", "trace_id"]),
    tenants_only("calls_aside", "ids of calls and runs", &["scope_id", "trace_id"]),
    holds("swapped_places", "memory_id of the person's memories", &["scope_id", "memory_id"]),
    holds("disputes", "memory_id of the person's memories", &["scope_id", "memory_id", "with_id"]),
    holds("suppressions", "scope_id", &["scope_id", "suppression_id"]),
    holds("entity_merges", "scope_id", &["scope_id", "from_id"]),
    tenants_only(
        "erasures",
        "keyed hashes of owners and of names they spoke under, which is what keeps words of before away",
        &["owner_hash"],
    ),
    holds("effects", "trace_id of the person's runs", &["trace_id", "memory_id"]),
    holds("audit", "scope_id; namespace, actor", &["namespace", "scope_id", "memory_id"]),
    holds("parked", "namespace, owner", &["namespace", "session_key", "trace_id"]),
    holds("dead_letters", "namespace, owner", &["namespace", "id", "batch_id"]),
    tenants_only("batches", "hashes and counts of commands", &["namespace", "batch_id"]),
    holds("batch_sessions", "scope_id", &["batch_id", "scope_id", "session_pk"]),
    holds("batch_turns", "session_pk of the person's sessions", &["batch_id", "session_pk"]),
    // The one table of tenants without a row-level policy: an id of a call and a mark, no word and no owner. The queue, which is one for
    // all, writes it before anybody has looked whose the call is.
    holds("attempts", "trace_id of the person's parked calls", &["trace_id"]),
    tenants_only(
        "call_events",
        "ids of calls, classes and reasons, never words",
        &["namespace", "call_id", "batch_id"],
    ),
    tenants_only("api_keys", "keys of programs and the names people gave them", &["key_id", "namespace"]),
    nobodys("workers", "processes of the fleet"),
    nobodys("fleet", "numbers of partitions"),
    nobodys("fleet_ends", "numbers of partitions"),
    nobodys("doors", "processes of the fleet"),
    nobodys("hash_keys", "hashes made with the keys themselves"),
];

/// The table of a name.
pub(crate) fn declared(name: &str) -> Option<&'static Declared> {
    TABLES.iter().find(|table| table.name == name)
}
