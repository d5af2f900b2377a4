//! How far what stands over a verb reaches: a denial, a plan or a doubt ends at a joining word behind which something else is told.

use std::ops::Range;

use super::abroad::doubts;
use super::cues::FAILING;
use super::{begins, is_denial, is_whole, modality, supposes};
use crate::lexicon::people;
use crate::lexicon::verbs::{self, Form};
use crate::reading::acts::Modality;

/// The runs of a clause that no operator crosses, in order; one where it has no operator. The words are folded.
pub fn scopes(words: &[&str]) -> Vec<Range<usize>> {
    let mut cuts = vec![0];
    if supposes(words) {
        // "suppose I won a boat, our garden is tiny": what is supposed ends at the comma.
        cuts.extend(words.iter().enumerate().filter(|(_, word)| **word == ",").map(|(at, _)| at + 1));
        cuts.retain(|at| *at < words.len());
    }
    let opened = cuts.len() > 1;
    // Most clauses have no joining word, and of those that have one most have nothing that could reach over it.
    if !opened && words.iter().any(|word| JOINING.contains(word)) && has_operator(words) {
        let mut start = 0;
        for at in 1..words.len() {
            if parts(words.get(start..at).unwrap_or_default(), words.get(at..).unwrap_or_default()) {
                cuts.push(at);
                start = at;
            }
        }
    }
    let ends = cuts.iter().skip(1).copied().chain([words.len()]);
    cuts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

const JOINING: &[&str] = &[
    "and", "n", "&", "but", "while", "whereas", "yet", "so", "e", "y", "und", "et", "och", "og", "aber", "pero", "mas",
    "mais", "ma", "oraz", "ale",
];

fn has_operator(words: &[&str]) -> bool {
    words.iter().any(|word| is_denial(word) || FAILING.contains(word) || *word == "ne" || word.starts_with("kein"))
        || modality(words) != Modality::Actual
}

/// A word that only helps a verb.
fn is_helper(word: &str) -> bool {
    is_denial(word)
        || FAILING.contains(&word)
        || matches!(
            word,
            "do" | "does" | "did" | "is" | "are" | "was" | "were" | "be" | "been" | "have" | "has" | "had" | "may"
        )
        || matches!(word, "might" | "will" | "would" | "can" | "could" | "should" | "must" | "gonna" | "going")
}

/// A joining word begins `rest`, and another predicate follows it.
fn parts(before: &[&str], rest: &[&str]) -> bool {
    let Some((joining, after)) = rest.split_first() else { return false };
    match *joining {
        "and" | "n" | "&" | "but" | "while" | "whereas" | "yet" => {
            !joins_people(before) && subject_follows(after, OPENING) || has_another_form(before, after)
        }
        "so" => subject_follows(after, 1),
        "e" | "y" | "und" | "et" | "och" | "og" | "aber" | "pero" | "mas" | "mais" | "ma" | "oraz" | "ale" => {
            denies_anew(after)
        }
        _ => false,
    }
}

/// The words by which a clause may begin before its subject: "and some day I …".
const OPENING: usize = 5;

const SUBJECTS: &[&str] = &[
    "i", "i'm", "i've", "i'll", "i'd", "im", "ive", "we", "we're", "we've", "we'll", "we'd", "he", "he's", "he'll",
    "she", "she's", "she'll", "they", "they're", "they've", "they'll", "it", "it's", "it'll",
];

fn subject_follows(after: &[&str], reach: usize) -> bool {
    let subject = after.iter().take(reach).position(|word| SUBJECTS.contains(word));
    subject.is_some_and(|at| {
        at + 1 < after.len()
            && after.get(..at).unwrap_or_default().iter().all(|word| !verbs::is_known(word) && *word != ",")
    })
}

/// "my wife and I": what stands before the joining word is the first half of a subject.
fn joins_people(before: &[&str]) -> bool {
    const LONGEST: usize = 4;
    before.len() <= LONGEST && !before.iter().any(|word| verbs::is_known(word) || is_helper(word))
        || before.last().is_some_and(|last| people::is_person(last) && !before.iter().any(|word| verbs::is_known(word)))
}

/// "doesn't eat eggs and loves tofu": the verb behind the joining word has another form than the one that is governed before it.
fn has_another_form(before: &[&str], after: &[&str]) -> bool {
    const ADVERBS: &[&str] = &["also", "still", "now", "always", "often", "just", "then", "even", "mostly", "already"];
    let mut after = after.iter().skip_while(|word| ADVERBS.contains(word));
    let (Some(next), Some(behind)) = (after.next(), after.next()) else { return false };
    let of_speaker = || before.iter().any(|word| matches!(*word, "i" | "we" | "you" | "they" | "i'm" | "we're"));
    let is_finite = verbs::is_known(next)
        && match verbs::form(next) {
            Form::Past => true,
            Form::Present | Form::Unclear => next.ends_with('s') && !next.ends_with("ss") && !of_speaker(),
            Form::Progressive => false,
        };
    let governed = before.iter().rev().find(|word| verbs::is_known(word) && !is_helper(word));
    let differs =
        |governed: &&str| verbs::form(governed) != verbs::form(next) || governed.ends_with('s') != next.ends_with('s');
    is_finite && *behind != "and" && *behind != "," && governed.is_none_or(differs)
}

/// "e nunca …", "und trinke keinen …", "e forse …": another clause begins, which has its own denial or doubt.
fn denies_anew(after: &[&str]) -> bool {
    let (first, second) = (after.first().copied().unwrap_or_default(), after.get(1).copied().unwrap_or_default());
    doubts().any(|doubt| begins(after, doubt))
        || matches!(first, "ich" | "wir" | "er" | "je" | "yo" | "io" | "eu" | "jag" | "jeg")
        || is_whole(first)
        || first == "ne"
        || second.starts_with("kein")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operator_ends_where_another_predicate_begins() {
        let table: &[(&str, &[&str])] = &[
            ("the oven comes on monday and i have no pan", &["the oven comes on monday", "and i have no pan"]),
            ("we met in oulu , and one day i might return", &["we met in oulu ,", "and one day i might return"]),
            ("she doesn't eat eggs and loves tofu", &["she doesn't eat eggs", "and loves tofu"]),
            ("he might call and wrote to us", &["he might call", "and wrote to us"]),
            ("my wife and i don't eat pork", &["my wife and i don't eat pork"]),
            ("i don't smoke and drink", &["i don't smoke and drink"]),
            ("i don't like rest and walks", &["i don't like rest and walks"]),
            ("we met in oulu and i stayed", &["we met in oulu and i stayed"]),
            ("vivo en vigo y nunca fumo", &["vivo en vigo", "y nunca fumo"]),
            ("non fumo e forse parto", &["non fumo", "e forse parto"]),
            ("i cant eat fish n im deaf", &["i cant eat fish", "n im deaf"]),
        ];
        for (text, parts) in table {
            let words: Vec<&str> = text.split(' ').collect();
            let found: Vec<String> = scopes(&words).into_iter().map(|scope| words[scope].join(" ")).collect();
            assert_eq!(found, *parts, "{text}");
        }
    }
}
