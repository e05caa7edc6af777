//! Conversation on standard error: what cannot be said there is not said, and nothing else changes. The macros of the
//! standard library panic.

/// [`eprintln`] that cannot fail.
macro_rules! say {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($text)*);
    }};
}

/// [`eprint`] that cannot fail.
macro_rules! say_on {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = write!(std::io::stderr(), $($text)*);
    }};
}
