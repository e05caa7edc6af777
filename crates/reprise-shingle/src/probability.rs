//! Computes how reliably bands of shingles find similar documents.

/// Returns the probability that at least `wanted` of `bands` bands agree, for two documents.
///
/// A band is a run of `rows` shingles. `similarity` is the Jaccard similarity of the documents: the
/// share of phrases in either document that are in both.
///
/// ```
/// // Near-duplicates agree in two of six runs of 14 shingles.
/// let found = |similarity| reprise_shingle::probability(similarity, 6, 14, 2);
/// assert!(found(0.965) > 0.95);
/// assert!(found(0.77) < 0.01);
/// ```
pub fn probability(similarity: f64, bands: usize, rows: usize, wanted: usize) -> f64 {
    // Each shingle agrees with a probability equal to the similarity, independently of the others.
    let agrees = similarity.clamp(0.0, 1.0).powf(rows as f64);
    // The probabilities that 0, 1, 2, ... of the first `looked_at` bands agree.
    let mut chances = vec![0.0; bands + 1];
    chances[0] = 1.0;
    for looked_at in 1..=bands {
        for agreeing in (0..=looked_at).rev() {
            let from_fewer = if agreeing == 0 {
                0.0
            } else {
                chances[agreeing - 1] * agrees
            };
            chances[agreeing] = chances[agreeing] * (1.0 - agrees) + from_fewer;
        }
    }
    chances.iter().skip(wanted).sum::<f64>().min(1.0)
}

#[cfg(test)]
mod tests {
    use super::probability;

    #[track_caller]
    fn assert_near(found: f64, expected: f64) {
        assert!(
            (found - expected).abs() < 1e-12,
            "{found} is not {expected}"
        );
    }

    #[test]
    fn one_band_agrees_with_a_power_of_the_similarity() {
        assert_near(probability(0.9, 1, 3, 1), 0.729);
        assert_near(probability(0.9, 1, 3, 0), 1.0);
        assert_near(probability(0.9, 1, 3, 2), 0.0);
    }

    #[test]
    fn at_least_one_band_is_the_complement_of_none() {
        assert_near(probability(0.5, 4, 2, 1), 1.0 - 0.75_f64.powi(4));
    }

    #[test]
    fn extreme_similarities_are_certain() {
        for wanted in 1..=6 {
            assert_near(probability(0.0, 6, 14, wanted), 0.0);
            assert_near(probability(1.0, 6, 14, wanted), 1.0);
        }
    }
}
