//! A small corpus for tests of errors, and the assertions that these tests share.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use reprise_engine::{
    Corpus, DiscoverOptions, Error, IndexOptions, LabelOptions, Labels, Resources, ResultFile,
    Settings, label_pages,
};
use tempfile::{TempDir, tempdir};

use crate::support::{files, name};

/// Asserts that a result is an error that a pattern matches.
macro_rules! assert_error {
    ($result:expr, $pattern:pat $(if $guard:expr)? $(,)?) => {
        match $result.map(|_| ()) {
            Err($pattern) $(if $guard)? => {}
            Err(error) => panic!("another error: {error:?}"),
            Ok(()) => panic!("no error"),
        }
    };
}

pub(crate) use assert_error;

/// The URL of a page that others copy.
pub(crate) const ORIGINAL: &str = "http://original.example/a";
/// The URL of a copy of it with another beginning.
pub(crate) const COPY: &str = "http://copy.example/a";
/// The URL of a page without words.
pub(crate) const EMPTY: &str = "http://empty.example/";

/// A corpus of a few pages on several sites, in a temporary directory with its input.
pub(crate) struct Small {
    pub(crate) directory: TempDir,
    pub(crate) input: String,
    pub(crate) corpus: Corpus,
}

impl Small {
    pub(crate) fn new() -> Small {
        Small::with_settings(Settings {
            shingles: true,
            ..Settings::default()
        })
    }

    pub(crate) fn with_settings(settings: Settings) -> Small {
        let directory = tempdir().unwrap();
        let input = directory.path().join("pages.jsonl");
        fs::write(&input, rows()).unwrap();
        let input = name(&input);
        let mut corpus = Corpus::create(directory.path().join("corpus"), settings).unwrap();
        let inputs = [input.clone()];
        let added = corpus.index(&inputs, &IndexOptions::default(), &());
        assert_eq!(added.unwrap().pages, 14);
        Small {
            directory,
            input,
            corpus,
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn inputs(&self) -> Vec<String> {
        vec![self.input.clone()]
    }

    /// Writes a file beside the corpus. Returns its path.
    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path
    }

    /// Writes the labels of all pages. Returns their path.
    pub(crate) fn label(&self, name: &str, settings: Settings) -> PathBuf {
        let path = self.path(name);
        let options = LabelOptions {
            settings: settings.chunks,
            ..LabelOptions::default()
        };
        let output = ResultFile::new(&path).unwrap();
        label_pages(&self.inputs(), &options, &output, Resources::default(), &()).unwrap();
        path
    }

    /// Writes the labels that discovery finds.
    pub(crate) fn discover(&self, name: &str) -> Labels {
        let path = self.path(name);
        let output = ResultFile::new(&path).unwrap();
        let options = DiscoverOptions::default();
        self.corpus.discover(&options, Some(&output), &()).unwrap();
        Labels::open(&path).unwrap()
    }

    /// Calls a function and asserts that no file was written, changed or removed.
    pub(crate) fn unchanged<T>(&self, call: impl FnOnce(&Small) -> T) -> T {
        let before = self.tree();
        let result = call(self);
        assert_eq!(names_of(&self.tree()), names_of(&before));
        assert!(self.tree() == before, "a file has changed");
        result
    }

    /// Calls a function that may write to the corpus and asserts that no file has changed.
    pub(crate) fn unchanged_mut<T>(&mut self, call: impl FnOnce(&mut Corpus) -> T) -> T {
        let before = self.tree();
        let result = call(&mut self.corpus);
        assert!(self.tree() == before, "a file has changed");
        result
    }

    fn tree(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        files(self.directory.path())
    }
}

fn names_of(files: &BTreeMap<PathBuf, Vec<u8>>) -> Vec<&Path> {
    files.keys().map(PathBuf::as_path).collect()
}

/// Returns the option that an error is about.
pub(crate) fn option_of<T>(result: Result<T, Error>) -> &'static str {
    match result.map(|_| ()) {
        Err(Error::Option { option, .. }) => option,
        Err(error) => panic!("another error: {error:?}"),
        Ok(()) => panic!("no error"),
    }
}

/// Returns `count` words that depend on a seed.
fn words(seed: u64, count: u64) -> String {
    let word = |at: u64| {
        let mixed = (seed * 1000 + at).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let letter = |shift: u64| char::from(b'a' + ((mixed >> shift) % 26) as u8);
        [0, 5, 10, 15].map(letter).iter().collect::<String>()
    };
    (0..count).map(word).collect::<Vec<_>>().join(" ")
}

/// Returns the pages as lines of JSON: an article on its own site and on five others with another
/// beginning, seven unrelated articles, and a page without words.
fn rows() -> String {
    let mut rows = String::new();
    let mut add = |url: &str, html: &str| {
        let row = serde_json::json!({"url": url, "html": html, "date": "2020-05-05T00:00:00Z"});
        writeln!(rows, "{row}").unwrap();
    };
    let article = format!("<p>{}<p>{}<p>{}", words(1, 60), words(2, 60), words(3, 60));
    add(ORIGINAL, &article);
    add(COPY, &format!("<p>{}{article}", words(4, 6)));
    for site in 0..4 {
        let begin = words(5 + site, 6);
        let url = format!("http://copy{site}.example/");
        add(&url, &format!("<p>{begin}{article}"));
    }
    for site in 0..7 {
        let text = format!("<p>{}<p>{}", words(20 + site, 50), words(30 + site, 50));
        add(&format!("http://other{site}.example/"), &text);
    }
    add(EMPTY, "<p>  ");
    rows
}
