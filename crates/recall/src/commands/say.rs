//! Printing for people and programs: a reader that has seen enough (`| head`) is no error.

use std::fmt::Arguments;
use std::io::Write as _;

/// Prints a line; ends the process quietly where nobody reads any more.
pub(super) fn line(text: Arguments<'_>) {
    if let Err(error) = writeln!(std::io::stdout(), "{text}") {
        let quiet = error.kind() == std::io::ErrorKind::BrokenPipe;
        std::process::exit(if quiet { 0 } else { 1 });
    }
}

/// `println!` for readers that may leave.
macro_rules! say {
    ($($text:tt)*) => { $crate::commands::say::line(format_args!($($text)*)) };
}
pub(super) use say;
