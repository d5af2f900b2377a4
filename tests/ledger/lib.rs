//! What an installation that was hurt left behind, counted against what its senders know: for the soak and for `it/crash`.

mod call;
mod count;
mod read;

pub use call::call;
pub use count::{Counts, Ledger, Left, SPANS, Sent};
pub use read::{Place, ReadError, read};
