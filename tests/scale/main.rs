//! What holds for many: `scale flat` and `scale window` measure one process on a database of their own, through HTTP.
//! `tests/run with cargo run --release --package recall-tests --example scale flat` makes the database and removes it.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a program of the tests that reports to a terminal")]

mod desk;
mod flat;
mod window;

#[tokio::main]
async fn main() {
    let _first = rustls::crypto::ring::default_provider().install_default();
    match std::env::args().nth(1).as_deref() {
        Some("flat") => flat::run().await,
        Some("window") => window::run().await,
        _ => panic!("usage: scale flat | window"),
    }
}
