//! Runs the program in a temporary directory.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use reprise_demo::{Config, write_web};
use serde_json::Value;
use tempfile::TempDir;

/// A temporary directory to run in.
pub(crate) struct Place {
    directory: TempDir,
}

impl Place {
    pub(crate) fn new() -> Place {
        Place {
            directory: tempfile::tempdir().unwrap(),
        }
    }

    /// Returns a place with the demo web in `web/`.
    pub(crate) fn with_web() -> Place {
        let place = Place::new();
        write_web(&Config { seed: 3, scale: 1 }, &place.path("web")).unwrap();
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Returns the program with these arguments, separated by spaces.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_reprise"));
        command
            .args(arguments.split_whitespace())
            .current_dir(self.directory.path());
        command
    }

    pub(crate) fn run(&self, arguments: &str) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs the program, which must succeed, and returns the JSON it prints.
    pub(crate) fn json(&self, arguments: &str) -> Value {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments}: {}", stderr(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Reads every file below a directory.
    pub(crate) fn files(&self, name: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        collect(&self.path(name), &mut found);
        found
    }
}

fn collect(directory: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(directory).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else {
            let bytes = fs::read(&path).unwrap();
            found.insert(path, bytes);
        }
    }
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Asserts the exit code, and that standard error is one line that contains `words`.
pub(crate) fn assert_fails(output: &Output, code: i32, words: &str) {
    let message = stderr(output);
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(
        message.contains(words),
        "{message:?} does not contain {words:?}"
    );
}
