//! Counts the groups that a campaign falls into, and how much contexts reduce them.

use std::collections::HashMap;

use crate::signer::Signatures;

/// The groups of documents of one campaign.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Fragmentation {
    /// The number of documents of the campaign.
    pub documents: usize,
    /// The number of groups of documents that share a signature, directly or through other documents.
    /// With one signature per document, it is the number of distinct signatures.
    pub groups: usize,
    /// The number of documents without a signature.
    pub rejected: usize,
}

/// The fragments of a campaign without and with contexts: a dot in the paper's figure 2.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reduction {
    /// The number of fragments without contexts.
    pub before: usize,
    /// The number of fragments with contexts.
    pub after: usize,
}

/// The share of campaigns with a certain reduction rate: a bar of the paper's figure 3.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RateShare {
    /// The reduction rate, rounded to 0.2 below 2 and to 1 above.
    pub rate: f64,
    /// The share of campaigns (0 to 1).
    pub share: f64,
}

impl Fragmentation {
    /// Groups the documents of a campaign, given their signatures.
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

    /// Returns the number of fragments, which a filter must know one by one: each group, and each document
    /// without a signature.
    pub fn fragments(&self) -> usize {
        self.groups + self.rejected
    }
}

impl Reduction {
    /// Returns the paper's reduction rate: fragments without contexts divided by fragments with contexts.
    /// Documents that lost their signature count as fragments, so rejecting everything is not a success.
    pub fn rate(&self) -> f64 {
        self.before as f64 / self.after.max(1) as f64
    }
}

/// Returns the share of campaigns at each reduction rate, in ascending order: the paper's figure 3.
pub fn shares_by_rate(campaigns: &[Reduction]) -> Vec<RateShare> {
    // Rates are compared as whole numbers of fifths.
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

/// Returns the first document of a group, and shortens the path to it for later calls.
fn root(parents: &mut [usize], mut document: usize) -> usize {
    while parents[document] != document {
        parents[document] = parents[parents[document]];
        document = parents[document];
    }
    document
}
