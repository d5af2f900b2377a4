//! Where calls are kept: what the queue needs of a store, without knowing one.

use async_trait::async_trait;
use recall_core::call::Lane;
use recall_core::id::TraceId;

use crate::{BrokerError, Noted, Share};

/// A call to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Put {
    /// Its trace.
    pub trace_id: TraceId,
    /// [`recall_core::call::Call::session_key`].
    pub session_key: String,
    /// [`crate::slot`].
    pub slot: u32,
    /// Its lane.
    pub lane: Lane,
    /// The message as it travels.
    pub body: Vec<u8>,
}

/// Names a row as it was handed out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// Place in the order of the shelf.
    pub seq: i64,
    /// Moved by every change of the row.
    pub revision: i64,
}

/// A kept call that was due and is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// The row.
    pub key: Key,
    /// Its trace.
    pub trace_id: TraceId,
    /// Its session.
    pub session_key: String,
    /// The message as it travels.
    pub body: Vec<u8>,
    /// Attempts charged so far.
    pub attempts: u32,
    /// Attempts before this one.
    pub noted: Noted,
}

/// Where calls are kept. Every method returns once its effect is durable.
#[async_trait]
pub trait Shelf: Send + Sync {
    /// Puts a call behind those of its session, due at once. A trace that is there already stays where it is.
    async fn put(&self, call: &Put) -> Result<(), BrokerError>;
    /// Takes heads of sessions that are due, oldest first: at most one a session, none of the busy sessions, only of this lane and of
    /// these partitions: slot modulo their number. That an attempt at each begins is written down; the rows stay where they are.
    async fn take(&self, lane: Lane, share: &Share, busy: &[String], limit: u32) -> Result<Vec<Due>, BrokerError>;
    /// Takes back that attempts at these began: they were taken and not handed out.
    async fn untake(&self, traces: &[TraceId]) -> Result<(), BrokerError>;
    /// Removes a row as it was handed out; `false` where it changed or went meanwhile.
    async fn done(&self, key: &Key) -> Result<bool, BrokerError>;
    /// Rows of the live and of the bulk lane, due or not.
    async fn depth(&self) -> Result<(u64, u64), BrokerError>;
    /// `Ok` while the shelf can be written.
    async fn ready(&self) -> Result<(), BrokerError>;
}
