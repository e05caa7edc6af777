//! What simulated attacks on signatures came to.

#[cfg(feature = "serde")]
use serde::Serialize;

/// Attacks on a payload, and what became of campaigns.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Attacks {
    /// Terms of the payload.
    pub payload_terms: usize,
    /// Terms of the lexicon.
    pub lexicon: usize,
    /// Words added.
    pub attacks: Vec<WordAttack>,
    /// Words removed.
    pub removals: Vec<RemovalAttack>,
    /// Campaigns with noise around their payload.
    pub fragmentation: Vec<Fragments>,
}

/// Words that were added to a payload until its signature changed.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct WordAttack {
    /// Which words.
    pub words: &'static str,
    /// `plain` or `hardened`.
    pub defence: &'static str,
    /// N: words that could be tried.
    pub vocabulary: usize,
    /// L: those with which an attempt can succeed.
    pub lexicon: usize,
    /// C: the mean number of guesses for a word.
    pub guesses: f64,
    /// `p_h`: the mean share of guesses that are right, over words with any.
    pub hit: f64,
    /// The mean number of attempts by the paper's formula; none where no attempt can succeed.
    pub formula: Option<f64>,
    /// The same where no guess is drawn twice.
    pub formula_exact: Option<f64>,
    /// What the simulation took.
    pub simulated: Trials,
}

/// Words that were removed from other payloads to learn what the lexicon has.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct RemovalAttack {
    /// `plain` or `hardened`.
    pub defence: &'static str,
    /// The other payloads.
    pub payloads: usize,
    /// Their words.
    pub words: usize,
    /// Those without which a signature changes.
    pub learned: usize,
    /// Those of these that change the signature of the payload that is attacked.
    pub useful: usize,
    /// What the simulation took.
    pub simulated: Trials,
}

/// Attempts until the signature changed, over many runs.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Trials {
    /// Runs.
    pub runs: usize,
    /// Runs in which it changed in the end.
    pub succeeded: usize,
    /// Mean number of attempts.
    pub mean: f64,
    /// Standard deviation of these.
    pub stddev: f64,
    /// Attempts of the middle run.
    pub median: u64,
    /// Attempts of the luckiest run.
    pub min: u64,
    /// Attempts of the unluckiest run.
    pub max: u64,
}

/// All campaigns with one kind and amount of noise, and the pieces that they fall into.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Fragments {
    /// What the noise is made of: `words` or `sentences`.
    pub noise: &'static str,
    /// Words of noise in a copy, at least.
    pub words: usize,
    /// Campaigns.
    pub campaigns: usize,
    /// Copies in each.
    pub copies: usize,
    /// Mean pieces of a campaign without contexts.
    pub plain: f64,
    /// The same with them.
    pub hardened: Option<f64>,
    /// Pieces without contexts by pieces with them, in the mean.
    pub mean_rate: Option<f64>,
    /// The best of these.
    pub best_rate: Option<f64>,
    /// The share of campaigns with a rate above 1.
    pub improved: Option<f64>,
    /// Pieces of each campaign without and with contexts: the paper's figure 2.
    pub reductions: Vec<(usize, usize)>,
    /// Rates, and the share of campaigns with each: figure 3.
    pub rates: Vec<(f64, f64)>,
}
