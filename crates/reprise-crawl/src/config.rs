//! What a crawl is told to do. All fields are public and none has a hidden default: the surface fills them.

use std::path::PathBuf;
use std::time::Duration;

use reprise_convert::Converter;
use reprise_ingest::RecordLimits;

use crate::error::CrawlError;

/// Everything a crawl has to be told.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub struct CrawlConfig {
    /// Where to begin; their hosts, sites or prefixes are the scope.
    pub seeds: Vec<String>,
    /// Where the archives are written, and read again by the next run.
    pub directory: PathBuf,
    /// How far from the seeds a URL may be.
    pub scope: Scope,
    /// Most links between a seed and a page.
    pub depth_max: u32,
    /// Most pages asked for, those of earlier runs in the same directory included.
    pub pages_max: u64,
    /// Pause between the end of one request and the begin of the next to the same host.
    pub delay: Duration,
    /// Longest pause that a robots.txt or a `Retry-After` can ask for.
    pub delay_max: Duration,
    /// Connections to one host at the same time.
    pub connections_per_host: usize,
    /// Hosts that are asked at the same time.
    pub hosts_at_once: usize,
    /// Who asks, such as `reprise/0.1 (+https://example.org/why)`. Its first word, up to a slash, is the name
    /// that robots.txt knows.
    pub user_agent: String,
    /// Whether robots.txt is obeyed. Only for a site of one's own is `false` right.
    pub obey_robots: bool,
    /// Whether addresses of private networks and of this machine may be asked.
    pub allow_private: bool,
    /// Which URL comes next.
    pub order: Order,
    /// When enough has been seen.
    pub stop: StopRule,
    /// Score of the fuzzy hashes from which two texts are near-duplicates, 1 to 100.
    pub similarity: u8,
    /// Ask again for what is in the archive already, with conditional requests.
    pub again: bool,
    /// Whether sitemaps are read.
    pub sitemaps: bool,
    /// What a single response may cost.
    pub fetch: FetchLimits,
    /// What the body of a response may cost once it is decoded.
    pub limits: RecordLimits,
    /// How documents become plain text.
    pub converter: Converter,
    /// Size from which an archive is closed and the next one begun.
    pub archive_bytes_max: u64,
    /// Go on at the end of the last archive. An archive that somebody has read already is better left as it is:
    /// then one more is begun.
    pub append: bool,
}

impl CrawlConfig {
    /// Refuses settings that make no sense.
    pub(crate) fn check(&self) -> Result<(), CrawlError> {
        let agent = self.user_agent.trim();
        if agent.is_empty() || agent.bytes().any(|byte| byte.is_ascii_control()) {
            return Err(CrawlError::Setting(
                "the user agent must be one line of text",
            ));
        }
        if !(1..=100).contains(&self.similarity) {
            return Err(CrawlError::Setting("the similarity must be from 1 to 100"));
        }
        let is_share = |value: f64| value > 0.0 && value < 1.0;
        if !is_share(self.stop.bound) || !is_share(self.stop.confidence) || self.stop.window == 0 {
            return Err(CrawlError::Setting(
                "bound and confidence must be between 0 and 1, and the window not 0",
            ));
        }
        Ok(())
    }
}

/// Which URLs belong to the crawl. Anything else is never requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The hosts of the seeds, `http` and `https` alike. A port of its own is a host of its own.
    Host,
    /// All hosts of the seeds' sites (registered domains), at the usual ports and those of the seeds.
    Site,
    /// What begins like a seed, up to the last slash of its path.
    Prefix,
}

/// Which URL comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// URLs of patterns that still yield new content come first.
    Learned,
    /// By depth, then by discovery.
    Breadth,
}

/// When a crawl has seen enough; see [`crate::upper_bound`] for the statistics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StopRule {
    /// How many of the latest pages are looked at.
    pub window: usize,
    /// The share of new content below which it stops, such as 0.02.
    pub bound: f64,
    /// How sure it has to be that the share is below, such as 0.95.
    pub confidence: f64,
    /// Whether it stops, or only says that it would.
    pub enabled: bool,
}

/// What a single response may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchLimits {
    /// Longest look-up of a name and set-up of a connection.
    pub connect: Duration,
    /// Longest silence, before the first byte and between any two.
    pub silence: Duration,
    /// Longest time for a whole response.
    pub total: Duration,
    /// Fewest bytes a second, on average, looked at once [`FetchLimits::silence`] has passed.
    pub rate_min: u64,
    /// Largest body, as sent. Longer ones are cut there.
    pub body_bytes: usize,
    /// Largest header.
    pub header_bytes: usize,
    /// How often a request is repeated after a failure that may pass.
    pub retries: u32,
    /// Pause before the first repetition; each further one is twice as long.
    pub back_off: Duration,
}
