//! What was said stays, in whatever words it is told.

use super::*;

#[test]
fn what_was_said_is_kept_though_the_words_differ() {
    check(SAID);
}

pub(super) const SAID: &[Line<'_>] = &[
    ("I live in Tartu and work as a baker", "user", "User lives in Tartu", "I live in Tartu", None),
    ("I live in Tartu and work as a baker", "user", "User works as a baker", "work as a baker", None),
    (
        "we've got a new kitten, she's called Pebble",
        "user",
        "User has a kitten called Pebble",
        "we've got a new kitten, she's called Pebble",
        None,
    ),
    (
        "my mum turned seventy last week",
        "user's mother",
        "User's mother turned 70 last week",
        "my mum turned seventy last week",
        None,
    ),
    ("bought a sailing boat off an old colleague", "user", "User bought a sailing boat", "bought a sailing boat", None),
    ("I quit smoking two years ago", "user", "User quit smoking two years ago", "I quit smoking two years ago", None),
    (
        "my brother Anton teaches chemistry in Graz",
        "Anton",
        "Anton teaches chemistry in Graz",
        "my brother Anton teaches chemistry in Graz",
        None,
    ),
    ("I don't drink coffee, it gives me headaches", "user", "User does not drink coffee", "I don't drink coffee", None),
    (
        "I can't wait for the choir trip to Riga",
        "user",
        "User is looking forward to the choir trip to Riga",
        "I can't wait for the choir trip to Riga",
        None,
    ),
    (
        "my knee has been hurting since the marathon",
        "user",
        "User's knee has been hurting since the marathon",
        "my knee has been hurting since the marathon",
        None,
    ),
    (
        "I take the tram to work every morning",
        "user",
        "User takes the tram to work every morning",
        "I take the tram to work every morning",
        None,
    ),
    (
        "I'm going to repaint the hallway this weekend",
        "user",
        "User is going to repaint the hallway this weekend",
        "I'm going to repaint the hallway this weekend",
        None,
    ),
    (
        "I'm thinking of learning the cello",
        "user",
        "User is thinking of learning the cello",
        "I'm thinking of learning the cello",
        None,
    ),
    ("used to be a lifeguard, long ago", "user", "User used to be a lifeguard", "used to be a lifeguard", None),
    ("I hate olives with a passion", "user", "User hates olives", "I hate olives", None),
    (
        "my neighbour Piet lent me his ladder",
        "Piet",
        "Piet lent the user his ladder",
        "my neighbour Piet lent me his ladder",
        None,
    ),
    ("thunderstorms frighten me", "user", "Thunderstorms frighten the user", "thunderstorms frighten me", None),
    ("I've never been to Iceland", "user", "User has never been to Iceland", "I've never been to Iceland", None),
    (
        "we moved to a smaller flat in March",
        "user",
        "User moved to a smaller flat in March",
        "we moved to a smaller flat in March",
        None,
    ),
    ("our daughter Lotte started school", "Lotte", "Lotte started school", "our daughter Lotte started school", None),
];
