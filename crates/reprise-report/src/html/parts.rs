//! Small pieces of markup that several sections use.

use maud::{Markup, html};

use crate::html::plot::px;
use crate::numbers;

/// A section of the report.
pub(crate) fn section(id: &str, title: &str, body: &Markup) -> Markup {
    html! {
        section id=(id) {
            h2 { (title) }
            (body)
        }
    }
}

/// What stands where there is nothing to show: the reason.
pub(crate) fn empty(reason: &str) -> Markup {
    html! { p.empty { (reason) } }
}

/// A number that is worth a box of its own.
pub(crate) fn tile(number: u64, name: &str, remark: &str) -> Markup {
    html! {
        li {
            span.figure title=(numbers::count(number)) { (figure(number)) }
            span.name { (name) }
            span.dim { (remark) }
        }
    }
}

/// All digits while they fit a tile.
fn figure(number: u64) -> String {
    if number < 10_000_000 {
        numbers::count(number)
    } else {
        numbers::compact(number)
    }
}

/// How to read a plot, below it.
pub(crate) fn caption(keys: &[(&str, &str)], reading: &str) -> Markup {
    html! {
        figcaption {
            @for (class, name) in keys { span.key { span.{"swatch " (class)} {} (name) } }
            span.reading { (reading) }
        }
    }
}

/// A box that scrolls sideways by itself, so that the page never does.
/// It takes the focus: without a mouse, that is the only way to scroll it.
pub(crate) fn scroll_box(name: &str, content: &Markup) -> Markup {
    html! {
        div.scroll role="region" aria-label=(name) tabindex="0" { (content) }
    }
}

/// A bar for a value from 0 to 1; the number itself stands beside it.
pub(crate) fn bar(value: f64, is_hot: bool) -> Markup {
    let width = px(numbers::unit(value) * 100.0);
    html! {
        svg.bar viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" {
            rect.track width="100" height="8" {}
            rect.fill.hot[is_hot] width=(width) height="8" {}
        }
    }
}

/// Renders "and 7 more pages" below a list that shows only `shown` of `total` entries.
pub(crate) fn and_more(total: u64, shown: usize, noun: &str) -> Markup {
    let hidden = total.saturating_sub(shown as u64);
    html! {
        @if hidden > 0 {
            p.more { "and " (numbers::count(hidden)) " more " (noun) (numbers::plural(hidden)) }
        }
    }
}
