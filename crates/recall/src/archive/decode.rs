//! From bytes to text: UTF-8 line by line, UTF-16 by its mark, one kind of line end.

use super::BadLine;

/// A file with a NUL among so many first bytes is no text.
const LOOKED_AT: usize = 8192;

/// The text of a file, with one kind of line end. UTF-8 line by line, so that a line that is none is named and the others are
/// kept; UTF-16 where the file begins with its mark.
pub(super) fn decode(bytes: &[u8], file: &str, bad: &mut Vec<BadLine>) -> String {
    let mut say = |line, reason: &str| bad.push(BadLine { file: file.to_owned(), line, reason: reason.to_owned() });
    if let Some(text) = wide(bytes) {
        return text.map(|text| one_line_end(&text)).unwrap_or_else(|| {
            say(1, "broken UTF-16");
            "\n".to_owned()
        });
    }
    if bytes.iter().take(LOOKED_AT).any(|byte| *byte == 0) {
        say(1, "not a text file");
        return "\n".to_owned();
    }
    let mut text = String::with_capacity(bytes.len());
    for (place, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        match std::str::from_utf8(line) {
            Ok(line) => text.push_str(line),
            Err(_) => {
                say(place + 1, "not UTF-8");
                text.push('\n');
            }
        }
    }
    one_line_end(&text)
}

/// UTF-16 with its mark: the text, or nothing where it is broken; `None` for other files.
fn wide(bytes: &[u8]) -> Option<Option<String>> {
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return None,
    };
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().skip(1).map(|pair| unit(*pair)).collect();
    Some(String::from_utf16(&units).ok().filter(|_| rest.is_empty()))
}

/// Old programs end a line with a carriage return, alone or before the line feed.
fn one_line_end(text: &str) -> String {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text.to_owned() }
}
