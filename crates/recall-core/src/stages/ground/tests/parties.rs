//! Who did it to whom: subject and object, whose opinion, whose trade; a name given in passing.

use super::*;

const WRONG: Option<Reason> = Some(Reason::WrongSpeaker);

#[test]
fn who_acts_and_whom_it_meets_are_not_exchanged() {
    check(ACTS_WHOM);
}

const ACTS_WHOM: &[Line<'_>] = &[
    (
        "my aunt met my tutor at the pool. she lent him her goggles",
        "user's tutor",
        "User's tutor lent the user's aunt goggles",
        "she lent him her goggles",
        WRONG,
    ),
    (
        "my aunt met my tutor at the pool. she lent him her goggles",
        "user",
        "User lent the tutor goggles",
        "she lent him her goggles",
        WRONG,
    ),
    (
        "my aunt met my tutor at the pool. she lent him her goggles",
        "user's aunt",
        "User's aunt lent the user's tutor her goggles",
        "she lent him her goggles",
        None,
    ),
    ("she broke a vase on the first evening", "user", "User broke a vase", "broke a vase", WRONG),
    ("I broke a vase on the first evening", "user", "User broke a vase", "broke a vase", None),
    (
        "my sister taught me to whittle",
        "user",
        "User taught the user's sister to whittle",
        "taught me to whittle",
        WRONG,
    ),
    (
        "my sister taught me to whittle",
        "user's sister",
        "User's sister taught the user to whittle",
        "my sister taught me to whittle",
        None,
    ),
    (
        "my sister taught me to whittle",
        "user",
        "User was taught to whittle by their sister",
        "my sister taught me to whittle",
        None,
    ),
    ("Minha tia Rosa é professora em Braga", "user", "O usuário é professor em Braga", "é professora em Braga", WRONG),
    (
        "Sou padeiro em Faro. Minha filha Ana é alérgica a nozes.",
        "user",
        "O usuário é alérgico a nozes",
        "é alérgica a nozes",
        WRONG,
    ),
    ("Mi hermano vive en Lugo", "user", "El usuario vive en Lugo", "vive en Lugo", WRONG),
];

#[test]
fn an_opinion_belongs_to_the_one_who_holds_it() {
    check(OPINION_BELONGS);
}

const OPINION_BELONGS: &[Line<'_>] = &[
    (
        "my wife thinks the new bridge is hideous",
        "user",
        "User thinks the new bridge is hideous",
        "the new bridge is hideous",
        WRONG,
    ),
    (
        "my wife thinks the new bridge is hideous",
        "user's wife",
        "User's wife thinks the new bridge is hideous",
        "my wife thinks the new bridge is hideous",
        None,
    ),
    (
        "my boss believes that meetings are sacred",
        "user",
        "User believes that meetings are sacred",
        "meetings are sacred",
        WRONG,
    ),
    (
        "my uncle reckons the new tram is a scandal and moans to the mayor about it daily. i quite like it tbh",
        "user",
        "User quite likes the new tram",
        "my uncle reckons the new tram is a scandal and moans to the mayor about it daily. i quite like it tbh",
        None,
    ),
    (
        "my wife thinks the new bridge is hideous. i rather like it",
        "user",
        "User rather likes the new bridge",
        "my wife thinks the new bridge is hideous. i rather like it",
        None,
    ),
    (
        "I think the new bridge is hideous",
        "user",
        "User thinks the new bridge is hideous",
        "the new bridge is hideous",
        None,
    ),
];

#[test]
fn what_ones_partner_is_one_is_not() {
    check(PARTNER);
}

const PARTNER: &[Line<'_>] = &[
    ("I'm married to a plumber", "user", "User is a plumber", "I'm married to a plumber", WRONG),
    ("I'm married to a plumber", "user", "User is married to a plumber", "I'm married to a plumber", None),
    ("I live with a nurse", "user", "User is a nurse", "I live with a nurse", WRONG),
    ("I was raised by a sailor", "user", "User is a sailor", "raised by a sailor", WRONG),
    ("I work as a plumber", "user", "User is a plumber", "I work as a plumber", None),
    ("I trained with a baker and became a baker", "user", "User became a baker", "became a baker", None),
];

#[test]
fn a_name_in_apposition_names_the_one_before_it() {
    check(NAME_APPOSITION);
}

const NAME_APPOSITION: &[Line<'_>] = &[
    (
        "got two sisters. the younger one, Birgit, is a weaver",
        "Birgit",
        "Birgit, the user's younger sister, is a weaver",
        "the younger one, Birgit, is a weaver",
        None,
    ),
    (
        "got two sisters. the younger one, Birgit, is a weaver",
        "Birgit",
        "Birgit is a weaver",
        "the younger one, Birgit, is a weaver",
        None,
    ),
    (
        "got two sisters. the younger one, Birgit, is a weaver",
        "user",
        "User is a weaver",
        "is a weaver",
        Some(Reason::WrongSpeaker),
    ),
    (
        "the woman downstairs, a Mrs Okafor, turned out to be a judge",
        "Mrs Okafor",
        "Mrs Okafor is a judge",
        "a Mrs Okafor, turned out to be a judge",
        None,
    ),
    (
        "our plumber, a certain Mr Tamm, seems to have been a diver",
        "Mr Tamm",
        "Mr Tamm was a diver",
        "a certain Mr Tamm, seems to have been a diver",
        None,
    ),
    (
        "my neighbour, Dr Silva, fixed the pump",
        "Dr Silva",
        "Dr Silva fixed the pump",
        "my neighbour, Dr Silva, fixed the pump",
        None,
    ),
    (
        "Dr Silva met my uncle, who fixed the pump",
        "Dr Silva",
        "Dr Silva is the user's uncle",
        "Dr Silva met my uncle",
        Some(Reason::WrongSpeaker),
    ),
];

#[test]
fn a_verb_that_says_i_by_its_ending_speaks_of_the_speaker() {
    check(VERB_SAYS);
}

const VERB_SAYS: &[Line<'_>] = &[
    (
        "Od dwóch lat uczę się grać na bębnach",
        "user",
        "Użytkownik od dwóch lat uczy się grać na bębnach",
        "Od dwóch lat uczę się grać na bębnach",
        None,
    ),
    ("Rano biegam nad rzeką", "user", "Użytkownik biega rano nad rzeką", "Rano biegam nad rzeką", None),
    (
        "Moja ciotka biega nad rzeką",
        "user",
        "Użytkownik biega nad rzeką",
        "biega nad rzeką",
        Some(Reason::WrongSpeaker),
    ),
];
