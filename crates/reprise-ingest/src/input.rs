//! Turns the names of inputs into a list of sources: files, directories, lists, archives in archives, standard
//! input.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use url::Url;

use crate::charset::BOM;
use crate::error::InputError;
use crate::limits::RecordLimits;
use crate::name::{name_of, name_of_bytes, path_of};
use crate::page_url::page_url;
use crate::source::{Data, Source};
use crate::spool::{Spool, ZIP};
use crate::stream::Stream;
use crate::wacz;
use crate::walk::{Found, is_corpus, walk};

/// The deepest nesting of lists that name lists.
const LIST_DEPTH_MAX: usize = 8;

/// The sources of a run, in the order of the inputs. Files of a directory are in the order of their paths.
pub struct Inputs {
    /// The sources.
    pub sources: Vec<Source>,
    /// Copies of inputs that can be read only once. Dropping this value deletes them.
    spool: Spool,
}

/// How inputs are read.
#[derive(Clone, Debug)]
pub struct InputConfig {
    /// The URL to which the relative path of a plain file, or of a mail without an id, is appended. `None`
    /// means `file:///` and the full path.
    pub base_url: Option<String>,
    /// The directory for copies of inputs that can be read only once, and of compressed entries of archives.
    pub spool_directory: PathBuf,
    /// Directories inside an input that are skipped, because they are for results.
    pub passed_by: Vec<PathBuf>,
    /// The limits of a record.
    pub limits: RecordLimits,
}

/// How inputs are opened.
#[derive(Clone, Copy)]
struct Opening<'a> {
    config: &'a InputConfig,
    is_cancelled: &'a dyn Fn() -> bool,
}

impl Inputs {
    /// Opens every input by its name (see [`name_of`]). Opens all files, but reads no records yet.
    pub fn open(names: &[String], config: &InputConfig) -> Result<Inputs, InputError> {
        Inputs::open_unless(names, config, &|| false)
    }

    /// Opens every input, unless it must stop. `is_cancelled` is asked while an input is waited for.
    pub fn open_unless(
        names: &[String],
        config: &InputConfig,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Inputs, InputError> {
        let opening = Opening {
            config,
            is_cancelled,
        };
        let mut inputs = Inputs {
            sources: Vec::new(),
            spool: Spool::new(&config.spool_directory),
        };
        for name in names {
            inputs.add(name, opening, 0)?;
        }
        Ok(inputs)
    }

    fn add(&mut self, name: &str, opening: Opening<'_>, depth: usize) -> Result<(), InputError> {
        if name.is_empty() {
            return Err(InputError::Nameless);
        }
        if name == "-" {
            let open = || Ok(io::stdin());
            return self.add_stream(Path::new(name), open, opening);
        }
        if let Some(list) = name.strip_prefix('@') {
            return self.add_list(&path_of(list), opening, depth);
        }
        if let Some((scheme, rest)) = name.split_once("://") {
            if scheme != "file" {
                return Err(InputError::Remote {
                    url: name.to_owned(),
                });
            }
            return self.add_path(&path_of_url(name).unwrap_or_else(|| path_of(rest)), opening);
        }
        self.add_path(&path_of(name), opening)
    }

    fn add_list(
        &mut self,
        list: &Path,
        opening: Opening<'_>,
        depth: usize,
    ) -> Result<(), InputError> {
        if depth >= LIST_DEPTH_MAX {
            return Err(InputError::ListDepth {
                path: list.to_owned(),
            });
        }
        let text = fs::read(list).map_err(unreadable(list))?;
        let text = text.strip_prefix(BOM).unwrap_or(&text);
        text.split(|&byte| byte == b'\n')
            .map(<[u8]>::trim_ascii)
            .filter(|line| !line.is_empty() && !line.starts_with(b"#"))
            .try_for_each(|line| self.add(&name_of_bytes(line), opening, depth + 1))
    }

    /// Adds an input that can be read only once. It cannot be opened again by its name, so its name is `-`.
    fn add_stream<R: Read>(
        &mut self,
        path: &Path,
        open: impl FnOnce() -> io::Result<R> + Send + 'static,
        opening: Opening<'_>,
    ) -> Result<(), InputError> {
        let Opening {
            config,
            is_cancelled,
        } = opening;
        let mut input = Stream::start(open, is_cancelled);
        let copied = self.spool.copy_stream(&mut input, &config.limits)?;
        if is_cancelled() {
            return Err(InputError::Cancelled);
        }
        if let Some(error) = copied.broken {
            return Err(unreadable(path)(error));
        }
        if copied.range.is_empty() {
            let what = if path == Path::new("-") {
                "standard input".to_owned()
            } else {
                name_of(path)
            };
            let detail = format!("{what} is empty");
            self.sources.push(Source::missing(Path::new("-"), detail));
            return Ok(());
        }
        let file = (copied.path.as_path(), copied.range);
        self.add_file("-".to_owned(), file, || "stdin:".to_owned(), config)
    }

    fn add_path(&mut self, path: &Path, opening: Opening<'_>) -> Result<(), InputError> {
        let config = opening.config;
        let absolute = std::path::absolute(path).map_err(unreadable(path))?;
        let metadata = fs::metadata(&absolute).map_err(unreadable(path))?;
        if is_stream(&absolute) {
            return self.add_stream(path, move || File::open(absolute), opening);
        }
        if !metadata.is_dir() {
            let root = absolute.parent().unwrap_or(&absolute);
            return self.add_named_file(&absolute, root, config);
        }
        if is_corpus(&absolute) {
            return Err(InputError::IsCorpus {
                path: path.to_owned(),
            });
        }
        let found = walk(&absolute, &config.passed_by)?;
        found.iter().try_for_each(|found| match found {
            Found::File(file) => match self.add_named_file(file, &absolute, config) {
                // The caller named the directory, not this file: report it as a problem.
                Err(InputError::Unreadable { source, .. }) => {
                    self.sources.push(Source::missing(file, source.to_string()));
                    Ok(())
                }
                result => result,
            },
            Found::Unreadable(path, why) => {
                self.sources.push(Source::missing(path, why.to_string()));
                Ok(())
            }
            Found::Dangling(link, why) => {
                let detail = format!("a link without a target: {why}");
                self.sources.push(Source::missing(link, detail));
                Ok(())
            }
            Found::Special(path) => {
                let detail = "a pipe, socket or device; it is read only if it is named as an input";
                self.sources.push(Source::missing(path, detail.to_owned()));
                Ok(())
            }
            Found::Corpus(corpus) => {
                let detail = "a corpus, not an input".to_owned();
                self.sources.push(Source::missing(corpus, detail));
                Ok(())
            }
        })
    }

    fn add_named_file(
        &mut self,
        path: &Path,
        root: &Path,
        config: &InputConfig,
    ) -> Result<(), InputError> {
        let bytes = fs::metadata(path).map_err(unreadable(path))?.len();
        let url = || page_url(path, root, config.base_url.as_deref());
        self.add_file(name_of(path), (path, 0..bytes), url, config)
    }

    /// Adds a file or a part of one.
    fn add_file(
        &mut self,
        name: String,
        (path, range): (&Path, Range<u64>),
        url: impl FnOnce() -> String,
        config: &InputConfig,
    ) -> Result<(), InputError> {
        if is_wacz(&name, path, range.start).map_err(unreadable(path))? {
            let file = (path, range);
            let sources = wacz::open(&name, file, &mut self.spool, &config.limits)?;
            self.sources.extend(sources);
            return Ok(());
        }
        let data = Data::File(path.to_owned());
        let source =
            Source::describe(name, data, range, url, &config.limits).map_err(unreadable(path))?;
        self.sources.push(source);
        Ok(())
    }
}

/// Returns true if a file is a WACZ: by its name, or by its first bytes if it comes from standard input.
fn is_wacz(name: &str, path: &Path, start: u64) -> io::Result<bool> {
    // Open the file in any case, so that missing permission is an error.
    let mut file = File::open(path)?;
    if name != "-" {
        let extension = path.extension();
        return Ok(extension.is_some_and(|suffix| suffix.eq_ignore_ascii_case("wacz")));
    }
    let mut first = [0; ZIP.len()];
    file.seek(SeekFrom::Start(start))?;
    Ok(file.read_exact(&mut first).is_ok() && first == *ZIP)
}

pub(crate) fn unreadable(path: &Path) -> impl Fn(io::Error) -> InputError + '_ {
    move |source| InputError::Unreadable {
        path: path.to_owned(),
        source,
    }
}

/// Returns true if a path can be read only once: standard input, pipes and devices, whatever they are connected
/// to.
pub fn is_stream(path: &Path) -> bool {
    let is_special = fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
    let is_descriptor =
        path == Path::new("/dev/stdin") || path.starts_with("/dev/fd") || path.starts_with("/proc");
    is_special || is_descriptor || path == Path::new("-")
}

/// Returns the path of a `file:` URL.
fn path_of_url(url: &str) -> Option<PathBuf> {
    let path = Url::parse(url).ok()?.to_file_path().ok()?;
    // The characters that stand for bytes beyond UTF-8 are escaped in the URL like others.
    Some(path.to_str().map_or(path.clone(), path_of))
}
