//! Nouns that stand for people: relatives, and the roles and trades a person may have.

use std::sync::LazyLock;

use fnv::{FnvHashMap, FnvHashSet};

/// One spelling of a relative ("mum" -> "mother"), where the word is one.
pub fn relative(word: &str) -> Option<&'static str> {
    BY_WORD.get(word).copied()
}

static BY_WORD: LazyLock<FnvHashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let mut by_word = FnvHashMap::default();
    for line in RELATIVES.split("; ") {
        let name = line.split(' ').next().unwrap_or_default();
        for word in line.split(' ').filter(|word| !word.is_empty()) {
            by_word.entry(word).or_insert(name);
        }
    }
    by_word
});

/// The word is a role or trade of a person.
pub fn is_role(word: &str) -> bool {
    let singular = word.strip_suffix('s').unwrap_or(word);
    ROLES.contains(word) || ROLES.contains(singular)
}

/// Relative or role.
pub fn is_person(word: &str) -> bool {
    relative(word).is_some() || is_role(word)
}

/// The stem of the singular of an irregular plural.
pub fn root(word: &str) -> Option<&'static str> {
    ROOTS.get(word).map(String::as_str)
}

static ROOTS: LazyLock<FnvHashMap<&'static str, String>> =
    LazyLock::new(|| PLURALS.iter().map(|(plural, singular)| (*plural, super::stem(singular))).collect());

const PLURALS: &[(&str, &str)] = &[
    ("children", "child"),
    ("kids", "child"),
    ("kid", "child"),
    ("wives", "wife"),
    ("men", "man"),
    ("women", "woman"),
    ("people", "person"),
    ("mice", "mouse"),
    ("geese", "goose"),
    ("feet", "foot"),
    ("teeth", "tooth"),
    ("shelves", "shelf"),
    ("lives", "live"),
    ("leaves", "leave"),
    ("knives", "knife"),
    ("wolves", "wolf"),
];

/// First word: the name of the relative; then its other words, those of other languages included.
const RELATIVES: &str = "mother mum mom mommy mummy mama mam ma mutter madre mère mãe matka mamma maminka äiti moeder мать мама माँ; father dad daddy papa pa vater padre père \
    pai padre otec ojciec tata isä vader отец папа पिता; sister sis sisters schwester hermana soeur sœur sorella irmã siostra siostry sestra sestry sisko zus syster søster сестра बहन; brother bro brothers bruder hermano frère fratello irmão bratr brata bratra veli broer bror брат भाई; \
    daughter daughters tochter hija fille figlia filha córka dcera tytär dochter dotter datter дочь дочка बेटी; son sons sohn hijo fils figlio filho syn poika zoon сын बेटा; child kid kids children eldest \
    youngest baby; wife frau esposa femme moglie żona manželka vaimo жена पत्नी; husband hubby mann esposo marido mari marito mąż manžel aviomies муж पति; partner girlfriend \
    boyfriend bf gf spouse fiancé fiancée fiance; grandmother grandma gran granny nan oma großmutter abuela nonna babcia grand-mère avó; \
    grandfather grandpa grandad granddad opa großvater abuelo nonno dziadek grand-père avô; aunt auntie tante tía tia zia ciotka ciocia; uncle onkel tío tio zio oncle wujek oom; cousin \
    cousins primo prima; nephew neffe sobrino; niece nichte sobrina; half-brother; half-sister; stepmother \
    stepmum stepmom; stepfather stepdad; stepson; stepdaughter; stepbrother; stepsister; ex-husband ex-wife ex; sister-in-law; brother-in-law; \
    mother-in-law mum-in-law mom-in-law; father-in-law dad-in-law; in-laws parents-in-law; daughter-in-law; son-in-law; twin twins; parents parent folks; family; grandson granddaughter grandchild \
    grandchildren grandkids; godmother godfather";

static ROLES: LazyLock<FnvHashSet<&'static str>> = LazyLock::new(|| ROLE_WORDS.split_whitespace().collect());

const ROLE_WORDS: &str = "boss manager director chair chairman chairwoman chairperson head leader supervisor foreman \
    colleague coworker teammate flatmate roommate housemate neighbour neighbor friend friends mate landlord landlady tenant \
    doctor dentist nurse surgeon vet veterinarian therapist physiotherapist psychologist pharmacist optician \
    teacher professor lecturer tutor student pupil principal coach trainer instructor \
    engineer developer programmer designer architect analyst scientist researcher technician administrator admin sre \
    lawyer solicitor judge accountant banker clerk secretary assistant receptionist consultant \
    cook chef baker butcher waiter waitress barista bartender farmer gardener florist \
    plumber electrician carpenter builder mechanic welder tailor painter decorator roofer \
    driver pilot sailor captain conductor courier mayor minister politician president owner founder ceo cto cfo \
    writer author journalist editor poet novelist artist sculptor photographer musician singer drummer guitarist actor actress dancer \
    policeman policewoman officer firefighter soldier detective librarian curator archivist translator interpreter \
    midwife deacon priest vicar pastor rabbi imam nun monk nanny babysitter childminder cleaner caretaker janitor \
    plasterer glazier blacksmith cobbler seamstress beekeeper shepherd fisherman postman postwoman mailman paramedic \
    optometrist orthodontist chiropractor osteopath podiatrist dietitian psychiatrist counsellor counselor \
    headteacher headmaster headmistress choirmaster organist pianist violinist cellist referee umpire goalkeeper jockey \
    skipper surveyor bricklayer landscaper diver hairdresser barber saddler weaver \
    winner host hostess seller buyer stranger client customer guest apprentice intern volunteer member mentor lehrer schulleiter \
    mitbewohner mitbewohnerin kollege kollegin nachbar nachbarin freundin chefin colocataire voisin voisine collègue buurman buurvrouw vriendin \
    huisgenoot compañera vecino vecina collega vicino vicina";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyday_words_for_relatives_meet() {
        assert_eq!(relative("mum"), Some("mother"));
        assert_eq!(relative("grandma"), Some("grandmother"));
        assert_eq!(relative("table"), None);
        assert!(is_role("dentists"));
    }
}
