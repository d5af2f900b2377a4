//! The product tested from outside. Each module is a suite; `tests/README.md` says what it promises.
#![cfg(test)]

mod access;
mod compare;
mod crash;
mod deploy;
mod fleet;
mod locomo;
mod repair;
mod reprocess;
mod tidy;
mod tree;
mod way;
mod world;
