//! Finds the real data beside the project; included by the tests that use it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The unpacked data set, or one line that says why the test is skipped.
pub(crate) fn unpack(project: &Path, set: &str) -> Option<PathBuf> {
    let data = project.join("../shared/data");
    let Ok(archive) = data.join(format!("{set}.tar.zst")).metadata() else {
        println!("skipped: the data set {set} is not beside the project");
        return None;
    };
    // Tests run side by side: each unpacks aside, and the first one to be ready names the place.
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shared-data");
    let unpacked = root.join(format!("{set}-{}", archive.len()));
    if !unpacked.exists() {
        let aside = root.join(format!("aside-{}-{set}", std::process::id()));
        let output = Command::new(data.join("unpack"))
            .arg(&aside)
            .arg(set)
            .output();
        if !output.is_ok_and(|output| output.status.success()) {
            println!("skipped: the data set {set} cannot be unpacked here");
            return None;
        }
        // Not every archive holds a directory of its own name.
        let held = fs::read_dir(&aside)
            .ok()
            .and_then(|mut held| held.next()?.ok());
        if let Some(held) = held {
            let _ = fs::rename(held.path(), &unpacked);
        }
        let _ = fs::remove_dir_all(&aside);
    }
    Some(unpacked)
}
