//! Everything that is copied in a corpus, as one report.

mod campaigns;
#[cfg(feature = "serde")]
mod crawl;

use std::fs::File;
use std::path::{Path, PathBuf};

use reprise_detect::DetectOptions;
use reprise_discover::{DiscoverOptions, Threshold};
use reprise_near::Near;
use reprise_near::phrases::PhraseOptions;
use reprise_report::results::{
    CountBy, CrawlSummary, Detection, Discovery, NearCopies, PhraseFindings, Report,
};
use reprise_store::{Format, Labels, Origin, Progress};

pub use campaigns::CampaignOptions;

use crate::corpus::Corpus;
use crate::defaults;
use crate::detect::{check_options, check_origin};
use crate::error::Error;
use crate::near::NearOptions;
use crate::result_file::ResultFile;
use crate::temporary::temporary_directory;

/// The file of the labels that are discovered.
const LABELS: &str = "labels.parquet";

/// The options of [`Corpus::report`].
#[derive(Clone, Debug)]
pub struct ReportOptions {
    /// Labels to look for, instead of those that are discovered.
    pub labels: Option<PathBuf>,
    /// The count that discovery uses.
    pub count: CountBy,
    /// From which count on a chunk is labelled.
    pub threshold: Threshold,
    /// The least characters of a chunk. `None` is [`defaults::REPORT_MIN_LENGTH`], or the length that
    /// `labels` were made with.
    pub min_length: Option<u64>,
    /// A file of chunks that do not count; see [`StopRules::parse`](reprise_chunk::StopRules::parse).
    pub stop_list: Option<PathBuf>,
    /// The options of detection. Its stop rules follow from the options above.
    pub detect: DetectOptions,
    /// The search for campaigns.
    pub campaigns: CampaignOptions,
}

impl Default for ReportOptions {
    fn default() -> ReportOptions {
        ReportOptions {
            labels: None,
            count: CountBy::Sites,
            threshold: defaults::discover::THRESHOLD,
            min_length: None,
            stop_list: None,
            detect: DetectOptions {
                top: defaults::REPORT_TOP_PAGES,
                ..DetectOptions::default()
            },
            campaigns: CampaignOptions::default(),
        }
    }
}

impl ReportOptions {
    /// Fails if an option is out of range, or if a file that the report needs cannot be used: before work
    /// that may take hours. Returns the labels.
    pub(crate) fn check_files(&self) -> Result<Option<Labels>, Error> {
        check_options(&self.detect)?;
        let labels = self.labels.as_deref().map(Labels::open).transpose()?;
        let origin = labels.as_ref().map(|labels| labels.header().origin);
        let path = self.labels.as_deref().unwrap_or(Path::new(LABELS));
        check_origin(&self.detect, origin.unwrap_or(Origin::Discovered), path)?;
        if let Some(path) = &self.stop_list {
            File::open(path).map_err(Error::reading(path))?;
        }
        if let Some(files) = &self.campaigns.files {
            files.read(&self.campaigns.signing)?;
        }
        Ok(labels)
    }
}

impl Corpus {
    /// Runs all stages and gathers their results.
    ///
    /// If `directory` is given, the labels and the tables of all stages are written there as Parquet.
    /// [`render`](crate::render) makes an HTML page of the result.
    pub fn report(
        &self,
        options: &ReportOptions,
        directory: Option<&Path>,
        progress: &dyn Progress,
    ) -> Result<Report, Error> {
        let (discovery, detection) = self.find_copies(options, directory, progress)?;
        let (mut near, mut phrases) = (None, None);
        if self.reader.has_shingles() {
            let (found, findings) = self.find_likeness(directory, progress)?;
            (near, phrases) = (Some(found), Some(findings));
        }
        let campaigns = self.find_campaigns(&options.campaigns, directory, progress)?;
        let mut notes = discovery.notes.clone();
        // If nothing was discovered, detection had nothing to look for.
        if options.labels.is_some() || discovery.labeled > 0 {
            notes.extend_from_slice(&detection.notes);
        }
        let crawl = self.crawl_summary(&mut notes);
        Ok(Report {
            title: title(self.path()),
            corpus: self.info(progress)?,
            discovery,
            detection,
            near,
            phrases,
            campaigns,
            crawl,
            notes,
        })
    }

    /// Discovers labels, and detects them or the given ones.
    fn find_copies(
        &self,
        options: &ReportOptions,
        directory: Option<&Path>,
        progress: &dyn Progress,
    ) -> Result<(Discovery, Detection), Error> {
        let list = options.stop_list.as_deref();
        let min_length = options.min_length.unwrap_or(defaults::REPORT_MIN_LENGTH);
        let given = options.check_files()?;
        if let Some(labels) = &given {
            labels.check_settings(self.reader.chunk_settings())?;
        }
        let discover = DiscoverOptions {
            count: options.count,
            threshold: options.threshold,
            stop: self.stop_rules(min_length, list)?,
            top: defaults::REPORT_TOP_CHUNKS,
            ..DiscoverOptions::default()
        };
        let scratch = temporary_directory()?;
        let path = directory.unwrap_or(scratch.path()).join(LABELS);
        let file = ResultFile::parquet(&path);
        let discovery = self.discover(&discover, Some(&file), progress)?;
        let (labels, stop) = match given {
            None => (Labels::open(&path)?, discover.stop),
            Some(labels) => {
                let min_length = options.min_length.unwrap_or(labels.header().min_length);
                (labels, self.stop_rules(min_length, list)?)
            }
        };
        let detect = DetectOptions {
            stop: Some(stop),
            ..options.detect.clone()
        };
        let tables = directory.map(|directory| (directory, Format::Parquet));
        let detection = self.detect(&labels, &detect, tables, progress)?;
        Ok((discovery, detection))
    }

    /// Finds near-copies and popular phrases.
    fn find_likeness(
        &self,
        directory: Option<&Path>,
        progress: &dyn Progress,
    ) -> Result<(NearCopies, PhraseFindings), Error> {
        let output = directory.map(|path| ResultFile::parquet(&path.join("clusters.parquet")));
        let options = NearOptions::default();
        let found = self.near(&Near::default(), &options, output.as_ref(), progress)?;
        let phrases = PhraseOptions {
            top: defaults::REPORT_TOP_PHRASES,
            ..PhraseOptions::default()
        };
        Ok((found.copies, self.phrase_findings(phrases, progress)?))
    }

    /// Returns the summary of the crawl that the corpus was made from.
    #[cfg(feature = "serde")]
    fn crawl_summary(&self, notes: &mut Vec<String>) -> Option<CrawlSummary> {
        crawl::read_crawl(self.path()).unwrap_or_else(|error| {
            notes.push(format!(
                "The summary of the crawl cannot be read, so this report does not describe the crawl ({error})."
            ));
            None
        })
    }

    #[cfg(not(feature = "serde"))]
    #[expect(clippy::unused_self, reason = "the signature with the feature")]
    fn crawl_summary(&self, _notes: &mut [String]) -> Option<CrawlSummary> {
        None
    }
}

/// Returns the name of the corpus, or of the directory around it if its own name is `corpus`.
fn title(path: &Path) -> String {
    let parts: Vec<_> = path.iter().rev().take(2).collect();
    let name = match parts.as_slice() {
        [last, around] if *last == "corpus" => around,
        [last, ..] => last,
        [] => path.as_os_str(),
    };
    name.to_string_lossy().into_owned()
}
