//! Words by which a clause tells of whom it speaks, in the languages met most.

use crate::lexicon::bare;

/// First person singular and plural, of the languages met most.
pub(super) const FIRST: &[&str] = &[
    "i",
    "i'm",
    "i've",
    "i'd",
    "i'll",
    "im",
    "ive",
    "we",
    "we're",
    "we've",
    "we'll",
    "we'd",
    "ich",
    "wir",
    "ik",
    "yo",
    "nosotros",
    "je",
    "j'ai",
    "nous",
    "io",
    "eu",
    "我",
    "我们",
    "मैं",
    "हम",
    "я",
    "мы",
    "私",
    "僕",
    "俺",
    "أنا",
    "نحن",
];
/// First person as object; a possessive would also stand in "my sister", who is somebody else.
pub(super) const FIRST_ELSEWHERE: &[&str] = &["me", "us", "mine", "ours", "myself", "mir", "mich", "uns", "moi"];
/// First person possessive.
pub(super) const FIRST_POSSESSIVE: &[&str] = &[
    "my",
    "our",
    "mein",
    "meine",
    "meinen",
    "meiner",
    "meinem",
    "unser",
    "unsere",
    "mi",
    "mis",
    "nuestro",
    "nuestra",
    "mon",
    "ma",
    "mes",
    "notre",
    "mio",
    "mia",
    "miei",
    "mie",
    "meu",
    "minha",
    "meus",
    "minhas",
    "mój",
    "moja",
    "moje",
    "můj",
    "moji",
    "mijn",
    "minun",
    "мой",
    "моя",
    "моё",
    "мои",
    "мій",
    "моє",
    "мої",
    "मेरी",
    "मेरा",
    "मेरे",
    "हमारी",
    "हमारा",
];
/// Second person as subject.
pub(super) const SECOND: &[&str] = &[
    "you",
    "you're",
    "you've",
    "you'll",
    "you'd",
    "u",
    "ur",
    "youre",
    "du",
    "ihr",
    "tú",
    "usted",
    "tu",
    "vous",
    "你",
    "तुम",
    "आप",
];
/// Second person in other parts.
pub(super) const SECOND_ELSEWHERE: &[&str] = &["your", "yours", "yourself", "you", "dein", "deine", "ya", "u", "ur"];
/// Third person as subject.
pub(super) const THIRD: &[&str] = &[
    "he", "she", "they", "he's", "she's", "they're", "he'll", "she'll", "they'll", "he'd", "she'd", "they've", "hes",
    "shes", "theyre", "er", "sie", "él", "ella", "ellos", "ellas", "il", "elle", "他", "她", "वह", "هو", "هي",
];
pub(super) const THING: &[&str] =
    &["that's", "there's", "there", "this", "these", "those", "that", "nothing", "everything"];
pub(super) const ARTICLES: &[&str] = &["the", "a", "an", "some", "der", "die", "das", "el", "la"];

/// Verbs after which somebody else may become the subject.
pub(super) const REPORTING: &[&str] = &[
    "heard", "hear", "think", "thinks", "thought", "said", "says", "told", "know", "believe", "believes", "guess",
    "hope", "that", "like",
];
pub(super) const JOINING: &[&str] = &["and", "or", "than", "if", "when", "because", "so", "but", "while", "since"];
pub(super) const CONJUNCTIONS: &[&str] =
    &["and", "but", "nor", "because", "so", "when", "while", "if", "und", "y", "और", "et"];
/// Joining words behind which a clause of another subject may begin.
pub(super) const SUBORDINATING: &[&str] =
    &["since", "because", "until", "after", "before", "although", "though", "where", "while", "when", "as", "if"];
pub(super) const INVERTING: &[&str] = &[
    "do", "did", "does", "am", "are", "is", "was", "were", "have", "had", "can", "could", "should", "would", "will",
    "what", "where", "how",
];

pub(super) fn is_filler(text: &str) -> bool {
    matches!(
        text,
        "and"
            | "but"
            | "so"
            | "also"
            | "then"
            | "well"
            | "oh"
            | "hey"
            | "thanks"
            | "yes"
            | "yeah"
            | "now"
            | "just"
            | "already"
            | "always"
            | "because"
            | "though"
            | "usually"
            | "still"
            | "yesterday"
            | "today"
            | "last"
            | "week"
            | "who"
            | "most"
            | "many"
            | "few"
            | "anyway"
            | "when"
            | "while"
            | "if"
            | "really"
            | "finally"
            | "that"
            | "in"
            | "on"
            | "at"
            | "from"
            | "since"
            | "of"
            | "btw"
            | "wow"
            | "hi"
    )
}

/// Days and months, which English writes with a capital.
pub(super) fn is_calendar(text: &str) -> bool {
    const CALENDAR: &[&str] = &[
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "spring",
        "summer",
        "autumn",
        "fall",
        "winter",
        "christmas",
        "easter",
    ];
    CALENDAR.contains(&bare(text))
        || text.strip_suffix('s').is_some_and(|day| CALENDAR.contains(&day) && day.ends_with("day"))
}

/// Prepositions behind which no subject stands.
pub(super) const PLACING: &[&str] =
    &["in", "at", "with", "near", "from", "to", "en", "con", "aus", "nach", "mit", "bei", "à", "avec"];

/// By these a claim in another language tells that somebody wants something of the assistant.
pub(super) const FRAMES: &[&str] = &[
    "quiere",
    "prefiere",
    "pide",
    "asistente",
    "desea",
    "veut",
    "préfère",
    "souhaite",
    "demande",
    "l'assistant",
    "assistant",
    "möchte",
    "will",
    "bevorzugt",
    "wünscht",
    "assistent",
    "assistenten",
    "vuole",
    "preferisce",
    "assistente",
    "quer",
    "prefere",
];
