//! Every turn is read once; the stages choose from what was read, and nothing is parsed twice.

pub mod acts;
pub mod blocks;
pub mod dates;
pub mod hedges;
pub mod modality;
pub mod references;

use std::ops::Range;
use std::sync::OnceLock;

use crate::call::Call;
use crate::evidence::Origin;
use crate::settings::Settings;
use crate::stages::suppress::secret::redact;
use crate::text::{self, Folded, Token};
use crate::turn::{Role, Said, Turn, TurnId};
use crate::window::{RingTurn, Window};

use acts::Clause;
use blocks::Block;
use dates::Dated;
use hedges::Hedge;
use references::{Mention, Reference};

/// Who speaks a turn, as the judgement sees it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Speaker {
    /// A person: the owner of the scope, or, where names are given, the one named.
    Person(Option<String>),
    /// The assistant.
    Assistant,
    /// System or tool: nobody.
    Nobody,
}

/// One turn with everything the stages need to know of it.
#[derive(Debug, Clone)]
pub struct ReadTurn {
    /// The turn as it was said.
    pub turn: Turn,
    /// This call or the session before it.
    pub origin: Origin,
    /// Who speaks.
    pub speaker: Speaker,
    language: OnceLock<Option<&'static str>>,
    /// The whole content, folded.
    pub folded: Folded,
    /// Words, numbers and symbols.
    pub tokens: Vec<Token>,
    /// Byte ranges of sentences.
    pub sentences: Vec<Range<usize>>,
    /// Parts that are not the speaker's own words: recalled memories, quotations, code, logs.
    pub blocks: Vec<Block>,
    /// Clauses with speech act, modality and polarity.
    pub clauses: Vec<Clause>,
    /// People and things named.
    pub mentions: Vec<Mention>,
    /// Pronouns with their antecedents.
    pub references: Vec<Reference>,
    /// Time expressions, resolved against the turn's own time.
    pub dates: Vec<Dated>,
    /// Words that take certainty away.
    pub hedges: Vec<Hedge>,
}

impl ReadTurn {
    /// ISO 639-3 code, where the language is sure. Found out when it is first asked for: of most turns nobody asks, and it takes
    /// longer than everything else of the reading.
    pub fn language(&self) -> Option<&'static str> {
        *self.language.get_or_init(|| language(self.turn.content.as_str()))
    }

    /// The block a byte range lies in, where it lies in one.
    pub fn block_around(&self, span: &Range<usize>) -> Option<&Block> {
        let at = self.blocks.partition_point(|block| block.span.end < span.end);
        self.blocks.get(at).filter(|block| block.span.start <= span.start)
    }
}

/// All turns of a call and its window, read.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The call.
    pub call: Call,
    /// The session before it.
    pub window: Window,
    /// Window turns, then the turns of the call, in the order they were said.
    pub turns: Vec<ReadTurn>,
}

impl Reading {
    /// The turn of an id; a turn of the call wins over one of the window.
    pub fn turn(&self, id: &TurnId) -> Option<&ReadTurn> {
        self.turns.iter().rev().find(|read| read.turn.id == *id)
    }

    /// The turns of the call itself.
    pub fn call_turns(&self) -> impl DoubleEndedIterator<Item = &ReadTurn> {
        self.turns.iter().filter(|read| read.origin == Origin::Call)
    }

    /// The ring buffer as it stands after this call.
    pub fn ring_after(&self) -> Vec<RingTurn> {
        let size = self.window.settings.ring_buffer_size;
        let fresh = self.call_turns().map(ring_turn);
        let all: Vec<RingTurn> = self.window.ring.iter().cloned().chain(fresh).collect();
        let skip = all.len().saturating_sub(size);
        all.into_iter().skip(skip).collect()
    }

    /// The window as it stands after this call.
    pub fn window_after(&self) -> Vec<Turn> {
        let size = self.window.settings.window_turns;
        let all: Vec<&Turn> = self.window.turns.iter().chain(&self.call.turns).collect();
        let skip = all.len().saturating_sub(size);
        all.into_iter().skip(skip).cloned().collect()
    }
}

/// Reads the window's turns and the call's turns.
pub fn read(window: Window, call: Call) -> Reading {
    let window = joined(window);
    let turns = window.turns.iter().map(|turn| (turn, Origin::Window));
    let turns = turns.chain(call.turns.iter().map(|turn| (turn, Origin::Call)));
    let mut turns: Vec<ReadTurn> = turns.map(|(turn, origin)| read_turn(turn, origin)).collect();
    references::resolve_all(&mut turns, &window.ring);
    Reading { call, window, turns }
}

/// The window as it would be had this run read the turns that another one did.
fn joined(mut window: Window) -> Window {
    let blanked = |turn: Turn| match redact(turn.content.as_str()) {
        Some(content) => Turn { content: Said::new(content), ..turn },
        None => turn,
    };
    let before = std::mem::take(&mut window.before).into_iter().map(blanked);
    let before: Vec<ReadTurn> = before.map(|turn| read_turn(&turn, Origin::Window)).collect();
    window.ring.extend(before.iter().map(ring_turn));
    window.turns.extend(before.into_iter().map(|read| read.turn));
    let Settings { ring_buffer_size, window_turns, .. } = window.settings;
    window.ring.drain(..window.ring.len().saturating_sub(ring_buffer_size));
    window.turns.drain(..window.turns.len().saturating_sub(window_turns));
    window
}

fn read_turn(turn: &Turn, origin: Origin) -> ReadTurn {
    let content = turn.content.as_str();
    let sentences = text::sentences(content);
    let tokens = text::tokens_of(content, &sentences);
    let blocks = blocks::find(content);
    let clauses = acts::clauses(content, &tokens, &blocks);
    ReadTurn {
        origin,
        speaker: speaker(turn),
        language: OnceLock::new(),
        folded: Folded::new(content),
        mentions: references::mentions(content, &tokens, &blocks),
        references: Vec::new(),
        dates: turn.at.map(|at| dates::find(content, at)).unwrap_or_default(),
        hedges: hedges::find(content, &tokens),
        turn: turn.clone(),
        tokens,
        sentences,
        blocks,
        clauses,
    }
}

fn speaker(turn: &Turn) -> Speaker {
    match turn.role {
        Role::User => Speaker::Person(turn.name.clone()),
        Role::Assistant => Speaker::Assistant,
        Role::System | Role::Tool => Speaker::Nobody,
    }
}

fn language(content: &str) -> Option<&'static str> {
    // Detection over more text costs time and decides nothing: a few sentences are as sure as a page.
    let head: String = content.chars().take(600).collect();
    whatlang::detect(&head).filter(whatlang::Info::is_reliable).map(|info| info.lang().code())
}

fn ring_turn(read: &ReadTurn) -> RingTurn {
    RingTurn {
        turn_id: read.turn.id.clone(),
        role: read.turn.role,
        speaker: read.turn.name.clone(),
        mentions: read.mentions.clone(),
    }
}
