//! Nouns for people and animals, with their usual gender: a sister is an antecedent like a name.

/// What a noun stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// A relative or partner.
    Kin,
    /// A person in a role.
    Role,
    /// An animal.
    Animal,
}

/// A noun of the table.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Noun {
    /// The form it is kept in: `mum` is `mother`.
    pub(super) lemma: String,
    /// What it stands for.
    pub(super) sort: Sort,
    /// Share of women, where the word tells.
    pub(super) female: Option<f32>,
    /// More than one.
    pub(super) plural: bool,
}

struct Row {
    sort: Sort,
    female: Option<f32>,
    words: &'static str,
}

/// `word` or `word=kept form`.
const ROWS: [Row; 8] = [
    Row {
        sort: Sort::Kin,
        female: Some(1.0),
        words: "mother mum=mother mom=mother mommy=mother mummy=mother mama=mother sister daughter wife aunt \
                auntie=aunt niece grandmother grandma=grandmother granny=grandmother gran=grandmother \
                nana=grandmother nan=grandmother girlfriend fiancee fiancée granddaughter goddaughter godmother \
                stepmom=stepmother stepmum=stepmother stepmother stepsister stepdaughter sis=sister",
    },
    Row {
        sort: Sort::Kin,
        female: Some(0.0),
        words: "father dad=father daddy=father papa=father brother son husband hubby=husband uncle nephew grandfather \
                grandpa=grandfather grandad=grandfather granddad=grandfather boyfriend fiance fiancé grandson godson \
                godfather stepdad=stepfather stepfather stepbrother stepson bro=brother",
    },
    Row {
        sort: Sort::Kin,
        female: None,
        words: "cousin partner spouse child kid baby toddler parent sibling grandparent grandchild grandkid=grandchild \
                twin ex relative in-law godchild stepchild son-in-law=son-in-law",
    },
    Row {
        sort: Sort::Role,
        female: Some(0.95),
        words: "woman girl lady landlady waitress actress hostess stewardess queen princess bride nun midwife nanny \
                businesswoman saleswoman policewoman chairwoman bridesmaid schoolgirl heroine",
    },
    Row {
        sort: Sort::Role,
        female: Some(0.05),
        words: "man guy boy gentleman bloke dude king prince groom monk waiter policeman fireman salesman businessman \
                chairman postman handyman lad priest fella milkman",
    },
    Row {
        sort: Sort::Role,
        female: None,
        words: "friend flatmate roommate housemate classmate teammate colleague coworker co-worker workmate boss manager \
                supervisor neighbour neighbor teacher doctor dentist therapist coach landlord tenant lodger client \
                customer student pupil tutor trainer plumber electrician mechanic nurse vet veterinarian lawyer solicitor \
                accountant barber hairdresser surgeon physio physiotherapist director chef cook driver officer \
                professor instructor mentor mentee intern apprentice assistant secretary receptionist interviewer \
                recruiter candidate employer employee carpenter painter gardener cleaner babysitter childminder \
                optician pharmacist psychologist psychiatrist counsellor counselor consultant advisor adviser agent \
                editor author writer singer guitarist drummer pianist actor player captain pilot journalist reporter \
                photographer person guest host stranger visitor volunteer judge pastor rabbi imam builder farmer baker \
                butcher librarian principal headmaster headteacher bandmate buddy pal mate companion leader founder \
                owner guide musician artist scientist engineer developer programmer designer architect patient",
    },
    Row {
        sort: Sort::Animal,
        female: None,
        words: "dog cat puppy pup kitten kitty horse pony rabbit bunny hamster parrot budgie bird fish goldfish tortoise \
                turtle snake lizard gecko hen goat sheep lamb pig donkey ferret pet guinea-pig monkey spaniel terrier \
                labrador poodle retriever calf foal chick mouse rat canary cockatoo",
    },
    Row { sort: Sort::Animal, female: Some(0.95), words: "cow mare ewe" },
];

const IRREGULAR: [(&str, &str); 9] = [
    ("children", "child"),
    ("people", "person"),
    ("men", "man"),
    ("women", "woman"),
    ("wives", "wife"),
    ("mice", "mouse"),
    ("folks", "parent"),
    ("grandchildren", "grandchild"),
    ("gentlemen", "gentleman"),
];

use std::sync::LazyLock;

use fnv::FnvHashMap;

static SINGULAR: LazyLock<FnvHashMap<&'static str, (&'static str, &'static Row)>> = LazyLock::new(|| {
    let entries = ROWS.iter().flat_map(|row| row.words.split_whitespace().map(move |entry| (entry, row)));
    entries
        .map(|(entry, row)| match entry.split_once('=') {
            Some((word, lemma)) => (word, (lemma, row)),
            None => (entry, (entry, row)),
        })
        .collect()
});

/// The noun for a person or animal that a folded word is.
pub(super) fn noun(word: &str) -> Option<Noun> {
    if let Some(found) = singular(word) {
        return Some(found);
    }
    let irregular = IRREGULAR.iter().find(|(plural, _)| *plural == word).map(|(_, one)| (*one).to_owned());
    let one = irregular.or_else(|| singular_form(word))?;
    let found = singular(&one)?;
    Some(Noun { lemma: word.to_owned(), plural: true, ..found })
}

fn singular_form(word: &str) -> Option<String> {
    let stem = word.strip_suffix('s')?;
    let is_known = |one: &&str| SINGULAR.contains_key(one);
    let same = [Some(stem), stem.strip_suffix('e')].into_iter().flatten().find(is_known).map(str::to_owned);
    same.or_else(|| {
        stem.strip_suffix("ie").map(|stem| format!("{stem}y")).filter(|one| SINGULAR.contains_key(one.as_str()))
    })
}

/// "ex-husband", "half-brother", "step-mum", "mother-in-law" go by their noun and keep their first or last part.
fn singular(word: &str) -> Option<Noun> {
    if let Some((lemma, row)) = SINGULAR.get(word) {
        return Some(Noun { lemma: (*lemma).to_owned(), sort: row.sort, female: row.female, plural: false });
    }
    if let Some(head) = word.strip_suffix("-in-law") {
        let found = singular(head)?;
        return Some(Noun { lemma: format!("{}-in-law", found.lemma), ..found });
    }
    let (front, head) = word.split_once('-')?;
    let kept = matches!(front, "ex" | "half" | "step" | "great" | "co" | "foster" | "grand" | "god" | "vice");
    let found = kept.then(|| singular(head)).flatten()?;
    Some(Noun { lemma: format!("{front}-{}", found.lemma), ..found })
}

/// Kin that need no "my": "Grandma used to say".
pub(super) fn stands_alone(word: &str) -> bool {
    static ALONE: super::lexicon::Words = LazyLock::new(|| {
        super::lexicon::words(
            "mum mom mommy mummy mama dad daddy papa grandma granny gran nana grandpa grandad granddad hubby \
        sis bro mother father grandmother grandfather",
        )
    });
    ALONE.contains(word)
}
