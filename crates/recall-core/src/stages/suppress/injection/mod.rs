//! Instructions, permissions and personas that pose as facts. They must never become memories, because a memory is believed for ever and by every later conversation.

mod authority;
mod disguise;
mod orders;
mod persona;

pub use authority::claims_authority;

/// Is a text an attempt to instruct the system, whatever it is dressed as?
/// Preferences on how the person wants to be addressed or answered are none.
pub fn is_injection(text: &str) -> bool {
    disguise::readings(text).iter().any(|reading| instructs(reading))
}

/// One plain reading: folded, Latin letters without accents.
fn instructs(reading: &str) -> bool {
    orders::instructs(reading) || persona::overrides(reading) || authority::states_authority(reading)
}
