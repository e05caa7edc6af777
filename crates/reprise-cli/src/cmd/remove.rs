//! `reprise remove`: removes segments of a corpus.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use reprise_engine::ingest::parse_date;
use reprise_engine::{Corpus, Removal, RemoveOptions};

use crate::console::Console;
use crate::failure::Usage;
use crate::human;

/// Remove segments of a corpus; without --segment or --older-than, list them
///
/// The archives stay, and can be indexed again.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory of the corpus
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,
    /// Number of a segment to remove; can be repeated
    #[arg(long = "segment", value_name = "N")]
    segments: Vec<u64>,
    /// Remove all segments whose newest page was fetched before this date, such as 2024-05-31
    #[arg(long, value_name = "DATE")]
    older_than: Option<String>,
    /// Show what would be removed, and change nothing
    #[arg(long)]
    dry_run: bool,
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        let date = self.older_than.as_ref().map(|text| {
            parse_date(text.as_bytes())
                .ok_or_else(|| Usage(format!("{text:?} is not a date; write it like 2024-05-31")))
        });
        let options = RemoveOptions {
            segments: self.segments.clone(),
            older_than: date.transpose()?,
            dry_run: self.dry_run,
        };
        let removal = Corpus::open(&self.corpus)?.remove(&options)?;
        console.print(&removal, None, || text(&removal))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn text(removal: &Removal) -> String {
    let mut text = String::new();
    if removal.segments.is_empty() {
        text += "the corpus has no segments\n";
    }
    for segment in &removal.segments {
        let is_removed = removal.removed.contains(&segment.number);
        let action = match (is_removed, removal.dry_run) {
            (true, true) => "would be removed",
            (true, false) => "removed",
            (false, _) => "kept",
        };
        let newest = segment.newest.map(|newest| newest.to_string());
        let damaged = segment.damage.as_ref().map_or("", |_| "  (damaged)");
        let _ = writeln!(
            text,
            "segment {:>4}  {:>16}  newest {}  {action}{damaged}",
            segment.number,
            human::counted(segment.pages, "page"),
            newest.as_deref().unwrap_or("unknown"),
        );
    }
    text
}
