//! Directories that operations create, and the files that belong to a corpus.

use std::fs;
use std::path::{Path, PathBuf};

use reprise_store::StoreError;

use crate::error::Error;

/// The files and directories of a corpus, beside the copies of input that begin with [`SPOOL`].
const OWN: [&str; 5] = [
    "manifest.json",
    "manifest.json.partial",
    "lock",
    "segments",
    "crawl",
];

/// The beginning of the names of copies of input.
const SPOOL: &str = "spool-";

/// Returns the corpus that a file belongs to, or would belong to. A result must not replace such a file.
pub fn corpus_of(path: &Path) -> Option<PathBuf> {
    let real = fs::canonicalize(path).or_else(|_| {
        let parent = path.parent().filter(|path| !path.as_os_str().is_empty());
        let parent = fs::canonicalize(parent.unwrap_or(Path::new(".")))?;
        Ok::<_, std::io::Error>(parent.join(path.file_name().unwrap_or_default()))
    });
    // If the directory does not exist, writing fails with a clear error.
    let real = real.ok()?;
    let own = real.ancestors().skip(1).find(|corpus| {
        let is_corpus = corpus.join("manifest.json").is_file() && corpus.join("segments").is_dir();
        is_corpus && OWN.iter().any(|own| real.starts_with(corpus.join(own)))
    });
    own.map(Path::to_owned)
}

/// Fails if a directory without a corpus holds other files: a corpus has its directory for itself.
pub(crate) fn check_free(directory: &Path) -> Result<(), Error> {
    let Ok(entries) = fs::read_dir(directory) else {
        // It does not exist yet.
        return Ok(());
    };
    let is_own = |name: &str| OWN.contains(&name) || name.starts_with(SPOOL);
    for entry in entries {
        let entry = entry.map_err(Error::reading(directory))?;
        if !is_own(&entry.file_name().to_string_lossy()) {
            return Err(Error::NotEmpty {
                path: directory.to_owned(),
            });
        }
    }
    Ok(())
}

/// Fails if the path is that of a file.
pub(crate) fn check_directory(path: &Path) -> Result<(), Error> {
    match fs::metadata(path) {
        Ok(found) if !found.is_dir() => Err(StoreError::NotADirectory {
            path: path.to_owned(),
        }
        .into()),
        _ => Ok(()),
    }
}

/// Directories that are removed again unless they are kept: an operation that fails leaves nothing behind.
pub(crate) struct CreatedDirectories {
    /// The directories that did not exist, the innermost first.
    created: Vec<PathBuf>,
}

impl CreatedDirectories {
    /// Creates a directory and all directories around it that do not exist.
    pub(crate) fn create(directory: &Path) -> Result<CreatedDirectories, Error> {
        check_directory(directory)?;
        let missing = directory.ancestors().take_while(|path| {
            let is_here = path.as_os_str().is_empty();
            !is_here && !path.exists()
        });
        let created = CreatedDirectories {
            created: missing.map(Path::to_owned).collect(),
        };
        fs::create_dir_all(directory).map_err(Error::writing(directory))?;
        Ok(created)
    }

    /// Keeps the directories.
    pub(crate) fn keep(mut self) {
        self.created.clear();
    }

    /// Removes the directories with everything in them.
    #[cfg(any(feature = "crawl", feature = "report"))]
    pub(crate) fn discard(self) {
        if let Some(innermost) = self.created.first() {
            let _ = fs::remove_dir_all(innermost);
        }
    }
}

impl Drop for CreatedDirectories {
    fn drop(&mut self) {
        for directory in &self.created {
            // A directory that something was written to stays.
            let _ = fs::remove_dir(directory);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::corpus_of;

    #[test]
    fn files_of_a_corpus_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let corpus = directory.path().join("c");
        fs::create_dir_all(corpus.join("segments/00000001")).unwrap();
        fs::write(corpus.join("manifest.json"), "").unwrap();
        let check = |path: &Path, is_refused: bool| {
            let owner = corpus_of(path);
            assert_eq!(owner.is_some(), is_refused, "{owner:?}");
        };
        check(&corpus.join("manifest.json"), true);
        check(&corpus.join("lock"), true);
        check(&corpus.join("segments"), true);
        check(&corpus.join("segments/00000001/pages.parquet"), true);
        check(&corpus.join("../c/./segments/new"), true);
        check(&corpus.join("labels.parquet"), false);
        check(&directory.path().join("manifest.json"), false);
        check(Path::new("nowhere/at/all"), false);
        check(Path::new("out"), false);
    }
}
