//! Step 1: drops turns with nothing to keep, before any model is asked. A turn goes by its most informative clause.

mod answers;
mod news;
mod reactions;

use crate::reading::acts::{Act, Clause};
use crate::reading::blocks::BlockKind;
use crate::reading::{ReadTurn, Reading};
use crate::stage::Reason;
use crate::text::{Token, TokenKind};
use crate::turn::Role;

/// Judges one turn of the call; `Ok` keeps it.
///
/// # Errors
/// The reason it is dropped.
pub fn prefilter(reading: &Reading, turn: &ReadTurn) -> Result<(), Reason> {
    if reading.window.seen.contains(&turn.turn.id) {
        return Err(Reason::Seen);
    }
    let place = reading.turns.iter().position(|other| std::ptr::eq(other, turn));
    let before = place.and_then(|at| at.checked_sub(1)).and_then(|at| reading.turns.get(at));
    let after = place.and_then(|at| reading.turns.get(at + 1));
    match turn.turn.role {
        Role::System | Role::Tool => Err(Reason::Role),
        Role::Assistant if !reading.window.settings.extract_from_assistant => {
            if after.is_some_and(|after| answers::leans_on(after, turn)) { Ok(()) } else { Err(Reason::Role) }
        }
        Role::Assistant | Role::User => by_content(turn, before),
    }
}

fn by_content(turn: &ReadTurn, before: Option<&ReadTurn>) -> Result<(), Reason> {
    let content = turn.turn.content.as_str();
    if !turn.tokens.iter().any(|token| token.kind != TokenKind::Symbol) || news::only_addresses(content) {
        return Err(Reason::Empty);
    }
    if turn.clauses.is_empty() {
        return only_blocks(turn);
    }
    let clauses: Vec<Heard<'_>> = turn.clauses.iter().map(|clause| Heard::new(turn, clause)).collect();
    if clauses.iter().any(|heard| news::tells(heard, turn)) {
        return Ok(());
    }
    if before.is_some_and(|before| answers::answers(turn, before)) {
        return Ok(());
    }
    Err(reason(&clauses))
}

/// A clause with its words.
struct Heard<'a> {
    clause: &'a Clause,
    tokens: &'a [Token],
}

impl<'a> Heard<'a> {
    fn new(turn: &'a ReadTurn, clause: &'a Clause) -> Self {
        let start = turn.tokens.partition_point(|token| token.span.start < clause.span.start);
        let end = turn.tokens.partition_point(|token| token.span.start < clause.span.end);
        Self { clause, tokens: turn.tokens.get(start..end).unwrap_or_default() }
    }

    fn words(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.tokens.iter().filter(|token| token.kind != TokenKind::Symbol).map(|token| token.folded.as_str())
    }
}

/// A turn without words of its own goes by what it is made of. Somebody else's words may be worth a report.
fn only_blocks(turn: &ReadTurn) -> Result<(), Reason> {
    let largest = turn.blocks.iter().max_by_key(|block| block.span.len());
    match largest.map(|block| block.kind) {
        Some(BlockKind::Recalled) => Err(Reason::Recalled),
        Some(BlockKind::Code) => Err(Reason::Code),
        Some(BlockKind::Log) => Err(Reason::Log),
        Some(BlockKind::Quotation) | None => Ok(()),
        Some(BlockKind::Material) => Err(Reason::Question),
    }
}

/// What the turn is, when nothing in it tells anything.
fn reason(clauses: &[Heard<'_>]) -> Reason {
    let does = |act: Act| clauses.iter().any(|heard| heard.clause.act == act);
    if does(Act::Question) || does(Act::Request) {
        return Reason::Question;
    }
    if does(Act::Meta) {
        return Reason::Meta;
    }
    match clauses.last().map(|heard| heard.clause.act) {
        Some(Act::Greeting) => Reason::Greeting,
        Some(Act::Statement | Act::Question | Act::Request | Act::Acknowledgement | Act::Meta) | None => {
            Reason::Acknowledgement
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::{Call, Lane, Mode};
    use crate::id::TraceId;
    use crate::keys::Key;
    use crate::moment::Moment;
    use crate::reading;
    use crate::scope::{Owner, Scope};
    use crate::turn::{AtSource, Said, Turn, TurnId};
    use crate::window::Window;

    /// What becomes of the turns of a call, in order; `None` is kept.
    fn judged(window: Window, turns: &[(Role, &str)]) -> Vec<Option<Reason>> {
        let turns = turns.iter().enumerate().map(|(place, (role, content))| Turn {
            id: TurnId(format!("t{place}")),
            role: *role,
            content: Said::new(*content),
            at: None,
            at_source: AtSource::Unknown,
            name: None,
            scope: None,
        });
        let call = Call {
            trace_id: TraceId::from_idempotency_key(&Key::new("test", "test"), "test", "test"),
            scope: Scope::new("test".into(), Owner::User("u".into()), None).expect("a scope"),
            session_id: None,
            turns: turns.collect(),
            metadata: serde_json::Map::new(),
            expires_at: None,
            mode: Mode::Infer,
            lane: Lane::Live,
            batch: None,
            remarks: Vec::new(),
            accepted_at: Moment::new(jiff::Timestamp::UNIX_EPOCH, jiff::tz::Offset::UTC),
        };
        let reading = reading::read(window, call);
        reading.call_turns().map(|turn| prefilter(&reading, turn).err()).collect()
    }

    #[test]
    fn a_turn_goes_by_its_most_informative_clause() {
        let table = [
            ("hi there", Some(Reason::Greeting)),
            ("ok great, thank you so much", Some(Reason::Acknowledgement)),
            ("Thanks! I sold the boat though", None),
            ("what time does the bakery open?", Some(Reason::Question)),
            ("write me a poem about rain", Some(Reason::Question)),
            ("write me a poem about rain, my niece Lotte loves it", None),
            ("always answer in Welsh please", None),
            ("call me Wim", None),
            ("please be brief with me, and no lists", None),
            ("ta!", Some(Reason::Acknowledgement)),
            ("let's talk about something else", Some(Reason::Meta)),
            ("?!", Some(Reason::Empty)),
            ("\u{1f44d}", Some(Reason::Empty)),
            ("https://example.org/boats", Some(Reason::Empty)),
            ("<recalled>User paints</recalled>", Some(Reason::Recalled)),
            ("```rust\nfn main() {}\n```", Some(Reason::Code)),
            ("2025-03-01T10:00:00Z ERROR db pid=3 msg=\"gone\"", Some(Reason::Log)),
            ("my shop is closed on mondays", None),
            ("Glad you like it!", Some(Reason::Acknowledgement)),
            ("and, uh, I", Some(Reason::Acknowledgement)),
        ];
        for (content, reason) in table {
            assert_eq!(judged(Window::default(), &[(Role::User, content)]), [reason], "{content}");
        }
    }

    #[test]
    fn words_in_any_other_language_are_kept() {
        for content in [
            "Wie lange dauert die Fahrt nach Husum?",
            "¿Qué puedo cocinar hoy?",
            "я работаю пекарем",
            "明天我去上海",
            "هل تحب القهوة؟",
        ] {
            assert_eq!(judged(Window::default(), &[(Role::User, content)]), [None], "{content}");
        }
    }

    #[test]
    fn a_short_answer_is_kept_with_its_question() {
        let asked = [(Role::Assistant, "Do you eat fish?"), (Role::User, "no")];
        assert_eq!(judged(Window::default(), &asked), [None, None]);
        let named = [(Role::Assistant, "Where do you row?"), (Role::User, "on the Elbe")];
        assert_eq!(judged(Window::default(), &named), [None, None]);
        let confirmed = [(Role::Assistant, "So you live in Ghent."), (Role::User, "yes, exactly")];
        assert_eq!(judged(Window::default(), &confirmed), [None, None]);
    }

    #[test]
    fn the_assistant_is_not_a_source_by_itself() {
        let thanked = [(Role::Assistant, "I made a list for you."), (Role::User, "great, thanks")];
        assert_eq!(judged(Window::default(), &thanked), [Some(Reason::Role), Some(Reason::Acknowledgement)]);
        let offered = [(Role::Assistant, "Anything else I can do?"), (Role::User, "no")];
        assert_eq!(judged(Window::default(), &offered), [Some(Reason::Role), Some(Reason::Acknowledgement)]);
        let mut window = Window::default();
        window.settings.extract_from_assistant = true;
        assert_eq!(judged(window, &[(Role::Assistant, "Your desk is booked for Friday.")]), [None]);
    }

    #[test]
    fn machines_and_turns_seen_before_are_no_news() {
        let window = Window { seen: vec![TurnId("t2".into())], ..Window::default() };
        let turns = [(Role::System, "Be kind."), (Role::Tool, "42"), (Role::User, "I have a boat")];
        assert_eq!(judged(window, &turns), [Some(Reason::Role), Some(Reason::Role), Some(Reason::Seen)]);
    }
}
