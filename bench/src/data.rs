//! The data that is measured: made once, counted slowly, and reused while its sources are the same.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use flate2::bufread::GzDecoder;
use reprise_demo::Role;
use reprise_engine::ingest::{BatchReader, Batches, InputConfig, Inputs, Item};
use serde::{Deserialize, Serialize};

use crate::CorpusChoice;
use crate::indexing::default_limits;
use crate::manual::{self, Manual};
use crate::slow::{ChunkCounts, SlowCount};

/// The version of the data. Increase it when the same sources give other files or counts.
const FORMAT: u32 = 1;
/// The file with the expected counts. It is written last, so the archives are complete if it exists.
const EXPECTED: &str = "expected.json";

/// The seed of the generated web.
const SEED: u64 = 1;
/// The scale of the generated web for measurements: a few hundred megabytes.
const SCALE: usize = 60;
/// The scale of the generated web for a check of the answers.
const SCALE_QUICK: usize = 2;

/// Archives and the expected counts.
pub(crate) struct Data {
    /// The directory of data and corpora.
    pub(crate) directory: PathBuf,
    /// The archives, in the order of [`Expected::files`].
    pub(crate) files: Vec<PathBuf>,
    /// The expected counts.
    pub(crate) expected: Expected,
}

/// The expected counts of the archives.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Expected {
    format: u32,
    /// The identity of the sources.
    key: String,
    /// The name of the corpus in the report.
    pub(crate) name: String,
    /// The archives.
    pub(crate) files: Vec<FileFacts>,
    /// The number of gzip members in all gzip files.
    pub(crate) members: u64,
    /// The inflated bytes of these members.
    pub(crate) member_bytes: u64,
    /// The number of pages to index.
    pub(crate) pages: u64,
    /// The bytes of their decoded bodies.
    pub(crate) body_bytes: u64,
    /// The number of records to skip as crawler traps.
    pub(crate) traps: u64,
    /// True if a program that knows only WARC and plain HTTP reads the same bodies.
    pub(crate) is_plain: bool,
    /// Chunks of the markup form.
    pub(crate) markup: ChunkCounts,
    /// Chunks of the text form.
    pub(crate) text: ChunkCounts,
}

/// One archive.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct FileFacts {
    name: String,
    bytes: u64,
    is_gzip: bool,
}

/// New archives and their counts.
pub(crate) struct Made {
    pub(crate) files: Vec<String>,
    pub(crate) pages: u64,
    pub(crate) body_bytes: u64,
    pub(crate) traps: u64,
    pub(crate) counts: SlowCount,
}

enum Origin {
    Manual(Vec<Manual>),
    Demo(usize),
}

impl Data {
    /// Returns the archives that are gzip files.
    pub(crate) fn gzip_files(&self) -> Vec<&Path> {
        let files = self.files.iter().zip(&self.expected.files);
        let gzip_files = files.filter(|(_, facts)| facts.is_gzip);
        gzip_files.map(|(path, _)| path.as_path()).collect()
    }
}

/// Returns the data for a choice. Reuses the data of an earlier run if possible.
pub(crate) fn prepare(scratch: &Path, choice: CorpusChoice, quick: bool) -> Result<Data> {
    let origin = origin(choice, quick)?;
    let root = scratch.join("bench-data");
    let directory = root.join(origin.directory());
    // Small data is always made again: that is fast, and never out of date.
    let kept = if quick {
        None
    } else {
        reusable(&directory, &origin.key())
    };
    let expected = match kept {
        Some(expected) => expected,
        None => make(&origin, &directory)?,
    };
    let files = expected.files.iter().map(|file| directory.join(&file.name));
    let data = Data {
        directory: root,
        files: files.collect(),
        expected,
    };
    // Read all files once, so that the first step does not wait for the disk.
    for path in &data.files {
        io::copy(&mut open(path)?, &mut io::sink())?;
    }
    Ok(data)
}

fn origin(choice: CorpusChoice, quick: bool) -> Result<Origin> {
    if quick {
        return Ok(Origin::Demo(SCALE_QUICK));
    }
    if choice == CorpusChoice::Demo {
        return Ok(Origin::Demo(SCALE));
    }
    let manuals = manual::find();
    Ok(match (manuals.is_empty(), choice) {
        (false, _) => Origin::Manual(manuals),
        (true, CorpusChoice::Manual) => bail!("no toolchain with an HTML manual is installed"),
        (true, _) => Origin::Demo(SCALE),
    })
}

impl Origin {
    fn directory(&self) -> String {
        match self {
            Origin::Manual(_) => "manual".to_owned(),
            Origin::Demo(scale) => format!("demo-{scale}"),
        }
    }

    fn name(&self) -> String {
        match self {
            Origin::Manual(manuals) => {
                let versions: Vec<_> = manuals
                    .iter()
                    .map(|manual| manual.version.as_str())
                    .collect();
                format!("Rust manual {}", versions.join(" and "))
            }
            Origin::Demo(scale) => format!("demo web, scale {scale}"),
        }
    }

    fn key(&self) -> String {
        match self {
            Origin::Manual(manuals) => {
                let keys: Vec<_> = manuals.iter().map(|manual| manual.key.as_str()).collect();
                format!("manual {}", keys.join(" "))
            }
            // Another version of the program may generate another web.
            Origin::Demo(scale) => {
                format!("demo {} {SEED} {scale}", env!("CARGO_PKG_VERSION"))
            }
        }
    }
}

/// Returns the expected counts of an earlier run if its data is complete and has the same sources.
fn reusable(directory: &Path, key: &str) -> Option<Expected> {
    let bytes = fs::read(directory.join(EXPECTED)).ok()?;
    let expected: Expected = serde_json::from_slice(&bytes).ok()?;
    let is_whole = |file: &FileFacts| {
        fs::metadata(directory.join(&file.name)).is_ok_and(|found| found.len() == file.bytes)
    };
    let is_same = expected.format == FORMAT && expected.key == key;
    (is_same && expected.files.iter().all(is_whole)).then_some(expected)
}

fn make(origin: &Origin, directory: &Path) -> Result<Expected> {
    eprintln!("making and counting the data: {}", origin.name());
    if directory.exists() {
        fs::remove_dir_all(directory)?;
    }
    fs::create_dir_all(directory)
        .with_context(|| format!("cannot create {}", directory.display()))?;
    let made = match origin {
        Origin::Manual(manuals) => manual::write(manuals, directory)?,
        Origin::Demo(scale) => write_demo(*scale, directory)?,
    };
    let mut files = Vec::new();
    let (mut members, mut member_bytes) = (0, 0);
    for name in made.files {
        let path = directory.join(&name);
        let is_gzip = path.extension().is_some_and(|suffix| suffix == "gz");
        if is_gzip {
            count_members(&path, &mut members, &mut member_bytes)
                .with_context(|| format!("cannot inflate {}", path.display()))?;
        }
        let bytes = fs::metadata(&path)?.len();
        files.push(FileFacts {
            name,
            bytes,
            is_gzip,
        });
    }
    let (markup, text) = made.counts.finish();
    let expected = Expected {
        format: FORMAT,
        key: origin.key(),
        name: origin.name(),
        files,
        members,
        member_bytes,
        pages: made.pages,
        body_bytes: made.body_bytes,
        traps: made.traps,
        is_plain: matches!(origin, Origin::Manual(_)),
        markup,
        text,
    };
    fs::write(
        directory.join(EXPECTED),
        serde_json::to_vec_pretty(&expected)?,
    )?;
    Ok(expected)
}

/// Counts members and bytes with an inflater that is not measured.
fn count_members(path: &Path, members: &mut u64, bytes: &mut u64) -> Result<()> {
    let mut input = BufReader::with_capacity(1 << 20, open(path)?);
    while !io::BufRead::fill_buf(&mut input)?.is_empty() {
        *bytes += io::copy(&mut GzDecoder::new(&mut input), &mut io::sink())?;
        *members += 1;
    }
    Ok(())
}

/// Writes the generated web. Its answer key gives all counts except those of chunks. Those are counted on the text
/// that `reprise-ingest` decodes, because the pages have many charsets and encodings.
fn write_demo(scale: usize, directory: &Path) -> Result<Made> {
    let planted = reprise_demo::write_web(&reprise_demo::Config { seed: SEED, scale }, directory)?;
    let names = planted
        .files
        .iter()
        .map(|file| file.to_string_lossy().into_owned());
    let files: Vec<String> = names.collect();
    let is_page = |role| role != Role::Revisit && role != Role::Trap;
    let pages = planted.pages.iter().filter(|page| is_page(page.role));
    Ok(Made {
        counts: count_archives(&files, directory)?,
        files,
        pages: pages.clone().count() as u64,
        body_bytes: pages.map(|page| page.body_bytes).sum(),
        traps: planted.with_role(Role::Trap).count() as u64,
    })
}

fn count_archives(files: &[String], directory: &Path) -> Result<SlowCount> {
    let limits = default_limits();
    let config = InputConfig {
        base_url: None,
        spool_directory: directory.to_owned(),
        passed_by: Vec::new(),
        limits,
    };
    let paths = files
        .iter()
        .map(|file| directory.join(file).to_string_lossy().into_owned());
    let inputs = Inputs::open(&paths.collect::<Vec<_>>(), &config)?;
    let sources: Arc<[_]> = inputs.sources.clone().into();
    let mut batches = Batches::new(Arc::clone(&sources), limits);
    let mut reader = BatchReader::new(sources, limits);
    let mut counts = SlowCount::default();
    while let Some(batch) = batches.next_batch() {
        reader.read(&batch, None, &mut |_, item| {
            if let Item::Page(page) = item
                && let Some((content, text)) = page.text
            {
                counts.page(content, text);
            }
        });
    }
    Ok(counts)
}

fn open(path: &Path) -> Result<File> {
    File::open(path).with_context(|| format!("cannot open {}", path.display()))
}
