//! Progress on a terminal, and cancellation by Ctrl-C.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use reprise_engine::{Progress, Unit};

use crate::console::complain;
use crate::human;
use crate::interrupt;

/// The time after which a bar appears.
const DELAY: Duration = Duration::from_secs(1);

/// A progress bar on standard error.
pub(crate) struct Bar {
    inner: ProgressBar,
    pages: AtomicU64,
    /// The current step and its start, if steps are printed.
    step: Option<Mutex<Option<(String, Instant)>>>,
}

impl Bar {
    /// Creates a bar. `is_visible` is false for a quiet command, `is_verbose` true to print every step.
    pub(crate) fn new(is_visible: bool, is_verbose: bool) -> Bar {
        interrupt::listen();
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_style(style("{elapsed}"));
        if is_visible && io::stderr().is_terminal() {
            let shown = bar.downgrade();
            thread::spawn(move || {
                thread::sleep(DELAY);
                if let Some(bar) = shown.upgrade() {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    bar.enable_steady_tick(DELAY / 5);
                }
            });
        }
        Bar {
            inner: bar,
            pages: AtomicU64::new(0),
            step: (is_visible && is_verbose).then(Mutex::default),
        }
    }

    /// Removes the bar from the screen.
    pub(crate) fn finish(self) {
        self.end_step(None);
        self.inner.finish_and_clear();
    }

    /// Prints the step that ends, and remembers the one that begins.
    fn end_step(&self, next: Option<&str>) {
        let Some(step) = &self.step else {
            return;
        };
        let mut step = step.lock().unwrap_or_else(PoisonError::into_inner);
        let next = next.map(|name| (name.to_owned(), Instant::now()));
        let ended = std::mem::replace(&mut *step, next);
        drop(step);
        if let Some((name, started)) = ended {
            let seconds = human::seconds(started.elapsed().as_secs_f64());
            self.inner
                .suspend(|| complain(&format!("{name}: {seconds}")));
        }
    }
}

/// Returns the style of a bar that shows this amount.
fn style(amount: &str) -> ProgressStyle {
    ProgressStyle::with_template(&format!("{{prefix:>12}} {amount}  {{msg}}"))
        .expect("the template is valid")
        .progress_chars("=> ")
}

impl Progress for Bar {
    fn begin(&self, step: &str, total: u64, unit: Unit) {
        self.end_step(Some(step));
        self.pages.store(0, Ordering::Relaxed);
        let amount = match unit {
            _ if total == 0 => "{elapsed}",
            Unit::Bytes => "[{bar:30}] {bytes} of {total_bytes}  {bytes_per_sec}  {eta} left",
            Unit::Pages => "[{bar:30}] {human_pos} of {human_len} pages  {eta} left",
            Unit::Rows => "[{bar:30}] {human_pos} of {human_len} rows  {eta} left",
            Unit::Pairs => "[{bar:30}] {human_pos} of {human_len} pairs  {eta} left",
        };
        self.inner.set_style(style(amount));
        self.inner.set_message("");
        self.inner.set_prefix(step.to_owned());
        self.inner.set_length(total);
        self.inner.set_position(0);
        self.inner.reset_eta();
    }

    fn advance(&self, amount: u64) {
        self.inner.inc(amount);
    }

    fn add_pages(&self, pages: u64) {
        let pages = self.pages.fetch_add(pages, Ordering::Relaxed) + pages;
        self.inner.set_message(human::counted(pages, "page"));
    }

    fn activity(&self, name: &str) {
        self.inner.set_message(name.to_owned());
    }

    fn is_cancelled(&self) -> bool {
        interrupt::is_requested()
    }
}
