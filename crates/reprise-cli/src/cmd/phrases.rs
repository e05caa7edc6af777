//! `reprise phrases`: phrases that many pages share.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use reprise_engine::results::PopularPhrases;
use reprise_engine::{Corpus, PhraseOptions, defaults};

use crate::console::Console;
use crate::flags::MemoryFlag;
use crate::human;

/// Find phrases that many pages share although the pages are not near-copies
///
/// The corpus must have shingles (index --shingles).
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory of the corpus
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,
    /// Number of most popular phrases to show
    #[arg(long, value_name = "N", default_value_t = defaults::near::TOP_PHRASES)]
    top: usize,
    #[command(flatten)]
    popular: PopularFlags,
}

/// When a phrase is popular.
#[derive(clap::Args, Clone)]
pub(crate) struct PopularFlags {
    /// A shingle (a sampled phrase) is popular if at least N pages have it
    #[arg(long, value_name = "N", default_value_t = defaults::near::MIN_DOCUMENTS)]
    min_documents: u32,
    #[command(flatten)]
    memory: MemoryFlag,
}

impl PopularFlags {
    /// Opens a corpus within the memory limit.
    pub(crate) fn open(&self, corpus: &std::path::Path) -> anyhow::Result<Corpus> {
        Ok(Corpus::open(corpus)?.with_resources(self.memory.resources())?)
    }

    pub(crate) fn options(&self, top: usize) -> PhraseOptions {
        PhraseOptions {
            min_documents: self.min_documents,
            top,
        }
    }
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        let corpus = self.popular.open(&self.corpus)?;
        let bar = console.bar();
        let found = corpus.phrases(self.popular.options(self.top), &bar)?;
        bar.finish();
        console.print(&found, None, || text(&found))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn text(found: &PopularPhrases) -> String {
    let mut text = format!(
        "{} with words, {} without near-copies; they share {}\n",
        human::counted(found.pages, "page"),
        human::count(found.documents),
        human::counted(found.popular, "popular phrase"),
    );
    for phrase in &found.top {
        let line = format!("{:>9}  {}", human::count(phrase.documents), phrase.phrase);
        let _ = writeln!(text, "{}", human::one_line(&line));
        for url in &phrase.urls {
            let _ = writeln!(text, "           {}", human::one_line(url));
        }
    }
    if found.unreadable > 0 {
        let _ = writeln!(
            text,
            "{} could not be read again from the archives",
            human::counted(found.unreadable, "phrase")
        );
    }
    if found.popular == 0 {
        text += "no phrase is on enough pages; try --min-documents 2, or a larger corpus\n";
    }
    text
}
