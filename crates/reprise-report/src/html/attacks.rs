//! The result of simulated attacks on signatures.

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

/// Renders the result of attacks as one HTML file.
///
/// Input: any values. Output: UTF-8 without references to other files. Memory: the size of the output.
pub fn render_attacks(attacks: &Attacks) -> String {
    let title = "How hard signatures are to evade";
    let body = html! {
        main.attacks {
            header {
                p.title { "I-Match" }
                h1 { (title) }
                p.lead {
                    "The attacked payload has " (counted(attacks.payload_terms as u64, "term"))
                    ". Its signature is made of those terms that are in a lexicon of "
                    (count(attacks.lexicon as u64)) ". In a hardened signature, a term counts only if it is next to a word \
                     that was its neighbour in the training documents."
                }
            }
            section {
                h2 { "Attempts until the signature changes" }
                (words(&attacks.attacks))
                @for removal in &attacks.removals { p { (removed(removal)) } }
            }
            section {
                h2 { "Fragmentation of campaigns" }
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
                    th.number scope="col" { "L: useful" }
                    th.number scope="col" { "C: guesses" }
                    th.number scope="col" { "p" sub { "h" } ": right" }
                    th.number scope="col" { "Formula" }
                    th.number scope="col" { "Simulated" }
                    th.number scope="col" { "Std. dev." }
                    th.number scope="col" { "Evaded" }
                }
            }
            tbody { @for attack in attacks { (word_row(attack)) } }
        }
    };
    html! {
        p.hint {
            "Each attempt adds words to the payload. The attacker can try N words, of which L change the signature. \
             If an attempt adds one word, the paper expects T = (N + 1) / (L + 1) attempts. If each word is tried in C \
             guessed contexts, of which the share p" sub { "h" } " is right, it expects (T \u{2212} 1) C + 1 / p"
            sub { "h" } " attempts."
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
        "Words removed from {}, {} signature: the removal of {} of {} words changes the signature of its payload, and {} \
         of these words also change the signature of the attacked payload. The simulated attacker needs {} attempts \
         (standard deviation {}) and evades in {} of all runs.",
        counted(removal.payloads as u64, "other payload"),
        removal.defence,
        count(removal.learned as u64),
        count(removal.words as u64),
        count(removal.useful as u64),
        shown(removal.simulated.mean),
        shown(removal.simulated.stddev),
        percent(evaded(&removal.simulated)),
    )
}

fn fragments(rows: &[Fragments]) -> Markup {
    if rows.is_empty() {
        return empty(
            "No campaigns were simulated, because noise to add to the payloads was missing.",
        );
    }
    let optional = |value: Option<f64>| value.map_or_else(|| "\u{2013}".to_owned(), shown);
    let table = html! {
        table {
            thead {
                tr {
                    th scope="col" { "Noise" }
                    th.number scope="col" { "Words" }
                    th.number scope="col" { "Fragments, plain" }
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
            " copies. Each copy has different noise before and after the payload. A fragment is a group of copies that \
             share a signature, or a copy without a signature. The reduction rate is the number of fragments with plain \
             signatures divided by the number with hardened ones."
        }
        (scroll_box("Fragments of campaigns", &table))
        @if rows.iter().any(|row| row.hardened.is_some()) { (figures(rows)) }
    }
}

fn figures(rows: &[Fragments]) -> Markup {
    let keys = [("hot", "noise of single words"), ("", "noise of sentences")];
    html! {
        figure {
            (reduction_plot(rows))
            (caption(&keys, "Each dot is a campaign, as in the paper\u{2019}s figure 2. The horizontal axis shows the number of \
                fragments with plain signatures, the vertical axis the reduction rate."))
        }
        figure {
            (rates_plot(rows))
            (caption(&keys, "Each dot shows the share of campaigns (vertical axis) with a reduction rate (horizontal axis), as in \
                the paper\u{2019}s figure 3."))
        }
    }
}

fn evaded(trials: &Trials) -> f64 {
    trials.succeeded as f64 / trials.runs.max(1) as f64
}

fn shown(value: f64) -> String {
    format!("{value:.1}")
}
