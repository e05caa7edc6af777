//! Writes reports as HTML.

use std::path::Path;

use reprise_report::results::{Explanation, Report};
use reprise_store::write_file;

use crate::error::Error;

/// Makes an HTML page of a report. The page is one file and works without a network.
pub fn render(report: &Report) -> String {
    reprise_report::render(report)
}

/// Makes an HTML page of two pages side by side.
pub fn render_explanation(explanation: &Explanation) -> String {
    reprise_report::render_side_by_side(explanation)
}

/// Writes a report as an HTML page.
pub fn write_report(report: &Report, path: &Path) -> Result<(), Error> {
    write_file(path, render(report).as_bytes()).map_err(Error::writing(path))
}
