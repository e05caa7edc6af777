//! Progress on a terminal: a bar with rate and remaining time; nothing elsewhere.

use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::{ProgressBar, ProgressStyle};
use reprise_engine::Progress;

/// A bar on stderr.
pub(crate) struct Bar {
    bar: ProgressBar,
    pages: AtomicU64,
}

impl Bar {
    /// A bar that is shown only on a terminal, and not when the user wants quiet.
    pub(crate) fn new(is_quiet: bool) -> Bar {
        let bar = if is_quiet {
            ProgressBar::hidden()
        } else {
            // Hidden by itself where stderr is no terminal.
            ProgressBar::new(0)
        };
        let style = ProgressStyle::with_template(
            "{prefix:>8} [{bar:30}] {bytes} of {total_bytes}  {bytes_per_sec}  {eta} left  {msg}",
        )
        .expect("a template without mistakes")
        .progress_chars("=> ");
        bar.set_style(style);
        Bar {
            bar,
            pages: AtomicU64::new(0),
        }
    }

    /// Takes the bar off the screen.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Bar {
    fn begin(&self, total_bytes: u64) {
        self.bar.set_length(total_bytes);
        self.bar.set_prefix("reading");
    }

    fn advance(&self, bytes: u64, pages: u64) {
        let pages = self.pages.fetch_add(pages, Ordering::Relaxed) + pages;
        self.bar.set_message(crate::human::counted(pages, "page"));
        self.bar.inc(bytes);
    }

    fn phase(&self, name: &str) {
        self.bar.set_prefix(name.to_owned());
    }
}
