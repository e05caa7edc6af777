//! The file about attacks on signatures.

use reprise_imatch::attack::{
    AttackWords, Attacks, Defence, Fragments, NoiseKind, RemovalAttack, Trials, WordAttack,
};
use reprise_report::render_attacks;

const TRIALS: Trials = Trials {
    runs: 2000,
    succeeded: 1500,
    mean: 1628.6,
    stddev: 1143.3,
    median: 1402,
    min: 1,
    max: 4914,
};

fn attacks() -> Attacks {
    let attack = |defence, formula| WordAttack {
        words: AttackWords::Dictionary,
        defence,
        vocabulary: 4914,
        lexicon: 2,
        guesses: 1.0,
        hit: 1.0,
        formula,
        formula_exact: formula,
        simulated: TRIALS,
    };
    let fragments = |noise, reductions: Vec<(usize, usize)>, rates| Fragments {
        noise,
        words: 80,
        campaigns: reductions.len(),
        copies: 120,
        plain: 120.0,
        hardened: Some(1.8),
        mean_rate: Some(82.7),
        best_rate: Some(120.0),
        improved: Some(0.97),
        reductions,
        rates,
    };
    Attacks {
        payload_terms: 171,
        lexicon: 15_000,
        attacks: vec![
            attack(Defence::Plain, Some(1638.3)),
            attack(Defence::Hardened, None),
        ],
        removals: vec![RemovalAttack {
            defence: Defence::Hardened,
            payloads: 4,
            words: 399,
            learned: 206,
            useful: 129,
            simulated: TRIALS,
        }],
        fragmentation: vec![
            fragments(
                NoiseKind::Words,
                vec![(120, 1), (120, 1), (60, 2)],
                vec![(30.0, 0.33), (120.0, 0.67)],
            ),
            fragments(
                NoiseKind::Sentences,
                vec![(120, 113), (120, 120)],
                vec![(1.0, 1.0)],
            ),
        ],
    }
}

#[test]
fn the_file_has_all_numbers_and_plots() {
    let html = render_attacks(&attacks());
    for part in [
        "The attacked payload has 171 terms",
        "a lexicon of 15,000",
        "1638.3",
        "never",
        "75%",
        "Words removed from 4 other payloads, hardened signature: the removal of 206 of 399 words changes the signature of \
         its payload, and 129 of these words",
        "3 payloads became campaigns of 120 copies",
        "<title>2 campaigns: 120 fragments without contexts, 1 with contexts</title>",
        "<title>67% of campaigns with a reduction rate of 120</title>",
        "<title>100% of campaigns with a reduction rate of 1</title>",
    ] {
        assert!(html.contains(part), "{part}");
    }
    assert!(!html.contains("<script") && !html.contains("://"));
}

#[test]
fn without_contexts_there_are_no_plots() {
    let mut attacks = attacks();
    for row in &mut attacks.fragmentation {
        (row.hardened, row.mean_rate, row.best_rate, row.improved) = (None, None, None, None);
    }
    assert!(!render_attacks(&attacks).contains("<svg"));
    attacks.attacks.clear();
    attacks.fragmentation.clear();
    let html = render_attacks(&attacks);
    assert!(html.contains("The attacker had no words to try."));
    assert!(html.contains("because noise to add to the payloads was missing."));
}
