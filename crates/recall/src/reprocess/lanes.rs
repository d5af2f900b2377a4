//! Which call is fed next: sessions side by side, the calls of each in order, and how far from the beginning all of them ended.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, VecDeque};

use recall_core::call::Call;
use recall_core::id::TraceId;
use recall_store::batches::Ending;

use super::reader::Numbered;

/// Calls of one session that may be on their way at once: one is worked on, the next waits for it.
const A_SESSION: usize = 2;

/// Calls that were read and have not ended.
#[derive(Debug)]
pub(super) struct Lanes {
    sessions: VecDeque<Session>,
    /// Calls on their way.
    flying: HashMap<TraceId, Flying>,
    /// Of every call that did not end, the numbers under which the archives hold it once more.
    twins: HashMap<TraceId, Vec<u64>>,
    /// Calls that ended ahead of one that did not, and whether they were known before.
    ahead: BTreeMap<u64, bool>,
    settled: u64,
    known: u64,
    waiting: usize,
}

#[derive(Debug)]
struct Session {
    key: String,
    waiting: VecDeque<(u64, Call)>,
    flying: usize,
}

#[derive(Debug)]
struct Flying {
    number: u64,
    session: String,
    call: Call,
    /// It was sent once more, since another run may have taken its message off the queue.
    again: bool,
}

impl Lanes {
    /// From a checkpoint.
    pub(super) fn after(settled: u64, known: u64) -> Self {
        let (sessions, flying, twins) = (VecDeque::new(), HashMap::new(), HashMap::new());
        Self { sessions, flying, twins, ahead: BTreeMap::new(), settled, known, waiting: 0 }
    }

    /// So many calls from the beginning ended, and so many of them were known before.
    pub(super) fn checkpoint(&self) -> (u64, u64) {
        (self.settled, self.known)
    }

    /// Calls that ended, in whatever order.
    pub(super) fn ended(&self) -> u64 {
        self.settled + self.ahead.len() as u64
    }

    /// Calls on their way.
    pub(super) fn flying(&self) -> impl Iterator<Item = &TraceId> {
        self.flying.keys()
    }

    /// Calls on their way.
    pub(super) fn in_flight(&self) -> usize {
        self.flying.len()
    }

    /// Sessions with calls that did not end.
    pub(super) fn open(&self) -> usize {
        self.sessions.len()
    }

    /// Calls that wait to be fed.
    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// Whether a call was taken in and did not end.
    pub(super) fn holds(&self, trace: &TraceId) -> bool {
        self.twins.contains_key(trace)
    }

    /// Takes calls in that did not end before; those before the checkpoint, and those of which nothing is left, have.
    pub(super) fn take(&mut self, calls: Vec<Numbered>) {
        for Numbered { number, call } in calls {
            match call {
                _ if number < self.settled => {}
                None => self.end_number(number, false),
                Some(call) => self.queue(number, call),
            }
        }
    }

    fn queue(&mut self, number: u64, call: Call) {
        match self.twins.entry(call.trace_id.clone()) {
            // It ends with the first.
            Entry::Occupied(mut twins) => return twins.get_mut().push(number),
            Entry::Vacant(first) => first.insert(Vec::new()),
        };
        let key = call.session_key();
        self.waiting += 1;
        if let Some(session) = self.sessions.iter_mut().find(|session| session.key == key) {
            session.waiting.push_back((number, call));
            return;
        }
        self.sessions.push_back(Session { key, waiting: VecDeque::from([(number, call)]), flying: 0 });
    }

    /// The next call that may be fed; sessions take turns.
    pub(super) fn next(&mut self) -> Option<(u64, Call)> {
        for _ in 0..self.sessions.len() {
            let mut session = self.sessions.pop_front()?;
            let next = if session.flying < A_SESSION { session.waiting.pop_front() } else { None };
            self.sessions.push_back(session);
            if next.is_some() {
                self.waiting -= 1;
                return next;
            }
        }
        None
    }

    /// Gives back a call that could not be fed.
    pub(super) fn give_back(&mut self, number: u64, call: Call) {
        let key = call.session_key();
        if let Some(session) = self.sessions.iter_mut().find(|session| session.key == key) {
            session.waiting.push_front((number, call));
            self.waiting += 1;
        }
    }

    /// A call is on its way.
    pub(super) fn fed(&mut self, number: u64, call: Call) {
        let key = call.session_key();
        if let Some(session) = self.sessions.iter_mut().find(|session| session.key == key) {
            session.flying += 1;
        }
        self.flying.insert(call.trace_id.clone(), Flying { number, session: key, call, again: false });
    }

    /// A call on its way that is to be sent once more; `None` where it was, or came to its end.
    pub(super) fn once_more(&mut self, trace: &TraceId) -> Option<Call> {
        let flying = self.flying.get_mut(trace).filter(|flying| !flying.again)?;
        flying.again = true;
        Some(flying.call.clone())
    }

    /// A call could not be sent once more.
    pub(super) fn not_yet(&mut self, trace: &TraceId) {
        if let Some(flying) = self.flying.get_mut(trace) {
            flying.again = false;
        }
    }

    /// A call on its way came to its end.
    pub(super) fn end(&mut self, trace: &TraceId, how: Ending) {
        let Some(Flying { number, session: key, .. }) = self.flying.remove(trace) else { return };
        if let Some(at) = self.sessions.iter().position(|session| session.key == key) {
            let is_over = self.sessions.get_mut(at).is_some_and(|session| {
                session.flying -= 1;
                session.flying == 0 && session.waiting.is_empty()
            });
            if is_over {
                self.sessions.remove(at);
            }
        }
        self.end_number(number, how == Ending::Known);
        for twin in self.twins.remove(trace).unwrap_or_default() {
            self.end_number(twin, true);
        }
    }

    /// A call ended without ever being on its way.
    pub(super) fn end_number(&mut self, number: u64, known: bool) {
        self.ahead.insert(number, known);
        while let Some(known) = self.ahead.remove(&self.settled) {
            self.settled += 1;
            self.known += u64::from(known);
        }
    }
}

#[cfg(test)]
mod tests {
    use recall_core::scope::{Owner, Scope};
    use ulid::Ulid;

    use super::*;

    fn call(number: u64, session: &str) -> Numbered {
        let call = Call {
            trace_id: TraceId::new(Ulid(u128::from(number) + 1)),
            scope: Scope::new("n".into(), Owner::User("u".into()), None).unwrap(),
            session_id: Some(session.into()),
            turns: Vec::new(),
            metadata: serde_json::Map::new(),
            expires_at: None,
            mode: Default::default(),
            lane: Default::default(),
            batch: None,
            accepted_at: "2026-03-04T01:00:00Z".parse().unwrap(),
            remarks: Vec::new(),
        };
        Numbered { number, call: Some(call) }
    }

    fn feed(lanes: &mut Lanes) -> Vec<u64> {
        let mut fed = Vec::new();
        while let Some((number, call)) = lanes.next() {
            lanes.fed(number, call);
            fed.push(number);
        }
        fed
    }

    #[test]
    fn sessions_take_turns_and_each_keeps_its_order() {
        let mut lanes = Lanes::after(0, 0);
        lanes.take((0..4).map(|number| call(number, "a")).chain((4..6).map(|number| call(number, "b"))).collect());
        assert_eq!(feed(&mut lanes), [0, 4, 1, 5]);
        assert_eq!((lanes.waiting(), lanes.in_flight(), lanes.open()), (2, 4, 2));
        lanes.end(&TraceId::new(Ulid(5)), Ending::Done);
        lanes.end(&TraceId::new(Ulid(6)), Ending::Dead);
        assert_eq!((lanes.open(), lanes.checkpoint(), lanes.ended()), (1, (0, 0), 2));
        lanes.end(&TraceId::new(Ulid(1)), Ending::Known);
        assert_eq!(feed(&mut lanes), [2]);
        for id in [2, 3] {
            lanes.end(&TraceId::new(Ulid(id)), Ending::Done);
        }
        assert_eq!(feed(&mut lanes), [3]);
        lanes.end(&TraceId::new(Ulid(4)), Ending::Done);
        assert_eq!((lanes.checkpoint(), lanes.open(), lanes.in_flight()), ((6, 1), 0, 0));
    }

    #[test]
    fn a_call_that_could_not_be_fed_is_the_next_of_its_session() {
        let mut lanes = Lanes::after(0, 0);
        lanes.take(vec![call(0, "a"), call(1, "a")]);
        let (number, first) = lanes.next().unwrap();
        lanes.give_back(number, first);
        assert_eq!((lanes.waiting(), feed(&mut lanes)), (2, vec![0, 1]));
    }

    #[test]
    fn what_ended_before_the_checkpoint_is_not_fed_again() {
        let mut lanes = Lanes::after(2, 1);
        lanes.take((0..2).map(|number| call(number, "a")).collect());
        lanes.take(vec![Numbered { number: 2, call: None }, call(3, "a")]);
        assert_eq!((feed(&mut lanes), lanes.checkpoint()), (vec![3], (3, 1)));
    }

    #[test]
    fn a_call_that_stands_there_again_ends_with_the_first_and_counts_as_known() {
        let mut lanes = Lanes::after(0, 0);
        let twin = |number, of| Numbered { number, ..call(of, "a") };
        lanes.take(vec![call(0, "a"), twin(1, 0), call(2, "a")]);
        assert_eq!(feed(&mut lanes), [0, 2]);
        lanes.take(vec![twin(3, 2)]);
        for id in [1, 3] {
            lanes.end(&TraceId::new(Ulid(id)), Ending::Done);
        }
        assert_eq!((lanes.checkpoint(), lanes.open(), lanes.waiting(), lanes.in_flight()), ((4, 2), 0, 0, 0));
    }

    #[test]
    fn a_call_is_sent_once_more_once() {
        let mut lanes = Lanes::after(0, 0);
        lanes.take(vec![call(0, "a")]);
        let trace = TraceId::new(Ulid(1));
        assert!(lanes.once_more(&trace).is_none(), "it is not on its way");
        assert_eq!(feed(&mut lanes), [0]);
        assert!(lanes.once_more(&trace).is_some() && lanes.once_more(&trace).is_none());
        lanes.not_yet(&trace);
        assert!(lanes.once_more(&trace).is_some());
        lanes.end(&trace, Ending::Done);
        assert!(lanes.once_more(&trace).is_none());
    }
}
