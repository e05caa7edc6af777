//! From what the user names to a list of sources: files, directories, lists, archives in archives, standard input.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use url::Url;

use crate::charset::BOM;
use crate::error::InputError;
use crate::limits::Limits;
use crate::name::{name_of, name_of_bytes, path_of};
use crate::source::{Data, Source};
use crate::wacz;
use crate::walk::{Found, is_corpus, walk};

/// Lists may name lists, but not for ever.
const LIST_DEPTH_MAX: usize = 8;

/// The sources of a run, in the order given; directories in the order of their names.
pub struct Inputs {
    /// The sources.
    pub sources: Vec<Source>,
    /// Copies of what could only be read once; deleted with this value.
    spools: Vec<NamedTempFile>,
}

/// How inputs are understood.
#[derive(Clone, Debug)]
pub struct InputConfig {
    /// What the relative path of a plain file, or of mail without an id, is appended to; `file:///` and its
    /// full path where this is `None`.
    pub base_url: Option<String>,
    /// Where standard input and packed archive entries are copied to.
    pub spool_directory: PathBuf,
    /// Directories that are no input though they lie within one: where results are written.
    pub passed_by: Vec<PathBuf>,
    /// Hard limits.
    pub limits: Limits,
}

impl Inputs {
    /// Looks at every input, by its name (see [`name_of`]). Nothing of their records is read yet, but every file has been opened.
    pub fn open(names: &[String], config: &InputConfig) -> Result<Inputs, InputError> {
        let mut inputs = Inputs {
            sources: Vec::new(),
            spools: Vec::new(),
        };
        for name in names {
            inputs.add(name, config, 0)?;
        }
        Ok(inputs)
    }

    fn add(&mut self, name: &str, config: &InputConfig, depth: usize) -> Result<(), InputError> {
        if name == "-" {
            return self.add_standard_input(config);
        }
        if let Some(list) = name.strip_prefix('@') {
            return self.add_list(&path_of(list), config, depth);
        }
        if let Some((scheme, rest)) = name.split_once("://") {
            if scheme != "file" {
                return Err(InputError::Remote {
                    url: name.to_owned(),
                });
            }
            return self.add_path(&path_of(rest), config);
        }
        self.add_path(&path_of(name), config)
    }

    fn add_list(
        &mut self,
        list: &Path,
        config: &InputConfig,
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
            .try_for_each(|line| self.add(&name_of_bytes(line), config, depth + 1))
    }

    fn add_standard_input(&mut self, config: &InputConfig) -> Result<(), InputError> {
        let spool = spool(&mut io::stdin().lock(), &config.spool_directory)?;
        if let Some(error) = spool.broken {
            return Err(unreadable(Path::new("-"))(error));
        }
        let path = spool.file.path().to_owned();
        if fs::metadata(&path).is_ok_and(|found| found.len() == 0) {
            let detail = "standard input is empty".to_owned();
            self.sources.push(Source::missing(Path::new("-"), detail));
            return Ok(());
        }
        self.add_file("-".to_owned(), &path, || "stdin:".to_owned(), config)?;
        self.spools.push(spool.file);
        Ok(())
    }

    fn add_path(&mut self, path: &Path, config: &InputConfig) -> Result<(), InputError> {
        let absolute = std::path::absolute(path).map_err(unreadable(path))?;
        let metadata = fs::metadata(&absolute).map_err(unreadable(path))?;
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
                // One among many, of which nobody has asked for this one.
                Err(InputError::Unreadable { source, .. }) => {
                    self.sources.push(Source::missing(file, source.to_string()));
                    Ok(())
                }
                result => result,
            },
            Found::Dangling(link, why) => {
                let detail = format!("a link that leads nowhere: {why}");
                self.sources.push(Source::missing(link, detail));
                Ok(())
            }
            Found::Corpus(corpus) => {
                let detail = "a corpus, which is no input".to_owned();
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
        let name = name_of(path);
        let url = || page_url(path, root, config.base_url.as_deref());
        self.add_file(name, path, url, config)
    }

    fn add_file(
        &mut self,
        name: String,
        path: &Path,
        url: impl FnOnce() -> String,
        config: &InputConfig,
    ) -> Result<(), InputError> {
        let mut file = File::open(path).map_err(unreadable(path))?;
        let bytes = file.metadata().map_err(unreadable(path))?.len();
        let mut start = [0; 4];
        let is_zip = file.read_exact(&mut start).is_ok() && start == *b"PK\x03\x04";
        let is_wacz = is_zip
            && (name == "-"
                || path
                    .extension()
                    .is_some_and(|suffix| suffix.eq_ignore_ascii_case("wacz")));
        if is_wacz {
            let (sources, spools) = wacz::open(&name, path, config)?;
            self.sources.extend(sources);
            self.spools.extend(spools);
            return Ok(());
        }
        let source = Source::describe(
            name,
            Data::File(path.to_owned()),
            0..bytes,
            url,
            &config.limits,
        )
        .map_err(unreadable(path))?;
        self.sources.push(source);
        Ok(())
    }
}

pub(crate) fn unreadable(path: &Path) -> impl Fn(io::Error) -> InputError + '_ {
    move |source| InputError::Unreadable {
        path: path.to_owned(),
        source,
    }
}

/// A copy of what can only be read once, and by what error it ends too soon, if it does.
pub(crate) struct Spool {
    pub(crate) file: NamedTempFile,
    pub(crate) broken: Option<io::Error>,
}

/// Copies input into a file that is locked as long as it is in use: a writer of the same corpus removes others.
pub(crate) fn spool(input: &mut dyn Read, directory: &Path) -> Result<Spool, InputError> {
    let failed = |source| InputError::Spool {
        directory: directory.to_owned(),
        source,
    };
    let mut file = tempfile::Builder::new()
        .prefix(&format!("spool-{}-", std::process::id()))
        .tempfile_in(directory)
        .map_err(failed)?;
    // Where files cannot be locked, nobody takes them for abandoned either.
    let _ = file.as_file().lock();
    let mut buffer = vec![0; 128 << 10];
    let broken = loop {
        match input.read(&mut buffer) {
            Ok(0) => break None,
            Ok(count) => file.write_all(&buffer[..count]).map_err(failed)?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => break Some(error),
        }
    };
    Ok(Spool { file, broken })
}

fn page_url(path: &Path, root: &Path, base_url: Option<&str>) -> String {
    let Some(base) = base_url else {
        return Url::from_file_path(path)
            .map_or_else(|()| format!("file://{}", name_of(path)), String::from);
    };
    let relative = path.strip_prefix(root).unwrap_or(path);
    let mut url = base.trim_end_matches('/').to_owned();
    for part in relative.components() {
        url.push('/');
        url.push_str(&escape(part.as_os_str()));
    }
    url
}

/// The URL crate escapes what a path may hold and a URL may not; bytes that are no text only in the path of a file.
fn escape(part: &OsStr) -> String {
    let Some(part) = part.to_str() else {
        let file = Url::from_file_path(Path::new("/").join(part));
        let file = file.as_ref().map_or("", Url::path);
        return file.trim_start_matches('/').to_owned();
    };
    let mut url = Url::parse("http://x/").expect("a constant that parses");
    url.path_segments_mut()
        .expect("http URLs have a path")
        .clear()
        .push(part);
    url.path().trim_start_matches('/').to_owned()
}
