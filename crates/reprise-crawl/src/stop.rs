//! The stop rule: decides when a crawl has seen enough.
//!
//! The rule counts how many of the latest pages (the window) had new content. The upper bound of Clopper and Pearson
//! gives the largest share of new content that is still plausible. When it falls below the configured bound, the crawl
//! stops.
//!
//! *If* the pages of the window were a random sample of the pages that are left, the share of new content in these
//! would exceed the bound with a probability of at most one minus the confidence. But they are not a random sample:
//!
//! - In learned order, the window holds the most promising pages, so the rest should have less new content. This errs
//!   on the safe side. Breadth-first order has no such tendency.
//! - A part of the site to which no known page links is not among the pages that are left.
//! - The rule is tested after every page, so the probability of at least one error in a crawl is higher than in a single
//!   test.
//!
//! So the rule gives a good reason to stop, not a proof.

use std::collections::VecDeque;

use crate::config::StopRule;

/// Returns the upper bound of the share of successes after `successes` of `trials` (one-sided, Clopper-Pearson): the
/// share at which `successes` or fewer have a probability of one minus the confidence.
///
/// ```
/// // No success in 149 trials: the share is at most 2 % with a confidence of 95 %.
/// assert!((reprise_crawl::upper_bound(0, 149, 0.95) - 0.01991).abs() < 1e-4);
/// ```
pub fn upper_bound(successes: usize, trials: usize, confidence: f64) -> f64 {
    if successes >= trials {
        return 1.0;
    }
    // The probability decreases with the share, so a binary search finds the share.
    let (mut low, mut high) = (successes as f64 / trials as f64, 1.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if at_most(successes, trials, middle) > 1.0 - confidence {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// Returns the probability of at most `successes` in `trials`, if each succeeds with probability `share`.
fn at_most(successes: usize, trials: usize, share: f64) -> f64 {
    if share <= 0.0 {
        return 1.0;
    }
    if share >= 1.0 {
        return 0.0;
    }
    // Each term follows from the one before. They are logarithms, because the first may be too small for a float.
    let (log_share, log_rest) = (share.ln(), (-share).ln_1p());
    let mut log_term = trials as f64 * log_rest;
    let mut sum = log_term.exp();
    for success in 1..=successes {
        log_term += ((trials - success + 1) as f64 / success as f64).ln() + log_share - log_rest;
        sum += log_term.exp();
    }
    sum.min(1.0)
}

/// The window of the stop rule: the latest pages, and how many of them had new content.
#[derive(Debug)]
pub(crate) struct RecentPages {
    rule: StopRule,
    latest: VecDeque<bool>,
    new: usize,
    /// The last result of `upper_bound`, with its arguments.
    known: (usize, usize, f64),
}

impl RecentPages {
    pub(crate) fn new(rule: StopRule) -> RecentPages {
        RecentPages {
            rule,
            latest: VecDeque::new(),
            new: 0,
            known: (0, 0, 1.0),
        }
    }

    /// Adds a page. If the window is full, the oldest page leaves it.
    pub(crate) fn add(&mut self, is_new: bool) {
        self.latest.push_back(is_new);
        self.new += usize::from(is_new);
        if self.latest.len() > self.rule.window
            && let Some(true) = self.latest.pop_front()
        {
            self.new -= 1;
        }
    }

    /// Removes all pages: those of an earlier visit do not predict this one.
    pub(crate) fn clear(&mut self) {
        *self = RecentPages::new(self.rule);
    }

    /// Returns the upper bound of the share of new content.
    pub(crate) fn bound(&mut self) -> f64 {
        let (new, all) = (self.new, self.latest.len());
        if (self.known.0, self.known.1) != (new, all) {
            self.known = (new, all, upper_bound(new, all, self.rule.confidence));
        }
        self.known.2
    }

    /// Returns true if the stop rule applies.
    pub(crate) fn is_enough(&mut self) -> bool {
        self.bound() < self.rule.bound
    }

    /// Returns the number of new pages and of all pages in the window.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.new, self.latest.len())
    }
}

#[cfg(test)]
mod tests {
    use super::{RecentPages, at_most, upper_bound};
    use crate::config::StopRule;

    /// The naive version of [`at_most`]: adds one trial after the other.
    fn at_most_slowly(successes: usize, trials: usize, share: f64) -> f64 {
        let mut chances = vec![1.0];
        for _ in 0..trials {
            let mut next = vec![0.0; chances.len() + 1];
            for (count, chance) in chances.iter().enumerate() {
                next[count] += chance * (1.0 - share);
                next[count + 1] += chance * share;
            }
            chances = next;
        }
        chances[..=successes].iter().sum()
    }

    #[test]
    fn binomial_sums_equal_the_naive_version() {
        for trials in [1, 2, 7, 50, 300] {
            for successes in [0, 1, trials / 3, trials - 1] {
                for share in [1e-6, 0.01, 0.3, 0.5, 0.99] {
                    let (fast, slow) = (
                        at_most(successes, trials, share),
                        at_most_slowly(successes, trials, share),
                    );
                    assert!(
                        (fast - slow).abs() < 1e-9,
                        "{successes} of {trials} at {share}: {fast} {slow}"
                    );
                }
            }
        }
    }

    /// Compares with values of the Clopper-Pearson interval from the quantiles of the beta distribution.
    #[test]
    fn known_bounds() {
        let check = |successes, trials, confidence, expected: f64| {
            let found = upper_bound(successes, trials, confidence);
            assert!(
                (found - expected).abs() < 1e-6,
                "{successes} of {trials}: {found}"
            );
        };
        // Without a success, the bound is 1 - (1 - confidence)^(1 / trials).
        check(0, 200, 0.95, 1.0 - 0.05f64.powf(1.0 / 200.0));
        check(0, 10, 0.99, 1.0 - 0.01f64.powf(0.1));
        // With one failure, the bound is confidence^(1 / trials).
        check(9, 10, 0.95, 0.95f64.powf(0.1));
        check(10, 10, 0.95, 1.0);
        check(0, 0, 0.95, 1.0);
        check(5, 10, 0.95, 0.777_558_9);
    }

    #[test]
    fn the_window_slides() {
        let rule = StopRule {
            window: 200,
            bound: 0.02,
            confidence: 0.95,
            enabled: true,
        };
        let mut window = RecentPages::new(rule);
        for page in 0..500 {
            window.add(page % 2 == 0);
            assert!(!window.is_enough());
        }
        // The last new page was number 498: it has to leave the window.
        let mut stops_after = || {
            (1..500).find(|_| {
                window.add(false);
                window.is_enough()
            })
        };
        assert_eq!(stops_after(), Some(199));
        window.clear();
        assert_eq!(window.counts(), (0, 0));
        let first = (1..500).find(|_| {
            window.add(false);
            window.is_enough()
        });
        assert_eq!(first, Some(149));
    }
}
