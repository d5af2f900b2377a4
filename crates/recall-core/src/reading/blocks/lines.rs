//! Pasted lines: programs, logs, records, and `>` quotations, told line by line.

use std::sync::LazyLock;

use regex::RegexSet;

use super::{Block, BlockKind};

/// Lines that only a program has.
const CODE: &[&str] = &[
    r#"^\s*(?:import\s.*\sfrom\s+['"].*|from\s+[\w.]+\s+import\s.+|import\s+[\w.]+(?:\s+as\s+\w+)?;|import\s+\w+(?:\.\w+)+|import\s+\w+\s+as\s+\w+)$"#,
    r"^\s*(?:export\s+(?:default|const|function|class)|(?:const|let|var)\s+[\w{}\[\], :<>]+\s*=)\s*.*[;{(,\]})'0-9a-z]*$",
    r"^\s*(?:pub(?:\([a-z]+\))?\s+|public\s+|private\s+|protected\s+|static\s+|async\s+|export\s+|abstract\s+|final\s+)*(?:def|fn|func|function|class|struct|enum|interface|impl|trait|namespace|void|int|float|double|bool|String)\s+[\w.<>:]+\s*[(<:{=].*$",
    r"^\s*(?:if|for|while|switch|catch|foreach)\s*\(.*\)\s*\{?\s*$",
    r"^\s*(?:elif|if|for|while|with)\s.*[\w)\]'](?:\s*[=!<>]=\s*|\s+in\s+\w+\().*:\s*$",
    r"^\s*\}?\s*(?:else|try|finally)\s*\{\s*$",
    r"^\s*(?:#include\s*[<\x22]|#!/|#\[\w+|@\w+\(.*\)$|using\s+[\w.]+;|package\s+[\w.]+;)",
    r"^\s*(?:SELECT\s.*\sFROM\s|INSERT\s+INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s|CREATE\s+(?:TABLE|INDEX|VIEW)\s|ALTER\s+TABLE\s|DROP\s+TABLE\s)",
    r#"^\s*</?[a-zA-Z][\w-]*(?:\s+[\w:@-]+(?:=(?:"[^"]*"|'[^']*'|\{[^}]*\}))?)*\s*/?>(?:.*</[a-zA-Z][\w-]*>)?\s*$"#,
    r"^\s*(?:\$|PS [A-Z]:\\[^>]*>)\s+[a-z][\w./-]*(?:\s.*)?$",
    r"^\s*(?:>>>|\.\.\.)\s+\w+(?:\s*=|\(|\.\w)",
    r"^\s*[\w.$]+(?:\.\w+)*\([^()]*(?:\([^()]*\)[^()]*)*\)\s*[;{]?\s*$",
    r#"^\s*(?:[A-Za-z_$][\w.$\[\]'"]*)\s*(?::=|[-+*/]?=)\s*(?:["'\d\[{(-].*|[\w.]+\(.*\).*|(?:true|false|null|None|True|False|new\s.*))\s*;?$"#,
    r"^\s*(?:[A-Za-z_$][\w.$\[\]]*\s)?[\w.$\[\]]+\s*(?:[-+*/]?=|\()[^.?!]*;\s*$",
    r#"^\s*"[\w.-]+"\s*:\s*(?:["\d\[{-]|true|false|null).*$"#,
    r#"^\s*[\[{]\s*["'\w]+\s*:.*[\]}]\s*[;,]?\s*$"#,
    r"^\s*return\b.*;\s*$",
    r"^(?:@@ .* @@|\+\+\+ [ab]/|--- [ab]/|diff --git)",
    r"^\s*/\*.*$|^\s*\*/\s*$",
];

/// Lines that belong to a program when they stand beside one.
const CODE_BESIDE: &[&str] = &[
    r"^\s*[{}\[\]()]+[;,]?\s*$",
    r"^\s*(?://|#|--|/\*|\*)\s*.*$",
    r"^(?:\s{4,}|\t+)\S.*$",
    r"^\s*(?:if|for|while|else|elif|try|except|finally|with|match|case|default|return|break|continue|pass|end|do|then|fi|done)\b.*$",
    r"^\s*[\w.]+\s*=\s*.*$",
    r"^[-+]\s?.*[;{}()]\s*$",
    r"^.*[;{}]\s*$",
];

/// Lines that only a log, a stack trace or a table of records has.
const LOG: &[&str] = &[
    r"^\s*[\[(]?\d{4}[-/]\d\d[-/]\d\d[T ,]+\d\d:\d\d(?::\d\d)?\S*\s+.*(?:\b(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL|CRITICAL|NOTICE|error|warn|info|debug)\b|\w+=\S+|\[\w[^\]]*\]|\w+\[\d+\]|\w{3,}: )",
    r"^\s*\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?\s+.*(?:\b(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL)\b|\w+=\S+\s+\w+=\S+)",
    r"^\s*\[?(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL|CRITICAL)\]?(?::|\s)\s*\S+",
    r"^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+\d{1,2}\s+\d\d:\d\d:\d\d\s+\S+",
    r"^\s*at\s+[\w$.<>/\[\] ]+\s?\([^()]*(?::\d+|Native Method|Unknown Source|<anonymous>)[^()]*\)\s*$",
    r#"^\s*File\s+"[^"]+",\s+line\s+\d+"#,
    r"^\s*(?:Traceback \(most recent call last\)|Caused by:|Exception in thread|Stack trace:|stack backtrace:|thread '.*' panicked at|panic:|goroutine \d+|Segmentation fault|core dumped)",
    r"^\s*(?:[\w.$]+\.)?[A-Z]\w*(?:Error|Exception)(?::\s.*)?$",
    r"^\s*\d{1,3}(?:\.\d{1,3}){3}\s+-\s",
    r"^\s*(?:[\w.-]+=(?:\x22[^\x22]*\x22|\S+)\s+){2,}[\w.-]+=\S+",
    r"^\s*(?:npm ERR!|error\[E\d+\]:|warning: unused|fatal: |make: \*\*\*|E\s{3,}|FAILED\s|gcc: |ld: )",
    r"^\s*(?:[^,;\t\s][^,;\t]*)?(?:[,;\t](?:[^,;\t\s][^,;\t]*)?){3,}$",
];

/// How many of the patterns of [`LOG`], from the end, are only records in company.
const RECORD: usize = 1;

struct Patterns {
    code: RegexSet,
    beside: RegexSet,
    log: RegexSet,
}

static PATTERNS: LazyLock<Option<Patterns>> = LazyLock::new(|| {
    Some(Patterns {
        code: RegexSet::new(CODE).ok()?,
        beside: RegexSet::new(CODE_BESIDE).ok()?,
        log: RegexSet::new(LOG).ok()?,
    })
});

/// What one line looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Blank,
    Prose,
    Quoted,
    Code,
    /// Code where it stands beside code.
    Beside,
    Log,
    /// A record where it stands beside another.
    Record,
}

/// Longer lines are cut before they are matched: what a line is shows at its beginning.
const LOOK: usize = 600;

fn line_kind(patterns: &Patterns, line: &str) -> Line {
    let line = line.trim_end();
    let line = line.char_indices().nth(LOOK).and_then(|(at, _)| line.get(..at)).unwrap_or(line);
    if line.trim().is_empty() {
        return Line::Blank;
    }
    let log = patterns.log.matches(line);
    let records = LOG.len() - RECORD;
    if log.iter().any(|index| index < records) {
        return Line::Log;
    }
    if patterns.code.is_match(line) {
        return Line::Code;
    }
    if line.trim_start().starts_with('>') {
        return Line::Quoted;
    }
    if log.matched_any() && !line.contains(", ") && !line.contains("; ") {
        return Line::Record;
    }
    if is_blob(line) {
        return Line::Code;
    }
    if patterns.beside.is_match(line) { Line::Beside } else { Line::Prose }
}

/// One long word of letters and digits in no language: base64, hex, a key.
fn is_blob(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 60
        && line.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '-' | '_'))
        && line.chars().any(|c| c.is_ascii_digit())
}

/// Runs of pasted lines.
pub(super) fn find(text: &str) -> Vec<Block> {
    let Some(patterns) = PATTERNS.as_ref() else { return Vec::new() };
    let mut lines: Vec<(usize, usize, Line)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        lines.push((at, at + line.len(), line_kind(patterns, line)));
        at += line.len();
    }
    settle(&mut lines);
    let mut found: Vec<Block> = Vec::new();
    let mut last = Line::Blank;
    for (start, end, kind) in lines {
        let block = match kind {
            Line::Quoted => Some(BlockKind::Quotation),
            Line::Code => Some(BlockKind::Code),
            Line::Log => Some(BlockKind::Log),
            Line::Blank | Line::Prose | Line::Beside | Line::Record => None,
        };
        match (block, found.last_mut()) {
            (Some(block), Some(open)) if last == kind && open.kind == block => open.span.end = end,
            (Some(block), _) => found.push(Block { span: start..end, kind: block }),
            (None, _) => {}
        }
        last = kind;
    }
    found
}

/// Lines that are something only beside others take after their neighbours, to both sides.
fn settle(lines: &mut [(usize, usize, Line)]) {
    for at in 1..lines.len() {
        let [(_, _, before), (_, _, here), ..] = lines.get_mut(at - 1..).unwrap_or_default() else { continue };
        match (*before, *here) {
            (Line::Record, Line::Record | Line::Log) | (Line::Log, Line::Record) => {
                (*before, *here) = (Line::Log, Line::Log)
            }
            (Line::Code, Line::Beside) => *here = Line::Code,
            (Line::Log, Line::Beside) => *here = Line::Log,
            (
                Line::Blank | Line::Prose | Line::Quoted | Line::Code | Line::Beside | Line::Log | Line::Record,
                Line::Blank | Line::Prose | Line::Quoted | Line::Code | Line::Beside | Line::Log | Line::Record,
            ) => {}
        }
    }
    for at in 2..lines.len() {
        if let [(_, _, Line::Log), (_, _, here @ Line::Code), (_, _, Line::Log), ..] =
            lines.get_mut(at - 2..).unwrap_or_default()
        {
            // A stack trace shows the line of the program it speaks of.
            *here = Line::Log;
        }
    }
    for at in (1..lines.len()).rev() {
        let [(_, _, before), (_, _, here), ..] = lines.get_mut(at - 1..).unwrap_or_default() else { continue };
        match (*before, *here) {
            (Line::Beside, Line::Code) => *before = Line::Code,
            (Line::Record, Line::Log) => *before = Line::Log,
            (
                Line::Blank | Line::Prose | Line::Quoted | Line::Code | Line::Beside | Line::Log | Line::Record,
                Line::Blank | Line::Prose | Line::Quoted | Line::Code | Line::Beside | Line::Log | Line::Record,
            ) => {}
        }
    }
}

/// Do most lines look like a log?
pub(super) fn looks_like_log(text: &str) -> bool {
    let Some(patterns) = PATTERNS.as_ref() else { return false };
    let kinds = || text.lines().skip(1).map(|line| line_kind(patterns, line));
    let logs = kinds().filter(|kind| matches!(kind, Line::Log | Line::Record)).count();
    logs * 2 > kinds().filter(|kind| !matches!(kind, Line::Blank)).count().saturating_sub(1) && logs > 0
}
