//! Walks through the turns in the order they were said, and binds every pronoun to what came before it.

use crate::entity::EntityKind;
use crate::turn::Role;
use crate::window::RingTurn;

use super::cast::{self, Cast, Figure, How, Spot};
use super::pronouns::{self, Class, Pronoun};
use super::voices::{ASSISTANT, Address, Voice};
use super::weigh::{self, Place, Ranked};
use super::words::{self, Word};
use super::{Antecedent, Mention, Number, Part, Reference};

/// Turns back in which the company of a speaker is looked for.
const COMPANY: usize = 4;
/// Mentions behind a pronoun that are looked at ("When she came home, Ana …").
const AHEAD: usize = 6;

/// Everything said so far, and who speaks when.
pub(super) struct Scene {
    voices: Vec<Voice>,
    line: usize,
    cast: Cast,
}

/// A pronoun of the third person with everybody it was weighed against.
pub(super) struct Weighed<'a> {
    /// Everybody so far.
    pub(super) cast: &'a Cast,
    /// Where the pronoun stands.
    pub(super) place: &'a Place<'a>,
    /// Best first.
    pub(super) ranked: &'a [Ranked],
}

/// A pronoun's turn.
struct Stage<'a> {
    words: &'a [Word<'a>],
    line: usize,
    voice: String,
    address: Address,
}

impl Weighed<'_> {
    /// The ranking with names.
    pub(super) fn antecedents(&self) -> Vec<Antecedent> {
        let figures = self.ranked.iter().filter_map(|ranked| {
            weigh::figure(self.cast, self.place.ahead, ranked.at).map(|figure| (figure, ranked.score))
        });
        figures
            .map(|(figure, score)| Antecedent {
                name: figure.name.clone(),
                places: figure
                    .spots
                    .iter()
                    .filter(|spot| spot.line == self.place.line && spot.how == How::Named)
                    .map(|spot| spot.start)
                    .collect(),
                score,
            })
            .collect()
    }
}

impl Scene {
    /// An empty scene in which these will speak, turn by turn.
    pub(super) fn new(voices: Vec<Voice>) -> Self {
        Self { voices, line: 0, cast: Cast::default() }
    }

    /// Takes in a turn of which only the mentions are left.
    pub(super) fn recall(&mut self, turn: &RingTurn) {
        let line = self.begin();
        for mention in &turn.mentions {
            self.cast.enter(mention, named(line, mention, 0));
        }
    }

    fn begin(&mut self) -> usize {
        let line = self.line;
        self.line += 1;
        let voice = self.voices.get(line).filter(|voice| voice.role == Role::User);
        if let Some(name) = voice.and_then(|voice| voice.name.as_deref()) {
            self.cast.enter_speaker(name, line);
        }
        line
    }

    /// Reads a turn: its mentions lose the pronouns among their owners, its pronouns are bound.
    pub(super) fn hear(
        &mut self,
        words: &[Word<'_>],
        said: &[Mention],
        witness: &mut dyn FnMut(&Weighed<'_>),
    ) -> (Vec<Mention>, Vec<Reference>) {
        let line = self.begin();
        let placed: Vec<(usize, &Mention)> =
            said.iter().map(|mention| (words::sentence_at(words, mention.start), mention)).collect();
        let stage = Stage {
            words,
            line,
            voice: self.voices.get(line).and_then(Voice::spoken).unwrap_or(ASSISTANT).to_owned(),
            address: Address::of(&self.voices, line, &placed),
        };
        let mut mentions = Vec::with_capacity(placed.len());
        let mut references = Vec::new();
        let mut waiting = placed.as_slice();
        let pronouns = pronouns::find(words);
        for pronoun in &pronouns {
            let passed = waiting.partition_point(|(_, mention)| mention.start < pronoun.span.start);
            let (before, rest) = waiting.split_at(passed);
            self.enter(&stage, before, &references, &mut mentions);
            waiting = rest;
            references.push(self.bind(pronoun, &stage, waiting, witness));
        }
        self.enter(&stage, waiting, &references, &mut mentions);
        (mentions, references)
    }

    fn enter(
        &mut self,
        stage: &Stage<'_>,
        new: &[(usize, &Mention)],
        references: &[Reference],
        mentions: &mut Vec<Mention>,
    ) {
        for (sentence, mention) in new {
            let mention = stage.owned_by(mention, *sentence, references);
            self.cast.enter(&mention, named(stage.line, &mention, *sentence));
            mentions.push(mention);
        }
    }

    fn bind(
        &mut self,
        pronoun: &Pronoun,
        stage: &Stage<'_>,
        waiting: &[(usize, &Mention)],
        witness: &mut dyn FnMut(&Weighed<'_>),
    ) -> Reference {
        let sentence = words::sentence_at(stage.words, pronoun.span.start);
        let listener = stage.address.at(sentence, pronoun.span.start);
        match pronoun.class {
            Class::Speaker if pronoun.quoted => fixed(pronoun, self.quoted_speaker(stage.line, pronoun)),
            Class::Speaker => fixed(pronoun, vec![stage.voice.clone()]),
            Class::Speakers | Class::Addressee if pronoun.quoted => fixed(pronoun, Vec::new()),
            Class::Speakers => fixed(pronoun, self.company(stage, pronoun)),
            Class::Addressee => fixed(pronoun, listener.map(ToOwned::to_owned).into_iter().collect()),
            Class::It if pronoun.empty => fixed(pronoun, Vec::new()),
            Class::He | Class::She | Class::It | Class::They => {
                let ahead = self.ahead(stage.line, sentence, pronoun, waiting);
                let place = Place {
                    line: stage.line,
                    sentence,
                    pronoun,
                    speaker: self.cast.find(&stage.voice),
                    addressee: listener.and_then(|name| self.cast.find(name)),
                    ahead: &ahead,
                };
                let ranked = weigh::rank(&self.cast, &place);
                witness(&Weighed { cast: &self.cast, place: &place, ranked: &ranked });
                self.third(&place, &ranked)
            }
        }
    }

    /// People who come up later in the sentence of "he" or "she".
    fn ahead(&self, line: usize, here: usize, pronoun: &Pronoun, waiting: &[(usize, &Mention)]) -> Vec<Figure> {
        if !matches!(pronoun.class, Class::He | Class::She) {
            return Vec::new();
        }
        let behind = waiting.iter().filter(|(_, mention)| mention.start > pronoun.span.start).take(AHEAD);
        let behind = behind.take_while(|(sentence, _)| *sentence == here);
        let new = behind.map(|(sentence, mention)| cast::newcomer(mention, named(line, mention, *sentence)));
        new.filter(|new| !self.cast.figures.iter().any(|known| cast::same(known, new))).collect()
    }

    fn third(&mut self, place: &Place<'_>, ranked: &[Ranked]) -> Reference {
        let pronoun = place.pronoun;
        let margin = weigh::margin(ranked);
        let clear = weigh::is_clear(margin);
        let name = |nth: usize| {
            let figure = ranked.get(nth).and_then(|ranked| weigh::figure(&self.cast, place.ahead, ranked.at));
            figure.map(|figure| figure.name.clone())
        };
        let (best, second) = (name(0), name(1));
        if let Some(figure) = ranked.first().filter(|_| clear).and_then(|best| self.cast.figures.get_mut(best.at)) {
            figure.called(pronoun.class);
            figure.spots.push(Spot {
                line: place.line,
                start: pronoun.span.start,
                sentence: place.sentence,
                part: pronoun.part,
                how: How::Pronoun,
            });
        }
        Reference {
            span: pronoun.span.clone(),
            pronoun: pronoun.text.clone(),
            antecedents: if clear { best.iter().flat_map(|name| parts(name)).collect() } else { Vec::new() },
            distance: ranked.first().filter(|_| clear).map(|best| best.distance),
            runner_up: if clear { second } else { best },
            margin,
        }
    }

    /// "We": the speaker and whoever was named beside the speaker last.
    fn company(&self, stage: &Stage<'_>, pronoun: &Pronoun) -> Vec<String> {
        let pair = self.cast.figures.iter().rev().find(|figure| {
            figure.number == Number::Plural
                && figure.kind != EntityKind::Thing
                && parts(&figure.name).contains(&stage.voice)
                && figure.spots.iter().any(|spot| {
                    (spot.line, spot.start) < (stage.line, pronoun.span.start) && stage.line - spot.line <= COMPANY
                })
        });
        pair.map_or_else(|| vec![stage.voice.clone()], |figure| parts(&figure.name))
    }

    /// "Grandma said \"I never did\"": the person named last before the quotation.
    fn quoted_speaker(&self, line: usize, pronoun: &Pronoun) -> Vec<String> {
        let named = self.cast.figures.iter().filter(|figure| figure.kind == EntityKind::Person);
        let spots = named.flat_map(|figure| figure.spots.iter().map(move |spot| (spot, figure)));
        let before = spots
            .filter(|(spot, _)| spot.line == line && spot.start < pronoun.span.start && spot.part == Part::Subject);
        let last = before.max_by_key(|(spot, _)| spot.start);
        last.map(|(_, figure)| figure.name.clone()).into_iter().collect()
    }
}

impl Stage<'_> {
    /// Puts the owner in the place of "my", "your", "his": `Mirela's sister`, `user's boss's wife`.
    fn owned_by(&self, mention: &Mention, sentence: usize, references: &[Reference]) -> Mention {
        let bound = |owner: &str| match owner {
            crate::entity::USER => Some(self.voice.clone()),
            "your" => self.address.at(sentence, mention.start).map(ToOwned::to_owned),
            _ => {
                let said =
                    references.iter().rev().find(|said| said.span.start <= mention.end && said.pronoun == owner)?;
                said.antecedents.first().filter(|_| said.antecedents.len() == 1).cloned()
            }
        };
        let rename = |name: &str| match name.split_once("'s ") {
            Some((owner, rest)) if matches!(owner, crate::entity::USER | "your" | "his" | "her" | "their") => {
                bound(owner).map_or_else(|| rest.to_owned(), |owner| format!("{owner}'s {rest}"))
            }
            Some(_) => name.to_owned(),
            None if mention.number == Number::Plural => self.pair_of(name),
            None => name.to_owned(),
        };
        Mention { name: rename(&mention.name), role: mention.role.as_deref().map(rename), ..mention.clone() }
    }

    /// `user and Juno` in the words of a named speaker.
    fn pair_of(&self, name: &str) -> String {
        let rest = name.strip_prefix(crate::entity::USER).filter(|rest| rest.starts_with(" and "));
        rest.map_or_else(|| name.to_owned(), |rest| format!("{}{rest}", self.voice))
    }
}

fn fixed(pronoun: &Pronoun, antecedents: Vec<String>) -> Reference {
    let sure = !antecedents.is_empty();
    Reference {
        span: pronoun.span.clone(),
        pronoun: pronoun.text.clone(),
        distance: sure.then_some(0),
        antecedents,
        runner_up: None,
        margin: if sure { 1.0 } else { 0.0 },
    }
}

fn named(line: usize, mention: &Mention, sentence: usize) -> Spot {
    Spot { line, start: mention.start, sentence, part: mention.part, how: How::Named }
}

fn parts(name: &str) -> Vec<String> {
    name.split(" and ").map(ToOwned::to_owned).collect()
}
