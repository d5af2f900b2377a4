//! Everyday English words by what they say about the verb they stand near.

/// Past forms.
#[rustfmt::skip]
pub(super) const PAST: &[&str] = &[
    "was", "were", "had", "did", "went", "came", "saw", "got", "made", "took", "gave", "said", "told", "knew",
    "thought", "felt", "found", "left", "kept", "heard", "met", "ran", "sat", "stood", "began", "bought", "brought",
    "built", "caught", "chose", "drew", "drove", "ate", "fell", "fought", "flew", "forgot", "grew", "held", "led",
    "lost", "paid", "rode", "rose", "sang", "sent", "slept", "spoke", "spent", "stole", "swam", "taught", "threw",
    "understood", "won", "wore", "wrote", "became", "broke", "put", "set", "let", "read", "cut", "hit", "hurt",
    "cost", "meant", "spread", "quit", "shut", "lent", "bent", "dealt", "hid", "bit", "blew", "lit", "fed", "bled",
    "shot", "slid", "stuck", "struck", "swung", "hung", "dug", "spun", "wound", "bound", "sank", "drank", "rang",
    "shook", "woke", "tore", "swore", "froze", "arose", "withdrew", "laid",
];

/// Past forms that look like the plain form.
#[rustfmt::skip]
pub(super) const AMBIGUOUS_PAST: &[&str] = &[
    "put", "set", "let", "read", "cut", "hit", "cost",
];

/// Participles that are no past forms.
#[rustfmt::skip]
pub(super) const PARTICIPLES: &[&str] = &[
    "been", "done", "gone", "seen", "known", "given", "taken", "written", "spoken", "broken", "chosen", "driven",
    "eaten", "fallen", "forgotten", "grown", "shown", "stolen", "thrown", "worn", "gotten", "become", "come", "run",
    "begun", "sold", "born", "drawn", "flown", "hidden", "proven", "torn", "sworn",
];

/// Words that deny.
#[rustfmt::skip]
pub(super) const DENIALS: &[&str] = &[
    "not", "n't", "never", "no", "nobody", "nothing", "without", "neither", "nor", "cannot", "hardly", "unable",
];

/// Words that open a condition.
#[rustfmt::skip]
pub(super) const CONDITIONS: &[&str] = &[
    "if", "unless", "whether",
];

/// Forms of "be".
#[rustfmt::skip]
pub(super) const BE: &[&str] = &[
    "is", "are", "was", "were", "been", "be", "being", "'s", "'re", "am", "'m",
];

/// Words that stand as subjects.
#[rustfmt::skip]
pub(super) const SUBJECTS: &[&str] = &[
    "i", "we", "he", "she", "it", "they", "you", "who", "which", "that", "u", "this", "these", "those", "everyone",
    "everybody", "someone", "one", "people", "there",
];

/// Words that may stand between a verb and its auxiliary.
#[rustfmt::skip]
pub(super) const ADVERBS: &[&str] = &[
    "just", "also", "always", "ever", "still", "already", "even", "only", "really", "now", "then", "so", "too",
    "well", "often", "all", "both", "either",
];

/// Before "to": what follows is wanted or tried for.
#[rustfmt::skip]
pub(super) const WANTED: &[&str] = &[
    "want", "wants", "wanted", "hope", "hopes", "like", "wish", "need", "needs", "needed", "have", "has",
];

/// Before "to": what follows is asked or tried for.
#[rustfmt::skip]
pub(super) const EFFORTS: &[&str] = &[
    "plan", "plans", "ask", "asked", "going", "expect", "expected", "intend", "supposed", "trying", "tried", "try",
    "forget", "ready", "order", "chance", "opportunity", "way", "place", "how", "where", "what",
];

/// Before "to": what follows came about.
#[rustfmt::skip]
pub(super) const SUCCESSES: &[&str] = &[
    "happy", "glad", "able", "managed", "got", "had", "started", "began", "continue", "continued", "seem", "seems",
    "used", "decided", "pleased", "sorry",
];

/// Words after which a gerund is a noun.
#[rustfmt::skip]
pub(super) const PREPOSITIONS: &[&str] = &[
    "of", "for", "in", "by", "with", "about", "from", "at", "on", "without", "before", "after", "than", "as", "like",
];

/// What stands before an imperative.
#[rustfmt::skip]
pub(super) const STARTS: &[&str] = &[
    "", ".", "!", "?", "please", ":", "-", "--", "(", "\"", ";", "then", "so", "...",
];

/// What stands before the verb that is let happen.
#[rustfmt::skip]
pub(super) const AFTER_LET: &[&str] = &[
    "let", "'s", "me", "us", "him", "them", "her",
];

/// Words after which things are open.
#[rustfmt::skip]
pub(super) const OPENERS: &[&str] = &[
    "if", "unless", "please", "let", "want", "wants", "need", "needs", "hope", "should", "make", "sure", "order",
    "going", "plan", "ask", "whatever",
];

/// Words that demand.
#[rustfmt::skip]
pub(super) const DEMANDS: &[&str] = &[
    "need", "must", "should", "want", "wants", "demanded", "asked", "hope", "wish", "require", "required",
    "recommend", "plan", "plans", "planned",
];

/// Verbs that open an order.
#[rustfmt::skip]
pub(super) const ORDERS: &[&str] = &[
    "please", "do", "get", "make", "call", "go", "come", "try", "take", "let", "just", "keep", "be", "contact",
    "check", "ask", "use", "give", "send", "tell", "find",
];

/// Verbs of states.
#[rustfmt::skip]
pub(super) const STATES: &[&str] = &[
    "have", "like", "love", "know", "need", "want", "think", "believe", "understand", "agree", "see", "feel", "hope",
    "own", "seem", "look", "remember", "hate", "enjoy", "prefer", "appreciate", "wonder", "wish", "doubt", "guess",
    "thank", "thanks", "suggest", "recommend", "mean", "say", "live", "work",
];

/// Feelings that are told without a subject.
#[rustfmt::skip]
pub(super) const FEELINGS: &[&str] = &[
    "hope", "love", "thank", "thanks", "hate", "looks", "look", "sounds", "guess",
];

/// Words that tell how things are.
#[rustfmt::skip]
pub(super) const PRESENT: &[&str] = &[
    "is", "are", "has", "have", "'s", "'re", "'ve", "am", "'m", "i", "we",
];
