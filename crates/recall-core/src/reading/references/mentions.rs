//! Finds the mentions of one turn, from left to right.

use crate::entity::{EntityKind, USER};

use super::lexicon;
use super::names::{self, Name};
use super::nouns;
use super::pairs;
use super::parts::part;
use super::phrases::{self, Phrase};
use super::words::{Tail, Word};
use super::{Mention, Number};

/// The most mentions taken from one turn: a pasted address book is not a conversation.
const MOST: usize = 200;

/// The mentions of a turn. Roles seen from somebody who is only known by a pronoun carry that pronoun
/// as their owner (`her's brother`), until it is resolved.
pub(super) fn find(words: &[Word<'_>]) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    let mut at = 0;
    while at < words.len() && found.len() < MOST {
        at = step(words, at, &mut found).max(at + 1);
    }
    pairs::join(words, &mut found);
    found
}

/// Takes what begins at a word; returns the index after it.
fn step(words: &[Word<'_>], at: usize, found: &mut Vec<Mention>) -> usize {
    let Some(word) = words.get(at) else { return at + 1 };
    if let Some(owner) = owner_of(word) {
        return owned(words, at, at + 1, owner, found);
    }
    let names_follow = words.get(at + 1).is_some_and(|next| next.capital && next.is_word() && !next.is("i"));
    if nouns::stands_alone(&word.text) && !names_follow && !after_determiner(words, at) {
        return alone(words, at, found);
    }
    if let Some(name) = names::name_at(words, at) {
        return named(words, at, name, found);
    }
    if is_article(&word.text) {
        return article(words, at, found);
    }
    match phrases::bare_object(words, at) {
        Some(phrase) => {
            push(words, found, at, phrase.end, plain(&phrase, phrase.text.clone()));
            phrase.end
        }
        None => at + 1,
    }
}

/// The owner a possessive determiner names.
fn owner_of(word: &Word<'_>) -> Option<String> {
    match &*word.text {
        "my" | "our" => Some(USER.to_owned()),
        "your" | "his" | "her" | "their" if word.tail == Tail::Bare => Some(word.text.to_string()),
        _ => None,
    }
}

fn is_article(word: &str) -> bool {
    matches!(word, "the" | "a" | "an" | "this" | "these" | "those" | "some" | "another" | "both" | "two" | "three")
}

fn after_determiner(words: &[Word<'_>], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    before.is_some_and(|before| is_article(&before.text) || owner_of(before).is_some() || before.tail == Tail::Genitive)
}

/// What of a mention does not depend on its place.
struct Face {
    name: String,
    role: Option<String>,
    kind: EntityKind,
    number: Number,
    female: Option<f32>,
}

fn plain(phrase: &Phrase, name: String) -> Face {
    let number = if phrase.plural { Number::Plural } else { Number::Singular };
    Face { name, role: None, kind: phrase.kind(), number, female: phrase.female() }
}

fn of_name(name: &Name, role: Option<String>) -> Face {
    Face { name: name.text.clone(), role, kind: name.kind, number: Number::Singular, female: name.female }
}

fn push(words: &[Word<'_>], found: &mut Vec<Mention>, start: usize, end: usize, face: Face) {
    let (Some(first), Some(last)) = (words.get(start), words.get(end.saturating_sub(1))) else { return };
    found.push(Mention {
        name: face.name,
        role: face.role,
        kind: face.kind,
        number: face.number,
        female: face.female,
        part: part(words, start, end),
        start: first.span.start,
        end: last.span.end,
    });
}

/// "my ex-husband's mother": one mention an owner, the last with its name where one follows.
fn owned(words: &[Word<'_>], start: usize, at: usize, owner: String, found: &mut Vec<Mention>) -> usize {
    let Some(phrase) = phrases::phrase_at(words, at) else {
        return younger_one(words, start, at, &owner, found).unwrap_or(at);
    };
    let role = format!("{owner}'s {}", phrase.text);
    if phrase.owns {
        push(words, found, start, phrase.end, plain(&phrase, role.clone()));
        return owned(words, start, phrase.end, role, found);
    }
    if phrase.kind() != EntityKind::Thing
        && let Some((from, name)) = apposed(words, phrase.end)
    {
        let female = name.female.or(phrase.female());
        let face = Face { kind: phrase.kind(), female, ..of_name(&name, Some(role)) };
        push(words, found, if from == phrase.end { start } else { from }, name.end, face);
        return name.end;
    }
    push(words, found, start, phrase.end, plain(&phrase, role));
    phrase.end
}

/// "the younger one" after "my older sister" is another sister.
fn younger_one(words: &[Word<'_>], start: usize, at: usize, owner: &str, found: &mut Vec<Mention>) -> Option<usize> {
    let quality = words.get(at)?;
    let one = words.get(at + 1).filter(|one| one.is("one"))?;
    let before =
        found.iter().rev().find(|mention| mention.kind == EntityKind::Person && mention.number == Number::Singular)?;
    let role = before.role.as_ref().unwrap_or(&before.name);
    let (head_owner, head) = role.rsplit_once("'s ")?;
    let noun = nouns::noun(head.rsplit(' ').next()?)?;
    let owner = if owner == "the" { head_owner } else { owner };
    let compares = quality.text.ends_with("er") || quality.text.ends_with("est");
    let counts = matches!(&*quality.text, "little" | "big" | "first" | "second" | "third");
    let fits = (compares || counts) && one.sentence == quality.sentence && noun.sort == nouns::Sort::Kin;
    let face = Face {
        name: format!("{owner}'s {} {}", quality.text, noun.lemma),
        role: None,
        kind: EntityKind::Person,
        number: Number::Singular,
        female: noun.female,
    };
    fits.then(|| {
        push(words, found, start, at + 2, face);
        at + 2
    })
}

/// A name in running text, what it owns, and the role that follows it ("Henrike, my manager,").
fn named(words: &[Word<'_>], at: usize, name: Name, found: &mut Vec<Mention>) -> usize {
    let end = name.end;
    let owns = words.get(end - 1).is_some_and(|last| last.tail == Tail::Genitive);
    let role = if owns { None } else { role_after(words, end) };
    let female = name.female.or(role.as_ref().and_then(|(phrase, _)| phrase.female()));
    let kind = if role.is_some() && name.kind == EntityKind::Unknown { EntityKind::Person } else { name.kind };
    let after = role.as_ref().map_or(end, |(phrase, _)| phrase.end);
    let family = at.checked_sub(1).and_then(|before| words.get(before)).is_some_and(|before| before.is("the"))
        && name.text.ends_with('s')
        && name.kind != EntityKind::Place
        && !lexicon::is_common(&name.text.to_lowercase());
    let mut face = Face { kind, female, ..of_name(&name, role.map(|(_, role)| role)) };
    if family {
        face = Face {
            name: format!("the {}", name.text),
            number: Number::Plural,
            kind: EntityKind::Person,
            female: None,
            ..face
        };
    }
    let owner = face.name.clone();
    push(words, found, at, end, face);
    if owns { owned(words, at, end, owner, found) } else { after }
}

/// ", my manager" or ", Ana's sister" behind a name.
fn role_after(words: &[Word<'_>], end: usize) -> Option<(Phrase, String)> {
    words.get(end).filter(|comma| comma.is(","))?;
    let owner = owner_of(words.get(end + 1)?)?;
    let phrase =
        phrases::phrase_at(words, end + 2).filter(|phrase| phrase.noun.is_some() && !phrase.owns && !phrase.plural)?;
    let closed = words.get(phrase.end).is_none_or(|next| matches!(&*next.text, "," | "." | "!" | "?" | ")"));
    let role = format!("{owner}'s {}", phrase.text);
    closed.then_some((phrase, role))
}

/// "Grandma", "mum": kin of the speaker.
fn alone(words: &[Word<'_>], at: usize, found: &mut Vec<Mention>) -> usize {
    let Some(phrase) = words.get(at).and_then(|_| phrases_single(words, at)) else { return at + 1 };
    let role = format!("{USER}'s {}", phrase.text);
    if phrase.owns {
        push(words, found, at, phrase.end, plain(&phrase, role.clone()));
        return owned(words, at, phrase.end, role, found);
    }
    push(words, found, at, phrase.end, plain(&phrase, role));
    phrase.end
}

fn phrases_single(words: &[Word<'_>], at: usize) -> Option<Phrase> {
    let word = words.get(at)?;
    let noun = nouns::noun(&word.text)?;
    Some(Phrase {
        end: at + 1,
        text: noun.lemma.clone(),
        plural: noun.plural,
        owns: word.tail == Tail::Genitive,
        noun: Some(noun),
    })
}

/// "the new puppy", "a cargo trike", "the woman from upstairs, Mrs Okafor,".
fn article(words: &[Word<'_>], at: usize, found: &mut Vec<Mention>) -> usize {
    let Some(article) = words.get(at) else { return at + 1 };
    if let Some(end) = younger_one(words, at, at + 1, "the", found) {
        return end;
    }
    let Some(phrase) = phrases::phrase_at(words, at + 1) else { return at + 1 };
    if matches!(&*article.text, "a" | "an") && is_predicate(words, at) {
        return phrase.end;
    }
    let definite = matches!(&*article.text, "the" | "this" | "these" | "those");
    let name = if definite { format!("the {}", phrase.text) } else { phrase.text.clone() };
    if phrase.owns {
        push(words, found, at, phrase.end, plain(&phrase, name.clone()));
        return owned(words, at, phrase.end, name, found);
    }
    if phrase.kind() != EntityKind::Thing
        && let Some((from, name)) = apposed(words, phrase.end)
    {
        let female = name.female.or(phrase.female());
        let mut face = Face { kind: phrase.kind(), female, ..of_name(&name, None) };
        if phrase.plural {
            face = Face { name: format!("the {}", name.text), number: Number::Plural, ..face };
        }
        push(words, found, from, name.end, face);
        return name.end;
    }
    push(words, found, at, phrase.end, plain(&phrase, name));
    phrase.end
}

/// "She was a big girl": a quality of somebody, nobody new.
fn is_predicate(words: &[Word<'_>], at: usize) -> bool {
    let before = words.get(at.saturating_sub(2)..at).unwrap_or_default();
    before.last().is_some_and(|last| {
        last.tail == Tail::Contracted
            || matches!(&*last.text, "is" | "am" | "are" | "was" | "were" | "be" | "been" | "isn't" | "wasn't" | "as")
            || (matches!(&*last.text, "not" | "such" | "just" | "really" | "still" | "only" | "like")
                && before.first().is_some_and(|first| {
                    first.tail == Tail::Contracted || matches!(&*first.text, "is" | "was" | "are" | "am")
                }))
    })
}

/// The name given to a role in the same breath, and where it begins.
fn apposed(words: &[Word<'_>], end: usize) -> Option<(usize, Name)> {
    let next = words.get(end)?;
    if let Some(name) = names::after_role(words, end) {
        return Some((end, name));
    }
    let called = |at: usize| words.get(at).is_some_and(|word| matches!(&*word.text, "called" | "named"));
    if called(end) || (matches!(&*next.text, "is" | "was") && called(end + 1)) {
        let from = if called(end) { end + 1 } else { end + 2 };
        return names::after_role(words, from).map(|name| (from, name));
    }
    let comma = comma_after(words, end)?;
    let article = usize::from(words.get(comma + 1).is_some_and(|word| word.is("the")));
    let from = comma + 1 + article;
    let name = names::name_at(words, from)?;
    let list = words.get(name.end).is_some_and(|next| next.is("and"))
        || (words.get(name.end).is_some_and(|next| next.is(","))
            && (words.get(name.end + 1).is_some_and(|next| next.is("and"))
                || names::name_at(words, name.end + 1).is_some()));
    let closed = words.get(name.end).is_none_or(|next| matches!(&*next.text, "," | "." | "!" | ")" | ";"));
    (closed && !list && words.get(name.end - 1).is_some_and(|last| last.tail == Tail::Bare)).then_some((from, name))
}

/// The comma right after a phrase, or after "from the second floor" behind it.
fn comma_after(words: &[Word<'_>], end: usize) -> Option<usize> {
    let next = words.get(end)?;
    if next.is(",") {
        return Some(end);
    }
    if !lexicon::is_preposition(&next.text) {
        return None;
    }
    let reach = words.get(end + 1..(end + 7).min(words.len()))?;
    let comma = reach.iter().position(|word| word.is(",") || lexicon::is_verb(&word.text))?;
    let at = end + 1 + comma;
    words.get(at).filter(|word| word.is(",")).map(|_| at)
}
