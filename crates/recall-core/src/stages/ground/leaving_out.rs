//! Languages that leave "I" out and say it by the ending of the verb.

use std::sync::LazyLock;

use fnv::FnvHashSet;

use super::passage::Word;
use crate::lexicon::people;

/// "Soy panadera", "Trabajo como …", "Lavoro come …": languages that leave "I" out begin with the verb.
pub(super) fn begins_with_verb(words: &[Word<'_>]) -> bool {
    const LEAVING_OUT: &[&str] = &[
        "como", "un", "una", "unos", "el", "los", "las", "muy", "con", "del", "por", "para", "que", "come", "il",
        "gli", "uno", "di", "molto", "um", "uma", "os", "da", "do", "muito", "hace", "desde", "sempre", "siempre",
    ];
    let opening = words.iter().take_while(|word| opens(&word.text)).count();
    let Some(first) = words.get(opening) else { return false };
    let ends_in_person = || FIRST_PERSON_ENDS.iter().any(|end| first.text.ends_with(end));
    let near = words.get(opening + 1..words.len().min(opening + 5)).unwrap_or_default();
    let told = || near.iter().any(|word| LEAVING_OUT.contains(&&*word.text));
    // "no como carne", "forse compro …", "не курю": behind a denial or a doubt the verb is known by its end.
    let behind = || opening > 0 && words.get(opening - 1).is_some_and(|word| !JOINING.contains(&&*word.text));
    let ended = || {
        first.text.chars().count() > 2
            && (ends_in_person() || BEHIND_DENIAL.iter().any(|end| first.text.ends_with(end)))
    };
    first.capital && ends_in_person() && told()
        || behind() && !first.capital && ended()
        || is_lone_verb(&first.text) && (first.capital || !ENGLISH_TOO.contains(&&*first.text))
}

const JOINING: &[&str] = &["e", "y", "i", "и", "ale", "pero", "ma", "mas", "но", "oraz", "a"];

/// Words of a clause before its verb, by which other languages join, deny and doubt.
fn opens(text: &str) -> bool {
    const OPENING: &[&str] = &[
        "ya",
        "no",
        "non",
        "não",
        "nie",
        "не",
        "nunca",
        "mai",
        "jamás",
        "nigdy",
        "никогда",
        "già",
        "já",
        "już",
        "уже",
        "forse",
        "talvez",
        "quizás",
        "quizá",
        "tal",
        "vez",
        "może",
        "chyba",
        "może",
        "być",
        "может",
        "быть",
        "возможно",
        "наверное",
        "magari",
        "también",
        "anche",
        "também",
        "też",
        "тоже",
    ];
    OPENING.contains(&text) || JOINING.contains(&text)
}

/// Ends of verbs that say "I" in Polish and Russian; nouns have them, too.
const BEHIND_DENIAL: &[&str] = &["ę", "am", "em", "у", "ю"];

/// Verbs of [`LONE_VERBS`] that are also words of English.
const ENGLISH_TOO: &[&str] =
    &["am", "gram", "beau", "jem", "som", "imam", "sono", "amo", "bevo", "cant", "jogo", "sam"];

/// "İzmir'de yaşıyorum": Turkish says "I" at the end of the verb; the other endings need a letter only Turkish has beside them.
pub(super) fn speaks_by_ending(words: &[Word<'_>]) -> bool {
    const NOW: &[&str] = &["yorum", "yoruz"];
    const OTHERWISE: &[&str] = &["dım", "dim", "dum", "düm", "tım", "tim", "acağım", "eceğim", "mışım", "mişim"];
    let ends = |word: &Word<'_>, ends: &[&str]| {
        ends.iter().any(|end| word.text.len() > end.len() + 1 && word.text.ends_with(end))
    };
    let turkish = || words.iter().any(|word| word.text.contains(['ı', 'ğ', 'ş']));
    words.iter().any(|word| ends(word, NOW))
        || words.last().is_some_and(|last| ends(last, OTHERWISE) && turkish())
        || speaks_in_polish(words)
}

/// "Od lat uczę się …", "Rano biegam …": no noun ends so, but a verb that says "I"; somebody of the family takes it over.
fn speaks_in_polish(words: &[Word<'_>]) -> bool {
    const VERBS: &[&str] = &["uję", "szę", "żę", "czę", "dzę", "bię", "wię", "eszę", "jemy", "imy", "amy"];
    let letters = || words.iter().any(|word| word.text.contains(['ą', 'ę', 'ł', 'ś', 'ź', 'ż', 'ń']));
    let says_i = |word: &Word<'_>| {
        word.text.chars().count() > 3
            && (VERBS.iter().any(|end| word.text.ends_with(end)) || word.text.ends_with("am") && !word.capital)
    };
    letters() && words.iter().any(says_i) && !words.iter().any(|word| people::relative(&word.text).is_some())
}

/// Ends of verbs that say "I" in Spanish, Italian and Portuguese.
const FIRST_PERSON_ENDS: &[&str] = &["o", "oy", "é", "í", "amos", "emos", "imos", "iamo", "rei"];

/// Verbs that say "I" by themselves.
fn is_lone_verb(text: &str) -> bool {
    static VERBS: LazyLock<FnvHashSet<&'static str>> =
        LazyLock::new(|| LONE_VERBS.iter().flat_map(|verbs| verbs.split_whitespace()).collect());
    VERBS.contains(text)
}

/// What people most often say of themselves, a line a language: to be, have, live, work, study, play, speak, eat, drink, like, want, drive.
const LONE_VERBS: &[&str] = &[
    "soy estoy tengo vivo quisiera querría trabajo estudio toco juego hablo bebo quiero odio prefiero enseño conduzco nací",
    "sono ho vorrei vivo abito lavoro studio suono gioco parlo mangio bevo amo odio voglio preferisco guido insegno faccio",
    "sou estou tenho gostaria queria moro vivo trabalho estudo toco jogo falo como bebo adoro odeio quero prefiro ensino gosto",
    "jestem mam chciałbym chciałabym mieszkam pracuję studiuję gram mówię jem piję lubię kocham nienawidzę chcę wolę jeżdżę uczę pochodzę",
    "jsem mám bydlím žiji žiju pracuji pracuju studuji studuju hraji hraju mluvím jím piji piju chci nesnáším jezdím učím pocházím",
    "som bývam žijem pracujem študujem hrám hovorím jem pijem chcem jazdím učím",
    "olen asun työskentelen opiskelen soitan pelaan puhun syön juon rakastan vihaan haluan ajan opetan",
    "sunt am locuiesc lucrez studiez cânt vorbesc mănânc beau iubesc urăsc vreau prefer conduc",
    "живу работаю учусь играю говорю ем пью люблю ненавижу хочу езжу преподаю",
    "живу працюю вчуся навчаюся граю говорю їм п'ю люблю хочу їжджу викладаю",
    "vagyok lakom élek dolgozom tanulok játszom beszélek eszem iszom szeretek szeretem utálok akarok",
    "είμαι έχω μένω ζω δουλεύω εργάζομαι σπουδάζω παίζω μιλάω τρώω πίνω αγαπώ θέλω",
    "živim radim imam studiram igram sviram govorim jedem pijem volim mrzim želim vozim",
];
