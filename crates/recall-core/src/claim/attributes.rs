//! What can be claimed of a subject: canonical names with their synonyms, since every reply of a model spells them anew.

use std::sync::LazyLock;

use fnv::FnvHashMap;

use crate::text;

/// How the values of an attribute stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// One value at a time: a later one replaces it.
    One,
    /// Many values side by side; the value alone says which claim it is.
    Many,
    /// Anything: the whole sentence says which claim it is.
    Open,
}

/// The closed list: canonical name, how many values it holds, other spellings. Names stand in snake case.
const TABLE: &[(&str, Holds, &[&str])] = &[
    (
        "home_city",
        Holds::One,
        &[
            "city",
            "residence",
            "current_city",
            "city_of_residence",
            "place_of_residence",
            "lives_in",
            "residence_city",
            "home_town_current",
            "current_residence",
            "current_location_city",
            "home_location",
            "wohnort",
            "ciudad",
            "ville",
            "residencia",
        ],
    ),
    ("home_country", Holds::One, &["country", "country_of_residence", "current_country", "residence_country"]),
    ("home_address", Holds::One, &["address", "street_address", "postal_address", "adresse", "direccion"]),
    (
        "employer",
        Holds::One,
        &[
            "company",
            "works_at",
            "works_for",
            "employed_by",
            "employer_name",
            "current_employer",
            "current_company",
            "arbeitgeber",
            "empresa",
        ],
    ),
    ("job_title", Holds::One, &["position", "job_position", "current_job_title", "professional_title"]),
    (
        "marital_status",
        Holds::One,
        &["relationship_status", "civil_status", "marriage_status", "familienstand", "estado_civil"],
    ),
    (
        "preferred_name",
        Holds::One,
        &[
            "called",
            "goes_by",
            "name_to_use",
            "form_of_address",
            "preferred_first_name",
            "wants_to_be_called",
            "call_me",
        ],
    ),
    ("surname", Holds::One, &["last_name", "family_name", "nachname", "apellido"]),
    ("full_name", Holds::One, &["legal_name", "real_name"]),
    ("shoe_size", Holds::One, &["size_of_shoes", "shoes_size", "foot_size"]),
    ("clothing_size", Holds::One, &["shirt_size", "dress_size", "t_shirt_size"]),
    ("ring_size", Holds::One, &[]),
    ("parking_space", Holds::One, &["parking_spot", "parking_lot_number", "parking_place", "parking_bay"]),
    ("locker_number", Holds::One, &["locker"]),
    ("desk_floor", Holds::One, &["office_floor", "floor_of_desk"]),
    ("office_room", Holds::One, &["room_number", "office_number", "desk_number"]),
    ("house_number", Holds::One, &[]),
    ("postcode", Holds::One, &["zip_code", "postal_code", "zip"]),
    ("phone_number", Holds::One, &["mobile_number", "telephone_number", "telephone"]),
    ("email_address", Holds::One, &["email", "e_mail", "mail_address"]),
    ("timezone", Holds::One, &["time_zone"]),
    ("birthday", Holds::One, &["date_of_birth", "birth_date", "birthdate", "dob", "geburtstag"]),
    ("birth_year", Holds::One, &["year_of_birth"]),
    ("birthplace", Holds::One, &["place_of_birth", "born_in"]),
    ("blood_type", Holds::One, &["blood_group"]),
    ("height", Holds::One, &["body_height"]),
    ("weight", Holds::One, &["body_weight"]),
    ("age", Holds::One, &["current_age", "age_in_years", "years_old"]),
    (
        "number_of_children",
        Holds::One,
        &["children_count", "child_count", "number_of_kids", "kids_count", "how_many_children"],
    ),
    ("eye_colour", Holds::One, &["eye_color"]),
    ("answer_language", Holds::One, &["preferred_language", "reply_language", "response_language"]),
    ("answer_length", Holds::One, &["reply_length", "response_length"]),
    ("pronouns", Holds::One, &["preferred_pronouns"]),
    ("allergy", Holds::Many, &["allergies", "allergic_to", "alergia", "allergie"]),
    ("intolerance", Holds::Many, &["intolerances", "food_intolerance"]),
    ("diet", Holds::Many, &["dietary_preference", "dietary_restriction", "eating_habit"]),
    ("likes", Holds::Many, &["like", "loves", "enjoys", "fond_of", "interest", "interests"]),
    ("dislikes", Holds::Many, &["dislike", "hates", "aversion"]),
    ("hobby", Holds::Many, &["hobbies", "pastime", "leisure_activity", "hobby_interest"]),
    ("sport", Holds::Many, &["sports", "plays_sport"]),
    ("instrument", Holds::Many, &["plays_instrument", "musical_instrument", "instrumento"]),
    ("language", Holds::Many, &["languages", "speaks", "spoken_language"]),
    ("native_language", Holds::Many, &["mother_tongue", "first_language"]),
    ("nationality", Holds::Many, &["citizenship"]),
    ("religion", Holds::Many, &["faith"]),
    ("owns", Holds::Many, &["has", "possession", "possessions", "ownership", "own"]),
    ("bicycle", Holds::Many, &["bike", "fahrrad", "bicicleta"]),
    ("car", Holds::Many, &["vehicle", "automobile", "auto", "coche"]),
    ("pet", Holds::Many, &["pets", "owns_pet", "haustier", "mascota"]),
    ("pet_name", Holds::Many, &["name_of_pet", "dog_name", "cat_name"]),
    ("child_name", Holds::Many, &["children_names", "son_name", "daughter_name", "name_of_child"]),
    ("partner_name", Holds::Many, &["spouse_name", "wife_name", "husband_name", "girlfriend_name", "boyfriend_name"]),
    ("medication", Holds::Many, &["medicine", "takes_medication", "medications"]),
    ("medical_condition", Holds::Many, &["condition", "illness", "disease", "diagnosis", "chronic_condition"]),
    ("occupation", Holds::Many, &["profession", "beruf", "profesion", "metier", "profession_name"]),
    ("workplace", Holds::Many, &["place_of_work", "work_location", "work_place"]),
    ("skill", Holds::Many, &["skills", "ability"]),
    ("education", Holds::Many, &["degree", "qualification"]),
    ("school", Holds::Many, &["university", "college", "alma_mater"]),
    ("hometown", Holds::Many, &["home_town", "place_of_origin"]),
    ("favourite_colour", Holds::Many, &["favorite_color", "favorite_colour", "favourite_color"]),
    ("favourite_food", Holds::Many, &["favorite_food", "favorite_dish", "favourite_dish"]),
    ("phobia", Holds::Many, &["fear", "fears", "afraid_of"]),
];

static NAMES: LazyLock<FnvHashMap<&'static str, (&'static str, Holds)>> = LazyLock::new(|| {
    let mut names = FnvHashMap::default();
    for (name, holds, synonyms) in TABLE {
        names.insert(*name, (*name, *holds));
        for synonym in *synonyms {
            names.insert(*synonym, (*name, *holds));
        }
    }
    names
});

/// The canonical name of an attribute and how its values stand to each other. Unknown names stay as they are, folded, and open.
pub fn canonical(raw: &str) -> (String, Holds) {
    let snake = snake(raw);
    match NAMES.get(snake.as_str()) {
        Some((name, holds)) => ((*name).to_owned(), *holds),
        None => (snake, Holds::Open),
    }
}

/// Whether a later value of this attribute replaces an earlier one. Takes canonical names and synonyms.
pub fn is_single_valued(attribute: &str) -> bool {
    canonical(attribute).1 == Holds::One
}

/// Folded, words joined by underscores, without a leading `user_`, `current_` article or possessive.
fn snake(raw: &str) -> String {
    let folded = text::fold(raw);
    let mut words: Vec<&str> = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    while words.len() > 1
        && words.first().is_some_and(|word| matches!(*word, "user" | "users" | "s" | "the" | "a" | "my" | "their"))
    {
        words.remove(0);
    }
    words.join("_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_spellings_meet_the_canonical_name() {
        let table = [
            ("Home City", "home_city"),
            ("current city", "home_city"),
            ("user_employer", "employer"),
            ("works-at", "employer"),
            ("bike", "bicycle"),
            ("Last name", "surname"),
            ("the user's shoe size", "shoe_size"),
            ("something of its own", "something_of_its_own"),
        ];
        for (raw, name) in table {
            assert_eq!(canonical(raw).0, name, "{raw}");
        }
    }

    #[test]
    fn one_home_at_a_time_but_many_likings() {
        for one in [
            "home_city",
            "employer",
            "job_title",
            "marital_status",
            "preferred_name",
            "surname",
            "shoe_size",
            "parking_space",
            "locker_number",
            "desk_floor",
            "age",
            "number_of_children",
        ] {
            assert!(is_single_valued(one), "{one}");
        }
        for many in ["likes", "owns", "hobby", "sport", "language", "occupation", "child_name", "plan", "has", "habit"]
        {
            assert!(!is_single_valued(many), "{many}");
        }
    }

    #[test]
    fn no_spelling_stands_for_two_attributes() {
        let all = TABLE.iter().flat_map(|(name, _, synonyms)| std::iter::once(name).chain(*synonyms));
        let mut seen = std::collections::HashSet::new();
        for spelling in all {
            assert!(seen.insert(spelling), "{spelling}");
        }
    }
}
