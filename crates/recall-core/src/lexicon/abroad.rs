//! Languages besides English, as far as grounding needs them: words for the user, and words that carry no claim.

use std::sync::LazyLock;

use fnv::FnvHashSet;

/// A folded word stands for the owner of the scope, in any of the languages met most.
pub fn is_user(word: &str) -> bool {
    let word = word.strip_prefix("l'").or_else(|| word.strip_prefix("dell'")).unwrap_or(word);
    USERS.contains(&word) || STEMS.iter().any(|stem| word.starts_with(stem))
}

/// A folded word carries nothing in a claim that is not English. English has some of them as words with content ("son", "men", "die").
pub fn is_function(word: &str) -> bool {
    FUNCTION.contains(word)
}

const USERS: &[&str] = &[
    "user",
    "user's",
    "users",
    "nutzer",
    "nutzers",
    "nutzerin",
    "utente",
    "utenti",
    "bruger",
    "brugeren",
    "brugerens",
    "brukeren",
    "brukerens",
    "用户",
    "用",
    "户",
    "使用者",
    "उपयोगकर्ता",
    "पयोगकर्ता",
    "المستخدم",
    "المستخدمة",
];

/// What such words begin with in languages that change their ends.
const STEMS: &[&str] = &[
    "benutzer",
    "usuari",
    "usuári",
    "utilisat",
    "utilizad",
    "utilizator",
    "gebruiker",
    "användar",
    "użytkowni",
    "uživatel",
    "používateľ",
    "käyttäj",
    "felhasznál",
    "kullanıcı",
    "пользовател",
    "користувач",
    "потребител",
    "χρήστ",
    "ユーザ",
    "사용자",
    "המשתמש",
    "משתמש",
];

static FUNCTION: LazyLock<FnvHashSet<&'static str>> =
    LazyLock::new(|| WORDS.iter().flat_map(|words| words.split_whitespace()).collect());

/// Articles, prepositions, conjunctions, pronouns, and the forms of "to be" and "to have"; a line a language or a few that share words.
const WORDS: &[&str] = &[
    "le la les l' un une des du de d' à a au aux en et ou est sont suis es ai as avons avez ont ce cette son sa ses leur leurs mon ma mes ne \
     pas dans pour par sur avec chez depuis que qui se y il elle ils elles on nous",
    "il lo la i gli le un uno una di da a in con su per tra fra del dello della dell' dei degli delle al alla ai nel nella dal dalla dai e ed o è \
     ho hai ha abbiamo hanno sono sei siamo mio mia miei mie suo sua suoi sue loro che non si lui lei",
    "o a os as um uma de do da dos das em no na nos nas por para com e ou é sou são tem tenho têm temos meu minha meus minhas seu sua seus \
     suas que não se há desde ele ela",
    "y o de del al el la los las un una en con por para es soy son tiene tengo tienen tenemos mi mis su sus que no se hay desde",
    "der die das den dem des ein eine einen einem einer und oder ist bin sind hat habe haben mein meine meinen sein seine ihr ihre nicht mit von \
     zu zum zur bei in im am auf für seit als",
    "de het een en of is ben zijn heeft heb hebben mijn haar hun niet die dat in op met voor aan bij van sinds te",
    "en ett et och og eller i på med för for av till til är er har min mitt mine sin sitt sina hans hennes inte ikke som den det de att at",
    "w we z ze na do od i a o u jest jestem są mam ma mają mamy mój moja moje moją mojego swój swoją jego jej ich się nie który która że po za \
     przez jako",
    "v ve s se z ze na do od i a o u je jsem jsou mám má mají můj moje moji jeho její ne který která po za jako",
    "ja tai on olen ovat minulla hänellä minun hänen ei mutta että",
    "ve bir ile için benim onun değil var da de",
    "a az egy és vagy van vagyok nem hogy",
    "un o de la în cu pe și sau este sunt am are au meu mea mei său sa nu că",
    "в во с со на к ко от до из и а о об у по за я мой моя моё мои его её их не есть что как это",
    "з із зі на до від і й та у в по за я мій моя моє мої його її їх не є що як це",
    "ο η το οι τα και σε με για είναι είμαι έχω έχει δεν μου του της στο στη στην από",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_is_known_in_every_case() {
        for word in [
            "user",
            "utilisatrice",
            "l'utilisateur",
            "użytkownika",
            "uživatelka",
            "käyttäjän",
            "пользователя",
            "usuária",
        ] {
            assert!(is_user(word), "{word}");
        }
        for word in ["use", "utile", "usual", "brug", "gebruik", "kuchnia"] {
            assert!(!is_user(word), "{word}");
        }
    }
}
