//! What lies below a directory, links followed.

use std::collections::HashSet;
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
    /// What the system does not let be looked at, and why.
    Unreadable(PathBuf, io::Error),
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

/// Files below a directory, sorted by path. Links to directories are followed, but every directory is walked once: two
/// that lead to each other would be walked for ever. One that lies below this directory is found by its own path.
/// Directories that are to be passed by are.
pub(crate) fn walk(directory: &Path, passed_by: &[PathBuf]) -> Result<Vec<Found>, InputError> {
    let real = fs::canonicalize(directory).map_err(unreadable(directory))?;
    let passed_by = passed_by
        .iter()
        .filter_map(|path| fs::canonicalize(path).ok());
    let mut walk = Walk {
        found: Vec::new(),
        // Who names it means it.
        entered: passed_by.filter(|path| *path != real).collect(),
        root: real.clone(),
    };
    walk.enter(directory, &real)
        .map_err(unreadable(directory))?;
    Ok(walk.found)
}

struct Walk {
    found: Vec<Found>,
    /// Directories that are not entered any more, without links in their paths.
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
            // One among many, of which nobody has asked for this one.
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
        // What is still being delivered, and what a mail server keeps beside the folders, is no mail.
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
