//! `reprise crawl`: fetches a site politely, until hardly anything new arrives.

mod summary;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use reprise_engine::crawl_into;
use reprise_engine::crawler::{CrawlConfig, FetchLimits, Order, Scope, StopRule};
use reprise_engine::defaults::crawl as defaults;
use reprise_engine::results::CrawlEndReason;

use crate::console::Console;
use crate::crawl_progress::Curves;
use crate::flags::{ConvertFlags, ReadingFlags};
use crate::interrupt::INTERRUPTED;
use crate::{output, size};

/// Fetch the pages of a site into a corpus, until hardly anything new arrives
///
/// Every page is classified when it arrives: unique, or an exact or near duplicate of another URL. The responses are
/// stored as WARC in DIR/crawl and then indexed. If you run the command again, it continues and fetches nothing twice. It obeys
/// robots.txt and never requests anything outside the scope.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// URLs to begin at
    #[arg(required = true, value_name = "URL")]
    urls: Vec<String>,
    /// Directory of the corpus; created if it does not exist
    #[arg(long, value_name = "DIR", value_parser = output::directory_parser())]
    corpus: PathBuf,
    /// URLs that may be fetched: those of the same hosts, of the same sites (registered domains), or below the given URLs
    #[arg(long, value_name = "host|site|prefix", default_value_t = defaults::SCOPE)]
    scope: Scope,
    /// Follow at most N links from a start URL [default: no limit]
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Fetch at most N pages, including those of earlier runs [default: no limit]
    #[arg(long, value_name = "N")]
    pages: Option<u64>,
    /// Order of URLs. learned: first those that look like URLs with new content; breadth: first those with the fewest
    /// links from a start URL
    #[arg(long, value_name = "learned|breadth", default_value_t = defaults::ORDER, hide_short_help = true)]
    order: Order,
    #[command(flatten)]
    manners: Manners,
    #[command(flatten)]
    stop: StopFlags,
    /// Call pages near duplicates from this fuzzy-hash score on, from 1 to 100
    #[arg(long, alias = "similarity", value_name = "N", default_value_t = defaults::SCORE, hide_short_help = true)]
    score: u8,
    /// Request the pages of earlier runs again, with conditional requests
    #[arg(long)]
    again: bool,
    /// Do not read sitemaps
    #[arg(long, hide_short_help = true)]
    no_sitemaps: bool,
    #[command(flatten)]
    convert: ConvertFlags,
    #[command(flatten)]
    reading: ReadingFlags,
}

/// How servers are treated.
#[derive(clap::Args)]
struct Manners {
    /// Seconds between two requests to a host; robots.txt can ask for more
    #[arg(long, value_name = "SECONDS", default_value_t = defaults::DELAY.as_secs_f64(), value_parser = size::seconds)]
    delay: f64,
    /// URL of a page about this crawl, which servers see in the user agent
    #[arg(long, value_name = "URL")]
    contact: Option<String>,
    /// Give up a response after this time
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = defaults::TIMEOUT.as_secs_f64(),
        value_parser = size::positive_seconds,
        hide_short_help = true
    )]
    timeout: f64,
    /// Repetitions of a request that failed, or that the server asks to repeat later
    #[arg(long, value_name = "N", default_value_t = defaults::RETRIES, hide_short_help = true)]
    retries: u32,
    /// Allow addresses of private networks and of this machine
    #[arg(long, hide_short_help = true)]
    allow_private: bool,
}

/// When the crawl ends.
#[derive(clap::Args)]
struct StopFlags {
    /// Continue until all URLs are fetched, even if nothing new arrives
    #[arg(long)]
    no_stop: bool,
    /// Look at the latest N pages to decide whether to stop
    #[arg(long, value_name = "N", default_value_t = defaults::STOP_WINDOW, hide_short_help = true)]
    window: usize,
    /// Stop if less than this share of the remaining pages is new
    #[arg(long, value_name = "X", default_value_t = defaults::STOP_BOUND, hide_short_help = true)]
    bound: f64,
    /// Stop only if this share is that small with this probability
    #[arg(long, value_name = "X", default_value_t = defaults::STOP_CONFIDENCE, hide_short_help = true)]
    confidence: f64,
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        let curves = Curves::new(console);
        let crawled = crawl_into(
            &self.corpus,
            self.config()?,
            &self.reading.options(),
            self.reading.resources(),
            &curves,
            &curves,
        );
        curves.finish();
        let summary = crawled?.summary;
        console.print(&summary, None, || summary::text(&summary, &self.corpus))?;
        let end = summary.stopped.as_ref().map(|end| &end.reason);
        Ok(if end == Some(&CrawlEndReason::Asked) {
            ExitCode::from(INTERRUPTED)
        } else {
            ExitCode::SUCCESS
        })
    }

    fn config(&self) -> anyhow::Result<CrawlConfig> {
        let Manners {
            delay,
            contact,
            timeout,
            retries,
            allow_private,
        } = &self.manners;
        let limits = self
            .reading
            .limits
            .options()
            .limits(defaults::LIMITS.body_bytes);
        let contact = contact.as_ref().map(|contact| format!(" (+{contact})"));
        Ok(CrawlConfig {
            seeds: self.urls.clone(),
            scope: self.scope,
            depth_max: self.depth.unwrap_or(u32::MAX),
            pages_max: self.pages.unwrap_or(u64::MAX),
            delay: Duration::from_secs_f64(*delay),
            user_agent: defaults::USER_AGENT.to_owned() + contact.as_deref().unwrap_or(""),
            allow_private: *allow_private,
            order: self.order,
            stop: StopRule {
                window: self.stop.window,
                bound: self.stop.bound,
                confidence: self.stop.confidence,
                enabled: !self.stop.no_stop,
            },
            score: self.score,
            again: self.again,
            sitemaps: !self.no_sitemaps,
            fetch: FetchLimits {
                body_bytes: limits.body_bytes,
                header_bytes: limits.header_bytes,
                retries: *retries,
                ..FetchLimits::within(Duration::from_secs_f64(timeout.max(0.1)))
            },
            limits,
            converter: self.convert.options()?.converter(),
            ..CrawlConfig::default()
        })
    }
}
