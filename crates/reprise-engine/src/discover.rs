//! Discovery, labels and stop lists.

use std::fs;
use std::path::Path;

use reprise_chunk::{ChunkSettings, Level, StopRules};
use reprise_discover::{DiscoverOptions, Labeled, category, discover, label, occurrences};
use reprise_ingest::{is_stream, path_of};
use reprise_report::results::{CountBy, Discovery, Problems};
use reprise_store::{
    Format, Labels, LabelsHeader, LabelsWriter, Origin, Progress, RequestedSettings, count_sites,
    merge_labels,
};
use reprise_text::{ChunkForm, Content, normalize};

use crate::archives::PageCopy;
use crate::corpus::Corpus;
use crate::defaults;
use crate::error::Error;
use crate::export::export_file;
use crate::index::IndexOptions;
use crate::resources::Resources;
use crate::result_file::ResultFile;
use crate::temporary::{TemporaryCorpus, temporary_directory};

impl Corpus {
    /// Finds what occurs too often, and writes it as labels if `output` is given. Only Parquet files can be
    /// used as labels; other formats are for reading.
    pub fn discover(
        &self,
        options: &DiscoverOptions,
        output: Option<&ResultFile>,
        progress: &dyn Progress,
    ) -> Result<Discovery, Error> {
        let mut found = match output {
            Some(file) => {
                let header = LabelsHeader::new(
                    self.reader.chunk_settings(),
                    Origin::Discovered,
                    options.stop.min_length,
                );
                write_labels(file, &header, progress, |labels| {
                    self.find(options, Some(labels), progress)
                })?
            }
            None => self.find(options, None, progress)?,
        };
        self.describe_top(&mut found)?;
        let is_by_site = found.labeled == 0 && found.objects > 0 && found.count == CountBy::Sites;
        if is_by_site && count_sites(&self.reader)? <= 1 {
            let note = "The pages are on one site or on none, so that nothing can be on two sites. Count pages instead, or give the files a base URL with a host.";
            found.notes.push(note.to_owned());
        }
        Ok(found)
    }

    fn find(
        &self,
        options: &DiscoverOptions,
        labels: Option<&mut LabelsWriter>,
        progress: &dyn Progress,
    ) -> Result<Discovery, Error> {
        let memory = self.resources.memory_bytes;
        Ok(discover(&self.reader, options, memory, labels, progress)?)
    }

    /// Adds the text, category and pages of the most frequent objects.
    fn describe_top(&self, found: &mut Discovery) -> Result<(), Error> {
        let fingerprints: Vec<_> = found.top.iter().map(|top| top.fingerprint).collect();
        let places = occurrences(&self.reader, found.level, &fingerprints, 3)?;
        for (top, places) in found.top.iter_mut().zip(places) {
            // Every place has the same text. The first archive that can be read gives it.
            let mut text = None;
            let mut reason = "no occurrence can be read back".to_owned();
            for place in &places {
                match PageCopy::read(&self.reader, place.page)? {
                    Ok(page) => {
                        let raw = match found.level {
                            Level::Chunk => {
                                let raw = page.text.get(place.span.clone());
                                raw.unwrap_or_default().to_owned()
                            }
                            Level::File => page.text,
                        };
                        text = Some((page.content.unwrap_or(Content::Other), raw));
                        break;
                    }
                    Err(error) => reason = error.reason,
                }
            }
            match text {
                Some((content, raw)) => {
                    let mut visible = String::new();
                    normalize(content, ChunkForm::Text, &raw, &mut visible);
                    let (kind, why) = category(&raw, &visible);
                    kind.as_str().clone_into(&mut top.category);
                    top.reason = why;
                    top.text = raw;
                }
                None => top.text = format!("(the text cannot be shown: {reason})"),
            }
            top.urls = places.into_iter().map(|place| place.url).collect();
            top.url = top.urls.first().cloned();
        }
        Ok(())
    }

    /// Makes stop rules with a list from a file; see [`StopRules::parse`].
    pub fn stop_rules(&self, min_length: u64, list: Option<&Path>) -> Result<StopRules, Error> {
        stop_rules(min_length, list, self.reader.chunk_settings())
    }
}

/// Makes stop rules with a list from a file; see [`StopRules::parse`].
pub fn stop_rules(
    min_length: u64,
    list: Option<&Path>,
    settings: ChunkSettings,
) -> Result<StopRules, Error> {
    let Some(path) = list else {
        return Ok(StopRules::new(min_length, Vec::new()));
    };
    let bytes = fs::read(path).map_err(Error::reading(path))?;
    StopRules::parse(min_length, &bytes, settings).map_err(|source| Error::StopList {
        path: path.to_owned(),
        source,
    })
}

/// The options of [`label_pages`].
#[derive(Clone, Debug)]
pub struct LabelOptions {
    /// How fingerprints are made. Must equal the settings of the corpora to search.
    pub settings: ChunkSettings,
    /// The name of the source, for example of its owner.
    pub name: String,
    /// The least characters of a chunk.
    pub min_length: u64,
    /// Stop rules instead of `min_length` alone.
    pub stop: Option<StopRules>,
    /// How the pages are read.
    pub index: IndexOptions,
}

impl Default for LabelOptions {
    fn default() -> LabelOptions {
        LabelOptions {
            settings: ChunkSettings::default(),
            name: String::new(),
            min_length: defaults::discover::LABEL_MIN_LENGTH,
            stop: None,
            index: IndexOptions::default(),
        }
    }
}

/// The result of labelling.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LabelSummary {
    /// The number of rows written.
    pub labels: u64,
    /// The number of distinct chunks that became labels.
    pub chunks: u64,
    /// The number of distinct files that became labels.
    pub files: u64,
    /// The number of distinct stop chunks.
    pub stop: u64,
    /// The number of pages.
    pub pages: u64,
    /// The number of label files that were merged.
    pub merged: u64,
    /// The records that were skipped or damaged.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub problems: Problems,
    /// The least characters of a labelled chunk.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub min_length: u64,
}

/// Makes labels of all content of the pages in `inputs`. Label files among the inputs are merged into the
/// result. Only Parquet files can be used as labels; other formats are for reading.
pub fn label_pages(
    inputs: &[String],
    options: &LabelOptions,
    output: &ResultFile,
    resources: Resources,
    progress: &dyn Progress,
) -> Result<LabelSummary, Error> {
    resources.validate()?;
    let is_parquet = output.format == Format::Parquet;
    let default_stop = || StopRules::new(options.min_length, Vec::new());
    let stop = options.stop.clone().unwrap_or_else(default_stop);
    let is_labels = |name: &&String| {
        let path = path_of(name);
        // A pipe can be opened only once.
        !is_stream(&path) && Labels::open(&path).is_ok()
    };
    let (files, pages): (Vec<&String>, Vec<&String>) = inputs.iter().partition(is_labels);
    let scratch = temporary_directory()?;
    let mut parts = files
        .iter()
        .map(|name| Labels::open(&path_of(name)))
        .collect::<Result<Vec<_>, _>>()?;
    if !pages.is_empty() {
        let is_same = |labels: &Labels| labels.check_settings(options.settings);
        parts.iter().try_for_each(is_same)?;
    }
    let mut summary = LabelSummary {
        labels: 0,
        chunks: 0,
        files: 0,
        stop: 0,
        pages: 0,
        merged: files.len() as u64,
        problems: Problems::default(),
        min_length: stop.min_length,
    };
    let is_alone = parts.is_empty() && is_parquet;
    if !pages.is_empty() {
        let pages: Vec<String> = pages.into_iter().cloned().collect();
        let made = scratch.path().join("labels.parquet");
        let target = if is_alone { &output.path } else { &made };
        label_into(
            &pages,
            options,
            &stop,
            target,
            resources,
            progress,
            &mut summary,
        )?;
        if !is_alone {
            parts.push(Labels::open(&made)?);
        }
    }
    if !parts.is_empty() {
        let merged = scratch.path().join("merged.parquet");
        let target = if is_parquet { &output.path } else { &merged };
        summary.labels = merge_labels(&parts, target)?;
        if !is_parquet {
            export_file(target, output, progress)?;
        }
    }
    Ok(summary)
}

/// Indexes pages into a temporary corpus and makes labels of it.
fn label_into(
    pages: &[String],
    options: &LabelOptions,
    stop: &StopRules,
    target: &Path,
    resources: Resources,
    progress: &dyn Progress,
    summary: &mut LabelSummary,
) -> Result<(), Error> {
    let requested = RequestedSettings {
        hash: Some(options.settings.hash),
        chunk: Some(options.settings.chunk),
        shingles: false,
    };
    let indexed = TemporaryCorpus::index(pages, requested, &options.index, resources, progress)?;
    indexed.summary.check_read()?;
    let header = LabelsHeader::new(options.settings, Origin::Informed, stop.min_length);
    let mut writer = LabelsWriter::create(target, &header)?;
    let Labeled {
        chunks,
        files,
        stop,
        ..
    } = label(
        &indexed.corpus.reader,
        &options.name,
        stop,
        resources.memory_bytes,
        &mut writer,
        progress,
    )?;
    summary.labels = writer.finish()?;
    (summary.chunks, summary.files, summary.stop) = (chunks, files, stop);
    summary.pages = indexed.summary.pages;
    summary.problems = indexed.summary.problems;
    Ok(())
}

/// Writes labels in the format of a file. Formats other than Parquet are exported from a
/// temporary label file.
fn write_labels<T>(
    output: &ResultFile,
    header: &LabelsHeader,
    progress: &dyn Progress,
    fill: impl FnOnce(&mut LabelsWriter) -> Result<T, Error>,
) -> Result<T, Error> {
    if output.format == Format::Parquet {
        let mut writer = LabelsWriter::create(&output.path, header)?;
        let filled = fill(&mut writer)?;
        writer.finish()?;
        return Ok(filled);
    }
    let scratch = temporary_directory()?;
    let made = scratch.path().join("labels.parquet");
    let mut writer = LabelsWriter::create(&made, header)?;
    let filled = fill(&mut writer)?;
    writer.finish()?;
    export_file(&made, output, progress)?;
    Ok(filled)
}
