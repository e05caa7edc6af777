//! What lies below a directory, links followed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::InputError;
use crate::input::unreadable;
use crate::maildir;

/// What is found below a directory.
pub(crate) enum Found {
    /// A regular file, or a link to one.
    File(PathBuf),
    /// A link that leads nowhere, and why.
    Dangling(PathBuf, io::Error),
    /// A corpus, which holds no pages.
    Corpus(PathBuf),
    /// A pipe, socket or device: it may have no end, or wait for ever, so nobody opens it.
    Special(PathBuf),
}

/// Is the directory a corpus?
pub(crate) fn is_corpus(directory: &Path) -> bool {
    directory.join("manifest.json").is_file() && directory.join("segments").is_dir()
}

/// Files below a directory, sorted by path. Links to directories are followed, but not back into one
/// that is being walked: that would never end. Directories that are to be passed by are.
pub(crate) fn walk(directory: &Path, passed_by: &[PathBuf]) -> Result<Vec<Found>, InputError> {
    let real = fs::canonicalize(directory).map_err(unreadable(directory))?;
    let passed_by = passed_by
        .iter()
        .filter_map(|path| fs::canonicalize(path).ok());
    let mut walk = Walk {
        found: Vec::new(),
        // Who names it means it.
        around: passed_by.filter(|path| *path != real).collect(),
    };
    walk.enter(directory, real)?;
    Ok(walk.found)
}

struct Walk {
    found: Vec<Found>,
    /// Directories that are not entered: those to be passed by, then those from the first down to the one that is
    /// being walked. Without links in their paths.
    around: Vec<PathBuf>,
}

impl Walk {
    fn enter(&mut self, directory: &Path, real: PathBuf) -> Result<(), InputError> {
        if self.around.contains(&real) {
            return Ok(());
        }
        let mut entries = fs::read_dir(directory)
            .and_then(Iterator::collect::<io::Result<Vec<_>>>)
            .map_err(unreadable(directory))?;
        entries.sort_by_key(fs::DirEntry::file_name);
        self.around.push(real);
        let is_maildir = maildir::is_maildir(directory);
        for entry in &entries {
            self.entry(entry, is_maildir)?;
        }
        self.around.pop();
        Ok(())
    }

    fn entry(&mut self, entry: &fs::DirEntry, in_maildir: bool) -> Result<(), InputError> {
        let path = entry.path();
        let mut kind = entry.file_type().map_err(unreadable(&path))?;
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
        // What is still being delivered, and what a mail server keeps beside the folders, is no mail.
        if in_maildir && (!kind.is_dir() || entry.file_name() == "tmp") {
            return Ok(());
        }
        if kind.is_dir() {
            let real = match self.around.last() {
                Some(around) if !is_link => around.join(entry.file_name()),
                _ => fs::canonicalize(&path).map_err(unreadable(&path))?,
            };
            if is_corpus(&path) && !self.around.contains(&real) {
                self.found.push(Found::Corpus(path));
            } else {
                self.enter(&path, real)?;
            }
        } else if kind.is_file() {
            self.found.push(Found::File(path));
        } else {
            self.found.push(Found::Special(path));
        }
        Ok(())
    }
}
