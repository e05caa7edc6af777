//! Finds the real data beside the project; included by the tests that use it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The unpacked data set, or one line that says why the test is skipped.
pub(crate) fn unpack(project: &Path, set: &str) -> Option<PathBuf> {
    let script = project.join("../shared/data/unpack");
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shared-data");
    let output = Command::new(&script).arg(&directory).arg(set).output();
    if output.is_ok_and(|output| output.status.success()) {
        return Some(directory.join(set));
    }
    println!("skipped: the data set {set} is not beside the project");
    None
}
