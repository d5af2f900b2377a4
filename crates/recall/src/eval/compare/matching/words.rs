//! Words as the matcher compares them: folded, stemmed in the language they are told in and in English, numbers as digits, each with
//! whether it is said to be so.

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation;

use super::lists::{BREAKS, LIGHT, NEGATIONS, NUMBERS, PERSON, SAME, STOP, listed};

/// Letters of a short word.
const SHORT: usize = 3;

/// A word of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// Without case.
    pub said: String,
    /// Without case and marks; a number in digits.
    pub folded: String,
    /// In the language of the sentence.
    pub stem: String,
    /// As English.
    pub english: String,
    /// It is a number.
    pub number: bool,
    /// It begins with a capital and does not begin the sentence.
    pub name: bool,
    /// It is told as not so.
    pub negative: bool,
    /// It carries something by itself.
    pub carries: bool,
}

impl Word {
    /// Whether two words are forms of one.
    pub(super) fn is(&self, other: &Self) -> bool {
        if self.number || other.number {
            return self.folded == other.folded;
        }
        let marked = |word: &Self| word.said != word.folded;
        let short = self.folded.chars().count().min(other.folded.chars().count()) <= SHORT;
        // Of a short word the marks are half of it: `né` is no `ne`.
        if short && (marked(self) || marked(other)) {
            return self.said == other.said;
        }
        self.folded == other.folded
            || self.stem == other.stem
            || self.english == other.english
            || !(self.name || other.name) && share_their_beginning(&self.folded, &other.folded)
    }

    /// Whether they are forms of one or tell the same of a person.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let both = |group: &&str| {
            let holds = |stem: &str| group.split(' ').any(|word| word == stem);
            holds(&self.english) && holds(&other.english)
        };
        self.is(other) || SAME.iter().any(both)
    }

    /// Whether it weighs so little that a claim is told without it.
    pub(super) fn is_light(&self) -> bool {
        listed(LIGHT, &self.said) || listed(LIGHT, &self.english)
    }
}

/// Two words that begin alike for most of their length and differ in an ending only.
fn share_their_beginning(one: &str, other: &str) -> bool {
    let alike = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let (one, other) = (one.chars().count(), other.chars().count());
    alike >= 4 && alike * 10 >= one.max(other) * 6 && one - alike <= 3 && other - alike <= 3
}

/// The language a sentence is told in: that of the word for the person, else that of the conversation.
pub(super) fn spoken<'l>(sentence: &str, conversation: Option<&'l str>) -> &'l str {
    let folded = fold(sentence);
    let told = PERSON.iter().find(|(_, person)| parts(&folded).contains(person));
    let own = conversation.and_then(|language| language.split('-').next()).unwrap_or("en");
    told.map_or(own, |(language, _)| language)
}

/// The words of a sentence in their order.
pub(super) fn words(sentence: &str, language: Option<&str>) -> Vec<Word> {
    let language = spoken(sentence, language);
    let own = Stemmer::create(algorithm(language).unwrap_or(Algorithm::English));
    let english = Stemmer::create(Algorithm::English);
    let mut words: Vec<Word> = Vec::new();
    for clause in clauses(sentence) {
        let past = clause.contains("used to ") || clause.contains("früher");
        let from = negative_from(&clause, language);
        for (place, said) in parts(&clause).into_iter().enumerate() {
            if is_negation(said, language) {
                continue;
            }
            let name = said.chars().next().is_some_and(char::is_uppercase) && !words.is_empty();
            let negative = past || from.is_some_and(|from| place >= from);
            words.push(word(said, language, (&own, &english), (name, negative)));
        }
    }
    words
}

fn word(said: &str, language: &str, (own, english): (&Stemmer, &Stemmer), (name, negative): (bool, bool)) -> Word {
    let (marked, plain) = (fold_case(said), fold(said));
    let digits = digits(&plain);
    let number = digits.is_some();
    let folded = digits.unwrap_or(plain);
    Word {
        stem: fold(&own.stem(&marked)),
        english: english.stem(&folded).into_owned(),
        carries: !STOP
            .iter()
            .any(|(of, words)| (*of == "en" || *of == language) && words.split(' ').any(|stop| stop == marked)),
        said: marked,
        folded,
        number,
        name,
        negative,
    }
}

/// Parts of a sentence that a negation does not reach over.
fn clauses(sentence: &str) -> Vec<String> {
    let mut clauses = vec![String::new()];
    let mut rest = sentence.split_word_bounds().peekable();
    while let Some(part) = rest.next() {
        let ends = matches!(part, "," | ";" | ".") && rest.peek().is_none_or(|next| next.trim().is_empty());
        if ends || listed(BREAKS, &fold_case(part)) {
            clauses.push(String::new());
        } else if let Some(last) = clauses.last_mut() {
            last.push_str(part);
        }
    }
    clauses
}

fn parts(clause: &str) -> Vec<&str> {
    let words = clause.unicode_words().flat_map(|word| word.split(['\'', '\u{2019}']));
    words.filter(|word| !word.is_empty()).collect()
}

/// The first word of a clause that is told as not so: after the negation in English, all of it elsewhere.
fn negative_from(clause: &str, language: &str) -> Option<usize> {
    let at = parts(clause).iter().position(|word| is_negation(word, language))?;
    Some(if language == "en" { at } else { 0 })
}

/// Whether a word turns a sentence round.
fn is_negation(word: &str, language: &str) -> bool {
    let word = fold_case(word);
    let lists = NEGATIONS.iter().filter(|(known, _)| *known == language);
    lists.flat_map(|(_, words)| words.split(' ')).any(|known| known == word)
}

/// Whether an alternative of a label says by itself that something is not so.
pub(super) fn holds_negation(alternative: &str, language: Option<&str>) -> bool {
    let own = spoken(alternative, language);
    parts(alternative).iter().any(|word| is_negation(word, own) || is_negation(word, "en"))
}

/// Without case and marks.
pub(super) fn fold(text: &str) -> String {
    fold_case(text).nfd().filter(|character| !is_combining_mark(*character)).collect()
}

fn fold_case(text: &str) -> String {
    text.nfkc().flat_map(char::to_lowercase).collect::<String>().replace('ß', "ss").replace('ø', "o").replace('ł', "l")
}

/// A number in digits without separators.
fn digits(folded: &str) -> Option<String> {
    if let Some(number) = NUMBERS.split(' ').position(|word| word == folded) {
        return Some(number.to_string());
    }
    let plain: String = folded.chars().filter(|character| *character != ',' && *character != '.').collect();
    let separated = folded.len() > plain.len();
    let whole = !plain.is_empty() && plain.chars().all(|character| character.is_ascii_digit());
    // 1,000 and 1.000 are a thousand, 2.5 stays what it is.
    let thousands = folded.split([',', '.']).skip(1).all(|part| part.len() == 3);
    match (whole, separated, thousands) {
        (true, false, _) | (true, true, true) => Some(plain),
        (true, true, false) => Some(folded.replace(',', ".")),
        (false, _, _) => None,
    }
}

fn algorithm(language: &str) -> Option<Algorithm> {
    let short = language.split('-').next().unwrap_or_default();
    Some(match short {
        "en" => Algorithm::English,
        "de" => Algorithm::German,
        "fr" => Algorithm::French,
        "es" => Algorithm::Spanish,
        "it" => Algorithm::Italian,
        "pt" => Algorithm::Portuguese,
        "nl" => Algorithm::Dutch,
        "sv" => Algorithm::Swedish,
        "da" => Algorithm::Danish,
        "no" | "nb" | "nn" => Algorithm::Norwegian,
        "fi" => Algorithm::Finnish,
        "ru" => Algorithm::Russian,
        "ro" => Algorithm::Romanian,
        "hu" => Algorithm::Hungarian,
        "tr" => Algorithm::Turkish,
        "ar" => Algorithm::Arabic,
        "el" => Algorithm::Greek,
        _ => return None,
    })
}
