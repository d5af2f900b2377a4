//! The one binary: `recall`.

mod api;
mod archive;
mod clock;
mod config;
mod door;
mod eval;
mod view;

fn main() {}
