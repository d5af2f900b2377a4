//! What is kept of a call besides its memories, without credentials: operators read the trace, and the next call sees the window.

use super::{REDACTED, again, blank, find, has_made_word, is_secret_name, is_value, merged, pieces};
use crate::candidate::{Candidate, Citation};
use crate::reading::Reading;
use crate::run::Verdict;
use crate::stages::resolve::{Alone, Named, Resolution, Resolved};
use crate::turn::{Said, Turn};
use crate::window::RingTurn;

/// A quote without the credentials that another turn tells to be such.
pub fn blanked_quote(reading: &Reading, quote: String) -> String {
    if has_made_word(&quote) { Blanks::in_reach_of(reading).clean(quote, None) } else { quote }
}

/// The credentials that stand in what a call was read with: its turns and those shown beside them.
pub struct Blanks {
    secrets: Vec<String>,
}

impl Blanks {
    /// Looks for them once a call.
    pub fn in_reach_of(reading: &Reading) -> Self {
        Self::of(reading.turns.iter().map(|read| read.turn.content.as_str()))
    }

    /// The lines of a trace, with the credentials blanked that stand in them or in the turns they were read from.
    pub fn verdicts(&self, verdicts: Vec<Verdict>) -> Vec<Verdict> {
        let line = |verdict: Verdict| Verdict {
            candidate: verdict.candidate.map(|candidate| self.candidate(candidate)),
            resolution: verdict.resolution.map(|resolution| self.resolution(resolution)),
            ..verdict
        };
        verdicts.into_iter().map(line).collect()
    }

    /// The window and the ring as the next call of the session may see them.
    pub fn window(&self, reading: &Reading) -> (Vec<Turn>, Vec<RingTurn>) {
        let (mut turns, mut ring) = (reading.window_after(), reading.ring_after());
        if !self.secrets.is_empty() {
            for turn in &mut turns {
                turn.content = Said::new(self.clean(turn.content.as_str().to_owned(), None));
            }
            for turn in &mut ring {
                turn.mentions.retain(|mention| self.clean(mention.name.clone(), None) == mention.name);
            }
        }
        (turns, ring)
    }

    fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let within = |text: &'a str| find(text).into_iter().filter_map(|span| text.get(span).map(str::to_owned));
        Self { secrets: texts.into_iter().flat_map(within).collect() }
    }

    /// The candidate with every credential blanked, in whole and in part, wherever the model put it.
    fn candidate(&self, candidate: Candidate) -> Candidate {
        let is_one = is_secret_name(&candidate.attribute) && is_value(&candidate.value);
        let own = is_one.then(|| candidate.value.clone());
        let clean = |text: String| self.clean(text, own.as_deref());
        let citation = |cited: Citation| Citation { quote: clean(cited.quote), ..cited };
        Candidate {
            content: clean(candidate.content),
            value: if is_one { REDACTED.to_owned() } else { clean(candidate.value) },
            evidence: candidate.evidence.into_iter().map(citation).collect(),
            time_expression: candidate.time_expression.map(clean),
            ..candidate
        }
    }

    /// Names that were read from the words are words.
    fn resolution(&self, found: Resolution) -> Resolution {
        let names = |names: Vec<String>| names.into_iter().map(|name| self.clean(name, None)).collect();
        let alone = |alone: Alone| Alone { name: self.clean(alone.name, None), ..alone };
        let named = |named: Named| Named {
            name: self.clean(named.name, None),
            aliases: names(named.aliases),
            alone: named.alone.map(alone),
            ..named
        };
        let resolved = |one: Resolved| Resolved {
            entity: names(one.entity),
            runner_up: one.runner_up.map(|name| self.clean(name, None)),
            ..one
        };
        Resolution {
            subject: named(found.subject),
            object: found.object.map(named),
            references: found.references.into_iter().map(resolved).collect(),
            ..found
        }
    }

    fn clean(&self, text: String, own: Option<&str>) -> String {
        let mut found = find(&text);
        for secret in self.secrets.iter().map(String::as_str).chain(own) {
            found.extend(again(&text, secret).chain(pieces(&text, secret)));
        }
        if found.is_empty() { text } else { blank(&text, merged(found)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::{MemoryType, Polarity};
    use crate::turn::TurnId;

    fn claim(content: &str, (attribute, value): (&str, &str), quote: &str) -> Candidate {
        Candidate {
            content: content.into(),
            memory_type: MemoryType::Fact,
            subject: "user".into(),
            attribute: attribute.into(),
            value: value.into(),
            polarity: Polarity::Positive,
            evidence: vec![Citation { turn_id: TurnId("t1".into()), quote: quote.into() }],
            time_expression: None,
            confidence: 0.9,
        }
    }

    #[test]
    fn no_field_of_a_line_shows_a_credential_or_a_piece_of_it() {
        let said = "the wifi password is Otter_Lamp_2291 and my card is 4111 1111 1111 1111";
        let blanks = Blanks::of([said, "it rains"]);
        for proposed in [
            claim("User's wifi password is Otter_Lamp_2291", ("wifi", "Otter_Lamp_2291"), said),
            claim("User likes Otter_Lamp_2291", ("likes", "Otter_Lamp_2291"), "is Otter_Lamp_2291 and"),
            claim("It begins with Otter_Lamp", ("hint", "Otter_Lamp"), "Lamp_2291"),
            claim("User has card 4111 1111 1111 1111", ("card", "4111 1111 1111 1111"), "1111 1111 1111"),
            claim("The alarm code is 7744", ("alarm_code", "7744"), "7744, as ever"),
        ] {
            let shown = serde_json::to_string(&blanks.candidate(proposed)).unwrap();
            for piece in ["Otter", "2291", "1111", "7744"] {
                assert!(!shown.contains(piece), "{piece} in {shown}");
            }
            assert!(shown.contains(REDACTED), "{shown}");
        }
    }

    #[test]
    fn a_line_without_one_stays_as_it_is() {
        let proposed = claim("User lives in Riga", ("home_city", "Riga"), "I live in Riga");
        assert_eq!(Blanks::of(["my pin is 4417"]).candidate(proposed.clone()), proposed);
    }
}
