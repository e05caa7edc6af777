//! What a report shows: plain values, filled by the caller.

mod campaigns;
mod near;
mod phrases;

use std::ops::Range;

#[cfg(feature = "serde")]
use serde::Serialize;

use crate::results::CrawlSummary;
pub use campaigns::{Campaign, CampaignDocument, Campaigns};
pub use near::{NearCluster, NearCopies, NearPage};
pub use phrases::{CoverPoint, Monster, MonsterExample, PhraseFindings, PhraseRow, SitePoint};

/// All that a report says about one corpus.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Report {
    /// The headline.
    pub title: String,
    /// What was read.
    pub corpus: CorpusFacts,
    /// What occurs often enough to count as copied.
    pub discovery: Discovery,
    /// Where that was found.
    pub detection: Detection,
    /// Pages that are nearly the same; none if the corpus has no shingles.
    pub near: Option<NearCopies>,
    /// Phrases that many pages share; none if the corpus has no shingles.
    pub phrases: Option<PhraseFindings>,
    /// Campaigns by signature; none if these were not looked for.
    pub campaigns: Option<Campaigns>,
    /// How the corpus was crawled; none if it was not crawled by `reprise crawl`.
    pub crawl: Option<CrawlSummary>,
    /// Plain sentences: why nothing was found, which settings were used.
    pub notes: Vec<String>,
}

/// What a corpus holds and how it was made.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct CorpusFacts {
    /// Its directory.
    pub path: String,
    /// Pages in it.
    pub pages: u64,
    /// Chunks of all pages, repeats counted.
    pub chunks: u64,
    /// Chunks that differ from each other.
    pub distinct_chunks: u64,
    /// Sites that the pages are from.
    pub sites: u64,
    /// Segments on disk.
    pub segments: u64,
    /// Bytes of the files that were read.
    pub bytes_in: u64,
    /// Bytes of the decoded bodies.
    pub bytes_body: u64,
    /// The hash behind the fingerprints.
    pub hash: String,
    /// The form of the chunks: `markup` or `text`.
    pub chunk: String,
    /// What was not read, by kind.
    pub skipped: Vec<Skipped>,
}

/// One kind of record that was not read.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Skipped {
    /// Its name in the JSON output.
    pub kind: String,
    /// The same in words.
    pub meaning: String,
    /// How many there were.
    pub count: u64,
    /// One of them.
    pub example: String,
}

/// What occurs often in the corpus.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Discovery {
    /// What was counted: `chunk` or `file`.
    pub level: String,
    /// By what: `occurrences`, `pages` or `sites`.
    pub count: String,
    /// An object with a count above this is a label.
    pub threshold: u64,
    /// Whether the threshold was chosen from the data.
    pub is_auto: bool,
    /// Objects in the corpus, repeats counted.
    pub objects: u64,
    /// Objects that differ from each other.
    pub distinct: u64,
    /// Objects that became labels.
    pub labeled: u64,
    /// Stop chunks: left out whatever their count.
    pub stop: u64,
    /// A count, and how many distinct objects have it; ascending.
    pub frequency: Vec<(u64, u64)>,
    /// The labels worth looking at first.
    pub top: Vec<TopObject>,
}

/// One chunk or file that occurs often.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct TopObject {
    /// In hexadecimal.
    pub fingerprint: String,
    /// How often it occurs.
    pub occurrences: u64,
    /// On how many pages.
    pub pages: u64,
    /// On how many sites.
    pub sites: u64,
    /// Characters of its normal form.
    pub chars: u64,
    /// What it seems to be, in a word or two.
    pub category: String,
    /// Why it seems so.
    pub reason: String,
    /// Its text, as a page wrote it.
    pub text: String,
    /// Some of the pages that have it.
    pub urls: Vec<String>,
}

/// Where the labels were found.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Detection {
    /// Labels that were looked for.
    pub labels: u64,
    /// Labels that were found at least once.
    pub labels_seen: u64,
    /// Chunks of the corpus that are labels, repeats counted.
    pub matched_chunks: u64,
    /// Whole files that are labels.
    pub matched_files: u64,
    /// How badness is computed: `mean` or `pooled`.
    pub badness: String,
    /// Page by page.
    pub pages: PageResults,
    /// Neighbourhood by neighbourhood.
    pub neighborhoods: NeighborhoodResults,
    /// Which site has chunks of which.
    pub copying: Vec<SitePair>,
}

/// How much of each page is copied.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct PageResults {
    /// Pages in the corpus.
    pub total: u64,
    /// Pages with at least one chunk left once stop chunks are removed.
    pub counted: u64,
    /// Pages with at least one chunk that is a label.
    pub matched: u64,
    /// Mean of contains.
    pub mean: f64,
    /// Standard deviation of contains.
    pub stddev: f64,
    /// A page with a contains above this is a target.
    pub threshold: f64,
    /// Pages above the threshold.
    pub targets: u64,
    /// Pages by contains, in equal steps from 0 to 1 (20 of them); the last includes 1.
    pub histogram: Vec<u64>,
    /// The pages with the highest contains.
    pub top: Vec<PageResult>,
}

/// One page that stands out.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct PageResult {
    /// Its address.
    pub url: String,
    /// Share of its chunks that are labels.
    pub contains: f64,
    /// Its chunks that are labels.
    pub matched: u64,
    /// Its chunks.
    pub chunks: u64,
    /// The page it has most in common with.
    pub source_url: Option<String>,
    /// The site of that page.
    pub source_site: Option<String>,
    /// When this page was fetched: an ISO date.
    pub fetched: Option<String>,
    /// When the source was fetched: an ISO date.
    pub source_fetched: Option<String>,
    /// Which of the two was fetched first: `source` or `copy`.
    pub older: Option<String>,
}

/// How much is copied below each URL prefix.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct NeighborhoodResults {
    /// Neighbourhoods in the corpus.
    pub total: u64,
    /// Mean of badness.
    pub mean: f64,
    /// Standard deviation of badness.
    pub stddev: f64,
    /// A neighbourhood with a badness above this is bad.
    pub threshold: f64,
    /// Neighbourhoods above the threshold.
    pub bad: u64,
    /// Neighbourhoods by badness, in equal steps from 0 to 1 (20 of them); the last includes 1.
    pub histogram: Vec<u64>,
    /// The neighbourhoods, worst first.
    pub tree: Vec<Neighborhood>,
}

/// All pages below one URL prefix.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Neighborhood {
    /// The prefix, from the host on.
    pub prefix: String,
    /// Pages below it.
    pub pages: u64,
    /// How much of them is copied, from 0 to 1.
    pub badness: f64,
    /// Chunks of these pages that are labels.
    pub matched: u64,
    /// Chunks of these pages.
    pub chunks: u64,
    /// Whether its badness is above the threshold.
    pub is_bad: bool,
    /// The neighbourhoods one directory below.
    pub children: Vec<Neighborhood>,
}

/// How much one site has of another.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct SitePair {
    /// The site that has the chunks too.
    pub copier: String,
    /// The site they are from.
    pub source: String,
    /// Chunks they share.
    pub chunks: u64,
    /// Pages of the copier that have them.
    pub pages: u64,
}

/// Two texts and what they share.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Explanation {
    /// The headline.
    pub title: String,
    /// The page in question.
    pub left: Side,
    /// What it is compared with.
    pub right: Side,
    /// The spans that are the same; in any order, repeats allowed.
    pub matches: Vec<Match>,
    /// The result in a sentence or two.
    pub summary: String,
}

/// One of the two texts.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Side {
    /// A URL, or the name of a label.
    pub name: String,
    /// What is known about it: a name and a value each.
    pub facts: Vec<(String, String)>,
    /// The source text, as the page wrote it.
    pub text: String,
}

/// A span of either text with the same normal form.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Match {
    /// Bytes of the left text.
    pub left: Range<usize>,
    /// Bytes of the right text.
    pub right: Range<usize>,
    /// In hexadecimal; the same for all spans with this content.
    pub fingerprint: String,
}
