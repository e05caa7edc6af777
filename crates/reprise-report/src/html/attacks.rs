//! Simulated attacks on signatures, as one HTML file.

use maud::{Markup, html};
use reprise_imatch::attack::{Attacks, Fragments, RemovalAttack, Trials, WordAttack};

use crate::html::document;
use crate::html::fragment_plots::{rates_plot, reduction_plot};
use crate::html::parts::{caption, empty, scroll_box};
use crate::numbers::{count, counted, percent, ratio};

const STYLE: &str = concat!(
    include_str!("css/report.css"),
    include_str!("css/phrases.css"),
    include_str!("css/attacks.css")
);

/// The result of attacks as one HTML file.
///
/// Input: any values at all; texts may be hostile. Output: UTF-8 without outside references.
/// Memory: the output's.
pub fn render_attacks(attacks: &Attacks) -> String {
    let title = "How hard signatures are to evade";
    let body = html! {
        main.attacks {
            header {
                p.title { "I-Match" }
                h1 { (title) }
                p.lead {
                    "A payload of " (counted(attacks.payload_terms as u64, "term"))
                    " was attacked; the signature stands for its terms in a lexicon of "
                    (count(attacks.lexicon as u64)) ". Hardened means that a term counts only beside a neighbour that is known there."
                }
            }
            section {
                h2 { "Attempts until the signature changes" }
                (words(&attacks.attacks))
                @for removal in &attacks.removals { p { (removed(removal)) } }
            }
            section {
                h2 { "Pieces that campaigns fall into" }
                (fragments(&attacks.fragmentation))
            }
        }
    };
    document::document(title, STYLE, &body)
}

fn words(attacks: &[WordAttack]) -> Markup {
    if attacks.is_empty() {
        return empty("The attacker had no words to try.");
    }
    let table = html! {
        table {
            thead {
                tr {
                    th scope="col" { "Words added" }
                    th scope="col" { "Defence" }
                    th.number scope="col" { "N: words" }
                    th.number scope="col" { "L: that help" }
                    th.number scope="col" { "C: guesses" }
                    th.number scope="col" { "p" sub { "h" } ": right" }
                    th.number scope="col" { "Formula" }
                    th.number scope="col" { "Simulated" }
                    th.number scope="col" { "Stddev" }
                    th.number scope="col" { "Evaded" }
                }
            }
            tbody { @for attack in attacks { (word_row(attack)) } }
        }
    };
    html! {
        p.hint {
            "The formulas are the paper\u{2019}s: T = (N + 1) / (L + 1) words, and (T \u{2212} 1) C + 1 / p" sub { "h" }
            " attempts where each word is tried in several contexts."
        }
        (scroll_box("Words added", &table))
    }
}

fn word_row(attack: &WordAttack) -> Markup {
    let formula = attack.formula.map_or_else(|| "never".to_owned(), shown);
    html! {
        tr {
            td { (attack.words) }
            td { (attack.defence) }
            td.number { (count(attack.vocabulary as u64)) }
            td.number { (count(attack.lexicon as u64)) }
            td.number { (shown(attack.guesses)) }
            td.number { (ratio(attack.hit)) }
            td.number { (formula) }
            td.number { (shown(attack.simulated.mean)) }
            td.number { (shown(attack.simulated.stddev)) }
            td.number { (percent(evaded(&attack.simulated))) }
        }
    }
}

fn removed(removal: &RemovalAttack) -> String {
    format!(
        "Words removed from {}, {}: of {} words, {} change a signature, and {} of these that of the payload too. \
         The simulated attacker needs {} attempts (standard deviation {}) and evades in {} of all runs.",
        counted(removal.payloads as u64, "other payload"),
        removal.defence,
        count(removal.words as u64),
        count(removal.learned as u64),
        count(removal.useful as u64),
        shown(removal.simulated.mean),
        shown(removal.simulated.stddev),
        percent(evaded(&removal.simulated)),
    )
}

fn fragments(rows: &[Fragments]) -> Markup {
    if rows.is_empty() {
        return empty("There was no noise to put around payloads.");
    }
    let optional = |value: Option<f64>| value.map_or_else(|| "\u{2013}".to_owned(), shown);
    let table = html! {
        table {
            thead {
                tr {
                    th scope="col" { "Noise" }
                    th.number scope="col" { "Words" }
                    th.number scope="col" { "Pieces, plain" }
                    th.number scope="col" { "Hardened" }
                    th.number scope="col" { "Mean rate" }
                    th.number scope="col" { "Best rate" }
                    th.number scope="col" { "Rate above 1" }
                }
            }
            tbody {
                @for row in rows {
                    tr {
                        td { (row.noise) }
                        td.number { (count(row.words as u64)) }
                        td.number { (shown(row.plain)) }
                        td.number { (optional(row.hardened)) }
                        td.number { (optional(row.mean_rate)) }
                        td.number { (optional(row.best_rate)) }
                        td.number { (row.improved.map_or_else(|| "\u{2013}".to_owned(), percent)) }
                    }
                }
            }
        }
    };
    html! {
        p.hint {
            (counted(rows[0].campaigns as u64, "payload")) " became campaigns of " (count(rows[0].copies as u64))
            " copies, each with other noise around it. A piece is a group of copies with a signature in common, or a copy \
             without one. The rate is pieces without contexts by pieces with them."
        }
        (scroll_box("Pieces of campaigns", &table))
        @if rows.iter().any(|row| row.hardened.is_some()) { (figures(rows)) }
    }
}

fn figures(rows: &[Fragments]) -> Markup {
    let keys = [("hot", "noise of single words"), ("", "noise of sentences")];
    html! {
        figure {
            (reduction_plot(rows))
            (caption(&keys, "Each dot is a campaign, as in the paper\u{2019}s figure 2: to the right, into how many pieces it falls without \
                contexts; upwards, how many times fewer with them."))
        }
        figure {
            (rates_plot(rows))
            (caption(&keys, "Which share of campaigns (upwards) has which rate of reduction (to the right), as in the paper\u{2019}s figure 3."))
        }
    }
}

fn evaded(trials: &Trials) -> f64 {
    trials.succeeded as f64 / trials.runs.max(1) as f64
}

fn shown(value: f64) -> String {
    format!("{value:.1}")
}
