//! Credentials: found by their shape or by what they are called, never kept in full or in part, and blanked in quotes.

mod blanks;
mod patterns;

pub use blanks::{Blanks, blanked_quote};

use std::ops::Range;

use regex::Captures;

use patterns::{PATTERNS, is_secret_name, tells_about};

use crate::candidate::Candidate;

/// What stands in a quote where a credential stood.
pub const REDACTED: &str = "[redacted]";

/// Does a text hold a credential?
pub fn holds_secret(text: &str) -> bool {
    !find(text).is_empty()
}

/// The text with its credentials blanked; `None` where it holds none.
pub fn redact(text: &str) -> Option<String> {
    let found = find(text);
    (!found.is_empty()).then(|| blank(text, found))
}

/// A quote with the credentials blanked that it holds by itself or by what the text around it says. `start` is the character of the
/// whole at which the quote begins.
pub fn redact_within(quote: &str, whole: &str, start: usize) -> String {
    let mut found = find(quote);
    let from = whole.char_indices().nth(start).map(|(at, _)| at);
    if let Some(from) = from.filter(|from| whole.get(*from..).is_some_and(|rest| rest.starts_with(quote))) {
        let until = from + quote.len();
        let secrets = find(whole);
        let within = secrets.iter().filter(|span| span.start < until && span.end > from);
        found.extend(within.map(|span| span.start.max(from) - from..span.end.min(until) - from));
        found.extend(secrets.iter().filter_map(|span| whole.get(span.clone())).flat_map(|secret| again(quote, secret)));
    }
    blank(quote, merged(found))
}

/// Where a credential stands once more as a word of its own. One of two or three signs is a part of too much else.
fn again<'a>(text: &'a str, secret: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
    const LEAST: usize = 4;
    let is_open = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let long = secret.chars().count() >= LEAST;
    text.match_indices(secret).filter(move |_| long).map(|(at, _)| at..at + secret.len()).filter(move |span| {
        is_open(text.get(..span.start).and_then(|before| before.chars().next_back()))
            && is_open(text.get(span.end..).and_then(|after| after.chars().next()))
    })
}

/// The text with these ranges of it blanked; they come in order and do not overlap.
fn blank(text: &str, spans: Vec<Range<usize>>) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut from = 0;
    for span in spans {
        clean.push_str(text.get(from..span.start).unwrap_or_default());
        clean.push_str(REDACTED);
        from = span.end;
    }
    clean.push_str(text.get(from..).unwrap_or_default());
    clean
}

/// Does a claim say a credential, or a part of one that stands in the words it rests on?
pub fn claims_secret(claim: &Candidate, source: &str) -> bool {
    let told = [&claim.content, &claim.value];
    if is_secret_name(&claim.attribute) && is_value(&claim.value) || told.iter().any(|text| holds_secret(text)) {
        return true;
    }
    let secrets: Vec<&str> = find(source).into_iter().filter_map(|span| source.get(span)).collect();
    told.iter().any(|text| leaks(text, &secrets))
}

/// Has a text a word that may be a credential by its look, whatever is said around it?
pub fn has_made_word(text: &str) -> bool {
    text.split_whitespace().any(|word| digits(word) >= 3 || looks_made(word))
}

/// Does a text repeat a part of one of the credentials of its source?
fn leaks(text: &str, secrets: &[&str]) -> bool {
    secrets.iter().any(|secret| pieces(text, secret).next().is_some())
}

/// Where a text repeats a part of a credential.
fn pieces<'a>(text: &'a str, secret: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
    const LEAST: usize = 4;
    let between = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | ';' | '(' | ')' | '.' | '\u{2026}');
    let mut from = 0;
    text.split_inclusive(between)
        .map(move |part| {
            let start = from;
            from += part.len();
            start..start + part.trim_end_matches(between).len()
        })
        .filter(move |span| {
            let part = text.get(span.clone()).unwrap_or_default();
            let made = part.chars().any(|c| c.is_ascii_digit() || matches!(c, '_' | '-' | '#' | '$' | '@'));
            part.chars().count() >= LEAST && (made || part == secret) && secret.contains(part)
        })
}

/// Byte ranges of credentials, in order, not overlapping.
fn find(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let Some(patterns) = PATTERNS.as_ref() else { return found };
    let named = patterns.named.is_match(text);
    if named || has_long_run(text) {
        found.extend(patterns.shapes.find_iter(text).map(|found| found.range()));
    }
    if text.contains("://") {
        found.extend(patterns.address.captures_iter(text).filter_map(|hit| hit.get(1)).map(|part| part.range()));
    }
    if text.chars().filter(|c| c.is_numeric()).count() >= SHORTEST_CARD {
        found.extend(patterns.iban.find_iter(text).filter(|hit| is_iban(hit.as_str())).map(|hit| hit.range()));
        found.extend(patterns.card.find_iter(text).filter(|hit| is_card(text, hit.range())).map(|hit| hit.range()));
    }
    if named {
        found.extend(patterns.labelled.captures_iter(text).filter_map(|hit| labelled(text, &hit)));
        found.extend(patterns.beside.captures_iter(text).filter_map(|hit| beside(&hit)));
        found.extend(patterns.reversed.captures_iter(text).filter_map(|hit| reversed(&hit)));
        found.extend(patterns.phrase.captures_iter(text).filter_map(|hit| hit.get(1)).map(|part| part.range()));
        found.extend(patterns.part.captures_iter(text).filter_map(|hit| part(&hit)));
    }
    merged(found)
}

/// The fewest digits of a card.
const SHORTEST_CARD: usize = 13;

/// A key shows by itself what it is in ten signs or more, of which one is no small letter.
fn has_long_run(text: &str) -> bool {
    const SHORTEST: usize = 10;
    let runs = text.split(char::is_whitespace).filter(|run| run.len() >= SHORTEST);
    runs.into_iter().any(|run| run.chars().any(|c| !c.is_alphabetic() || c.is_uppercase()))
}

/// The ranges in order, those that overlap as one.
fn merged(mut found: Vec<Range<usize>>) -> Vec<Range<usize>> {
    found.sort_by_key(|span| (span.start, span.end));
    let mut merged: Vec<Range<usize>> = Vec::new();
    for span in found {
        match merged.last_mut() {
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            Some(_) | None => merged.push(span),
        }
    }
    merged
}

fn labelled(text: &str, hit: &Captures<'_>) -> Option<Range<usize>> {
    let value = trimmed(hit)?;
    let word = text.get(value.clone())?;
    let wordy = hit.name("wordy").is_some();
    let numeric = wordy || hit.name("numeric").is_some();
    if looks_made(word)
        || (numeric
            && digits(word) >= 3
            && digits(word) == word.chars().filter(|c| !matches!(c, '-' | '#' | '*')).count())
    {
        return Some(value);
    }
    if hit.name("card").is_some() && digits(word) >= 4 && digits(word) == word.len() {
        return Some(value.start..card_end(text, value.start));
    }
    let ends =
        text.get(value.end..).and_then(|rest| rest.trim_start_matches(['"', '\'', '”', '’', '»']).chars().next());
    let last = ends.is_none_or(|c| matches!(c, '.' | ',' | ';' | '!' | '?' | ')' | '\n' | '。' | '，'));
    let plain = word.chars().all(char::is_alphanumeric) && word.chars().count() >= 4;
    (wordy && last && plain && !tells_about(word)).then_some(value)
}

/// "pin 8046", "key a8f3…": the value right beside its name has to look like one.
fn beside(hit: &Captures<'_>) -> Option<Range<usize>> {
    let value = trimmed(hit)?;
    let word = hit.name("value")?.as_str();
    let numeric = hit.name("numeric").is_some() || hit.name("wordy").is_some();
    let made = looks_made(word) && (digits(word) >= 2 || word.contains('_'));
    (made && word.len() >= 6 || numeric && (4..=8).contains(&digits(word)) && digits(word) == value.len())
        .then_some(value)
}

fn reversed(hit: &Captures<'_>) -> Option<Range<usize>> {
    let value = trimmed(hit)?;
    let word = hit.name("value")?.as_str();
    let pronoun = tells_about(word);
    (!pronoun && (looks_made(word) || digits(word) >= 4)).then_some(value)
}

/// "begins with 88", "the last two digits of … are 07": a part is told only where it has figures or looks made.
fn part(hit: &Captures<'_>) -> Option<Range<usize>> {
    let value = hit.name("value").or_else(|| hit.name("last"))?;
    let bare = value.as_str().trim_end_matches(['.', ',', ';', ':', '?', '!', ')']);
    // "the code expires and the course starts on the 4th": something else starts.
    if hit.name("gap").is_some_and(|gap| gap.as_str().split(' ').any(|word| matches!(word, "and" | "but" | "when"))) {
        return None;
    }
    (digits(bare) > 0 || looks_made(bare)).then(|| value.start()..value.start() + bare.len())
}

/// The value without the punctuation of the sentence around it.
fn trimmed(hit: &Captures<'_>) -> Option<Range<usize>> {
    let value = hit.name("value")?;
    let word = value.as_str();
    let bare = word.trim_end_matches(['.', ',', ';', ':', '?', ')', '\'', '。', '，']);
    let bare = bare.strip_suffix('!').filter(|bare| !bare.chars().any(|c| c.is_ascii_digit())).unwrap_or(bare);
    (!bare.is_empty()).then(|| value.start()..value.start() + bare.len())
}

fn digits(word: &str) -> usize {
    word.chars().filter(char::is_ascii_digit).count()
}

/// Made, not written: letters and digits mixed, signs inside, capitals in the middle.
fn looks_made(word: &str) -> bool {
    if word.chars().count() < 4 || word.contains("://") || !word.chars().any(char::is_alphanumeric) {
        return false;
    }
    let letters = word.chars().any(char::is_alphabetic);
    let inside: Vec<char> = word.chars().skip(1).collect();
    let signs =
        inside.iter().any(|c| matches!(c, '_' | '@' | '#' | '$' | '%' | '^' | '&' | '*' | '+' | '=' | '~' | '!' | '?'));
    let ordinal =
        word.strip_suffix("th").or(word.strip_suffix("st")).or(word.strip_suffix("nd")).or(word.strip_suffix("rd"));
    let counted = ordinal.is_some_and(|number| number.chars().all(|c| c.is_ascii_digit()));
    let unit = word.trim_start_matches(|c: char| c.is_ascii_digit()).len() <= 2 && digits(word) < 3;
    let mixed = letters && digits(word) > 0 && !counted && !unit;
    let camel = inside.windows(2).any(|pair| matches!(pair, [a, b] if a.is_lowercase() && b.is_uppercase()));
    mixed || (letters && signs) || camel
}

/// Thirteen to nineteen digits with a right check digit, or any such number beside the word "card".
fn is_card(text: &str, span: Range<usize>) -> bool {
    let number = text.get(span.clone()).unwrap_or_default();
    let before: String = text.get(..span.start).unwrap_or_default().chars().rev().take(24).collect();
    let named = before.chars().rev().collect::<String>().to_lowercase().contains("card");
    named || (luhn(number) && !number.starts_with('0'))
}

/// An account number with its right check digits (ISO 13616).
fn is_iban(number: &str) -> bool {
    let signs: Vec<char> = number.chars().filter(|c| *c != ' ').collect();
    let turned = signs.iter().skip(4).chain(signs.iter().take(4));
    let rest = turned.filter_map(|c| c.to_digit(36)).fold(0, |rest, value| {
        let shift = if value > 9 { 100 } else { 10 };
        (rest * shift + value) % 97
    });
    rest == 1
}

fn luhn(number: &str) -> bool {
    let digits: Vec<u32> = number.chars().filter_map(|c| c.to_digit(10)).collect();
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| match (place % 2, digit * 2) {
            (0, _) => *digit,
            (_, double) if double > 9 => double - 9,
            (_, double) => double,
        })
        .sum();
    sum.is_multiple_of(10)
}

/// A card number may be written in groups: all of them go.
fn card_end(text: &str, start: usize) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    let run = rest.find(|c: char| !(c.is_ascii_digit() || matches!(c, ' ' | '-'))).unwrap_or(rest.len());
    start + rest.get(..run).unwrap_or_default().trim_end_matches([' ', '-']).len()
}

/// One word with digits or signs, or digits: not a description.
fn is_value(value: &str) -> bool {
    let value = value.trim();
    let words = value.split_whitespace().count();
    (words == 1 && (looks_made(value) || digits(value) >= 3)) || digits(value) >= 12
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn credentials_are_blanked_and_the_rest_stays() {
        let table = [
            (
                "my wifi password at the hut is Blue_Kettle_9, come over",
                "my wifi password at the hut is [redacted], come over",
            ),
            ("password: hunter22", "password: [redacted]"),
            ("the password is swordfish.", "the password is [redacted]."),
            ("my pin is 4417", "my pin is [redacted]"),
            ("pin 4417 works", "pin [redacted] works"),
            ("the door code for the shed is 2290#", "the door code for the shed is [redacted]"),
            ("key AKIAABCDEFGHIJKL2345 leaked", "key [redacted] leaked"),
            ("use ghp_abcdefghij0123456789KLMN please", "use [redacted] please"),
            ("token is eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.c2lnbmF0dXJl", "token is [redacted]"),
            ("postgres://ola:s3cr3t@db.example:5432/boats", "postgres://[redacted]@db.example:5432/boats"),
            ("4111 1111 1111 1111 is what I type", "[redacted] is what I type"),
            ("card number: 1234 5678 9012 3456", "card number: [redacted]"),
            (
                "seed phrase: apple river stone cloud maple tiger ocean lemon chair piano candle frost",
                "seed phrase: [redacted]",
            ),
            ("mein Passwort ist Regen2Bogen", "mein Passwort ist [redacted]"),
            ("mi contraseña es gatoazul77", "mi contraseña es [redacted]"),
            ("tr0ub4dor is my password", "[redacted] is my password"),
            ("cvv 123 is on the back, cvv is 123", "cvv 123 is on the back, cvv is [redacted]"),
            ("my acme api key is acme_live_88aa77bb66", "my acme api key is [redacted]"),
            ("my bank pin starts with 62", "my bank pin starts with [redacted]"),
            ("the code for the alarm is 4711", "the code for the alarm is [redacted]"),
            ("the code to our front door is 80914", "the code to our front door is [redacted]"),
            ("123-45-6789 is my SSN", "[redacted] is my SSN"),
            ("my passport number is K8823410", "my passport number is [redacted]"),
            ("pay me at GB82 WEST 1234 5698 7654 32 please", "pay me at [redacted] please"),
            ("IBAN DE89370400440532013000", "IBAN [redacted]"),
            ("the alarm code of the hut ends in 41.", "the alarm code of the hut ends in [redacted]."),
            ("the last two digits of my pin are 07", "the last two digits of my pin are [redacted]"),
        ];
        for (text, clean) in table {
            assert_eq!(redact(text).as_deref(), Some(clean), "{text}");
        }
        let key = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----";
        assert_eq!(redact(key).as_deref(), Some(REDACTED));
    }

    #[test]
    fn talk_about_credentials_is_no_credential() {
        for text in [
            "I changed all my passwords and use a password manager now",
            "my password is too long",
            "the password is weak",
            "I forgot my pin",
            "the pin is broken",
            "door 12 opens with my badge",
            "the token is expired",
            "the key is under the mat",
            "my secret is that I snore",
            "call me at +44 20 7946 0958",
            "order 4471 arrived",
            "the area code is 415",
            "my passport number is in the drawer",
            "the code for the alarm changed",
            "form GB12 REST 1234 5678 9999 is missing",
            "the code for the project is done",
            "my house is number 2019",
            "the key to happiness is sleep",
            "I lost my card on 12 May",
            "my library card is green",
            "bus 4000 to Riga",
            "the login page is slow",
            "we meet at 18:30 at gate 12",
            "tracking number 1234567890123",
            "my locker is number 6",
            "the house key is with Lena",
            "the api key is stored in the vault",
            "https://example.org/keys/list",
            "my card is new",
            "the combination is great",
            "passwords are a pain",
            "my password starts with a capital letter",
            "the access code expires and the course starts on 4 May",
        ] {
            assert_eq!(redact(text), None, "{text}");
        }
    }

    #[test]
    fn a_quote_is_blanked_by_what_its_turn_says() {
        let whole = "my router password is Otter_Lamp_2291 and the router is in the hall";
        assert_eq!(
            redact_within("Otter_Lamp_2291 and the router is in the hall", whole, 22),
            "[redacted] and the router is in the hall"
        );
        assert_eq!(redact_within("the router is in the hall", whole, 42), "the router is in the hall");
        assert_eq!(redact_within(whole, whole, 0), "my router password is [redacted] and the router is in the hall");
        let part = "the last two digits of the pin are 07; moved in 2007";
        assert_eq!(redact_within(part, part, 0), "the last two digits of the pin are [redacted]; moved in 2007");
        assert_eq!(redact_within("moved in 2007", part, 39), "moved in 2007");
        let twice = "ünser router password is Otter_Lamp_2291, yes, Otter_Lamp_2291";
        assert_eq!(redact_within("yes, Otter_Lamp_2291", twice, 42), "yes, [redacted]");
        // A quote that does not stand there is looked at by itself.
        assert_eq!(redact_within("nothing", whole, 900), "nothing");
    }

    #[test]
    fn a_part_of_a_credential_is_one() {
        let source = "my acme api key is acme_live_88aa77bb66";
        let secrets: Vec<&str> = find(source).into_iter().filter_map(|span| source.get(span)).collect();
        assert!(leaks("the key of the user begins with acme_live_88aa", &secrets));
        assert!(leaks("it ends in 77bb66", &secrets));
        assert!(!leaks("the user has an acme key", &secrets));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn what_is_blanked_once_holds_no_piece_of_it(text in "\\PC{0,80}(password is|pin:|token =)? ?[A-Za-z0-9_]{4,12}\\PC{0,40}") {
            let secrets: Vec<String> = find(&text).into_iter().filter_map(|span| text.get(span)).map(str::to_owned).collect();
            let clean = redact(&text).unwrap_or_default();
            for secret in secrets.iter().filter(|secret| text.matches(secret.as_str()).count() == 1) {
                prop_assert!(!clean.contains(secret.as_str()), "{} in {}", secret, clean);
            }
        }
    }
}
