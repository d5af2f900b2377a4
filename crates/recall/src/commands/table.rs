//! Memories as a table for people.

use super::say::say;
use comfy_table::{ContentArrangement, Table, presets};
use recall_core::memory::{Memory, Status};
use recall_core::moment::Precision;
use recall_core::turn::TurnId;

/// Prints memories: what, of whom, when, how sure, from which turns.
pub(super) fn print_memories(memories: &[Memory]) {
    print_memories_from(memories, &|_, turn| turn.as_str().to_owned());
}

/// The same with turns told as `label` has it.
pub(super) fn print_memories_from(memories: &[Memory], label: &dyn Fn(&Memory, &TurnId) -> String) {
    if memories.is_empty() {
        say!("no memories");
        return;
    }
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["memory", "type", "subject", "when", "sure", "from", "status"]);
    for memory in memories {
        let turns: Vec<String> = memory.provenance.source_turn_ids.iter().map(|id| label(memory, id)).collect();
        let status = Some(memory.standing()).filter(|standing| *standing != Status::Active.as_str());
        table.add_row([
            memory.content.clone(),
            memory.memory_type.as_str().to_owned(),
            memory.subject.name.clone(),
            when(memory),
            format!("{:.2}", memory.confidence),
            turns.join(" "),
            status.unwrap_or_default().to_owned(),
        ]);
    }
    say!("{table}");
}

/// The date of a memory as exact as it is known.
pub(super) fn when(memory: &Memory) -> String {
    let Some(at) = memory.event_at else { return String::new() };
    let civil = at.civil();
    let date = civil.date();
    let from = match memory.precision {
        Precision::Instant => format!("{date} {:02}:{:02}", civil.hour(), civil.minute()),
        Precision::Day => date.to_string(),
        Precision::Week => format!("week of {date}"),
        Precision::Month => format!("{}-{:02}", date.year(), date.month()),
        Precision::Season => {
            let season = match date.month() {
                3..=5 => "spring",
                6..=8 => "summer",
                9..=11 => "autumn",
                _ => "winter",
            };
            format!("{season} {}", date.year())
        }
        Precision::Year => date.year().to_string(),
        Precision::Unknown => return String::new(),
    };
    memory.event_until.map_or(from.clone(), |until| format!("{from} to {}", until.civil().date()))
}

/// An empty table with a header.
pub(super) fn rows<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(header);
    table
}
