//! Files that are made at once: written aside, then given their name, so that none is ever half there.

use std::fs::{self, File};
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

/// A file in the making. Unless it is kept it is gone with this.
#[derive(Debug)]
pub struct Aside {
    aside: PathBuf,
    target: PathBuf,
}

impl Aside {
    /// A place beside `path`, or beside what a link there leads to.
    ///
    /// A device or a pipe has no place beside it, and nothing may take its place: it is written to as it is.
    pub fn of(path: &Path) -> Aside {
        let is_special = fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
            || path.starts_with("/dev")
            || path.starts_with("/proc");
        if is_special {
            return Aside {
                aside: path.to_owned(),
                target: path.to_owned(),
            };
        }
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let mut name = target.file_name().unwrap_or_default().to_owned();
        name.push(".partial");
        Aside {
            aside: target.with_file_name(name),
            target,
        }
    }

    /// Where to write it.
    pub fn path(&self) -> &Path {
        &self.aside
    }

    /// Gives it its name, over an older file if there is one.
    pub fn keep(self) -> Result<(), StoreError> {
        if self.aside == self.target {
            return Ok(());
        }
        fs::rename(&self.aside, &self.target).map_err(StoreError::io("write", &self.target))?;
        let directory = (self.target.parent()).filter(|path| !path.as_os_str().is_empty());
        sync_directory(directory.unwrap_or(Path::new(".")))
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if self.aside != self.target {
            // Gone already where it was kept.
            let _ = fs::remove_file(&self.aside);
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use super::Aside;

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
        for path in ["/dev/null", "/dev/stdout"] {
            let aside = Aside::of(Path::new(path));
            assert_eq!(aside.path(), Path::new(path));
        }
    }
}
