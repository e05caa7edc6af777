//! Removes the files that a killed writer left in a corpus. It recognises them by their names and does
//! not touch other files.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::corpus::CorpusReader;
use crate::error::StoreError;
use crate::manifest::MANIFEST_ASIDE;

/// Removes segments that the manifest does not list, abandoned copies of input, and an incomplete
/// manifest.
pub(crate) fn sweep(corpus: &CorpusReader) -> Result<(), StoreError> {
    for entry in unnamed(corpus)? {
        if is_segment(&entry) {
            fs::remove_dir_all(&entry).map_err(StoreError::removing(&entry))?;
        }
    }
    for entry in entries(corpus.path())? {
        if is_abandoned_spool(&entry) || entry.ends_with(MANIFEST_ASIDE) {
            fs::remove_file(&entry).map_err(StoreError::removing(&entry))?;
        }
    }
    Ok(())
}

/// Returns the entries of the directory of segments that the manifest does not list.
pub(crate) fn unnamed(corpus: &CorpusReader) -> Result<Vec<PathBuf>, StoreError> {
    let named: BTreeSet<PathBuf> = corpus
        .segments()
        .map(|segment| segment.path().to_owned())
        .collect();
    let mut found = entries(&corpus.path().join("segments"))?;
    found.retain(|entry| !named.contains(entry));
    Ok(found)
}

/// Returns true if the path is a directory with the name of a complete or incomplete segment.
pub(crate) fn is_segment(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let number = name.map(|name| name.strip_suffix(".partial").unwrap_or(name));
    number.is_some_and(|number| number.len() >= 8 && is_number(number)) && path.is_dir()
}

/// Returns true if the path is a copy of input whose writer has ended. A running writer holds a lock on
/// it.
fn is_abandoned_spool(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let rest = name.and_then(|name| name.strip_prefix("spool-"));
    let process = rest.and_then(|rest| rest.split_once('-'));
    process.is_some_and(|(process, _)| is_number(process))
        && path.is_file()
        && File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the paths of all entries of a directory.
pub(crate) fn entries(directory: &Path) -> Result<Vec<PathBuf>, StoreError> {
    fs::read_dir(directory)
        .and_then(|entries| {
            entries
                .map(|entry| entry.map(|entry| entry.path()))
                .collect()
        })
        .map_err(StoreError::reading(directory))
}
