//! Of whom a claim speaks.

use super::kin;
use super::possessed::relation;
use crate::candidate::Candidate;
use crate::lexicon::abroad::is_user;
use crate::lexicon::{bare, people, stop, verbs};
use crate::text::{self, Token, TokenKind};

/// Of whom a claim speaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Agent {
    /// The owner of the scope.
    User,
    /// The assistant.
    Assistant,
    /// A person or thing by name.
    Named(Vec<String>),
    /// A relative seen from the user.
    Relative { chain: Vec<String>, words: Vec<String> },
    /// A pronoun: the model left it open.
    Open,
    /// A thing, or a sentence that begins with something else than its subject.
    Thing,
}

const BEFORE_USER: &[&str] = &["the", "der", "die", "el", "la", "l'", "le", "يعمل"];

/// Articles of other languages that are also words of English, or letters: only the user behind them makes them one.
const BEFORE_USER_ALONE: &[&str] = &["o", "a", "il", "lo", "de", "den", "het"];

pub(super) fn agent(claim: &Candidate, tokens: &[Token], speakers: &[String]) -> Agent {
    let is_word = |token: &&Token| token.kind != TokenKind::Symbol;
    let words: Vec<&Token> = tokens.iter().filter(is_word).collect();
    let folded = |at: usize| words.get(at).map_or("", |token| token.folded.as_str());
    let article = BEFORE_USER.contains(&folded(0)) || BEFORE_USER_ALONE.contains(&folded(0)) && is_user(folded(1));
    let first = usize::from(article);
    let opening = folded(first);
    if opening == "assistant" {
        return Agent::Assistant;
    }
    if matches!(opening, "he" | "she" | "they" | "it") {
        return Agent::Open;
    }
    if opening == "user's" || opening == "users" {
        return owned(words.get(first + 1..).unwrap_or_default());
    }
    let subject: Vec<String> =
        text::tokens(&claim.subject).iter().filter(is_word).map(|token| bare(&token.folded).to_owned()).collect();
    if is_user(opening) {
        // "उपयोगकर्ता की बेटी …" begins with the user and speaks of a relative.
        let is_owner = subject.first().is_none_or(|word| is_user(word));
        return if is_owner { Agent::User } else { Agent::Named(subject) };
    }
    let by_speaker = speakers.iter().any(|name| name == bare(opening));
    if by_speaker && opening != bare(opening) {
        // "Jesper's sister Alma …" is about her.
        let theirs = owned(words.get(first + 1..).unwrap_or_default());
        if matches!(theirs, Agent::Named(_) | Agent::Relative { .. }) {
            return theirs;
        }
    }
    if subject.first().is_some_and(|name| name == bare(opening) && !is_user(name)) {
        return Agent::Named(subject);
    }
    if by_speaker {
        return Agent::Named(vec![bare(opening).to_owned()]);
    }
    // "Weaving brings Odile joy": about the only one of the speakers it names.
    let mut named =
        words.iter().map(|token| bare(&token.folded)).filter(|word| speakers.iter().any(|name| name == word));
    let of_user = subject.first().is_some_and(|word| is_user(word));
    if let Some(name) = named.next().filter(|name| !of_user && named.all(|other| other == *name)) {
        return Agent::Named(vec![name.to_owned()]);
    }
    if subject.first().is_some_and(|name| name == "user") && subject.len() > 1 && people::is_person(opening) {
        return relative(&subject);
    }
    Agent::Thing
}

/// "User's older sister Tordis …": the relative, else a thing.
fn owned(words: &[&Token]) -> Agent {
    let mut chain = Vec::new();
    let mut told: Vec<String> = Vec::new();
    for (at, token) in words.iter().enumerate().take(6) {
        let text = bare(&token.folded);
        if people::is_person(text) {
            let side = told.last().and_then(|side| kin::by_side(side, &relation(text)));
            match side {
                Some(way) => chain.extend(way.map(str::to_owned)),
                None => chain.push(relation(text)),
            }
            told.push(text.to_owned());
            // "my ex wife": two words for one.
            let next = words.get(at + 1).map_or("", |next| bare(&next.folded));
            let doubled = people::is_person(next) && relation(next) != relation(text);
            if token.folded.ends_with("'s") || doubled {
                continue;
            }
            let name: Vec<String> = words
                .iter()
                .skip(at + 1)
                .take_while(|next| next.capital)
                .map(|next| bare(&next.folded).to_owned())
                .collect();
            return if name.is_empty() { Agent::Relative { chain, words: told } } else { Agent::Named(name) };
        }
        if token.folded.ends_with("'s") || verbs::base(text).is_some() || stop::is_function(text) {
            break;
        }
        told.push(text.to_owned());
    }
    Agent::Thing
}

fn relative(subject: &[String]) -> Agent {
    let chain: Vec<String> = subject.iter().filter(|word| people::is_person(word)).map(|word| relation(word)).collect();
    if chain.is_empty() { Agent::Thing } else { Agent::Relative { chain, words: subject.to_vec() } }
}

/// The words at the beginning that only say of whom the claim speaks.
pub(super) fn subject_words(agent: &Agent) -> Vec<String> {
    let mut words: Vec<String> = match agent {
        Agent::Named(name) => name.clone(),
        Agent::Relative { words, .. } => words.clone(),
        Agent::User | Agent::Assistant | Agent::Open | Agent::Thing => Vec::new(),
    };
    if matches!(agent, Agent::Assistant) {
        words.push("assistant".into());
    }
    words
}

pub(super) fn named_as_subject(named: &[String], token: &Token, at: usize) -> bool {
    let text = bare(&token.folded);
    is_user(text) || text == "assistant" || (at < 8 && named.iter().any(|word| word == text))
}
