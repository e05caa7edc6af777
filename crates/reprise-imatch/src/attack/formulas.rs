//! The paper's formulas for the cost of an attack.

/// Computes equation 4, T = (N + 1) / (L + 1): the mean number of words that are drawn without
/// replacement from a vocabulary of N words until one of L lexicon words is drawn.
pub fn trials_plain(vocabulary: usize, lexicon: usize) -> f64 {
    (vocabulary as f64 + 1.0) / (lexicon as f64 + 1.0)
}

/// Computes equation 5, T' = (T - 1) C + 1 / `p_h`: the mean number of attempts if each word is tried
/// with C guessed contexts.
///
/// `trials` is T, `guesses` is C, and `hit` is `p_h`, the probability that a guess for a lexicon word is
/// a valid context. The formula assumes that guesses are drawn with replacement.
pub fn trials_context(trials: f64, guesses: f64, hit: f64) -> f64 {
    (trials - 1.0) * guesses + 1.0 / hit
}

/// Computes the mean number of attempts if guesses are drawn without replacement: `hits` of the
/// `guesses` for a lexicon word are valid.
pub fn trials_context_exact(trials: f64, guesses: f64, hits: f64) -> f64 {
    (trials - 1.0) * guesses + (guesses + 1.0) / (hits + 1.0)
}
