//! Files that are made at once: written aside, then given their name, so that none is ever half there.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::StoreError;
use crate::manifest::sync_directory;

/// Where standard output is to be found.
pub const STANDARD_OUTPUT: &str = "/dev/stdout";

/// Creates a file, or takes standard output as it is: opened anew, a file that others append to would be emptied.
pub fn create_file(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    if path == Path::new(STANDARD_OUTPUT) {
        use std::os::fd::AsFd;
        return Ok(io::stdout().as_fd().try_clone_to_owned()?.into());
    }
    File::create(path)
}

/// Is this written to as it is? A device or a pipe has no place beside it, and nothing may take its place; nor that of a
/// file that is open already and has a name only by its number.
pub fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
        || path.parent() == Some(Path::new("/dev"))
        || path.starts_with("/dev/fd")
        || path.starts_with("/proc")
}

/// A file in the making. Unless it is kept it is gone with this.
#[derive(Debug)]
pub struct Aside {
    beside: PathBuf,
    target: PathBuf,
    /// Locked while this lives.
    file: Option<File>,
}

impl Aside {
    /// A place beside `path`, or beside what a link there leads to, under a name that nobody else gives a file.
    ///
    /// What a killed run left there is used again.
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
            // Why it cannot be opened is told by whoever writes.
            let file = file.open(&beside).ok();
            let is_taken = |file: &File| matches!(file.try_lock(), Err(TryLockError::WouldBlock));
            // Elsewhere a lock would keep the writer out, too.
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

    /// Where to write it.
    pub fn path(&self) -> &Path {
        &self.beside
    }

    /// Gives it its name, over an older file if there is one.
    pub fn keep(self) -> Result<(), StoreError> {
        if self.beside == self.target {
            return Ok(());
        }
        if let Some(file) = &self.file {
            // Else a name may be on disk before what it names.
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
            // Gone already where it was kept.
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
    fn a_link_stays_one() {
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
    fn what_is_no_file_is_written_to_where_it_is() {
        for path in ["/dev/null", "/dev/stdout", "/dev/fd/1"] {
            let aside = Aside::of(Path::new(path));
            assert_eq!(aside.path(), Path::new(path));
        }
        assert!(!is_special(Path::new("/dev/shm/x.csv")));
    }

    #[test]
    fn nobody_elses_file_is_written_over() {
        let directory = tempfile::tempdir().unwrap();
        let [file, mine] = ["x", "x.partial"].map(|name| directory.path().join(name));
        fs::write(&mine, "mine").unwrap();
        // Two at once do not meet, and what a killed run left is used again.
        fs::write(directory.path().join(".x.reprise-0"), "left behind").unwrap();
        let [one, other] = [Aside::of(&file), Aside::of(&file)];
        fs::write(one.path(), "one").unwrap();
        fs::write(other.path(), "other").unwrap();
        one.keep().unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "one");
        other.keep().unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "other");
        assert_eq!(fs::read_to_string(&mine).unwrap(), "mine");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
    }
}
