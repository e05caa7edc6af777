//! `reprise lab evade`: edits until a copy is no longer found.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use reprise_engine::experiments::{EditKind, MethodKind, Quartiles, Row};
use reprise_engine::lab::{EvadeSettings, Evasion, Terms, evade};
use reprise_engine::report::html;
use reprise_engine::store::Corpus;
use serde::Serialize;

use super::{JsonUnused, OutputFlags, told, unused_line};
use crate::cmd::filters::read_limits;
use crate::cmd::resources::ThreadsFlag;
use crate::cmd::signing::read_lexicon;
use crate::exit::Usage;
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
    #[arg(long, value_name = "N", default_value_t = 50)]
    documents: usize,
    /// What is drawn at random follows from it: pages, places, words
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Methods, with commas between: file, chunk, shingle, fuzzy, imatch, imatch-context, nilsimsa [default: all]
    #[arg(long, value_name = "METHOD,...", value_delimiter = ',')]
    methods: Vec<MethodKind>,
    /// Kinds of edits, with commas between: replace, insert, delete, move, link, look-alike, wrap [default: all]
    #[arg(long, value_name = "EDIT,...", value_delimiter = ',')]
    edits: Vec<EditKind>,
    /// Chunks with fewer characters are stop chunks
    #[arg(long, value_name = "N", default_value_t = 100)]
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

#[derive(Serialize)]
struct Json<'a> {
    documents: usize,
    seed: u64,
    words: JsonQuartiles<usize>,
    vocabulary: usize,
    methods: Vec<JsonMethod<'a>>,
    rows: Vec<JsonRow>,
    unused: JsonUnused<'a>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct JsonMethod<'a> {
    method: &'static str,
    rule: &'a str,
}

#[derive(Serialize)]
struct JsonRow {
    method: &'static str,
    edit: &'static str,
    documents: usize,
    blind: usize,
    impossible: usize,
    never: usize,
    edits: JsonQuartiles<usize>,
    share: JsonQuartiles<f64>,
}

#[derive(Serialize)]
struct JsonQuartiles<T> {
    first: Option<T>,
    median: Option<T>,
    third: Option<T>,
}

impl<T: Copy> From<Quartiles<T>> for JsonQuartiles<T> {
    fn from(quartiles: Quartiles<T>) -> JsonQuartiles<T> {
        JsonQuartiles {
            first: quartiles.first,
            median: quartiles.median,
            third: quartiles.third,
        }
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.documents == 0 {
        return Err(Usage("--documents must be at least 1".to_owned()).into());
    }
    let corpus = Corpus::open(&args.corpus)?;
    let pool = args.threads.pool()?;
    let settings = EvadeSettings {
        limits: read_limits(),
        threads: args.threads.count()?,
        documents: args.documents,
        seed: args.seed,
        chars_min: args.min_length,
        methods: chosen(&args.methods, &MethodKind::ALL),
        edits: chosen(&args.edits, &EditKind::ALL),
        terms: terms(args)?,
    };
    let found = pool.install(|| evade(&corpus, &settings)).map_err(told)?;
    args.output.put(
        || html::render_evasion(&plotted(&args.corpus, &found)),
        &json(&found, args.seed),
        || text(&found, args.seed),
    )
}

/// Those that were named, each once and in the usual order; all where none was.
fn chosen<T: Copy + PartialEq>(named: &[T], all: &[T]) -> Vec<T> {
    let is_chosen = |one: &&T| named.is_empty() || named.contains(one);
    all.iter().filter(is_chosen).copied().collect()
}

fn terms(args: &Args) -> anyhow::Result<Option<Terms>> {
    let Some(path) = &args.lexicon else {
        return Ok(None);
    };
    let (lexicon, contexts) = read_lexicon(path, args.contexts.as_deref())?;
    Ok(Some(Terms { lexicon, contexts }))
}

fn json(found: &Evasion, seed: u64) -> Json<'_> {
    Json {
        documents: found.documents,
        seed,
        words: found.words.into(),
        vocabulary: found.vocabulary,
        methods: (found.methods.iter())
            .map(|method| JsonMethod {
                method: method.method.as_str(),
                rule: &method.rule,
            })
            .collect(),
        rows: found.rows.iter().map(json_row).collect(),
        unused: JsonUnused::of(&found.unused),
        notes: &found.notes,
    }
}

fn json_row(row: &Row) -> JsonRow {
    JsonRow {
        method: row.method.as_str(),
        edit: row.edit.as_str(),
        documents: row.documents,
        blind: row.blind,
        impossible: row.impossible,
        never: row.never,
        edits: row.edits.into(),
        share: row.share.into(),
    }
}

fn text(found: &Evasion, seed: u64) -> String {
    let mut text = format!(
        "copies of {} ({} words in the middle) edited until they are no longer found; seed {seed}\n",
        human::counted(found.documents as u64, "page"),
        human::count(found.words.median.unwrap_or(0) as u64),
    );
    for method in &found.methods {
        let _ = writeln!(text, "{:>15}: {}", method.method, method.rule);
    }
    for rows in found.rows.chunk_by(|a, b| a.edit == b.edit) {
        let _ = writeln!(
            text,
            "\n{:<34} {:>8} {:>18} {:>13} {:>6} {:>6}",
            format!("{} ({})", rows[0].edit.meaning(), rows[0].edit),
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
    for note in found.notes.iter().chain(&unused_line(&found.unused)) {
        let _ = writeln!(text, "\n{}", human::one_line(note));
    }
    text
}

fn line(row: &Row) -> String {
    if row.documents == 0 {
        let reason = if row.impossible > 0 {
            "no page has anything to edit so"
        } else {
            "knows no page even unchanged"
        };
        return format!("{:>34} {:>8}   {reason}", row.method, "-");
    }
    let edits =
        |edits: Option<usize>| edits.map_or("never".to_owned(), |edits| human::count(edits as u64));
    let share = row.share.median;
    format!(
        "{:>34} {:>8} {:>18} {:>13} {:>6} {:>6}",
        row.method,
        edits(row.edits.median),
        format!("{} to {}", edits(row.edits.first), edits(row.edits.third)),
        share.map_or(String::new(), |share| format!("{:.1} %", share * 100.0)),
        human::count(row.never as u64),
        human::count(row.documents as u64),
    )
}

/// The data of the plot.
fn plotted(corpus: &Path, found: &Evasion) -> html::Evasion {
    let row = |row: &Row| html::EvasionRow {
        method: row.method.to_string(),
        documents: row.documents as u64,
        never: row.never as u64,
        quartiles: [row.edits.first, row.edits.median, row.edits.third]
            .map(|edits| edits.map(|edits| edits as u64)),
        share: row.share.median,
    };
    html::Evasion {
        corpus: corpus.display().to_string(),
        documents: found.documents as u64,
        words: found.words.median.unwrap_or(0) as u64,
        methods: (found.methods.iter())
            .map(|method| (method.method.to_string(), method.rule.clone()))
            .collect(),
        edits: (found.rows.chunk_by(|a, b| a.edit == b.edit))
            .map(|rows| html::EvasionEdit {
                name: rows[0].edit.meaning().to_owned(),
                rows: rows.iter().map(row).collect(),
            })
            .collect(),
        notes: (found.notes.iter().cloned())
            .chain(unused_line(&found.unused))
            .collect(),
    }
}
