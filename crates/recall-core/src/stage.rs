//! The names of the ten steps and every reason a step may give. Closed: a reason is a label, an attribute and a line of the trace.

use serde::{Deserialize, Serialize};

macro_rules! names {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$vdoc])* $variant,)+ }

        impl $name {
            /// Every one, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The name used in labels, spans, traces and answers.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

names! {
    /// The ten steps of a call, in order.
    Stage {
        /// Drops turns with nothing to keep.
        Prefilter = "prefilter",
        /// Asks the model.
        Extract = "extract",
        /// I-4: is it said?
        Ground = "ground",
        /// I-5: does it belong to this scope?
        Scope = "scope",
        /// Who is meant?
        Resolve = "resolve",
        /// When was it?
        Anchor = "anchor",
        /// How sure is it?
        Calibrate = "calibrate",
        /// May it be kept?
        Suppress = "suppress",
        /// What does it change?
        Reconcile = "reconcile",
        /// One transaction.
        Write = "write",
    }
}

names! {
    /// Why a turn or a candidate was dropped, merged or put aside.
    Reason {
        /// Pre-filter: a greeting or goodbye.
        Greeting = "greeting",
        /// Pre-filter: thanks, yes, ok.
        Acknowledgement = "acknowledgement",
        /// Pre-filter: a bare question or request.
        Question = "question",
        /// Pre-filter: pasted code.
        Code = "code",
        /// Pre-filter: pasted log lines.
        Log = "log",
        /// Pre-filter and grounding: memories that were handed to the conversation.
        Recalled = "recalled",
        /// Pre-filter: assistant, system or tool.
        Role = "role",
        /// Pre-filter: no words.
        Empty = "empty",
        /// Pre-filter: talk about the chat itself.
        Meta = "meta",
        /// Pre-filter: a turn processed before.
        Seen = "seen",
        /// Extract: a candidate of the reply that is not of the schema and cannot be mended.
        Malformed = "malformed",
        /// Grounding: cites no turn.
        NoSource = "no_source",
        /// Grounding: cites a turn that is neither in the call nor in the window, or only the window.
        UnknownSource = "unknown_source",
        /// Grounding: a quote stands in no turn.
        QuoteNotFound = "quote_not_found",
        /// Grounding: only the assistant said it.
        AssistantOnly = "assistant_only",
        /// Grounding: a question, wish, hypothesis, instruction, or somebody else's words.
        NotAsserted = "not_asserted",
        /// Grounding: given to the wrong person.
        WrongSpeaker = "wrong_speaker",
        /// Grounding: a name the sources do not carry.
        UnsupportedName = "unsupported_name",
        /// Grounding: a number or date the sources do not carry.
        UnsupportedNumber = "unsupported_number",
        /// Grounding: another detail the sources do not carry.
        UnsupportedDetail = "unsupported_detail",
        /// Grounding: the sources say the opposite.
        PolarityFlip = "polarity_flip",
        /// Grounding: a plan told as done, a possibility as fact, a past state as present.
        ModalityShift = "modality_shift",
        /// Grounding: one occasion told as a habit, one thing as all.
        Overgeneralised = "overgeneralised",
        /// Grounding: words of the prompt itself.
        PromptEcho = "prompt_echo",
        /// Grounding: the second opinion was asked for and did not come.
        JudgeUnavailable = "judge_unavailable",
        /// Scope: a cited turn names another scope.
        ScopeMismatch = "scope_mismatch",
        /// Scope: a cited turn id is bound to another scope.
        TurnOfOtherScope = "turn_of_other_scope",
        /// Calibrate: below the namespace's least confidence.
        BelowMinConfidence = "below_min_confidence",
        /// Suppress: the person deleted this claim.
        Suppressed = "suppressed",
        /// Suppress: deleted, and stated again explicitly.
        SuppressedRestated = "suppressed_restated",
        /// Suppress: an instruction or capability claim posing as a fact.
        Injection = "injection",
        /// Suppress: a credential.
        Secret = "secret",
        /// Suppress: another system owns this attribute.
        OwnedElsewhere = "owned_elsewhere",
        /// Reconcile: merged into the memory that says the same.
        SameClaim = "same_claim",
        /// Reconcile: replaces an older value.
        NewerValue = "newer_value",
        /// Reconcile: kept as superseded history.
        OlderValue = "older_value",
        /// Reconcile: both disputed.
        Undecided = "undecided",
    }
}

impl Stage {
    /// The reasons a stage may give for dropping an item. Those of reconcile tell what it made of one; it drops nothing.
    pub fn reasons(self) -> &'static [Reason] {
        use Reason::{
            Acknowledgement, AssistantOnly, BelowMinConfidence, Code, Empty, Greeting, Injection, JudgeUnavailable,
            Log, Malformed, Meta, ModalityShift, NewerValue, NoSource, NotAsserted, OlderValue, Overgeneralised,
            OwnedElsewhere, PolarityFlip, PromptEcho, Question, QuoteNotFound, Recalled, Role, SameClaim,
            ScopeMismatch, Secret, Seen, Suppressed, SuppressedRestated, TurnOfOtherScope, Undecided, UnknownSource,
            UnsupportedDetail, UnsupportedName, UnsupportedNumber, WrongSpeaker,
        };
        match self {
            Self::Prefilter => &[Greeting, Acknowledgement, Question, Code, Log, Recalled, Role, Empty, Meta, Seen],
            Self::Extract => &[Malformed],
            Self::Ground => &[
                NoSource,
                UnknownSource,
                QuoteNotFound,
                AssistantOnly,
                Recalled,
                NotAsserted,
                WrongSpeaker,
                UnsupportedName,
                UnsupportedNumber,
                UnsupportedDetail,
                PolarityFlip,
                ModalityShift,
                Overgeneralised,
                PromptEcho,
                JudgeUnavailable,
            ],
            Self::Scope => &[ScopeMismatch, TurnOfOtherScope],
            Self::Calibrate => &[BelowMinConfidence],
            Self::Suppress => &[Suppressed, SuppressedRestated, Injection, Secret, OwnedElsewhere],
            Self::Reconcile => &[SameClaim, NewerValue, OlderValue, Undecided],
            Self::Resolve | Self::Anchor | Self::Write => &[],
        }
    }
}

/// A candidate that ended at a stage, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Dropped {
    /// The first stage that objected.
    pub stage: Stage,
    /// Why.
    pub reason: Reason,
}

/// Watches the stages run. The worker times them, the evaluation counts them, unit tests pass `()`.
pub trait Probe {
    /// Runs one step of one item and passes on what it says.
    ///
    /// # Errors
    /// The reason of the step, with its stage.
    fn step<T>(&mut self, stage: Stage, work: impl FnOnce() -> Result<T, Reason>) -> Result<T, Dropped>;
}

impl Probe for () {
    fn step<T>(&mut self, stage: Stage, work: impl FnOnce() -> Result<T, Reason>) -> Result<T, Dropped> {
        work().map_err(|reason| Dropped { stage, reason })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_one_of_some_stage() {
        let homeless = |reason: &&Reason| !Stage::ALL.iter().any(|stage| stage.reasons().contains(reason));
        assert_eq!(Reason::ALL.iter().find(homeless), None);
    }
}
