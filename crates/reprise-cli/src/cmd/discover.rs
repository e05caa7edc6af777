//! `reprise discover`: what occurs too often.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use reprise_engine::results::{CountBy, Discovery};
use reprise_engine::{Corpus, DiscoverOptions, Format, Level, Threshold, defaults};

use crate::console::Console;
use crate::flags::{MemoryFlag, StopFlags};
use crate::human;
use crate::output::{self, FormatFlag};

/// Find what occurs too often in a corpus, and write it as labels
///
/// Counts over the whole corpus. A chunk is labelled if its count is higher than the threshold and it is not a
/// stop chunk (without visible text, too short, or listed).
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory of the corpus
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,
    /// File for the labels; .parquet files can be used by detect and check, .jsonl and .csv are for reading
    #[arg(long, short, value_name = "LABELS", value_parser = output::parser())]
    output: Option<PathBuf>,
    /// What is counted: occurrences, pages, or sites (which separates copies from templates)
    #[arg(long, value_name = "occurrences|pages|sites", default_value_t = defaults::discover::COUNT)]
    count: CountBy,
    /// Label what has a higher count; auto depends on the size of the corpus, as in the papers
    #[arg(long, value_name = "N|auto", default_value = "auto")]
    threshold: Threshold,
    /// What is labelled: chunks of pages, or whole files
    #[arg(long, value_name = "chunk|file", default_value_t = defaults::discover::LEVEL)]
    level: Level,
    /// Number of most frequent objects to show with their text
    #[arg(long, value_name = "N", default_value_t = defaults::discover::TOP)]
    top: usize,
    #[command(flatten)]
    stop: StopFlags,
    #[command(flatten)]
    format: FormatFlag,
    #[command(flatten)]
    memory: MemoryFlag,
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        let path = self.output.as_deref();
        output::check_json(path, console.json)?;
        let file = path
            .map(|path| self.format.file(path, Format::Parquet))
            .transpose()?;
        let corpus = Corpus::open(&self.corpus)?.with_resources(self.memory.resources())?;
        let options = DiscoverOptions {
            level: self.level,
            count: self.count,
            threshold: self.threshold,
            stop: self
                .stop
                .rules(defaults::discover::MIN_LENGTH, corpus.settings().chunks)?,
            top: self.top,
        };
        let bar = console.bar();
        let found = corpus.discover(&options, file.as_ref(), &bar)?;
        bar.finish();
        console.print(&found, path, || text(&found))?;
        if let Some(path) = path {
            console.say(format!("labels written to {}", output::name(path)));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Returns the result as text.
pub(crate) fn text(found: &Discovery) -> String {
    let object = found.level.as_str();
    let mut text = format!(
        "{} of {} distinct {object}s ({} in all) have more than {}{}\n",
        human::count(found.labeled),
        human::count(found.distinct),
        human::count(found.objects),
        human::counted(found.threshold, found.count.noun()),
        if found.threshold_auto { " (auto)" } else { "" },
    );
    let stop = found.stop_reasons;
    let _ = writeln!(
        text,
        "{} distinct stop chunks: {} without visible text, {} too short, {} listed",
        human::count(found.stop),
        human::count(stop.no_text),
        human::count(stop.short),
        human::count(stop.listed),
    );
    for note in &found.notes {
        let _ = writeln!(text, "{note}");
    }
    if !found.top.is_empty() {
        let _ = writeln!(
            text,
            "\n{:>11} {:>8} {:>7}  {:<13} text",
            "occurrences", "pages", "sites", "category"
        );
    }
    for object in &found.top {
        let words: Vec<&str> = object.text.split_whitespace().collect();
        let words: String = words.join(" ").chars().take(90).collect();
        let _ = writeln!(
            text,
            "{:>11} {:>8} {:>7}  {:<13} {}",
            human::count(object.occurrences),
            human::count(object.pages),
            human::count(object.sites),
            object.category,
            human::one_line(&words),
        );
        if let Some(url) = &object.url {
            let _ = writeln!(text, "{:>44} {}", "for example", human::one_line(url));
        }
    }
    text
}
