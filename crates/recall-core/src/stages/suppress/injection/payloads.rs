//! Encoded parts of a text, decoded: base64, base32, base85, hex, binary, percent signs, escapes, Morse.

use std::sync::LazyLock;

use fnv::FnvHashMap;

use regex::Regex;

/// Encoded parts looked into, at most.
pub(super) const MOST: usize = 12;

/// Encoded parts of a text, decoded, where what comes out is text.
pub(super) fn payloads(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in text.split_whitespace().filter(|word| word.len() >= 16).take(MOST * 4) {
        let core = word.trim_matches(|c: char| matches!(c, '"' | '\'' | '`' | '(' | ')' | ',' | ';' | '.'));
        found.extend([base64(core), base32(core), hex(core), base85(core)].into_iter().flatten());
    }
    found.extend([binary(text), percent(text), escapes(text), morse(text), ascii85(text)].into_iter().flatten());
    found.truncate(MOST);
    found
}

/// Bytes that are text: printable, with letters and a gap between words.
fn as_text(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    let letters = text.chars().filter(|c| c.is_alphabetic() || *c == ' ').count();
    let printable = text.chars().all(|c| !c.is_control() || c.is_whitespace());
    (printable && text.len() >= 6 && letters * 10 >= text.chars().count() * 7).then_some(text)
}

/// Digits of `bits` bits each, packed into bytes.
fn packed(digits: impl Iterator<Item = Option<u32>>, bits: u32) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let (mut store, mut held) = (0u32, 0u32);
    for digit in digits {
        store = (store << bits) | digit?;
        held += bits;
        while held >= 8 {
            held -= 8;
            bytes.push(u8::try_from((store >> held) & 0xff).ok()?);
            store &= (1 << held) - 1;
        }
    }
    Some(bytes)
}

fn base64(word: &str) -> Option<String> {
    let digits = word.trim_end_matches('=').chars().map(|c| match c {
        'A'..='Z' => Some(u32::from(c) - u32::from('A')),
        'a'..='z' => Some(u32::from(c) - u32::from('a') + 26),
        '0'..='9' => Some(u32::from(c) - u32::from('0') + 52),
        '+' | '-' => Some(62),
        '/' | '_' => Some(63),
        _ => None,
    });
    packed(digits, 6).and_then(as_text)
}

fn base32(word: &str) -> Option<String> {
    let digits = word.trim_end_matches('=').chars().map(|c| match c.to_ascii_uppercase() {
        upper @ 'A'..='Z' => Some(u32::from(upper) - u32::from('A')),
        digit @ '2'..='7' => Some(u32::from(digit) - u32::from('2') + 26),
        _ => None,
    });
    packed(digits, 5).and_then(as_text)
}

fn hex(word: &str) -> Option<String> {
    let word = word.strip_prefix("0x").unwrap_or(word);
    packed(word.chars().map(|c| c.to_digit(16)), 4).and_then(as_text)
}

fn binary(text: &str) -> Option<String> {
    let octets: Vec<&str> = text
        .split_whitespace()
        .filter(|word| word.len() == 8 && word.bytes().all(|b| matches!(b, b'0' | b'1')))
        .collect();
    let bytes = octets.iter().filter_map(|octet| u8::from_str_radix(octet, 2).ok()).collect();
    as_text(bytes)
}

fn percent(text: &str) -> Option<String> {
    if text.matches('%').count() < 3 {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let ahead: Vec<u8> = rest.clone().take(2).collect();
        let code = std::str::from_utf8(&ahead).ok().and_then(|two| u8::from_str_radix(two, 16).ok());
        match code.filter(|_| byte == b'%' && ahead.len() == 2) {
            Some(code) => {
                bytes.push(code);
                rest.nth(1);
            }
            None => bytes.push(byte),
        }
    }
    String::from_utf8(bytes).ok()
}

/// `\u0049`, `\x49`, `&#73;`.
fn escapes(text: &str) -> Option<String> {
    static ESCAPE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"\\u\{?([0-9a-fA-F]{2,6})\}?|\\x([0-9a-fA-F]{2})|&#x([0-9a-fA-F]{2,6});|&#([0-9]{2,7});").ok()
    });
    let escape = ESCAPE.as_ref()?;
    if escape.find_iter(text).take(4).count() < 4 {
        return None;
    }
    let decoded = escape.replace_all(text, |found: &regex::Captures<'_>| {
        let hex =
            (1..=3).find_map(|group| found.get(group)).and_then(|code| u32::from_str_radix(code.as_str(), 16).ok());
        let code = hex.or_else(|| found.get(4).and_then(|code| code.as_str().parse().ok()));
        code.and_then(char::from_u32).map(String::from).unwrap_or_default()
    });
    Some(decoded.into_owned())
}

fn morse(text: &str) -> Option<String> {
    static SIGNS: LazyLock<FnvHashMap<&'static str, char>> = LazyLock::new(|| {
        let signs = ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..";
        signs.split(' ').zip('a'..='z').collect()
    });
    let signs = text.split_whitespace().filter(|word| word.bytes().all(|b| matches!(b, b'.' | b'-' | b'/')));
    let letters: String =
        signs.map(|word| if word == "/" { ' ' } else { SIGNS.get(word).copied().unwrap_or(' ') }).collect();
    (letters.chars().filter(|c| c.is_alphabetic()).count() >= 8).then_some(letters)
}

fn ascii85(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("<~")?;
    let (inner, _) = rest.split_once("~>")?;
    fives(inner.bytes().filter(|b| !b.is_ascii_whitespace()).map(|b| b.checked_sub(33).map(u32::from)))
}

fn base85(word: &str) -> Option<String> {
    const ALPHABET: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
    if word.len() < 25 || word.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return None;
    }
    fives(word.chars().map(|c| ALPHABET.find(c).and_then(|at| u32::try_from(at).ok())))
}

/// Five digits to the base of 85 make four bytes.
fn fives(digits: impl Iterator<Item = Option<u32>>) -> Option<String> {
    let digits: Vec<u32> = digits.collect::<Option<_>>()?;
    let mut bytes = Vec::new();
    for group in digits.chunks(5) {
        let missing = 5 - group.len();
        let filled = group.iter().copied().chain(std::iter::repeat_n(84, missing));
        let value = filled.fold(0u64, |value, digit| value * 85 + u64::from(digit));
        let value = u32::try_from(value).ok()?;
        bytes.extend(value.to_be_bytes().into_iter().take(4 - missing.min(4)));
    }
    as_text(bytes)
}
