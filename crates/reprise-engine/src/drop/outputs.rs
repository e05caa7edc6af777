//! The files that dropping writes. No existing file is overwritten.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use reprise_ingest::{Source, is_of_stream};

use super::error::DropError;

/// The list of dropped pages.
const DROPPED: &str = "dropped.jsonl";
/// The list of plain files that stay.
const KEPT_FILES: &str = "kept.txt";

/// The files to write.
pub(super) struct Outputs {
    /// The copy of each source; `None` for a plain file.
    pub(super) archives: Vec<Option<PathBuf>>,
    pub(super) dropped: PathBuf,
    /// Only if there are plain files.
    pub(super) kept_files: Option<PathBuf>,
}

impl Outputs {
    /// Chooses a name for the copy of each source.
    pub(super) fn new(sources: &[Source], directory: &Path) -> Result<Outputs, DropError> {
        let mut taken = HashMap::from([
            (OsString::from(DROPPED), "the list of dropped pages"),
            (OsString::from(KEPT_FILES), "the list of kept files"),
        ]);
        let mut archives = Vec::with_capacity(sources.len());
        for source in sources {
            let name = file_name(source)?;
            if let Some(name) = name
                && let Some(first) = taken.insert(name.to_owned(), &source.name)
            {
                return Err(DropError::SameName {
                    first: first.to_owned(),
                    second: source.name.clone(),
                });
            }
            archives.push(name.map(|name| directory.join(name)));
        }
        let has_files = sources.iter().any(Source::is_page);
        let outputs = Outputs {
            dropped: directory.join(DROPPED),
            kept_files: has_files.then(|| directory.join(KEPT_FILES)),
            archives,
        };
        outputs.check_free(sources)?;
        Ok(outputs)
    }

    fn check_free(&self, sources: &[Source]) -> Result<(), DropError> {
        for (target, source) in self.archives.iter().zip(sources) {
            let Some(target) = target else { continue };
            let is_same = |file: &Path| {
                let there = fs::canonicalize(target);
                there.is_ok_and(|there| fs::canonicalize(file).is_ok_and(|file| file == there))
            };
            if source.whole_file().is_some_and(is_same) {
                return Err(DropError::IsInput {
                    name: source.name.clone(),
                });
            }
        }
        let lists = [Some(&self.dropped), self.kept_files.as_ref()];
        let targets = self.archives.iter().flatten();
        match targets
            .chain(lists.into_iter().flatten())
            .find(|target| target.symlink_metadata().is_ok())
        {
            Some(path) => Err(DropError::Exists { path: path.clone() }),
            None => Ok(()),
        }
    }
}

/// Returns the name of a source's copy, or `None` for a file that is one page and is not copied.
fn file_name(source: &Source) -> Result<Option<&OsStr>, DropError> {
    let refuse = |why| {
        Err(DropError::Unsupported {
            name: source.name.clone(),
            why,
        })
    };
    let Some(file) = source.whole_file() else {
        return refuse(if is_of_stream(&source.name) {
            "is standard input; give the file"
        } else {
            "is inside a WACZ; unpack it and index the archives in it"
        });
    };
    match source.format() {
        _ if source.is_page() => Ok(None),
        "broken" if source.bytes > 0 => refuse("cannot be read"),
        _ => Ok(file.file_name()),
    }
}
