//! Plain transcripts: `speaker: text`, perhaps with a time before it or a `speaker (time):` line above; other lines go on with
//! the turn. How most turns are written decides what is one, so that a colon inside somebody's words makes no speaker; one with a time
//! of its own, and one of somebody who speaks elsewhere, is a turn however it is written.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::chat::{by_speaker, role};
use super::stamp::{self, Order, Stamp};
use super::{Archive, Conversation, Source, Whose};

/// What stands before a colon and speaks for nobody.
const LABELS: [&str; 26] = [
    "note",
    "notes",
    "nb",
    "n.b.",
    "ps",
    "p.s.",
    "pps",
    "todo",
    "to do",
    "fyi",
    "re",
    "subject",
    "update",
    "edit",
    "warning",
    "summary",
    "tip",
    "example",
    "question",
    "answer",
    "date",
    "time",
    "source",
    "important",
    "result",
    "reminder",
];

/// The longest name of a speaker, in characters: a longer text before a colon is a sentence.
const MAX_SPEAKER: usize = 40;

/// Whether a text begins with a time in brackets, be it one that cannot be read.
pub(super) fn has_stamp(text: &str) -> bool {
    let line = Line::of(text.lines().next().unwrap_or_default(), Names::Capital);
    line.stamp.is_some() || line.unread
}

/// Whether a text that stands inside a value is a transcript: at least two turns.
pub(super) fn is_talk(text: &str) -> bool {
    let lines: Vec<Line<'_>> = text.lines().map(|line| Line::of(line, Names::Capital)).collect();
    let way = Way::of(&lines);
    lines.iter().filter(|line| way.takes(line)).count() > 1
}

/// Adds the conversation of a transcript file.
pub(super) fn read(source: &Source<'_>, text: &str, archive: &mut Archive) {
    let turns = turns(source, text, 1, archive);
    archive.conversations.push(Conversation {
        session_id: source.session(0),
        whose: Whose::default(),
        timezone: None,
        messages: turns,
    });
}

/// Adds the conversation of a transcript that stands inside a value of a line.
pub(super) fn inside(source: &Source<'_>, line: usize, session_id: String, text: &str, archive: &mut Archive) {
    let turns = turns(source, text.trim(), line, archive).into_iter().map(|(_, message)| (line, message)).collect();
    archive.conversations.push(Conversation { session_id, whose: Whose::default(), timezone: None, messages: turns });
}

fn turns(source: &Source<'_>, text: &str, first: usize, archive: &mut Archive) -> Vec<(usize, Value)> {
    let lines = taken_apart(text);
    let way = Way::of(&lines);
    let stamps: Vec<Stamp> = lines.iter().filter_map(|line| line.stamp).collect();
    let order = stamp::order(&stamps);
    let mut turns: Vec<Turn> = Vec::new();
    let mut notice = false;
    for (at, line) in lines.iter().enumerate() {
        if line.unread {
            archive
                .bad
                .push(source.bad(first + at, "the time before the speaker cannot be read; write [2025-05-02 10:00]"));
            notice = true;
        } else if way.takes(line) {
            turns.push(Turn::of(first + at, line, order));
            notice = false;
        } else if way.is_notice(line) {
            // What the program says ("Ana joined") and how it goes on belong to nobody.
            notice = true;
        } else if let Some(turn) = turns.last_mut() {
            turn.go_on(if notice { "" } else { line.whole });
        } else if !line.whole.trim().is_empty() && !notice && heading(line).is_none() {
            archive.bad.push(source.bad(first + at, "no speaker; write `speaker: text`"));
        }
    }
    let has_words = |turn: &Turn| !turn.words.trim().is_empty();
    turns.into_iter().filter(has_words).map(|turn| (turn.line, turn.into_message(&way))).collect()
}

/// How names of speakers begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Names {
    Capital,
    Any,
}

/// The lines of a text. Where nobody begins with a capital letter, and most lines have a word before a colon, those are the speakers.
fn taken_apart(text: &str) -> Vec<Line<'_>> {
    let of = |names| text.lines().map(|line| Line::of(line, names)).collect::<Vec<_>>();
    let lines = of(Names::Capital);
    if lines.iter().any(|line| line.speaker.is_some()) {
        return lines;
    }
    let small = of(Names::Any);
    let (spoken, all) = small
        .iter()
        .filter(|line| !line.whole.trim().is_empty())
        .fold((0, 0), |(spoken, all), line| (spoken + usize::from(line.speaker.is_some()), all + 1));
    if spoken * 2 > all { small } else { lines }
}

/// A line of a transcript, taken apart.
struct Line<'a> {
    whole: &'a str,
    stamp: Option<Stamp>,
    /// A speaker stands behind a time in brackets that cannot be read.
    unread: bool,
    form: Form,
    speaker: Option<&'a str>,
    words: &'a str,
}

/// How a turn is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `Ana: hello`
    Plain,
    /// `[10:00] Ana: hello`
    Stamped,
    /// `Ana (10:00):`, the words beside or below it.
    Headed,
}

impl<'a> Line<'a> {
    fn of(line: &'a str, names: Names) -> Self {
        let whole = line.trim_start_matches('\u{feff}').trim_end();
        // A time with nothing around it is one where somebody speaks behind it.
        let unmarked = || stamp::unmarked(whole).filter(|(_, rest)| spoken(rest, names).is_some());
        if let Some((stamp, rest)) = stamp::leading(whole).or_else(unmarked) {
            let (speaker, words) = spoken(rest, names).map_or((None, rest), |(speaker, words)| (Some(speaker), words));
            return Self { whole, stamp: Some(stamp), unread: false, form: Form::Stamped, speaker, words };
        }
        if let Some((speaker, stamp, words)) = headed(whole) {
            return Self {
                whole,
                stamp: Some(stamp),
                unread: false,
                form: Form::Headed,
                speaker: Some(speaker),
                words,
            };
        }
        let unread = stamp::bracketed(whole)
            .is_some_and(|(written, rest)| stamp::is_meant(written) && spoken(rest, names).is_some());
        let (speaker, words) = spoken(whole, names).map_or((None, whole), |(speaker, words)| (Some(speaker), words));
        Self { whole, stamp: None, unread, form: Form::Plain, speaker, words }
    }
}

/// How the turns of a transcript are written.
struct Way {
    form: Form,
    /// One of the speakers is an assistant: the speakers have names of roles, and every other word before a colon is text.
    with_assistant: bool,
    /// Names that a heading gives to roles, such as `bot=Ada`.
    roles: HashMap<String, &'static str>,
    /// Who speaks in turns that are written as most are, or with a time.
    speakers: HashSet<String>,
}

impl Way {
    fn of(lines: &[Line<'_>]) -> Self {
        let count = |form| lines.iter().filter(|line| line.form == form && line.speaker.is_some()).count();
        let form = [Form::Stamped, Form::Headed, Form::Plain].into_iter().rev().max_by_key(|form| count(*form));
        let form = form.unwrap_or(Form::Plain);
        let before = lines.iter().take_while(|line| line.speaker.is_none());
        let roles = before.filter_map(heading).map(|(role, name)| (name.to_lowercase(), role)).collect();
        let sure = lines.iter().filter(|line| line.form == form || line.form == Form::Stamped);
        let speakers = sure.filter_map(|line| Some(line.speaker?.to_lowercase())).collect();
        let mut way = Self { form, with_assistant: false, roles, speakers };
        way.with_assistant =
            lines.iter().any(|line| way.takes(line) && line.speaker.and_then(role) == Some("assistant"));
        way
    }

    fn takes(&self, line: &Line<'_>) -> bool {
        let known = |speaker: &str| role(speaker).is_some() || self.roles.contains_key(&speaker.to_lowercase());
        line.speaker.is_some_and(|speaker| {
            let is_turn =
                line.form == self.form || line.form == Form::Stamped || self.speakers.contains(&speaker.to_lowercase());
            is_turn && (!self.with_assistant || known(speaker))
        })
    }

    fn is_notice(&self, line: &Line<'_>) -> bool {
        self.form == Form::Stamped && line.form == Form::Stamped && line.speaker.is_none()
    }
}

/// `user=Ana` before the first turn: which role a name has.
fn heading<'a>(line: &Line<'a>) -> Option<(&'static str, &'a str)> {
    let (key, name) = line.whole.split_once('=')?;
    Some((role(key.trim())?, name.trim()))
}

struct Turn {
    line: usize,
    speaker: String,
    at: Option<String>,
    words: String,
}

impl Turn {
    fn of(number: usize, line: &Line<'_>, order: Order) -> Self {
        let speaker = line.speaker.unwrap_or_default();
        Self {
            line: number,
            speaker: speaker.to_owned(),
            at: line.stamp.and_then(|stamp| stamp.written(order)),
            words: line.words.to_owned(),
        }
    }

    fn go_on(&mut self, line: &str) {
        self.words.push('\n');
        self.words.push_str(line);
    }

    fn into_message(self, way: &Way) -> Value {
        let named = way.roles.get(&self.speaker.to_lowercase()).copied();
        let mut message = by_speaker(named.unwrap_or(&self.speaker));
        message.extend(self.at.map(|at| ("timestamp".to_owned(), Value::from(at))));
        message.insert("content".into(), self.words.trim().into());
        Value::Object(message)
    }
}

fn spoken(line: &str, names: Names) -> Option<(&str, &str)> {
    let (speaker, words) = line.split_once(':')?;
    // "**User:** hello" closes the mark behind the colon, "**User**: hello" before it.
    let words = words.strip_prefix("**").unwrap_or(words).trim();
    let speaker = bare(speaker);
    let begins =
        |first: char| names == Names::Any || first.is_uppercase() || role(speaker).is_some() || !first.is_ascii();
    let name = is_name(speaker) && speaker.chars().next().is_some_and(begins) && !words.starts_with("//");
    name.then_some((speaker, words))
}

/// `Ana (10:00): words`, `Ana [00:12]:`, or `Ana (3s)` alone on its line.
fn headed(line: &str) -> Option<(&str, Stamp, &str)> {
    let open = line.find(['(', '['])?;
    let (speaker, rest) = (bare(line.get(..open)?), line.get(open + 1..)?);
    let (inside, rest) = rest.split_once([')', ']'])?;
    let rest = rest.trim_start_matches(['*', ' ']);
    let words = if rest.is_empty() { rest } else { rest.strip_prefix(':')?.trim_start_matches('*').trim() };
    let stamp = stamp::read(inside).or_else(|| stamp::day(inside))?;
    is_name(speaker).then_some((speaker, stamp, words))
}

fn bare(speaker: &str) -> &str {
    speaker.trim().trim_matches(['*', '#', '_', '<', '>', '~']).trim()
}

fn is_name(speaker: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '.' | '-' | '\'' | '_' | '\u{2019}');
    !speaker.is_empty()
        && !LABELS.contains(&speaker.to_lowercase().as_str())
        && speaker.chars().count() <= MAX_SPEAKER
        && speaker.split_whitespace().count() <= 4
        && speaker.chars().all(fits)
}
