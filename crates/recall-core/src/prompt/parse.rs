//! Reads a reply: finds the JSON in it, mends what can be mended, and checks every item. Nothing is dropped without a word.

use serde_json::Value;

use super::Malformed;
use super::item;
use super::json::{self, Fault};
use crate::candidate::Candidate;

/// The longest reply that is read, in bytes.
pub const MAX_REPLY_BYTES: usize = 1024 * 1024;
/// The most candidates of a reply; what comes after is one [`Malformed`].
pub const MAX_CANDIDATES: usize = 200;
/// The longest content of a candidate, in characters.
pub const MAX_CONTENT_CHARS: usize = 2_000;
/// The longest value, in characters.
pub const MAX_VALUE_CHARS: usize = 1_000;
/// The longest quote, in characters.
pub const MAX_QUOTE_CHARS: usize = 8_000;
/// The most turns a candidate may cite.
pub const MAX_EVIDENCE: usize = 20;

/// Places where a value may begin that are tried before the reply is given up; prose with that many brackets is no reply.
const STARTS: usize = 64;

/// Why a reply as a whole cannot be used. A repair may ask for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Unusable {
    /// Nothing but white space.
    #[error("reply is empty")]
    Empty,
    /// Too long to be looked at.
    #[error("reply is longer than {MAX_REPLY_BYTES} bytes")]
    TooLong,
    /// It ends in the middle of its JSON.
    #[error("reply is cut off inside its JSON")]
    Cut,
    /// No JSON in it.
    #[error("reply holds no JSON")]
    NoJson,
    /// JSON, but no list of candidates.
    #[error("reply holds no list of candidates")]
    NoCandidates,
}

/// Reads the candidates of a reply, in its order.
///
/// # Errors
/// [`Unusable`] where the reply as a whole is none; a single item that cannot be mended is [`Malformed`].
pub fn parse(reply: &str) -> Result<Vec<Result<Candidate, Malformed>>, Unusable> {
    if reply.len() > MAX_REPLY_BYTES {
        return Err(Unusable::TooLong);
    }
    let text = after_thinking(reply);
    if text.trim().is_empty() {
        return Err(Unusable::Empty);
    }
    let found = values(text);
    let items = choose(&found)?;
    Ok(judge(items))
}

fn judge(items: Vec<&Value>) -> Vec<Result<Candidate, Malformed>> {
    let beyond = items.len().saturating_sub(MAX_CANDIDATES);
    let judged = items.into_iter().take(MAX_CANDIDATES).enumerate();
    let mut judged: Vec<Result<Candidate, Malformed>> =
        judged.map(|(index, value)| item::candidate(value).map_err(|why| Malformed { index, why })).collect();
    if beyond > 0 {
        judged
            .push(Err(Malformed { index: MAX_CANDIDATES, why: format!("{beyond} items more than {MAX_CANDIDATES}") }));
    }
    judged
}

/// What a reasoning model thought aloud is no answer, even where it holds a draft of one. A reply that begins with its JSON holds
/// no thoughts; the tag then stands in somebody's words.
fn after_thinking(reply: &str) -> &str {
    if reply.trim_start().starts_with(['{', '[']) {
        return reply;
    }
    ["</think>", "</thinking>"].iter().find_map(|tag| reply.rsplit_once(tag)).map_or(reply, |(_, answer)| answer)
}

/// Every value that begins somewhere in a text, and whether the text ended inside one.
struct Found {
    values: Vec<Value>,
    cut: bool,
}

fn values(text: &str) -> Found {
    let mut found = Found { values: Vec::new(), cut: false };
    let mut at = 0;
    for _ in 0..STARTS {
        let Some(start) = text.get(at..).and_then(|rest| rest.find(['{', '['])).map(|offset| at + offset) else {
            break;
        };
        match json::read(text.get(start..).unwrap_or_default()) {
            Ok((value, length)) => {
                found.values.push(value);
                at = start + length;
            }
            Err(fault) => {
                found.cut |= fault == Fault::Cut;
                at = start + 1;
            }
        }
    }
    found
}

/// The first value in a reply that is an object with this key.
pub(super) fn object_with(reply: &str, key: &str) -> Option<Value> {
    let reply = reply.get(..MAX_REPLY_BYTES).unwrap_or(reply);
    values(after_thinking(reply)).values.into_iter().find(|value| value.get(key).is_some())
}

/// Keys under which models put the list.
const LIST_KEYS: [&str; 6] = ["candidates", "memory_candidates", "memories", "facts", "items", "results"];

/// The items of the reply: of lists under a known key, else of bare lists, else single items one after the other.
fn choose(found: &Found) -> Result<Vec<&Value>, Unusable> {
    let keyed: Vec<&Value> = found.values.iter().filter_map(keyed_list).collect();
    if !keyed.is_empty() {
        return Ok(keyed.into_iter().flat_map(items).collect());
    }
    if found.cut {
        // Complete items inside a cut reply are there by chance; the rest of it would be lost without a word.
        return Err(Unusable::Cut);
    }
    let bare: Vec<&Value> = found.values.iter().filter(|value| is_bare_list(value) || item::is_one(value)).collect();
    match (bare.is_empty(), found.values.is_empty()) {
        (false, _) => Ok(bare.into_iter().flat_map(items).collect()),
        (true, true) => Err(Unusable::NoJson),
        (true, false) => Err(Unusable::NoCandidates),
    }
}

fn keyed_list(value: &Value) -> Option<&Value> {
    let object = value.as_object()?;
    let inner = LIST_KEYS.iter().find_map(|key| object.get(*key))?;
    match inner {
        Value::Array(_) => Some(inner),
        Value::Object(_) if item::is_one(inner) => Some(inner),
        Value::Object(_) => keyed_list(inner),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

fn is_bare_list(value: &Value) -> bool {
    value.as_array().is_some_and(|items| items.iter().all(Value::is_object))
}

fn items(value: &Value) -> Vec<&Value> {
    value.as_array().map_or_else(|| vec![value], |items| items.iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::{MemoryType, Polarity};

    const ONE: &str = r#"{"content":"User skis","memory_type":"preference","subject":"user","attribute":"hobby","value":"skiing","polarity":"positive","evidence":[{"turn_id":"t1","quote":"I ski"}],"time_expression":null,"confidence":0.9}"#;

    fn contents(reply: &str) -> Vec<String> {
        let parsed = parse(reply).unwrap_or_else(|why| panic!("{why}: {reply}"));
        parsed.into_iter().map(|item| item.map_or_else(|bad| bad.why, |candidate| candidate.content)).collect()
    }

    #[test]
    fn the_list_is_found_wherever_a_model_puts_it() {
        let wrapped = [
            format!("{{\"candidates\":[{ONE}]}}"),
            format!(
                "Sure! Here is what I found {{as asked}}:\n\n```json\n{{\"candidates\":[{ONE},]}}\n```\nLet me know [if] more is needed."
            ),
            format!("[{ONE}]"),
            ONE.to_owned(),
            format!("{{\"candidates\":{ONE}}}"),
            format!("{{\"memory_candidates\":{{\"candidates\":[{ONE}]}}}}"),
            format!("<think>maybe {{\"candidates\":[]}} or not</think>\n{{\"candidates\":[{ONE}]}}"),
            format!("\u{feff}{{\"note\":1,\"candidates\":[{ONE}],\"extra\":{{\"deep\":[1]}}}}"),
        ];
        for reply in wrapped {
            assert_eq!(contents(&reply), ["User skis"], "{reply}");
        }
        let said = format!("{{\"candidates\":[{}]}}", ONE.replace("I ski", "I typed </think> and ski"));
        assert_eq!(contents(&said), ["User skis"]);
        let lines = format!("{ONE}\n{}", ONE.replace("skis", "rows"));
        assert_eq!(contents(&lines), ["User skis", "User rows"]);
    }

    #[test]
    fn an_empty_list_is_an_answer_and_nothing_else_empty_is() {
        for reply in [r#"{"candidates":[]}"#, "[]", "```\n{\"candidates\": [ ]}\n```"] {
            assert_eq!(parse(reply), Ok(vec![]), "{reply}");
        }
        let table = [
            ("", Unusable::Empty),
            (" \n", Unusable::Empty),
            ("<think>nothing here</think> ", Unusable::Empty),
            ("There is nothing to remember.", Unusable::NoJson),
            ("{}", Unusable::NoCandidates),
            (r#"{"candidates":null}"#, Unusable::NoCandidates),
            (r#"{"candidates":"none"}"#, Unusable::NoCandidates),
            (r#"{"type":"object","properties":{"candidates":{"type":"array"}}}"#, Unusable::NoCandidates),
            ("see [1] and [2]", Unusable::NoCandidates),
        ];
        for (reply, why) in table {
            assert_eq!(parse(reply), Err(why), "{reply}");
        }
        assert_eq!(parse(&"[".repeat(MAX_REPLY_BYTES + 1)), Err(Unusable::TooLong));
    }

    #[test]
    fn a_reply_cut_off_anywhere_is_never_taken_for_a_shorter_one() {
        let whole = format!("{{\"candidates\":[{ONE},{ONE}]}}");
        for (at, _) in whole.char_indices().skip(1) {
            let cut = whole.get(..at).unwrap();
            assert_eq!(parse(cut), Err(Unusable::Cut), "{cut}");
        }
    }

    #[test]
    fn fields_are_brought_to_their_types() {
        let reply = r#"{"candidates":[{"memory":"User owns 2 boats","type":"Attribute","subject":"user","value":2,
            "polarity":"POS","sources":["t4"],"quote":"two boats","when":"null","confidence":"85%","mood":"fine"}]}"#;
        let candidate = parse(reply).unwrap().remove(0).unwrap();
        assert_eq!(candidate.memory_type, MemoryType::Fact);
        assert_eq!((candidate.value.as_str(), candidate.attribute.as_str()), ("2", "statement"));
        assert_eq!((candidate.evidence[0].turn_id.as_str(), candidate.evidence[0].quote.as_str()), ("t4", "two boats"));
        assert_eq!((candidate.time_expression, candidate.polarity), (None, Polarity::Positive));
        assert_eq!(candidate.confidence, 0.85);
        let flat = r#"{"content":"User rows","subject":"user","source_turn_ids":["t1",2],"evidence_quote":"I row"}"#;
        let candidate = parse(flat).unwrap().remove(0).unwrap();
        let cited: Vec<(&str, &str)> =
            candidate.evidence.iter().map(|part| (part.turn_id.as_str(), part.quote.as_str())).collect();
        assert_eq!(cited, [("t1", "I row"), ("2", "I row")]);
    }

    #[test]
    fn confidence_is_read_from_every_scale() {
        let table = [
            ("0.4", 0.4),
            ("\"0.4\"", 0.4),
            ("\"0,4\"", 0.4),
            ("1.7", 1.0),
            ("8", 0.8),
            ("95", 0.95),
            ("1e9", 1.0),
            ("-3", 0.0),
            ("NaN", 0.5),
            ("\"NaN\"", 0.5),
            ("Infinity", 0.5),
            ("null", 0.5),
            ("\"high\"", 0.9),
            ("[1]", 0.5),
        ];
        for (written, read) in table {
            let reply = ONE.replace("0.9", written);
            assert_eq!(parse(&reply).unwrap().remove(0).unwrap().confidence, read, "{written}");
        }
    }

    #[test]
    fn an_item_that_cannot_be_mended_is_named_and_the_others_stay() {
        let long = "x".repeat(MAX_CONTENT_CHARS + 1);
        let quote = "q".repeat(MAX_QUOTE_CHARS + 1);
        let cites: Vec<String> = (0..=MAX_EVIDENCE).map(|n| format!("\"t{n}\"")).collect();
        let table = [
            ("7".to_owned(), "item is not an object"),
            ("{}".to_owned(), "content is missing"),
            (ONE.replace("User skis", " "), "content is empty"),
            (ONE.replace("\"User skis\"", "[]"), "content is not a text"),
            (ONE.replace("User skis", &long), "content has 2001 characters, the most is 2000"),
            (ONE.replace("skiing", &long), "value has 2001 characters, the most is 1000"),
            (ONE.replace("I ski", &quote), "quote has 8001 characters, the most is 8000"),
            (ONE.replace("\"preference\"", "\"riddle\""), "memory_type is not of the schema"),
            (ONE.replace("\"positive\"", "\"purple\""), "polarity is not of the schema"),
            (ONE.replace("\"user\"", "null"), "subject is missing"),
            (ONE.replace("\"turn_id\":\"t1\",", ""), "evidence names no turn"),
            (
                ONE.replace(r#"[{"turn_id":"t1","quote":"I ski"}]"#, &format!("[{}]", cites.join(","))),
                "evidence cites 21 turns, the most is 20",
            ),
        ];
        for (item, why) in table {
            let parsed = parse(&format!("{{\"candidates\":[{item},{ONE}]}}")).unwrap();
            assert_eq!(parsed[0], Err(Malformed { index: 0, why: why.into() }));
            assert!(parsed[1].is_ok(), "{why}");
        }
    }

    #[test]
    fn items_beyond_the_limit_are_counted_not_lost() {
        let reply = format!("{{\"candidates\":[{}]}}", vec![ONE; MAX_CANDIDATES + 3].join(","));
        let parsed = parse(&reply).unwrap();
        assert_eq!(parsed.len(), MAX_CANDIDATES + 1);
        assert_eq!(parsed[MAX_CANDIDATES], Err(Malformed { index: 200, why: "3 items more than 200".into() }));
    }

    #[test]
    fn missing_evidence_is_left_for_grounding_to_judge() {
        let reply = ONE.replace(r#""evidence":[{"turn_id":"t1","quote":"I ski"}],"#, "");
        assert_eq!(parse(&reply).unwrap().remove(0).unwrap().evidence, []);
    }

    /// A small generator of numbers: the same on every machine, so that a failure can be seen again.
    fn numbers(seed: u64) -> impl FnMut(usize) -> usize {
        let mut state = seed;
        move |below| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below.max(1)
        }
    }

    #[test]
    fn no_text_makes_the_reader_fail_and_what_it_reads_keeps_the_limits() {
        let odd = [
            "{",
            "}",
            "[",
            "]",
            "\"",
            "\\",
            ",",
            ":",
            "\\u",
            "\\ud83d",
            "NaN",
            "1e999",
            "null",
            "'",
            "/*",
            "//",
            "\u{0}",
            "\u{1f9c0}",
            "\u{202e}",
            "<think>",
            "```",
            "-",
        ];
        let whole = format!("Sure: ```json\n{{\"candidates\":[{ONE},{ONE}]}}\n```");
        let mut read = 0;
        for seed in 0..3_000 {
            let mut number = numbers(seed);
            let mut characters: Vec<String> = whole.chars().map(String::from).collect();
            for _ in 0..=number(6) {
                let at = number(characters.len() - 1);
                match number(3) {
                    0 if characters.len() > 2 => drop(characters.remove(at)),
                    0 | 1 => characters.insert(at, odd[number(odd.len())].to_owned()),
                    _ => characters.truncate(at.max(2)),
                }
            }
            for candidate in parse(&characters.concat()).into_iter().flatten().flatten() {
                read += 1;
                assert!((0.0..=1.0).contains(&candidate.confidence));
                assert!(!candidate.content.trim().is_empty() && !candidate.subject.is_empty());
                assert!(!candidate.content.contains('\0'));
            }
        }
        assert!(read > 500, "{read}: most replies are still read");
    }
}
