//! The errors of the engine.
//!
//! Errors name options and files in the engine's own words. A surface adds its flag names: it finds the
//! option in [`Error::option`] and chooses an exit code or status by [`Error::fault`].

use std::io;
use std::path::{Path, PathBuf};

use reprise_imatch::attack::AttackError;
use reprise_imatch::{FileError, SignerError, TrainError};
use reprise_ingest::InputError;
use reprise_near::NearError;
use reprise_report::results::Repair;
use reprise_store::StoreError;

use crate::drop::DropError;
use crate::imatch::ClassesError;
use crate::repair::repair_of_paths;

/// An error of the engine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An error of a corpus, of labels or of a result file.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An input cannot be used.
    #[error(transparent)]
    Input(InputError),
    /// An option has a value that is not allowed.
    #[error("{option} must be {expected}, not {found}")]
    Option {
        /// The option.
        option: &'static str,
        /// The values that are allowed.
        expected: String,
        /// The value.
        found: String,
    },
    /// The inputs have no file, or none of their files has a record that can be used.
    #[error("nothing was read: {detail}")]
    NothingRead {
        /// The reason, with the name of a file.
        detail: String,
    },
    /// A new corpus would be among other files.
    #[error("{} holds other files", path.display())]
    NotEmpty {
        /// The directory.
        path: PathBuf,
    },
    /// The system does not let the process start its threads.
    #[error("cannot start {threads} threads: {detail}; use fewer threads")]
    Threads {
        /// The number of threads.
        threads: usize,
        /// The reason.
        detail: String,
    },
    /// An input can be read only once, but has to be read again.
    #[error("{} can be read only once; write it to a file first", if name == "-" { "standard input" } else { name })]
    ReadOnce {
        /// The input.
        name: String,
    },
    /// The corpus has no page with this URL.
    #[error("{url} is not in the corpus")]
    NoSuchPage {
        /// The URL.
        url: String,
    },
    /// The page cannot be read back from its archive.
    #[error("the text of {url} cannot be read back: {reason}")]
    PageUnreadable {
        /// The URL.
        url: String,
        /// Why it cannot be read.
        reason: String,
    },
    /// The page has no text or no words.
    #[error("{url} has no text")]
    NoText {
        /// The URL.
        url: String,
    },
    /// The page shares no chunk with another page of the labels.
    #[error("{url} shares no chunk with another page of the labels")]
    NothingShared {
        /// The URL.
        url: String,
    },
    /// The labels were discovered, so that they have no sites to leave out.
    #[error(
        "the labels {} were discovered, so they do not come from particular sites; only the sites of labels made from known pages can be left out",
        path.display()
    )]
    LabelsWithoutSites {
        /// The label file.
        path: PathBuf,
    },
    /// The directory holds a corpus of other inputs.
    #[error("{} holds a corpus with another source, {source_name}", path.display())]
    CorpusExists {
        /// The directory.
        path: PathBuf,
        /// A source that is not among the inputs.
        source_name: String,
    },
    /// The corpus has no segment with this number.
    #[error("the corpus has no segment {number}; {known}")]
    NoSuchSegment {
        /// The number.
        number: u64,
        /// The numbers that exist, in words.
        known: String,
    },
    /// A file cannot be read or written.
    #[error("cannot {action} {}", path.display())]
    File {
        /// `read`, `write` or `remove`.
        action: reprise_store::Action,
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A result file has an unknown format.
    #[error(transparent)]
    Format(#[from] reprise_store::FormatError),
    /// A file is not a result of Reprise.
    #[error("{} is not a result file of Reprise", path.display())]
    NotAResult {
        /// The file.
        path: PathBuf,
    },
    /// A stop list cannot be used.
    #[error("{}", path.display())]
    StopList {
        /// The file.
        path: PathBuf,
        /// The problem.
        source: reprise_chunk::ParseStopListError,
    },
    /// A lexicon or context file cannot be used.
    #[error("{} cannot be used as a lexicon or context file", path.display())]
    Lexicon {
        /// The file.
        path: PathBuf,
        /// The problem.
        source: FileError,
    },
    /// A file of classes cannot be used.
    #[error(transparent)]
    Classes(#[from] ClassesError),
    /// A list of digests cannot be used.
    #[error("{}", path.display())]
    DigestList {
        /// The file.
        path: PathBuf,
        /// The problem.
        source: reprise_fuzzy::lines::LineError,
    },
    /// No lexicon can be made of the documents.
    #[error("no lexicon can be made of these documents")]
    Train(#[from] TrainError),
    /// The lexicons cannot sign documents.
    #[error(transparent)]
    Signer(#[from] SignerError),
    /// An attack cannot be simulated.
    #[error(transparent)]
    Attack(#[from] AttackError),
    /// Pages cannot be dropped.
    #[error(transparent)]
    Drop(DropError),
    /// The program was built without a feature.
    #[error("this program was built without the feature `{feature}`")]
    NotBuilt {
        /// The feature.
        feature: &'static str,
    },
    /// A crawl got no response.
    #[cfg(feature = "crawl")]
    #[error("nothing was fetched: {}", crate::crawl::reasons(summary))]
    NothingFetched {
        /// The result of the crawl.
        summary: Box<reprise_report::results::CrawlSummary>,
    },
    /// A crawl failed.
    #[cfg(feature = "crawl")]
    #[error(transparent)]
    Crawl(#[from] reprise_crawl::CrawlError),
    /// A page cannot be fetched.
    #[cfg(feature = "crawl")]
    #[error("cannot fetch {url}")]
    Fetch {
        /// The URL.
        url: String,
        /// The error of the request.
        source: reprise_crawl::FetchError,
    },
    /// The server answered with an error.
    #[cfg(feature = "crawl")]
    #[error("{url} answered with status {status}")]
    Status {
        /// The URL.
        url: String,
        /// The HTTP status.
        status: u16,
    },
    /// An experiment failed.
    #[cfg(feature = "lab")]
    #[error(transparent)]
    Lab(crate::lab::LabError),
}

/// Who can do something about an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The caller: a wrong option, or input that cannot be read.
    Caller,
    /// The system: a full disk, a network that is down.
    Environment,
    /// The caller cancelled the operation.
    Cancelled,
}

impl From<InputError> for Error {
    fn from(error: InputError) -> Error {
        match error {
            InputError::Cancelled => Error::Store(StoreError::Cancelled),
            error => Error::Input(error),
        }
    }
}

impl Error {
    /// Returns who can do something about the error.
    pub fn fault(&self) -> Fault {
        let is_usage = match self {
            Error::Store(StoreError::Cancelled) => return Fault::Cancelled,
            Error::Store(error) => error.is_usage(),
            Error::Input(error) => !matches!(error, InputError::Spool { .. }),
            Error::File { action, .. } => *action == reprise_store::Action::Read,
            Error::Drop(error) => error.is_usage(),
            Error::Threads { .. } => false,
            #[cfg(feature = "crawl")]
            Error::Crawl(error) => matches!(
                error,
                reprise_crawl::CrawlError::Seed { .. } | reprise_crawl::CrawlError::Option { .. }
            ),
            #[cfg(feature = "crawl")]
            Error::Fetch { .. } | Error::Status { .. } | Error::NothingFetched { .. } => false,
            #[cfg(feature = "lab")]
            Error::Lab(error) => error.is_usage(),
            _ => true,
        };
        if is_usage {
            Fault::Caller
        } else {
            Fault::Environment
        }
    }

    /// Returns the option that has a wrong value.
    pub fn option(&self) -> Option<&'static str> {
        match self {
            Error::Option { option, .. } => Some(option),
            #[cfg(feature = "crawl")]
            Error::Crawl(reprise_crawl::CrawlError::Option { option, .. }) => Some(option),
            Error::Attack(AttackError::OutOfRange { option, .. }) => Some(option),
            #[cfg(feature = "lab")]
            Error::Lab(crate::lab::LabError::TooSmall { option, .. }) => Some(option),
            #[cfg(feature = "lab")]
            Error::Lab(crate::lab::LabError::Threshold { .. }) => Some("threshold"),
            _ => None,
        }
    }

    /// Returns what can be done if the error is damage of a corpus.
    pub fn repair(&self) -> Option<Repair> {
        let path = match self {
            Error::Store(error) => error.damaged_path(),
            _ => None,
        };
        repair_of_paths(path.into_iter())
    }

    pub(crate) fn reading(path: &Path) -> impl Fn(io::Error) -> Error + use<> {
        Error::file(reprise_store::Action::Read, path)
    }

    pub(crate) fn writing(path: &Path) -> impl Fn(io::Error) -> Error + use<> {
        Error::file(reprise_store::Action::Write, path)
    }

    fn file(action: reprise_store::Action, path: &Path) -> impl Fn(io::Error) -> Error + use<> {
        let path = path.to_owned();
        move |source| Error::File {
            action,
            path: path.clone(),
            source,
        }
    }
}

/// Errors of the corpus are [`Error::Store`] in every stage, so that a caller finds a cancellation or damage
/// in one place.
impl From<DropError> for Error {
    fn from(error: DropError) -> Error {
        match error {
            DropError::Store(error) => Error::Store(error),
            error => Error::Drop(error),
        }
    }
}

#[cfg(feature = "lab")]
impl From<crate::lab::LabError> for Error {
    fn from(error: crate::lab::LabError) -> Error {
        match error {
            crate::lab::LabError::Store(error) => Error::Store(error),
            crate::lab::LabError::Signer(error) => Error::Signer(error),
            error => Error::Lab(error),
        }
    }
}

impl From<NearError> for Error {
    fn from(error: NearError) -> Error {
        match error {
            NearError::OutOfRange {
                parameter,
                value,
                min,
                max,
            } => Error::Option {
                option: parameter,
                expected: format!("from {min} to {max}"),
                found: value.to_string(),
            },
            NearError::Signer(error) => Error::Signer(error),
            NearError::Store(error) => Error::Store(error),
            error => Error::Option {
                option: "method",
                expected: error.to_string(),
                found: String::new(),
            },
        }
    }
}
