//! The section "What is copied".

use maud::{Markup, html};

use crate::html::frequency::frequency_plot;
use crate::html::log_dots::has_dots;
use crate::html::parts::empty;
use crate::html::text;
use crate::numbers::{choose, count, counted, share};
use crate::results::{CountBy, Discovery, TopObject};

/// So many of the top objects are open at first, and so on paper.
const OPEN: usize = 3;

/// Characters of an object's text that stand in its heading.
const HEADING_CHARS: usize = 72;

/// Returns the noun for what was counted: `chunk` or `file`.
pub(crate) fn object(discovery: &Discovery) -> &'static str {
    discovery.level.as_str()
}

/// "on more than 4 sites", "more than 4 times".
pub(crate) fn above_threshold(discovery: &Discovery) -> String {
    let threshold = discovery.threshold;
    match discovery.count {
        CountBy::Occurrences => format!("more than {}", counted(threshold, "time")),
        CountBy::Pages | CountBy::Sites => format!(
            "on more than {}",
            counted(threshold, discovery.count.noun())
        ),
    }
}

/// The body of the section.
pub(crate) fn discovery(discovery: &Discovery) -> Markup {
    html! {
        p { (introduction(discovery)) }
        h3 { "How often things repeat" }
        @if has_dots(&discovery.frequency) {
            figure {
                (frequency_plot(discovery))
                figcaption {
                    span.key { span.swatch.hot {} "above the threshold" }
                    span.key { span.swatch {} "the others" }
                    span.key { "Both scales are logarithmic. Far to the right lie the " (object(discovery)) "s that are nearly everywhere." }
                }
            }
        } @else {
            (empty(&format!("There is no {} in the corpus, so there is nothing to plot.", object(discovery))))
        }
        h3 { "The most copied " (object(discovery)) "s" }
        @if discovery.top.is_empty() {
            (empty(&no_top(discovery)))
        }
        @for (index, top) in discovery.top.iter().enumerate() {
            (top_object(top, index < OPEN))
        }
    }
}

fn introduction(discovery: &Discovery) -> String {
    let object = object(discovery);
    if discovery.objects == 0 {
        return format!("No {object} was counted, so none can be a copy.");
    }
    let Discovery {
        objects,
        distinct,
        labeled,
        stop,
        ..
    } = *discovery;
    let stop = match stop {
        0 => String::new(),
        stop => format!(
            " {} {} left out, whatever {} count.",
            counted(stop, "stop chunk"),
            choose(stop, "was", "were"),
            choose(stop, "its", "their"),
        ),
    };
    format!(
        "{} {} counted, {} of them distinct. A {object} that appears {} counts as copied and becomes a label; \
         the threshold was {}. {} {} so ({} of the distinct ones).{stop}",
        counted(objects, object),
        choose(objects, "was", "were"),
        count(distinct),
        above_threshold(discovery),
        if discovery.threshold_auto {
            "chosen from the data"
        } else {
            "given"
        },
        counted(labeled, object),
        choose(labeled, "does", "do"),
        share(labeled, distinct),
    )
}

fn no_top(discovery: &Discovery) -> String {
    let object = object(discovery);
    if discovery.objects == 0 {
        format!("None: there is no {object} in the corpus.")
    } else if discovery.labeled == 0 {
        format!(
            "None: no {object} that counts appears {}.",
            above_threshold(discovery)
        )
    } else {
        format!(
            "None were chosen to be shown, of {}.",
            counted(discovery.labeled, "label")
        )
    }
}

fn top_object(top: &TopObject, is_open: bool) -> Markup {
    html! {
        details.card open[is_open] {
            summary {
                @if !top.category.is_empty() { span.badge { (text::line(&top.category)) } " " }
                bdi.excerpt { (text::excerpt(&top.text, HEADING_CHARS)) }
                span.facts {
                    (counted(top.sites, "site")) " \u{b7} "
                    (counted(top.pages, "page")) " \u{b7} "
                    (counted(top.occurrences, "occurrence")) " \u{b7} "
                    (counted(top.chars, "character"))
                }
            }
            @if !top.reason.is_empty() { p { (text::line(&top.reason)) } }
            pre.source dir="auto" { (text::block(&top.text)) }
            @if !top.urls.is_empty() {
                p.label { "Found on, among others" }
                ul.urls { @for url in &top.urls { li { (text::url(url)) } } }
            }
            p.fingerprint { "fingerprint " code { (top.fingerprint) } }
        }
    }
}
