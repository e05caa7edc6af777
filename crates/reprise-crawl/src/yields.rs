//! The yield of each URL pattern: how much new content its pages had, and how much to expect from its next page.

use std::collections::HashMap;

use reprise_report::CrawlSuspect;
use url::Url;

use crate::pattern::Pattern;
use crate::scope::authority;

/// The weight of earlier pages, which decays with each page: about the latest 20 pages of a pattern count, because the
/// yield of a pattern decreases.
const KEEP: f64 = 0.95;
/// The weight of the coarse pattern, in pages of the fine one.
const PRIOR: f64 = 2.0;
/// The bonus for a pattern without pages.
const CURIOSITY: f64 = 0.6;
/// The worth of a page without new content that links to promising URLs of other patterns.
const HUB: f64 = 0.5;
/// The expectation from which a pattern is promising.
const PROMISING: f64 = 0.5;
/// The number of pages from which a pattern can be a suspected trap.
const SUSPECT_FETCHED: u64 = 50;
/// The number of latest pages of a suspected trap that all had no new content.
const SUSPECT_BARREN: u64 = 40;
/// The least share of pages of a suspected trap that link to new URLs of the same pattern.
const SUSPECT_FEEDING: f64 = 0.5;

/// The number of patterns above which new URLs get coarser patterns.
const PATTERNS_MAX: usize = 10_000;

/// The number of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PatternId(u32);

/// The yield of one pattern.
#[derive(Debug, Default)]
struct Yield {
    name: String,
    /// The index of its coarse pattern.
    coarse: usize,
    /// The decayed number of pages, and of pages with new content.
    recent: f64,
    recent_new: f64,
    fetched: u64,
    new: u64,
    /// The number of pages since the last one with new content.
    barren: u64,
    /// The number of pages that link to new URLs of the same pattern.
    feeding: u64,
}

/// The yields of all patterns.
#[derive(Debug, Default)]
pub(crate) struct Yields {
    ids: HashMap<String, PatternId>,
    patterns: Vec<Yield>,
    coarse_ids: HashMap<String, usize>,
    /// The decayed number of pages, and of pages with new content, of each coarse pattern.
    coarse: Vec<(f64, f64)>,
}

/// The gain from one page.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Gain {
    /// Whether the page has new content.
    pub(crate) is_new: bool,
    /// Whether the page links to a new URL of the same pattern.
    pub(crate) feeds_itself: bool,
    /// Whether the page links to a new URL of another, promising pattern.
    pub(crate) is_hub: bool,
}

impl Yields {
    /// Returns the pattern of a URL.
    pub(crate) fn pattern(&mut self, url: &Url) -> PatternId {
        let Pattern {
            mut fine,
            mut coarse,
        } = Pattern::of(url);
        // Every request searches all patterns, so a site with endless patterns must not create too many.
        if self.patterns.len() >= PATTERNS_MAX && !self.ids.contains_key(&fine) {
            fine.clone_from(&coarse);
        }
        if self.patterns.len() >= 2 * PATTERNS_MAX && !self.ids.contains_key(&fine) {
            fine = authority(url);
            coarse.clone_from(&fine);
        }
        if let Some(&id) = self.ids.get(&fine) {
            return id;
        }
        let next = self.coarse.len();
        let coarse = *self.coarse_ids.entry(coarse).or_insert(next);
        if coarse == next {
            self.coarse.push((0.0, 0.0));
        }
        let id = PatternId(self.patterns.len() as u32);
        self.patterns.push(Yield {
            name: fine.clone(),
            coarse,
            ..Yield::default()
        });
        self.ids.insert(fine, id);
        id
    }

    /// Returns the expected worth of the next page of a pattern, plus a bonus if little is known about the pattern.
    pub(crate) fn expectation(&self, id: PatternId) -> f64 {
        let pattern = &self.patterns[id.0 as usize];
        let (all, new) = self.coarse[pattern.coarse];
        let prior = (new + 1.0) / (all + 2.0);
        let mean = (pattern.recent_new + PRIOR * prior) / (pattern.recent + PRIOR);
        // Pages of the coarse pattern count half towards what is known.
        mean + CURIOSITY / (pattern.recent + all / 2.0 + 1.0).sqrt()
    }

    pub(crate) fn is_promising(&self, id: PatternId) -> bool {
        self.expectation(id) >= PROMISING
    }

    /// Adds the gain from a page of a pattern.
    pub(crate) fn learn(&mut self, id: PatternId, gain: Gain) {
        let worth = if gain.is_new {
            1.0
        } else if gain.is_hub {
            HUB
        } else {
            0.0
        };
        let pattern = &mut self.patterns[id.0 as usize];
        pattern.recent = pattern.recent * KEEP + 1.0;
        pattern.recent_new = pattern.recent_new * KEEP + worth;
        pattern.fetched += 1;
        pattern.new += u64::from(gain.is_new);
        pattern.barren = if gain.is_new { 0 } else { pattern.barren + 1 };
        pattern.feeding += u64::from(gain.feeds_itself);
        let (all, new) = &mut self.coarse[pattern.coarse];
        *all = *all * KEEP + 1.0;
        *new = *new * KEEP + worth;
    }

    pub(crate) fn name(&self, id: PatternId) -> &str {
        &self.patterns[id.0 as usize].name
    }

    /// Returns true if a pattern is a suspected trap: it continues without new content.
    pub(crate) fn is_suspect(&self, id: PatternId) -> bool {
        self.patterns[id.0 as usize].is_suspect()
    }

    /// Returns all suspected traps, in the order of discovery.
    pub(crate) fn suspects(&self) -> Vec<CrawlSuspect> {
        self.patterns
            .iter()
            .filter(|pattern| pattern.is_suspect())
            .map(|pattern| CrawlSuspect {
                pattern: pattern.name.clone(),
                fetched: pattern.fetched,
                new: pattern.new,
            })
            .collect()
    }
}

impl Yield {
    fn is_suspect(&self) -> bool {
        self.fetched >= SUSPECT_FETCHED
            && self.barren >= SUSPECT_BARREN
            && self.feeding as f64 >= SUSPECT_FEEDING * self.fetched as f64
    }
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::{Gain, Yields};

    const NEW: Gain = Gain {
        is_new: true,
        feeds_itself: false,
        is_hub: false,
    };
    const OLD: Gain = Gain {
        is_new: false,
        feeds_itself: true,
        is_hub: false,
    };

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn expectations_follow_the_latest_pages() {
        let mut yields = Yields::default();
        let good = yields.pattern(&url("http://a.com/good/1"));
        let bad = yields.pattern(&url("http://a.com/bad/1"));
        assert_eq!(yields.pattern(&url("http://a.com/bad/222")), bad);
        assert!(yields.expectation(good) > 1.0, "unknown patterns are tried");
        for _ in 0..30 {
            yields.learn(good, NEW);
            yields.learn(bad, OLD);
        }
        assert!(yields.expectation(good) > 0.9 && yields.expectation(bad) < 0.2);
        // A new pattern is expected to be like others of its coarse pattern.
        let like_good = yields.pattern(&url("http://a.com/good/deeper/1"));
        let like_bad = yields.pattern(&url("http://a.com/bad/deeper/1"));
        assert!(yields.expectation(like_good) > yields.expectation(like_bad));
        // The yield of a pattern may decrease.
        for _ in 0..40 {
            yields.learn(good, OLD);
        }
        assert!(yields.expectation(good) < 0.4);
    }

    #[test]
    fn endless_patterns_are_suspected() {
        let mut yields = Yields::default();
        let calendar = yields.pattern(&url("http://a.com/calendar?month=1"));
        let print = yields.pattern(&url("http://a.com/print/1"));
        for _ in 0..12 {
            yields.learn(calendar, NEW);
        }
        for _ in 0..60 {
            yields.learn(calendar, OLD);
            yields.learn(print, Gain::default());
        }
        assert!(yields.is_suspect(calendar));
        assert!(
            !yields.is_suspect(print),
            "a pattern that ends is not a trap"
        );
        let suspects = yields.suspects();
        assert_eq!(suspects.len(), 1);
        assert_eq!(
            (suspects[0].pattern.as_str(), suspects[0].new),
            ("a.com/calendar?month=N", 12)
        );
    }
}
