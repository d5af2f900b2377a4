//! Calls of reprocessing runs that are not to be done any more: taken off the queue, and why is kept.

/// Why a call of a reprocessing run is not to be done any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unwanted {
    /// The run was cancelled while the call was in the queue.
    Cancelled,
    /// Its turns were said before their person was erased.
    Erased,
}

impl Unwanted {
    /// As the class of an event.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled",
            Self::Erased => "erased",
        }
    }

    /// For operators.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Cancelled => "its reprocessing run was cancelled",
            Self::Erased => "its turns were said, or may have been, before their person was erased",
        }
    }
}
