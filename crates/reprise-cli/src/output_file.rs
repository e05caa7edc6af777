//! Files that are made at once: written aside, then given their name, so that none is ever half there.

use std::fs;
use std::path::Path;

use anyhow::Context;

/// Writes a file, over an older one if there is one.
pub(crate) fn write(path: &Path, bytes: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let mut aside = path.as_os_str().to_owned();
    aside.push(".partial");
    // What can be written to only where it is, as /dev/stdout, has no place aside.
    let is_plain = fs::metadata(path).map_or(true, |old| old.is_file());
    if is_plain {
        fs::write(&aside, bytes).and_then(|()| fs::rename(&aside, path))
    } else {
        fs::write(path, bytes)
    }
    .inspect_err(|_| {
        let _ = fs::remove_file(&aside);
    })
    .with_context(|| format!("cannot write {}", path.display()))
}
