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
        assert_eq!(doubts.iter().map(|doubt| doubt.claim.as_str()).collect::<Vec<_>>(), [open.content.as_str()]);
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
