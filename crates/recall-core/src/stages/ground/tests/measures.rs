//! Numbers, prices and comparisons belong to what they were said of.

use super::*;

#[test]
fn a_number_counts_what_stands_with_it() {
    check(NUMBER_COUNTS);
}

const NUMBER_COUNTS: &[Line<'_>] = &[
    ("the sofa was 300 and the lamp 45", "user", "User's sofa was 45", "the sofa was 300 and the lamp 45", NUMBER),
    ("the sofa was 300 and the lamp 45", "user", "User's lamp was 45", "the sofa was 300 and the lamp 45", None),
    ("the sofa was 300 and the lamp 45", "user", "User's sofa was 300", "the sofa was 300 and the lamp 45", None),
    ("the sofa was 300, the lamp 45", "user", "User's lamp cost 300", "the sofa was 300, the lamp 45", NUMBER),
    (
        "rent is 700 and the deposit two thousand",
        "user",
        "User's rent is 2000",
        "rent is 700 and the deposit two thousand",
        NUMBER,
    ),
    (
        "missed the bus, fourth time this week",
        "user",
        "User missed the bus for four days",
        "missed the bus, fourth time this week",
        NUMBER,
    ),
    (
        "missed the bus, fourth time this week",
        "user",
        "User missed the bus for the fourth time this week",
        "missed the bus, fourth time this week",
        None,
    ),
    (
        "Je suis facteur à Brest depuis treize ans",
        "user",
        "L'utilisateur est facteur à Brest depuis trente ans",
        "Je suis facteur à Brest depuis treize ans",
        NUMBER,
    ),
    (
        "Je suis facteur à Brest depuis treize ans",
        "user",
        "L'utilisateur est facteur à Brest depuis 13 ans",
        "Je suis facteur à Brest depuis treize ans",
        None,
    ),
    ("Ho quindici galline", "user", "L'utente ha quindici galline", "Ho quindici galline", None),
    ("Ho quindici galline", "user", "L'utente ha sedici galline", "Ho quindici galline", NUMBER),
];

#[test]
fn a_comparison_keeps_its_order() {
    check(COMPARISON_KEEPS);
}

const COMPARISON_KEEPS: &[Line<'_>] = &[
    (
        "my bike is older than the scooter",
        "user",
        "User's scooter is older than the bike",
        "my bike is older than the scooter",
        DETAIL,
    ),
    (
        "my bike is older than the scooter",
        "user",
        "User's bike is older than the scooter",
        "my bike is older than the scooter",
        None,
    ),
    (
        "the attic's warmer than the cellar",
        "user",
        "User's cellar is warmer than the attic",
        "the attic's warmer than the cellar",
        DETAIL,
    ),
    (
        "the attic's warmer than the cellar",
        "user",
        "User's attic is warmer than the cellar",
        "the attic's warmer than the cellar",
        None,
    ),
    ("I like tea more than coffee", "user", "User likes coffee more than tea", "I like tea more than coffee", DETAIL),
    ("I like tea more than coffee", "user", "User likes tea more than coffee", "I like tea more than coffee", None),
];

#[test]
fn a_noun_before_a_noun_is_not_another_one() {
    check(NOUN_BEFORE);
}

const NOUN_BEFORE: &[Line<'_>] = &[
    (
        "I run a goat cheese stall for the market",
        "user",
        "User runs a sheep cheese stall for the market",
        "I run a goat cheese stall for the market",
        DETAIL,
    ),
    (
        "I run a goat cheese stall for the market",
        "user",
        "User runs a goat cheese stall for the market",
        "I run a goat cheese stall for the market",
        None,
    ),
    (
        "I built a moth counting website for the museum",
        "user",
        "User built a whale counting website for the museum",
        "I built a moth counting website for the museum",
        DETAIL,
    ),
];

#[test]
fn the_nouns_of_a_question_are_no_news_of_the_one_who_answers() {
    let asked = |content: &str| {
        let said: Said2<'_> = &[("assistant", "When does the cable car open?"), ("user", "at nine")];
        judged(&Case {
            said,
            claim: ("user", content),
            quotes: &[(1, "When does the cable car open?"), (2, "at nine")],
        })
        .err()
    };
    assert_eq!(asked("User works on the cable car"), DETAIL);
    assert_eq!(asked("The cable car opens at nine"), None);
}
