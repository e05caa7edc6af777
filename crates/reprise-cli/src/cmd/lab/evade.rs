//! `reprise lab evade`: edits until a copy is no longer found.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use reprise_engine::experiments::{EditKind, MethodKind};
use reprise_engine::lab::{EvadeOptions, Evasion, IMatchTerms, defaults, evade};
use reprise_engine::report::html::{self, EvasionRow};
use reprise_engine::store::Corpus;

use super::{OutputFlags, read_options, told};
use crate::cmd::resources::ThreadsFlag;
use crate::cmd::signing::read_lexicon;
use crate::human;

/// Count the edits it takes until a copy is no longer found, by each method and each kind of edit.
///
/// Pages are drawn from the corpus and read again from their archives. Copies of each are edited more
/// and more, until a method misses them: the copy with one edit less is still found. docs/lab.md says what
/// the edits are and what each method goes by.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory of the corpus
    #[arg(value_name = "DIR")]
    corpus: PathBuf,
    /// Pages whose copies are edited
    #[arg(long, value_name = "N", default_value_t = defaults::DOCUMENTS)]
    documents: usize,
    /// What is drawn at random follows from it: pages, places, words
    #[arg(long, value_name = "N", default_value_t = defaults::SEED)]
    seed: u64,
    /// Methods, with commas between: file, chunk, shingle, fuzzy, imatch, imatch-context, nilsimsa [default: all]
    #[arg(long, value_name = "METHOD,...", value_delimiter = ',')]
    methods: Vec<MethodKind>,
    /// Kinds of edits, with commas between: replace, insert, delete, move, link, look-alike, wrap [default: all]
    #[arg(long, value_name = "EDIT,...", value_delimiter = ',')]
    edits: Vec<EditKind>,
    /// Chunks with fewer characters are stop chunks
    #[arg(long, value_name = "N", default_value_t = defaults::EVADE_CHARS_MIN)]
    min_length: usize,
    /// File with the lexicon of I-Match [default: trained on other pages of the corpus]
    #[arg(long, value_name = "FILE")]
    lexicon: Option<PathBuf>,
    /// File with the contexts of that lexicon
    #[arg(long, value_name = "FILE", requires = "lexicon")]
    contexts: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadsFlag,
    #[command(flatten)]
    output: OutputFlags,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let corpus = Corpus::open(&args.corpus)?;
    let pool = args.threads.pool()?;
    let options = EvadeOptions {
        documents: args.documents,
        seed: args.seed,
        chars_min: args.min_length,
        methods: or_all(&args.methods, &MethodKind::ALL),
        edits: or_all(&args.edits, &EditKind::ALL),
        terms: terms(args)?,
    };
    let read = read_options(&args.threads)?;
    let found = pool
        .install(|| evade(&corpus, &options, &read))
        .map_err(told)?;
    args.output
        .put(|| html::render_evasion(&found), &found, || text(&found))
}

/// Returns the named values, or all if none are named.
fn or_all<T: Copy>(named: &[T], all: &[T]) -> Vec<T> {
    if named.is_empty() { all } else { named }.to_vec()
}

fn terms(args: &Args) -> anyhow::Result<Option<IMatchTerms>> {
    let Some(path) = &args.lexicon else {
        return Ok(None);
    };
    let (lexicon, contexts) = read_lexicon(path, args.contexts.as_deref())?;
    Ok(Some(IMatchTerms { lexicon, contexts }))
}

fn text(found: &Evasion) -> String {
    let mut text = format!(
        "copies of {} ({} words in the middle) edited until they are no longer found; seed {}\n",
        human::counted(found.documents, "page"),
        human::count(found.words.median.unwrap_or(0)),
        found.seed,
    );
    for method in &found.methods {
        let _ = writeln!(text, "{:>15}: {}", method.method, method.rule);
    }
    for rows in found.rows.chunk_by(|a, b| a.edit == b.edit) {
        let _ = writeln!(
            text,
            "\n{:<34} {:>8} {:>18} {:>13} {:>6} {:>6}",
            format!("{} ({})", rows[0].meaning, rows[0].edit),
            "median",
            "quartiles",
            "of the words",
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
            "does not find any page even unchanged"
        };
        return format!("{:>34} {:>8}   {reason}", row.method, "-");
    }
    let edits = |edits: Option<u64>| edits.map_or("never".to_owned(), human::count);
    let share = row.share.median;
    format!(
        "{:>34} {:>8} {:>18} {:>13} {:>6} {:>6}",
        row.method,
        edits(row.edits.median),
        format!("{} to {}", edits(row.edits.first), edits(row.edits.third)),
        share.map_or(String::new(), |share| format!("{:.1} %", share * 100.0)),
        human::count(row.never),
        human::count(row.documents),
    )
}
