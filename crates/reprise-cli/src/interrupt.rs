//! Ctrl-C: the first one asks the command to stop, the second one ends the process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

static REQUESTED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// The exit code of an interrupted command.
pub(crate) const INTERRUPTED: u8 = 130;

/// Listens for SIGINT and SIGTERM, from the moment when something asks [`is_requested`]. If this fails, they end
/// the process at once, as they do in commands that do not listen.
pub(crate) fn listen() {
    if REQUESTED.get().is_some() {
        return;
    }
    let requested = REQUESTED.get_or_init(Arc::default);
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        let end = i32::from(INTERRUPTED);
        // The order matters: the first signal finds the flag unset, so that only the second one ends.
        let _ =
            signal_hook::flag::register_conditional_shutdown(signal, end, Arc::clone(requested));
        let _ = signal_hook::flag::register(signal, Arc::clone(requested));
    }
}

/// Returns true if the command is asked to stop.
pub(crate) fn is_requested() -> bool {
    let requested = REQUESTED.get();
    requested.is_some_and(|requested| requested.load(Ordering::Relaxed))
}
