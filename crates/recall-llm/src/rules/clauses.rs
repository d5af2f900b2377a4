//! Finds the clauses in which a person says something of themselves: own words only, sentences, then parts that begin anew.

use std::sync::LazyLock;

use regex::Regex;

use super::kin::is_kin;

/// Shorter clauses say nothing, longer ones are no plain statements.
const WORDS: std::ops::RangeInclusive<usize> = 3..=60;
/// "My full support" is no statement, "my knee hurts again" is.
const LEAST_OF_MY: usize = 4;

/// Compiles a constant pattern; tests reach every one of them, so that one which does not compile is found.
fn pattern(text: &str) -> Option<Regex> {
    Regex::new(text).ok()
}

/// Words before a statement that are not part of it.
static LEAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?ix)^(?:(?:well|yeah|yes|yep|yup|no|nope|nah|oh|ah|hey|hi|hello|wow|so|and|but|or|also|actually|honestly|anyways?|btw|
        by\ the\ way|plus|ok|okay|thanks|thank\ you|sure|haha|lol|ugh|man|fyi|unfortunately|sadly|luckily|fortunately|
        because|cause|'cause|though|although|still|then|besides|basically|speaking\ of\ which|in\ fact|to\ be\ honest|tbh|
        good\ news|bad\ news|guess\ what|you\ know|for\ the\ record|just\ so\ you\ know|please\ remember\ that|
        please\ note\ that|remember\ that|note\ that|right|cool|great|nice|same|exactly|absolutely|totally|definitely|yay|
        congrats|sorry|aw+|hmm+|um+|uh+)\b[\s,.!:;\u{2013}\u{2014}-]*)+",
    )
});

/// Where a new clause begins inside a sentence: what stands between (1), and how the clause begins (2).
static BREAK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?ix)(;\s+|\s*[\u{2013}\u{2014}]\s*|\s+-\s+|:\s+|,\s*(?:(?:and|but|so|though|plus)\s+)?|\s+(?:and|but|so|because|'cause)\s+)
        ((?:i|my)(?:['\u{2019}][a-z]+)?\s|(?:also\s|now\s)?(?:work|live|study|own|speak|teach|play|am|hate|drive)\s)",
    )
});

/// How a statement of a person about themselves begins, perhaps after words that say when.
static HEAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?ix)^(?:[^,]{1,40},\s+|(?:maybe|perhaps|possibly|apparently|yesterday|today|tomorrow|tonight|recently|lately|currently|now|nowadays|(?:last|next|this)\ [a-z]+|
        (?:in|on|since)\ [a-z0-9]+(?:\ [0-9]{1,4})?|[a-z0-9]+\ [a-z]+s?\ ago)\s+)?(?:i|i'm|i've|i'd|i'll|im|ive|my)\s",
    )
});

/// A statement whose "I" was left out.
static DROPPED_SUBJECT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?ix)^(?:just\s+|recently\s+|finally\s+|already\s+)?(?:lost|moved|started|bought|finished|joined|quit|adopted|won|passed|sold|
        booked|got|went|took|tried|signed|visited|became|been|graduated|launched|opened|met|made|wrote|switched|retired|broke)\s",
    )
});

/// Beginnings that state nothing durable: reactions, requests, wishes, conditions, talk about the talk.
static EMPTY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?ix)^(?:i\s(?:also\s|really\s|just\s|totally\s|completely\s|do\s|can\s|would\s)*
            (?:think|guess|mean|see|know|understand|agree|believe|hope|wonder|bet|suppose|imagine|doubt|appreciate|get\ it|hear|
            wish|promise|swear|assume|notice|remember)\b
          | i'm\s(?:so\s|really\s|very\s|just\s|pretty\s|sure\s)*(?:sorry|sure|glad|happy|excited|proud|here|curious|wondering|asking|
            looking\ forward|always\ here|still\ here|just\ saying|kidding|not\ sure|afraid|ready|in|listening|all\ ears|impressed|thrilled|stoked|grateful|
            thankful|happy\ to)\b
          | i(?:\swas|'m|\sam)\s(?:just\s)?(?:wondering|thinking|hoping|curious)\b
          | i(?:\swould|'d)\s | i\s(?:could|should|might\ as\ well)\b
          | i\s(?:can't|cannot|couldn't)\s(?:wait|believe|imagine|agree|thank|help)
          | i\s(?:need|want)\s(?:you|some\ help|help|to\ (?:know|ask|understand|see))\b
          | i\shave\s(?:a|one|another|some)\s(?:quick\s)?(?:question|request)s?\b
          | i(?:'ll|\swill)\s(?:be\ there|let\ you|definitely|try|keep|check|see|look|think|take\ a\ look|get\ back|do\ that)\b
          | my\s(?:bad|pleasure|god|question|point|guess|apologies)\b
          | i(?:'ve|\shave)\s(?:to\ say|to\ admit|no\ idea|never\ heard)\b
        )",
    )
});

/// Anywhere in a clause: what follows is not said to be so.
static UNREAL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:if|unless|when(?:ever)? (?:i|my)|imagine|suppose|what if)\b|\bif (?:i|only)\b|\bpretend\b|\bwould have\b|\bas if\b",
    )
});

/// A clause that states something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Clause<'a> {
    /// Its words, verbatim.
    pub(super) text: &'a str,
    /// Where its "I" is.
    pub(super) subject: Subject,
}

/// Where the "I" of a clause is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// In it.
    Said,
    /// Left out, or in the clause before.
    LeftOut,
}

/// Clauses that state something, in order.
pub(super) fn statements(content: &str) -> Vec<Clause<'_>> {
    own_lines(content).into_iter().flat_map(sentences).flat_map(parts).filter_map(statement).collect()
}

/// Lines a person wrote: no quotations, no code, no memories that were handed to the conversation, no logs.
fn own_lines(content: &str) -> Vec<&str> {
    let mut own = Vec::new();
    let mut inside = None;
    for line in content.lines().map(str::trim) {
        let closes = |end: &&str| line.contains(*end);
        if let Some(end) = inside {
            inside = Some(end).filter(|end| !closes(end));
            continue;
        }
        if line.starts_with("```") || line.starts_with("~~~") {
            inside = Some(line.get(..3).unwrap_or("```"));
        } else if line.starts_with("<recalled") {
            inside = Some("</recalled").filter(|end| !closes(end));
        } else if !line.starts_with(['>', '<', '{', '|', '"', '\u{201c}']) {
            own.push(line);
        }
    }
    own
}

/// Sentences without their last mark. Of a question counts what stands before its last comma ("I moved to Graz, any tips?").
fn sentences(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, mark) in line.char_indices().filter(|(_, c)| matches!(c, '.' | '!' | '?' | '\u{2026}')) {
        let end = at + mark.len_utf8();
        let before = line.get(start..at).unwrap_or_default();
        let after = line.get(end..).unwrap_or_default();
        let ends = after.is_empty() || after.starts_with([' ', '"', '\u{201d}', ')']);
        if !ends || (mark == '.' && is_abbreviation(before)) {
            continue;
        }
        let stated = if mark == '?' { before.rsplit_once(',').map_or("", |(stated, _)| stated) } else { before };
        found.push(stated);
        start = end;
    }
    found.extend(line.get(start..));
    found
}

const ABBREVIATIONS: [&str; 12] = ["mr", "mrs", "ms", "dr", "st", "prof", "e.g", "i.e", "vs", "etc", "a.m", "p.m"];

fn is_abbreviation(before: &str) -> bool {
    let last = before.rsplit([' ', '(']).next().unwrap_or_default().to_lowercase();
    ABBREVIATIONS.contains(&last.as_str())
        || (last.chars().count() == 1 && last != "i" && last.chars().all(char::is_alphabetic))
}

/// Parts of a sentence that begin with "I" or "my" anew, or go on with another verb of the same "I".
fn parts(sentence: &str) -> Vec<Clause<'_>> {
    let mut parts = Vec::new();
    let (mut start, mut from) = (0, 0);
    let mut subject = Subject::Said;
    while let Some((gap, begin)) = BREAK.as_ref().and_then(|pattern| next_break(pattern, sentence, from)) {
        from = begin;
        let head = sentence.get(start..gap).unwrap_or_default();
        let next = sentence.get(begin..).unwrap_or_default();
        // "When I was ten, I …" is one statement, and so is "my aunt and I …".
        let lone = without_lead(head.trim_start());
        if count(lone) < *WORDS.start() || is_unreal(head.trim()) || is_companion(lone) {
            continue;
        }
        let anew = is_head(next);
        let of_same = is_head(without_lead(head.trim_start())) && !head.contains(" to ");
        if !anew && !of_same {
            continue;
        }
        parts.push(Clause { text: head, subject });
        subject = if anew { Subject::Said } else { Subject::LeftOut };
        start = begin;
    }
    parts.extend(sentence.get(start..).map(|text| Clause { text, subject }));
    parts
}

/// "My brother Egon", before "and I".
fn is_companion(head: &str) -> bool {
    let mut words = head.split_whitespace().map(str::to_lowercase);
    words.next().as_deref() == Some("my") && words.clone().count() <= 3 && words.take(2).any(|word| is_kin(&word))
}

/// Words of a clause, where "I'm" counts as the two it is.
fn count(clause: &str) -> usize {
    let words = clause.split_whitespace().count();
    let contracted = clause.split_whitespace().next().is_some_and(|first| first.contains(['\'', '\u{2019}']));
    words + usize::from(contracted && is_head(clause))
}

fn next_break(pattern: &Regex, sentence: &str, from: usize) -> Option<(usize, usize)> {
    let found = pattern.captures(sentence.get(from..)?)?;
    Some((from + found.get(1)?.start(), from + found.get(2)?.start()))
}

fn is_head(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default().to_lowercase().replace('\u{2019}', "'");
    matches!(first.as_str(), "i" | "my" | "i'm" | "i've" | "i'd" | "i'll" | "im" | "ive")
}

fn statement(part: Clause<'_>) -> Option<Clause<'_>> {
    let trimmed = part.text.trim().trim_start_matches(['-', '*', '\u{2022}', '(', ' ']);
    let trimmed = trimmed.trim_end_matches([',', ';', ':', ' ', ')']);
    let text = without_lead(trimmed);
    let plain = text.replace('\u{2019}', "'");
    let subject = match part.subject {
        Subject::Said if HEAD.as_ref()?.is_match(&plain) => Subject::Said,
        Subject::Said if is_dropped_subject(&plain) => Subject::LeftOut,
        Subject::Said => return None,
        Subject::LeftOut => Subject::LeftOut,
    };
    let words = count(&plain);
    let least = if is_head(&plain) && plain.to_lowercase().starts_with("my") { LEAST_OF_MY } else { *WORDS.start() };
    let fine = words >= least
        && words <= *WORDS.end()
        && !is_unreal(&plain)
        && !is_empty(&plain)
        && !is_to_the_listener(&plain)
        && !plain.contains(['`', '{', '}', '\u{201c}']);
    fine.then_some(Clause { text, subject })
}

/// "Well, yeah, I ski" is "I ski".
fn without_lead(text: &str) -> &str {
    let lead = LEAD.as_ref().and_then(|pattern| pattern.find(text)).map_or(0, |lead| lead.end());
    text.get(lead..).unwrap_or(text)
}

/// "I'm here for you", "my best to make you proud": said to the listener, not of oneself.
fn is_to_the_listener(plain: &str) -> bool {
    plain
        .split(|c: char| !c.is_alphanumeric())
        .any(|word| matches!(word.to_lowercase().as_str(), "you" | "your" | "yours" | "u"))
}

fn is_dropped_subject(plain: &str) -> bool {
    DROPPED_SUBJECT.as_ref().is_some_and(|pattern| pattern.is_match(plain))
}

fn is_unreal(plain: &str) -> bool {
    UNREAL.as_ref().is_some_and(|pattern| pattern.is_match(plain))
}

fn is_empty(plain: &str) -> bool {
    EMPTY.as_ref().is_none_or(|pattern| pattern.is_match(plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        for pattern in [&LEAD, &BREAK, &HEAD, &DROPPED_SUBJECT, &EMPTY, &UNREAL] {
            assert!(pattern.is_some());
        }
    }
}
