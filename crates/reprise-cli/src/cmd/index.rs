//! `reprise index`: archives into a corpus.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use reprise_engine::{ChunkForm, Corpus, HashKind, IndexSummary, RequestedSettings};

use crate::console::{Console, print_json};
use crate::failure::remove_command;
use crate::flags::IndexFlags;
use crate::{human, input_name, output, problems};

/// Read archives into a corpus
///
/// A corpus holds the fingerprints of all chunks of all pages. More inputs can be added later. Sources that
/// the corpus already has are skipped, and a run that was interrupted is continued.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// WARC, WET, ARC, WACZ, JSONL, Parquet or mail files (mbox, maildir, .eml), HTML and text files,
    /// directories, @LIST (a file of names), or - for standard input
    #[arg(required = true, value_name = "INPUT", value_parser = input_name::parser())]
    inputs: Vec<String>,
    /// Directory of the corpus; created if it does not exist
    #[arg(long, value_name = "DIR", value_parser = output::directory_parser())]
    corpus: PathBuf,
    /// Also store shingles, for near, phrases, sources and sites
    #[arg(long)]
    shingles: bool,
    /// Form of a chunk: markup (with tags) or text (visible text only) [default: markup]
    #[arg(long, value_name = "FORM")]
    chunk: Option<ChunkForm>,
    /// Hash of fingerprints: sha256 (truncated) or sha1 [default: sha256]
    #[arg(long, value_name = "HASH", hide_short_help = true)]
    hash: Option<HashKind>,
    #[command(flatten)]
    index: IndexFlags,
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        let requested = RequestedSettings {
            hash: self.hash,
            chunk: self.chunk,
            shingles: self.shingles,
        };
        let bar = console.bar();
        let (_, summary) = Corpus::index_into(
            &self.corpus,
            requested,
            &self.inputs,
            &self.index.options(),
            self.index.reading.resources(),
            &bar,
        )?;
        bar.finish();
        if console.json {
            print_json(&summary)?;
        }
        summary.check_read()?;
        if !console.json {
            console.say_lines(&text(&summary, &self.corpus));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Returns the result as text.
pub(crate) fn text(summary: &IndexSummary, corpus: &Path) -> String {
    let mut text = String::new();
    let sources = &summary.sources;
    if sources.held > 0 {
        let _ = writeln!(
            text,
            "{} skipped: already in the corpus, or given twice",
            human::counted(sources.held, "source")
        );
    }
    if sources.continued > 0 {
        let _ = writeln!(
            text,
            "{} continued where an earlier run stopped",
            human::counted(sources.continued, "source")
        );
    }
    if let Some(example) = &summary.changed.example {
        let segments: Vec<u64> = summary.changed.segments.iter().copied().collect();
        let _ = writeln!(
            text,
            "{} changed since an earlier run and read again, for example {}; the earlier pages are still in the \
             corpus, `{}` removes them",
            human::counted(sources.changed, "source"),
            human::one_line(example),
            remove_command(&corpus.display().to_string(), &segments),
        );
    }
    if sources.read == 0 {
        return text + "nothing new to read\n";
    }
    let seconds = summary.seconds;
    let rate = summary.bytes_body as f64 / seconds.max(1e-3);
    let _ = writeln!(
        text,
        "{} with {} indexed into {}",
        human::counted(summary.pages, "page"),
        human::counted(summary.chunks, "chunk"),
        human::one_line(&corpus.display().to_string()),
    );
    let _ = writeln!(
        text,
        "{} read from {}, {} of bodies, in {} ({}/s)",
        human::bytes(summary.bytes_in),
        human::counted(sources.read, "source"),
        human::bytes(summary.bytes_body),
        human::seconds(seconds),
        human::bytes(rate as u64),
    );
    if summary.pages == 0 {
        let records: Vec<String> = (summary.records.iter())
            .map(|(kind, &count)| format!("{kind} {}", human::count(count)))
            .collect();
        let _ = writeln!(
            text,
            "no page was found; the records by kind: {}",
            records.join(", ")
        );
    }
    text + &problems::lines(&summary.problems)
}
