//! Copies archives without the pages that are near-copies of others.
//!
//! [`drop_pages`] reads every source twice (see [`CopyPlan`]): first to find the pages to drop, then to
//! copy the rest. Nothing is written before all sources were found to match the clusters. Memory grows
//! only with the number of pages to drop.

mod clusters;
mod error;
mod outputs;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use reprise_ingest::{
    CopyPlan, InputConfig, Inputs, Place, RecordLimits, Source, is_stream, path_of,
};
use reprise_store::{Aside, Progress, StoreError, Unit};

use crate::defaults;
use crate::directories::CreatedDirectories;
use crate::error::Error;
use crate::index::LimitOptions;
use clusters::{ClusterFile, DropMarks};
use outputs::Outputs;

pub use error::DropError;

/// The options of [`drop_pages`].
#[derive(Clone, Debug)]
pub struct DropOptions {
    /// The clusters, as [`Corpus::near`](crate::Corpus::near) writes them in Parquet.
    pub clusters: PathBuf,
    /// The directory of the copies.
    pub output: PathBuf,
    /// The limits with which the archives were indexed: they decide what is a page.
    pub limits: LimitOptions,
    /// True to write nothing.
    pub dry_run: bool,
}

/// The result of dropping pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DropSummary {
    /// The number of pages in the sources.
    pub pages: u64,
    /// The number of pages that stay.
    pub kept: u64,
    /// The number of pages that were dropped.
    pub dropped: u64,
    /// The number of request and metadata records that were dropped with them.
    pub paired: u64,
    /// The size of the archives.
    pub bytes_in: u64,
    /// The size of the copies.
    pub bytes_out: u64,
    /// The number of pages to drop that are not in the sources.
    pub missing: u64,
    /// The number of archives and tables that were copied.
    pub archives: u64,
    /// The number of plain files, which are not copied.
    pub files: u64,
}

/// Copies the archives in `inputs` without the pages that the clusters say to drop. The inputs are not
/// changed. `dropped.jsonl` in the output directory names the kept page for each dropped one; `kept.txt`
/// lists the plain files that stay.
pub fn drop_pages(
    inputs: &[String],
    options: &DropOptions,
    progress: &dyn Progress,
) -> Result<DropSummary, Error> {
    if let Some(name) = inputs.iter().find(|name| is_stream(&path_of(name))) {
        return Err(Error::ReadOnce { name: name.clone() });
    }
    options.limits.validate(defaults::BODY_BYTES_MAX, "")?;
    let limits = (options.limits).limits(defaults::body_bytes(defaults::MEMORY_BYTES));
    let input_config = InputConfig {
        base_url: None,
        spool_directory: std::env::temp_dir(),
        passed_by: Vec::new(),
        limits,
    };
    let inputs = Inputs::open(inputs, &input_config)?;
    copy_kept(&inputs.sources, options, limits, progress)
}

fn copy_kept(
    sources: &[Source],
    options: &DropOptions,
    limits: RecordLimits,
    progress: &dyn Progress,
) -> Result<DropSummary, Error> {
    let outputs = Outputs::new(sources, &options.output)?;
    let clusters = ClusterFile::open(&options.clusters)?;
    let mut marks = clusters.marks(sources)?;
    let bytes = sources.iter().map(|source| source.bytes).sum();
    progress.begin("reading", bytes, Unit::Bytes);
    let plans = sources
        .par_iter()
        .zip(&mut marks)
        .map(|(source, marks)| plan(source, marks, &limits, progress))
        .collect::<Result<Vec<_>, _>>()?;
    progress.begin("copying", 0, Unit::Bytes);
    let job = Job {
        sources,
        plans: &plans,
        outputs: &outputs,
        limits,
        progress,
    };
    let mut summary = job.summary();
    if options.dry_run {
        summary.bytes_out = job.measure()?;
        summary.missing = clusters.list(sources, &marks, &mut io::sink(), &outputs.dropped)?;
        return Ok(summary);
    }
    let created = CreatedDirectories::create(&options.output)?;
    // Files that were begun are removed before the directory.
    (summary.bytes_out, summary.missing) = job.write(&clusters, &marks)?;
    created.keep();
    Ok(summary)
}

/// Reads a source and finds the pages to drop.
fn plan(
    source: &Source,
    marks: &mut DropMarks,
    limits: &RecordLimits,
    progress: &dyn Progress,
) -> Result<CopyPlan, DropError> {
    let is_file = source.format() == "file";
    let mut is_changed = false;
    let mut told = 0;
    progress.check()?;
    let plan = CopyPlan::new(source, limits, &mut |place: Place, url: &str| {
        if source.is_split() && place.offset > told {
            progress.advance(place.offset - told);
            told = place.offset;
        }
        progress.add_pages(1);
        match marks.get_mut(&(place.offset, place.within)) {
            // The URL of a plain file depends on how it was indexed.
            Some(mark) if is_file || mark.is_of(url) => {
                mark.is_found = true;
                true
            }
            Some(_) => {
                is_changed = true;
                false
            }
            None => false,
        }
    })
    .map_err(|error| DropError::Unreadable {
        name: source.name.clone(),
        source: error,
    })?;
    progress.check()?;
    progress.advance(source.bytes - told.min(source.bytes));
    if is_changed {
        return Err(DropError::Changed {
            name: source.name.clone(),
        });
    }
    Ok(plan)
}

/// Everything that is known before anything is written.
struct Job<'a> {
    sources: &'a [Source],
    plans: &'a [CopyPlan],
    outputs: &'a Outputs,
    limits: RecordLimits,
    progress: &'a dyn Progress,
}

impl Job<'_> {
    fn summary(&self) -> DropSummary {
        let mut stats = DropSummary::default();
        for (index, (source, plan)) in self.sources.iter().zip(self.plans).enumerate() {
            stats.pages += plan.pages;
            stats.dropped += plan.dropped;
            stats.paired += plan.paired;
            stats.kept += plan.pages - plan.dropped;
            if self.outputs.archives[index].is_some() {
                stats.archives += 1;
                stats.bytes_in += source.bytes;
            } else {
                stats.files += 1;
            }
        }
        stats
    }

    /// Writes all files aside, then gives them their names. Returns the bytes written and the rows not found.
    fn write(&self, clusters: &ClusterFile, marks: &[DropMarks]) -> Result<(u64, u64), DropError> {
        let copies = (0..self.sources.len())
            .into_par_iter()
            .filter_map(|index| Some((index, self.outputs.archives[index].as_deref()?)))
            .map(|(index, target)| self.write_copy(index, target))
            .collect::<Result<Vec<_>, _>>()?;
        let bytes = copies.iter().map(|(_, bytes)| bytes).sum();
        let mut asides: Vec<Aside> = copies.into_iter().map(|(aside, _)| aside).collect();
        if let Some(target) = &self.outputs.kept_files {
            let aside = Aside::of(target);
            let list = self.kept_files();
            let wrote = File::create(aside.path())
                .and_then(|mut file| file.write_all(&list).and(file.sync_all()));
            wrote.map_err(DropError::unwritable(target))?;
            asides.push(aside);
        }
        let target = &self.outputs.dropped;
        let aside = Aside::of(target);
        let file = File::create(aside.path()).map_err(DropError::unwritable(target))?;
        let mut file = BufWriter::new(file);
        let missing = clusters.list(self.sources, marks, &mut file, target)?;
        finish(file).map_err(DropError::unwritable(target))?;
        asides.push(aside);
        asides.into_iter().try_for_each(Aside::keep)?;
        Ok((bytes, missing))
    }

    fn write_copy(&self, index: usize, target: &Path) -> Result<(Aside, u64), DropError> {
        let aside = Aside::of(target);
        let file = File::create(aside.path()).map_err(DropError::unwritable(target))?;
        let buffered = BufWriter::with_capacity(256 << 10, file);
        let mut output = Counted::new(buffered, self.progress);
        self.copy(index, &mut output).map_err(|error| match error {
            DropError::Copy { source, .. } if output.has_failed => {
                DropError::unwritable(target)(source)
            }
            error => error,
        })?;
        finish(output.inner).map_err(DropError::unwritable(target))?;
        Ok((aside, output.bytes))
    }

    /// Returns the size that the copies would have.
    fn measure(&self) -> Result<u64, DropError> {
        (0..self.sources.len())
            .into_par_iter()
            .filter(|&index| self.outputs.archives[index].is_some())
            .map(|index| {
                let mut output = Counted::new(io::sink(), self.progress);
                self.copy(index, &mut output)?;
                Ok(output.bytes)
            })
            .sum()
    }

    fn copy(&self, index: usize, output: &mut (dyn Write + Send)) -> Result<(), DropError> {
        let source = &self.sources[index];
        let written = self.plans[index].write(source, &self.limits, output);
        // An output that refuses to go on because of this gives an error of its own.
        self.progress.check()?;
        written.map_err(|error| DropError::Copy {
            name: source.name.clone(),
            source: error,
        })
    }

    /// Returns the paths of the plain files that stay, one per line.
    fn kept_files(&self) -> Vec<u8> {
        self.sources
            .iter()
            .zip(self.plans)
            .filter(|(source, plan)| source.format() == "file" && plan.dropped == 0)
            .filter_map(|(source, _)| source.whole_file())
            .flat_map(|file| [file.as_os_str().as_encoded_bytes(), b"\n"].concat())
            .collect()
    }
}

fn finish(output: BufWriter<File>) -> io::Result<()> {
    output
        .into_inner()
        .map_err(io::IntoInnerError::into_error)?
        .sync_all()
}

/// Counts the bytes that are written, records whether writing failed, and refuses to go on after a
/// cancellation.
struct Counted<'p, W> {
    inner: W,
    progress: &'p dyn Progress,
    bytes: u64,
    has_failed: bool,
}

impl<'p, W: Write> Counted<'p, W> {
    fn new(inner: W, progress: &'p dyn Progress) -> Counted<'p, W> {
        Counted {
            inner,
            progress,
            bytes: 0,
            has_failed: false,
        }
    }
}

impl<W: Write> Write for Counted<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.progress.is_cancelled() {
            return Err(io::Error::other(StoreError::Cancelled));
        }
        let written = self.inner.write(bytes);
        match written {
            Ok(count) => self.bytes += count as u64,
            Err(_) => self.has_failed = true,
        }
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
