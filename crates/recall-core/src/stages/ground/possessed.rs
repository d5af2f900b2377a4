//! Whom a possessive leads to: "my older sister Tordis", "her nephew", "our vicar".

use super::passage::Word;
use super::person::{Who, name_at};
use super::pronouns::{FIRST, FIRST_ELSEWHERE, FIRST_POSSESSIVE, is_calendar};
use crate::lexicon::{bare, people, synonyms, verbs};
use crate::reading::references::is_first_name;

/// The owner of a relative who is somebody else's: "her nephew".
pub(super) const THEIRS: &str = "their";

/// Of whom a piece speaks that has an owner for its first word with content; the words behind it.
pub(super) fn owned(owner: &str, words: &[Word<'_>]) -> Option<Who> {
    match owner {
        mine if FIRST_POSSESSIVE.contains(&mine) => Some(possessed(words, Who::Speaker)),
        "your" | "dein" | "deine" | "tu" => Some(Who::Addressee),
        "his" | "her" | "their" => {
            let Who::Relative(chain) = possessed(words, Who::Thing) else { return None };
            Some(Who::Relative(std::iter::once(THEIRS.to_owned()).chain(chain).collect()))
        }
        _ => None,
    }
}

/// "my older sister Tordis", "my ex-husband's mother", "my knee".
pub(super) fn possessed(words: &[Word<'_>], otherwise: Who) -> Who {
    let mut chain = Vec::new();
    let mut since = 0;
    for (at, word) in words.iter().enumerate().take(6) {
        let text = bare(&word.text);
        let compound = words.get(at + 1).is_some_and(|next| people::is_role(text) && COMPOUNDS.contains(&&*next.root));
        if people::is_person(text) && !compound {
            chain.push(relation(text));
            since = 0;
            let next = words.get(at + 1);
            let is = next.is_some_and(|next| IS_BEFORE.contains(&&*next.text));
            if word.text.ends_with("'s") && !is || next.is_some_and(|next| people::is_person(bare(&next.text))) {
                continue;
            }
            if next.is_some_and(|next| next.capital && !FIRST.contains(&&*next.text)) {
                return Who::Named { name: name_at(words, at + 1), chain };
            }
            if let Some(name) = in_apposition(words, at) {
                return Who::Named { name, chain };
            }
            break;
        }
        if text == "one" && at > 0 {
            // "my younger one": of whom was spoken before; "my little one" is a child, "my favourite one" nobody.
            match words.get(at - 1).map_or("", |word| &*word.text) {
                "little" => return Who::Relative(vec![relation("child")]),
                "older" | "younger" | "elder" | "oldest" | "youngest" | "eldest" | "middle" | "other" => {
                    return Who::Other;
                }
                _ => {}
            }
        }
        if chain.is_empty() && at < 3 && is_somebody_called(word, words.get(at + 1)) {
            return Who::Named { name: name_at(words, at + 1), chain: vec![text.to_owned()] };
        }
        let liked = words.get(..at).unwrap_or_default().iter().any(|word| word.text.starts_with("fav"));
        if chain.is_empty() && (is_pet(word) || FIGURES.contains(&text) && !liked) {
            // "our cat Pudding", "my dog", "my main character": what it does or is, the speaker does not.
            let named = words.get(at + 1).is_some_and(|next| next.capital && !FIRST.contains(&&*next.text));
            let chain = vec![text.to_owned()];
            return if named { Who::Named { name: name_at(words, at + 1), chain } } else { Who::Relative(chain) };
        }
        // "my own wife": as an adjective it is no verb.
        let is_own = at == 0 && text == "own";
        if verbs::is_known(text) && !is_own || (since > 2 && !chain.is_empty()) {
            break;
        }
        since += 1;
    }
    if !chain.is_empty() {
        Who::Relative(chain)
    } else if otherwise == Who::Speaker && acts_for_oneself(words) {
        Who::Other
    } else {
        otherwise
    }
}

/// "my wife is a nurse and her brother …": the way to somebody else's relative, from the one spoken of before where that is a relative.
pub(super) fn of_the_one_before(chain: &[String], before: Option<&Who>) -> Vec<String> {
    let theirs = chain.first().is_some_and(|owner| owner == THEIRS);
    match before {
        Some(Who::Relative(way) | Who::Named { chain: way, .. }) if theirs && !way.is_empty() => {
            way.iter().chain(chain.iter().skip(1)).cloned().collect()
        }
        Some(_) | None => chain.to_vec(),
    }
}

/// "my physio Ingeborg": who has a first name is somebody, whatever the word before it.
fn is_somebody_called(word: &Word<'_>, next: Option<&Word<'_>>) -> bool {
    let called = next.is_some_and(|next| next.capital && is_first_name(&next.text) && !is_calendar(&next.text));
    called && !word.capital && !verbs::is_known(&word.text) && !word.text.ends_with("'s")
}

/// "our vicar broke his hip": what has a him or her of its own is no thing of the speaker's.
fn acts_for_oneself(words: &[Word<'_>]) -> bool {
    const OWN: &[&str] = &["his", "her", "himself", "herself"];
    let own = words.iter().take(8).position(|word| OWN.contains(&&*word.text));
    let of_speaker = |word: &Word<'_>| {
        FIRST.contains(&&*word.text)
            || FIRST_ELSEWHERE.contains(&&*word.text)
            || FIRST_POSSESSIVE.contains(&&*word.text)
    };
    own.is_some_and(|own| own > 1) && !words.iter().any(of_speaker)
}

/// Words before which "'s" is "is": "my brother's a pilot".
const IS_BEFORE: &[&str] = &[
    "a", "an", "the", "not", "been", "in", "at", "on", "always", "really", "so", "very", "also", "from", "going",
    "getting",
];

/// Somebody one has made up.
const FIGURES: &[&str] =
    &["character", "protagonist", "antagonist", "hero", "heroine", "narrator", "villain", "avatar", "persona"];

fn is_pet(word: &Word<'_>) -> bool {
    synonyms::general("pet", &word.root)
}

/// "…, a Mrs Okafor, …", "…, Birgit, …": the name behind a mark that names the one right before it.
pub(super) fn in_apposition(words: &[Word<'_>], at: usize) -> Option<String> {
    const BEFORE_NAME: &[&str] = &["a", "an", "one", "certain", "called", "named"];
    let chunk = words.get(at)?.chunk;
    let rest = words.get(at + 1..).unwrap_or_default();
    let from = at + 1 + rest.iter().take(2).take_while(|word| BEFORE_NAME.contains(&&*word.text)).count();
    let named = words.get(from)?;
    let is_name = named.chunk != chunk
        && named.capital
        && !FIRST.contains(&&*named.text)
        && !is_calendar(&named.text)
        && !verbs::is_known(&named.text);
    // "…, Birgit is …": a name that a verb follows without a mark begins anew.
    let name = name_at(words, from);
    let behind = words.get(from + name.split(' ').count());
    (is_name && behind.is_none_or(|behind| behind.chunk != named.chunk)).then_some(name)
}

/// Nouns before which a trade tells what they are for: "my dentist appointment".
const COMPOUNDS: &[&str] = &[
    "appoint", "visit", "bill", "job", "cours", "school", "exam", "train", "licenc", "licens", "meet", "session",
    "offic",
];

/// One spelling for a relative or role.
pub(super) fn relation(word: &str) -> String {
    people::relative(word).map_or_else(|| word.to_owned(), str::to_owned)
}
