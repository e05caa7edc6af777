//! Writes results as HTML.

use std::io::Write;
use std::path::Path;

use reprise_report::results::Report;
use reprise_store::{Aside, create_file};

use crate::error::Error;

#[doc(inline)]
pub use reprise_report::{
    render, render_attacks, render_evasion, render_hash_comparison, render_side_by_side,
};

/// Writes a report as an HTML page.
pub fn write_report(report: &Report, path: &Path) -> Result<(), Error> {
    write_file(path, render(report).as_bytes())
}

/// Writes a file beside its place and renames it, so that no reader sees half of it.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let aside = Aside::of(path);
    create_file(aside.path())
        .and_then(|mut file| file.write_all(bytes))
        .map_err(Error::writing(path))?;
    Ok(aside.keep()?)
}
