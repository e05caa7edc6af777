//! A crawl on a terminal: the three curves of its growth, as they grow.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use reprise_engine::crawl::{Arrival, Growth, Message, Observer, Point};

use crate::human;

/// Characters of a curve.
const WIDTH: usize = 32;
const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Draws the curves on stderr, if it is a terminal.
pub(crate) struct Curves {
    bar: ProgressBar,
    is_quiet: bool,
    is_interrupted: Arc<AtomicBool>,
}

impl Curves {
    pub(crate) fn new(is_quiet: bool, is_interrupted: Arc<AtomicBool>) -> Curves {
        let bar = ProgressBar::new_spinner();
        if is_quiet {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let style = ProgressStyle::with_template("{msg}").expect("a template without mistakes");
        bar.set_style(style);
        Curves {
            bar,
            is_quiet,
            is_interrupted,
        }
    }

    /// Takes the curves off the screen.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn say(&self, line: &str) {
        if !self.is_quiet {
            let line = human::one_line(line);
            self.bar.suspend(|| say!("{line}"));
        }
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
            Message::WouldStop { .. } => self.say(
                "hardly anything new comes any more: without --no-stop, the crawl would end here",
            ),
            Message::RobotsUnreachable { url } => self.say(&format!(
                "{url} could not be had, so nothing of this host is fetched"
            )),
            Message::Failed { url, kind } => self.say(&format!("{kind}: {url}")),
            Message::Suspected { pattern } => self.say(&format!(
                "{pattern} seems to have no end and nothing to say; it comes last from now on"
            )),
            _ => {}
        }
    }

    fn should_stop(&self) -> bool {
        self.is_interrupted.load(Ordering::Relaxed)
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

/// A curve of block characters, as high as there are pages.
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
