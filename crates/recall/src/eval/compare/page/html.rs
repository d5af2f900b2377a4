//! Text in HTML: every word of a conversation, a model or a file passes through here.

use std::fmt;

/// Text as it stands between and inside tags.
pub(super) struct Escaped<'t>(pub &'t str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                // What turns the direction of text would turn the page's own with it.
                '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => f.write_str("\u{fffd}")?,
                other if other.is_control() && other != '\n' => f.write_str("\u{fffd}")?,
                other => write!(f, "{other}")?,
            }
        }
        Ok(())
    }
}

/// Escapes a text.
pub(super) fn text(text: &str) -> Escaped<'_> {
    Escaped(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_is_markup() {
        let hostile = "<script>alert(\"1\" & '2')</script>\u{202e}\u{0}";
        let escaped = text(hostile).to_string();
        let right = "&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;\u{fffd}\u{fffd}";
        assert_eq!(escaped, right);
    }
}
