//! Lists the files below a directory, and follows links.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::InputError;
use crate::input::unreadable;
use crate::maildir;

/// An entry below a directory.
pub(crate) enum Found {
    /// A regular file, or a link to one.
    File(PathBuf),
    /// A path that the system refused to read, and its error.
    Unreadable(PathBuf, io::Error),
    /// A link without a target, and the error.
    Dangling(PathBuf, io::Error),
    /// A corpus, which contains no pages.
    Corpus(PathBuf),
    /// A pipe, socket or device. It may be endless or wait for ever, so it is not opened.
    Special(PathBuf),
}

/// Returns true if the directory is a corpus.
pub(crate) fn is_corpus(directory: &Path) -> bool {
    directory.join("manifest.json").is_file() && directory.join("segments").is_dir()
}

/// Returns the files below a directory, sorted by path. Links to directories are followed, but every directory
/// is entered only once, so that circular links end. A directory that lies below `directory` is listed under
/// its own path, not under a link. The directories in `passed_by` are skipped.
pub(crate) fn walk(directory: &Path, passed_by: &[PathBuf]) -> Result<Vec<Found>, InputError> {
    let real = fs::canonicalize(directory).map_err(unreadable(directory))?;
    let passed_by = passed_by
        .iter()
        .filter_map(|path| fs::canonicalize(path).ok());
    let mut walk = Walk {
        found: Vec::new(),
        // A directory that the caller names is an input in any case.
        entered: passed_by.filter(|path| *path != real).collect(),
        root: real.clone(),
    };
    walk.enter(directory, &real)
        .map_err(unreadable(directory))?;
    Ok(walk.found)
}

struct Walk {
    found: Vec<Found>,
    /// Directories that are not entered again, by their paths without links.
    entered: HashSet<PathBuf>,
    root: PathBuf,
}

impl Walk {
    fn enter(&mut self, directory: &Path, real: &Path) -> io::Result<()> {
        if !self.entered.insert(real.to_owned()) {
            return Ok(());
        }
        let mut entries =
            fs::read_dir(directory).and_then(Iterator::collect::<io::Result<Vec<_>>>)?;
        entries.sort_by_key(fs::DirEntry::file_name);
        let is_maildir = maildir::is_maildir(directory);
        for entry in &entries {
            // The caller named the directory, not this entry: report it as a problem.
            if let Err(why) = self.entry(entry, real, is_maildir) {
                self.found.push(Found::Unreadable(entry.path(), why));
            }
        }
        Ok(())
    }

    fn entry(&mut self, entry: &fs::DirEntry, real: &Path, in_maildir: bool) -> io::Result<()> {
        let path = entry.path();
        let mut kind = entry.file_type()?;
        let is_link = kind.is_symlink();
        if is_link {
            match fs::metadata(&path) {
                Ok(target) => kind = target.file_type(),
                Err(why) => {
                    if !in_maildir {
                        self.found.push(Found::Dangling(path, why));
                    }
                    return Ok(());
                }
            }
        }
        // Messages that are still being delivered, and other files of the mail server, are not mails.
        if in_maildir && (!kind.is_dir() || entry.file_name() == "tmp") {
            return Ok(());
        }
        if kind.is_dir() {
            let real = if is_link {
                fs::canonicalize(&path)?
            } else {
                real.join(entry.file_name())
            };
            if self.entered.contains(&real) || (is_link && real.starts_with(&self.root)) {
                return Ok(());
            }
            if is_corpus(&path) {
                self.found.push(Found::Corpus(path));
            } else {
                self.enter(&path, &real)?;
            }
        } else if kind.is_file() {
            self.found.push(Found::File(path));
        } else {
            self.found.push(Found::Special(path));
        }
        Ok(())
    }
}
