//! One suite over both databases: whatever a store promises, it promises on SQLite and on Postgres.

mod batches;
mod commits;
mod concurrency;
mod dead;
mod effects;
mod fence;
mod ground;
mod guarded;
mod keys;
mod lists;
mod people;
mod queue;
mod repair;
mod said;
mod schema;
mod stale;
mod tables;
mod traces;
mod windows;

/// Runs each test over both databases.
macro_rules! on_both {
    ($($(#[$doc:meta])* $name:ident,)+) => { $(
        mod $name {
            use $crate::conformance::ground::Ground;

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                super::$name(&Ground::sqlite().await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                super::$name(&Ground::postgres().await).await;
            }
        }
    )+ };
}
use on_both;
