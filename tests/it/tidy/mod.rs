//! The house rules that no compiler keeps.

mod files;
mod floors;
mod house;
