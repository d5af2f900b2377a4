//! One room a stage, in the order of the pipeline. Each is a pure function from context, candidate and facts so far to a fact or a reason.

pub mod anchor;
pub mod calibrate;
pub mod ground;
pub mod prefilter;
pub mod reconcile;
pub mod resolve;
pub mod scope;
pub mod suppress;
