//! Statements about nobody, held against a text; and what stays under the rules for facts.

use super::*;

const BRIDGE: &str = "The Tamber bridge was built in 1911 of riveted steel and carries two lanes of traffic over the gorge. \
                      It was closed for repairs in the winter of 1987.";

fn against(text: &str, lines: &[(&str, &str, Option<Reason>)]) {
    let lines: Vec<Line<'_>> =
        lines.iter().map(|(subject, content, right)| (text, *subject, *content, text, *right)).collect();
    check(&lines);
}

#[test]
fn a_reply_that_keeps_to_the_text_is_kept() {
    against(
        BRIDGE,
        &[
            ("", BRIDGE, None),
            ("", "Yes, it was built in 1911 of riveted steel.", None),
            ("", "oh, the bridge was closed for repairs in the winter of 1987. It carries two lanes of traffic.", None),
            ("bridge", "The bridge was built in 1911 of riveted steel and carries two lanes of traffic.", None),
        ],
    );
}

#[test]
fn what_a_reply_adds_to_the_text_is_turned_away() {
    const FLIP: Option<Reason> = Some(Reason::PolarityFlip);
    against(
        BRIDGE,
        &[
            ("", "It is the most beautiful bridge of the country and draws painters from everywhere.", DETAIL),
            ("", "I love it, I drive over it every morning with my dog on the back seat.", DETAIL),
            ("bridge", "The bridge was built in 1923 of riveted steel and carries two lanes of traffic.", NUMBER),
            ("bridge", "The bridge was built by the firm Osterloh in 1911 of riveted steel for traffic.", NAME),
            ("bridge", "The bridge was not built of riveted steel and carries two lanes of traffic.", FLIP),
        ],
    );
}

#[test]
fn what_claims_nothing_is_no_memory() {
    const NOTHING: Option<Reason> = Some(Reason::NotAsserted);
    against(BRIDGE, &[("", "oh, hello", NOTHING), ("", "It is what it is.", NOTHING), ("", "!!!", NOTHING)]);
}

#[test]
fn a_long_copy_is_no_worse_than_a_short_one() {
    let text = format!(
        "{BRIDGE} Its piers stand on oak piles, and the stone of the towers was quarried a day's ride up the valley."
    );
    against(&text, &[("", &text, None)]);
}

/// Nearly all of the claim stands in the words, which would be enough for a page.
#[test]
fn a_short_fact_about_a_thing_that_is_named_stays_under_the_rules_for_facts() {
    check(&[(
        "The stove in the hall was swept in March and it draws well again, the baker says",
        "stove",
        "The stove was painted",
        "The stove in the hall was swept in March and it draws well again, the baker says",
        DETAIL,
    )]);
}
