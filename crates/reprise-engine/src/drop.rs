//! Archives without the pages that `near` calls copies of others.
//!
//! [`drop_pages`] reads every source twice (see [`CopyPlan`]): first to find what is to go, then to
//! copy the rest. Nothing is written before all sources have been found to be what the clusters speak
//! of. In memory are the places of the pages to drop, and nothing else that grows with the input.

mod clusters;
mod error;
mod outputs;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use reprise_ingest::{CopyPlan, Inputs, Place, RecordLimits, Source};
use reprise_store::Aside;

use crate::progress::Progress;
use clusters::{Clusters, Marks};
use outputs::Outputs;

pub use error::DropError;

/// What is dropped, and where the rest goes.
#[derive(Clone, Debug)]
pub struct DropConfig {
    /// The table that `near` wrote.
    pub clusters: PathBuf,
    /// Directory of the copies.
    pub output: PathBuf,
    /// As the corpus was indexed: they decide what is a page.
    pub limits: RecordLimits,
    /// Write nothing; everything else is done.
    pub is_dry_run: bool,
}

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DropStats {
    /// Pages in the sources.
    pub pages: u64,
    /// Pages that were left out.
    pub dropped: u64,
    /// Requests and metadata that were left out with them.
    pub paired: u64,
    /// Rows to drop whose pages are not in the sources.
    pub missing: u64,
    /// Archives and tables that were copied.
    pub archives: u64,
    /// Their size.
    pub bytes_in: u64,
    /// The size of their copies.
    pub bytes_out: u64,
    /// Plain files, which are not copied.
    pub files: u64,
}

impl DropStats {
    /// Pages that stay.
    pub fn kept(&self) -> u64 {
        self.pages - self.dropped
    }
}

/// Copies the sources without the pages that the clusters say to drop.
pub fn drop_pages(
    inputs: &Inputs,
    config: &DropConfig,
    progress: &dyn Progress,
) -> Result<DropStats, DropError> {
    let sources = &inputs.sources;
    let outputs = Outputs::new(sources, &config.output)?;
    let clusters = Clusters::open(&config.clusters)?;
    let mut marks = clusters.marks(sources)?;
    progress.begin(sources.iter().map(|source| source.bytes).sum());
    let plans = sources
        .par_iter()
        .zip(&mut marks)
        .map(|(source, marks)| plan(source, marks, &config.limits, progress))
        .collect::<Result<Vec<_>, _>>()?;
    progress.phase("copying");
    let job = Job {
        sources,
        plans: &plans,
        outputs: &outputs,
        config,
    };
    let mut stats = job.stats();
    if config.is_dry_run {
        stats.bytes_out = job.measure()?;
        stats.missing = clusters.list(sources, &marks, &mut io::sink(), &outputs.dropped)?;
        return Ok(stats);
    }
    let made = outputs.make_directory()?;
    let written = job.write(&clusters, &marks);
    if written.is_err() && made {
        // Whatever was begun is gone; so is the directory, if it was made for it.
        let _ = std::fs::remove_dir(&config.output);
    }
    (stats.bytes_out, stats.missing) = written?;
    Ok(stats)
}

/// Reads a source, and finds in it the pages that are to go.
fn plan(
    source: &Source,
    marks: &mut Marks,
    limits: &RecordLimits,
    progress: &dyn Progress,
) -> Result<CopyPlan, DropError> {
    let is_file = source.format() == "file";
    let mut is_changed = false;
    let mut told = 0;
    let plan = CopyPlan::new(source, limits, &mut |place: Place, url: &str| {
        if source.is_split() && place.offset > told {
            progress.advance(place.offset - told, 0);
            told = place.offset;
        }
        progress.advance(0, 1);
        match marks.get_mut(&(place.offset, place.within)) {
            // The URL of a plain file is what --base-url made of it.
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
    progress.advance(source.bytes - told.min(source.bytes), 0);
    if is_changed {
        return Err(DropError::Changed {
            name: source.name.clone(),
        });
    }
    Ok(plan)
}

/// All that is known before anything is written.
struct Job<'a> {
    sources: &'a [Source],
    plans: &'a [CopyPlan],
    outputs: &'a Outputs,
    config: &'a DropConfig,
}

impl Job<'_> {
    fn stats(&self) -> DropStats {
        let mut stats = DropStats::default();
        for (index, (source, plan)) in self.sources.iter().zip(self.plans).enumerate() {
            stats.pages += plan.pages;
            stats.dropped += plan.dropped;
            stats.paired += plan.paired;
            if self.outputs.archives[index].is_some() {
                stats.archives += 1;
                stats.bytes_in += source.bytes;
            } else {
                stats.files += 1;
            }
        }
        stats
    }

    /// Writes everything aside, then gives it its names. Returns bytes written and rows not found.
    fn write(&self, clusters: &Clusters, marks: &[Marks]) -> Result<(u64, u64), DropError> {
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
        let mut output = Counted::new(BufWriter::with_capacity(256 << 10, file));
        self.copy(index, &mut output).map_err(|error| match error {
            DropError::Copy { source, .. } if output.has_failed => {
                DropError::unwritable(target)(source)
            }
            error => error,
        })?;
        finish(output.inner).map_err(DropError::unwritable(target))?;
        Ok((aside, output.bytes))
    }

    /// How large the copies would be.
    fn measure(&self) -> Result<u64, DropError> {
        (0..self.sources.len())
            .into_par_iter()
            .filter(|&index| self.outputs.archives[index].is_some())
            .map(|index| {
                let mut output = Counted::new(io::sink());
                self.copy(index, &mut output)?;
                Ok(output.bytes)
            })
            .sum()
    }

    fn copy(&self, index: usize, output: &mut (dyn Write + Send)) -> Result<(), DropError> {
        let source = &self.sources[index];
        self.plans[index]
            .write(source, &self.config.limits, output)
            .map_err(|error| DropError::Copy {
                name: source.name.clone(),
                source: error,
            })
    }

    /// The plain files that stay, one a line: paths, byte for byte as they are.
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

/// Counts what is written, and knows whether that failed.
struct Counted<W> {
    inner: W,
    bytes: u64,
    has_failed: bool,
}

impl<W: Write> Counted<W> {
    fn new(inner: W) -> Counted<W> {
        Counted {
            inner,
            bytes: 0,
            has_failed: false,
        }
    }
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
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
