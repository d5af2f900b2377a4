//! Step 4 (I-5): does every source belong to the scope of the call?

use crate::context::Context;
use crate::evidence::Evidence;
use crate::stage::Reason;

/// Checks the scope of every source.
///
/// # Errors
/// [`Reason::ScopeMismatch`] or [`Reason::TurnOfOtherScope`].
pub fn scope(cx: &Context<'_>, evidence: &Evidence) -> Result<(), Reason> {
    let reading = cx.reading;
    if reading.window.session_bound_elsewhere {
        return Err(Reason::ScopeMismatch);
    }
    for source in &evidence.sources {
        let stated = reading.turn(&source.turn_id).and_then(|read| read.turn.scope.as_ref());
        if stated.is_some_and(|scope| *scope != reading.call.scope) {
            return Err(Reason::ScopeMismatch);
        }
        if reading.window.bound_elsewhere.contains(&source.turn_id) {
            return Err(Reason::TurnOfOtherScope);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::{Call, Lane, Mode};
    use crate::context::{Near, Stamp};
    use crate::evidence::{Origin, Source, Support};
    use crate::id::TraceId;
    use crate::keys::{Key, KeyRing};
    use crate::moment::Moment;
    use crate::provenance::ExtractedBy;
    use crate::reading;
    use crate::scope::{Owner, Scope};
    use crate::turn::{AtSource, Role, Said, Turn, TurnId};
    use crate::window::Window;

    fn of(user: &str) -> Scope {
        Scope::new("quarry".into(), Owner::User(user.into()), None).unwrap()
    }

    fn turn(id: &str, scope: Option<Scope>) -> Turn {
        let content = Said::new("I keep bees");
        Turn {
            id: TurnId(id.into()),
            role: Role::User,
            content,
            at: None,
            at_source: AtSource::Unknown,
            name: None,
            scope,
        }
    }

    fn source(id: &str) -> Source {
        Source {
            turn_id: TurnId(id.into()),
            quote: "I keep bees".into(),
            start: 0,
            end: 11,
            origin: Origin::Call,
            role: Role::User,
            speaker: None,
            said_at: None,
        }
    }

    fn judged(window: Window, cited: &[&str]) -> Result<(), Reason> {
        let at: Moment = "2026-05-12T11:00:00+02:00".parse().unwrap();
        let call = Call {
            trace_id: TraceId::from_idempotency_key(&Key::new("k", "secret"), "quarry", "s"),
            scope: of("u1"),
            session_id: None,
            turns: vec![
                turn("own", None),
                turn("same", Some(of("u1"))),
                turn("other", Some(of("u2"))),
                turn("bound", None),
            ],
            metadata: serde_json::Map::new(),
            expires_at: None,
            mode: Mode::Infer,
            lane: Lane::Live,
            batch: None,
            accepted_at: at,
            remarks: Vec::new(),
        };
        let reading = reading::read(window, call);
        let keys = KeyRing::new(Key::new("k", "secret"), Vec::new());
        let stamp = Stamp { ran_at: at, extracted_by: ExtractedBy::new("test", "test", ("", "", "")) };
        let cx = Context { reading: &reading, near: &Near::default(), keys: &keys, stamp: &stamp, opinions: None };
        let sources = cited.iter().map(|id| source(id)).collect();
        scope(&cx, &Evidence { sources, support: Support::Supported, coverage: 1.0, reattributed: Vec::new() })
    }

    #[test]
    fn every_source_belongs_to_the_scope_of_the_call() {
        let bound = || Window { bound_elsewhere: vec![TurnId("bound".into())], ..Window::default() };
        let table: &[(&[&str], Result<(), Reason>)] = &[
            (&["own"], Ok(())),
            (&["same"], Ok(())),
            (&["own", "same"], Ok(())),
            (&["other"], Err(Reason::ScopeMismatch)),
            (&["own", "other"], Err(Reason::ScopeMismatch)),
            (&["bound"], Err(Reason::TurnOfOtherScope)),
            (&["own", "bound"], Err(Reason::TurnOfOtherScope)),
        ];
        for (cited, right) in table {
            assert_eq!(judged(bound(), cited), *right, "{cited:?}");
        }
    }

    #[test]
    fn a_session_bound_to_another_owner_lends_no_source() {
        let elsewhere = Window { session_bound_elsewhere: true, ..Window::default() };
        assert_eq!(judged(elsewhere, &["own"]), Err(Reason::ScopeMismatch));
        assert_eq!(judged(Window::default(), &["bound"]), Ok(()));
    }
}
