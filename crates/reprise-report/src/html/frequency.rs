//! The number of objects by how often they occur.

use maud::Markup;

use crate::html::discovery::object;
use crate::html::log_dots::{LogDots, log_dots_plot};
use crate::numbers::counted;
use crate::results::Discovery;

/// Draws `discovery.frequency`, which must not be empty.
pub(crate) fn frequency_plot(discovery: &Discovery) -> Markup {
    let (object, measure) = (object(discovery), discovery.count.noun());
    log_dots_plot(&LogDots {
        pairs: &discovery.frequency,
        object,
        measure,
        hot_above: discovery.threshold,
        // Counts above the threshold make labels, so the line is between the threshold and the next count.
        line: (
            discovery.threshold as f64 + 0.5,
            format!("more than {}", counted(discovery.threshold, measure)),
        ),
        y_title: format!("distinct {object}s"),
    })
}
