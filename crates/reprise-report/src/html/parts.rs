//! Markup that several sections use.

use maud::{Markup, html};

use crate::html::plot::px;
use crate::numbers;

/// Renders a section of the report.
pub(crate) fn section(id: &str, title: &str, body: &Markup) -> Markup {
    html! {
        section id=(id) {
            h2 { (title) }
            (body)
        }
    }
}

/// Renders the reason why there is nothing to show.
pub(crate) fn empty(reason: &str) -> Markup {
    html! { p.empty { (reason) } }
}

/// Renders a box with a number, its name and a remark.
pub(crate) fn tile(number: u64, name: &str, remark: &str) -> Markup {
    html! {
        li {
            span.figure title=(numbers::count(number)) { (figure(number)) }
            span.name { (name) }
            span.dim { (remark) }
        }
    }
}

/// Formats a number with all digits if they fit into a tile, otherwise as 12M.
fn figure(number: u64) -> String {
    if number < 10_000_000 {
        numbers::count(number)
    } else {
        numbers::compact(number)
    }
}

/// Renders the keys of a plot, and sentences on how to read it.
pub(crate) fn caption(keys: &[(&str, &str)], reading: &str) -> Markup {
    html! {
        figcaption {
            @for (class, name) in keys { span.key { span.{"swatch " (class)} {} (name) } }
            span.reading { (reading) }
        }
    }
}

/// Renders a box that scrolls sideways, so that the page does not. The box can have the focus, because it can
/// only be scrolled with the keyboard if it has.
pub(crate) fn scroll_box(name: &str, content: &Markup) -> Markup {
    html! {
        div.scroll role="region" aria-label=(name) tabindex="0" { (content) }
    }
}

/// Draws a bar for a value from 0 to 1. The caller shows the number beside it.
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
