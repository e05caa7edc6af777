//! The growth curves of a crawl: the numbers of unique pages, exact duplicates and near duplicates after each page
//! (figures 1 to 3 of the paper on fuzzy hashes).

/// The highest number of points. When it is reached, every second point is removed.
const POINTS_MAX: usize = 2000;

/// One point of the growth curves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Point {
    /// The number of pages with text so far.
    pub pages: u64,
    /// Of these, unique pages.
    pub unique: u64,
    /// Of these, exact duplicates.
    pub exact: u64,
    /// Of these, near duplicates.
    pub near: u64,
}

impl From<Point> for [u64; 4] {
    /// Returns the point as [`CrawlSummary::growth`](reprise_report::CrawlSummary::growth) keeps it.
    fn from(point: Point) -> [u64; 4] {
        [point.pages, point.unique, point.exact, point.near]
    }
}

/// The three curves, at evenly spaced points, and their current values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    points: Vec<Point>,
    step: u64,
    now: Point,
}

/// The curve to which a page belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Curve {
    Unique,
    Exact,
    Near,
    /// No curve: the page belongs to a trap.
    None,
}

impl Growth {
    pub(crate) fn new() -> Growth {
        Growth {
            points: Vec::new(),
            step: 1,
            now: Point::default(),
        }
    }

    pub(crate) fn add(&mut self, curve: Curve) {
        self.now.pages += 1;
        match curve {
            Curve::Unique => self.now.unique += 1,
            Curve::Exact => self.now.exact += 1,
            Curve::Near => self.now.near += 1,
            Curve::None => {}
        }
        if self.now.pages.is_multiple_of(self.step) {
            self.points.push(self.now);
        }
        if self.points.len() >= POINTS_MAX {
            self.step *= 2;
            let step = self.step;
            self.points.retain(|point| point.pages.is_multiple_of(step));
        }
    }

    /// Returns the current values.
    pub fn now(&self) -> Point {
        self.now
    }

    /// Returns at most 2,000 points in order. The last one has the current values.
    pub fn points(&self) -> Vec<Point> {
        let mut points = self.points.clone();
        if points.last() != Some(&self.now) && self.now.pages > 0 {
            points.push(self.now);
        }
        points
    }
}

#[cfg(test)]
mod tests {
    use super::{Curve, Growth, POINTS_MAX};

    #[test]
    fn many_pages_give_few_evenly_spaced_points() {
        let mut growth = Growth::new();
        assert!(growth.points().is_empty());
        for page in 0..100_001u64 {
            growth.add(match page % 4 {
                0 => Curve::Unique,
                1 => Curve::Exact,
                2 => Curve::Near,
                _ => Curve::None,
            });
        }
        let points = growth.points();
        assert!(points.len() <= POINTS_MAX && points.len() > POINTS_MAX / 3);
        assert_eq!(points.last(), Some(&growth.now()));
        assert_eq!(
            (growth.now().pages, growth.now().unique, growth.now().near),
            (100_001, 25_001, 25_000)
        );
        let gaps: Vec<u64> = points
            .windows(2)
            .map(|pair| pair[1].pages - pair[0].pages)
            .collect();
        assert!(gaps[..gaps.len() - 1].iter().all(|gap| *gap == gaps[0]));
    }
}
