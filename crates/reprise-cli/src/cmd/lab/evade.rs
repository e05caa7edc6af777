//! `reprise lab evade`: edits until a copy is no longer found.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use reprise_engine::defaults::lab as defaults;
use reprise_engine::lab::{EditKind, EvadeOptions, MethodKind};
use reprise_engine::results::{Evasion, EvasionRow};
use reprise_engine::signatures::{SigningOptions, SigningTerms};
use reprise_engine::{SigningFiles, render_evasion};

use super::LabFlags;
use crate::console::Console;
use crate::human;

/// Count the edits until a copy is no longer found, for each method and kind of edit
///
/// Draws pages from the corpus and reads them again from their archives. Copies of each page are edited more and
/// more, until a method no longer finds them. docs/lab.md describes the edits and the methods.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    lab: LabFlags,
    /// Number of pages whose copies are edited
    #[arg(long, value_name = "N", default_value_t = defaults::DOCUMENTS)]
    documents: usize,
    /// Methods to try: file, chunk, shingle, fuzzy, imatch, imatch-context, nilsimsa [default: all]
    #[arg(long, value_name = "METHOD,...", value_delimiter = ',')]
    methods: Vec<MethodKind>,
    /// Kinds of edits: replace, insert, delete, move, link, look-alike, wrap [default: all]
    #[arg(long, value_name = "EDIT,...", value_delimiter = ',')]
    edits: Vec<EditKind>,
    /// Seed of all random choices: pages, places and words
    #[arg(long, value_name = "N", default_value_t = defaults::SEED)]
    seed: u64,
    /// Ignore chunks with fewer characters
    #[arg(long, value_name = "N", default_value_t = defaults::EVADE_CHARS_MIN, hide_short_help = true)]
    min_length: usize,
    /// Lexicon of I-Match, from `imatch train` [default: trained on other pages of the corpus]
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    lexicon: Option<PathBuf>,
    /// Contexts of that lexicon
    #[arg(
        long,
        value_name = "FILE",
        requires = "lexicon",
        hide_short_help = true
    )]
    contexts: Option<PathBuf>,
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        let corpus = self.lab.open()?;
        let options = EvadeOptions {
            documents: self.documents,
            seed: self.seed,
            chars_min: self.min_length,
            methods: or_all(&self.methods, &MethodKind::ALL),
            edits: or_all(&self.edits, &EditKind::ALL),
            terms: self.terms()?,
        };
        let bar = console.bar();
        let found = corpus.evade(&options, &bar)?;
        bar.finish();
        self.lab.print(console, &found, render_evasion, text)
    }

    fn terms(&self) -> anyhow::Result<Option<SigningTerms>> {
        let Some(lexicon) = self.lexicon.clone() else {
            return Ok(None);
        };
        let files = SigningFiles {
            lexicon,
            contexts: self.contexts.clone(),
            second_lexicon: None,
            second_contexts: None,
        };
        Ok(Some(files.read(&SigningOptions::default())?.primary))
    }
}

/// Returns the given values, or all if none are given.
fn or_all<T: Copy>(given: &[T], all: &[T]) -> Vec<T> {
    if given.is_empty() { all } else { given }.to_vec()
}

fn text(found: &Evasion) -> String {
    let mut text = format!(
        "copies of {} (median length {}) were edited until they were no longer found; seed {}\n",
        human::counted(found.documents, "page"),
        human::counted(found.words.median.unwrap_or(0), "word"),
        found.seed,
    );
    for method in &found.methods {
        let _ = writeln!(text, "{:>15}: {}", method.method, method.rule);
    }
    for rows in found.rows.chunk_by(|a, b| a.edit == b.edit) {
        let _ = writeln!(
            text,
            "\n{:<34} {:>8} {:>18} {:>14} {:>6} {:>6}",
            format!("{} ({})", rows[0].meaning, rows[0].edit),
            "median",
            "quartiles",
            "share of words",
            "never",
            "pages"
        );
        for row in rows {
            let _ = writeln!(text, "{}", line(row));
        }
    }
    for sentence in found.sentences() {
        let _ = writeln!(text, "\n{}", human::one_line(&sentence));
    }
    text
}

fn line(row: &EvasionRow) -> String {
    if row.documents == 0 {
        let reason = if row.impossible > 0 {
            "no page allows such edits"
        } else {
            "does not even find unchanged pages"
        };
        return format!("{:>34} {:>8}   {reason}", row.method, "-");
    }
    let edits = |edits: Option<u64>| edits.map_or("never".to_owned(), human::count);
    format!(
        "{:>34} {:>8} {:>18} {:>14} {:>6} {:>6}",
        row.method,
        edits(row.edits.median),
        format!("{} to {}", edits(row.edits.first), edits(row.edits.third)),
        row.share.median.map_or(String::new(), human::percent),
        human::count(row.never),
        human::count(row.documents),
    )
}
