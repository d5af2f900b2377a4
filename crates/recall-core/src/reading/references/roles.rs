//! The one form a name or role is kept in, so that "my mum" and "the user's mother" are one person.

use crate::entity::USER;
use crate::text::fold;

use super::Part;
use super::lexicon;
use super::nouns;
use super::pronouns::{self, Class};
use super::words;

/// Third person of people, as [`persons_meant`] and [`person_of`] tell it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Person {
    /// He, him, his.
    He,
    /// She, her.
    She,
    /// They, them, their.
    They,
}

/// Whom a pronoun can mean, where it is a third person of people.
pub fn person_of(pronoun: &str) -> Option<Person> {
    match pronoun {
        "he" | "him" | "his" | "himself" => Some(Person::He),
        "she" | "her" | "hers" | "herself" => Some(Person::She),
        "they" | "them" | "their" | "theirs" | "themselves" => Some(Person::They),
        _ => None,
    }
}

/// The people a sentence means by a pronoun alone; owners ("her bike") lean on the noun beside them and do not count.
pub fn persons_meant(sentence: &str) -> Vec<Person> {
    let tokens = crate::text::tokens(sentence);
    // Most sentences have no such pronoun, and reading the words around it costs.
    if !tokens.iter().any(|token| token.folded.split('\'').next().is_some_and(pronouns::is_of_people)) {
        return Vec::new();
    }
    let words = words::words(sentence, &tokens, &[]);
    let found = pronouns::find(&words).into_iter().filter(|pronoun| pronoun.part != Part::Possessor);
    found
        .filter_map(|pronoun| match pronoun.class {
            Class::He => Some(Person::He),
            Class::She => Some(Person::She),
            Class::They => Some(Person::They),
            Class::It | Class::Speaker | Class::Speakers | Class::Addressee => None,
        })
        .collect()
}

/// A name as said becomes the form it is kept in: `user`, `user's mother` for "the user's mum" and "my mum";
/// names of people stay as they are.
pub fn canonical(name: &str) -> String {
    let said = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let folded = fold(&said);
    let bare = folded.strip_prefix("the ").unwrap_or(&folded);
    if matches!(bare, "user" | "i" | "me" | "myself" | "user himself" | "user herself") {
        return USER.to_owned();
    }
    let role = bare
        .strip_prefix("user's ")
        .or_else(|| bare.strip_prefix("users ").filter(|rest| nouns::noun(rest).is_some()))
        .or_else(|| bare.strip_prefix("my "))
        .or_else(|| nouns::stands_alone(bare).then_some(bare));
    match role {
        Some(role) => format!("{USER}'s {}", kept_form(role)),
        None => said,
    }
}

/// "ex-husband's mum" is kept as "ex-husband's mother".
fn kept_form(role: &str) -> String {
    let words = role.split(' ').map(|word| match word.strip_suffix("'s") {
        Some(owner) => nouns::noun(owner).filter(|noun| !noun.plural).map(|noun| format!("{}'s", noun.lemma)),
        None => nouns::noun(word).filter(|noun| !noun.plural).map(|noun| noun.lemma),
    });
    words.zip(role.split(' ')).map(|(kept, said)| kept.unwrap_or_else(|| said.to_owned())).collect::<Vec<_>>().join(" ")
}

/// Whether the last word of a name is a noun for a person ("user's old boss").
pub fn is_role(name: &str) -> bool {
    name.contains("'s ")
        && fold(name).rsplit(' ').next().and_then(nouns::noun).is_some_and(|noun| noun.sort != nouns::Sort::Animal)
}

/// Whether a folded word is an established first name, so that a name one letter away is somebody else.
pub fn is_first_name(word: &str) -> bool {
    lexicon::share_of_women(word).is_some()
}
