//! Into how many groups a campaign falls, and how much hardening helps.

use std::collections::HashMap;

use crate::signer::Signatures;

/// What became of the documents of one campaign.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Fragmentation {
    /// Documents of the campaign.
    pub documents: usize,
    /// Groups of documents with a signature in common, directly or by way of others. With one
    /// signature a document, these are the distinct signatures.
    pub groups: usize,
    /// Documents without a signature.
    pub rejected: usize,
}

/// A campaign in the paper's figure 2.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reduction {
    /// Fragments without hardening.
    pub before: usize,
    /// Fragments with it.
    pub after: usize,
}

/// A bar of the paper's figure 3.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RateShare {
    /// The rate of reduction: in steps of 0.2 below 2, of 1 above.
    pub rate: f64,
    /// The share of campaigns with it (0 to 1).
    pub share: f64,
}

impl Fragmentation {
    /// The fragmentation of a campaign, from the signatures of its documents.
    pub fn of<'a, 'b: 'a>(documents: impl IntoIterator<Item = &'a Signatures<'b>>) -> Self {
        let mut result = Self::default();
        let mut first = HashMap::new();
        let mut parents: Vec<usize> = Vec::new();
        for signatures in documents {
            let number = result.documents;
            result.documents += 1;
            parents.push(number);
            if signatures.all.is_empty() {
                result.rejected += 1;
                continue;
            }
            result.groups += 1;
            for &signature in &signatures.all {
                let other = *first.entry(signature).or_insert(number);
                let roots = [root(&mut parents, number), root(&mut parents, other)];
                if roots[0] != roots[1] {
                    parents[roots[0].max(roots[1])] = roots[0].min(roots[1]);
                    result.groups -= 1;
                }
            }
        }
        result
    }

    /// Pieces that a filter would have to know one by one: each group, and each document without a
    /// signature.
    pub fn fragments(&self) -> usize {
        self.groups + self.rejected
    }
}

impl Reduction {
    /// The reduction rate of the paper: fragments before over fragments after. Documents that lost
    /// their signature count as fragments, so that rejecting everything is no success.
    pub fn rate(&self) -> f64 {
        self.before as f64 / self.after.max(1) as f64
    }
}

/// The share of campaigns at each rate of reduction, ascending: the paper's figure 3.
pub fn shares_by_rate(campaigns: &[Reduction]) -> Vec<RateShare> {
    // In fifths, which are whole numbers.
    let fifths = |campaign: &Reduction| {
        let rate = campaign.rate();
        if rate < 2.0 {
            (rate * 5.0).round() as u64
        } else {
            rate.round() as u64 * 5
        }
    };
    let mut rates: Vec<u64> = campaigns.iter().map(fifths).collect();
    rates.sort_unstable();
    rates
        .chunk_by(|a, b| a == b)
        .map(|equal| RateShare {
            rate: equal[0] as f64 / 5.0,
            share: equal.len() as f64 / campaigns.len() as f64,
        })
        .collect()
}

/// The first document of the group, with shorter ways for those who ask next.
fn root(parents: &mut [usize], mut document: usize) -> usize {
    while parents[document] != document {
        parents[document] = parents[parents[document]];
        document = parents[document];
    }
    document
}
