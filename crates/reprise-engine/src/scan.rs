//! The main job: archives in, report out.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use reprise_ingest::{Inputs, is_stream, path_of};
use reprise_report::results::Report;
use reprise_store::schema::Pages;
use reprise_store::{CorpusReader, Progress, RequestedSettings};

use crate::corpus::Corpus;
use crate::directories::CreatedDirectories;
use crate::error::Error;
use crate::index::{IndexOptions, IndexSummary};
use crate::report::ReportOptions;
use crate::resources::Resources;

/// The options of [`scan`].
#[derive(Clone, Debug, Default)]
pub struct ScanOptions {
    /// The directory of the corpus. `None` is `corpus` in the directory of the results.
    pub corpus: Option<PathBuf>,
    /// True to add to a corpus that holds other sources.
    pub add: bool,
    /// The options of indexing.
    pub index: IndexOptions,
    /// The options of the report.
    pub report: ReportOptions,
}

/// The result of [`scan`].
#[derive(Clone, Debug)]
pub struct Scan {
    /// The result of indexing.
    pub index: IndexSummary,
    /// The results of the other stages.
    pub report: Report,
    /// The files that were written; the first is the report.
    pub files: Vec<PathBuf>,
}

/// Indexes `inputs`, finds what is copied, and writes the report, the labels and the tables to `directory`.
///
/// A corpus of the same inputs is continued. A corpus that holds other sources is refused unless
/// [`ScanOptions::add`] is true.
pub fn scan(
    inputs: &[String],
    directory: &Path,
    options: &ScanOptions,
    resources: Resources,
    progress: &dyn Progress,
) -> Result<Scan, Error> {
    options.report.check_files()?;
    let created = CreatedDirectories::create(directory)?;
    let path = options.corpus.clone();
    let path = path.unwrap_or_else(|| directory.join("corpus"));
    let created_corpus = CreatedDirectories::create(&path)?;
    let (corpus, index) = index_for_scan(inputs, directory, &path, options, resources, progress)?;
    if let Err(error) = index.check_read() {
        // A corpus of nothing would be in the way of the next scan.
        created_corpus.discard();
        return Err(error);
    }
    created_corpus.keep();
    created.keep();
    let report = corpus.report(&options.report, Some(directory), progress)?;
    let path = directory.join("report.html");
    crate::write_report(&report, &path)?;
    Ok(Scan {
        index,
        files: files(directory, &report, path),
        report,
    })
}

fn index_for_scan(
    inputs: &[String],
    directory: &Path,
    path: &Path,
    options: &ScanOptions,
    resources: Resources,
    progress: &dyn Progress,
) -> Result<(Corpus, IndexSummary), Error> {
    let requested = RequestedSettings {
        // An old corpus without shingles stays without.
        shingles: CorpusReader::open(path).map_or(true, |corpus| corpus.has_shingles()),
        ..RequestedSettings::default()
    };
    let mut index = options.index.clone();
    index.excluded.push(directory.to_owned());
    let check = |corpus: &CorpusReader, inputs: &Inputs| {
        if options.add || corpus.rows::<Pages>() == 0 {
            return Ok(());
        }
        holds_only(corpus, inputs)
    };
    Corpus::index_into_checked(path, requested, inputs, &index, resources, progress, &check)
}

/// Fails if a corpus holds sources that are not among the inputs. Sources that can be read only once may
/// have had other content under the same name.
fn holds_only(corpus: &CorpusReader, inputs: &Inputs) -> Result<(), Error> {
    let names: HashSet<&[u8]> = (inputs.sources.iter())
        .map(|source| source.name.as_bytes())
        .collect();
    for segment in corpus.segments() {
        for name in segment.source_names()?.iter() {
            let is_same =
                names.contains(name) && !is_stream(&path_of(&String::from_utf8_lossy(name)));
            if !is_same {
                return Err(Error::CorpusExists {
                    path: corpus.path().to_owned(),
                    source_name: String::from_utf8_lossy(name).into_owned(),
                });
            }
        }
    }
    Ok(())
}

/// Returns the files that a scan writes.
fn files(directory: &Path, report: &Report, path: PathBuf) -> Vec<PathBuf> {
    let tables = reprise_detect::TABLES.map(|table| format!("{}.parquet", table.name));
    let mut names = vec!["labels.parquet".to_owned()];
    names.extend(tables);
    names.extend(report.near.as_ref().map(|_| "clusters.parquet".to_owned()));
    names.extend(
        report
            .campaigns
            .as_ref()
            .map(|_| "campaigns.parquet".to_owned()),
    );
    let others = names.into_iter().map(|name| directory.join(name));
    [path].into_iter().chain(others).collect()
}

/// One object with the results of all stages.
#[cfg(feature = "serde")]
impl serde::Serialize for Scan {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;

        #[derive(serde::Serialize)]
        struct Written<'s> {
            path: &'s Path,
            files: &'s [PathBuf],
            notes: &'s [String],
        }

        let Report {
            corpus,
            discovery,
            detection,
            near,
            phrases,
            campaigns,
            notes,
            ..
        } = &self.report;
        let written = Written {
            path: &self.files[0],
            files: &self.files,
            notes,
        };
        let mut object = serializer.serialize_map(Some(8))?;
        object.serialize_entry("index", &self.index)?;
        object.serialize_entry("corpus", corpus)?;
        object.serialize_entry("discover", discovery)?;
        object.serialize_entry("detect", detection)?;
        object.serialize_entry("near", near)?;
        object.serialize_entry("phrases", phrases)?;
        object.serialize_entry("campaigns", campaigns)?;
        object.serialize_entry("report", &written)?;
        object.end()
    }
}
