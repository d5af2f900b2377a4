//! Is something told as so that is only wished for: "I'd love to live in Rome", "vorrei comprare una barca"?

use super::ahead::begins_anew;
use super::claim::Claim;
use super::passage::{Passage, Piece, Word};
use super::register::Register;

/// Words by which a claim says itself that something is wished.
const WISHED: &[&str] = &[
    "would",
    "wants",
    "want",
    "wanted",
    "wishes",
    "wish",
    "wished",
    "hopes",
    "hope",
    "hoping",
    "dreams",
    "dream",
    "dreaming",
    "likes",
    "loves",
    "interested",
    "open",
    "plans",
    "intends",
    "keen",
];

/// Of a short claim that something is so: the words only wish for it, "I'd love to live in Rome".
pub(super) fn is_wished(claim: &Claim, passage: &Passage<'_>, piece: &Piece, word: &Word<'_>) -> bool {
    const REACH: usize = 6;
    const WOULD: usize = 3;
    if claim.register != Register::Stated || claim.says(WISHED) {
        return false;
    }
    let said = passage.said(piece);
    let at = said.iter().position(|other| std::ptr::eq(other, word)).unwrap_or_default();
    let before = said.get(at.saturating_sub(REACH)..at).unwrap_or_default();
    let anew = |word: &Word<'_>| {
        begins_anew(&word.text) || matches!(&*word.text, "and" | "but" | "i" | "we") || word.text.ends_with("'ve")
    };
    // Behind "to" nobody else begins to speak: "I'd like to add that I live here".
    let to = before.iter().rposition(|word| &*word.text == "to");
    let Some((to, wish)) = to.and_then(|to| Some((to, before.get(to.checked_sub(1)?)?))) else { return false };
    let would = before.get((to - 1).saturating_sub(WOULD)..to - 1).unwrap_or_default();
    matches!(&*wish.text, "love" | "like" | "prefer")
        && would.iter().any(|word| matches!(&*word.text, "i'd" | "we'd" | "would"))
        && !before.get(to..).unwrap_or_default().iter().any(anew)
}

/// Words by which one wishes or means to in other languages; behind one of [`WILLING`] has to stand what is wished.
const WISHING: &[&str] = &[
    "vorrei",
    "vorremmo",
    "vorrebbe",
    "quisiera",
    "gustaría",
    "gustaria",
    "voudrais",
    "voudrait",
    "voudrions",
    "aimerais",
    "aimerait",
    "möchte",
    "möchten",
    "gostaria",
    "queria",
    "chciałbym",
    "chciałabym",
    "chciałby",
    "chtěl",
    "chtěla",
    "haluaisin",
    "quiero",
    "queremos",
    "voglio",
    "vogliamo",
    "veux",
    "voulons",
    "quero",
    "will",
    "wollen",
    "chcę",
    "chci",
];
const WILLING: &[&str] = &["quiero", "queremos", "voglio", "vogliamo", "veux", "voulons", "quero"];

/// In a claim that says so itself one of these begins the word.
const WISHES: &[&str] = &[
    "vuole", "vorre", "quier", "quisier", "gusta", "veut", "voudr", "aimer", "souhait", "möchte", "will", "quer",
    "gosta", "chce", "chcia", "chtě", "halua", "desea", "desider", "wünsch", "plan", "pensa", "piensa", "intend",
    "envisage", "prév", "vor",
];

/// "vorrei comprare una barca": the word stands behind one by which it is wished, and the claim says no wish.
pub(super) fn is_wished_abroad(claim: &Claim, passage: &Passage<'_>, word: &Word<'_>) -> bool {
    if claim.words.iter().any(|word| WISHES.iter().any(|start| word.starts_with(start))) {
        return false;
    }
    let Some(piece) = passage.pieces.get(word.piece) else { return false };
    let said = passage.said(piece);
    let at = said.iter().position(|other| std::ptr::eq(other, word)).unwrap_or_default();
    let before = said.get(..at).unwrap_or_default();
    let from =
        before.iter().rposition(|word| matches!(&*word.text, "che" | "que" | "dass" | "weil" | "porque" | "perché"));
    let before = before.get(from.map_or(0, |at| at + 1)..).unwrap_or_default();
    let wishes = before.iter().position(|word| WISHING.contains(&&*word.text));
    wishes.and_then(|at| Some((before.get(at)?, said.get(at + 1..)?))).is_some_and(|(wish, rest)| {
        !WILLING.contains(&&*wish.text) || rest.iter().take(2).any(|word| is_infinitive(&word.text))
    })
}

fn is_infinitive(text: &str) -> bool {
    text.chars().count() > 3
        && ["ar", "er", "ir", "are", "ere", "ire", "re", "oir"].iter().any(|end| text.ends_with(end))
}
