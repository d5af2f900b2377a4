//! Relatives of relatives: "my wife's dad" is the father-in-law, and "mother-in-law" is one word.

use std::borrow::Cow;

use crate::lexicon::{self, bare};
use crate::text::Token;

/// Both ways from somebody lead to the same relative.
pub(super) fn is_same(one: &[String], other: &[String]) -> bool {
    // "my mum's dad" and "my dad's dad" are both grandfathers, and two people.
    let by_spouse = |way: &[String]| way.first().is_some_and(|step| matches!(&**step, "wife" | "husband" | "partner"));
    let comparable = one.len() != other.len() || by_spouse(one) && by_spouse(other);
    one == other || comparable && by_marriage(one) == by_marriage(other)
}

/// A way with every step over a marriage made one.
fn by_marriage(way: &[String]) -> Vec<&str> {
    let mut short: Vec<&str> = Vec::with_capacity(way.len());
    for step in way {
        match short.last().and_then(|last| in_law(last, step)) {
            Some(name) => {
                short.pop();
                short.push(name);
            }
            None => short.push(step),
        }
    }
    short
}

/// "maternal grandfather": the way by the side of the family.
pub(super) fn by_side(side: &str, relative: &str) -> Option<[&'static str; 2]> {
    let parent = match side {
        "maternal" => "mother",
        "paternal" => "father",
        _ => return None,
    };
    let step = match relative {
        "grandfather" => "father",
        "grandmother" => "mother",
        "aunt" => "sister",
        "uncle" => "brother",
        _ => return None,
    };
    Some([parent, step])
}

fn in_law(first: &str, second: &str) -> Option<&'static str> {
    Some(match (first, second) {
        ("wife" | "husband" | "partner", "mother") => "mother-in-law",
        ("wife" | "husband" | "partner", "father") => "father-in-law",
        ("wife" | "husband" | "partner", "parents") => "in-laws",
        ("wife" | "husband" | "partner", "sister") | ("brother", "wife") => "sister-in-law",
        ("wife" | "husband" | "partner", "brother") | ("sister", "husband") => "brother-in-law",
        ("son", "wife") => "daughter-in-law",
        ("daughter", "husband") => "son-in-law",
        ("mother" | "father", "father") => "grandfather",
        ("mother" | "father", "mother") => "grandmother",
        ("mother" | "father", "sister") => "aunt",
        ("mother" | "father", "brother") => "uncle",
        ("sister" | "brother", "son") => "nephew",
        ("sister" | "brother", "daughter") => "niece",
        ("aunt" | "uncle", "son" | "daughter") => "cousin",
        _ => return None,
    })
}

/// Makes one token of the several of "mother-in-law", "father in law" and "in-laws".
pub(super) fn joined(tokens: Vec<Cow<'_, Token>>) -> Vec<Cow<'_, Token>> {
    let is_law = |token: &Cow<'_, Token>| matches!(bare(&token.folded), "law" | "laws");
    if !tokens.iter().any(is_law) {
        return tokens;
    }
    let mut joined: Vec<Cow<'_, Token>> = Vec::with_capacity(tokens.len());
    for token in tokens {
        let parts = if is_law(&token) { parts(&joined) } else { 0 };
        if parts == 0 {
            joined.push(token);
            continue;
        }
        let from = joined.len() - parts;
        let head = joined.get(from).filter(|head| head.folded != "in").map(|head| head.folded.clone());
        let (start, capital) =
            joined.get(from).map_or((token.span.start, false), |first| (first.span.start, first.capital));
        joined.truncate(from);
        let folded = head.map_or_else(|| format!("in-{}", token.folded), |head| format!("{head}-in-{}", token.folded));
        let stem = lexicon::stem(bare(&folded));
        let span = start..token.span.end;
        joined.push(Cow::Owned(Token { span, folded, stem, capital, ..token.into_owned() }));
    }
    joined
}

/// How many of the last tokens belong to a "law" behind them.
fn parts(before: &[Cow<'_, Token>]) -> usize {
    const KIN: &[&str] = &["mother", "father", "sister", "brother", "son", "daughter", "mum", "mom", "dad", "parents"];
    let text =
        |back: usize| before.len().checked_sub(back).and_then(|at| before.get(at)).map_or("", |token| &*token.folded);
    match (text(4), text(3), text(2), text(1)) {
        (head, "-", "in", "-") if KIN.contains(&head) => 4,
        (_, head, "in", "-") if KIN.contains(&head) => 3,
        (_, _, head, "in") if KIN.contains(&head) => 2,
        (_, _, "in", "-") => 2,
        _ => 0,
    }
}
