//! The options of a crawl.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use reprise_convert::{Converter, PdfTool};
use reprise_ingest::RecordLimits;

use crate::defaults;
use crate::error::CrawlError;

/// The options of a crawl. Every option but `seeds` and `directory` has a default (see [`defaults`]).
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an independent option"
)]
pub struct CrawlConfig {
    /// The URLs to begin at. They also determine the scope.
    pub seeds: Vec<String>,
    /// The directory of the archives. A later run reads them and continues.
    pub directory: PathBuf,
    /// The URLs that may be fetched, relative to the seeds.
    pub scope: Scope,
    /// The highest number of links between a seed and a page. No limit by default.
    pub depth_max: u32,
    /// The highest number of requested pages, including those of earlier runs in the same directory. No limit by
    /// default.
    pub pages_max: u64,
    /// The pause between the end of a request and the begin of the next one to the same host.
    pub delay: Duration,
    /// The longest pause that a robots.txt or a `Retry-After` header can ask for.
    pub delay_max: Duration,
    /// The number of connections to one host at the same time.
    pub connections_per_host: usize,
    /// The number of hosts that are asked at the same time.
    pub hosts_at_once: usize,
    /// The user agent that servers see, such as `reprise/0.1 (+https://example.org/why)`. Rules of robots.txt apply
    /// to its first word, up to a slash.
    pub user_agent: String,
    /// Whether robots.txt is obeyed. Disable this only for a site that you own.
    pub obey_robots: bool,
    /// Whether addresses of private networks and of this machine may be asked.
    pub allow_private: bool,
    /// The order of requests.
    pub order: Order,
    /// The rule that ends the crawl when hardly anything new arrives.
    pub stop: StopRule,
    /// The fuzzy-hash score from which two texts are near duplicates, from 1 to 100.
    pub similarity: u8,
    /// Whether pages in the archive are requested again, with conditional requests.
    pub again: bool,
    /// Whether sitemaps are read.
    pub sitemaps: bool,
    /// The limits on a single request.
    pub fetch: FetchLimits,
    /// The limits on a decoded body.
    pub limits: RecordLimits,
    /// The converter of documents to plain text.
    pub converter: Converter,
    /// The size from which an archive is closed and the next one begun, in bytes.
    pub archive_bytes_max: u64,
    /// Whether to continue at the end of the last archive. If false, the crawl begins another archive: one that a
    /// corpus has already read must not change.
    pub append: bool,
}

impl Default for CrawlConfig {
    /// Returns the defaults, without seeds and directory.
    fn default() -> CrawlConfig {
        CrawlConfig {
            seeds: Vec::new(),
            directory: PathBuf::new(),
            scope: defaults::SCOPE,
            depth_max: u32::MAX,
            pages_max: u64::MAX,
            delay: defaults::DELAY,
            delay_max: defaults::DELAY_MAX,
            connections_per_host: defaults::CONNECTIONS_PER_HOST,
            hosts_at_once: defaults::HOSTS_AT_ONCE,
            user_agent: defaults::USER_AGENT.to_owned(),
            obey_robots: true,
            allow_private: false,
            order: defaults::ORDER,
            stop: StopRule::default(),
            similarity: defaults::SIMILARITY,
            again: false,
            sitemaps: true,
            fetch: FetchLimits::default(),
            limits: defaults::LIMITS,
            converter: Converter {
                limits: reprise_convert::ConvertLimits::DEFAULT,
                main_content: false,
                pdf: PdfTool::InProcess,
            },
            archive_bytes_max: defaults::ARCHIVE_BYTES_MAX,
            append: true,
        }
    }
}

impl CrawlConfig {
    /// Checks that every option is within its range. [`crawl`](crate::crawl) does this as well.
    pub fn check(&self) -> Result<(), CrawlError> {
        let is_share = |value: f64| value > 0.0 && value < 1.0;
        let agent = self.user_agent.trim();
        let is_line = !agent.is_empty() && !agent.bytes().any(|byte| byte.is_ascii_control());
        let share = "greater than 0 and less than 1";
        let one = "at least 1";
        let checks = [
            ("seeds", !self.seeds.is_empty(), "at least one URL"),
            ("user_agent", is_line, "one line of text"),
            (
                "similarity",
                (1..=100).contains(&self.similarity),
                "from 1 to 100",
            ),
            ("stop.window", self.stop.window > 0, one),
            ("stop.bound", is_share(self.stop.bound), share),
            ("stop.confidence", is_share(self.stop.confidence), share),
            ("connections_per_host", self.connections_per_host > 0, one),
            ("hosts_at_once", self.hosts_at_once > 0, one),
            ("fetch.total", !self.fetch.total.is_zero(), "greater than 0"),
        ];
        for (option, is_valid, expected) in checks {
            if !is_valid {
                return Err(CrawlError::Option { option, expected });
            }
        }
        Ok(())
    }
}

/// The URLs that belong to a crawl. Others are never requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The hosts of the seeds, with `http` and `https`. The same host at another port is another host.
    Host,
    /// All hosts of the seeds' sites (registered domains), at the default ports and the ports of the seeds.
    Site,
    /// The URLs that begin like a seed, up to the last slash of its path.
    Prefix,
}

impl Scope {
    /// All scopes.
    pub const ALL: [Scope; 3] = [Scope::Host, Scope::Site, Scope::Prefix];

    /// Returns the name of the scope, as [`FromStr`] parses it.
    pub fn as_str(self) -> &'static str {
        match self {
            Scope::Host => "host",
            Scope::Site => "site",
            Scope::Prefix => "prefix",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Scope {
    type Err = ParseScopeError;

    fn from_str(name: &str) -> Result<Scope, ParseScopeError> {
        (Scope::ALL.into_iter())
            .find(|scope| scope.as_str() == name)
            .ok_or_else(|| ParseScopeError {
                found: name.to_owned(),
            })
    }
}

/// The error for an unknown scope name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseScopeError {
    found: String,
}

impl fmt::Display for ParseScopeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let valid = Scope::ALL.map(Scope::as_str).join(", ");
        write!(f, "unknown scope {:?}, use one of: {valid}", self.found)
    }
}

impl Error for ParseScopeError {}

/// The order of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// URLs of patterns that still bring new content come first.
    Learned,
    /// URLs come by depth, then in the order in which they were found.
    Breadth,
}

impl Order {
    /// All orders.
    pub const ALL: [Order; 2] = [Order::Learned, Order::Breadth];

    /// Returns the name of the order, as [`FromStr`] parses it.
    pub fn as_str(self) -> &'static str {
        match self {
            Order::Learned => "learned",
            Order::Breadth => "breadth",
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Order {
    type Err = ParseOrderError;

    fn from_str(name: &str) -> Result<Order, ParseOrderError> {
        (Order::ALL.into_iter())
            .find(|order| order.as_str() == name)
            .ok_or_else(|| ParseOrderError {
                found: name.to_owned(),
            })
    }
}

/// The error for an unknown order name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseOrderError {
    found: String,
}

impl fmt::Display for ParseOrderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let valid = Order::ALL.map(Order::as_str).join(", ");
        write!(f, "unknown order {:?}, use one of: {valid}", self.found)
    }
}

impl Error for ParseOrderError {}

/// The rule that ends a crawl when hardly anything new arrives. [`upper_bound`](crate::upper_bound) computes its
/// statistics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StopRule {
    /// The number of latest pages that the rule examines, at least 1.
    pub window: usize,
    /// The share of new content below which the crawl stops, between 0 and 1.
    pub bound: f64,
    /// The confidence that the share is below the bound, between 0 and 1.
    pub confidence: f64,
    /// Whether the rule ends the crawl. If false, it only sends [`Message::WouldStop`](crate::Message::WouldStop).
    pub enabled: bool,
}

impl Default for StopRule {
    fn default() -> StopRule {
        StopRule {
            window: defaults::STOP_WINDOW,
            bound: defaults::STOP_BOUND,
            confidence: defaults::STOP_CONFIDENCE,
            enabled: true,
        }
    }
}

/// The limits on a single request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchLimits {
    /// The longest time for finding and connecting to the host.
    pub connect: Duration,
    /// The longest time without a byte, before the first byte and between any two.
    pub silence: Duration,
    /// The longest time for the whole response.
    pub total: Duration,
    /// The lowest average rate in bytes per second. It holds once [`FetchLimits::silence`] has passed.
    pub rate_min: u64,
    /// The largest body as sent, in bytes. A longer one is truncated.
    pub body_bytes: usize,
    /// The largest header, in bytes.
    pub header_bytes: usize,
    /// The number of times that a request is repeated after a failure that may pass.
    pub retries: u32,
    /// The pause before the first repetition. It doubles with each further one.
    pub back_off: Duration,
}

impl Default for FetchLimits {
    fn default() -> FetchLimits {
        FetchLimits::within(defaults::TIMEOUT)
    }
}

impl FetchLimits {
    /// Returns the default limits for a response that may take `total`.
    pub fn within(total: Duration) -> FetchLimits {
        FetchLimits {
            connect: total.min(defaults::CONNECT_TIMEOUT),
            silence: total.min(defaults::SILENCE_TIMEOUT),
            total,
            rate_min: defaults::RATE_MIN,
            body_bytes: defaults::LIMITS.body_bytes,
            header_bytes: defaults::LIMITS.header_bytes,
            retries: defaults::RETRIES,
            back_off: defaults::BACK_OFF,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CrawlConfig, CrawlError, Order, Scope};

    #[test]
    fn names_read_back() {
        for scope in Scope::ALL {
            assert_eq!(scope.to_string().parse(), Ok(scope));
        }
        for order in Order::ALL {
            assert_eq!(order.to_string().parse(), Ok(order));
        }
        assert_eq!(
            "all".parse::<Scope>().unwrap_err().to_string(),
            r#"unknown scope "all", use one of: host, site, prefix"#
        );
        assert_eq!(
            "best".parse::<Order>().unwrap_err().to_string(),
            r#"unknown order "best", use one of: learned, breadth"#
        );
    }

    #[test]
    fn an_invalid_option_is_named() {
        let good = CrawlConfig {
            seeds: vec!["http://a.example/".to_owned()],
            ..CrawlConfig::default()
        };
        assert!(good.check().is_ok());
        let check = |name: &str, change: &dyn Fn(&mut CrawlConfig)| {
            let mut config = good.clone();
            change(&mut config);
            match config.check() {
                Err(CrawlError::Option { option, .. }) => assert_eq!(option, name),
                other => panic!("{name}: {other:?}"),
            }
        };
        check("seeds", &|config| config.seeds.clear());
        check("user_agent", &|config| config.user_agent = "a\nb".into());
        check("similarity", &|config| config.similarity = 101);
        check("stop.window", &|config| config.stop.window = 0);
        check("stop.bound", &|config| config.stop.bound = f64::NAN);
        check("stop.confidence", &|config| config.stop.confidence = 1.0);
        check("connections_per_host", &|config| {
            config.connections_per_host = 0;
        });
        check("hosts_at_once", &|config| config.hosts_at_once = 0);
        check("fetch.total", &|config| {
            config.fetch.total = std::time::Duration::ZERO;
        });
    }
}
