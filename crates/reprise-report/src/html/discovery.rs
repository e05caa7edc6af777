//! The section "What is copied".

use maud::{Markup, html};

use crate::html::frequency::frequency_plot;
use crate::html::log_dots::has_dots;
use crate::html::parts::empty;
use crate::html::text;
use crate::numbers::{choose, count, counted, share};
use crate::results::{CountBy, Discovery, TopObject};

/// The number of objects that are unfolded, and therefore printed.
const OPEN: usize = 3;

/// The most characters of an object's text in its heading.
const HEADING_CHARS: usize = 72;

/// Returns the noun for what was counted: `chunk` or `file`.
pub(crate) fn object(discovery: &Discovery) -> &'static str {
    discovery.level.as_str()
}

/// Returns "on more than 4 sites" or "more than 4 times".
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

/// Renders the body of the section.
pub(crate) fn discovery(discovery: &Discovery) -> Markup {
    html! {
        p { (introduction(discovery)) }
        h3 { "How often " (object(discovery)) "s occur" }
        @if has_dots(&discovery.frequency) {
            figure {
                (frequency_plot(discovery))
                figcaption {
                    span.key { span.swatch.hot {} "above the threshold" }
                    span.key { span.swatch {} "at or below it" }
                    span.key { "Both scales are logarithmic. The " (object(discovery)) "s at the right occur almost everywhere." }
                }
            }
        } @else {
            (empty(&format!("The corpus has no {}s, so there is nothing to plot.", object(discovery))))
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
        return format!("The corpus has no {object}s to count.");
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
            " {} {} excluded, regardless of {} count.",
            counted(stop, "stop chunk"),
            choose(stop, "was", "were"),
            choose(stop, "its", "their"),
        ),
    };
    format!(
        "{} {} counted, {} of them distinct. A {object} that appears {} counts as copied and becomes a label. \
         This threshold {}. {} became {} ({} of the distinct ones).{stop}",
        counted(objects, object),
        choose(objects, "was", "were"),
        count(distinct),
        above_threshold(discovery),
        if discovery.threshold_auto {
            "follows from the size of the corpus"
        } else {
            "was given"
        },
        counted(labeled, object),
        choose(labeled, "a label", "labels"),
        share(labeled, distinct),
    )
}

fn no_top(discovery: &Discovery) -> String {
    let object = object(discovery);
    if discovery.objects == 0 {
        format!("The corpus has no {object}s.")
    } else if discovery.labeled == 0 {
        format!(
            "No {object} that counts appears {}.",
            above_threshold(discovery)
        )
    } else {
        format!(
            "This report lists none of the {}.",
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
                p.label { "Some of the pages that have it" }
                ul.urls { @for url in &top.urls { li { (text::url(url)) } } }
            }
            p.fingerprint { "fingerprint " code { (top.fingerprint) } }
        }
    }
}
