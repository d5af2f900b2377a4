//! Plain sentences: a subject, one everyday verb, and what it is said of. Such a sentence tells its claim by itself, whatever
//! attribute a reply names, and its opposite is the same sentence denied or told with the contrary verb.

use std::collections::BTreeSet;

use super::infer;
use super::phase;
use super::words::{self, WordKind};
use crate::text::{self, Token, TokenKind};

/// What a plain sentence claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Plain {
    /// What is said of the value: `has`, `is`, `likes`, …
    pub(super) relation: &'static str,
    /// Lemmas of what it is said of, sorted.
    pub(super) value: Vec<String>,
    /// The verb tells the contrary of the relation: "hates" of `likes`, "quit" of what was done.
    pub(super) contrary: bool,
}

/// Everyday verbs in the present and the relation they tell; `true` where they tell its contrary.
#[rustfmt::skip]
const VERBS: &[(&str, &str, bool)] = &[
    ("own", "has", false), ("owns", "has", false), ("possess", "has", false), ("possesses", "has", false),
    ("like", "likes", false), ("likes", "likes", false), ("love", "likes", false), ("loves", "likes", false),
    ("enjoy", "likes", false), ("enjoys", "likes", false), ("adore", "likes", false), ("adores", "likes", false),
    ("dislike", "likes", true), ("dislikes", "likes", true), ("hate", "likes", true), ("hates", "likes", true),
    ("detest", "likes", true), ("detests", "likes", true), ("loathe", "likes", true), ("loathes", "likes", true),
    ("despise", "likes", true), ("despises", "likes", true),
    ("eat", "eats", false), ("eats", "eats", false), ("drink", "drinks", false), ("drinks", "drinks", false),
    ("smoke", "smokes", false), ("smokes", "smokes", false), ("play", "plays", false), ("plays", "plays", false),
    ("speak", "speaks", false), ("speaks", "speaks", false), ("drive", "drives", false), ("drives", "drives", false),
    ("ride", "rides", false), ("rides", "rides", false), ("take", "takes", false), ("takes", "takes", false),
    ("wear", "wears", false), ("wears", "wears", false),
];

/// The same verbs after "stopped" or "gave up".
#[rustfmt::skip]
const GERUNDS: &[(&str, &str)] = &[
    ("eating", "eats"), ("drinking", "drinks"), ("smoking", "smokes"), ("playing", "plays"), ("speaking", "speaks"),
    ("driving", "drives"), ("riding", "rides"), ("taking", "takes"), ("wearing", "wears"),
];

/// Words after a verb or "is" that belong to it, the relation both tell, and whether they tell its contrary.
#[rustfmt::skip]
const PHRASES: &[(&[&str], &str, bool)] = &[
    (&["allergic", "to"], "allergy", false), (&["fond", "of"], "likes", false), (&["keen", "on"], "likes", false),
    (&["a", "fan", "of"], "likes", false), (&["crazy", "about"], "likes", false), (&["into"], "likes", false),
    (&["diagnosed", "with"], "has", false), (&["afraid", "of"], "fears", false), (&["scared", "of"], "fears", false),
    (&["sick", "of"], "likes", true),
];

/// Attributes whose values stand in the relation a plain sentence tells; a sentence that is not plain meets it here.
#[rustfmt::skip]
const RELATIONS: &[(&str, &str)] = &[
    ("likes", "likes"), ("dislikes", "likes"), ("hobby", "likes"), ("owns", "has"), ("pet", "has"), ("bicycle", "has"),
    ("car", "has"), ("medical_condition", "has"), ("occupation", "is"), ("nationality", "is"), ("religion", "is"),
    ("diet", "is"), ("sport", "plays"), ("instrument", "plays"), ("language", "speaks"), ("medication", "takes"),
    ("phobia", "fears"),
];

/// The relation of the values of an attribute to its subject; the attribute itself where no plain sentence tells it.
pub(super) fn relation_of(attribute: &str) -> &str {
    RELATIONS.iter().find(|(name, _)| *name == attribute).map_or(attribute, |(_, relation)| relation)
}

/// Words with which a claim holds only at times, in part or in company: "in the morning", "most", "with milk".
#[rustfmt::skip]
const NARROWS: &[&str] = &[
    "in", "on", "at", "for", "with", "without", "from", "during", "when", "while", "if", "unless", "except", "because", "and",
    "or", "but", "to", "than", "as", "like", "about", "after", "before", "until", "till", "by", "near", "between", "per", "who",
    "which", "that", "where", "all", "every", "many", "most", "much", "enough", "only", "often", "usually", "sometimes",
    "rarely", "seldom", "mostly", "mainly", "mornings", "evenings", "weekends", "nights", "today", "tonight", "tomorrow",
    "yesterday", "daily", "weekly", "yet", "first", "more", "less", "another", "other", "new", "alone", "raw", "either", "both",
];

/// Words that change nothing in what is claimed, before the verb and at the end.
#[rustfmt::skip]
const LIGHT: &[&str] = &[
    "not", "never", "no", "longer", "also", "still", "now", "just", "really", "currently", "always", "very", "absolutely",
    "truly", "simply", "recently", "any", "anymore", "too", "again", "already", "ever", "definitely", "actually", "strongly",
];

/// The most content words of a value: what is longer tells more than the value.
const LONGEST: usize = 4;

/// Reads a plain sentence; `None` where it is not, or not in the present.
pub(super) fn read(subject: &str, tokens: &[Token]) -> Option<Plain> {
    let words = sentence(tokens)?;
    if phase::is_over_or_ahead(words) {
        return None;
    }
    let verb = (1..words.len().min(7)).find(|at| words.get(*at).is_some_and(|word| opens(&word.folded)))?;
    let (before, after) = words.split_at(verb);
    if !before.iter().all(|word| names(word, subject)) {
        return None;
    }
    let (relation, contrary, rest) = predicate(after)?;
    let (relation, rest) = match (relation, without_end(rest)) {
        ("likes", [to, rest @ ..]) if to.folded == "to" => (relation, rest),
        ("has", [rest @ .., noun]) if is_allergy(noun) && !rest.is_empty() => ("allergy", rest),
        told => told,
    };
    if rest.iter().any(narrows) {
        return None;
    }
    let value = value(rest);
    let may_stand_alone = matches!(relation, "smokes" | "drinks" | "drives");
    ((!value.is_empty() || may_stand_alone) && value.len() <= LONGEST).then_some(Plain { relation, value, contrary })
}

/// Whether words narrow a claim to some occasions or to a part.
pub(super) fn is_narrowed(tokens: &[Token]) -> bool {
    let quantity = ["all", "every", "many", "most", "much", "enough"];
    let verb = tokens.iter().position(|word| opens(&word.folded)).unwrap_or_default();
    let inner = |word: &Token| narrows(word) && !matches!(word.folded.as_str(), "to" | "for" | "like" | "about");
    let after = tokens.get(verb + 1..).unwrap_or_default();
    after.iter().skip(2).any(inner) || after.iter().any(|word| quantity.contains(&word.folded.as_str()))
}

/// What a count of children, or an age, is told as: the attribute and its value in digits.
pub(super) fn measure(plain: &Plain, denied: bool) -> Option<(&'static str, String)> {
    let words: Vec<&str> = plain.value.iter().map(String::as_str).collect();
    let number = |word: &&str| word.len() < 3 && word.chars().all(|c| c.is_ascii_digit());
    match (plain.relation, words.as_slice()) {
        ("has", ["child"]) if denied => Some(("number_of_children", "0".to_owned())),
        ("has", [count, "child"]) if number(count) && !denied => Some(("number_of_children", (*count).to_owned())),
        ("is", [age] | [age, "old", "year"]) if number(age) && !denied => Some(("age", (*age).to_owned())),
        _ => None,
    }
}

/// The words of a sentence without its full stop; `None` where other signs stand in it.
fn sentence(tokens: &[Token]) -> Option<&[Token]> {
    let words = match tokens {
        [words @ .., end] if matches!(end.folded.as_str(), "." | "!") => words,
        words => words,
    };
    words.iter().all(|word| word.kind != TokenKind::Symbol || word.folded == "-").then_some(words)
}

/// A word that can begin what is said of a subject.
fn opens(folded: &str) -> bool {
    is_be(folded)
        || is_have(folded)
        || is_helper(folded)
        || is_end(folded)
        || matches!(folded, "gave" | "suffer" | "suffers")
        || LIGHT.contains(&folded)
        || VERBS.iter().any(|(verb, _, _)| *verb == folded)
}

fn names(word: &Token, subject: &str) -> bool {
    let folded = word.folded.as_str();
    let bare = folded.strip_suffix("'s").unwrap_or(folded);
    let whole = text::fold(subject);
    let owned = folded != bare && !whole.split(' ').any(|part| part == folded);
    !owned
        && (matches!(folded, "the" | "user")
            || word.capital
            || infer::is_role(bare)
            || whole.split(' ').any(|part| part == folded))
}

/// The relation, whether the verb tells its contrary, and the words after it.
fn predicate(words: &[Token]) -> Option<(&'static str, bool, &[Token])> {
    let (mut be, mut have, mut denied) = (false, false, false);
    let mut rest = words;
    while let [word, after @ ..] = rest {
        let folded = word.folded.as_str();
        denied |= words::denies(folded);
        if is_be(folded) {
            be = true;
        } else if is_have(folded) {
            have = true;
        } else if is_end(folded) {
            return ended(after);
        } else if matches!((folded, after), ("gave" | "given" | "gives", [up, ..]) if up.folded == "up") {
            return ended(after.get(1..)?);
        } else if have && folded == "got" || is_helper(folded) || LIGHT.contains(&folded) || folded == "been" {
            be |= folded == "been";
        } else {
            break;
        }
        rest = after;
    }
    let first = rest.first().map(|word| word.folded.as_str()).unwrap_or_default();
    let phrase = PHRASES.iter().find(|(phrase, _, _)| be && begins(rest, phrase));
    if let Some((phrase, relation, contrary)) = phrase {
        return Some((relation, *contrary, rest.get(phrase.len()..)?));
    }
    if denied && matches!(first, "stand" | "bear") {
        return Some(("likes", false, rest.get(1..)?));
    }
    if be {
        return (!first.ends_with("ing") && !have).then_some(("is", false, rest));
    }
    if have {
        return (!is_participle(first)).then_some(("has", false, rest));
    }
    if begins(rest, &["suffers", "from"]) || begins(rest, &["suffer", "from"]) {
        return Some(("has", false, rest.get(2..)?));
    }
    let (_, relation, contrary) = VERBS.iter().find(|(verb, _, _)| *verb == first)?;
    Some((relation, *contrary, rest.get(1..)?))
}

/// What somebody stopped doing is what they do not do.
fn ended(after: &[Token]) -> Option<(&'static str, bool, &[Token])> {
    let first = after.first()?.folded.as_str();
    let (_, relation) = GERUNDS.iter().find(|(gerund, _)| *gerund == first)?;
    Some((relation, true, after.get(1..)?))
}

/// "Has a nut allergy" is "is allergic to nuts".
fn is_allergy(word: &Token) -> bool {
    matches!(word.folded.as_str(), "allergy" | "allergies")
}

fn begins(words: &[Token], phrase: &[&str]) -> bool {
    words.len() >= phrase.len() && words.iter().zip(phrase).all(|(word, wanted)| word.folded == *wanted)
}

fn is_be(folded: &str) -> bool {
    matches!(folded, "is" | "are" | "am" | "isn't" | "aren't")
}

fn is_have(folded: &str) -> bool {
    matches!(folded, "has" | "have" | "hasn't" | "haven't")
}

fn is_helper(folded: &str) -> bool {
    matches!(folded, "does" | "do" | "doesn't" | "don't" | "can" | "cannot" | "can't")
}

fn is_end(folded: &str) -> bool {
    matches!(folded, "stopped" | "quit" | "quits" | "stops")
}

/// Whether a word after "has" makes it a perfect; plural nouns of the list of irregular forms do not.
fn is_participle(folded: &str) -> bool {
    let noun =
        matches!(folded, "children" | "men" | "women" | "people" | "mice" | "teeth" | "feet" | "wives" | "knives");
    folded.ends_with("ed") && folded.len() > 4 || words::is_irregular(folded) && !noun
}

fn narrows(word: &Token) -> bool {
    NARROWS.contains(&word.folded.as_str()) || words::is_calendar(&word.folded)
}

/// Without what only stresses at the end: "at all", "very much", "any more".
fn without_end(words: &[Token]) -> &[Token] {
    let mut rest = words;
    let ends: [&[&str]; 5] = [&["at", "all"], &["very", "much"], &["any", "more"], &["a", "lot"], &["so", "much"]];
    loop {
        let pair =
            ends.iter().find(|end| rest.len() >= end.len() && begins(rest.split_at(rest.len() - end.len()).1, end));
        let light = rest.last().is_some_and(|word| LIGHT.contains(&word.folded.as_str()));
        let cut = pair.map_or(usize::from(light), |end| end.len());
        if cut == 0 {
            return rest;
        }
        rest = rest.split_at(rest.len() - cut).0;
    }
}

fn value(words: &[Token]) -> Vec<String> {
    let lemmas = words::content_of(words).words.into_iter().map(|word| match word.kind {
        WordKind::Name => words::lemma(&word.lemma),
        WordKind::Common | WordKind::Number => word.lemma,
    });
    lemmas.collect::<BTreeSet<String>>().into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(sentence: &str) -> Option<(&'static str, String, bool)> {
        let plain = read("user", &text::tokens(sentence))?;
        Some((plain.relation, plain.value.join(" "), plain.contrary))
    }

    #[test]
    fn a_plain_sentence_tells_its_relation_and_value() {
        let table = [
            ("User has gout", ("has", "gout", false)),
            ("User does not have gout.", ("has", "gout", false)),
            ("User no longer has gout", ("has", "gout", false)),
            ("User has no gout", ("has", "gout", false)),
            ("User suffers from gout", ("has", "gout", false)),
            ("User has been diagnosed with gout", ("has", "gout", false)),
            ("User owns a canoe", ("has", "cano", false)),
            ("User has children", ("has", "child", false)),
            ("User is allergic to figs", ("allergy", "fig", false)),
            ("User isn't allergic to figs anymore", ("allergy", "fig", false)),
            ("User loves fennel", ("likes", "fennel", false)),
            ("User hates fennel", ("likes", "fennel", true)),
            ("User cannot stand fennel", ("likes", "fennel", false)),
            ("User is fond of fennel", ("likes", "fennel", false)),
            ("User likes to knit", ("likes", "knit", false)),
            ("User is a potter", ("is", "potter", false)),
            ("User smokes", ("smokes", "", false)),
            ("User has quit smoking", ("smokes", "", true)),
            ("User stopped eating pork", ("eats", "pork", true)),
            ("Ana Ruiz plays the oboe", ("plays", "obo", false)),
        ];
        for (sentence, (relation, value, contrary)) in table {
            assert_eq!(told(sentence), Some((relation, value.to_owned(), contrary)), "{sentence}");
        }
    }

    #[test]
    fn what_says_more_or_is_not_now_is_not_plain() {
        for sentence in [
            "User has taken up weaving",
            "User has a dog with long ears",
            "User does not eat pork on Fridays",
            "User does not like all cheeses",
            "User used to smoke",
            "User will stop smoking",
            "User's dog has fleas",
            "User is looking for a flat",
            "User had a dog",
            "User owns a boat and a bike",
            "User likes tea, but not in the morning",
            "User works at the dairy",
        ] {
            assert_eq!(told(sentence), None, "{sentence}");
        }
    }
}
