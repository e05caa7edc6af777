//! Decides which pages are candidates: those that agree in enough bands of shingles.
//!
//! The 84 shingles are divided into bands of `r` shingles. Two pages with similarity `s` agree in a shingle
//! with probability `s`, and in a band with probability `s^r`. Wide bands rarely agree by chance. Narrow
//! bands miss few pairs.

use reprise_shingle::{SHINGLES, SUPERSHINGLES, Shingles, probability};

/// Bands of shingles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bands {
    /// The number of bands.
    pub bands: usize,
    /// The number of shingles in a band.
    pub rows: usize,
    /// The number of bands that must agree.
    pub agreeing: usize,
}

/// The lowest probability that a pair with the lowest similarity becomes a candidate.
const RECALL: f64 = 0.995;

impl Bands {
    /// The paper's rule: two of six bands of fourteen shingles.
    pub const PAPER: Bands = Bands {
        bands: SUPERSHINGLES,
        rows: SHINGLES / SUPERSHINGLES,
        agreeing: 2,
    };

    /// Returns the widest bands that find pairs of this similarity.
    pub fn for_similarity(similarity: f64) -> Bands {
        (1..=SHINGLES / SUPERSHINGLES)
            .rev()
            .map(|rows| Bands {
                bands: SHINGLES / rows,
                rows,
                agreeing: 1,
            })
            .find(|bands| bands.recall(similarity) >= RECALL)
            .unwrap_or(Bands {
                bands: SHINGLES,
                rows: 1,
                agreeing: 1,
            })
    }

    /// Returns the probability that a pair of this similarity becomes a candidate.
    pub fn recall(self, similarity: f64) -> f64 {
        probability(similarity, self.bands, self.rows, self.agreeing)
    }

    /// Returns the shingles of a band.
    pub(crate) fn band(self, shingles: &Shingles, band: usize) -> &[u64] {
        &shingles[band * self.rows..][..self.rows]
    }
}

#[cfg(test)]
mod tests {
    use super::Bands;

    #[test]
    fn less_similar_pages_need_narrower_bands() {
        for (similarity, rows) in [(0.3, 1), (0.5, 2), (0.65, 3), (0.8, 5), (0.965, 14)] {
            let bands = Bands::for_similarity(similarity);
            assert_eq!(bands.rows, rows, "{similarity}");
            assert!(bands.recall(similarity) >= 0.98, "{similarity}");
        }
        // The paper states a value below 0.05, but its formula gives 0.057.
        assert!(Bands::PAPER.recall(0.825) < 0.06);
        assert!(Bands::PAPER.recall(0.77) < 0.01);
        assert!(Bands::PAPER.recall(0.965) > 0.95);
    }
}
