//! The options of the attack experiment.

use super::AttackError;
use crate::defaults;

/// The options of [`simulate`](super::simulate). The defaults are in [`defaults`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttackOptions {
    /// The largest number of dictionary words, and of good words, that the attacker tries.
    pub words: usize,
    /// The lexicon size that the attacker assumes.
    pub believed_size: usize,
    /// The number of contexts that the attacker guesses per word.
    pub guesses: usize,
    /// The number of payloads that the attacker removes words from.
    pub payloads: usize,
    /// The number of runs of each simulation.
    pub runs: usize,
    /// The number of payloads that become campaigns.
    pub campaigns: usize,
    /// The number of copies in a campaign.
    pub copies: usize,
    /// The numbers of noise words per copy. Each gives one row of the result per kind of noise.
    pub noise: Vec<usize>,
    /// The seed of all random draws.
    pub seed: u64,
}

impl Default for AttackOptions {
    fn default() -> Self {
        Self {
            words: defaults::ATTACK_WORDS,
            believed_size: defaults::ATTACK_BELIEVED_SIZE,
            guesses: defaults::ATTACK_GUESSES,
            payloads: defaults::ATTACK_PAYLOADS,
            runs: defaults::ATTACK_RUNS,
            campaigns: defaults::ATTACK_CAMPAIGNS,
            copies: defaults::ATTACK_COPIES,
            noise: defaults::ATTACK_NOISE.into(),
            seed: defaults::ATTACK_SEED,
        }
    }
}

impl AttackOptions {
    /// Returns an error if an option is so large that the experiment would not finish or not fit in
    /// memory, or is zero where it must not be.
    pub fn validate(&self) -> Result<(), AttackError> {
        let noise = self.noise.iter().copied().max().unwrap_or(0);
        let limits = [
            ("words", self.words, 0, 10_000_000),
            ("believed_size", self.believed_size, 0, 10_000_000),
            ("guesses", self.guesses, 0, 10_000),
            ("payloads", self.payloads, 0, 10_000),
            ("runs", self.runs, 1, 10_000_000),
            ("campaigns", self.campaigns, 0, 100_000),
            ("copies", self.copies, 1, 100_000),
            ("noise", noise, 0, 100_000),
        ];
        for (option, found, min, max) in limits {
            if !(min..=max).contains(&found) {
                return Err(AttackError::OutOfRange {
                    option,
                    found,
                    min,
                    max,
                });
            }
        }
        Ok(())
    }
}
