//! Forms of verbs: what "I" does, told of another.

/// Words that may stand between "I" and its verb.
pub(super) fn is_adverb(word: &str) -> bool {
    const ADVERBS: [&str; 22] = [
        "just",
        "also",
        "always",
        "never",
        "still",
        "often",
        "now",
        "even",
        "both",
        "already",
        "only",
        "sometimes",
        "ever",
        "once",
        "then",
        "too",
        "not",
        "almost",
        "rarely",
        "seldom",
        "kinda",
        "mostly",
    ];
    const VERBS: [&str; 6] = ["rely", "apply", "supply", "reply", "fly", "bully"];
    ADVERBS.contains(&word) || (word.ends_with("ly") && !VERBS.contains(&word))
}

const IRREGULAR: [(&str, &str); 7] = [
    ("am", "is"),
    ("have", "has"),
    ("do", "does"),
    ("don't", "doesn't"),
    ("haven't", "hasn't"),
    ("dont", "doesn't"),
    ("were", "was"),
];

/// Verbs that stay as they are: helpers and the past.
const UNCHANGED: &[&str] = &[
    "was",
    "wasn't",
    "had",
    "hadn't",
    "did",
    "didn't",
    "can",
    "can't",
    "cannot",
    "could",
    "couldn't",
    "will",
    "won't",
    "would",
    "wouldn't",
    "should",
    "shouldn't",
    "must",
    "might",
    "may",
    "went",
    "got",
    "made",
    "took",
    "bought",
    "said",
    "told",
    "saw",
    "met",
    "came",
    "found",
    "left",
    "lost",
    "won",
    "began",
    "broke",
    "brought",
    "built",
    "caught",
    "chose",
    "drank",
    "drove",
    "ate",
    "fell",
    "felt",
    "fought",
    "flew",
    "forgot",
    "gave",
    "grew",
    "heard",
    "held",
    "hurt",
    "kept",
    "knew",
    "led",
    "learnt",
    "lent",
    "let",
    "meant",
    "paid",
    "put",
    "quit",
    "ran",
    "read",
    "rode",
    "rose",
    "sang",
    "sent",
    "set",
    "shot",
    "slept",
    "sold",
    "spent",
    "spoke",
    "stood",
    "stole",
    "struck",
    "swam",
    "swore",
    "taught",
    "thought",
    "threw",
    "understood",
    "woke",
    "wore",
    "wrote",
    "cut",
    "hit",
    "cost",
    "became",
    "sat",
    "shut",
    "beat",
    "bet",
    "bit",
    "dealt",
    "dreamt",
    "dug",
    "froze",
    "hid",
    "hung",
    "laid",
    "lay",
    "overcame",
    "withdrew",
    "split",
    "spread",
    "been",
];

/// The form of a verb after one person.
pub(super) fn singular(verb: &str) -> String {
    if let Some((_, form)) = IRREGULAR.iter().find(|(base, _)| *base == verb) {
        return (*form).to_owned();
    }
    if UNCHANGED.contains(&verb) || is_regular_past(verb) || verb.is_empty() {
        return verb.to_owned();
    }
    let before_y = verb.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u']));
    match before_y {
        Some(stem) => format!("{stem}ies"),
        None if verb.ends_with(['s', 'x', 'z', 'o']) || verb.ends_with("ch") || verb.ends_with("sh") => {
            format!("{verb}es")
        }
        None => format!("{verb}s"),
    }
}

fn is_regular_past(verb: &str) -> bool {
    const BASES: [&str; 6] = ["need", "feed", "bleed", "breed", "speed", "proceed"];
    verb.ends_with("ed") && !BASES.contains(&verb)
}

/// The form of a verb after "they", where it differs from that after "I".
pub(super) fn plural(verb: &str) -> Option<&'static str> {
    match verb {
        "am" => Some("are"),
        "was" => Some("were"),
        "wasn't" => Some("weren't"),
        _ => None,
    }
}
