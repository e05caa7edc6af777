//! The default values of all options of I-Match, in one place.

use crate::contexts::{ContextConfig, ContextRule, Sides};

/// The number of distinct lexicon terms below which a document has no signature.
pub const TERMS_MIN: u32 = 5;

/// The value of [`TERMS_MIN`] for lexicons with contexts.
///
/// It is higher because terms of footers and set phrases survive best in context, and such terms are
/// shared by many unrelated documents.
pub const TERMS_MIN_HARDENED: u32 = 20;

/// The largest number of terms of a lexicon, from the paper.
pub const TERMS_MAX: usize = 15_000;

/// The number of documents below which a term is too rare for a lexicon.
pub const DOCUMENTS_MIN: u32 = 2;

/// The share of documents above which a term is too common for a lexicon.
pub const SHARE_MAX: f64 = 0.5;

/// The number of documents from which [`SHARE_MAX`] applies if a lexicon is trained on the documents that
/// it signs. With fewer documents, half of them may be a single campaign.
pub const DOCUMENTS_MANY: u32 = 1000;

/// The number of most frequent terms that are not taken into a lexicon.
pub const RANKS_SKIPPED: usize = 0;

/// The rule for valid contexts, from the paper.
pub const CONTEXTS: ContextConfig = ContextConfig {
    rule: ContextRule::Count(CONTEXT_COUNT_MIN),
    sides: Sides::Either,
};

/// The number of times that a valid neighbour occurs beside its term in the tuning corpus.
pub const CONTEXT_COUNT_MIN: u32 = 15;

/// The numbers of contexts per term for which a training result states the coverage: the paper's
/// figure 1.
pub const COVERAGE_CONTEXTS: [usize; 8] = [1, 5, 10, 20, 40, 80, 160, 320];

/// The number of randomised lexicons for finding the campaigns of a corpus. Documents that match wrongly
/// by one of them share no phrases, so the comparison of phrases drops them.
pub const RANDOMISED_LEXICONS: u32 = 10;

/// The share of terms that each randomised lexicon lacks.
pub const DROPPED_SHARE: f64 = 0.3;

/// The seed of the randomised lexicons.
pub const LEXICON_SEED: u64 = 1;

/// The largest number of dictionary words, and of good words, that the attacker tries.
pub const ATTACK_WORDS: usize = 5000;

/// The lexicon size that the attacker assumes.
pub const ATTACK_BELIEVED_SIZE: usize = 2000;

/// The number of contexts that the attacker guesses per word.
pub const ATTACK_GUESSES: usize = 10;

/// The number of payloads that the attacker removes words from.
pub const ATTACK_PAYLOADS: usize = 4;

/// The number of runs of each simulation.
pub const ATTACK_RUNS: usize = 2000;

/// The number of payloads that become campaigns.
pub const ATTACK_CAMPAIGNS: usize = 20;

/// The number of copies in a campaign.
pub const ATTACK_COPIES: usize = 50;

/// The numbers of noise words per copy.
pub const ATTACK_NOISE: [usize; 3] = [5, 20, 80];

/// The seed of the simulated attacks.
pub const ATTACK_SEED: u64 = 1;
