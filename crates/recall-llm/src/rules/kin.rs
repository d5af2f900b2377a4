//! People one has: "my older sister Ana" is about Ana, and not about the one who speaks.

use super::person::{bare, lower};

/// Animals one has.
const PETS: [&str; 4] = ["dog", "cat", "puppy", "kitten"];
/// People one has.
const KIN: [&str; 44] = [
    "mother",
    "mom",
    "mum",
    "father",
    "dad",
    "parents",
    "sister",
    "brother",
    "son",
    "daughter",
    "wife",
    "husband",
    "partner",
    "girlfriend",
    "boyfriend",
    "fiance",
    "fiancee",
    "grandmother",
    "grandma",
    "grandfather",
    "grandpa",
    "aunt",
    "uncle",
    "cousin",
    "niece",
    "nephew",
    "friend",
    "boss",
    "manager",
    "colleague",
    "coworker",
    "roommate",
    "flatmate",
    "neighbor",
    "neighbour",
    "landlord",
    "teacher",
    "doctor",
    "therapist",
    "coach",
    "ex",
    "kids",
    "children",
    "twins",
];

/// Whether a word names a person one has.
pub(super) fn is_kin(word: &str) -> bool {
    KIN.contains(&word)
}

/// The person of a "my …" clause, and the words after; only where the clause goes on about that person.
pub(super) fn kin(words: &[String]) -> Option<(String, &[String])> {
    let (first, rest) = words.split_first()?;
    if lower(first) != "my" {
        return None;
    }
    let at = rest.iter().take(3).position(|word| is_kin(bare(&lower(word))) || PETS.contains(&bare(&lower(word))))?;
    let after = rest.get(at + 1..)?;
    let owned = rest.get(at).is_some_and(|word| lower(word).ends_with("'s"));
    let with_speaker = after.first().is_some_and(|word| lower(word) == "and");
    (!owned && !with_speaker).then(|| {
        (rest.iter().take(at + 1).map(|word| bare(&lower(word)).to_owned()).collect::<Vec<_>>().join(" "), after)
    })
}
