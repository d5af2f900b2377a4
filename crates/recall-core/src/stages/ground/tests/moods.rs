//! What is handed over, played, wished, taken back or given up is no fact about the user; what is told in other languages and spellings is.

use super::*;

const UNSAID: Option<Reason> = Some(Reason::NotAsserted);
const FLIPPED: Option<Reason> = Some(Reason::PolarityFlip);
const SHIFTED: Option<Reason> = Some(Reason::ModalityShift);

#[test]
fn text_to_be_worked_on_tells_nothing_of_the_user() {
    check(&[
        ("translate into Danish: I am a nurse from Lugo", "user", "User is a nurse", "I am a nurse from Lugo", UNSAID),
        ("write a song in which I am a diver from Oban", "user", "User is a diver", "I am a diver from Oban", UNSAID),
        ("reword this: our cat Mina hates visitors", "user", "User has a cat", "our cat Mina", UNSAID),
        ("let's role play. I am a smith with two sons.", "user", "User has two sons", "two sons", UNSAID),
        ("my tenant texted me: I have a leak", "user", "User has a leak", "I have a leak", UNSAID),
        (
            "my main character is a blind sailor",
            "user",
            "User is a blind sailor",
            "a blind sailor",
            Some(Reason::WrongSpeaker),
        ),
        (
            "I'm a beekeeper, translate 'how much is it' into Czech",
            "user",
            "User is a beekeeper",
            "I'm a beekeeper",
            None,
        ),
        ("summarise the book I finished on Monday", "user", "User finished a book", "the book I finished", None),
        ("write a poem about my niece Lotte", "user", "User has a niece called Lotte", "my niece Lotte", None),
    ]);
}

#[test]
fn what_is_taken_back_or_wished_is_no_fact() {
    check(&[
        ("I'm a duke. Just kidding", "user", "User is a duke", "I'm a duke", UNSAID),
        ("I'm a duke too, obviously \u{1f602}", "user", "User is a duke", "I'm a duke too", UNSAID),
        ("I adore ironing /s", "user", "User adores ironing", "I adore ironing", UNSAID),
        ("I won the raffle, not kidding", "user", "User won the raffle", "I won the raffle", None),
        ("we saw the duke \u{1f602}", "user", "User saw the duke", "we saw the duke", None),
        ("they say I snore, which is not true", "user", "User snores", "I snore", FLIPPED),
        ("it's not true that I smoke", "user", "User smokes", "I smoke", FLIPPED),
        ("I live in Lund, no wait, in Malmö", "user", "User lives in Lund", "I live in Lund", NAME),
        ("I live in Lund, no wait, in Malmö", "user", "User lives in Malmö", "in Malmö", None),
        ("I'd love to live in Lund", "user", "User lives in Lund", "I'd love to live in Lund", SHIFTED),
        ("I would really like to row again", "user", "User is rowing again", "like to row again", SHIFTED),
        ("they think I'm rich. That's simply not true.", "user", "User is rich", "I'm rich", FLIPPED),
        ("I'd love a parrot", "user", "User has a parrot", "I'd love a parrot", SHIFTED),
        ("I was vegan until May", "user", "User is vegan", "I was vegan until May", SHIFTED),
        ("sold my old van in May", "user", "User has a van", "sold my old van", FLIPPED),
        ("our dog Bela died in May", "user", "User has a dog", "our dog Bela", FLIPPED),
        ("our dog Bela barked at the van", "user", "User has a dog", "our dog Bela", None),
    ]);
}

#[test]
fn other_languages_deny_and_doubt() {
    check(&[
        ("Ich habe keinen Hund", "user", "Nutzer hat einen Hund", "Ich habe keinen Hund", FLIPPED),
        ("Ich habe keinen Hund", "user", "Nutzer hat keinen Hund", "Ich habe keinen Hund", None),
        ("Vielleicht kaufe ich ein Boot", "user", "Nutzer kauft ein Boot", "kaufe ich ein Boot", SHIFTED),
        ("Ya no vivo en Lugo", "user", "Usuario vive en Lugo", "Ya no vivo en Lugo", FLIPPED),
        ("Nie mam kota", "user", "Użytkownik ma kota", "Nie mam kota", FLIPPED),
        ("Nie mam kota", "user", "Użytkownik nie ma kota", "Nie mam kota", None),
        ("forse compro una barca", "user", "L'utente compra una barca", "forse compro una barca", SHIFTED),
        ("魚は食べません", "user", "ユーザーは魚を食べる", "魚は食べません", FLIPPED),
        ("魚は食べません", "user", "ユーザーは魚を食べない", "魚は食べません", None),
        ("я не курю", "user", "Пользователь курит", "я не курю", FLIPPED),
        ("я живу в Туле и работаю врачом", "user", "Пользователь работает врачом", "работаю врачом", None),
        ("учусь в Туле", "user", "Пользователь учится в Туле", "учусь в Туле", None),
        ("vivo en Lugo", "user", "User lives in Lugo", "vivo en Lugo", None),
        ("ya no vivo en Lugo", "user", "User lives in Lugo", "ya no vivo en Lugo", FLIPPED),
    ]);
}

#[test]
fn everyday_spelling_is_read() {
    check(&[
        ("im in Lugo now", "user", "User lives in Lugo", "im in Lugo now", None),
        ("I'm in Lugo for the weekend", "user", "User lives in Lugo", "I'm in Lugo for the weekend", DETAIL),
        ("my place is in Lugo", "user", "User lives in Lugo", "my place is in Lugo", None),
        ("home is Lugo", "user", "User lives in Lugo", "home is Lugo", None),
        ("I lived in Lugo before but these days I'm in Vigo", "user", "User lives in Vigo", "I'm in Vigo", None),
        ("her place is in Lugo", "user", "User lives in Lugo", "her place is in Lugo", DETAIL),
        ("I have T1 diabetes", "user", "User has type 1 diabetes", "I have T1 diabetes", None),
        ("I have T1 diabetes", "user", "User has type 2 diabetes", "I have T1 diabetes", NUMBER),
        ("its my bday on monday", "user", "User's birthday is on Monday", "its my bday on monday", None),
        ("i doesnt matter, i havent got a car", "user", "User has a car", "i havent got a car", FLIPPED),
    ]);
}

#[test]
fn an_open_pronoun_with_two_candidates_stays_open() {
    check(&[
        ("I met Greta and Ilse. She just moved.", "Greta", "Greta moved", "She just moved", NAME),
        ("I met Greta and Olaf. She just moved.", "Greta", "Greta moved", "She just moved", None),
    ]);
}
