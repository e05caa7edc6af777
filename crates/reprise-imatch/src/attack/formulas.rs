//! What the paper expects of an attack.

/// Equation 4: the mean number of words tried until one of `lexicon` words is drawn from a vocabulary
/// of `vocabulary` words without replacement, T = (N + 1) / (L + 1).
pub fn trials_plain(vocabulary: usize, lexicon: usize) -> f64 {
    (vocabulary as f64 + 1.0) / (lexicon as f64 + 1.0)
}

/// Equation 5: the mean number of attempts where each word is tried with up to `guesses` contexts,
/// T' = (T - 1) C + 1 / `p_h`.
///
/// `trials` is T; `hit` is the probability that a guess for a lexicon word is a valid context. It
/// takes guesses for a lexicon word to be drawn with replacement.
pub fn trials_context(trials: f64, guesses: f64, hit: f64) -> f64 {
    (trials - 1.0) * guesses + 1.0 / hit
}

/// The same where guesses are drawn without replacement: of `guesses` guesses, `hits` are valid.
pub fn trials_context_exact(trials: f64, guesses: f64, hits: f64) -> f64 {
    (trials - 1.0) * guesses + (guesses + 1.0) / (hits + 1.0)
}
