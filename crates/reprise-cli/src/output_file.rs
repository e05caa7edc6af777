//! Files that are made at once: a report, a lexicon.

use std::fs;
use std::path::Path;

use anyhow::Context;
use reprise::store::Aside;

use crate::exit::Usage;

/// Refuses flags that name the same file: only what is written last would be in it.
pub(crate) fn check_apart(outputs: &[(&str, Option<&Path>)]) -> Result<(), Usage> {
    let named = |at: usize| outputs[at].1.map(|path| (outputs[at].0, path));
    for at in 0..outputs.len() {
        for other in 0..at {
            if let (Some((flag, path)), Some((other, same))) = (named(at), named(other))
                && path == same
                && !path.starts_with("/dev")
            {
                let path = path.display();
                return Err(Usage(format!(
                    "{other} and {flag} name the same file, {path}"
                )));
            }
        }
    }
    Ok(())
}

/// Writes a file aside and gives it its name.
pub(crate) fn write(path: &Path, bytes: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let aside = Aside::of(path);
    fs::write(aside.path(), bytes).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(aside.keep()?)
}
