//! Borders of words and sentences in plain ASCII by the rules of Unicode (UAX 29), which come to a few signs there. Most texts are
//! plain, and the tables of all scripts cost ten times as much; tests hold every border against theirs.

/// The words, numbers and signs of an ASCII text with their places, white space left out.
pub(super) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let signs = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        at += signs.get(at..)?.iter().take_while(|sign| is_space(**sign)).count();
        let start = at;
        at = word_end(signs, start)?;
        Some((start, text.get(start..at)?))
    })
}

/// Where the word that begins at a place ends.
fn word_end(signs: &[u8], start: usize) -> Option<usize> {
    let mut before = *signs.get(start)?;
    let mut at = start + 1;
    while is_word(before)
        && let Some(here) = signs.get(at)
    {
        if is_word(*here) {
            at += 1;
        } else if let Some(next) = signs.get(at + 1)
            && joins(before, *here, *next)
        {
            at += 2;
        } else {
            break;
        }
        before = *signs.get(at - 1)?;
    }
    Some(at)
}

/// "can't", "e.g", "3.5": the sign stands inside of one word or number.
fn joins(before: u8, sign: u8, next: u8) -> bool {
    match sign {
        b'.' | b'\'' => {
            both(before, next, |sign| sign.is_ascii_alphabetic()) || both(before, next, |sign| sign.is_ascii_digit())
        }
        b':' => both(before, next, |sign| sign.is_ascii_alphabetic()),
        b',' | b';' => both(before, next, |sign| sign.is_ascii_digit()),
        _ => false,
    }
}

fn both(one: u8, other: u8, is: fn(&u8) -> bool) -> bool {
    is(&one) && is(&other)
}

fn is_word(sign: u8) -> bool {
    sign.is_ascii_alphanumeric() || sign == b'_'
}

/// As `char::is_whitespace` has it, which knows one sign more than `u8::is_ascii_whitespace`.
fn is_space(sign: u8) -> bool {
    matches!(sign, b' ' | b'\t'..=b'\r')
}

/// Where the sentences of an ASCII line end, its own end last.
pub(super) fn sentence_ends(line: &str) -> impl Iterator<Item = usize> {
    let signs = line.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        if at >= signs.len() {
            return None;
        }
        at = sentence_end(signs, at);
        Some(at)
    })
}

fn sentence_end(signs: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(sign) = signs.get(at) {
        let here = at;
        at += 1;
        match sign {
            b'\r' if signs.get(at) == Some(&b'\n') => return at + 1,
            b'\r' | b'\n' => return at,
            b'.' | b'!' | b'?' => {}
            _ => continue,
        }
        let spaced = past(signs, past(signs, at, is_closing), is_blank);
        let next = signs.get(spaced).copied();
        // A line break behind the mark belongs to the sentence it ends.
        if let Some(b'\r' | b'\n') = next {
            return if signs.get(spaced..spaced + 2) == Some(b"\r\n") { spaced + 2 } else { spaced + 1 };
        }
        let Some(next) = next else { return signs.len() };
        if goes_on(signs, (here, spaced), next) {
            continue;
        }
        return spaced;
    }
    signs.len()
}

/// The mark ends no sentence: inside of a number or a shortened word, or before a comma, another mark or a small letter.
fn goes_on(signs: &[u8], (mark, spaced): (usize, usize), next: u8) -> bool {
    let is_stop = signs.get(mark) == Some(&b'.');
    let before = mark.checked_sub(1).and_then(|before| signs.get(before)).copied().unwrap_or_default();
    let touches = spaced == mark + 1;
    if matches!(next, b'.' | b'!' | b'?' | b',' | b'-' | b':' | b';') {
        return true;
    }
    if is_stop && touches && (next.is_ascii_digit() || before.is_ascii_alphabetic() && next.is_ascii_uppercase()) {
        return true;
    }
    // Signs and digits may stand before the small letter.
    let ends = |sign: &u8| sign.is_ascii_alphabetic() || matches!(sign, b'.' | b'!' | b'?' | b'\r' | b'\n');
    is_stop
        && signs.get(spaced..).and_then(|rest| rest.iter().find(|sign| ends(sign))).is_some_and(u8::is_ascii_lowercase)
}

fn past(signs: &[u8], from: usize, is: fn(u8) -> bool) -> usize {
    from + signs.get(from..).unwrap_or_default().iter().take_while(|sign| is(**sign)).count()
}

fn is_closing(sign: u8) -> bool {
    matches!(sign, b'"' | b'\'' | b'(' | b')' | b'[' | b']' | b'{' | b'}')
}

fn is_blank(sign: u8) -> bool {
    matches!(sign, b' ' | b'\t' | 0x0b | 0x0c)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation;

    use super::*;

    proptest! {
        #[test]
        fn words_are_those_of_the_tables(text in "([a-zA-Z0-9_]{0,3}[ \t\r\n.,:;'!?_\"()\\x00-\\x7f]?){0,12}") {
            let expected: Vec<(usize, &str)> =
                text.split_word_bound_indices().filter(|(_, word)| !word.chars().all(char::is_whitespace)).collect();
            prop_assert_eq!(words(&text).collect::<Vec<_>>(), expected);
        }

        #[test]
        fn sentences_are_those_of_the_tables(line in "([a-zA-Z0-9]{0,2}[ .!?,;:\"')(\\-\t\r\n\\x00-\\x7f]{0,3}){0,12}") {
            let expected: Vec<usize> =
                line.split_sentence_bound_indices().map(|(at, sentence)| at + sentence.len()).collect();
            prop_assert_eq!(sentence_ends(&line).collect::<Vec<_>>(), expected);
        }
    }
}
