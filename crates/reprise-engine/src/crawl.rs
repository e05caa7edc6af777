//! Crawls sites into a corpus.

use std::collections::HashSet;
use std::path::Path;

use reprise_crawl::{CrawlConfig, Observer, archives, crawl};
use reprise_ingest::name_of;
use reprise_report::results::CrawlSummary;
use reprise_store::{CorpusReader, Progress, RequestedSettings};

use crate::corpus::{Corpus, holds_corpus};
use crate::directories::CreatedDirectories;
use crate::error::Error;
use crate::index::{IndexOptions, IndexSummary};
use crate::resources::Resources;

/// The result of [`crawl_into`].
#[derive(Clone, Debug)]
pub struct Crawled {
    /// The result of the crawl.
    pub summary: CrawlSummary,
    /// The result of indexing its archives.
    pub index: IndexSummary,
}

/// Crawls into the directory of a corpus, which need not exist, and indexes what was fetched.
///
/// The archives are in `crawl` inside the directory, and `config` does not choose them. An archive that
/// the corpus has read is never written to again: the corpus would take it for another one.
pub fn crawl_into(
    directory: &Path,
    config: CrawlConfig,
    options: &IndexOptions,
    resources: Resources,
    observer: &dyn Observer,
    progress: &dyn Progress,
) -> Result<Crawled, Error> {
    options.config(&resources)?;
    let is_new = !holds_corpus(directory);
    let crawl_directory = directory.join("crawl");
    let config = CrawlConfig {
        append: is_new || !has_read_last(directory, &crawl_directory)?,
        directory: crawl_directory,
        ..config
    };
    let created = CreatedDirectories::create(directory)?;
    let summary = crawl(&config, observer)?;
    if summary.fetched == 0 {
        created.discard();
        return Err(Error::NothingFetched {
            summary: Box::new(summary),
        });
    }
    created.keep();
    let names: Vec<String> = summary.archives.iter().map(|path| name_of(path)).collect();
    let requested = RequestedSettings {
        shingles: is_new,
        ..RequestedSettings::default()
    };
    let (_, index) =
        Corpus::index_into(directory, requested, &names, options, resources, progress)?;
    Ok(Crawled { summary, index })
}

/// Returns true if the corpus has read the last archive of a crawl.
fn has_read_last(corpus: &Path, crawl_directory: &Path) -> Result<bool, Error> {
    let Some(last) = archives(crawl_directory).pop() else {
        return Ok(false);
    };
    let mut names: HashSet<Vec<u8>> = HashSet::new();
    for segment in CorpusReader::open(corpus)?.segments() {
        let read = segment.source_names()?;
        names.extend(read.iter().map(<[u8]>::to_vec));
    }
    Ok(names.contains(name_of(&last).as_bytes()))
}

/// Returns why a crawl fetched nothing.
pub(crate) fn reasons(summary: &CrawlSummary) -> String {
    if summary.refused.address > 0 {
        return "the address is in a private network, or is this machine".to_owned();
    }
    let mut reasons = Vec::new();
    if summary.refused.robots > 0 && summary.problems.is_empty() {
        reasons.push("robots.txt forbids it or cannot be fetched".to_owned());
    }
    for problem in &summary.problems {
        let mut reason = format!("{} at {}", problem.kind.replace('_', " "), problem.url);
        if !problem.detail.is_empty() {
            reason += ": ";
            reason += &problem.detail;
        }
        reasons.push(reason);
    }
    if reasons.is_empty() {
        reasons.push("there was nothing to fetch".to_owned());
    }
    reasons.join("; ")
}
