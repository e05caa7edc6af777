//! Directories that operations create.

use std::fs;
use std::path::{Path, PathBuf};

use reprise_store::StoreError;

use crate::error::Error;

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
}

impl Drop for CreatedDirectories {
    fn drop(&mut self) {
        for directory in &self.created {
            // A directory that something was written to stays.
            let _ = fs::remove_dir(directory);
        }
    }
}
