//! Attribute and value of a statement by how it begins; a table, so that it reads as what it is: a list of plain forms.

use recall_core::candidate::MemoryType::{self, Event, Fact, Preference, Relation};
use recall_core::prompt::MAX_VALUE_CHARS;

use super::forms::FORMS;
use super::kin::{is_kin, kin};
use super::person::{Told, bare, lower};
use super::when::time_expression;

/// What a statement is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    /// The kind of memory.
    pub memory_type: MemoryType,
    /// Such as `employer`.
    pub attribute: String,
    /// Such as `Volkswagen`.
    pub value: String,
}

/// Words that only colour a statement.
const ADVERBS: [&str; 20] = [
    "just",
    "also",
    "now",
    "currently",
    "really",
    "always",
    "still",
    "recently",
    "finally",
    "already",
    "actually",
    "mostly",
    "usually",
    "often",
    "both",
    "only",
    "absolutely",
    "truly",
    "even",
    "never",
];
/// Words at which the value of an attribute ends, beside those at which every value does.
const OWN_ENDS: &[(&str, &[&str])] = &[
    ("employer", &["as", "in", "on", "for", "with", "near"]),
    ("home_city", &["with", "for", "near", "by", "as", "to"]),
    ("job_title", &["at", "in", "for", "with"]),
    ("birthplace", &["on"]),
    ("origin", &["originally"]),
];
/// Words at which a value ends.
const ENDS: [&str; 12] =
    ["and", "but", "because", "since", "when", "while", "so", "which", "who", "where", "although", "though"];

/// The kind of a statement in the first person.
pub(super) fn kind_of_clause(told: &Told) -> Kind {
    if let Some((kin, rest)) = kin(&told.words) {
        let after_name = rest.iter().position(|word| !super::person::is_name(word)).unwrap_or_default();
        let predicate = rest.get(after_name..).unwrap_or_default();
        let bare_relation = predicate.first().is_some_and(|word| lower(word) == "is")
            && predicate.get(1).is_some_and(|word| super::person::is_name(word));
        if bare_relation {
            return named(Relation, &kin.replace(' ', "_"), predicate.get(1..).unwrap_or_default());
        }
        return of_predicate(predicate);
    }
    match told.words.split_first() {
        Some((first, rest)) if lower(first) == "my" => of_possession(rest),
        Some((first, rest)) => of_predicate(&expanded(first, rest)),
        None => of_predicate(&[]),
    }
}

/// The kind of a statement in the third person about somebody named, such as a labelled fact.
pub fn kind(text: &str, about: &str) -> Kind {
    let rest = text.trim().trim_end_matches('.').strip_prefix(about).unwrap_or(text);
    let words: Vec<String> = rest.split_whitespace().map(str::to_owned).collect();
    match words.split_first() {
        Some((first, rest)) if matches!(first.as_str(), "'s" | "\u{2019}s") => of_possession(rest),
        Some(_) | None => of_predicate(&words),
    }
}

/// "I'm" is "am", and so on: what comes after "I".
fn expanded(first: &str, rest: &[String]) -> Vec<String> {
    let verb = match lower(first).as_str() {
        "i'm" | "im" => Some("am"),
        "i've" | "ive" => Some("have"),
        "i'll" => Some("will"),
        _ => None,
    };
    verb.map(str::to_owned).into_iter().chain(rest.iter().cloned()).collect()
}

/// "my favourite tea is oolong": what the speaker has, and what it is.
fn of_possession(words: &[String]) -> Kind {
    let is = |word: &String| matches!(lower(word).as_str(), "is" | "are" | "was" | "were");
    let Some(at) = words.iter().position(is).filter(|at| (1..=4).contains(at)) else { return of_predicate(words) };
    let (what, value) = words.split_at(at);
    let attribute =
        what.iter().map(|word| bare(&lower(word)).replace("favourite", "favorite")).collect::<Vec<_>>().join("_");
    let attribute = if attribute == "name" { "preferred_name".to_owned() } else { attribute };
    let memory_type = if attribute.starts_with("favorite") { Preference } else { Fact };
    named(memory_type, &attribute, value.get(1..).unwrap_or_default())
}

fn of_predicate(words: &[String]) -> Kind {
    let words: Vec<&String> = words.iter().filter(|word| !ADVERBS.contains(&bare(&lower(word)))).collect();
    let bases: Vec<String> = words.iter().map(|word| base(word)).collect();
    for (form, attribute, memory_type) in FORMS {
        let form: Vec<&str> = form.split(' ').collect();
        let begins = form.len() < bases.len() + 1 && form.iter().zip(&bases).all(|(expected, base)| expected == base);
        if begins && *attribute == "marital_status" {
            let status = form.last().copied().unwrap_or_default().to_owned();
            return Kind { memory_type: *memory_type, attribute: (*attribute).into(), value: status };
        }
        if begins {
            let rest: Vec<String> = words.iter().skip(form.len()).map(|word| (*word).clone()).collect();
            let rest = if rest.is_empty() { words.iter().map(|word| (*word).clone()).collect() } else { rest };
            return refined(named(*memory_type, attribute, &rest), &rest);
        }
    }
    of_any(&words, &bases)
}

/// A form says less than it seems where its value is of another kind: one lives in Graz, and in a small flat.
fn refined(kind: Kind, rest: &[String]) -> Kind {
    let is_name = rest.first().is_some_and(|word| super::person::is_name(word));
    let relative = rest.iter().take(3).map(|word| bare(&lower(word)).to_owned()).find(|word| is_kin(word));
    match (kind.attribute.as_str(), relative) {
        ("home_city", _) if !is_name => Kind { attribute: "home".into(), ..kind },
        ("owns", Some(relative)) => Kind { memory_type: Relation, attribute: relative, ..kind },
        ("owns", None) if time_expression(&rest.join(" ")).is_some() => {
            Kind { memory_type: Event, attribute: "appointment".into(), ..kind }
        }
        _ => kind,
    }
}

/// "I am a baker" has its own rows: what one is may be a trade, a way to eat, or anything.
fn of_any(words: &[&String], bases: &[String]) -> Kind {
    let owned: Vec<String> = words.iter().map(|word| (*word).clone()).collect();
    let is_a = matches!(bases, [verb, article, ..] if verb == "am" && matches!(article.as_str(), "a" | "an"));
    if is_a {
        let value = owned.get(2..).unwrap_or_default();
        let noun = value.iter().take_while(|word| !ends_value(word)).last().map(|word| bare(&lower(word)).to_owned());
        return named(Fact, noun.as_deref().map_or("description", what_one_is), value);
    }
    if let [verb, one] = bases
        && verb == "am"
    {
        // "I'm vegetarian", "I'm Ottilie".
        let attribute = if DIETS.contains(&one.as_str()) { "diet" } else { "state" };
        let is_name = words.get(1).is_some_and(|word| super::person::is_name(word));
        return named(Fact, if is_name { "preferred_name" } else { attribute }, owned.get(1..).unwrap_or_default());
    }
    // "I am starting", "I have been looking": the verb that says something is the last of the chain.
    let helpers = bases.iter().take_while(|verb| matches!(verb.as_str(), "am" | "have" | "been")).count();
    let chained = |verb: &&String| helpers == 0 || verb.ends_with("ing") || verb.ends_with("ed");
    let verb = bases.get(helpers).filter(chained).map_or("state", String::as_str);
    let all = owned.join(" ");
    let past = bases.get(helpers).is_some_and(|verb| verb.ends_with("ed") || PAST.contains(&verb.as_str()));
    let memory_type = if past || time_expression(&all).is_some() { Event } else { Fact };
    let attribute: String = verb.chars().filter(|c| c.is_alphanumeric()).collect();
    named(
        memory_type,
        if attribute.is_empty() { "statement" } else { &attribute },
        owned.get(helpers.max(1)..).unwrap_or_default(),
    )
}

const PAST: [&str; 16] = [
    "got", "made", "took", "saw", "met", "found", "won", "broke", "built", "ran", "sold", "spent", "wrote", "went",
    "became", "gave",
];

const DIETS: [&str; 4] = ["vegetarian", "vegan", "pescatarian", "omnivore"];

fn what_one_is(noun: &str) -> &'static str {
    const TRADES: [&str; 8] = ["nurse", "chef", "cook", "pilot", "judge", "artist", "musician", "student"];
    const ENDINGS: [&str; 7] = ["er", "or", "ist", "eer", "ant", "ician", "man"];
    if DIETS.contains(&noun) {
        return "diet";
    }
    if TRADES.contains(&noun) || ENDINGS.iter().any(|ending| noun.ends_with(ending)) {
        "job_title"
    } else {
        "description"
    }
}

/// The base form, as far as the table needs it.
fn base(word: &str) -> String {
    let word = lower(word);
    let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'');
    match word {
        "am" | "is" | "are" | "was" | "were" => "am".into(),
        "has" | "had" => "have".into(),
        "does" => "do".into(),
        _ => {
            let stem = word.strip_suffix("ies").map(|stem| format!("{stem}y"));
            let stem = stem.or_else(|| {
                ["ches", "shes", "sses"]
                    .iter()
                    .find(|end| word.ends_with(**end))
                    .and(word.strip_suffix("es"))
                    .map(str::to_owned)
            });
            let stem = stem.or_else(|| {
                word.strip_suffix('s').filter(|stem| stem.len() > 2 && !stem.ends_with('s')).map(str::to_owned)
            });
            stem.unwrap_or_else(|| word.to_owned())
        }
    }
}

fn ends_value(word: &str) -> bool {
    ENDS.contains(&lower(word).as_str())
}

/// "Dutch and German" is one value; "tea and I have no milk" is not.
fn goes_on(words: &[String], at: usize) -> bool {
    let rest = words.get(at + 1..).unwrap_or_default();
    let another = rest
        .first()
        .is_some_and(|word| matches!(lower(word).as_str(), "i" | "they" | "it" | "he" | "she" | "am" | "is" | "my"));
    lower(words.get(at).map_or("", String::as_str)) == "and" && (1..=3).contains(&rest.len()) && !another
}

/// Values, too, are told in the third person.
fn of_speaker(word: &str) -> &str {
    match word {
        "my" | "My" => "their",
        "me" => "them",
        "I" => "they",
        "myself" => "themselves",
        other => other,
    }
}

/// A kind with its value: up to the first word that begins something else, without what says when.
fn named(memory_type: MemoryType, attribute: &str, words: &[String]) -> Kind {
    let mut value = Vec::new();
    let own_ends = OWN_ENDS.iter().find(|(name, _)| *name == attribute).map_or(&[][..], |(_, ends)| *ends);
    for (at, word) in words.iter().enumerate() {
        let ends = own_ends.contains(&lower(word).as_str()) || (ends_value(word) && !goes_on(words, at));
        if !value.is_empty() && ends {
            break;
        }
        value.push(of_speaker(word.trim_end_matches([',', ';', '!'])));
        if word.ends_with([',', ';', '!']) {
            break;
        }
    }
    let whole = value.join(" ");
    let timeless = match time_expression(&whole) {
        Some(time) => whole.replacen(time, "", 1),
        None => whole.clone(),
    };
    let timeless = Some(timeless.trim()).filter(|value| !value.is_empty()).unwrap_or(whole.as_str());
    let bare = ["a ", "an ", "the ", "their ", "on ", "in "].iter().find_map(|small| timeless.strip_prefix(small));
    let value = bare.unwrap_or(timeless);
    let attribute = attribute.trim_matches(|c: char| !c.is_alphanumeric());
    Kind {
        memory_type,
        attribute: if attribute.is_empty() { "statement" } else { attribute }.to_owned(),
        value: value.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_VALUE_CHARS).collect(),
    }
}
