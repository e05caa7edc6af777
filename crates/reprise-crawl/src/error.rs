//! The errors of the crate.
//!
//! Problems with a server are never a [`CrawlError`]: the crawl counts them and continues. A [`CrawlError`] is the
//! fault of the caller ([`CrawlError::Seed`], [`CrawlError::Option`]) or of the environment (all others).

use std::io;
use std::net::IpAddr;
use std::path::PathBuf;

use thiserror::Error;

/// The reason why a crawl could not start or had to end.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CrawlError {
    /// A seed is not a URL that can be fetched.
    #[error("cannot begin at {seed}: not an http or https URL")]
    Seed {
        /// The seed, as given.
        seed: String,
    },
    /// An option is outside its range.
    #[error("{option} must be {expected}")]
    Option {
        /// The field of [`CrawlConfig`](crate::CrawlConfig), such as `stop.window`.
        option: &'static str,
        /// The range, such as `at least 1`.
        expected: &'static str,
    },
    /// An archive could not be read or written.
    #[error("cannot read or write the archive {path}")]
    Archive {
        /// The file or directory.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// Another crawl writes to the same directory.
    #[error("another crawl is writing to {path}; wait until it ends")]
    Busy {
        /// The locked archive.
        path: PathBuf,
    },
    /// An archive is damaged, and not in the way that a killed run leaves behind.
    #[error(
        "the archive {path} is damaged at byte {offset}, {left} bytes before its end; restore it, or crawl into another directory"
    )]
    Damaged {
        /// The archive.
        path: PathBuf,
        /// The byte offset of the first unreadable record.
        offset: u64,
        /// The number of bytes from there to the end.
        left: u64,
    },
    /// A result file could not be written.
    #[error("cannot write {path}")]
    Write {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The asynchronous runtime or the TLS library could not be set up.
    #[error("cannot set up the network")]
    Network(#[source] io::Error),
}

/// The reason why a request brought no response.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The URL cannot be fetched.
    #[error("not an http or https URL")]
    Url,
    /// All addresses of the host belong to private networks or to this machine.
    #[error("the address {0} is private")]
    PrivateAddress(IpAddr),
    /// The host name has no address.
    #[error("cannot find the host")]
    Resolve(#[source] io::Error),
    /// The connection was refused or failed.
    #[error("cannot connect")]
    Connect(#[source] io::Error),
    /// TLS could not be set up.
    #[error("cannot set up a secure connection")]
    Tls(#[source] io::Error),
    /// The server did not answer in time.
    #[error("no answer in time")]
    Timeout,
    /// The connection ended before the whole header had arrived.
    #[error("the connection ended without an answer")]
    Disconnected,
    /// The answer is not HTTP.
    #[error("the answer is not HTTP")]
    NotHttp,
    /// The header is larger than allowed.
    #[error("the header is larger than allowed")]
    HeaderTooLarge,
    /// There were more redirects in a row than allowed.
    #[error("too many redirects")]
    TooManyRedirects,
    /// The runtime could not be set up.
    #[error("cannot set up the network")]
    Network(#[source] io::Error),
}

impl FetchError {
    /// Returns the name under which the error is counted, as in
    /// [`CrawlProblem::kind`](reprise_report::CrawlProblem::kind).
    pub fn name(&self) -> &'static str {
        match self {
            FetchError::Url => "bad_url",
            FetchError::PrivateAddress(_) => "private_address",
            FetchError::Resolve(_) => "no_address",
            FetchError::Connect(_) => "no_connection",
            FetchError::Tls(_) => "no_tls",
            FetchError::Timeout => "timeout",
            FetchError::Disconnected => "disconnected",
            FetchError::NotHttp => "not_http",
            FetchError::HeaderTooLarge => "header_too_large",
            FetchError::TooManyRedirects => "too_many_redirects",
            FetchError::Network(_) => "network",
        }
    }

    /// Returns true if a repetition of the request may succeed.
    pub(crate) fn may_pass(&self) -> bool {
        matches!(
            self,
            FetchError::Resolve(_)
                | FetchError::Connect(_)
                | FetchError::Tls(_)
                | FetchError::Timeout
                | FetchError::Disconnected
        )
    }
}
