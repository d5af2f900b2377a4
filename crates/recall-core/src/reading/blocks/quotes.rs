//! Words in quotation marks that speak for somebody else; titles and single words stay the speaker's own.

use super::{Block, BlockKind};

/// Opening marks and what closes them.
const PAIRS: &[(char, &[char])] = &[
    ('"', &['"']),
    ('\u{201c}', &['\u{201d}', '"']),
    ('\u{201e}', &['\u{201c}', '\u{201d}', '"']),
    ('\u{201d}', &['\u{201d}']),
    ('\u{ab}', &['\u{bb}']),
    ('\u{bb}', &['\u{ab}']),
    ('\u{300c}', &['\u{300d}']),
    ('\'', &['\'']),
    ('\u{2018}', &['\u{2019}']),
];

/// The longest quotation that is looked for, in characters; a mark left open must not swallow a page.
const LONGEST: usize = 4_000;

/// Characters looked at for closing marks in one turn; text full of open marks must not cost its square.
const EFFORT: usize = 80_000;

/// Shortened words that begin with an apostrophe.
const SHORTENED: &[&str] = &["cause", "em", "til", "till", "bout", "n", "tis", "twas", "cuz", "s", "round"];

/// Quotations inside a text.
pub(super) fn find(text: &str) -> Vec<Block> {
    let marks: Vec<(usize, char)> = text.char_indices().collect();
    let mut found = Vec::new();
    let mut at = 0;
    let mut effort = EFFORT;
    while let Some((start, mark)) = marks.get(at).copied().filter(|_| effort > 0) {
        let closing = PAIRS.iter().find(|(open, _)| *open == mark).map(|(_, close)| *close);
        let end = closing.filter(|_| opens(&marks, at)).and_then(|closing| close(&marks, at, closing, &mut effort));
        let Some(end) = end else {
            at += 1;
            continue;
        };
        let close_at = marks.get(end).map_or(text.len(), |(at, c)| at + c.len_utf8());
        let inner = marks.get(at + 1).zip(marks.get(end)).and_then(|((from, _), (to, _))| text.get(*from..*to));
        if inner.is_some_and(|inner| speaks(inner, mark)) {
            found.push(Block { span: start..close_at, kind: BlockKind::Quotation });
        }
        at = end + 1;
    }
    found
}

fn opens(marks: &[(usize, char)], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| marks.get(at)).map(|(_, c)| *c);
    let after = marks.get(at + 1).map(|(_, c)| *c);
    let free = before.is_none_or(|c| !c.is_alphanumeric());
    free && after.is_some_and(|c| !c.is_whitespace())
}

fn close(marks: &[(usize, char)], open: usize, closing: &[char], effort: &mut usize) -> Option<usize> {
    let single = closing.iter().all(|c| matches!(c, '\'' | '\u{2019}'));
    let mut blank_line = false;
    for (at, (_, mark)) in marks.iter().enumerate().skip(open + 1).take(LONGEST.min(*effort)) {
        *effort -= 1;
        if *mark == '\n' {
            if blank_line || single {
                return None;
            }
            blank_line = true;
        } else if !mark.is_whitespace() {
            blank_line = false;
        }
        if !closing.contains(mark) {
            continue;
        }
        let before = marks.get(at - 1).map(|(_, c)| *c);
        let after = marks.get(at + 1).map(|(_, c)| *c);
        let ends_word = before.is_some_and(|c| !c.is_whitespace()) && at > open + 1;
        let free = after.is_none_or(|c| !c.is_alphanumeric());
        if free && (ends_word || !single) {
            return Some(at);
        }
    }
    None
}

/// Is it somebody speaking, not a title or a term?
fn speaks(inner: &str, mark: char) -> bool {
    const VERBS: &[&str] = &[
        "i", "i'm", "i've", "i'll", "i'd", "you", "you're", "we", "we're", "it's", "is", "are", "was", "were", "am",
        "has", "have", "had", "do", "does", "don't", "will", "won't", "can", "can't", "must", "should", "never",
        "always", "please", "ignore", "store", "grant", "arrived",
    ];
    let words: Vec<&str> = inner.split_whitespace().collect();
    let Some(first) = words.first() else { return false };
    if matches!(mark, '\'' | '\u{2018}')
        && SHORTENED.contains(&first.to_lowercase().trim_matches(|c: char| !c.is_alphanumeric()))
    {
        return false;
    }
    let unspaced = words.len() == 1 && inner.chars().filter(|c| c.is_alphabetic() && !c.is_ascii()).count() > 8;
    if unspaced {
        return true;
    }
    if words.len() < 2 {
        return false;
    }
    let plain = |word: &str| {
        word.to_lowercase().replace('\u{2019}', "'").trim_matches(|c: char| !c.is_alphanumeric()).to_owned()
    };
    let long: Vec<&&str> = words.iter().filter(|word| word.chars().count() > 3).collect();
    let titled = long.len() > 1 && long.iter().all(|word| !word.starts_with(char::is_lowercase));
    let shouted = inner.chars().any(char::is_lowercase);
    if titled && shouted && !inner.trim_end().ends_with(['.', '!', '?']) {
        return false;
    }
    inner.trim_end().ends_with(['.', '!', '?']) && words.len() > 2
        || words.len() >= 4
        || words.iter().any(|word| VERBS.contains(&plain(word).as_str()))
}
