//! Parts of a turn that are not the speaker's own words: handed-in memories, quotations, programs, logs. Found before anything else, because nothing in them is asserted by the speaker.

mod lines;
mod material;
mod quotes;

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

/// What a part of a turn is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockKind {
    /// `<recalled…>…</recalled…>`: memories handed to the conversation.
    Recalled,
    /// Somebody else's words.
    Quotation,
    /// A program.
    Code,
    /// Log lines, stack traces, records.
    Log,
    /// Text to be worked on ("translate: …") or made up ("a story in which …").
    Material,
}

/// A part of a turn that is not the speaker's own words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Byte range in the turn.
    pub span: Range<usize>,
    /// What it is.
    pub kind: BlockKind,
}

/// The blocks of a turn, in order, not overlapping.
pub fn find(content: &str) -> Vec<Block> {
    let mut found = Vec::new();
    for finder in [recalled, fenced, material::find, lines::find, quotes::find] {
        let free = free(content, &found);
        for range in free {
            let Some(text) = content.get(range.clone()) else { continue };
            found.extend(finder(text).into_iter().map(|block| shifted(block, range.start)));
        }
        found.sort_by_key(|block| block.span.start);
    }
    found
}

fn shifted(block: Block, by: usize) -> Block {
    Block { span: block.span.start + by..block.span.end + by, kind: block.kind }
}

/// What no block covers yet.
fn free(content: &str, found: &[Block]) -> Vec<Range<usize>> {
    let mut start = 0;
    let mut ranges = Vec::new();
    for block in found {
        ranges.push(start..block.span.start);
        start = block.span.end;
    }
    ranges.push(start..content.len());
    ranges.retain(|range| !range.is_empty());
    ranges
}

/// Tags under which products hand memories and instructions into a conversation.
static OPENING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let names = "recalled|recall|memory|memories|relevant|retrieved|remembered|user[_-]memor|long[_-]?term|context|system|reminder|background|profile|knowledge";
    Regex::new(&format!(r"(?i)<((?:{names})[\w-]*)(?:\s[^<>]*)?>")).ok()
});

/// An opening tag without its end takes the rest: it is safer to lose words than to believe a memory.
fn recalled(text: &str) -> Vec<Block> {
    let Some(opening) = OPENING.as_ref() else { return Vec::new() };
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(tag) = text.get(from..).and_then(|rest| opening.captures(rest)) {
        let (Some(whole), Some(name)) = (tag.get(0), tag.get(1)) else { break };
        let start = from + whole.start();
        let closing = format!("</{}", name.as_str().to_ascii_lowercase());
        let end = closing_end(text, from + whole.end(), &closing).unwrap_or(text.len());
        found.push(Block { span: start..end, kind: BlockKind::Recalled });
        from = end;
    }
    found
}

fn closing_end(text: &str, from: usize, closing: &str) -> Option<usize> {
    let rest = text.get(from..)?.to_ascii_lowercase();
    let at = rest.find(closing)?;
    let end = rest.get(at..)?.find('>').map_or(rest.len(), |end| at + end + 1);
    Some(from + end)
}

/// Fences of three backticks or tildes; an open one takes the rest.
fn fenced(text: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<(usize, &str, &str)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        let trimmed = line.trim();
        let Some(fence) = ["```", "~~~"].into_iter().find(|fence| trimmed.starts_with(fence)) else { continue };
        match open {
            None if trimmed.len() > 6 && trimmed.ends_with(fence) => {
                found.push(Block { span: start..end, kind: BlockKind::Code });
            }
            None => open = Some((start, fence, trimmed.trim_start_matches(['`', '~']))),
            Some((from, opened, language)) if opened == fence => {
                found.push(Block { span: from..end, kind: fence_kind(text, from..end, language) });
                open = None;
            }
            Some(_) => {}
        }
    }
    if let Some((from, _, language)) = open {
        found.push(Block { span: from..text.len(), kind: fence_kind(text, from..text.len(), language) });
    }
    found
}

fn fence_kind(text: &str, span: Range<usize>, language: &str) -> BlockKind {
    const RECORDS: [&str; 6] = ["log", "logs", "text", "txt", "console", "output"];
    let inner = text.get(span).unwrap_or_default();
    if RECORDS.contains(&language.to_ascii_lowercase().trim()) || lines::looks_like_log(inner) {
        BlockKind::Log
    } else {
        BlockKind::Code
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parts(content: &str) -> Vec<(BlockKind, &str)> {
        find(content).into_iter().filter_map(|block| Some((block.kind, content.get(block.span)?.trim()))).collect()
    }

    #[test]
    fn memories_handed_in_are_found_with_any_attributes_and_without_their_end() {
        assert_eq!(
            parts("<recalled>\nUser paints\n</recalled>\nhi"),
            [(BlockKind::Recalled, "<recalled>\nUser paints\n</recalled>")]
        );
        assert_eq!(parts("<Recalled_Memories n=\"2\">x</recalled_memories> hi").len(), 1);
        assert_eq!(parts("so <recalled>User paints"), [(BlockKind::Recalled, "<recalled>User paints")]);
        assert_eq!(parts("a <b>bold</b> claim"), []);
    }

    #[test]
    fn pasted_programs_and_logs_are_found_without_fences() {
        let table = [
            ("see:\nfn main() {\n    run();\n}\nthat fails", BlockKind::Code),
            (
                "why?\nTraceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    run()\nValueError: bad",
                BlockKind::Log,
            ),
            ("2025-01-02 10:11:12,123 INFO db - connected to pool", BlockKind::Log),
            ("SELECT name FROM boats WHERE length > 9;", BlockKind::Code),
            (
                "Exception in thread \"main\" java.lang.IllegalStateException: no\n\tat org.boats.Dock.open(Dock.java:12)",
                BlockKind::Log,
            ),
            ("```\nlevel=info ts=1 msg=ok\n```", BlockKind::Log),
            ("const boat = { berth: 'A4' };", BlockKind::Code),
            ("{\"name\": \"Vera\", \"city\": \"Lund\"}", BlockKind::Code),
        ];
        for (content, kind) in table {
            let found = parts(content);
            assert_eq!(found.iter().map(|(kind, _)| *kind).collect::<Vec<_>>(), [kind], "{content}\n{found:?}");
        }
    }

    #[test]
    fn prose_is_no_block() {
        for content in [
            "I bought rope (12 m); the rest comes later.",
            "import taxes are high here",
            "from Leeds to York it takes an hour",
            "if you want: I can bring cake",
            "- milk\n- eggs\n- two lemons",
            "name: Vera\ncity: Lund",
            "my `dock` helper still works",
            "crate 1: 3 plates, blue rim, asking 2 each\ncrate 2: 9 jars, no lids, asking 7 each",
            "at noon (or so) we leave",
            "Note: the gate is locked at 22:00",
            "the dogs' bowls and the cats' bowls",
            "I read \"The Salt Road to Uz\" twice",
            "he is a so-called \"friend\" of mine",
        ] {
            assert_eq!(parts(content), [], "{content}");
        }
    }

    #[test]
    fn words_of_others_are_quotations() {
        let table = [
            ("grandpa always says \"I never sold the orchard\".", "\"I never sold the orchard\""),
            ("he wrote: \u{201c}We are closing on Friday.\u{201d} sad", "\u{201c}We are closing on Friday.\u{201d}"),
            ("sie sagte \u{201e}ich komme morgen nicht\u{201c}", "\u{201e}ich komme morgen nicht\u{201c}"),
            (
                "from the letter:\n> I am moving out in May.\n> Regards\nwhat now?",
                "> I am moving out in May.\n> Regards",
            ),
            ("she said 'I don't like boats' again", "'I don't like boats'"),
        ];
        for (content, quoted) in table {
            assert_eq!(parts(content), [(BlockKind::Quotation, quoted)], "{content}");
        }
    }

    proptest! {
        #[test]
        fn blocks_are_ordered_disjoint_and_on_borders_of_characters(
            content in "(\\PC|\n|```|>|\"|\u{201c}|\u{201d}|<recalled>|</recalled>|let x = 1;|ERROR x){0,60}"
        ) {
            let mut end = 0;
            for block in find(&content) {
                prop_assert!(block.span.start >= end && block.span.start < block.span.end);
                prop_assert!(content.get(block.span.clone()).is_some());
                end = block.span.end;
            }
        }
    }
}
