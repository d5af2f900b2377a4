//! What the matcher takes for the same.

use super::*;

fn told<'t>(content: &'t str, subject: &'t str, language: &'t str) -> Told<'t> {
    Told { content, subject, negative: false, language: Some(language) }
}

fn gold(claim: &str, subject: &str, keywords: &[&[&str]], polarity: Polarity) -> Gold {
    let keywords = keywords.iter().map(|group| group.iter().map(|word| (*word).to_owned()).collect()).collect();
    Gold {
        id: "g".into(),
        claim: claim.into(),
        subject: subject.into(),
        keywords,
        turns: Vec::new(),
        date: None,
        hedged: false,
        polarity,
        replaced_by: None,
    }
}

#[test]
fn a_fact_is_found_by_its_keywords_of_the_same_person_told_the_same_way() {
    let allotment = gold("User has an allotment in Bergen", "user", &[&["allotment"], &["Bergen"]], Polarity::Positive);
    for (content, subject, is) in [
        ("User rents an allotment near Bergen", "user", true),
        ("The user keeps allotments in BERGEN", "user", true),
        ("User has an allotment", "user", false),
        ("User has no allotment in Bergen", "user", false),
        ("User's sister has an allotment in Bergen", "user's sister", false),
        ("User's sister has an allotment in Bergen", "user", false),
        ("Priya has an allotment in Bergen", "Priya", false),
    ] {
        assert_eq!(tells(&told(content, subject, "en"), &allotment), is, "{content} of {subject}");
    }
    let denied = gold("User doesn't eat meat", "user", &[&["meat"]], Polarity::Negative);
    assert!(tells(&told("User eats no meat", "user", "en"), &denied));
    assert!(tells(&told("User stopped eating meat", "user", "en"), &denied));
    assert!(!tells(&told("User eats meat", "user", "en"), &denied));
    assert!(tells(&Told { negative: true, ..told("User eats meat", "user", "en") }, &denied));
    let both =
        gold("User must avoid grapefruit", "user", &[&["grapefruit"], &["avoid", "not", "never"]], Polarity::Positive);
    assert!(tells(&told("User must never eat grapefruit", "user", "en"), &both));
    assert!(!tells(&told("User eats grapefruit", "user", "en"), &both));
}

#[test]
fn people_are_found_under_their_names_and_roles() {
    let aunt = gold("User's aunt Nadia lives in Tunis", "Nadia", &[&["Nadia", "aunt"], &["Tunis"]], Polarity::Positive);
    assert!(tells(&told("Nadia lives in Tunis", "Nadia", "en"), &aunt));
    assert!(tells(&told("User has an aunt in Tunis, Nadia", "user", "en"), &aunt));
    assert!(!tells(&told("Omar lives in Tunis like Nadia once did", "Omar", "en"), &aunt));
}

#[test]
fn other_languages_are_read_with_their_own_endings_and_negations() {
    let garden =
        gold("Der Nutzer hat einen Schrebergarten", "user", &[&["Schrebergarten", "allotment"]], Polarity::Positive);
    for (content, is) in [
        ("Der Nutzer pachtet einen Schrebergarten", true),
        ("Der Nutzer ist im Schrebergartenverein", true),
        ("User has an allotment", true),
        ("Der Nutzer hat keinen Schrebergarten", false),
    ] {
        assert_eq!(tells(&told(content, "user", "de"), &garden), is, "{content}");
    }
    let born = gold("Noé est né samedi", "Noé", &[&["Noé"], &["né", "born"]], Polarity::Positive);
    assert!(tells(&told("Noé, le fils de l'utilisateur, est né samedi", "Noé", "fr"), &born));
    assert!(!tells(&told("Noé ne dort pas", "Noé", "fr"), &born), "`ne` is no `né`");
}

#[test]
fn a_falsehood_is_told_where_its_words_are_and_not_where_they_are_denied() {
    let falsehood = Falsehood {
        id: "f".into(),
        claim: "User has a dog".into(),
        keywords: vec![vec!["dog".into(), "puppy".into()]],
        turns: Vec::new(),
        why: String::new(),
    };
    assert!(tells_falsehood(&told("User walks their dogs", "user", "en"), &falsehood));
    assert!(!tells_falsehood(&told("User has no dog", "user", "en"), &falsehood));
    assert!(!tells_falsehood(&told("User has a cat", "user", "en"), &falsehood));
}

#[test]
fn without_keywords_every_word_of_the_claim_counts() {
    for (memory, claim, is) in [
        ("Okafor is user's boss", "User's manager is called Okafor", true),
        ("User has two cats called Pim and Juno", "User has 2 cats, Juno and Pim", true),
        ("User's train leaves at 7:40", "User's train arrives at 7:40", false),
        ("User earns 3,200 a month", "User earns 2,300 a month", false),
        ("User lives in Porto", "User lives in Faro", false),
        ("User has a dog", "User has a dog named Bruno", false),
        ("User has a dog named Bruno", "User has a dog", true),
        ("User eats fish but no meat", "User eats meat but no fish", false),
        ("User used to live in Tallinn", "User lives in Tallinn", false),
        ("User's husband can't drive", "User can't drive", false),
        ("La mère de l'utilisateur habite à Quimper", "La mère de l'utilisateur vit à Quimper", true),
        ("User pays 1,000 a month", "User pays 1000 a month", true),
    ] {
        assert_eq!(same(&told(memory, "", "en"), claim), is, "{memory} / {claim}");
    }
}

#[test]
fn agreement_counts_both_kinds_of_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pairs.jsonl");
    let pair = |memory: &str, claim: &str, same: bool| {
        serde_json::json!({ "memory": memory, "claim": claim, "same": same }).to_string()
    };
    let lines = [
        pair("User rows", "User rows", true),
        pair("User rows", "User sings", false),
        pair("User rows", "User rows", false),
        pair("User rows", "User sings", true),
    ];
    std::fs::write(&path, lines.join("\n")).unwrap();
    let found = agreement(&path).unwrap();
    assert_eq!((found.pairs, found.agreed, found.too_many, found.too_few), (4, 2, 1, 1));
    assert_eq!(found.kappa, 0.0);
    std::fs::write(&path, "{}").unwrap();
    assert!(agreement(&path).unwrap_err().to_string().ends_with("pairs.jsonl:1"));
}
