//! Tests campaigns: their noise, their fragments, and the bars of figure 3.

use std::collections::BTreeSet;

use proptest::prelude::*;
use reprise_imatch::noise::{Noise, NoiseConfig, campaign};
use reprise_imatch::{
    Fragmentation, Part, Randomised, Reduction, Signatures, Signer, SignerConfig, shares_by_rate,
};

use crate::signatures::{documents, lexicon_of};
use crate::words;

/// Counts the groups by merging all groups that a document matches.
fn slow_groups(all: &[Signatures]) -> usize {
    let mut groups: Vec<Vec<&Signatures>> = Vec::new();
    for one in all.iter().filter(|one| !one.all.is_empty()) {
        let is_near = |group: &Vec<&Signatures>| group.iter().any(|other| one.matches(other));
        let (near, far): (Vec<_>, Vec<_>) = groups.into_iter().partition(is_near);
        groups = far;
        groups.push(near.into_iter().flatten().chain([one]).collect());
    }
    groups.len()
}

proptest! {
    #[test]
    fn groups_equal_the_slow_ones(campaign in documents(), lexicons in 0_u32..4, seed in 0_u64..20) {
        let lexicon = lexicon_of("a b c d");
        let randomised = Some(Randomised { lexicons, dropped_share: 0.5, seed });
        let config = SignerConfig { overlap_min: 2, randomised };
        let part = Part { lexicon: &lexicon, contexts: None };
        let signer = Signer::new(part, None, config).unwrap();
        let all: Vec<Signatures> = campaign.iter().map(|document| signer.sign(document)).collect();
        let found = Fragmentation::of(&all);
        prop_assert_eq!(found.groups, slow_groups(&all));
        prop_assert_eq!(found.documents, campaign.len());
        prop_assert_eq!(found.rejected, all.iter().filter(|one| one.primary.is_none()).count());
        prop_assert_eq!(found.fragments(), found.groups + found.rejected);
        if lexicons == 0 {
            let distinct: BTreeSet<_> = all.iter().filter_map(|one| one.primary).collect();
            prop_assert_eq!(found.groups, distinct.len());
        }
    }
}

#[test]
fn rates_are_rounded_to_fifths_below_two_and_to_whole_numbers_above() {
    let campaigns = [
        (10, 10),
        (11, 10),
        (13, 10),
        (30, 10),
        (34, 10),
        (99, 1),
        (5, 10),
        (7, 0),
    ];
    let campaigns = campaigns.map(|(before, after)| Reduction { before, after });
    let bars: Vec<(f64, f64)> = shares_by_rate(&campaigns)
        .iter()
        .map(|bar| (bar.rate, bar.share * 8.0))
        .collect();
    let expected = [
        (0.6, 1.0),
        (1.0, 1.0),
        (1.2, 1.0),
        (1.4, 1.0),
        (3.0, 2.0),
        (7.0, 1.0),
        (99.0, 1.0),
    ];
    assert_eq!(bars, expected);
    assert!(shares_by_rate(&[]).is_empty());
}

#[test]
fn noise_surrounds_a_payload() {
    let payload = words("the very payload");
    let sentences = [words("one two three"), words("four five")];
    let config = NoiseConfig {
        words: 7,
        copies: 20,
        seed: 1,
    };
    let noises = [
        (Noise::Words(&["x", "y", "z"]), 7..=7),
        (Noise::Sentences(&sentences), 7..=11),
        (Noise::Words(&[]), 0..=0),
        (Noise::Sentences(&[]), 0..=0),
    ];
    for (noise, lens) in noises {
        let copies = campaign(&payload, noise, &config);
        assert_eq!(copies.len(), 20);
        for copy in &copies {
            assert!(lens.contains(&(copy.len() - payload.len())), "{copy:?}");
            let words: Vec<&str> = copy.iter().collect();
            assert!(
                words
                    .windows(3)
                    .any(|three| three == ["the", "very", "payload"])
            );
        }
        assert_eq!(copies, campaign(&payload, noise, &config));
    }
    let (first, second) = (
        campaign(&payload, Noise::Sentences(&sentences), &config),
        campaign(
            &payload,
            Noise::Sentences(&sentences),
            &NoiseConfig { seed: 2, ..config },
        ),
    );
    assert_ne!(first, second);
}
