//! `reprise crawl`: the pages of a site, fetched politely, until nothing new comes.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use reprise_engine::crawl::{
    CrawlConfig, CrawlEndReason, CrawlError, CrawlSummary, FetchLimits, Order, Scope, StopRule,
    crawl, defaults,
};
use reprise_engine::ingest::{RecordLimits, name_of};
use reprise_engine::store::{AsBytes, Corpus, Wanted};

use super::converting::ConvertFlags;
use super::index::{Resources, ToIndex};
use crate::crawl_progress::Curves;
use crate::crawl_summary;
use crate::exit::Usage;
use crate::output_file;

/// Fetch the pages of a site into a corpus, and stop when nothing new comes.
///
/// Every page is classed as it comes: unique, exact or near duplicate of which URL. Responses are kept
/// as WARC in DIR/crawl, then indexed. Run again, it goes on where it was; nothing is fetched twice.
/// robots.txt is obeyed, and nothing outside the scope is ever requested.
#[derive(clap::Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub(crate) struct Args {
    /// Where to begin
    #[arg(required = true, value_name = "URL")]
    urls: Vec<String>,
    /// Directory of the corpus; made if it is not there
    #[arg(long, value_name = "DIR", value_parser = output_file::directory_parser())]
    corpus: PathBuf,
    /// What may be fetched: the hosts of the URLs, their sites (registered domains), or what begins like a URL
    #[arg(long, value_name = "host|site|prefix", default_value_t = defaults::SCOPE)]
    scope: Scope,
    /// Most links between a given URL and a page [default: no limit]
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Most pages, those of earlier runs included [default: no limit]
    #[arg(long, value_name = "N")]
    pages: Option<u64>,
    /// Which URL comes next: those like others that brought new content, or by depth
    #[arg(long, value_name = "learned|breadth", default_value_t = defaults::ORDER)]
    order: Order,
    #[command(flatten)]
    manners: Manners,
    #[command(flatten)]
    stop: StopFlags,
    /// Least fuzzy-hash score of near duplicates, 1 to 100
    #[arg(long, value_name = "N", default_value_t = defaults::SIMILARITY)]
    similarity: u8,
    /// Ask again for pages that were fetched before, with conditional requests
    #[arg(long)]
    again: bool,
    /// Do not read sitemaps
    #[arg(long)]
    no_sitemaps: bool,
    /// Allow addresses of private networks and of this machine
    #[arg(long)]
    allow_private: bool,
    #[command(flatten)]
    convert: ConvertFlags,
    #[command(flatten)]
    resources: Resources,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
    /// No progress
    #[arg(long, short)]
    quiet: bool,
}

/// How servers are treated.
#[derive(clap::Args)]
struct Manners {
    /// Seconds between two requests to a host; robots.txt may ask for more
    #[arg(long, value_name = "SECONDS", default_value_t = defaults::DELAY.as_secs_f64(), value_parser = seconds)]
    delay: f64,
    /// A page about this crawl, named to servers in the user agent
    #[arg(long, value_name = "URL")]
    contact: Option<String>,
    /// Most seconds for a response
    #[arg(long, value_name = "SECONDS", default_value_t = defaults::TIMEOUT.as_secs_f64(), value_parser = some_seconds)]
    timeout: f64,
    /// Repetitions of a request that failed, or that the server asks to repeat later
    #[arg(long, value_name = "N", default_value_t = defaults::RETRIES)]
    retries: u32,
}

/// When it is enough.
#[derive(clap::Args)]
struct StopFlags {
    /// Go on until all URLs are fetched, however little is new
    #[arg(long)]
    no_stop: bool,
    /// How many of the latest pages are looked at to decide whether to stop
    #[arg(long, value_name = "N", default_value_t = defaults::STOP_WINDOW)]
    window: usize,
    /// Stop when the share of new content is below this
    #[arg(long, value_name = "X", default_value_t = defaults::STOP_BOUND)]
    bound: f64,
    /// How sure that has to be
    #[arg(long, value_name = "X", default_value_t = defaults::STOP_CONFIDENCE)]
    confidence: f64,
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok();
    seconds
        .filter(|seconds| (0.0..1e6).contains(seconds))
        .ok_or_else(|| "a number of seconds, such as 0.5".to_owned())
}

/// A time in which something can happen.
pub(crate) fn some_seconds(text: &str) -> Result<f64, String> {
    seconds(text).and_then(|seconds| {
        if seconds > 0.0 {
            Ok(seconds)
        } else {
            Err("more than no time".to_owned())
        }
    })
}

/// Returns the user agent, which names the page about the crawl if there is one.
pub(crate) fn user_agent(contact: Option<&str>) -> String {
    match contact {
        Some(contact) => format!("{} (+{contact})", defaults::USER_AGENT),
        None => defaults::USER_AGENT.to_owned(),
    }
}

/// Returns the limits on a single request.
pub(crate) fn fetch_limits(timeout: f64, retries: u32, limits: RecordLimits) -> FetchLimits {
    FetchLimits {
        body_bytes: limits.body_bytes,
        header_bytes: limits.header_bytes,
        retries,
        ..FetchLimits::within(Duration::from_secs_f64(timeout.max(0.1)))
    }
}

/// Names the flag that sets an option of a crawl.
fn flag_of(option: &str) -> &str {
    match option {
        "user_agent" => "--contact",
        "similarity" => "--similarity",
        "stop.window" => "--window",
        "stop.bound" => "--bound",
        "stop.confidence" => "--confidence",
        "fetch.total" => "--timeout",
        other => other,
    }
}

impl Args {
    fn config(&self, directory: &Path) -> anyhow::Result<CrawlConfig> {
        let Manners {
            delay,
            contact,
            timeout,
            retries,
        } = &self.manners;
        let limits = self
            .resources
            .limit_flags()
            .limits(defaults::LIMITS.body_bytes);
        Ok(CrawlConfig {
            seeds: self.urls.clone(),
            directory: directory.to_owned(),
            scope: self.scope,
            depth_max: self.depth.unwrap_or(u32::MAX),
            pages_max: self.pages.unwrap_or(u64::MAX),
            delay: Duration::from_secs_f64(*delay),
            user_agent: user_agent(contact.as_deref()),
            allow_private: self.allow_private,
            order: self.order,
            stop: StopRule {
                window: self.stop.window,
                bound: self.stop.bound,
                confidence: self.stop.confidence,
                enabled: !self.stop.no_stop,
            },
            similarity: self.similarity,
            again: self.again,
            sitemaps: !self.no_sitemaps,
            fetch: fetch_limits(*timeout, *retries, limits),
            limits,
            converter: self.convert.converter()?,
            append: !is_indexed(&self.corpus, directory)?,
            ..CrawlConfig::default()
        })
    }
}

/// Has the corpus read one of the archives? Then it must not grow: the corpus would take it for another.
fn is_indexed(corpus: &Path, directory: &Path) -> anyhow::Result<bool> {
    if !corpus.join("manifest.json").exists() {
        return Ok(false);
    }
    let corpus = Corpus::open(corpus)?;
    let mut names: HashSet<Vec<u8>> = HashSet::new();
    for segment in corpus.segments() {
        names.extend(
            segment
                .source_names()?
                .iter()
                .map(|name| name.as_bytes().to_vec()),
        );
    }
    let last = reprise_engine::crawl::archives(directory).pop();
    Ok(last.is_some_and(|last| names.contains(name_of(&last).as_bytes())))
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let index = args.resources.config()?;
    let directory = args.corpus.join("crawl");
    let config = args.config(&directory)?;
    let curves = Curves::new(args.quiet || args.json, interrupts()?);
    let summary = crawl(&config, &curves);
    curves.finish();
    let summary = summary.map_err(|error| match error {
        CrawlError::Seed { .. } => Usage(error.to_string()).into(),
        CrawlError::Option { option, expected } => {
            Usage(format!("{} must be {expected}", flag_of(option))).into()
        }
        _ => anyhow::Error::from(error),
    })?;
    if summary.fetched == 0 {
        return Err(nothing(&summary, args.allow_private));
    }
    let names: Vec<String> = summary.archives.iter().map(|path| name_of(path)).collect();
    let to_index = ToIndex {
        names: &names,
        base_url: None,
        wanted: Wanted {
            shingles: !args.corpus.join("manifest.json").exists(),
            ..Wanted::default()
        },
        results: None,
    };
    to_index.into_corpus(&args.corpus, &index, args.quiet)?;
    if args.json {
        println!("{}", serde_json::to_string(&summary)?);
    } else {
        print!("{}", crawl_summary::text(&summary, &args.corpus));
    }
    let is_cut_short =
        (summary.stopped.as_ref()).is_some_and(|end| end.reason == CrawlEndReason::Asked);
    Ok(if is_cut_short {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// Set by the first Ctrl-C, on which the crawl ends in order; the second ends the program.
fn interrupts() -> anyhow::Result<Arc<AtomicBool>> {
    let is_set = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&is_set))?;
        signal_hook::flag::register(signal, Arc::clone(&is_set))?;
    }
    is_set.store(false, Ordering::Relaxed);
    Ok(is_set)
}

/// Why not a single response came.
fn nothing(summary: &CrawlSummary, allow_private: bool) -> anyhow::Error {
    let mut why = Vec::new();
    if summary.refused.address > 0 && !allow_private {
        why.push(
            "the address is of a private network or of this machine (--allow-private allows that)"
                .to_owned(),
        );
    }
    if summary.refused.robots > 0 {
        why.push("robots.txt forbids it, or could not be had".to_owned());
    }
    for problem in &summary.problems {
        let detail = if problem.detail.is_empty() {
            String::new()
        } else {
            format!(": {}", problem.detail)
        };
        why.push(format!("{} at {}{detail}", problem.kind, problem.url));
    }
    if why.is_empty() {
        why.push("there was nothing to fetch".to_owned());
    }
    anyhow::anyhow!("nothing was fetched: {}", why.join("; "))
}
