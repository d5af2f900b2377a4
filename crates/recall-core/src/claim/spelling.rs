//! One spelling for sentences that are written in another way but say the same: letters that only look alike, letters drawn apart, number words,
//! dates, accents. A deleted claim is compared in the words it was told in and in this spelling.

use std::sync::LazyLock;

use fnv::FnvHashMap;

use regex::{Captures, Regex};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::figures;
use super::form::Statement;
use super::forms::{EMPTY, IRREGULAR};
use crate::lexicon::verbs;
use crate::text::is_invisible;

/// A statement in the one spelling; `None` where it stands in it already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spelled {
    content: String,
    subject: String,
    value: String,
}

impl Spelled {
    /// The spelling of a statement.
    pub(super) fn of(statement: &Statement<'_>) -> Option<Self> {
        let Statement { content, subject, value, .. } = *statement;
        let spelled = Self { content: plain(content), subject: plain(subject), value: plain(value) };
        let same = spelled.content == content && spelled.subject == subject && spelled.value == value;
        (!same).then_some(spelled)
    }

    /// The statement so spelled.
    pub(super) fn statement<'a>(&'a self, told: &Statement<'a>) -> Statement<'a> {
        Statement { content: &self.content, subject: &self.subject, value: &self.value, ..*told }
    }
}

/// A text in the one spelling.
fn plain(text: &str) -> String {
    let visible: String = text.chars().filter(|c| !is_invisible(*c)).nfkc().collect();
    let shouted = !visible.chars().any(char::is_lowercase) && visible.chars().filter(|c| c.is_uppercase()).count() > 3;
    let joined = joined(&if shouted { visible.to_lowercase() } else { visible });
    let latin = latin(&joined);
    let spaced: String = latin.split_whitespace().collect::<Vec<_>>().join(" ");
    let unmarked = without_marks(&spaced);
    bases(&phrases(&figures::one_way(&transcribed(&unmarked))))
}

/// Letters drawn apart ("d i v o r c e d", "d.i.v.o.r.c.e.d") are a word: five and more with the same sign between them.
fn joined(text: &str) -> String {
    static APART: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let of = |sign: &str| format!(r"\b\p{{L}}(?:{sign}\p{{L}}){{4,}}\b");
        Regex::new(&[" ", r"\.", "-", "_", r"\*"].map(of).join("|")).ok()
    });
    replaced(&APART, text, |found| found[0].chars().filter(|c| c.is_alphabetic()).collect())
}

/// Letters of other scripts that look like Latin ones, small letters behind capital ones.
const LOOK_ALIKES: &str = "аa еe оo рp сc уy хx іi јj ѕs ԁd ԛq ԝw һh ӏl ɡg ɑa ıi νv οo αa ρp τt υu ιi κk χx АA ВB ЕE КK МM НH ОO РP СC ТT ХX \
    ІI ЈJ ЅS ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX";

static LATIN: LazyLock<FnvHashMap<char, char>> = LazyLock::new(|| {
    let pair = |pair: &str| {
        let mut letters = pair.chars();
        letters.next().zip(letters.next())
    };
    LOOK_ALIKES.split_whitespace().filter_map(pair).collect()
});

/// Letters that only look Latin, in texts that hold no other letter of their scripts: what is Russian or Greek stays so.
fn latin(text: &str) -> String {
    let is_latin = |c: char| c.is_ascii_alphabetic() || matches!(c, '\u{c0}'..='\u{24f}');
    let foreign = |c: &char| c.is_alphabetic() && !is_latin(*c);
    let disguised = text.chars().any(is_latin) && text.chars().filter(foreign).all(|c| LATIN.contains_key(&c));
    let swap = |c: char| if disguised { LATIN.get(&c).copied().unwrap_or(c) } else { c };
    let swapped: String = text.chars().map(swap).collect();
    digits_as_letters(&swapped)
}

/// Digits inside of words ("d1vorced", "sh0tgun") are letters: between letters, in a word that has three of them before the next sign.
fn digits_as_letters(text: &str) -> String {
    static WORD: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"\b\p{L}+[0134579$@]+\p{L}{2,}(?:[0134579$@]+\p{L}+)*\b").ok());
    let letter = |c: char| match c {
        '0' => 'o',
        '1' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        '9' => 'g',
        other => other,
    };
    replaced(&WORD, text, |found| found[0].chars().map(letter).collect())
}

/// Letters with marks as their base letters, and letters that are two.
fn without_marks(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.nfd().filter(|c| !is_combining_mark(*c)) {
        match c {
            'ß' => out.push_str("ss"),
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            'Æ' => out.push_str("Ae"),
            'Œ' => out.push_str("Oe"),
            'þ' => out.push_str("th"),
            'ø' => out.push('o'),
            'Ø' => out.push('O'),
            'ł' => out.push('l'),
            'Ł' => out.push('L'),
            'đ' | 'ð' => out.push('d'),
            'Đ' => out.push('D'),
            'ı' => out.push('i'),
            '\u{2018}' | '\u{2019}' => out.push('\''),
            other => out.push(other),
        }
    }
    out.nfc().collect()
}

/// Names in which two letters stand for one with two dots ("Mueller", "Koeln").
fn transcribed(text: &str) -> String {
    static NAME: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?P<before>.)\b(?P<start>\p{Lu}|\p{Lu}\p{L}*?[b-df-hj-np-tv-z])(?P<vowel>[oua])e(?P<end>(?:[b-df-hj-kmnp-tv-z]|l[b-df-hj-np-tv-z])\p{L}*)\b").ok()
    });
    NAME.as_ref()
        .map_or_else(|| text.to_owned(), |regex| regex.replace_all(text, "$before$start$vowel$end").into_owned())
}

/// Phrases that tell what one word tells, and that word.
const PHRASES: &[(&str, &str)] = &[
    (r"(?:terminat|end)(?:e|ed|es|ing) (?:a|the|her|their) pregnancy", "had an abortion"),
    (r"miscarr(?:y|ied|ies|ying)", "had a miscarriage"),
    (r"(?:cheat(?:s|ed|ing)? on|(?:is |was |been |being )?unfaithful to)", "betrayed"),
    (r"(?:kicked|thrown|turned) out of", "evicted from"),
    (r"(?:took|taken|takes) (?:his|her|their) own life|killed (?:him|her|them)sel(?:f|ves)", "committed suicide"),
    (r"pass(?:ed|es) away", "died"),
    (r"(?:locked up|behind bars|doing time|in jail)", "in prison"),
    (r"(?:got|given|gets) the (?:sack|boot)|(?:let go|laid off|made redundant|given notice)", "sacked"),
    (r"expecting (?:a|her|their) (?:baby|child)", "pregnant"),
    (r"smok(?:e|es|ed|ing) (?:weed|pot|marijuana|hashish|grass|joints)", "smokes cannabis"),
    (r"(?:psychologist|psychiatrist|psychoanalyst|shrink)", "therapist"),
    (r"marijuana|hashish", "cannabis"),
    (r"(?:hooked on|dependent on)", "addicted to"),
    (r"(?:broke|broken|split|splitting) up with", "separated from"),
];

/// Forms of irregular verbs that the normaliser does not know, as their base ("hidden", "hide").
fn bases(text: &str) -> String {
    static WORD: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\b\p{Ll}{3,}\b").ok());
    let is_known = |word: &str| EMPTY.contains(&word) || IRREGULAR.iter().any(|(form, _)| *form == word);
    replaced(&WORD, text, |found| {
        let word = &found[0];
        verbs::base(word).filter(|_| !is_known(word)).unwrap_or(word).to_owned()
    })
}

fn phrases(text: &str) -> String {
    static ALL: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
        let made = PHRASES
            .iter()
            .filter_map(|(phrase, word)| Some((Regex::new(&format!(r"(?i)\b(?:{phrase})\b")).ok()?, *word)));
        made.collect()
    });
    ALL.iter().fold(text.to_owned(), |text, (phrase, word)| phrase.replace_all(&text, *word).into_owned())
}

/// A text with everything a pattern finds told otherwise.
pub(super) fn replaced(regex: &LazyLock<Option<Regex>>, text: &str, with: impl Fn(&Captures<'_>) -> String) -> String {
    regex.as_ref().map_or_else(
        || text.to_owned(),
        |regex| regex.replace_all(text, |found: &Captures<'_>| with(found)).into_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_has_one_spelling() {
        for (written, spelled) in [
            ("User is divorced", "User is divorced"),
            ("User is d\u{200b}ivor\u{ad}ced", "User is divorced"),
            ("User is d i v o r c e d", "User is divorced"),
            ("User is d1vorced", "User is divorced"),
            ("Usеr is divоrcеd", "User is divorced"),
            ("\u{ff35}ser  is\u{3000}divorced", "User is divorced"),
            ("Пользователь живёт в Омске", "Пользователь живет в Омске"),
            ("User owns an MP3 player and a B2B shop", "User owns an MP3 player and a B2B shop"),
            ("User lives in São Tomé, Łódź or Gießen", "User lives in Sao Tome, Lodz or Giessen"),
            ("User was born on 3 May 1990", "User was born on 0503d 1990"),
            ("User was born on May 3rd, 1990", "User was born on 0503d 1990"),
            ("User was born on 1990-05-03", "User was born on 0503d 1990"),
            ("User was born on 3.5.1990", "User was born on 0503d 1990"),
            ("User's birthday is the twenty-first of June", "User's birthday is 0621d"),
            ("User may come on Monday", "User may come on Monday"),
            ("User wakes at 7:30 pm", "User wake at 1930h"),
            ("User wakes at 19:30", "User wake at 1930h"),
            ("User owes twelve thousand five hundred euros", "User owes 12500 euros"),
            ("User owes 12,500 euros", "User owes 12500 euros"),
            ("User is forty-three", "User is 43"),
            ("User owns two hundred and five books", "User owns 205 books"),
            ("User dialled two three", "User dialled two three"),
            ("User works for Mueller in Koeln", "User work for Muller in Koln"),
            ("User met Michael, Sue and Joe", "User met Michael, Sue and Joe"),
            ("USER IS DIVORCED", "user is divorced"),
            ("User was laid off", "User was sacked"),
            ("User has hidden what was stolen", "User has hide what was stolen"),
        ] {
            assert_eq!(plain(written), spelled, "{written}");
        }
    }
}
