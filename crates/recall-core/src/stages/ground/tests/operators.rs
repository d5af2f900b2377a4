//! What stands over a deed: wanted, asked for, owed, denied, supposed; and how far it reaches.

use super::*;

const SHIFT: Option<Reason> = Some(Reason::ModalityShift);
const FLIP: Option<Reason> = Some(Reason::PolarityFlip);
const NOT: Option<Reason> = Some(Reason::NotAsserted);

#[test]
fn what_is_only_meant_promised_or_asked_for_is_not_done() {
    check(ONLY_MEANT);
}

const ONLY_MEANT: &[Line<'_>] = &[
    (
        "my niece was meant to move to Ghent on Friday but the van never came",
        "user's niece",
        "User's niece moved to Ghent",
        "my niece was meant to move to Ghent on Friday",
        SHIFT,
    ),
    (
        "my brother promised to fix the gutter",
        "user's brother",
        "User's brother fixed the gutter",
        "fix the gutter",
        SHIFT,
    ),
    (
        "my brother promised to fix the gutter",
        "user's brother",
        "User's brother promised to fix the gutter",
        "my brother promised to fix the gutter",
        None,
    ),
    ("we agreed to sell the barge", "user", "User sold the barge", "we agreed to sell the barge", SHIFT),
    ("I offered to repaint the porch", "user", "User repainted the porch", "I offered to repaint the porch", SHIFT),
    (
        "I asked for a refund on the kettle",
        "user",
        "User was refunded for the kettle",
        "I asked for a refund on the kettle",
        SHIFT,
    ),
    (
        "I asked for a refund on the kettle",
        "user",
        "User asked for a refund on the kettle",
        "I asked for a refund on the kettle",
        None,
    ),
    (
        "I applied for the corner flat and got it",
        "user",
        "User got the corner flat",
        "I applied for the corner flat and got it",
        None,
    ),
    ("I'm due to start at the archive in May", "user", "User started at the archive", "start at the archive", SHIFT),
    ("I have an eye test on 3 May", "user", "User has an eye test on 3 May", "I have an eye test on 3 May", None),
    (
        "my dentist appointment is on 3 June",
        "user",
        "User went to the dentist on 3 June",
        "my dentist appointment is on 3 June",
        SHIFT,
    ),
    (
        "went to my dentist appointment on 3 May",
        "user",
        "User went to the dentist on 3 May",
        "went to my dentist appointment on 3 May",
        None,
    ),
    (
        "we wanted to buy a barge and bought one in April",
        "user",
        "User bought a barge in April",
        "we wanted to buy a barge and bought one in April",
        None,
    ),
    (
        "Me gustaría abrir una panadería en Soria",
        "user",
        "El usuario abrió una panadería en Soria",
        "abrir una panadería en Soria",
        SHIFT,
    ),
    (
        "Ich möchte im Herbst ein Ruderboot kaufen",
        "user",
        "Der Nutzer hat ein Ruderboot gekauft",
        "ein Ruderboot kaufen",
        SHIFT,
    ),
    ("Vorrei comprare una barca", "user", "L'utente vorrebbe comprare una barca", "Vorrei comprare una barca", None),
];

#[test]
fn an_answer_stands_in_the_time_of_its_question() {
    let asked = |question: &str, answer: &str, content: &str| {
        let said: Said2<'_> = &[("assistant", question), ("user", answer)];
        judged(&Case { said, claim: ("user", content), quotes: &[(1, question), (2, answer)] }).err()
    };
    let shift = Some(Reason::ModalityShift);
    assert_eq!(asked("Which tent will you bring?", "the small dome", "User brought the small dome tent"), shift);
    assert_eq!(asked("Which tent will you bring?", "the small dome", "User will bring the small dome tent"), None);
    assert_eq!(asked("Which tent did you bring?", "the small dome", "User brought the small dome tent"), None);
    assert_eq!(asked("When will you visit Faro?", "in June", "User visited Faro in June"), shift);
}

#[test]
fn a_verb_of_failing_or_refusing_denies_what_it_governs() {
    check(VERB_FAILING);
}

const VERB_FAILING: &[Line<'_>] = &[
    ("my cousin Ruta failed to pass the bar exam", "Ruta", "Ruta passed the bar exam", "pass the bar exam", FLIP),
    (
        "my cousin Ruta failed to pass the bar exam",
        "Ruta",
        "Ruta did not pass the bar exam",
        "failed to pass the bar exam",
        None,
    ),
    (
        "my cousin Ruta failed to pass the bar exam",
        "Ruta",
        "Ruta failed to pass the bar exam",
        "failed to pass the bar exam",
        None,
    ),
    (
        "I refuse to fly with that airline",
        "user",
        "User flies with that airline",
        "I refuse to fly with that airline",
        FLIP,
    ),
    (
        "I refuse to fly with that airline",
        "user",
        "User refuses to fly with that airline",
        "I refuse to fly with that airline",
        None,
    ),
    ("I forgot to water the ferns", "user", "User watered the ferns", "water the ferns", FLIP),
    ("I forgot to water the ferns", "user", "User did not water the ferns", "I forgot to water the ferns", None),
    (
        "my boss declined to sign the form",
        "user's boss",
        "User's boss signed the form",
        "declined to sign the form",
        FLIP,
    ),
    (
        "my aunt never fails to send a card",
        "user's aunt",
        "User's aunt sends a card",
        "never fails to send a card",
        None,
    ),
    ("I didn't forget to lock the shed", "user", "User locked the shed", "I didn't forget to lock the shed", None),
    ("I don't mind the rain, it's the fog I hate", "user", "User minds the rain", "mind the rain", FLIP),
    (
        "I don't mind the rain, it's the fog I hate",
        "user",
        "User does not mind the rain",
        "I don't mind the rain",
        None,
    ),
    ("neither my mum nor my dad drives", "user's father", "User's father drives", "my dad drives", FLIP),
    ("last week I gave up meat", "user", "User gave up meat last week", "last week I gave up meat", None),
    ("last week I gave up meat", "user", "User eats meat", "I gave up meat", FLIP),
    (
        "he never takes sugar, only milk",
        "user",
        "User never takes sugar, only milk",
        "never takes sugar, only milk",
        Some(Reason::WrongSpeaker),
    ),
    (
        "I never take sugar, only milk",
        "user",
        "User never takes sugar, only milk",
        "I never take sugar, only milk",
        None,
    ),
    ("Je ne mange plus de viande", "user", "L'utilisateur mange de la viande", "mange plus de viande", FLIP),
    ("Je ne mange plus de viande", "user", "L'utilisateur ne mange plus de viande", "Je ne mange plus de viande", None),
    ("Je n'ai jamais fumé", "user", "L'utilisateur a fumé", "Je n'ai jamais fumé", FLIP),
];

#[test]
fn a_denial_or_a_doubt_ends_where_another_clause_begins() {
    check(DENIAL_DOUBT);
}

const DENIAL_DOUBT: &[Line<'_>] = &[
    (
        "Our stove arrives on Monday and I still have no chimney",
        "user",
        "User's stove arrives on Monday",
        "Our stove arrives on Monday",
        None,
    ),
    (
        "The harp comes on Friday and we still have no stool for it",
        "user",
        "User has a stool for the harp",
        "we still have no stool for it",
        FLIP,
    ),
    (
        "The harp comes on Friday and we still have no stool for it",
        "user",
        "User has no stool for the harp",
        "we still have no stool for it",
        None,
    ),
    (
        "I was born in Turku, and one day I might go back to Oulu",
        "user",
        "User was born in Turku",
        "I was born in Turku",
        None,
    ),
    (
        "I was born in Turku, and one day I might go back to Oulu",
        "user",
        "User went back to Oulu",
        "I might go back to Oulu",
        Some(Reason::ModalityShift),
    ),
    ("she doesn't eat eggs and loves tofu", "Ida", "Ida loves tofu", "loves tofu", Some(Reason::UnsupportedName)),
    ("my sister doesn't eat eggs and loves tofu", "user's sister", "User's sister loves tofu", "loves tofu", None),
    (
        "my sister doesn't eat eggs and loves tofu",
        "user's sister",
        "User's sister does not love tofu",
        "loves tofu",
        FLIP,
    ),
    ("I don't smoke or drink", "user", "User drinks", "I don't smoke or drink", FLIP),
    ("my wife and I don't eat pork", "user", "User eats pork", "eat pork", FLIP),
    ("Soy cartera en Vigo y nunca fumo", "user", "La usuaria es cartera en Vigo", "Soy cartera en Vigo", None),
    ("Soy cartera en Vigo y nunca fumo", "user", "La usuaria fuma", "nunca fumo", FLIP),
    ("Ich wohne in Kiel und trinke keinen Kaffee", "user", "Der Nutzer wohnt in Kiel", "Ich wohne in Kiel", None),
    ("Ich wohne in Kiel und trinke keinen Kaffee", "user", "Der Nutzer trinkt Kaffee", "trinke keinen Kaffee", FLIP),
];

#[test]
fn a_supposition_needs_no_if() {
    check(SUPPOSITION_NEEDS);
}

const SUPPOSITION_NEEDS: &[Line<'_>] = &[
    ("suppose I won a caravan, where would I park it", "user", "User won a caravan", "I won a caravan", NOT),
    ("let's say I adopted an owl, what would it eat?", "user", "User adopted an owl", "I adopted an owl", NOT),
    (
        "imagine I lost my passport in Faro",
        "user",
        "User lost their passport in Faro",
        "I lost my passport in Faro",
        NOT,
    ),
    ("suppose I won a caravan, our garden is tiny", "user", "User's garden is tiny", "our garden is tiny", None),
    ("I suppose I like my job", "user", "User likes their job", "I like my job", None),
    (
        "may our landlord forgive us",
        "user's landlord",
        "User's landlord has forgiven them",
        "may our landlord forgive us",
        NOT,
    ),
];

#[test]
fn a_verb_with_its_i_left_out_is_no_question() {
    check(VERB_I);
}

const VERB_I: &[Line<'_>] = &[
    (
        "did a first aid course at the harbour, got a cold there",
        "user",
        "User did a first aid course at the harbour",
        "did a first aid course at the harbour",
        None,
    ),
    (
        "had the boiler serviced in May",
        "user",
        "User had the boiler serviced in May",
        "had the boiler serviced in May",
        None,
    ),
    (
        "was the captain of our chess team for years",
        "user",
        "User was the captain of their chess team for years",
        "was the captain of our chess team",
        None,
    ),
    ("did the plumber come?", "user", "The plumber came", "did the plumber come?", Some(Reason::NotAsserted)),
    (
        "did my brother visit you",
        "user's brother",
        "User's brother visited",
        "did my brother visit you",
        Some(Reason::NotAsserted),
    ),
];
