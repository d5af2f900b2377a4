//! Printing for people and programs: a reader that has seen enough (`| head`) is no error, and nothing else is left undone for it.

use std::fmt::Arguments;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

static UNHEARD: AtomicBool = AtomicBool::new(false);

/// Prints a line; into the void where nobody reads any more, since files may be left to write and an exit code to give.
///
/// Ends the process where the line cannot be written for another reason: a program that reads must not take a part for the whole.
pub(super) fn line(text: Arguments<'_>) {
    match writeln!(std::io::stdout(), "{text}") {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => UNHEARD.store(true, Ordering::Relaxed),
        Err(_) => std::process::exit(1),
    }
}

/// Whether nobody reads any more: for what prints again and again.
pub(super) fn is_unheard() -> bool {
    UNHEARD.load(Ordering::Relaxed)
}

/// `println!` for readers that may leave.
macro_rules! say {
    ($($text:tt)*) => { $crate::commands::say::line(format_args!($($text)*)) };
}
pub(super) use say;
