//! When a crawl has seen enough.
//!
//! Over the latest pages it is counted how many brought new content. From that follows, by Clopper and Pearson, the
//! largest share of new content that is still believable; when it falls below the bound, the crawl stops.
//!
//! What the bound means, and what it does not. *If* the pages of the window were drawn at random from those that are left,
//! the true share of new pages among these would exceed the bound with a probability of at most one minus the
//! confidence. They are not drawn at random. In learned order the window holds what looked most promising, so that what is
//! left should be poorer, and the bound errs on the safe side; breadth first has no such excuse. A part of the site
//! that nothing points to yet is not among what is left at all. And the rule is tried after every page, so that the
//! chance that it errs at least once in a crawl is larger than in a single trial. It is a reason to stop, not a proof.

use std::collections::VecDeque;

use crate::config::StopRule;

/// The largest share of successes that is believable after `successes` of `trials`, with this confidence (one-sided,
/// Clopper-Pearson): the share at which so few or fewer successes have a probability of one minus the confidence.
///
/// ```
/// // The rule of three: nothing in 149 trials leaves at most 2 %.
/// assert!((reprise_crawl::upper_bound(0, 149, 0.95) - 0.01991).abs() < 1e-4);
/// ```
pub fn upper_bound(successes: usize, trials: usize, confidence: f64) -> f64 {
    if successes >= trials {
        return 1.0;
    }
    // The probability falls with the share, so the share is found by halving.
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

/// Probability of at most `successes` in `trials` where each succeeds with probability `share`.
fn at_most(successes: usize, trials: usize, share: f64) -> f64 {
    if share <= 0.0 {
        return 1.0;
    }
    if share >= 1.0 {
        return 0.0;
    }
    // Each term from the one before, by logarithms: the first may be smaller than any number.
    let (log_share, log_rest) = (share.ln(), (-share).ln_1p());
    let mut log_term = trials as f64 * log_rest;
    let mut sum = log_term.exp();
    for success in 1..=successes {
        log_term += ((trials - success + 1) as f64 / success as f64).ln() + log_share - log_rest;
        sum += log_term.exp();
    }
    sum.min(1.0)
}

/// The latest pages, and how many of them were new.
#[derive(Debug)]
pub(crate) struct RecentPages {
    rule: StopRule,
    latest: VecDeque<bool>,
    new: usize,
    /// What was computed last; the bound only changes with these.
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

    /// Takes one more page.
    pub(crate) fn add(&mut self, is_new: bool) {
        self.latest.push_back(is_new);
        self.new += usize::from(is_new);
        if self.latest.len() > self.rule.window
            && let Some(true) = self.latest.pop_front()
        {
            self.new -= 1;
        }
    }

    /// Forgets all pages: those of an earlier visit say nothing about this one.
    pub(crate) fn clear(&mut self) {
        *self = RecentPages::new(self.rule);
    }

    /// The largest share of new content that is believable now.
    pub(crate) fn bound(&mut self) -> f64 {
        let (new, all) = (self.new, self.latest.len());
        if (self.known.0, self.known.1) != (new, all) {
            self.known = (new, all, upper_bound(new, all, self.rule.confidence));
        }
        self.known.2
    }

    /// Has enough been seen?
    pub(crate) fn is_enough(&mut self) -> bool {
        self.bound() < self.rule.bound
    }

    /// New pages, and all pages, in the window.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.new, self.latest.len())
    }
}

#[cfg(test)]
mod tests {
    use super::{RecentPages, at_most, upper_bound};
    use crate::config::StopRule;

    /// The slow twin of [`at_most`]: all sequences are counted, one trial after the other.
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
    fn binomial_sums() {
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

    /// Values of the Clopper-Pearson interval from the quantiles of the beta distribution.
    #[test]
    fn known_bounds() {
        let check = |successes, trials, confidence, expected: f64| {
            let found = upper_bound(successes, trials, confidence);
            assert!(
                (found - expected).abs() < 1e-6,
                "{successes} of {trials}: {found}"
            );
        };
        // For no success it is 1 - (1 - confidence)^(1 / trials).
        check(0, 200, 0.95, 1.0 - 0.05f64.powf(1.0 / 200.0));
        check(0, 10, 0.99, 1.0 - 0.01f64.powf(0.1));
        // For all but one it is confidence^(1 / trials).
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
