//! The stem of an English word by the rules of Porter's second algorithm, as Snowball publishes them. Every word of every turn and claim
//! is stemmed, so it works in one buffer; what stems of suppressed claims are made of must never change, and a test holds each
//! against those of the library that made them first.

/// The stem of a lower-case word.
pub fn stem(word: &str) -> String {
    if let Some((_, stem)) = IRREGULAR.iter().find(|(known, _)| *known == word) {
        return (*stem).to_owned();
    }
    if word.chars().nth(2).is_none() {
        return word.to_owned();
    }
    let mut stem = Stem::new(word);
    stem.drop_owner_and_plural();
    if !UNCHANGED.contains(&stem.word.as_str()) {
        stem.drop_tense();
        stem.soften();
        stem.turn_long_ending();
        stem.turn_ending();
        stem.drop_ending();
        stem.drop_last();
    }
    if stem.is_marked {
        stem.word = stem.word.replace('Y', "y");
    }
    stem.word
}

/// Words with a stem of their own.
const IRREGULAR: &[(&str, &str)] = &[
    ("andes", "andes"),
    ("atlas", "atlas"),
    ("bias", "bias"),
    ("cosmos", "cosmos"),
    ("dying", "die"),
    ("early", "earli"),
    ("gently", "gentl"),
    ("howe", "howe"),
    ("idly", "idl"),
    ("lying", "lie"),
    ("news", "news"),
    ("only", "onli"),
    ("singly", "singl"),
    ("skies", "sky"),
    ("skis", "ski"),
    ("sky", "sky"),
    ("tying", "tie"),
    ("ugly", "ugli"),
];

/// Words that keep what looks like an ending, once their plural is gone.
const UNCHANGED: &[&str] = &["succeed", "proceed", "exceed", "canning", "inning", "earring", "herring", "outing"];

/// Beginnings behind which the first region begins, whatever their vowels.
const OPENINGS: &[&str] = &["arsen", "commun", "gener"];

/// Endings that become another in the first region; the longest that fits counts.
const LONG_ENDINGS: &[(&str, &str)] = &[
    ("ational", "ate"),
    ("ization", "ize"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("tional", "tion"),
    ("lessli", "less"),
    ("biliti", "ble"),
    ("fulli", "ful"),
    ("ousli", "ous"),
    ("entli", "ent"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("alism", "al"),
    ("ation", "ate"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("abli", "able"),
    ("alli", "al"),
    ("izer", "ize"),
    ("ator", "ate"),
    ("bli", "ble"),
    ("ogi", "og"),
    ("li", ""),
];

/// The same of what is left then.
const ENDINGS: &[(&str, &str)] = &[
    ("ational", "ate"),
    ("tional", "tion"),
    ("alize", "al"),
    ("icate", "ic"),
    ("ative", ""),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ness", ""),
    ("ful", ""),
];

/// Endings that are left out in the second region.
const DROPPED: &[&str] = &[
    "ement", "ance", "ence", "able", "ible", "ment", "ate", "ive", "ize", "iti", "ism", "ion", "ous", "ant", "ent",
    "ic", "al", "er",
];

/// A word on the way to its stem.
struct Stem {
    /// What is left of it; a "y" that is no vowel is written "Y".
    word: String,
    /// Where the first region begins, in bytes.
    first: usize,
    /// Where the second one does.
    second: usize,
    /// A "Y" stands in it.
    is_marked: bool,
}

impl Stem {
    fn new(word: &str) -> Self {
        let mut word = word.strip_prefix('\'').unwrap_or(word).to_owned();
        let mut is_marked = false;
        let mut at = 0;
        while let Some(place) = word.get(at..).and_then(|rest| rest.find('y')).map(|found| at + found) {
            if place.checked_sub(1).is_none_or(|before| is_vowel_at(&word, before)) {
                word.replace_range(place..=place, "Y");
                is_marked = true;
            }
            at = place + 1;
        }
        let opening = OPENINGS.iter().find(|opening| word.starts_with(**opening)).map(|opening| opening.len());
        let first = opening.or_else(|| region(&word, 0)).unwrap_or(word.len());
        let second = region(&word, first).unwrap_or(word.len());
        Self { word, first, second, is_marked }
    }

    /// "'s" and plurals.
    fn drop_owner_and_plural(&mut self) {
        if let Some(owner) = ["'s'", "'s", "'"].iter().find(|owner| self.word.ends_with(**owner)) {
            self.cut(owner.len());
        }
        if self.word.ends_with("sses") {
            self.cut(2);
        } else if self.word.ends_with("ies") || self.word.ends_with("ied") {
            let is_short = self.before(3).chars().nth(1).is_none();
            self.cut(if is_short { 1 } else { 2 });
        } else if self.word.ends_with('s') && !self.word.ends_with("us") && !self.word.ends_with("ss") {
            let mut before = self.before(1).chars();
            if before.next_back().is_some() && before.as_str().bytes().any(is_vowel) {
                self.cut(1);
            }
        }
    }

    /// "ed", "ing" and the like.
    fn drop_tense(&mut self) {
        if let Some(ending) = ["eedly", "eed"].iter().find(|ending| self.word.ends_with(**ending)) {
            if self.first + ending.len() <= self.word.len() {
                self.cut(ending.len() - 2);
            }
            return;
        }
        let Some(ending) = ["ingly", "edly", "ing", "ed"].iter().find(|ending| self.word.ends_with(**ending)) else {
            return;
        };
        if !self.before(ending.len()).bytes().any(is_vowel) {
            return;
        }
        self.cut(ending.len());
        match self.word.as_bytes() {
            [.., b'a', b't'] | [.., b'b', b'l'] | [.., b'i', b'z'] => self.word.push('e'),
            [.., one, other] if one == other && b"bdfgmnprt".contains(one) => self.cut(1),
            all if all.len() == self.first && is_short(&self.word) => self.word.push('e'),
            _ => {}
        }
    }

    /// A "y" behind a consonant that does not begin the word becomes "i".
    fn soften(&mut self) {
        if !self.word.ends_with(['y', 'Y']) {
            return;
        }
        let mut before = self.before(1).chars();
        if before.next_back().is_some_and(|last| !is_vowel_sign(last)) && !before.as_str().is_empty() {
            self.cut(1);
            self.word.push('i');
        }
    }

    fn turn_long_ending(&mut self) {
        let Some((ending, other)) = self.ending(self.first, LONG_ENDINGS) else { return };
        let before = self.before(ending.len()).bytes().next_back();
        let stays = match ending {
            "ogi" => before != Some(b'l'),
            "li" => !before.is_some_and(|before| b"cdeghkmnrt".contains(&before)),
            _ => false,
        };
        if !stays {
            self.turn(ending, other);
        }
    }

    fn turn_ending(&mut self) {
        let Some((ending, other)) = self.ending(self.first, ENDINGS) else { return };
        if ending != "ative" || self.second + ending.len() <= self.word.len() {
            self.turn(ending, other);
        }
    }

    fn drop_ending(&mut self) {
        // Most words are over before their second region, and nothing is left out before it.
        if self.second + 2 > self.word.len() {
            return;
        }
        let Some(ending) = DROPPED.iter().find(|ending| self.word.ends_with(**ending)) else { return };
        let fits = *ending != "ion" || self.before(3).ends_with(['s', 't']);
        if fits && self.second + ending.len() <= self.word.len() {
            self.cut(ending.len());
        }
    }

    /// A last "e", and the last of two "l".
    fn drop_last(&mut self) {
        let rest = self.before(1);
        let drops = match self.word.as_bytes().last() {
            Some(b'e') => self.second <= rest.len() || self.first <= rest.len() && !is_short(rest),
            Some(b'l') => self.second <= rest.len() && rest.ends_with('l'),
            Some(_) | None => false,
        };
        if drops {
            self.cut(1);
        }
    }

    /// The longest of the endings that the word has, where it stands in the region from a place on.
    fn ending(&self, from: usize, endings: &[(&'static str, &'static str)]) -> Option<(&'static str, &'static str)> {
        // Most words are over before their regions begin.
        const SHORTEST: usize = 2;
        if from + SHORTEST > self.word.len() {
            return None;
        }
        let found = endings.iter().find(|(ending, _)| self.word.ends_with(ending)).copied();
        found.filter(|(ending, _)| from + ending.len() <= self.word.len())
    }

    fn turn(&mut self, ending: &str, other: &str) {
        self.cut(ending.len());
        self.word.push_str(other);
    }

    /// The word without so many bytes at its end.
    fn before(&self, length: usize) -> &str {
        self.word.len().checked_sub(length).and_then(|end| self.word.get(..end)).unwrap_or_default()
    }

    fn cut(&mut self, length: usize) {
        self.word.truncate(self.word.len().saturating_sub(length));
    }
}

/// Where the region behind the first consonant that follows a vowel begins, from a place on.
fn region(word: &str, from: usize) -> Option<usize> {
    let rest = word.get(from..)?;
    let vowel = rest.bytes().position(is_vowel)?;
    let behind = rest.get(vowel..)?;
    let (at, consonant) = behind.char_indices().find(|(_, sign)| !is_vowel_sign(*sign))?;
    Some(from + vowel + at + consonant.len_utf8())
}

/// The word ends in a short syllable: a vowel between consonants, or a vowel and a consonant that are all of it.
fn is_short(word: &str) -> bool {
    let mut signs = word.chars().rev();
    let (last, vowel, before) = (signs.next(), signs.next(), signs.next());
    let (Some(last), Some(vowel)) = (last, vowel) else { return false };
    !is_vowel_sign(last)
        && is_vowel_sign(vowel)
        && before.is_none_or(|before| !is_vowel_sign(before) && !matches!(last, 'w' | 'x' | 'Y'))
}

fn is_vowel_at(word: &str, at: usize) -> bool {
    word.as_bytes().get(at).copied().is_some_and(is_vowel)
}

fn is_vowel(sign: u8) -> bool {
    matches!(sign, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

fn is_vowel_sign(sign: char) -> bool {
    matches!(sign, 'a' | 'e' | 'i' | 'o' | 'u' | 'y')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rust_stemmers::{Algorithm, Stemmer};

    use super::*;

    fn expected(word: &str) -> String {
        Stemmer::create(Algorithm::English).stem(word).into_owned()
    }

    #[test]
    fn every_word_of_the_tables_has_the_stem_it_always_had() {
        let tables =
            [include_str!("verbs.rs"), include_str!("people.rs"), include_str!("stop.rs"), include_str!("abroad.rs")];
        let words = tables.iter().flat_map(|table| table.split(|c: char| c.is_whitespace() || "\",;()".contains(c)));
        for word in words.map(str::to_lowercase) {
            assert_eq!(stem(&word), expected(&word), "{word}");
        }
    }

    /// Words that each take another turn through the rules.
    const RARE: &str = "' '' s ss y yy say by fly ties cries gas this kiwis caress agreed feed hopping hoping luxuriated bled sing \
        youth boyish yyy 'yes generically communism arsenal relational conditional rationally analogies apologi vietnamization \
        operator feudalism decisiveness hopefulness callousness formaliti sensitiviti sensibiliti bulli geologically cheerfully \
        harmlessly quietly goodness electrical formative native triplicate adjustment replacement adoption parsion roll controll \
        rate cease lobe skis innings outings exceeded dog's' müller's café éa ñies ties' naïveté straße ays x'y 3d 2nds ye toy's";

    #[test]
    fn rare_rules_apply_where_they_did() {
        for word in RARE.split_whitespace().chain(["", " ", "the dog's'"]) {
            assert_eq!(stem(word), expected(word), "{word}");
        }
    }

    proptest! {
        #[test]
        fn any_word_has_the_stem_it_always_had(
            word in "'?[a-zéß0-9]{0,4}[aeiouybcdgklmnrst']{0,6}(s|es|ies|ied|ed|ing|ingly|eedly|y|ational|ization|fulness|iveness|biliti|ousli|abli|bli|ogi|li|alism|icate|ative|iciti|ical|ness|ement|ance|ible|ion|sion|ll|e|'s|'s'|')?"
        ) {
            prop_assert_eq!(stem(&word), expected(&word));
        }
    }
}
