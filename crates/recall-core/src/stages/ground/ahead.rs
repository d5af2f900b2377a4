//! Is something told as done that is only meant, owed or arranged: "been meaning to", "still have to", "is booked for Thursday"?

use super::agent::Agent;
use super::claim::Claim;
use super::passage::{Passage, Piece, Word};
use super::pronouns::is_calendar;
use super::register::Register;
use crate::lexicon::verbs::{self, Form};
use crate::lexicon::{bare, people};

/// Of a claim that tells something as done: the words tell of it as still to come.
pub(super) fn lies_ahead(claim: &Claim, passage: &Passage<'_>, piece: &Piece, word: &Word<'_>) -> bool {
    // A retelling of what was said keeps the tense of telling: "thought that it should be sold".
    let tells = match claim.register {
        Register::Stated => true,
        Register::Long => matches!(claim.agent, Agent::User | Agent::Relative { .. }),
        Register::Sentence | Register::Document | Register::Framed => false,
    };
    if !tells
        || claim.says(OWED)
        || claim.words.windows(2).any(|pair| matches!(pair, [word, to] if to == "to" && MEANT.contains(&word.as_str())))
    {
        return false;
    }
    let said = passage.said(piece);
    let at = said.iter().position(|other| std::ptr::eq(other, word)).unwrap_or_default();
    let run = run_around(said, at);
    is_meant(said, at)
        || !claim.says(ASKED_FOR) && is_asked_for(said, at)
        || !claim.says(ARRANGED) && is_arranged(run)
        || is_kept_free(claim, run)
}

/// A visit told of what is only an appointment.
pub(super) fn tells_of_appointment(claim: &Claim, passage: &Passage<'_>, piece: &Piece, word: &Word<'_>) -> bool {
    let said = passage.said(piece);
    let at = said.iter().position(|other| std::ptr::eq(other, word)).unwrap_or_default();
    is_kept_free(claim, run_around(said, at))
}

fn is_kept_free(claim: &Claim, run: &[Word<'_>]) -> bool {
    claim.says(ATTENDING) && !claim.says(APPOINTED) && is_appointed(run)
}

/// Words before "to" by which something is meant or owed.
const MEANT: &[&str] = &[
    "meaning", "hoping", "hope", "hopes", "aiming", "aim", "aims", "trying", "keen", "have", "has", "need", "needs",
    "ought", "yet", "meant", "supposed", "due", "asked", "offered", "promised", "agreed", "wanted", "wants", "want",
    "wish", "wishes", "wished", "expected", "expects", "intended", "invited", "tempted", "ready", "prepared",
    "planned", "promises", "offers", "agrees", "asks", "wanting", "dying", "eager", "willing", "begged", "hoped",
    "longing", "swore",
];

/// The one who is to do it may stand between: "asked my brother to fix it".
fn governs(before: &[Word<'_>], to: usize) -> bool {
    const REACH: usize = 3;
    let near = before.get(to.saturating_sub(REACH)..to).unwrap_or_default();
    let object = |word: &&Word<'_>| {
        matches!(
            &*word.text,
            "me" | "us" | "him" | "her" | "them" | "you" | "it" | "my" | "our" | "his" | "their" | "the"
        ) || people::is_person(bare(&word.text))
            || word.capital
    };
    let governor = near.iter().enumerate().rev().find(|(_, word)| !object(word));
    // One has to do it oneself.
    let owes = |at: usize, word: &Word<'_>| at + 1 < near.len() && matches!(&*word.root, "have" | "need");
    governor.is_some_and(|(at, word)| !owes(at, word) && MEANT.contains(&&*word.text) || is_have_got(before, word))
}

/// Words that owe without a "to".
const OWED: &[&str] = &["must", "should", "gotta"];

/// The word stands behind one by which it is meant or owed, and is no deed itself: "I have to rest, I broke a rib".
fn is_meant(said: &[Word<'_>], at: usize) -> bool {
    let before = said.get(..at).unwrap_or_default();
    let from = before.iter().rposition(|word| begins_anew(&word.text)).map_or(0, |at| at + 1);
    let before = before.get(from..).unwrap_or_default();
    let owed = |word: &Word<'_>| OWED.contains(&&*word.text);
    let meant = before.iter().enumerate().any(|(at, word)| &*word.text == "to" && governs(before, at));
    (meant || before.iter().any(owed)) && !said.get(at).is_some_and(|word| is_deed(before, word))
}

/// "I've got to", but not "I got to meet her".
fn is_have_got(before: &[Word<'_>], word: &Word<'_>) -> bool {
    let at = before.iter().position(|other| std::ptr::eq(other, word)).unwrap_or_default();
    let have = at.checked_sub(1).and_then(|at| before.get(at));
    &*word.text == "got" && have.is_some_and(|have| have.text.ends_with("'ve") || matches!(&*have.text, "have" | "has"))
}

/// Words before "for" by which something is asked for and not yet had.
const ASKED_FOR: &[&str] = &[
    "ask",
    "asks",
    "asked",
    "asking",
    "apply",
    "applies",
    "applied",
    "applying",
    "wait",
    "waits",
    "waited",
    "waiting",
    "hope",
    "hopes",
    "hoped",
    "hoping",
    "beg",
    "begged",
    "pushing",
    "pushed",
    "longs",
    "longing",
    "wishes",
    "wished",
    "requested",
];

/// "asked for a refund": the thing is what is asked for.
fn is_asked_for(said: &[Word<'_>], at: usize) -> bool {
    const REACH: usize = 5;
    let before = said.get(at.saturating_sub(REACH)..at).unwrap_or_default();
    // "applied for the flat and got it"
    let had = |word: &Word<'_>| matches!(&*word.text, "got" | "granted" | "approved" | "accepted" | "won");
    before.windows(2).any(|pair| matches!(pair, [asks, to] if &*to.text == "for" && ASKED_FOR.contains(&&*asks.text)))
        && !said.get(at..).unwrap_or_default().iter().any(had)
        && !before.iter().any(|word| matches!(&*word.text, "and" | "but" | "so"))
}

/// Nouns for a time that is kept free, and what one does who has kept it.
const APPOINTED: &[&str] = &["appointment", "appointments", "booking", "reservation", "booked"];
const ATTENDING: &[&str] = &["went", "attended", "visited", "saw", "had", "met", "did"];

/// "my eye test appointment on Friday": an appointment is no visit, unless one went to it.
fn is_appointed(run: &[Word<'_>]) -> bool {
    const KEPT: &[&str] =
        &["went", "was", "were", "had", "came", "attended", "after", "yesterday", "been", "visited", "missed", "back"];
    run.iter().any(|word| matches!(&*word.root, "appoint" | "reserv"))
        && !run.iter().any(|word| KEPT.contains(&&*word.text))
}

/// What stands behind these was before, or is told of something else.
pub(super) fn begins_anew(text: &str) -> bool {
    matches!(text, "after" | "since" | "because" | "which" | "that" | "where" | "who" | "as")
}

/// "sold", but not the one of "get it sold".
fn is_deed(before: &[Word<'_>], word: &Word<'_>) -> bool {
    const REACH: usize = 4;
    let near = before.get(before.len().saturating_sub(REACH)..).unwrap_or_default();
    verbs::form(&word.text) == Form::Past
        && !near.iter().any(|word| matches!(&*word.text, "get" | "have" | "has" | "be" | "getting" | "having" | "must"))
}

/// Participles of what is arranged for a time to come.
const ARRANGED: &[&str] = &["booked", "scheduled", "planned", "arranged", "pencilled", "slated", "due", "set"];

/// How one moves who is about to: in the present it tells of the time to come.
const MOVING: &[&str] = &[
    "coming",
    "heading",
    "flying",
    "leaving",
    "travelling",
    "traveling",
    "going",
    "visiting",
    "arriving",
    "driving",
    "sailing",
];

/// "my test's booked for", "we're off to", "she is coming on", "heading to".
fn is_arranged(run: &[Word<'_>]) -> bool {
    let told = |at: usize| {
        let mut rest = run.iter().skip(at).map(|word| &*word.text).skip_while(|word| is_adverb(word));
        let (first, second) = (rest.next().unwrap_or_default(), rest.next().unwrap_or_default());
        let arranged = ARRANGED.contains(&first)
            && (matches!(second, "for" | "in" | "on" | "at" | "next" | "this" | "tomorrow") && first != "set"
                || second == "for");
        arranged
            || first == "off" && matches!(second, "to" | "for")
            || MOVING.contains(&first)
            || first == "having" && run.iter().any(|word| is_to_come(&word.text))
    };
    let opens = run.first().is_some_and(|word| matches!(&*word.text, "heading" | "flying" | "off")) && told(0);
    opens
        || opens_by_doing(run)
        || (0..run.len()).any(|at| run.get(at).is_some_and(|word| is_now(&word.text)) && told(at + 1))
}

/// "signing the contract on Friday": nobody is said to have done it, and the day is to come.
fn opens_by_doing(run: &[Word<'_>]) -> bool {
    let opens = run.first().is_some_and(|word| verbs::form(&word.text) == Form::Progressive && !word.capital);
    opens
        && run.iter().any(|word| is_to_come(&word.text))
        && !run.iter().skip(1).any(|word| {
            verbs::form(&word.text) == Form::Past || matches!(&*word.text, "was" | "were" | "last" | "since" | "every")
        })
}

fn is_now(text: &str) -> bool {
    matches!(text, "am" | "is" | "are" | "isn't" | "aren't")
        || ["'s", "'re", "'m"].iter().any(|end| text.ends_with(end))
}

fn is_adverb(text: &str) -> bool {
    matches!(text, "all" | "both" | "also" | "now" | "just" | "already" | "still" | "finally" | "probably" | "not")
}

fn is_to_come(text: &str) -> bool {
    is_calendar(text) || matches!(text, "next" | "tomorrow" | "tonight" | "soon" | "later")
}

/// "has worn braces since May" of "I wear braces since May": both say that it goes on.
pub(super) fn goes_on(claim: &Claim, passage: &Passage<'_>, piece: &Piece) -> bool {
    claim.says(&["has", "have"])
        && claim.says(&["since"])
        && passage.said(piece).iter().any(|word| matches!(&*word.text, "since"))
}

/// The words around a place up to the next mark or joining word on either side.
fn run_around<'a, 'b>(said: &'a [Word<'b>], at: usize) -> &'a [Word<'b>] {
    let chunk = said.get(at).map(|word| word.chunk);
    let border =
        |word: &Word<'_>| Some(word.chunk) != chunk || matches!(&*word.text, "and" | "but" | "because" | "so" | "then");
    let from = said.get(..at).unwrap_or_default().iter().rposition(border).map_or(0, |at| at + 1);
    let rest = said.get(at..).unwrap_or_default();
    let to = at + rest.iter().position(border).unwrap_or(rest.len());
    said.get(from..to).unwrap_or_default()
}
