//! Reads JSON the way models write it: trailing commas, comments, single quotes, bare keys, Python's and JavaScript's literals,
//! raw line breaks and lone surrogates in strings. Strict readers would throw a whole reply away for one comma.

use std::iter::Peekable;
use std::str::CharIndices;

use serde_json::{Map, Number, Value};

/// Deeper nesting is no reply.
const DEPTH: usize = 32;

/// Why no value was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// The text ends inside the value.
    Cut,
    /// It is no value.
    Syntax,
}

/// Reads the value at the start of a text; says how many bytes it took.
pub(super) fn read(text: &str) -> Result<(Value, usize), Fault> {
    let mut reader = Reader { chars: text.char_indices().peekable(), length: text.len() };
    let value = reader.value(0)?;
    let end = reader.chars.peek().map_or(reader.length, |(at, _)| *at);
    Ok((value, end))
}

struct Reader<'a> {
    chars: Peekable<CharIndices<'a>>,
    length: usize,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Result<Value, Fault> {
        if depth > DEPTH {
            return Err(Fault::Syntax);
        }
        match self.next_visible()? {
            '{' => self.object(depth),
            '[' => self.array(depth),
            quote @ ('"' | '\'' | '\u{201c}') => self.string(quote).map(Value::String),
            first if first.is_alphanumeric() || matches!(first, '-' | '+' | '.') => Ok(self.literal()),
            _ => Err(Fault::Syntax),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, Fault> {
        self.chars.next();
        let mut map = Map::new();
        loop {
            let key = match self.next_visible()? {
                '}' => {
                    self.chars.next();
                    return Ok(Value::Object(map));
                }
                ',' => {
                    self.chars.next();
                    continue;
                }
                quote @ ('"' | '\'' | '\u{201c}') => self.string(quote)?,
                first if first.is_alphabetic() || first == '_' => self.word(),
                _ => return Err(Fault::Syntax),
            };
            if self.next_visible()? != ':' {
                return Err(Fault::Syntax);
            }
            self.chars.next();
            let value = self.value(depth + 1)?;
            map.insert(key, value);
            self.separator('}')?;
        }
    }

    fn array(&mut self, depth: usize) -> Result<Value, Fault> {
        self.chars.next();
        let mut items = Vec::new();
        loop {
            match self.next_visible()? {
                ']' => {
                    self.chars.next();
                    return Ok(Value::Array(items));
                }
                ',' => {
                    self.chars.next();
                }
                _ => {
                    items.push(self.value(depth + 1)?);
                    self.separator(']')?;
                }
            }
        }
    }

    /// After a value comes a comma or the end; a comma that was left out between two lines is forgiven.
    fn separator(&mut self, end: char) -> Result<(), Fault> {
        match self.next_visible()? {
            ',' => {
                self.chars.next();
                Ok(())
            }
            next if next == end || matches!(next, '{' | '"') => Ok(()),
            _ => Err(Fault::Syntax),
        }
    }

    /// The next character that is neither white space nor part of a comment; it stays in place.
    fn next_visible(&mut self) -> Result<char, Fault> {
        loop {
            let (_, next) = *self.chars.peek().ok_or(Fault::Cut)?;
            if next == '/' {
                self.chars.next();
                self.comment()?;
            } else if next.is_whitespace() || next == '\u{feff}' {
                self.chars.next();
            } else {
                return Ok(next);
            }
        }
    }

    fn comment(&mut self) -> Result<(), Fault> {
        match self.chars.next().ok_or(Fault::Cut)?.1 {
            '/' => {
                while self.chars.next_if(|(_, c)| *c != '\n').is_some() {}
                Ok(())
            }
            '*' => {
                let mut star = false;
                for (_, next) in self.chars.by_ref() {
                    if star && next == '/' {
                        return Ok(());
                    }
                    star = next == '*';
                }
                Err(Fault::Cut)
            }
            _ => Err(Fault::Syntax),
        }
    }

    fn word(&mut self) -> String {
        let mut word = String::new();
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | '.' | '%');
        while let Some((_, next)) = self.chars.next_if(|(_, c)| inside(*c)) {
            word.push(next);
        }
        word
    }

    /// A number, or a word of JSON, Python or JavaScript; a word that is none of them stays a string.
    fn literal(&mut self) -> Value {
        let word = self.word();
        match word.as_str() {
            "true" | "True" => Value::Bool(true),
            "false" | "False" => Value::Bool(false),
            "null" | "None" | "undefined" => Value::Null,
            _ => number(&word).map_or(Value::String(word), Value::Number),
        }
    }

    fn string(&mut self, quote: char) -> Result<String, Fault> {
        self.chars.next();
        let end = if quote == '\u{201c}' { '\u{201d}' } else { quote };
        let mut text = String::new();
        loop {
            match self.chars.next().ok_or(Fault::Cut)?.1 {
                c if c == end => return Ok(text),
                '\\' => self.escape(&mut text)?,
                c => text.push(storable(c)),
            }
        }
    }

    fn escape(&mut self, text: &mut String) -> Result<(), Fault> {
        let escaped = self.chars.next().ok_or(Fault::Cut)?.1;
        match escaped {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'b' | 'f' => text.push(' '),
            'u' => text.push(self.unicode()?),
            other => text.push(other),
        }
        Ok(())
    }

    /// A `\u` escape; half of a pair alone stands for nothing and becomes the replacement character.
    fn unicode(&mut self) -> Result<char, Fault> {
        let first = self.hex()?;
        if !(0xd800..0xdc00).contains(&first) {
            return Ok(char::from_u32(first).map_or(char::REPLACEMENT_CHARACTER, storable));
        }
        let before = self.chars.clone();
        let paired = self.chars.next().map(|(_, c)| c) == Some('\\') && self.chars.next().map(|(_, c)| c) == Some('u');
        let second = if paired { self.hex().unwrap_or_default() } else { 0 };
        if (0xdc00..0xe000).contains(&second) {
            let joined = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
            return Ok(char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        self.chars = before;
        Ok(char::REPLACEMENT_CHARACTER)
    }

    fn hex(&mut self) -> Result<u32, Fault> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.chars.next().ok_or(Fault::Cut)?.1.to_digit(16).ok_or(Fault::Syntax)?;
            code = code * 16 + digit;
        }
        Ok(code)
    }
}

/// Control characters cannot be stored by every database and mean nothing in a claim.
fn storable(c: char) -> char {
    if c.is_control() && !matches!(c, '\n' | '\t' | '\r') { char::REPLACEMENT_CHARACTER } else { c }
}

fn number(word: &str) -> Option<Number> {
    if !word.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    word.parse::<i64>().map(Number::from).ok().or_else(|| Number::from_f64(word.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_models_write_is_read() {
        let table = [
            (r#"{"a": 1, "b": [true, null]}"#, json!({"a": 1, "b": [true, null]})),
            (r#"{"a": 1,}"#, json!({"a": 1})),
            ("[1, 2,\n]", json!([1, 2])),
            ("{'a': 'it is', b: None}", json!({"a": "it is", "b": null})),
            ("{\"a\": \"two\nlines\"}", json!({"a": "two\nlines"})),
            ("{\"a\": 1 // one\n, /* two */ \"b\": True}", json!({"a": 1, "b": true})),
            (r#"{"c": NaN, "d": -0.5e1, "e": .5, "f": 90%}"#, json!({"c": "NaN", "d": -5.0, "e": 0.5, "f": "90%"})),
            ("{\"a\": 1\n \"b\": 2}", json!({"a": 1, "b": 2})),
            (
                r#"["\ud83d\ude00", "\ud83d", "\ude00x", "\u0000"]"#,
                json!(["\u{1f600}", "\u{fffd}", "\u{fffd}x", "\u{fffd}"]),
            ),
            (r#"["\ud83d\u0041"]"#, json!(["\u{fffd}A"])),
        ];
        for (text, expected) in table {
            assert_eq!(read(text), Ok((expected, text.len())), "{text}");
        }
    }

    #[test]
    fn a_text_that_ends_inside_is_told_apart_from_one_that_is_no_json() {
        for cut in [r#"{"a": [1, {"b": "c"#, "[", r#"{"a": "\ud8"#, "{\"a\": 1, /* no end", "{\"a\""] {
            assert_eq!(read(cut), Err(Fault::Cut), "{cut}");
        }
        for wrong in ["{ as you see }", "{)", "[;]", &"[".repeat(100)] {
            assert_eq!(read(wrong), Err(Fault::Syntax), "{wrong}");
        }
    }

    #[test]
    fn only_the_value_is_taken_and_the_rest_is_left() {
        assert_eq!(read("{} and so on"), Ok((json!({}), 2)));
    }
}
