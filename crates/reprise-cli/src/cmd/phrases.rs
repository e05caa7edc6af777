//! `reprise phrases`: what many pages say in the same words.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use reprise_engine::popular::PopularConfig;
use reprise_engine::store::Corpus;
use reprise_engine::{Phrases, PopularPhrase};
use serde::Serialize;

use super::filters::read_limits;
use super::near::temporary;
use super::resources::MemoryFlag;
use crate::exit::Usage;
use crate::human;

/// Find the phrases of five words that many pages share, near-copies left out.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory of the corpus
    #[arg(value_name = "DIR")]
    corpus: PathBuf,
    /// How many of the most popular to show
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    #[command(flatten)]
    popular: PopularFlags,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// A phrase is popular from so many pages on, as in the paper.
pub(crate) const MIN_DOCUMENTS: u32 = 5;

/// What counts as popular.
#[derive(clap::Args, Clone)]
pub(crate) struct PopularFlags {
    /// A phrase is popular if so many pages have it
    #[arg(long, value_name = "N", default_value_t = MIN_DOCUMENTS)]
    min_documents: u32,
    #[command(flatten)]
    memory: MemoryFlag,
}

impl PopularFlags {
    /// Reads a corpus as those see it who look at phrases.
    pub(crate) fn read<'c>(&self, corpus: &'c Corpus, top: usize) -> anyhow::Result<Phrases<'c>> {
        if self.min_documents < 2 {
            return Err(Usage("--min-documents must be at least 2".to_owned()).into());
        }
        let config = PopularConfig {
            min_documents: self.min_documents,
            top,
            samples: 3,
            memory_bytes: self.memory.bytes()?,
        };
        Ok(Phrases::read(
            corpus,
            read_limits(),
            &config,
            &temporary(None),
        )?)
    }
}

#[derive(Serialize)]
struct Json<'a> {
    pages: u64,
    documents: usize,
    popular: u64,
    top: Vec<JsonPhrase<'a>>,
    per_document: Vec<(u8, u64)>,
    occurrences: Vec<(u32, u64)>,
    unreadable: usize,
}

#[derive(Serialize)]
struct JsonPhrase<'a> {
    phrase: &'a str,
    documents: u32,
    url: Option<&'a String>,
    urls: &'a [String],
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let corpus = Corpus::open(&args.corpus)?;
    let phrases = args.popular.read(&corpus, args.top)?;
    let (top, unreadable) = phrases.top(args.top)?;
    if args.json {
        let json = Json {
            pages: phrases.kept.documents(),
            documents: phrases.kept.len(),
            popular: phrases.popular.shingles,
            top: (top.iter())
                .map(|phrase| JsonPhrase {
                    phrase: &phrase.phrase,
                    documents: phrase.documents,
                    url: phrase.urls.first(),
                    urls: &phrase.urls,
                })
                .collect(),
            per_document: phrases.popular.histogram(),
            occurrences: (phrases.popular.occurrences.iter())
                .map(|(&documents, &shingles)| (documents, shingles))
                .collect(),
            unreadable,
        };
        println!("{}", serde_json::to_string(&json)?);
    } else {
        print!("{}", text(&phrases, &top, unreadable));
    }
    Ok(ExitCode::SUCCESS)
}

fn text(phrases: &Phrases<'_>, top: &[PopularPhrase], unreadable: usize) -> String {
    let mut text = format!(
        "{} of {} with words are left without near-copies; they share {}\n",
        human::count(phrases.kept.len() as u64),
        human::counted(phrases.kept.documents(), "page"),
        human::counted(phrases.popular.shingles, "popular shingle"),
    );
    for phrase in top {
        let line = format!(
            "{:>9}  {}",
            human::count(u64::from(phrase.documents)),
            phrase.phrase
        );
        let _ = writeln!(text, "{}", human::one_line(&line));
        for url in &phrase.urls {
            let _ = writeln!(text, "           {}", human::one_line(url));
        }
    }
    if unreadable > 0 {
        let _ = writeln!(
            text,
            "{} could not be read back from the archives",
            human::counted(unreadable as u64, "phrase")
        );
    }
    if phrases.popular.shingles == 0 {
        text += "No phrase is in enough pages: try --min-documents 2, or a larger corpus.\n";
    }
    text
}
