//! The way of a call through the worker, with doors that do as the tests want.
#![allow(clippy::unwrap_used, reason = "tests")]

mod compliance;
mod mutants;
mod places;
mod said;
mod settle;
mod staged;
