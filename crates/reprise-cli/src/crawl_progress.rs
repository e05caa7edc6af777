//! A crawl on a terminal: its three growth curves, then the progress of indexing.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use reprise_engine::crawler::{Arrival, Growth, Message, Observer, Point};
use reprise_engine::{Progress, Unit};

use crate::console::Console;
use crate::progress::Bar;
use crate::{human, interrupt};

/// The characters of a curve.
const WIDTH: usize = 32;
const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Draws the curves on standard error, if that is a terminal.
pub(crate) struct Curves {
    console: Console,
    bar: ProgressBar,
    /// True if Ctrl-C ended the crawl.
    is_interrupted: AtomicBool,
    indexing: OnceLock<Bar>,
}

impl Curves {
    pub(crate) fn new(console: Console) -> Curves {
        interrupt::listen();
        let bar = ProgressBar::new_spinner();
        if console.quiet {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let style = ProgressStyle::with_template("{msg}").expect("the template is valid");
        bar.set_style(style);
        Curves {
            console,
            bar,
            is_interrupted: AtomicBool::new(false),
            indexing: OnceLock::new(),
        }
    }

    /// Removes the curves and the bar from the screen.
    pub(crate) fn finish(self) {
        self.bar.finish_and_clear();
        if let Some(bar) = self.indexing.into_inner() {
            bar.finish();
        }
    }

    fn say(&self, message: &str) {
        self.bar.suspend(|| self.console.say(message));
    }
}

impl Observer for Curves {
    fn arrived(&self, page: &Arrival<'_>, growth: &Growth) {
        if !self.bar.is_hidden() {
            self.bar.set_message(picture(growth, page.url));
            self.bar.tick();
        }
    }

    fn message(&self, message: &Message) {
        match message {
            Message::Resumed { responses } => self.say(&format!(
                "{} of earlier runs read from the archive",
                human::counted(*responses, "response")
            )),
            Message::WouldStop { .. } => {
                self.say(
                    "hardly anything new arrives; without --no-stop, the crawl would end here",
                );
            }
            Message::RobotsUnreachable { url } => self.say(&format!(
                "{url} cannot be fetched, so nothing is fetched from this host"
            )),
            Message::Failed { url, kind } => {
                self.say(&format!("cannot fetch {url}: {}", kind.replace('_', " ")));
            }
            Message::Suspected { pattern } => self.say(&format!(
                "{pattern} seems endless and without new content; such URLs come last from now on"
            )),
            _ => {}
        }
    }

    fn should_stop(&self) -> bool {
        let is_requested = interrupt::is_requested();
        if is_requested {
            self.is_interrupted.store(true, Ordering::Relaxed);
        }
        is_requested
    }
}

/// Shows a bar while the archives are indexed.
impl Progress for Curves {
    fn begin(&self, step: &str, total: u64, unit: Unit) {
        let bar = self.indexing.get_or_init(|| {
            self.bar.finish_and_clear();
            self.console.bar()
        });
        bar.begin(step, total, unit);
    }

    fn advance(&self, amount: u64) {
        if let Some(bar) = self.indexing.get() {
            bar.advance(amount);
        }
    }

    fn add_pages(&self, pages: u64) {
        if let Some(bar) = self.indexing.get() {
            bar.add_pages(pages);
        }
    }

    /// Returns true if Ctrl-C was pressed since the crawl ended. If it ended the crawl, the pages that were
    /// fetched are still indexed.
    fn is_cancelled(&self) -> bool {
        interrupt::is_requested() && !self.is_interrupted.load(Ordering::Relaxed)
    }
}

fn picture(growth: &Growth, url: &str) -> String {
    let points = growth.points();
    let now = growth.now();
    let line = |name: &str, count: u64, of: fn(&Point) -> u64| {
        let curve = curve(&points, now.pages, of);
        format!("{name:>8} {curve} {}\n", human::count(count))
    };
    let mut picture = line("unique", now.unique, |point| point.unique);
    picture += &line("exact", now.exact, |point| point.exact);
    picture += &line("near", now.near, |point| point.near);
    let url: String = human::one_line(url).chars().take(60).collect();
    picture + &format!("{:>8} {url}", human::count(now.pages))
}

/// Returns a curve of block characters. A full block is the number of pages.
fn curve(points: &[Point], pages: u64, of: fn(&Point) -> u64) -> String {
    (1..=WIDTH as u64)
        .map(|column| {
            let at = points.partition_point(|point| point.pages * (WIDTH as u64) < column * pages);
            let value = points.get(at).or(points.last()).map_or(0, of);
            let height = value * (BLOCKS.len() as u64 - 1);
            BLOCKS[height.div_ceil(pages.max(1)) as usize % BLOCKS.len()]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Point, WIDTH, curve};

    #[test]
    fn a_curve_grows_and_stays() {
        let points: Vec<Point> = (1..=100)
            .map(|pages| Point {
                pages,
                unique: pages.min(50),
                exact: pages.saturating_sub(50),
                near: 0,
            })
            .collect();
        let unique = curve(&points, 100, |point| point.unique);
        assert_eq!(unique.chars().count(), WIDTH);
        assert!(
            unique.starts_with('▁') && unique.ends_with("▄▄▄▄"),
            "{unique}"
        );
        let exact = curve(&points, 100, |point| point.exact);
        assert!(exact.starts_with("  ") && exact.ends_with('▄'), "{exact}");
        assert_eq!(curve(&points, 100, |point| point.near), " ".repeat(WIDTH));
        assert_eq!(curve(&[], 0, |point| point.near), " ".repeat(WIDTH));
    }
}
