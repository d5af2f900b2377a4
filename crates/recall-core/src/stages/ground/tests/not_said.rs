//! A name, a number or a detail that nobody said blocks.

use super::*;

#[test]
fn a_name_a_number_or_a_detail_that_was_not_said_blocks() {
    check(NOT_SAID);
}

const NOT_SAID: &[Line<'_>] = &[
    ("I live in Tartu and work as a baker", "user", "User lives in Tallinn", "I live in Tartu", NAME),
    (
        "my brother Anton teaches chemistry in Graz",
        "Anton",
        "Anton teaches chemistry in Linz",
        "my brother Anton teaches chemistry in Graz",
        NAME,
    ),
    (
        "we've got a new kitten, she's called Pebble",
        "user",
        "User has a kitten called Pepper",
        "we've got a new kitten, she's called Pebble",
        NAME,
    ),
    (
        "my brother Anton teaches chemistry",
        "Antonia",
        "Antonia teaches chemistry",
        "my brother Anton teaches chemistry",
        NAME,
    ),
    (
        "my mum turned seventy last week",
        "user's mother",
        "User's mother turned 71 last week",
        "my mum turned seventy last week",
        NUMBER,
    ),
    (
        "I run five kilometres before breakfast",
        "user",
        "User runs fifteen kilometres before breakfast",
        "I run five kilometres before breakfast",
        NUMBER,
    ),
    ("the lease ends in October", "user", "User's lease ends in November", "the lease ends in October", NUMBER),
    ("I pay 640 for the room", "user", "User pays 460 for the room", "I pay 640 for the room", NUMBER),
    (
        "the insurance went from 300 to 380 a year",
        "user",
        "User's insurance is 300 a year",
        "the insurance went from 300 to 380 a year",
        NUMBER,
    ),
    (
        "my brother Anton teaches chemistry in Graz",
        "Anton",
        "Anton teaches physics in Graz",
        "my brother Anton teaches chemistry in Graz",
        DETAIL,
    ),
    ("I live in Tartu and work as a baker", "user", "User works as a pastry chef", "work as a baker", DETAIL),
    ("I sprained my wrist climbing", "user", "User sprained an ankle climbing", "I sprained my wrist climbing", DETAIL),
    ("I play the clarinet in a quartet", "user", "User conducts a quartet", "I play the clarinet in a quartet", DETAIL),
    ("I have an older sister", "user", "User has a younger sister", "I have an older sister", DETAIL),
    ("I help at the food bank", "user", "User is the manager of the food bank", "I help at the food bank", DETAIL),
    (
        "I play the clarinet in a quartet",
        "user",
        "User plays the clarinet professionally in a famous quartet",
        "I play the clarinet in a quartet",
        DETAIL,
    ),
    ("my car is bigger than yours", "user", "User's car is smaller", "my car is bigger than yours", DETAIL),
    ("I speak a little Finnish", "user", "User speaks fluent Finnish", "I speak a little Finnish", DETAIL),
    ("got a dog from the shelter", "user", "User has a cat from the shelter", "got a dog from the shelter", DETAIL),
    ("I work for a bank", "user", "User works for a bank in Zurich", "I work for a bank", NAME),
];
