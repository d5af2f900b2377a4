//! What calls, claims and memories are, and every judgement about them. Pure: no runtime, no network, no clock.
//!
//! Reading order: the nouns (`scope turn call candidate evidence entity memory provenance claim`), then
//! [`stage`] (names and reasons), [`pipeline`] (the order of judgement), and `stages/` (one room a stage).

pub mod call;
pub mod candidate;
pub mod claim;
pub mod class;
pub mod context;
pub mod draft;
pub mod effect;
pub mod entity;
pub mod evidence;
pub mod id;
pub mod keys;
pub mod lexicon;
pub mod literal;
pub mod memory;
pub mod moment;
pub mod pipeline;
pub mod prompt;
pub mod provenance;
pub mod reading;
pub mod retry;
pub mod run;
pub mod scope;
pub mod settings;
pub mod stage;
pub mod stages;
pub mod text;
pub mod turn;
pub mod window;
