//! Walks through the turns in the order they were said, and binds every pronoun to what came before it.

use std::collections::HashMap;

use crate::entity::{EntityKind, USER};
use crate::turn::Role;
use crate::window::RingTurn;

use super::cast::{Cast, How, Spot};
use super::pronouns::{Class, Pronoun};
use super::weigh::{self, Place};
use super::{Mention, Number, Part, Reference};
use crate::reading::ReadTurn;

/// The name of the model in references.
pub(super) const ASSISTANT: &str = "assistant";

/// A turn of the scene.
struct Line {
    role: Role,
    speaker: Option<String>,
}

/// Everything said so far.
#[derive(Default)]
pub(super) struct Scene {
    lines: Vec<Line>,
    cast: Cast,
    open: HashMap<Class, (usize, usize)>,
}

impl Scene {
    /// Takes in a turn of which only the mentions are left.
    pub(super) fn recall(&mut self, turn: &RingTurn) {
        let line = self.begin(turn.role, turn.speaker.clone());
        for mention in &turn.mentions {
            self.cast.enter(mention, named(line, mention, 0));
        }
    }

    fn begin(&mut self, role: Role, speaker: Option<String>) -> usize {
        let line = self.lines.len();
        if let Some(name) = speaker.as_deref().filter(|_| role == Role::User) {
            self.cast.enter_speaker(name, line);
        }
        self.lines.push(Line { role, speaker });
        line
    }

    /// Reads a turn: its mentions lose the pronouns among their owners, its pronouns are bound.
    pub(super) fn hear(&mut self, read: &ReadTurn, pronouns: &[Pronoun]) -> (Vec<Mention>, Vec<Reference>) {
        let line = self.begin(read.turn.role, read.turn.name.clone());
        let voice = self.voice(line);
        let mut mentions = Vec::with_capacity(read.mentions.len());
        let mut references: Vec<Reference> = Vec::with_capacity(pronouns.len());
        let mut waiting = read.mentions.iter().peekable();
        let listener = self.listener(line, &read.mentions);
        let mut hear = |scene: &mut Self, mention: &Mention, references: &[Reference]| {
            let mention = owned_by(mention, &voice, &listener, references);
            let sentence = sentence_at(read, mention.start);
            scene.cast.enter(&mention, named(line, &mention, sentence));
            mentions.push(mention);
        };
        for pronoun in pronouns {
            while let Some(mention) = waiting.next_if(|mention| mention.start < pronoun.span.start) {
                hear(self, mention, &references);
            }
            let sentence = sentence_at(read, pronoun.span.start);
            let stand = Stand { line, sentence, voice: &voice, listener: &listener };
            references.push(self.bind(pronoun, &stand));
        }
        for mention in waiting {
            hear(self, mention, &references);
        }
        (mentions, references)
    }

    fn bind(&mut self, pronoun: &Pronoun, stand: &Stand<'_>) -> Reference {
        match pronoun.class {
            Class::Speaker if pronoun.quoted => fixed(pronoun, self.quoted_speaker(stand.line, pronoun)),
            Class::Speaker => fixed(pronoun, vec![stand.voice.to_owned()]),
            Class::Speakers if pronoun.quoted => fixed(pronoun, Vec::new()),
            Class::Speakers => fixed(pronoun, self.company(stand, pronoun)),
            Class::Addressee if pronoun.quoted => fixed(pronoun, Vec::new()),
            Class::Addressee => fixed(pronoun, stand.listener.iter().cloned().collect()),
            Class::It if pronoun.empty => fixed(pronoun, Vec::new()),
            Class::He | Class::She | Class::It | Class::They => self.third(pronoun, stand),
        }
    }

    fn third(&mut self, pronoun: &Pronoun, stand: &Stand<'_>) -> Reference {
        let place = Place {
            line: stand.line,
            sentence: stand.sentence,
            pronoun,
            speaker: self.cast.find(stand.voice),
            addressee: stand.listener.as_deref().and_then(|name| self.cast.find(name)),
            open: self.open.get(&pronoun.class).copied(),
        };
        let choice = weigh::choose(&self.cast, &place);
        let name = |at: Option<usize>| at.and_then(|at| self.cast.figures.get(at)).map(|figure| figure.name.clone());
        let (best, runner_up) = (name(choice.best), name(choice.runner_up));
        let clear = choice.is_clear();
        let reference = Reference {
            span: pronoun.span.clone(),
            pronoun: pronoun.text.clone(),
            antecedents: if clear { best.iter().flat_map(|name| parts(name)).collect() } else { Vec::new() },
            distance: clear.then_some(choice.distance),
            runner_up: if clear { runner_up } else { best },
            margin: choice.margin,
        };
        match choice.best.filter(|_| clear).and_then(|at| self.cast.figures.get_mut(at)) {
            Some(figure) => figure.spots.push(Spot {
                line: stand.line,
                start: pronoun.span.start,
                sentence: stand.sentence,
                part: pronoun.part,
                how: How::Pronoun(pronoun.class),
            }),
            None => {
                self.open.insert(pronoun.class, (stand.line, pronoun.span.start));
            }
        }
        reference
    }

    /// The name of who speaks a turn.
    fn voice(&self, line: usize) -> String {
        match self.lines.get(line) {
            Some(Line { role: Role::User, speaker: Some(name) }) => name.clone(),
            Some(Line { role: Role::User, speaker: None }) | None => USER.to_owned(),
            Some(Line { role: Role::Assistant | Role::System | Role::Tool, .. }) => ASSISTANT.to_owned(),
        }
    }

    /// Who is spoken to: the one called by name, else the last other speaker, else the assistant.
    fn listener(&self, line: usize, mentions: &[Mention]) -> Option<String> {
        let voice = self.voice(line);
        let called = mentions.iter().rev().find(|mention| mention.part == Part::Vocative);
        if let Some(called) = called {
            let full = self.speakers(line).find(|name| is_part_of(&called.name, name));
            return Some(full.unwrap_or_else(|| called.name.clone()));
        }
        let before = self.speakers(line).find(|name| *name != voice);
        match (before, self.lines.get(line).map(|line| line.role)) {
            (Some(name), _) => Some(name),
            (None, Some(Role::User)) => Some(ASSISTANT.to_owned()),
            (None, Some(Role::Assistant)) => Some(USER.to_owned()),
            (None, Some(Role::System | Role::Tool) | None) => None,
        }
    }

    /// The speakers before a turn, last first.
    fn speakers(&self, line: usize) -> impl Iterator<Item = String> {
        let heard =
            |at: &usize| self.lines.get(*at).is_some_and(|line| matches!(line.role, Role::User | Role::Assistant));
        (0..line).rev().filter(heard).map(|at| self.voice(at))
    }

    /// "We": the speaker and whoever was named beside the speaker last.
    fn company(&self, stand: &Stand<'_>, pronoun: &Pronoun) -> Vec<String> {
        let pair = self.cast.figures.iter().rev().find(|figure| {
            figure.number == Number::Plural
                && figure.kind != EntityKind::Thing
                && parts(&figure.name).first().is_some_and(|first| first == stand.voice)
                && figure.spots.iter().any(|spot| {
                    (spot.line, spot.start) < (stand.line, pronoun.span.start) && stand.line - spot.line <= 4
                })
        });
        pair.map_or_else(|| vec![stand.voice.to_owned()], |figure| parts(&figure.name))
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

/// What a pronoun of a turn has around it.
struct Stand<'a> {
    line: usize,
    sentence: usize,
    voice: &'a str,
    listener: &'a Option<String>,
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

fn sentence_at(read: &ReadTurn, at: usize) -> usize {
    read.sentences.partition_point(|sentence| sentence.end <= at)
}

fn parts(name: &str) -> Vec<String> {
    name.split(" and ").map(ToOwned::to_owned).collect()
}

fn is_part_of(short: &str, full: &str) -> bool {
    let full = full.to_lowercase();
    short.to_lowercase().split_whitespace().all(|word| full.split_whitespace().any(|other| other == word))
}

/// Puts the owner in the place of "my", "your", "his": `Mirela's sister`, `user's boss's wife`.
fn owned_by(mention: &Mention, voice: &str, listener: &Option<String>, references: &[Reference]) -> Mention {
    let rename = |name: &str| {
        let Some((owner, rest)) = name.split_once("'s ") else {
            return name.replace(&format!("{USER} and "), &format!("{voice} and "));
        };
        let bound = match owner {
            USER => Some(voice.to_owned()),
            "your" => listener.clone(),
            "his" | "her" | "their" => references
                .iter()
                .rev()
                .find(|reference| reference.span.start <= mention.start && reference.pronoun == owner)
                .and_then(|reference| {
                    reference.antecedents.first().filter(|_| reference.antecedents.len() == 1).cloned()
                }),
            _ => return name.to_owned(),
        };
        bound.map_or_else(|| rest.to_owned(), |bound| format!("{bound}'s {rest}"))
    };
    Mention { name: rename(&mention.name), role: mention.role.as_deref().map(rename), ..mention.clone() }
}
