//! What can fail as a whole.
//!
//! Rules: what a server does is never a [`CrawlError`]; it is counted, and the crawl goes on. Errors are the
//! caller's settings ([`CrawlError::Seed`], [`CrawlError::Option`]) and the environment (all others).

use std::io;
use std::net::IpAddr;
use std::path::PathBuf;

use thiserror::Error;

/// Why a crawl could not run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CrawlError {
    /// A seed is no URL of the web.
    #[error("cannot begin at {seed}: not an http or https URL")]
    Seed {
        /// As given.
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
    /// A file of the archive could not be read or written.
    #[error("cannot use the archive {path}")]
    Archive {
        /// The file or directory.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Another crawl writes to the same directory.
    #[error("another crawl is writing to {path}")]
    Busy {
        /// The archive that is locked.
        path: PathBuf,
    },
    /// An archive is damaged in a way that no killed run leaves behind.
    #[error("the archive {path} is damaged at byte {offset}, {left} bytes before its end")]
    Damaged {
        /// The archive.
        path: PathBuf,
        /// Where the first unreadable record begins.
        offset: u64,
        /// Bytes from there to the end.
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

/// Why a single response did not come.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FetchError {
    /// Not a URL that can be fetched.
    #[error("not an http or https URL")]
    Url,
    /// Every address of the host belongs to a private network or to this machine.
    #[error("the address {0} is private")]
    PrivateAddress(IpAddr),
    /// The name has no address.
    #[error("cannot find the host")]
    Resolve(#[source] io::Error),
    /// No connection.
    #[error("cannot connect")]
    Connect(#[source] io::Error),
    /// No secure connection.
    #[error("cannot set up a secure connection")]
    Tls(#[source] io::Error),
    /// The server said nothing for too long.
    #[error("no answer in time")]
    Timeout,
    /// The connection ended before the answer's header did.
    #[error("the connection ended without an answer")]
    Disconnected,
    /// What came is not HTTP.
    #[error("the answer is not HTTP")]
    NotHttp,
    /// The header is longer than allowed.
    #[error("a header over the size limit")]
    HeaderTooLarge,
    /// More redirects in a row than allowed.
    #[error("too many redirects")]
    TooManyRedirects,
    /// The runtime could not be set up.
    #[error("cannot set up the network")]
    Network(#[source] io::Error),
}

impl FetchError {
    /// The name under which it is counted.
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

    /// Might it go away when one asks again a little later?
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
