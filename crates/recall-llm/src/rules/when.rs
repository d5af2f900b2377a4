//! Words that say when, by a small list. What they mean is for the judgement to find out.

use std::sync::LazyLock;

use regex::Regex;

static EXPRESSION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let months = "january|february|march|april|may|june|july|august|september|october|november|december";
    let days = "monday|tuesday|wednesday|thursday|friday|saturday|sunday";
    let spans = "day|week|weekend|month|year|decade|night|morning|afternoon|evening|spring|summer|autumn|fall|winter";
    let numbers = r"\d+|a|an|one|two|three|four|five|six|seven|eight|nine|ten|a couple of|a few|several|many";
    let pattern = format!(
        r"(?ix)\b(?:
            (?:the\ day\ (?:before|after)\ )?(?:yesterday|tomorrow) (?:\ (?:morning|afternoon|evening|night))?
          | (?:{numbers})\ (?:{spans}|hour|minute)s?\ (?:ago|from\ now|earlier|later)
          | (?:last|next|this|past|every)\ (?:{spans}|{days}|{months})\b
          | (?:in|since|until|by|before|after|around|from)\ (?:early\ |late\ |mid-?)?(?:{months})(?:\ \d{{1,2}}(?:st|nd|rd|th)?\b)?(?:,?\ \d{{4}})?
          | (?:in|since|until|by|before|after|around|from)\ (?:the\ )?(?:\d{{4}}s?|(?:spring|summer|autumn|fall|winter)(?:\ of\ \d{{4}})?)\b
          | (?:on\ )?(?:the\ )?\d{{1,2}}(?:st|nd|rd|th)?\ (?:of\ )?(?:{months})(?:,?\ \d{{4}})?
          | (?:on\ )?(?:{months})\ \d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\ \d{{4}})?
          | (?:on|since|until|by)\ (?:{days})s?\b
          | \d{{4}}-\d{{2}}-\d{{2}}
          | for\ (?:the\ (?:last|past)\ )?(?:{numbers})\ (?:{spans}|hour|minute)s?\b
          | tonight | today | this\ coming\ (?:{spans}|{days})
        )"
    );
    // The pattern is constant; a test fails where it does not compile.
    Regex::new(&pattern).ok()
});

/// The first words of a text that say when.
pub fn time_expression(text: &str) -> Option<&str> {
    EXPRESSION.as_ref()?.find(text).map(|found| found.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_say_when_are_found_and_others_left() {
        let table = [
            ("I moved to Lima three years ago", Some("three years ago")),
            ("Yesterday evening I sold the car", Some("Yesterday evening")),
            ("I start in early October 2027 at the mill", Some("in early October 2027")),
            ("we met on the 3rd of May", Some("on the 3rd of May")),
            ("I fly home next Friday", Some("next Friday")),
            ("I have lived here since 2019", Some("since 2019")),
            ("for the past two years I rowed", Some("for the past two years")),
            ("I play chess every Tuesday", Some("every Tuesday")),
            ("I may march in the parade", None),
            ("I own 2019 records", None),
            ("I like winter coats", None),
        ];
        for (text, expected) in table {
            assert_eq!(time_expression(text), expected, "{text}");
        }
    }
}
