//! `reprise index`: archives into a corpus.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use reprise_engine::fingerprint::HashKind;
use reprise_engine::index::{
    self, HEADER_BYTES_DEFAULT, IndexConfig, IndexStats, NESTING_DEFAULT, RATIO_DEFAULT,
};
use reprise_engine::ingest::{InputConfig, Inputs, RecordLimits};
use reprise_engine::store::{CorpusWriter, Wanted};
use reprise_engine::text::ChunkForm;
use serde::Serialize;

use super::resources::{MemoryFlag, ThreadsFlag};
use crate::damage::remove_command;
use crate::exit::Usage;
use crate::progress::Bar;
use crate::tally::{self, JsonTally};
use crate::{human, input_name, output_file, size};

/// Read archives into a corpus of chunk fingerprints.
///
/// Run again with more inputs, it adds a segment; what the corpus already holds is skipped, and a
/// run that was killed is continued.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// WARC, WET, ARC, WACZ, JSONL, Parquet or mail files (mbox, maildir, .eml), directories, @lists, or - for standard input
    #[arg(required = true, value_name = "INPUT", value_parser = input_name::parser())]
    inputs: Vec<String>,
    /// Directory of the corpus; made if it is not there
    #[arg(long, value_name = "DIR", value_parser = output_file::directory_parser())]
    corpus: PathBuf,
    /// Text of a chunk that is fingerprinted: markup (tags kept) or text (what is visible) [default: markup]
    #[arg(long, value_name = "FORM")]
    chunk: Option<ChunkForm>,
    /// Hash that makes fingerprints: sha256 (its first 20 bytes) or sha1 [default: sha256]
    #[arg(long, value_name = "HASH")]
    hash: Option<HashKind>,
    /// Also sample the words of each page, for `near`, `phrases`, `cover` and `sites`
    #[arg(long)]
    shingles: bool,
    /// URL to which the relative path of a plain file is appended [default: file:///...]
    #[arg(long, value_name = "URL", value_parser = input_name::base_url_parser())]
    base_url: Option<String>,
    #[command(flatten)]
    resources: Resources,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
    /// Neither progress nor tally
    #[arg(long, short)]
    quiet: bool,
}

/// What a run may take of the machine, and a record of the run.
#[derive(clap::Args, Clone)]
pub(crate) struct Resources {
    #[command(flatten)]
    threads: ThreadsFlag,
    #[command(flatten)]
    memory: MemoryFlag,
    /// Close a segment when its tables have grown to this in memory [default: about a fifth of --memory]
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    segment_size: Option<usize>,
    #[command(flatten)]
    limits: LimitFlags,
}

/// Hard limits on what a record may cost.
#[derive(clap::Args, Clone)]
#[allow(
    clippy::struct_field_names,
    reason = "the fields are the flags, which all begin with --max"
)]
pub(crate) struct LimitFlags {
    /// Largest body; `index` counts larger ones as `too_large`, `verify` as not to be checked [default: 64M; within little --memory less]
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    max_body: Option<usize>,
    /// Largest record header and HTTP header [default: 64K; index: at most a 128th of --memory]
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    max_header: Option<usize>,
    /// Largest ratio of unpacked to packed bytes, at least 1; what unpacks to 1M or less is never refused for it [default: 300]
    #[arg(long, value_name = "N", value_parser = size::at_least_one)]
    max_ratio: Option<usize>,
    /// Most content encodings on top of one another, or messages (or parts) inside one another in a mail [default: 4]
    #[arg(long, value_name = "N")]
    max_nesting: Option<usize>,
}

impl LimitFlags {
    /// The limits, with this one on a body where none is given.
    pub(crate) fn limits(&self, body_bytes_default: usize) -> RecordLimits {
        RecordLimits {
            body_bytes: self.max_body.unwrap_or(body_bytes_default),
            header_bytes: self.max_header.unwrap_or(HEADER_BYTES_DEFAULT),
            ratio: self.max_ratio.unwrap_or(RATIO_DEFAULT),
            nesting: self.max_nesting.unwrap_or(NESTING_DEFAULT),
        }
    }
}

impl Resources {
    pub(crate) fn limit_flags(&self) -> &LimitFlags {
        &self.limits
    }

    /// The configuration, or what is wrong with the flags.
    pub(crate) fn config(&self) -> Result<IndexConfig, Usage> {
        let memory_bytes = self.memory.bytes()?;
        let limits = self.limits.limits(index::body_bytes_default(memory_bytes));
        let body_bytes = limits.body_bytes;
        if body_bytes > index::BODY_BYTES_MAX {
            let most = index::BODY_BYTES_MAX >> 30;
            return Err(Usage(format!("--max-body may be {most}G at most")));
        }
        if body_bytes > index::body_bytes_max(memory_bytes) {
            let needed = (body_bytes * 32).div_ceil(1 << 20);
            return Err(Usage(format!(
                "--max-body {body_bytes} needs --memory {needed}M or more"
            )));
        }
        let header_bytes = limits.header_bytes;
        if header_bytes > index::header_bytes_max(memory_bytes) {
            let needed = header_bytes.saturating_mul(128).div_ceil(1 << 20);
            return Err(Usage(format!(
                "--max-header {header_bytes} needs --memory {needed}M or more"
            )));
        }
        let segment_bytes_max = index::segment_bytes_default(memory_bytes);
        let segment_bytes = self.segment_size.unwrap_or(segment_bytes_max);
        if segment_bytes > index::SEGMENT_BYTES_MAX {
            let most = index::SEGMENT_BYTES_MAX >> 30;
            return Err(Usage(format!("--segment-size may be {most}G at most")));
        }
        if segment_bytes > segment_bytes_max {
            return Err(Usage(format!(
                "--segment-size {segment_bytes} is more than {segment_bytes_max}, about a fifth of --memory: raise that, or leave the flag out"
            )));
        }
        Ok(IndexConfig {
            threads: self.threads.count()?,
            memory_bytes,
            segment_bytes,
            limits,
        })
    }
}

#[derive(Serialize)]
struct JsonIndex {
    pages: u64,
    chunks: u64,
    bytes_in: u64,
    bytes_body: u64,
    segments: u64,
    sources: JsonSources,
    records: BTreeMap<&'static str, u64>,
    #[serde(flatten)]
    tally: JsonTally,
    seconds: f64,
}

#[derive(Serialize)]
struct JsonSources {
    read: u64,
    held: u64,
    continued: u64,
    changed: u64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let config = args.resources.config()?;
    let started = Instant::now();
    let what = ToIndex {
        names: &args.inputs,
        base_url: args.base_url.as_deref(),
        wanted: Wanted {
            hash: args.hash,
            chunk: args.chunk,
            shingles: args.shingles,
        },
        results: None,
    };
    let (_, stats) = what.into_corpus(&args.corpus, &config, args.quiet)?;
    let seconds = started.elapsed().as_secs_f64();
    if args.json {
        println!("{}", serde_json::to_string(&json(&stats, seconds))?);
    } else if !args.quiet {
        say_on!("{}", text(&stats, seconds, &args.corpus));
    }
    Ok(ExitCode::SUCCESS)
}

/// Inputs that are to go into a corpus.
pub(crate) struct ToIndex<'a> {
    pub(crate) names: &'a [String],
    pub(crate) base_url: Option<&'a str>,
    pub(crate) wanted: Wanted,
    /// Where results go beside the corpus.
    pub(crate) results: Option<&'a Path>,
}

impl ToIndex<'_> {
    /// Indexes them, with a progress bar unless it is to be quiet.
    pub(crate) fn into_corpus(
        self,
        path: &Path,
        config: &IndexConfig,
        is_quiet: bool,
    ) -> anyhow::Result<(CorpusWriter, IndexStats)> {
        // A corpus that is there is locked and its settings are compared before any input is read, which may take long; one
        // that is not is made only when the input is there.
        let is_there = |name| path.join(name).exists();
        let known = (is_there("manifest.json") || is_there("segments"))
            .then(|| CorpusWriter::open(path, self.wanted))
            .transpose()?;
        let is_new = !path.exists();
        fs::create_dir_all(path).with_context(|| format!("cannot write {}", path.display()))?;
        let input_config = InputConfig {
            base_url: self.base_url.map(str::to_owned),
            spool_directory: path.to_owned(),
            passed_by: [path]
                .into_iter()
                .chain(self.results)
                .map(Path::to_owned)
                .collect(),
            limits: config.limits,
        };
        let inputs = Inputs::open(self.names, &input_config).inspect_err(|_| {
            // Nothing was read, so nothing is left behind.
            if is_new {
                let _ = fs::remove_dir(path);
            }
        })?;
        let mut corpus = match known {
            Some(corpus) => corpus,
            None => CorpusWriter::open(path, self.wanted)?,
        };
        let bar = Bar::new(is_quiet);
        let stats = index::index(inputs, &mut corpus, config, &bar);
        bar.finish();
        Ok((corpus, stats?))
    }
}

fn json(stats: &IndexStats, seconds: f64) -> JsonIndex {
    JsonIndex {
        pages: stats.pages,
        chunks: stats.chunks,
        bytes_in: stats.bytes_in,
        bytes_body: stats.bytes_body,
        segments: stats.segments,
        sources: JsonSources {
            read: stats.sources_read,
            held: stats.sources_held,
            continued: stats.sources_continued,
            changed: stats.sources_changed,
        },
        records: stats
            .records
            .iter()
            .map(|(kind, count)| (kind.as_str(), count))
            .collect(),
        tally: JsonTally::of(&stats.tally),
        seconds,
    }
}

/// What was done, in a few lines.
pub(crate) fn text(stats: &IndexStats, seconds: f64, corpus: &Path) -> String {
    let mut text = String::new();
    if stats.sources_held > 0 {
        let _ = writeln!(
            text,
            "{} already in the corpus, or given twice: skipped",
            human::counted(stats.sources_held, "source")
        );
    }
    if stats.sources_continued > 0 {
        let _ = writeln!(
            text,
            "{} continued where an earlier run stopped",
            human::counted(stats.sources_continued, "source")
        );
    }
    if let Some(example) = &stats.changed_example {
        let _ = writeln!(
            text,
            "{} changed since an earlier run, e.g. {}: read anew, so that earlier pages are in the corpus twice; \
             `{}` takes out the segments that hold them",
            human::counted(stats.sources_changed, "source"),
            human::one_line(example),
            remove_command(corpus, &stats.changed_segments),
        );
    }
    if stats.sources_read == 0 && stats.sources_held == 0 {
        return text + "nothing to read: there is no file in what was named\n";
    }
    if stats.sources_read == 0 {
        return text + "nothing new to read\n";
    }
    let rate = stats.bytes_body as f64 / seconds.max(1e-3);
    let _ = writeln!(
        text,
        "indexed {} with {} into {}",
        human::counted(stats.pages, "page"),
        human::counted(stats.chunks, "chunk"),
        human::one_line(&corpus.display().to_string()),
    );
    let _ = writeln!(
        text,
        "read {} from {}, {} of bodies, in {seconds:.1} s ({}/s)",
        human::bytes(stats.bytes_in),
        human::counted(stats.sources_read, "source"),
        human::bytes(stats.bytes_body),
        human::bytes(rate as u64),
    );
    if stats.pages == 0 {
        let records: Vec<String> = stats
            .records
            .iter()
            .map(|(kind, count)| format!("{} {}", human::count(count), kind.as_str()))
            .collect();
        let records = if records.is_empty() {
            "none".to_owned()
        } else {
            records.join(", ")
        };
        let _ = writeln!(text, "no page was found. Records seen: {records}");
    }
    text + &tally::lines(&stats.tally)
}
