//! Text handed over to be worked on or to be played: behind "translate:", "fix the grammar of:", "a story in which" nothing is told of
//! the speaker. And messages of others that are passed on without quotation marks: "my landlord texted me: …".

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::{Block, BlockKind};

/// What may stand before the verb of an order.
const POLITE: &str = r"^(?:(?:please|pls|plz|hey|hi|hello|ok|okay|so|now|and|then|also|can|could|would|will|you|u|kindly|just|quickly|help|me|us|to|i|need|want|like|i'd|let's|quick|maybe|first|next)[ ,]+)*";

/// Verbs that are done to a text and to hardly anything else.
const WORKED: &str = "translate|transcribe|rephrase|paraphrase|reword|rewrite|proofread|spell-?check|summari[sz]e|sum up|shorten|condense|simplify|polish|tl;?dr";

/// Verbs that are done to a text among other things.
const TREATED: &str = "correct|edit|fix|improve|check|review|rate|grade|critique|expand|continue|complete|finish|convert|turn|analy[sz]e|explain|reply to|respond to";

/// What such a verb is done to.
const TEXTS: &str = "text|e-?mail|mail|message|letter|essay|paragraph|sentences?|draft|article|post|tweet|caption|lyrics|poem|song|story|scene|script|dialogue|chapter|bio|cv|resume|transcript|excerpt|passage|quote|report|abstract|speech|grammar|spelling|punctuation|wording|phrasing|tone|english|german|french|spanish|italian|joke|verse|lines?|following|below|them|it|this|that|these";

/// A kind of made-up text.
const FICTION: &str = "story|tale|novel|poem|song|scene|screenplay|script|play|fanfic|dialogue|monologue|scenario|sketch|limerick|ballad|rap|diary|letter";

struct Patterns {
    /// The words before a colon order something to be done to what is behind it.
    ordered: Regex,
    /// The words before a colon tell that somebody else says what is behind it: from a message up to its end, aloud up to the sentence's.
    messaged: Regex,
    said: Regex,
    /// A last line that orders something to be done to what stands before it.
    afterwards: Regex,
    /// A line that does not belong to the text before it any more.
    aside: Regex,
    /// What is made up, up to the end of its sentence, begins behind the match.
    supposed: Regex,
    /// From here on a part is played.
    played: Regex,
}

static PATTERNS: LazyLock<Option<Patterns>> = LazyLock::new(|| {
    let me = r"(?: (?:me|us|back|to me|to us|this|the following))*$";
    let polite = POLITE;
    Some(Patterns {
        ordered: Regex::new(&format!(
            r"{polite}(?:{WORKED})\b|{polite}(?:{TREATED})\b.*\b(?:{TEXTS})\b|[,;] ?(?:and |please )?(?:(?:{WORKED})\b|make (?:it|this|them|these) )|^what(?:'s| is| does| do| would)\b.*\b(?:mean|translation)\b|^what(?:'s| is) (?:the )?\w+(?: (?:word|phrase|translation))? for$|^how (?:do|would|can|should) (?:i|you|we) (?:say|put|phrase|write|translate)\b|{polite}(?:write|draft|compose|send|create|generate)\b.*\b(?:saying|that says|which says|that reads|reading|as follows|based on (?:this|these|the following)|from (?:this|these|the following))$"
        ))
        .ok()?,
        messaged: Regex::new(&format!(
            r"\b(?:texted|e-?mailed|messaged|wrote|writes|replied|posted|commented|whatsapped){me}|\b(?:e-?mail|mail|letter|message|text|post|review)s? from [^:,]{{1,40}}$|^(?:(?:and|so|then|ok|here's|here is|this is|from|i got|i received|just got|got) )*(?:this|the|that|his|her|their) (?:e-?mail|mail|letter|message|text|review|ad|listing)(?: (?:says|said|reads|goes))?$"
        ))
        .ok()?,
        said: Regex::new(&format!(r"\b(?:said|says|answered|goes){me}")).ok()?,
        afterwards: Regex::new(&format!(
            r"{polite}(?:(?:{WORKED})\b.*\b(?:{TEXTS}|above)\b|(?:{TREATED})\b.*\b(?:grammar|spelling|punctuation|wording|phrasing|tone|english)\b|make (?:it|this|that|the text) (?:sound|more|less|shorter|longer|better|formal|polite|rhyme|professional)\b)"
        ))
        .ok()?,
        aside: Regex::new(r"^(?:by the way|btw|anyway|p\.?s\b|thanks|thank you|thx|for context|context|fyi|note that|also,)")
            .ok()?,
        supposed: Regex::new(&format!(
            r"(?i)(?-u:\b)(?:write|tell|give|make up|invent|compose|generate|draft|create|continue|do)(?-u:\b)[^.!?\n:]{{0,60}}(?-u:\b)(?:{FICTION})(?-u:\b)[^.!?\n:]{{0,40}}?(?-u:\b)(?:in which|with me as|about me being|from the (?:perspective|point of view|pov) of|as if|where (?:i|you|we|he|she|they)(?:'m|'re)?) |(?:^|[.!?,;\n] *|(?-u:\b)(?:please|you|u|now|let's|lets|so|and|we|us to|me to|you to) )pretend(?:ing)? |(?-u:\b)imagine (?:that )?you(?:'re| are| were) |(?-u:\b)(?:act|talk|behave|respond|answer) (?:as if|as though|like) (?:i|you)(?-u:\b)|(?:^|[.!?\n] *)hypothetically(?-u:\b)|(?:^|[.!?\n] *)(?:ok(?:ay)?,? |now,? |so,? )?(?:you are|you're|you play|you'll be) (?:now )?(?:an?|the) [^.!?\n]{{1,40}}?(?:,|;| and)(?: and)? (?:i am|i'm|i play|i'll be) (?:an?|the) "
        ))
        .ok()?,
        played: Regex::new(
            r"(?im)(?-u:\b)(?:let's|lets|can we|could we|can you|we can|start|begin|do|doing|try|continue|up for|want to|wanna|for this|in this)(?: (?:start|play|have|try|do|with|an?|the|some|this|our|little|short|quick|a bit of))* role[- ]?play(?:ing)?(?-u:\b)|^ *(?:scenario|role[- ]?play|rp|scene|premise) *:",
        )
        .ok()?,
    })
});

/// Longer openings are no order.
const LONGEST_HEAD: usize = 160;

/// Texts that are worked on, played or passed on, in order.
pub(super) fn find(text: &str) -> Vec<Block> {
    let Some(patterns) = PATTERNS.as_ref() else { return Vec::new() };
    let mut found: Vec<Block> = Vec::new();
    let mut add = |span: Option<Range<usize>>, kind: BlockKind| {
        let span = span.filter(|span| text.get(span.clone()).is_some_and(|inner| inner.contains(char::is_alphabetic)));
        found.extend(span.map(|span| Block { span, kind }));
    };
    add(worked_on_before(patterns, text), BlockKind::Material);
    if let Some(played) = patterns.played.find(text) {
        add(Some(played.end()..text.len()), BlockKind::Material);
    }
    for supposed in patterns.supposed.find_iter(text) {
        add(Some(supposed.end()..sentence_end(text, supposed.end())), BlockKind::Material);
    }
    for colon in text.match_indices(':').map(|(at, _)| at).take(MOST_COLONS) {
        let Some((head, rest)) = around(text, colon) else { continue };
        if patterns.ordered.is_match(&head) && !head.ends_with(" out") {
            add(Some(colon + 1..end(patterns, text, rest)), BlockKind::Material);
        } else if patterns.messaged.is_match(&head) && !is_own(&head) {
            add(Some(colon + 1..passed_on_end(patterns, text, rest)), BlockKind::Quotation);
        } else if patterns.said.is_match(&head) && !is_own(&head) {
            add(Some(colon + 1..sentence_end(text, rest)), BlockKind::Quotation);
        }
    }
    merged(found)
}

/// Colons looked at in one turn.
const MOST_COLONS: usize = 64;

/// The folded words before a colon, from where their sentence begins, and where the text behind it begins. A colon inside a word
/// is none, and what stands in quotation marks is found by them.
fn around(text: &str, colon: usize) -> Option<(String, usize)> {
    let rest = text.get(colon + 1..)?;
    let first = rest.find(|c: char| !c.is_whitespace())?;
    let quoted = rest.get(first..)?.starts_with(['"', '\'', '\u{201c}', '\u{2018}', '\u{201e}', '\u{ab}', '`', '>']);
    if quoted || first == 0 {
        return None;
    }
    let before = text.get(..colon)?;
    let from = before.rfind(['.', '!', '?', '\n', ':']).map_or(0, |at| at + 1);
    let head = before.get(from..).filter(|head| head.len() <= LONGEST_HEAD)?;
    Some((crate::text::fold(head.trim()), colon + 1 + first))
}

/// "I wrote:", "we said:": the speaker's own words.
fn is_own(head: &str) -> bool {
    const WHO: &[&str] = &["i", "we", "i've", "we've", "i'd", "i'll", "my"];
    const BETWEEN: &[&str] = &["just", "also", "then", "always", "already", "have", "had", "actually", "only"];
    let telling = |word: &str| {
        matches!(word, "texted" | "wrote" | "write" | "said" | "say" | "replied" | "posted" | "commented" | "answered")
            || word.ends_with("mailed")
            || word == "messaged"
    };
    let words: Vec<&str> = head.split(' ').filter(|word| !BETWEEN.contains(word)).collect();
    words.windows(2).any(|pair| matches!(pair, [who, verb] if WHO.contains(who) && telling(verb)))
}

/// Up to a line that is an aside, or a last one behind an empty line that asks.
fn end(patterns: &Patterns, text: &str, from: usize) -> usize {
    let mut at = line_end(text, from);
    for line in text.get(at..).unwrap_or_default().split_inclusive('\n') {
        if patterns.aside.is_match(&crate::text::fold(line.trim())) {
            return at;
        }
        at += line.len();
    }
    without_question(text, from)
}

/// A message in the line of the colon ends with the line; one that begins below goes on as [`end`] tells.
fn passed_on_end(patterns: &Patterns, text: &str, from: usize) -> usize {
    let below = text.get(..from).is_some_and(|before| before.trim_end_matches([' ', '\t']).ends_with('\n'));
    if below { end(patterns, text, from) } else { line_end(text, from) }
}

/// Without a last paragraph that asks the assistant something.
fn without_question(text: &str, from: usize) -> usize {
    let last = text.get(from..).and_then(|rest| rest.trim_end().rfind("\n\n")).map(|at| from + at);
    last.filter(|at| text.get(*at..).is_some_and(|paragraph| paragraph.trim_end().ends_with('?'))).unwrap_or(text.len())
}

fn line_end(text: &str, from: usize) -> usize {
    text.get(from..).and_then(|rest| rest.find('\n')).map_or(text.len(), |at| from + at)
}

fn sentence_end(text: &str, from: usize) -> usize {
    let end = text.get(from..).and_then(|rest| rest.find(['.', '!', '?', '\n']));
    end.map_or(text.len(), |at| from + at)
}

/// "Dear all, I am moving … \n\nmake this sound more formal": all that stands before a last line which orders so.
fn worked_on_before(patterns: &Patterns, text: &str) -> Option<Range<usize>> {
    const FEWEST: usize = 5;
    let text = text.trim_end();
    let line = text.rfind('\n')?;
    let last = text.get(line + 1..).filter(|last| last.len() <= LONGEST_HEAD && !last.contains(':'))?;
    let before = text.get(..line)?;
    (patterns.afterwards.is_match(&crate::text::fold(last)) && before.split_whitespace().count() >= FEWEST)
        .then_some(0..line)
}

/// In order and apart: what begins inside another belongs to it.
fn merged(mut found: Vec<Block>) -> Vec<Block> {
    found.sort_by_key(|block| block.span.start);
    let mut apart: Vec<Block> = Vec::with_capacity(found.len());
    for block in found {
        match apart.last_mut() {
            Some(last) if block.span.start < last.span.end => {
                if last.kind == block.kind {
                    last.span.end = last.span.end.max(block.span.end);
                }
            }
            Some(_) | None => apart.push(block),
        }
    }
    apart
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(content: &str) -> Vec<(BlockKind, &str)> {
        find(content).into_iter().filter_map(|block| Some((block.kind, content.get(block.span)?.trim()))).collect()
    }

    #[test]
    fn text_to_be_worked_on_is_set_apart() {
        let table = [
            ("translate into Danish: I am a nurse from Lugo", "I am a nurse from Lugo"),
            ("Could you fix the spelling of this: I hav a tortoise", "I hav a tortoise"),
            ("what does this mean: ik heb een hond", "ik heb een hond"),
            ("how do you say in Czech: I have two sons", "I have two sons"),
            ("here is my song, make it rhyme:\nI lost my hat\nI fed the cat", "I lost my hat\nI fed the cat"),
            ("write a letter saying: I have worked as a diver", "I have worked as a diver"),
            ("summarise this mail:\nI am leaving in May.\nIda\nby the way, I moved", "I am leaving in May.\nIda"),
            (
                "Dear Ms Lund, I have been ill since May.\n\nmake this sound more formal please",
                "Dear Ms Lund, I have been ill since May.",
            ),
            ("write a story in which I am a diver. I live in Lund.", "I am a diver"),
            ("please pretend I'm a judge and answer", "I'm a judge and answer"),
            ("let's do a little role play. I am a smith and you are a knight.", ". I am a smith and you are a knight."),
            ("scenario: I am stuck on an island", "I am stuck on an island"),
            ("you are the judge and I'm a thief from Oban, go", "thief from Oban, go"),
            ("what's the Welsh word for: I have a boat", "I have a boat"),
        ];
        for (content, inside) in table {
            assert_eq!(parts(content), [(BlockKind::Material, inside)], "{content}");
        }
    }

    #[test]
    fn messages_of_others_are_passed_on_without_marks() {
        let table = [
            ("my tenant texted me: I have a leak, come over\nI went there", "I have a leak, come over"),
            ("got this letter from the bank: we close your account", "we close your account"),
            ("and then she said: I am done. We still talk.", "I am done"),
        ];
        for (content, inside) in table {
            assert_eq!(parts(content), [(BlockKind::Quotation, inside)], "{content}");
        }
    }

    #[test]
    fn what_the_speaker_tells_is_no_material() {
        for content in [
            "Correct: I live in Lund",
            "quick update: I moved to Lund",
            "one more note: I am allergic to latex",
            "I wrote to them: I am ill",
            "why I started this message: from May on I work mornings",
            "My story: I grew up on a farm",
            "we said: no dogs",
            "fix my bike tomorrow, I live in Lund",
            "I pretend to be fine at work",
            "I play role-playing games on Fridays",
            "write a poem about my niece Lotte, she turns six",
            "things I own: a kayak, a tent",
            "at 10:30 I see the vet",
            "check this out: I got the job",
            "please answer me like this: short and without lists",
            "translate: \"bonjour\"",
        ] {
            assert_eq!(parts(content), [], "{content}");
        }
    }
}
