//! Who may do what: one table, asked by every route.

use super::problem::Problem;
use crate::config::ApiRole;
use ApiRole::{Admin, Agent, Detector, Service, Support, User};

/// What a request does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    /// Sends a call.
    Remember,
    /// Asks how a call stands.
    Follow,
    /// Reads memories.
    Read,
    /// Reads entities, suppressed claims and open disputes.
    Look,
    /// Reads what calls did, with their turns and verdicts.
    ReadTraces,
    /// Takes out everything of a person.
    Export,
    /// Deletes a memory for good.
    Delete,
    /// Forgets or restores.
    Forget,
    /// Swaps reprocessing runs in, or rolls them back.
    Swap,
    /// Tells a claim anew.
    Restate,
    /// Proposes a claim told anew, which then has to pass the gate.
    Propose,
    /// Changes what leaves a claim as it is.
    Edit,
    /// Doubts a memory.
    Dispute,
    /// Decides a dispute.
    Settle,
    /// Says what became of a memory that was shown.
    Feedback,
    /// Notes that memories were read.
    Touch,
    /// Suppresses a claim by hand.
    Suppress,
    /// Lets a suppressed claim be learnt again.
    Lift,
    /// Changes or merges entities.
    Merge,
    /// Reads the audit log.
    Audit,
    /// Decides about dead letters and reprocessing runs, and looks at the fleet.
    Operate,
    /// Erases a person.
    Erase,
    /// Makes, rotates and revokes keys.
    Keys,
}

/// What it takes, for people, and who may. A user may only what is of its own owner; see [`super::Keyholder::owner`].
const MATRIX: &[(Verb, &str, &[ApiRole])] = &[
    (Verb::Remember, "remember", &[Service, Admin]),
    (Verb::Follow, "ask how calls stand", &[Service, User, Support, Admin]),
    (Verb::Read, "read memories", &[User, Support, Detector, Agent, Admin]),
    (Verb::Look, "read entities, suppressed claims and disputes", &[User, Support, Detector, Admin]),
    (Verb::ReadTraces, "read what calls said", &[User, Support, Admin]),
    (Verb::Export, "export a person", &[User, Support, Admin]),
    (Verb::Delete, "delete memories", &[User, Support, Admin]),
    (Verb::Forget, "forget and restore", &[Support, Admin]),
    (Verb::Swap, "swap runs in and roll them back", &[Admin]),
    (Verb::Restate, "correct memories", &[User, Support, Admin]),
    (Verb::Propose, "propose corrections", &[Agent]),
    (Verb::Edit, "change metadata or expiry", &[Support, Admin]),
    (Verb::Dispute, "dispute memories", &[User, Support, Detector, Admin]),
    (Verb::Settle, "settle disputes", &[User, Support, Admin]),
    (Verb::Feedback, "give feedback", &[User, Support, Admin]),
    (Verb::Touch, "note that memories were read", &[Support, Admin]),
    (Verb::Suppress, "suppress claims", &[Support, Admin]),
    (Verb::Lift, "lift suppressed claims", &[User, Support, Admin]),
    (Verb::Merge, "change entities", &[Support, Admin]),
    (Verb::Audit, "read the audit log", &[User, Support, Admin]),
    (Verb::Operate, "decide about dead letters and reprocessing runs, and look at the fleet", &[Admin]),
    (Verb::Erase, "erase a person", &[User, Admin]),
    (Verb::Keys, "manage keys", &[Admin]),
];

/// Whether a role may do something.
pub(super) fn allows(role: ApiRole, verb: Verb) -> bool {
    MATRIX.iter().any(|(known, _, roles)| *known == verb && roles.contains(&role))
}

/// The refusal of a role.
pub(super) fn refusal(role: ApiRole, verb: Verb) -> Problem {
    let takes = MATRIX.iter().find(|(known, _, _)| *known == verb);
    let (what, who) = takes.map_or(("do this", String::new()), |(_, what, roles)| {
        (*what, roles.iter().map(|role| role.as_str()).collect::<Vec<_>>().join(", "))
    });
    Problem::forbidden(format!("the role {} may not {what}; it takes one of: {who}", role.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verb_is_in_the_table_once_and_a_key_that_signs_may_nothing() {
        for (at, (verb, _, roles)) in MATRIX.iter().enumerate() {
            assert!(MATRIX.iter().skip(at + 1).all(|(other, _, _)| other != verb), "{verb:?} stands twice");
            assert!(!roles.is_empty() && !roles.contains(&ApiRole::Issuer), "{verb:?}");
        }
        assert_eq!(MATRIX.len(), Verb::Keys as usize + 1, "a verb without a line is one nobody may");
    }
}
