//! Fetches a single page without a crawl.

use std::io;

use tokio::runtime::Builder;
use url::Url;

use super::connect::Connector;
use super::{Exchange, Head, Validators, exchange};
use crate::config::FetchLimits;
use crate::defaults;
use crate::error::FetchError;
use crate::scope::normal;

/// The highest number of redirects in a row.
pub(crate) const HOPS_MAX: u32 = 10;

/// The options of [`fetch_one`].
#[derive(Clone, Debug)]
pub struct FetchOne {
    /// The user agent that the server sees.
    pub user_agent: String,
    /// Whether addresses of private networks and of this machine may be asked. This applies to redirects as well.
    pub allow_private: bool,
    /// The limits on each request.
    pub fetch: FetchLimits,
}

impl Default for FetchOne {
    fn default() -> FetchOne {
        FetchOne {
            user_agent: defaults::USER_AGENT.to_owned(),
            allow_private: false,
            fetch: FetchLimits::default(),
        }
    }
}

/// A response, with its final URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// The URL after all redirects.
    pub url: String,
    /// The HTTP status.
    pub status: u16,
    /// The HTTP response as sent. [`reprise_ingest::read_response`] reads it.
    pub block: Vec<u8>,
}

/// Fetches one page, with the address checks and limits of a crawl. Redirects to any host are followed.
///
/// A person asked for this page, as with a browser, so it has no scope and robots.txt is not read.
pub fn fetch_one(url: &str, config: &FetchOne) -> Result<Fetched, FetchError> {
    let start = Url::parse(url)
        .ok()
        .and_then(normal)
        .ok_or(FetchError::Url)?;
    if config
        .user_agent
        .bytes()
        .any(|byte| byte.is_ascii_control())
    {
        let error = io::Error::new(
            io::ErrorKind::InvalidInput,
            "the user agent contains control characters",
        );
        return Err(FetchError::Network(error));
    }
    let runtime = Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(FetchError::Network)?;
    let connector =
        Connector::new(&config.user_agent, config.allow_private).map_err(FetchError::Network)?;
    let fetched = runtime.block_on(follow(&connector, &config.fetch, start));
    // Do not wait for a name look-up that hangs.
    runtime.shutdown_background();
    fetched
}

async fn follow(
    connector: &Connector,
    limits: &FetchLimits,
    start: Url,
) -> Result<Fetched, FetchError> {
    let mut url = start;
    for _ in 0..=HOPS_MAX {
        let (Exchange { block, status, .. }, _) =
            exchange(connector, limits, &url, &Validators::default(), None).await?;
        let target = Head::parse(&block)
            .as_ref()
            .and_then(Head::redirect)
            .and_then(|location| url.join(location).ok())
            .and_then(normal);
        match target {
            Some(target) => url = target,
            None => {
                return Ok(Fetched {
                    url: url.into(),
                    status,
                    block,
                });
            }
        }
    }
    Err(FetchError::TooManyRedirects)
}
