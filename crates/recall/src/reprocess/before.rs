//! What was said in sessions before calls that are fed, in calls that are not, since another run had read them: those calls carry it along, so
//! that an archive that grew is read as if it had been read at once.

use std::collections::{BTreeMap, HashMap, VecDeque};

use recall_core::call::Call;
use recall_core::turn::Turn;
use recall_store::batches::Ending;

/// Bytes of words that are held; beyond them the sessions go that were met longest ago, and their next calls are read without.
const MOST_BYTES: usize = 64 << 20;

/// The last turns of sessions as far as the run was not given them.
#[derive(Debug)]
pub(super) struct Before {
    /// Turns of a session.
    reach: usize,
    most_bytes: usize,
    bytes: usize,
    sessions: HashMap<String, Session>,
    /// Sessions by when they were met last.
    met: BTreeMap<u64, String>,
    now: u64,
}

#[derive(Debug, Default)]
struct Session {
    met: u64,
    turns: VecDeque<Turn>,
}

impl Before {
    /// Nothing was said yet; so many turns of a session count.
    pub(super) fn new(reach: usize) -> Self {
        Self { reach, most_bytes: MOST_BYTES, bytes: 0, sessions: HashMap::new(), met: BTreeMap::new(), now: 0 }
    }

    /// A call had come to its end before it was fed. What the run itself has read, its own session knows.
    pub(super) fn passed(&mut self, call: &Call, how: Ending) {
        match how {
            Ending::Known => self.known(call.session_key(), &call.turns),
            Ending::Done => drop(self.remove(&call.session_key())),
            Ending::Dead | Ending::Dropped => {}
        }
    }

    /// A call was read before by another run.
    fn known(&mut self, session: String, turns: &[Turn]) {
        let mut all = self.remove(&session);
        all.turns.extend(turns.iter().skip(turns.len().saturating_sub(self.reach)).cloned());
        all.turns.drain(..all.turns.len().saturating_sub(self.reach));
        self.now += 1;
        all.met = self.now;
        self.bytes += bytes(&all.turns);
        self.met.insert(self.now, session.clone());
        self.sessions.insert(session, all);
        while self.bytes > self.most_bytes {
            let Some((_, oldest)) = self.met.first_key_value() else { return };
            self.remove(&oldest.clone());
        }
    }

    /// What a call that is fed next carries along.
    pub(super) fn take(&mut self, session: &str) -> Vec<Turn> {
        self.remove(session).turns.into()
    }

    fn remove(&mut self, session: &str) -> Session {
        let session = self.sessions.remove(session).unwrap_or_default();
        self.met.remove(&session.met);
        self.bytes -= bytes(&session.turns);
        session
    }
}

fn bytes(turns: &VecDeque<Turn>) -> usize {
    turns.iter().map(|turn| turn.content.as_str().len() + turn.id.as_str().len()).sum()
}

#[cfg(test)]
mod tests {
    use recall_core::turn::{AtSource, Role, Said, TurnId};

    use super::*;

    fn turn(id: &str) -> Turn {
        Turn {
            id: TurnId(id.into()),
            role: Role::User,
            name: None,
            content: Said::new("I row."),
            at: None,
            at_source: AtSource::Unknown,
            scope: None,
        }
    }

    fn said(before: &mut Before, session: &str, ids: &[&str]) {
        before.known(session.into(), &ids.iter().map(|id| turn(id)).collect::<Vec<_>>());
    }

    fn taken(before: &mut Before, session: &str) -> Vec<String> {
        before.take(session).into_iter().map(|turn| turn.id.0).collect()
    }

    #[test]
    fn the_last_turns_of_each_session_go_along_once() {
        let mut before = Before::new(3);
        said(&mut before, "a", &["1", "2"]);
        said(&mut before, "b", &["1", "2", "3", "4"]);
        said(&mut before, "a", &["3", "4"]);
        assert_eq!(taken(&mut before, "a"), ["2", "3", "4"]);
        assert_eq!(taken(&mut before, "a"), [""; 0]);
        said(&mut before, "a", &["6"]);
        assert_eq!(
            (taken(&mut before, "b"), taken(&mut before, "a")),
            (vec!["2".into(), "3".into(), "4".into()], vec!["6".into()])
        );
        assert_eq!((before.bytes, before.sessions.len(), before.met.len()), (0, 0, 0));
    }

    #[test]
    fn beyond_a_number_of_bytes_the_sessions_go_that_were_met_longest_ago() {
        let mut before = Before { most_bytes: 21, ..Before::new(3) };
        for session in ["a", "b", "a", "c"] {
            said(&mut before, session, &["1"]);
        }
        assert_eq!((taken(&mut before, "b"), taken(&mut before, "c")), (vec![], vec!["1".to_owned()]));
        assert_eq!(taken(&mut before, "a"), ["1", "1"]);
    }
}
