//! How many objects occur how often.

use maud::Markup;

use crate::html::discovery::object;
use crate::html::log_dots::{LogDots, log_dots_plot};
use crate::numbers::counted;
use crate::results::Discovery;

/// The plot of `discovery.frequency`, which is not empty.
pub(crate) fn frequency_plot(discovery: &Discovery) -> Markup {
    let (object, measure) = (object(discovery), discovery.count.noun());
    log_dots_plot(&LogDots {
        pairs: &discovery.frequency,
        object,
        measure,
        hot_above: discovery.threshold,
        // Labels begin above the threshold: the line stands between it and the next count.
        line: (
            discovery.threshold as f64 + 0.5,
            format!("more than {}", counted(discovery.threshold, measure)),
        ),
        y_title: format!("distinct {object}s"),
    })
}
