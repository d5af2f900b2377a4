//! Whether a claim tells what is, what was, or what may come: a plan and a past state are other claims than the present one.

use super::words;
use crate::text::{Token, TokenKind};

/// When the claimed state holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// It holds, or is told without a time.
    Now,
    /// It used to hold.
    Past,
    /// It is planned, wished for, or possible later.
    Ahead,
}

impl Phase {
    /// The phase as it stands in claim keys.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Now => "now",
            Self::Past => "past",
            Self::Ahead => "ahead",
        }
    }
}

/// Verbs after which another state holds: told in the past they tell the present state.
const CHANGES: &[&str] = &[
    "moved",
    "became",
    "got",
    "started",
    "began",
    "joined",
    "changed",
    "switched",
    "adopted",
    "bought",
    "married",
    "divorced",
    "turned",
    "found",
    "took",
    "settled",
    "relocated",
    "named",
    "renamed",
    "left",
    "quit",
    "retired",
    "separated",
    "learned",
    "learnt",
    "separated",
    "passed",
    "won",
    "lost",
    "received",
    "inherited",
    "developed",
    "acquired",
    "chose",
    "decided",
    "wanted",
    "accepted",
    "signed",
    "transferred",
    "born",
    "said",
    "told",
    "asked",
];

/// Verbs that tell a change when they come after "might" or "will".
const CHANGE_STEMS: &[&str] = &[
    "move", "take", "becom", "get", "start", "begin", "join", "chang", "switch", "adopt", "buy", "marri", "divorc",
    "leav", "quit", "retir", "reloc", "settl", "go", "transfer", "return", "accept", "turn", "find", "sell", "give",
    "open", "studi", "learn", "appli",
];

const PAST_FORMS: &[&str] = &[
    "was", "were", "had", "knew", "kept", "spoke", "taught", "ran", "led", "ate", "drank", "drove", "rode", "wore",
    "wrote", "held", "stood", "sang", "swam", "slept", "spent", "grew", "felt", "thought", "went", "made", "did",
    "hated",
];

const PRESENT_FORMS: &[&str] = &["is", "are", "has", "have", "'s", "does", "do", "can", "am"];

/// The phase of a sentence about a lasting state, such as a home or an employer.
pub(super) fn of_state(tokens: &[Token]) -> Phase {
    let words: Vec<&Token> = tokens.iter().filter(|token| token.kind == TokenKind::Word).collect();
    if marked_past(&words) {
        return Phase::Past;
    }
    if ahead(&words) {
        return Phase::Ahead;
    }
    if main_verb_is_past(&words) { Phase::Past } else { Phase::Now }
}

/// The phase of any other sentence: what happened once happened, so only clear marks count.
pub(super) fn of_event(tokens: &[Token]) -> Phase {
    let words: Vec<&Token> = tokens.iter().filter(|token| token.kind == TokenKind::Word).collect();
    if marked_past(&words) {
        Phase::Past
    } else if ahead(&words) || owed(&words) {
        Phase::Ahead
    } else {
        Phase::Now
    }
}

/// Whether words mark a state as over, or as one to come; the tense of the verb is left aside.
pub(super) fn is_over_or_ahead(tokens: &[Token]) -> bool {
    let words: Vec<&Token> = tokens.iter().filter(|token| token.kind == TokenKind::Word).collect();
    marked_past(&words) || ahead(&words)
}

/// Whether a sentence tells what happened and not what is: its first verb is a past form or a perfect.
pub(super) fn happened(tokens: &[Token]) -> bool {
    let words: Vec<&Token> = tokens.iter().filter(|token| token.kind == TokenKind::Word).collect();
    for (at, word) in words.iter().enumerate().skip(1) {
        let folded = word.folded.as_str();
        let next = words.get(at + 1..).unwrap_or_default().iter().find(|next| !is_between(&next.folded));
        let next = next.map(|next| next.folded.as_str()).unwrap_or_default();
        match folded {
            "has" | "have" | "'ve" | "hasn't" | "haven't" => return is_past_form(next) || next == "been",
            "is" | "are" | "am" | "does" | "do" | "can" | "cannot" | "doesn't" | "don't" | "isn't" => return false,
            "didn't" | "wasn't" | "weren't" | "hadn't" => return true,
            _ if is_past_form(folded) => return true,
            _ => {}
        }
    }
    false
}

fn is_between(folded: &str) -> bool {
    matches!(folded, "not" | "never" | "just" | "already" | "recently" | "also" | "now" | "still" | "finally")
}

fn is_past_form(folded: &str) -> bool {
    let noun = matches!(
        folded,
        "children" | "men" | "women" | "people" | "mice" | "teeth" | "feet" | "wives" | "knives" | "lives" | "leaves"
    );
    PAST_FORMS.contains(&folded)
        || CHANGES.contains(&folded)
        || folded.ends_with("ed") && folded.len() > 4
        || words::is_irregular(folded) && !noun
}

/// What has to be done is not done: "still has to call", "must hand in".
fn owed(words: &[&Token]) -> bool {
    words.windows(2).any(|pair| match pair {
        [has, to] => {
            has.folded == "must"
                || to.folded == "to" && matches!(has.folded.as_str(), "has" | "have" | "needs" | "need")
        }
        _ => false,
    })
}

fn marked_past(words: &[&Token]) -> bool {
    let used_to = words.windows(2).any(|pair| matches!(pair, [a, b] if a.folded == "used" && b.folded == "to" ))
        && !words.windows(2).any(|pair| matches!(pair, [a, b] if matches!(a.folded.as_str(), "is" | "got" | "are" | "get") && b.folded == "used"));
    used_to || words.iter().any(|word| matches!(word.folded.as_str(), "formerly" | "previously" | "former"))
}

fn ahead(words: &[&Token]) -> bool {
    let after = |at: usize| {
        let rest = words.get(at + 1..).unwrap_or_default();
        // "might be studying" doubts what is now; "might be moving" tells of what may come.
        let goes_on = rest.first().is_some_and(|next| next.folded == "be");
        let lasts = |word: &Token| goes_on && matches!(word.stem.as_str(), "studi" | "learn");
        rest.iter().take(4).any(|word| CHANGE_STEMS.contains(&word.stem.as_str()) && !lasts(word))
    };
    words.iter().enumerate().any(|(at, word)| match word.folded.as_str() {
        "will" | "'ll" | "plans" | "planning" | "intends" | "hopes" | "considering" | "aims" | "would" | "wants" => {
            true
        }
        "might" | "may" | "could" | "wishes" | "thinks" => after(at),
        "going" => words.get(at + 1).is_some_and(|next| next.folded == "to"),
        "thinking" => words.get(at + 1).is_some_and(|next| matches!(next.folded.as_str(), "of" | "about")),
        _ => false,
    })
}

/// Looks for the first word that can only be a verb; a state told in the simple past is over, a change told so is not.
fn main_verb_is_past(words: &[&Token]) -> bool {
    for word in words {
        let folded = word.folded.as_str();
        if PRESENT_FORMS.contains(&folded) || CHANGES.contains(&folded) {
            return false;
        }
        if PAST_FORMS.contains(&folded) || (folded.ends_with("ed") && folded.len() > 4) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    #[test]
    fn a_state_is_now_over_or_ahead() {
        let table = [
            ("User lives in Brno", Phase::Now),
            ("User moved to Brno", Phase::Now),
            ("User has just moved to Brno", Phase::Now),
            ("User has lived in Brno since 2019", Phase::Now),
            ("User might live in Brno", Phase::Now),
            ("User might be studying in Brno", Phase::Now),
            ("User might be moving to Brno", Phase::Ahead),
            ("User might study in Brno", Phase::Ahead),
            ("User lived in Brno in 2011", Phase::Past),
            ("User used to live in Brno", Phase::Past),
            ("User was a baker", Phase::Past),
            ("User had a dog", Phase::Past),
            ("User might move to Brno next year", Phase::Ahead),
            ("User plans to live in Brno", Phase::Ahead),
            ("User is going to take over the bakery", Phase::Ahead),
            ("User will start at the dairy in May", Phase::Ahead),
        ];
        for (sentence, phase) in table {
            assert_eq!(of_state(&text::tokens(sentence)), phase, "{sentence}");
        }
    }

    #[test]
    fn an_event_in_the_past_is_no_past_state() {
        assert_eq!(of_event(&text::tokens("User sold a cupboard")), Phase::Now);
        assert_eq!(of_event(&text::tokens("User is used to cold mornings")), Phase::Now);
        assert_eq!(of_event(&text::tokens("User used to sell cupboards")), Phase::Past);
    }

    #[test]
    fn what_has_to_be_done_is_not_done() {
        assert_eq!(of_event(&text::tokens("User still has to sell the cupboard")), Phase::Ahead);
        assert_eq!(of_event(&text::tokens("User must sell the cupboard")), Phase::Ahead);
        assert_eq!(of_event(&text::tokens("User had to sell the cupboard")), Phase::Now);
    }
}
