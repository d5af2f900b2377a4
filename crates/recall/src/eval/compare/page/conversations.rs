//! The conversations of which the arms stored different things, both sides beside each other with their quotes.

use super::html::text;
use crate::eval::compare::report::{Read, Report};
use crate::eval::compare::trial::{Blocked, Decider, Side, Stored, Trial};

/// Lists something of a trial.
type List = fn(&Trial) -> String;

/// All of them, folded.
pub(super) fn changed(report: &Report) -> String {
    let mut section = format!(
        "<h2>Conversations that changed</h2>\n<p class=\"note\">{} of {}; the furthest apart first.</p>\n",
        report.changed.len(),
        report.conversations.len()
    );
    for id in &report.changed {
        let Some(read) = report.conversations.iter().find(|read| read.id == *id) else { continue };
        let trials: Vec<&Trial> = report.trials.iter().filter(|trial| trial.conversation == *id).collect();
        section.push_str(&one(read, &trials));
    }
    section
}

fn of<'t>(trials: &[&'t Trial], side: Side) -> Vec<&'t Trial> {
    trials.iter().filter(|trial| trial.arm == side).copied().collect()
}

fn one(read: &Read, trials: &[&Trial]) -> String {
    let (a, b) = (of(trials, Side::A), of(trials, Side::B));
    let stored = |trials: &[&Trial]| trials.iter().map(|trial| trial.memories.len()).sum::<usize>();
    let facts = read.labels.as_ref().map(|labels| {
        let current: Vec<&str> =
            labels.gold.iter().filter(|gold| gold.replaced_by.is_none()).map(|gold| gold.id.as_str()).collect();
        format!(", gold facts found {} → {} of {}", found(&a, &current), found(&b, &current), current.len())
    });
    let mut shown = format!(
        "<details><summary>{}<small>{}, {}, {} turns{}, memories {} → {}</small></summary><div>\n",
        text(&read.id),
        text(&read.kind.replace('_', " ")),
        text(&read.language),
        read.turns,
        facts.unwrap_or_default(),
        stored(&a),
        stored(&b)
    );
    shown.push_str(&labels(read, &a, &b));
    shown.push_str("<div class=\"sides\">\n");
    let mut parts: Vec<(&str, List)> = vec![("stored", stored_by)];
    if trials.iter().any(|trial| !trial.blocked.is_empty()) {
        parts.push(("turned away", turned_away));
    }
    for (did, list) in parts {
        for (letter, side) in [("A", &a), ("B", &b)] {
            shown.push_str(&part((letter, did), side, list));
        }
    }
    shown.push_str("</div></div></details>\n");
    shown
}

/// What an arm did with a conversation, reading by reading: beside the same of the other arm, on a phone under it.
fn part((letter, did): (&str, &str), side: &[&Trial], list: List) -> String {
    let arm = letter.to_lowercase();
    let mut shown = format!("<div><h3><span class=\"arm {arm}\">{letter}</span> {did}</h3>\n");
    for trial in side {
        if side.len() > 1 {
            shown.push_str(&format!("<p class=\"note\">reading {}</p>\n", trial.repeat + 1));
        }
        shown.push_str(&list(trial));
    }
    shown.push_str("</div>\n");
    shown
}

/// How many facts any reading of an arm found.
fn found(trials: &[&Trial], facts: &[&str]) -> usize {
    facts.iter().filter(|fact| tells(trials, fact)).count()
}

fn tells(trials: &[&Trial], fact: &str) -> bool {
    let mut memories = trials.iter().flat_map(|trial| &trial.memories);
    memories.any(|memory| memory.found.gold.iter().chain(&memory.found.falsehoods).any(|id| id == fact))
}

/// Whether the gate turned away a candidate that tells a fact.
fn was_blocked(trials: &[&Trial], fact: &str) -> bool {
    let mut blocked = trials.iter().flat_map(|trial| &trial.blocked);
    blocked.any(|blocked| blocked.gold.iter().any(|id| id == fact))
}

/// What people found, and which arm has it.
fn labels(read: &Read, a: &[&Trial], b: &[&Trial]) -> String {
    let Some(labels) = &read.labels else { return String::new() };
    let gold = labels.gold.iter().map(|gold| (gold.id.as_str(), gold.claim.as_str(), gold.replaced_by.is_none()));
    let falsehoods = labels.falsehoods.iter().map(|falsehood| (falsehood.id.as_str(), falsehood.claim.as_str()));
    let mark = |trials: &[&Trial], id: &str, wanted: bool| match (tells(trials, id), wanted) {
        (true, true) => "<td class=\"good\"><b>found</b></td>",
        (true, false) => "<td class=\"bad\"><b>stored</b></td>",
        (false, true) if was_blocked(trials, id) => "<td class=\"bad\">blocked</td>",
        (false, true) => "<td class=\"quiet\">missed</td>",
        (false, false) => "<td class=\"quiet\">not stored</td>",
    };
    let mut table = String::from(
        "<table class=\"facts\"><thead><tr><th>gold facts and planted falsehoods</th><th><span class=\"arm a\">A</span></th>\
         <th><span class=\"arm b\">B</span></th></tr></thead><tbody>\n",
    );
    let kinds = gold.map(|(id, claim, current)| (id, claim, current, if current { "" } else { "replaced" }));
    for (id, claim, wanted, kind) in kinds.chain(falsehoods.map(|(id, claim)| (id, claim, false, "falsehood"))) {
        let tag = if kind.is_empty() { String::new() } else { format!("<span class=\"tag\">{kind}</span>") };
        table.push_str(&format!(
            "<tr><th>{tag}{}</th>{}{}</tr>\n",
            text(claim),
            mark(a, id, wanted),
            mark(b, id, wanted)
        ));
    }
    table.push_str("</tbody></table>\n");
    table
}

fn stored_by(trial: &Trial) -> String {
    let mut list = listed(trial.memories.iter().map(memory_shown));
    let unusable = trial.calls.iter().filter(|call| call.unusable).count();
    if unusable > 0 {
        list.push_str(&format!("<p class=\"note\">{unusable} replies could not be used.</p>\n"));
    }
    list
}

fn turned_away(trial: &Trial) -> String {
    listed(trial.blocked.iter().map(blocked_shown))
}

fn listed(items: impl Iterator<Item = String>) -> String {
    let items: String = items.collect();
    let items = if items.is_empty() { "<li><small>nothing</small></li>\n" } else { &items };
    format!("<ul>\n{items}</ul>\n")
}

/// The class of a tag and its word.
fn tag(memory: &Stored) -> (&'static str, &'static str) {
    match (memory.found.supported, memory.found.decided_by) {
        (Some(true), Some(Decider::Judge)) => ("good", "supported"),
        (Some(true), _) => ("good", "gold"),
        (Some(false), Some(Decider::Falsehood)) => ("bad", "falsehood"),
        (Some(false), Some(Decider::Replaced)) => ("bad", "outdated"),
        (Some(false), Some(Decider::Judge)) => ("bad", "unsupported"),
        (Some(false), _) => ("bad", "not in gold"),
        (None, _) => ("", "not decided"),
    }
}

fn memory_shown(memory: &Stored) -> String {
    let (class, word) = tag(memory);
    let repeat = if memory.found.duplicate { "<span class=\"tag\">repeat</span>" } else { "" };
    let date = memory.date.as_ref().map(|date| format!(", {date}")).unwrap_or_default();
    let mut shown = format!(
        "<li><span class=\"tag {class}\">{word}</span>{repeat}{}<small>about {}, confidence {:.2}{}</small>",
        text(&memory.content),
        text(&memory.subject),
        memory.confidence,
        text(&date)
    );
    for quote in &memory.quotes {
        shown.push_str(&format!(
            "<blockquote>{}, {}: “{}”</blockquote>",
            text(&quote.turn),
            text(&quote.speaker),
            text(&quote.words)
        ));
    }
    shown.push_str("</li>\n");
    shown
}

fn blocked_shown(blocked: &Blocked) -> String {
    let gold = if blocked.gold.is_empty() { "" } else { "<span class=\"tag bad\">gold</span>" };
    let content = if blocked.content.is_empty() { "(could not be read)" } else { &blocked.content };
    format!("<li><span class=\"tag\">{}</span>{gold}{}</li>\n", text(&blocked.reason.replace('_', " ")), text(content))
}
