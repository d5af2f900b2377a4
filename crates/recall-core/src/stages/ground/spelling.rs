//! Slips of the pen: two spellings of one word.

use crate::reading::references::{is_first_name, is_uncommon};

/// The fewest letters of a word that can be known in spite of a wrong one: of shorter words one letter makes another word.
const SHORTEST: usize = 6;

/// Longer runs of letters are no words, and comparing them costs the square of their length.
const LONGEST: usize = 32;

/// One folded word is the other with one letter left out, added, exchanged or swapped with the next one. Figures are no letters: they
/// tell apart what has one name ("model12", "model13"). Where both are established, as words or as first names, they are two
/// ("Christina" and "Christine").
pub(super) fn is_slip(one: &str, other: &str) -> bool {
    let figures = |word: &str| word.chars().filter(char::is_ascii_digit).collect::<String>();
    let established = |word: &str| !is_uncommon(word) || is_first_name(word);
    one.len().min(other.len()) >= SHORTEST
        && one.len().max(other.len()) <= LONGEST
        && one.len().abs_diff(other.len()) < 4
        && one.chars().next() == other.chars().next()
        && strsim::osa_distance(one, other) == 1
        && figures(one) == figures(other)
        && !(established(one) && established(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wrong_letter_is_a_slip_unless_it_makes_another_word_or_name() {
        let table = [
            ("warehuose", "warehouse", true),
            ("recieve", "receive", true),
            ("magdalna", "magdalena", true),
            ("tuscuny", "tuscany", true),
            ("christina", "christine", false),
            ("austria", "australia", false),
            ("model12", "model13", false),
            ("flour", "floor", false),
            ("battle", "bottle", false),
            ("lisbon", "disbon", false),
            ("lisbon", "lisbon", false),
        ];
        for (one, other, expected) in table {
            assert_eq!((is_slip(one, other), is_slip(other, one)), (expected, expected), "{one} {other}");
        }
        assert!(!is_slip(&"a".repeat(5000), &"a".repeat(5001)));
    }
}
