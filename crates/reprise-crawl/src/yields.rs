//! What each pattern of URLs has yielded so far, and what is to be expected of the next URL like it.

use std::collections::HashMap;

use reprise_report::CrawlSuspect;
use url::Url;

use crate::pattern::Pattern;
use crate::scope::authority;

/// How fast the past is forgotten: about the latest 20 pages of a pattern count. Patterns run dry.
const KEEP: f64 = 0.95;
/// How much the coarser pattern counts for one that is new, in pages.
const PRIOR: f64 = 2.0;
/// How much a pattern gains by being untried.
const CURIOSITY: f64 = 0.6;
/// Worth of a page without new content that led to promising URLs elsewhere.
const HUB: f64 = 0.5;
/// A URL is promising from this expectation.
const PROMISING: f64 = 0.5;
/// A pattern with so many pages, of which so many in a row had nothing new, may be a trap...
const SUSPECT_FETCHED: u64 = 50;
const SUSPECT_BARREN: u64 = 40;
/// ... if at least this share of its pages led to more of the same.
const SUSPECT_FEEDING: f64 = 0.5;

/// Patterns up to this number are as fine as they come.
const PATTERNS_MAX: usize = 10_000;

/// Number of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PatternId(u32);

#[derive(Debug, Default)]
struct Yield {
    name: String,
    coarse: usize,
    /// Forgetting counts.
    recent: f64,
    recent_new: f64,
    fetched: u64,
    new: u64,
    /// Pages since the last with new content.
    barren: u64,
    /// Pages that led to unheard URLs of the same pattern.
    feeding: u64,
}

/// All patterns.
#[derive(Debug, Default)]
pub(crate) struct Yields {
    ids: HashMap<String, PatternId>,
    patterns: Vec<Yield>,
    coarse_ids: HashMap<String, usize>,
    /// Recent pages and recent new ones of each coarse pattern.
    coarse: Vec<(f64, f64)>,
}

/// What a page brought.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Gain {
    pub(crate) is_new: bool,
    /// It led to an unheard URL of the same pattern.
    pub(crate) feeds_itself: bool,
    /// It led to an unheard URL of another pattern that is promising.
    pub(crate) is_hub: bool,
}

impl Yields {
    /// The pattern of a URL.
    pub(crate) fn pattern(&mut self, url: &Url) -> PatternId {
        let Pattern {
            mut fine,
            mut coarse,
        } = Pattern::of(url);
        // All patterns are looked through for every request. A site that makes them without end gets few.
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

    /// How likely the next page of a pattern is to be new, and a bonus for not knowing.
    pub(crate) fn expectation(&self, id: PatternId) -> f64 {
        let pattern = &self.patterns[id.0 as usize];
        let (all, new) = self.coarse[pattern.coarse];
        let prior = (new + 1.0) / (all + 2.0);
        let mean = (pattern.recent_new + PRIOR * prior) / (pattern.recent + PRIOR);
        // What is known of the coarser pattern makes this one half as unknown.
        mean + CURIOSITY / (pattern.recent + all / 2.0 + 1.0).sqrt()
    }

    pub(crate) fn is_promising(&self, id: PatternId) -> bool {
        self.expectation(id) >= PROMISING
    }

    /// Learns what a page of a pattern brought.
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

    /// Does it go on and on without anything new?
    pub(crate) fn is_suspect(&self, id: PatternId) -> bool {
        self.patterns[id.0 as usize].is_suspect()
    }

    /// All patterns that do, in the order they were met.
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
    fn what_yields_is_expected_to_yield() {
        let mut yields = Yields::default();
        let good = yields.pattern(&url("http://a.com/good/1"));
        let bad = yields.pattern(&url("http://a.com/bad/1"));
        assert_eq!(yields.pattern(&url("http://a.com/bad/222")), bad);
        assert!(yields.expectation(good) > 1.0, "the unknown is tried");
        for _ in 0..30 {
            yields.learn(good, NEW);
            yields.learn(bad, OLD);
        }
        assert!(yields.expectation(good) > 0.9 && yields.expectation(bad) < 0.2);
        // What is new but like what is known is expected to be like it.
        let like_good = yields.pattern(&url("http://a.com/good/deeper/1"));
        let like_bad = yields.pattern(&url("http://a.com/bad/deeper/1"));
        assert!(yields.expectation(like_good) > yields.expectation(like_bad));
        // Patterns run dry.
        for _ in 0..40 {
            yields.learn(good, OLD);
        }
        assert!(yields.expectation(good) < 0.4);
    }

    #[test]
    fn endless_patterns_are_suspect() {
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
        assert!(!yields.is_suspect(print), "a pattern that ends is no trap");
        let suspects = yields.suspects();
        assert_eq!(suspects.len(), 1);
        assert_eq!(
            (suspects[0].pattern.as_str(), suspects[0].new),
            ("a.com/calendar?month=N", 12)
        );
    }
}
