//! Deleted claims that come back in far other words, and claims that only look like them; own sentences, by the kind of what differs.

use super::*;
use crate::id::SuppressionId;
use crate::keys::{Key, KeyRing};
use ulid::Ulid;

/// Whether a claim is known again as a deleted one.
fn is_known(deleted: &str, claim: &str) -> bool {
    let ring = KeyRing::new(Key::new("k1", "one"), Vec::new());
    let subject = subject_of(deleted);
    let id = SuppressionId::new(Ulid(1));
    let entry = suppression_of(&Statement::sentence(deleted, &subject), Vec::new(), ring.current(), id);
    known_again(&Statement::sentence(claim, &subject), &[], &[entry], &ring).is_some()
}

/// What differs, the deleted claim, and what is claimed now.
type Row = (&'static str, &'static str, &'static str);

/// The same claim.
const SAME: &[Row] = &[
    ("letters", "User is divorced", "User is d\u{200b}ivor\u{200c}ced"),
    ("letters", "User is divorced", "User is d i v o r c e d"),
    ("letters", "User is divorced", "User is d.i.v.o.r.c.e.d"),
    ("letters", "User is divorced", "Usеr is divоrсed"),
    ("letters", "User owns a shotgun", "User owns a sh0tgun"),
    ("letters", "User owns a shotgun", "User\u{3000}owns  a \u{ff53}\u{ff48}\u{ff4f}\u{ff54}\u{ff47}\u{ff55}\u{ff4e}"),
    ("letters", "User owns a shotgun", "USER OWNS A SHOTGUN"),
    ("letters", "User takes lithium", "User takes lіthіum"),
    ("letters", "User tаkes lithium", "User takes lithium"),
    ("letters", "User is \u{1d41d}ivorced", "User is divorced"),
    ("letters", "User was in rehab", "User was in re\u{ad}hab"),
    ("letters", "User was in rehab", "User was in r-e-h-a-b"),
    ("numbers", "User owes twelve thousand euros", "User owes 12,000 euros"),
    ("numbers", "User owes 12000 euros", "User owes twelve thousand euros"),
    ("numbers", "User is forty-three years old", "User is 43 years old"),
    ("numbers", "User is 43 years old", "User is forty three years old"),
    ("numbers", "User weighs 105 kilos", "User weighs one hundred and five kilos"),
    ("numbers", "User has six stitches in the left hand", "User has 6 stitches in the left hand"),
    ("numbers", "User earns 1 850 euros a month", "User earns 1850 euros a month"),
    ("dates", "User was born on 3 May 1990", "User was born on May 3rd, 1990"),
    ("dates", "User was born on 3 May 1990", "User was born on 1990-05-03"),
    ("dates", "User was born on 03.05.1990", "User was born on the third of May 1990"),
    ("dates", "User had surgery on June 21", "User had surgery on 21 June"),
    ("dates", "User had surgery on June 21", "User had surgery on the twenty-first of June"),
    ("dates", "User sees the probation officer at 7:30 pm", "User sees the probation officer at 19:30"),
    ("forms", "User was fired by the bakery", "The bakery fired the user"),
    ("forms", "User drinks every evening", "User drank every evening"),
    ("forms", "User gambles online", "User has been gambling online"),
    ("forms", "User stole a bicycle", "A bicycle was stolen by the user"),
    ("forms", "User's visa was refused by the consulate", "The consulate refused the user's visa"),
    ("forms", "User hid the letters", "User has hidden the letters"),
    ("forms", "User had a miscarriage", "User miscarried"),
    ("forms", "User failed the driving exam", "User's driving exam was failed"),
    ("forms", "User's house was searched by the police", "The police searched the user's house"),
    ("synonyms", "User sees a psychiatrist", "User is seeing a psychiatrist"),
    ("synonyms", "User sees a therapist", "User goes to a psychologist"),
    ("synonyms", "User has HIV", "User is HIV-positive"),
    ("synonyms", "User smokes marijuana", "User smokes cannabis"),
    ("synonyms", "User smokes weed", "User smokes cannabis"),
    ("synonyms", "User is an alcoholic", "User is addicted to alcohol"),
    ("synonyms", "User terminated a pregnancy", "User had an abortion"),
    ("synonyms", "User was evicted from the flat", "User was thrown out of the flat"),
    ("synonyms", "User was sacked in June", "User was made redundant in June"),
    ("synonyms", "User is in prison", "User is behind bars"),
    ("synonyms", "User went bankrupt", "User declared bankruptcy"),
    ("synonyms", "User cheated on the husband", "User was unfaithful to the husband"),
    ("synonyms", "User takes antidepressants", "User is on antidepressants"),
    ("accents", "User lives in Łódź", "User lives in Lodz"),
    ("accents", "User lives in Malmo", "User lives in Malmö"),
    ("accents", "User works for Müller", "User works for Mueller"),
    ("accents", "User works for Schröder", "User works for Schroder"),
    ("accents", "User dates José", "User dates Jose"),
    ("accents", "User is allergic to jalapeño", "User is allergic to jalapeno"),
    ("accents", "User lives in the Weißgasse", "User lives in the Weissgasse"),
    ("accents", "User est allergique à la pêche", "User est allergique a la peche"),
];

/// Another claim.
const OTHER: &[Row] = &[
    ("denied", "User is divorced", "User is not divorced"),
    ("denied", "User owns a shotgun", "User does n0t own a shotgun"),
    ("denied", "User takes lithium", "User n\u{200b}ever takes lithium"),
    ("denied", "User is forty-three years old", "User is not 43 years old"),
    ("denied", "User was fired by the bakery", "The bakery did not fire the user"),
    ("denied", "User smokes weed", "User does not smoke cannabis"),
    ("numbers", "User is forty-three years old", "User is 34 years old"),
    ("numbers", "User owes twelve thousand euros", "User owes 12 euros"),
    ("numbers", "User owes 12,000 euros", "User owes twelve hundred euros"),
    ("dates", "User was born on 3 May 1990", "User was born on 5 March 1990"),
    ("dates", "User was born on 3 May 1990", "User was born on 1991-05-03"),
    ("dates", "User had surgery on June 21", "User had surgery on May 21"),
    ("dates", "User had surgery on 21 May", "User had surgery on 21 June"),
    ("dates", "User sees the probation officer at 7:30 pm", "User sees the probation officer at 7:30 am"),
    ("names", "User lives in Łódź", "User lives in Loznica"),
    ("names", "User works for Müller", "User works for Miller"),
    ("names", "User dates José", "User dates Josef"),
    ("others", "User was fired by the bakery", "The bakery was fired at by the user"),
    ("others", "User stole a bicycle", "A bicycle was stolen from the user"),
    ("others", "User smokes cannabis", "User sells garden pots"),
    ("others", "User sees a psychologist", "User plays chess with a psychologist"),
    ("others", "User is an alcoholic", "User buys alcohol for the cleaning"),
    ("others", "User sees a therapist", "User sees a gardener"),
    ("others", "User smokes weed", "User pulls weeds"),
    ("others", "User had an abortion", "User had an operation on the knee"),
    ("split", "User takes lithium and sleeps badly", "User sleeps on the sofa"),
    ("split", "User owes 12,000 euros to the casino", "User went to the casino"),
    ("split", "User was born on 3 May 1990 in Malmö", "User flew to Malmö"),
];

fn wrong(rows: &[Row], known: bool) -> Vec<&Row> {
    rows.iter().filter(|(_, deleted, claim)| is_known(deleted, claim) != known).collect()
}

#[test]
fn a_deleted_claim_is_known_again_however_it_is_written_and_put() {
    let missed = wrong(SAME, true);
    assert!(missed.is_empty(), "{} of {} missed: {missed:#?}", missed.len(), SAME.len());
}

#[test]
fn what_only_looks_like_a_deleted_claim_may_be_learnt() {
    let caught = wrong(OTHER, false);
    assert!(caught.is_empty(), "{} of {} caught: {caught:#?}", caught.len(), OTHER.len());
}

#[test]
fn a_value_told_of_somebody_else_may_be_learnt() {
    let ring = KeyRing::new(Key::new("k1", "one"), Vec::new());
    let [user, other] = [1, 2].map(|number| crate::id::EntityId::new(Ulid(number)));
    for (deleted, claim, subject) in [
        ("User takes lithium", "Ida takes lithium", "Ida"),
        ("User is forty-three years old", "Ida is 43 years old", "Ida"),
        ("User lives in Łódź", "Ida lives in Lodz", "Ida"),
    ] {
        let id = SuppressionId::new(Ulid(1));
        let told = Statement::sentence(deleted, "user");
        let entry = suppression_of(&told, vec![user.clone()], ring.current(), id);
        let statement = Statement::sentence(claim, subject);
        assert!(known_again(&statement, std::slice::from_ref(&other), std::slice::from_ref(&entry), &ring).is_none());
        let again = Statement::sentence(deleted, "user");
        assert!(known_again(&again, std::slice::from_ref(&user), &[entry], &ring).is_some(), "{deleted}");
    }
}

/// An entry as the first build of the first normaliser wrote it: later builds have to know its claim again, in other spellings as well.
#[test]
fn an_entry_that_was_stored_long_ago_still_keeps_its_claim_away() {
    let stored = r#"{"id":"rsp_00000000000000000000000001","entities":[],"polarity":"positive",
        "attribute":"bdc560be517bad9e21d449b08481482c","parts":[
        {"hash":"45f2d3cfe79d60227df4524e4b63c7a0","weight":1.0,"kind":"word"},
        {"hash":"aca4e3112b76f52b4b3ea559db4468a1","weight":1.0,"kind":"word"},
        {"hash":"8b60a33f2b8c77ef59472b1c4a59a9f8","weight":1.0,"kind":"pair"},
        {"hash":"88d12b7af0064e179412e122a738aaaa","weight":1.0,"kind":"pair"}],"normaliser":1,"key_id":"k1"}"#;
    let entry: Suppression = serde_json::from_str(stored).unwrap();
    let ring = KeyRing::new(Key::new("k1", "one"), Vec::new());
    let known = |claim: &str| {
        known_again(&Statement::sentence(claim, "user"), &[], std::slice::from_ref(&entry), &ring).is_some()
    };
    assert!(known("User owns a shotgun") && known("User still owns a sh0tgun") && known("USER OWNS A SHOTGUN"));
    assert!(!known("User does not own a shotgun") && !known("User owns a canoe"));
    let told = Statement::sentence("User owns a shotgun", "user");
    let made_now = suppression_of(&told, Vec::new(), ring.current(), entry.id.clone());
    assert_eq!(Suppression { normaliser: entry.normaliser, ..made_now }, entry, "plain words are taken apart as then");
}
