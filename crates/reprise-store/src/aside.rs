//! Files that appear only when they are complete: they are written under a temporary name and then
//! renamed.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::StoreError;
use crate::manifest::sync_directory;

/// The path that stands for standard output.
pub const STANDARD_OUTPUT: &str = "/dev/stdout";

/// Creates a file, or returns standard output for its path. Standard output is not opened again: if it is
/// redirected to a file, opening the file would truncate it.
pub fn create_file(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    if path == Path::new(STANDARD_OUTPUT) {
        use std::os::fd::AsFd;
        return Ok(io::stdout().as_fd().try_clone_to_owned()?.into());
    }
    File::create(path)
}

/// Returns true if the path must be written directly instead of being replaced by a rename: a device, a
/// pipe, or an open file under `/dev/fd` or `/proc`.
pub fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
        || path.parent() == Some(Path::new("/dev"))
        || path.starts_with("/dev/fd")
        || path.starts_with("/proc")
}

/// A temporary file that replaces a target file when it is complete.
///
/// Dropping it without [`Aside::keep`] deletes the temporary file.
#[derive(Debug)]
pub struct Aside {
    /// The temporary file. Equal to `target` if the target is written directly.
    beside: PathBuf,
    target: PathBuf,
    /// The temporary file, locked as long as this value exists.
    file: Option<File>,
}

impl Aside {
    /// Chooses a temporary file for `path`, in the same directory. If `path` is a symbolic link, the
    /// temporary file replaces the target of the link.
    ///
    /// A temporary file that a killed run left behind is reused. One that another process uses is not.
    pub fn of(path: &Path) -> Aside {
        if is_special(path) {
            return Aside {
                beside: path.to_owned(),
                target: path.to_owned(),
                file: None,
            };
        }
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let mut number = 0;
        loop {
            let mut name = OsString::from(".");
            name.push(target.file_name().unwrap_or_default());
            name.push(format!(".reprise-{number}"));
            let beside = target.with_file_name(name);
            let mut options = File::options();
            let file = options.write(true).create(true).truncate(false);
            // If this fails, the caller gets the error when it opens the file for writing.
            let file = file.open(&beside).ok();
            let is_taken = |file: &File| matches!(file.try_lock(), Err(TryLockError::WouldBlock));
            // On other systems, a lock would block the caller as well.
            if cfg!(unix) && file.as_ref().is_some_and(is_taken) {
                number += 1;
                continue;
            }
            return Aside {
                beside,
                target,
                file,
            };
        }
    }

    /// Returns the path to write to.
    pub fn path(&self) -> &Path {
        &self.beside
    }

    /// Renames the temporary file to its target. Replaces an existing file.
    pub fn keep(self) -> Result<(), StoreError> {
        if self.beside == self.target {
            return Ok(());
        }
        if let Some(file) = &self.file {
            // Otherwise the rename may reach the disk before the content.
            file.sync_all().map_err(StoreError::writing(&self.target))?;
        }
        fs::rename(&self.beside, &self.target).map_err(StoreError::writing(&self.target))?;
        let directory = (self.target.parent()).filter(|path| !path.as_os_str().is_empty());
        sync_directory(directory.unwrap_or(Path::new(".")))
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if self.beside != self.target {
            // After `keep` the file is gone, and this has no effect.
            let _ = fs::remove_file(&self.beside);
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use super::{Aside, is_special};

    fn write(path: &Path, text: &str) {
        let aside = Aside::of(path);
        fs::write(aside.path(), text).expect("a file");
        aside.keep().expect("a name");
    }

    #[test]
    fn a_symbolic_link_is_not_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let [file, link] = ["file", "link"].map(|name| directory.path().join(name));
        write(&file, "old");
        symlink("file", &link).unwrap();
        write(&link, "new");
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        drop(Aside::of(&file));
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
    }

    #[test]
    fn special_files_are_written_directly() {
        for path in ["/dev/null", "/dev/stdout", "/dev/fd/1"] {
            let aside = Aside::of(Path::new(path));
            assert_eq!(aside.path(), Path::new(path));
        }
        assert!(!is_special(Path::new("/dev/shm/x.csv")));
    }

    #[test]
    fn concurrent_writers_and_other_files_do_not_collide() {
        let directory = tempfile::tempdir().unwrap();
        let [file, other_file] = ["x", "x.partial"].map(|name| directory.path().join(name));
        fs::write(&other_file, "mine").unwrap();
        // Two writers get different files, one of which a killed run has left behind.
        fs::write(directory.path().join(".x.reprise-0"), "left behind").unwrap();
        let [one, other] = [Aside::of(&file), Aside::of(&file)];
        fs::write(one.path(), "one").unwrap();
        fs::write(other.path(), "other").unwrap();
        one.keep().unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "one");
        other.keep().unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "other");
        assert_eq!(fs::read_to_string(&other_file).unwrap(), "mine");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
    }
}
