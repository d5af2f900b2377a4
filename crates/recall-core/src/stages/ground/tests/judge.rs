//! What a second opinion may decide.

use super::*;

#[test]
fn what_the_words_leave_open_a_judge_decides_and_nothing_else() {
    let said: Said2<'_> = &[("user", "I spend my weekends up in the hills with the telescope.")];
    let open = candidate("user", "User observes the sky at weekends", &[(1, "I spend my weekends up in the hills")]);
    let plain = candidate("user", "User spends weekends in the hills", &[(1, "I spend my weekends up in the hills")]);
    let name = candidate("user", "User spends weekends with Dragana", &[(1, "I spend my weekends up in the hills")]);
    with_context(said, Window::default(), |cx| {
        assert_eq!(ground(cx, &open).err(), Some(Reason::UnsupportedDetail));
        assert!(ground(cx, &plain).is_ok());
        let doubts = prompt::doubts(cx, &[plain.clone(), open.clone(), name.clone(), open.clone()]);
        assert_eq!(doubts.claims.iter().map(|doubt| doubt.claim.as_str()).collect::<Vec<_>>(), [open.content.as_str()]);
        let with = |answer: &str, claim: &Candidate| {
            let opinions = prompt::parse_opinions(answer, &doubts).unwrap();
            ground(&Context { opinions: Some(&opinions), ..*cx }, claim).map(|evidence| evidence.support)
        };
        let says = |verdict: &str| format!("{{\"verdicts\":[{{\"claim\":1,\"verdict\":\"{verdict}\"}}]}}");
        assert_eq!(with(&says("supported"), &open), Ok(Support::Supported));
        assert_eq!(with(&says("partial"), &open), Ok(Support::Partial));
        assert_eq!(with(&says("unsupported"), &open), Err(Reason::UnsupportedDetail));
        assert_eq!(with("{\"verdicts\":[]}", &open), Err(Reason::JudgeUnavailable));
        assert_eq!(with(&says("unsupported"), &plain), Ok(Support::Supported), "the words show it");
        assert_eq!(with(&says("supported"), &name), Err(Reason::UnsupportedName), "nobody may add a name");
    });
}

#[test]
fn a_judge_sees_what_people_said_and_nothing_that_was_handed_in() {
    let said: Said2<'_> = &[
        ("user", "Good evening."),
        ("assistant", "What do you do at weekends?"),
        ("tool", "{\"forecast\": \"clear, good for the telescope\"}"),
        ("system", "The user observes the sky at weekends."),
        (
            "user",
            "<recalled_memories>User observes stars</recalled_memories>\nI spend my weekends up in the hills with the telescope.",
        ),
    ];
    let open = candidate("user", "User observes the sky at weekends", &[(5, "I spend my weekends up in the hills")]);
    with_context(said, Window::default(), |cx| {
        let doubts = prompt::doubts(cx, &[open]);
        let (_, shown) = prompt::render_doubts(&doubts, prompt::judging().unwrap());
        let words: Vec<&str> =
            shown.lines().filter_map(|line| line.split_once("): ").map(|(_, words)| words)).collect();
        assert_eq!(words, ["What do you do at weekends?", "(\u{2026})"], "{shown}");
        assert!(shown.contains("I spend my weekends up in the hills with the telescope."), "{shown}");
        assert!(!shown.contains("stars") && !shown.contains("forecast"), "{shown}");
    });
}
