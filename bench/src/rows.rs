//! Measures `discover` and `detect` on many generated rows, and compares with DuckDB on the same Parquet files.
//!
//! ```text
//! rows (made once) --> discover, detect, and DuckDB for both, each in its own process --> report
//! ```
//! `probe` is only the matching of `detect`: it looks up every fingerprint in the labels. Half of the fingerprints of a
//! segment come from a pool that all segments share. The answers are right if both programs count the same.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use clap::Args;
use reprise_engine::results::{Badness, CountBy};
use reprise_engine::store::schema::Fingerprints;
use reprise_engine::store::{
    ChunkRow, CorpusWriter, LabelsHeader, LabelsWriter, NewFingerprint, Origin, PageBatch, PageRow,
    SegmentBuilder, SegmentFacts, SourceRow,
};
use reprise_engine::{
    ChunkSettings, Corpus, DetectOptions, DiscoverOptions, Fingerprint, Label, Labels, Level,
    RequestedSettings, Resources, ShareThreshold, StopRules, Threshold,
};
use serde::{Deserialize, Serialize};

use crate::measure::{self, Meter, Outcome};
use crate::peers;

/// Measures discover and detect on generated rows.
#[derive(Args)]
#[expect(clippy::struct_field_names, reason = "the fields are the flags")]
pub(crate) struct Rows {
    /// The number of rows of the fingerprint tables of all segments.
    #[arg(long, default_value_t = 100_000_000)]
    rows: u64,
    /// The number of labels.
    #[arg(long, default_value_t = 10_000_000)]
    labels: u64,
    /// The memory limit of both programs, in MiB.
    #[arg(long, default_value_t = 1024)]
    memory: usize,
    /// The directory for the rows.
    #[arg(long, value_name = "DIR", default_value_os_t = crate::default_scratch())]
    scratch: PathBuf,
    /// Do not run DuckDB.
    #[arg(long)]
    no_peers: bool,
}

/// A step, which runs in its own process.
#[derive(Args)]
pub(crate) struct RowsStep {
    /// `discover`, `detect` or `probe`.
    what: String,
    corpus: PathBuf,
    labels: PathBuf,
    memory_bytes: usize,
}

/// The counts of a step.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RowsAnswer {
    /// The number of distinct fingerprints, or of pages.
    total: u64,
    /// The number of labelled fingerprints, or of labelled chunks.
    found: u64,
}

/// The number of rows of a segment.
const SEGMENT_ROWS: u64 = 5_000_000;
/// The number of chunks of a page.
const PAGE_CHUNKS: u64 = 20;
/// The threshold of `discover`: chunks with more occurrences become labels.
const THRESHOLD: u64 = 12;

/// Returns a fingerprint for a number. Fingerprints are as random as hashes.
fn fingerprint(number: u64) -> Fingerprint {
    let mut bytes = [0; 20];
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for part in bytes.chunks_mut(8) {
        state = mix(state.wrapping_add(0x9e37_79b9_7f4a_7c15));
        part.copy_from_slice(&state.to_be_bytes()[..part.len()]);
    }
    Fingerprint::from_bytes(bytes)
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Rows {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let directory = self.scratch.join("bench-data");
        let corpus = directory.join(format!("rows-{}", self.rows));
        let labels = directory.join(format!("labels-{}-of-{}.parquet", self.labels, self.rows));
        fs::create_dir_all(&directory)?;
        if !corpus.join("whole").exists() {
            eprintln!("generating {} rows (only once)", self.rows);
            write_corpus(&corpus, self.rows)?;
            fs::write(corpus.join("whole"), "")?;
        }
        if !labels.exists() {
            write_labels(&labels, self.labels, self.rows)?;
        }
        let rows = self.rows as f64;
        println!(
            "rows         {} in the fingerprint tables, {} labels, memory limit {} MiB",
            self.rows, self.labels, self.memory
        );
        println!(
            "{:<22} {:>14} {:>12} {:>10} {:>10}",
            "step", "M rows/CPU s", "M rows/s", "CPU s", "peak MB"
        );
        let mut is_right = true;
        // DuckDB counts matches but not pages for `detect`, so its time is compared with that of `probe`.
        let mut matching = None;
        for what in ["discover", "detect", "probe"] {
            let own: Outcome<RowsAnswer> = measure::run(
                Command::new(std::env::current_exe()?)
                    .args(["step-rows", what])
                    .args([&corpus, &labels])
                    .arg((self.memory << 20).to_string()),
            )?;
            print_row(&format!("{what}, reprise"), rows, &own);
            if let Some(seconds) = matching.filter(|_| what == "probe") {
                print_ratio(what, seconds, own.usage.cpu_seconds);
            }
            if self.no_peers || what == "probe" {
                continue;
            }
            let Some(peer) = self.peer(what, &corpus, &labels) else {
                continue;
            };
            print_row(&format!("{what}, DuckDB"), rows, &peer);
            if what == "detect" {
                matching = Some(peer.usage.cpu_seconds);
            } else {
                print_ratio(what, peer.usage.cpu_seconds, own.usage.cpu_seconds);
            }
            if own.answer != peer.answer {
                println!(
                    "answers      differ: {:?} and {:?}",
                    own.answer, peer.answer
                );
                is_right = false;
            }
        }
        Ok(measure::verdict(is_right))
    }

    fn peer(&self, what: &str, corpus: &Path, labels: &Path) -> Option<Outcome<RowsAnswer>> {
        let python = peers::python(&self.scratch)?;
        let mut command = Command::new(python);
        command
            .arg(peers::peers_directory().join("rows.py"))
            .arg(what)
            .args([corpus, labels])
            .args([self.memory.to_string(), THRESHOLD.to_string()]);
        measure::run(&mut command)
            .inspect_err(|error| eprintln!("DuckDB is left out: {error:#}"))
            .ok()
    }
}

fn print_ratio(what: &str, peer_seconds: f64, own_seconds: f64) {
    println!(
        "{what:<22} {:.1} times as many rows per CPU second as DuckDB",
        peer_seconds / own_seconds
    );
}

fn print_row(name: &str, rows: f64, outcome: &Outcome<RowsAnswer>) {
    let usage = outcome.usage;
    println!(
        "{name:<22} {:>14.1} {:>12.1} {:>10.1} {:>10}",
        rows / usage.cpu_seconds / 1e6,
        rows / usage.wall_seconds / 1e6,
        usage.cpu_seconds,
        usage.peak_bytes / 1_000_000,
    );
}

/// Returns the number of a fingerprint: from the pool that all segments share, or only in this segment.
fn number(segment: u64, at: u64, rows: u64) -> u64 {
    let pool = (rows / 10).max(1);
    if at.is_multiple_of(2) {
        mix(segment << 40 | at) % pool
    } else {
        1 << 50 | segment << 32 | at
    }
}

fn write_corpus(path: &Path, rows: u64) -> Result<()> {
    if path.exists() {
        fs::remove_dir_all(path)?;
    }
    let mut corpus = CorpusWriter::open(path, RequestedSettings::default())?;
    for segment in 0..rows.div_ceil(SEGMENT_ROWS) {
        let mut builder = SegmentBuilder::new();
        builder.add_source(SourceRow {
            name: format!("generated-{segment}"),
            format: "warc".to_owned(),
            bytes: 0,
            identity: fingerprint(segment),
            start: 0,
            end: 0,
            is_done: true,
        });
        let wanted = SEGMENT_ROWS.min(rows - segment * SEGMENT_ROWS);
        let mut at = 0;
        // The pool repeats numbers, so there are a few more chunks than rows.
        while builder.distinct_count() < wanted {
            builder.append(&page(segment, at, rows));
            at += PAGE_CHUNKS;
        }
        corpus.add_segment(&builder, SegmentFacts::default())?;
    }
    Ok(())
}

fn page(segment: u64, at: u64, rows: u64) -> PageBatch {
    let page = at / PAGE_CHUNKS;
    PageBatch {
        pages: vec![PageRow {
            url: format!("http://site{}.example/{}/{page}", page % 50_000, page % 97),
            host: format!("site{}.example", page % 50_000).into(),
            site: format!("site{}.example", page % 50_000).into(),
            fetched: Some(1_700_000_000_000 + page as i64),
            status: Some(200),
            media_type: "text/html".into(),
            charset: "UTF-8",
            ip: None,
            content: "html",
            bytes: 4000,
            fingerprint: fingerprint(2 << 50 | segment << 32 | page),
            source: 0,
            offset: page,
            length: 1,
            within: 0,
            chunks: PAGE_CHUNKS as u32,
        }],
        fingerprints: (at..at + PAGE_CHUNKS)
            .map(|at| NewFingerprint {
                fingerprint: fingerprint(number(segment, at, rows)),
                chars: 200,
                is_visible: true,
            })
            .collect(),
        chunks: (0..PAGE_CHUNKS as u32)
            .map(|chunk| ChunkRow {
                fingerprint: chunk,
                start: chunk * 200,
                length: 200,
            })
            .collect(),
        problems: Vec::new(),
        shingles: Vec::new(),
    }
}

/// Writes labels. Half of them are in the corpus.
fn write_labels(path: &Path, count: u64, rows: u64) -> Result<()> {
    let pool = (rows / 10).max(1);
    let mut fingerprints: Vec<Fingerprint> = (0..count)
        .map(|at| {
            if at.is_multiple_of(2) {
                fingerprint(at / 2 % pool)
            } else {
                fingerprint(3 << 50 | at)
            }
        })
        .collect();
    fingerprints.sort_unstable();
    fingerprints.dedup();
    let header = LabelsHeader::new(ChunkSettings::default(), Origin::Informed, 0);
    let mut labels = LabelsWriter::create(path, &header)?;
    for fingerprint in fingerprints {
        labels.push(Label {
            fingerprint,
            level: Level::Chunk,
            chars: 200,
            counts: None,
            name: String::new(),
            url: "http://source.example/".to_owned(),
            site: "source.example".to_owned(),
            fetched: None,
        })?;
    }
    labels.finish()?;
    Ok(())
}

fn discover(corpus: &Corpus) -> Result<RowsAnswer> {
    let options = DiscoverOptions {
        level: Level::Chunk,
        count: CountBy::Occurrences,
        threshold: Threshold::Number(THRESHOLD),
        stop: StopRules::default(),
        // The texts of the most frequent chunks would be read from archives, which do not exist.
        top: 0,
    };
    let found = corpus.discover(&options, None, &())?;
    Ok(RowsAnswer {
        total: found.distinct,
        found: found.labeled,
    })
}

impl RowsStep {
    pub(crate) fn run(&self) -> Result<Outcome<RowsAnswer>> {
        let resources = Resources {
            memory_bytes: self.memory_bytes,
            ..Resources::default()
        };
        let corpus = Corpus::open(&self.corpus)?.with_resources(resources)?;
        let meter = Meter::start();
        let answer = match self.what.as_str() {
            "discover" => discover(&corpus)?,
            "detect" => self.detect(&corpus)?,
            _ => self.probe(&corpus)?,
        };
        Ok(Outcome {
            usage: meter.stop(),
            answer,
        })
    }

    fn detect(&self, corpus: &Corpus) -> Result<RowsAnswer> {
        let labels = Labels::open(&self.labels).context("labels")?;
        let options = DetectOptions {
            page_threshold: ShareThreshold::Auto,
            neighborhood_threshold: ShareThreshold::Auto,
            badness: Badness::Mean,
            stop: Some(StopRules::default()),
            depth: Some(1),
            min_chunks: 1,
            min_pages: 1,
            elsewhere: false,
            top: 20,
        };
        let found = corpus.detect(&labels, &options, None, &())?;
        Ok(RowsAnswer {
            total: found.pages.total,
            found: found.matched.chunks,
        })
    }

    /// Looks up every fingerprint of every segment in the labels.
    fn probe(&self, corpus: &Corpus) -> Result<RowsAnswer> {
        let labels = Labels::open(&self.labels).context("labels")?;
        let mut answer = RowsAnswer { total: 0, found: 0 };
        let mut fingerprints = Vec::new();
        for segment in corpus.reader().segments() {
            let table = segment.fingerprints()?;
            let mut cursor = labels.cursor();
            for group in 0..table.groups() {
                table.fingerprints_into(group, Fingerprints::FINGERPRINT, &mut fingerprints)?;
                answer.total += fingerprints.len() as u64;
                let found = fingerprints
                    .iter()
                    .filter(|one| !cursor.find(one).is_empty());
                answer.found += found.count() as u64;
            }
        }
        Ok(answer)
    }
}
