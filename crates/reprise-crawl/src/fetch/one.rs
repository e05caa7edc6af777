//! A single page, for those who want no crawl.

use std::io;

use tokio::runtime::Builder;
use url::Url;

use super::connect::Connector;
use super::{Exchange, Head, Validators, exchange};
use crate::config::FetchLimits;
use crate::error::FetchError;
use crate::scope::normal;

/// Most redirects in a row.
pub(crate) const HOPS_MAX: u32 = 10;

/// How a single page is fetched.
#[derive(Clone, Debug)]
pub struct FetchOne {
    /// Who asks.
    pub user_agent: String,
    /// Whether addresses of private networks and of this machine may be asked, also by a redirect.
    pub allow_private: bool,
    /// What the response may cost.
    pub fetch: FetchLimits,
}

/// A response, with the URL it came from in the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// After all redirects.
    pub url: String,
    /// HTTP status.
    pub status: u16,
    /// The HTTP response as sent: see [`reprise_ingest::read_response`].
    pub block: Vec<u8>,
}

/// Fetches one page, with the address rules and limits of a crawl; redirects are followed, anywhere.
///
/// There is no scope and no robots.txt: a person asked for this page, as with a browser.
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
            "control characters in the user agent",
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
    // A look-up that hangs must not keep the caller.
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
