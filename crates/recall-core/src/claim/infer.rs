//! What a plain sentence claims of whom: subject, attribute and value read from its words, where they tell.

use std::sync::LazyLock;

use regex::Regex;

use super::form::Statement;
use super::words;
use crate::candidate::Polarity;

/// Words that may stand between a subject and the word that tells the attribute.
const BETWEEN: &str = r"(?:(?:is|was|are|were|am|has|have|had|been|got|gets|getting|just|recently|now|still|also|again|went|going|goes|through|a|an|the|their|his|her|finalised|finalized|filed|for|since|newly|happily|currently|really|very|does|do|did|not|n't|never|much)\s+){0,5}";

/// Attribute, and a pattern after the subject whose first group is the value.
static TELLS: LazyLock<Vec<(&'static str, Regex)>> = LazyLock::new(|| {
    let name = r"((?-i:\p{Lu})[\p{L}\d.'-]*(?:\s+(?-i:\p{Lu})[\p{L}\d.'-]*)*)";
    let rest = r"([^.,;]+)";
    let table: [(&'static str, String); 11] = [
        ("marital_status", r"(divorc\w*|separated|widow(?:ed|er)?|engaged|married|single)\b".to_owned()),
        (
            "home_city",
            format!(r"(?:live|lives|lived|living|settled|resides?|based|moved|relocated)\s+(?:in|to)\s+{name}"),
        ),
        ("employer", format!(r"(?:works?|worked|working|employed|job)\s+(?:at|for|with)\s+(?:the\s+)?{name}")),
        ("allergy", format!(r"allergic\s+to\s+{rest}")),
        ("allergy", r"([\p{L}-]+(?:\s+[\p{L}-]+)?)\s+allergy\b".to_owned()),
        ("likes", format!(r"(?:like|likes|love|loves|enjoy|enjoys|adores?)\s+{rest}")),
        ("dislikes", format!(r"(?:dislikes?|hates?|detests?|loathes?)\s+{rest}")),
        ("preferred_name", format!(r"(?:goes\s+by|(?:wants?|would\s+like|likes?)\s+to\s+be\s+called|called)\s+{name}")),
        ("surname", format!(r"(?:surname|last name)\s+(?:is\s+)?{name}")),
        ("shoe_size", r"(?:shoe\s+size|size)\s+(?:is\s+)?(\d[\d.]*)\b".to_owned()),
        ("language", format!(r"(?:speaks?)\s+(?:some\s+|fluent\s+|a little\s+)?{name}")),
    ];
    table
        .into_iter()
        .filter_map(|(attribute, tail)| {
            Regex::new(&format!(r"(?i)^\s*{BETWEEN}{tail}")).ok().map(|regex| (attribute, regex))
        })
        .collect()
});

/// Attribute and value a sentence tells of its subject; `None` where no pattern of the table fits.
pub(super) fn told<'a>(statement: &Statement<'a>) -> Option<(&'static str, &'a str)> {
    let tail = after_subject(statement)?;
    TELLS.iter().find_map(|(attribute, regex)| {
        let value = regex.captures(tail)?.get(1)?;
        Some((*attribute, value.as_str()))
    })
}

/// The sentence after its subject; `None` where the sentence begins with something else or with what the subject owns.
fn after_subject<'a>(statement: &Statement<'a>) -> Option<&'a str> {
    let content = statement.content.trim_start();
    let lower = content.to_lowercase();
    if lower.len() != content.len() {
        return None;
    }
    let subject = statement.subject.trim().to_lowercase();
    let begins = ["the ", ""].iter().find_map(|article| {
        let start = format!("{article}{subject}");
        (!subject.is_empty() && lower.starts_with(&start)).then_some(start.len())
    })?;
    let tail = content.get(begins..)?;
    let owns = tail.starts_with("'s") || tail.starts_with("\u{2019}s") || tail.starts_with('\'');
    (!owns && tail.starts_with(char::is_whitespace)).then_some(tail)
}

static ROLE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)^\s*(?:(?:the\s+)?user(?:['\u{2019}]s\s+(?<of_user>(?:ex-|half-|step-)?[\p{L}-]+(?:\s+in\s+law)?))?|my\s+(?<mine>(?:ex-|half-|step-)?[\p{L}-]+(?:\s+in\s+law)?)|i(?:['\u{2019}]\p{L}+)?\s)").ok()
});

static NAME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^\s*(\p{Lu}[\p{L}'-]*(?:\s+\p{Lu}[\p{L}'-]*)*)\s+(?:is|was|has|had|lives|works|will|does|likes|loves|plays|wants|\p{Ll}+s|\p{Ll}+ed)\b").ok()
});

/// Nouns for people one has; what is told of them is told of them, not of the one who has them.
pub(super) const ROLES: &[&str] = &[
    "mother",
    "father",
    "mum",
    "mom",
    "dad",
    "parents",
    "sister",
    "brother",
    "sibling",
    "siblings",
    "daughter",
    "son",
    "child",
    "children",
    "kids",
    "wife",
    "husband",
    "partner",
    "spouse",
    "girlfriend",
    "boyfriend",
    "fiance",
    "fiancee",
    "ex",
    "cousin",
    "aunt",
    "uncle",
    "niece",
    "nephew",
    "grandmother",
    "grandfather",
    "grandma",
    "grandpa",
    "grandson",
    "granddaughter",
    "friend",
    "boss",
    "manager",
    "colleague",
    "coworker",
    "neighbour",
    "neighbor",
    "flatmate",
    "roommate",
    "landlord",
    "landlady",
    "teacher",
    "doctor",
    "therapist",
    "tutor",
    "mentor",
    "dog",
    "cat",
    "twin",
];

/// The subject of a plain sentence: `user`, `user's sister`, a name, or nobody.
pub(super) fn subject(sentence: &str) -> String {
    if let Some(found) = ROLE.as_ref().and_then(|regex| regex.captures(sentence)) {
        let role = found.name("of_user").or(found.name("mine")).map(|role| role.as_str().to_lowercase());
        return match role {
            Some(role) if is_role(&role) => format!("user's {role}"),
            Some(_) | None => "user".to_owned(),
        };
    }
    let name = NAME.as_ref().and_then(|regex| regex.captures(sentence)).and_then(|found| found.get(1));
    let name = name.map(|name| name.as_str()).filter(|name| !words::is_everyday(&name.to_lowercase()));
    name.unwrap_or_default().to_owned()
}

/// Whether a word names a person one has.
pub(super) fn is_role(word: &str) -> bool {
    let bare = ["ex-", "half-", "step-"].iter().find_map(|prefix| word.strip_prefix(prefix)).unwrap_or(word);
    let bare = bare.strip_suffix("-in-law").or_else(|| bare.strip_suffix(" in law")).unwrap_or(bare);
    ROLES.contains(&bare) || ROLES.iter().any(|role| bare.strip_prefix("step") == Some(*role))
}

/// A sentence as a statement about its subject (see [`subject`]), with what its words tell.
pub(super) fn statement<'a>(sentence: &'a str, subject: &'a str) -> Statement<'a> {
    let bare = Statement { content: sentence, subject, attribute: "", value: "", polarity: Polarity::Positive };
    told(&bare).map_or(bare, |(attribute, value)| Statement { attribute, value, ..bare })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_tells_its_subject() {
        let table = [
            ("User went through a divorce", "user"),
            ("The user owns a kayak", "user"),
            ("User's brother is in prison", "user's brother"),
            ("User's half-sister lives in Oslo", "user's half-sister"),
            ("User's bike is green", "user"),
            ("Magdalena Ruiz lives in Cork", "Magdalena Ruiz"),
            ("Two dogs are barking", ""),
            ("My brother is in prison", "user's brother"),
            ("my bike is green", "user"),
            ("I own a kayak", "user"),
            ("I'm a glazier", "user"),
            ("Ice is cold", "Ice"),
        ];
        for (sentence, expected) in table {
            assert_eq!(subject(sentence), expected, "{sentence}");
        }
    }

    #[test]
    fn a_sentence_tells_attribute_and_value_of_its_own_subject_only() {
        let table = [
            ("User got divorced", Some(("marital_status", "divorced"))),
            ("User went through a divorce", Some(("marital_status", "divorce"))),
            ("User is settled in Varna", Some(("home_city", "Varna"))),
            ("User lives in a flat in Varna", None),
            ("User works at Nordlys Print", Some(("employer", "Nordlys Print"))),
            ("User is allergic to cashews", Some(("allergy", "cashews"))),
            ("User likes horror films", Some(("likes", "horror films"))),
            ("User helped a friend who got divorced", None),
        ];
        for (sentence, expected) in table {
            let who = subject(sentence);
            assert_eq!(told(&statement(sentence, &who)), expected, "{sentence}");
        }
        assert_eq!(told(&statement("User's parents got divorced", "user")), None);
    }
}
