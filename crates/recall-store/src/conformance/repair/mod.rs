//! Repairs: what is taken back leaves no mark, what is restored is as it was, what is deleted stays deleted.

mod accounts;
mod correct;
mod delete;
mod forget;
mod people;
mod remaining;
mod run;
mod run_worlds;
