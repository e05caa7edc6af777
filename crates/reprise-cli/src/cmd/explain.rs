//! `reprise explain`: two pages side by side.

use std::fmt::Write as _;
use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;

use reprise_engine::results::Explanation;
use reprise_engine::{Corpus, ExplainWith, Labels, render_side_by_side, write_file};

use crate::console::Console;
use crate::{human, output};

/// Show what a page shares with another page, or with labels
///
/// Marks shared chunks, and outside of these chunks shared phrases of five words.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory of the corpus
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,
    /// URL of the page
    #[arg(long, value_name = "URL")]
    page: String,
    #[command(flatten)]
    other: Other,
    /// File for both pages side by side, as HTML
    #[arg(long, value_name = "FILE.html", value_parser = output::named_html_parser())]
    html: Option<PathBuf>,
}

/// The other side of the comparison.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct Other {
    /// URL of another page of the corpus
    #[arg(long, value_name = "URL")]
    with: Option<String>,
    /// File of labels; the page is compared with the labelled page that shares most chunks with it
    #[arg(long, value_name = "LABELS")]
    labels: Option<PathBuf>,
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        let corpus = Corpus::open(&self.corpus)?;
        let labels = self.other.labels.as_deref().map(Labels::open);
        let labels = labels.transpose().map_err(reprise_engine::Error::from)?;
        let with = match &labels {
            Some(labels) => ExplainWith::Labels(labels),
            None => ExplainWith::Page(self.other.with.as_deref().unwrap_or_default()),
        };
        let found = corpus.explain(&self.page, with)?;
        if let Some(path) = &self.html {
            write_file(path, render_side_by_side(&found).as_bytes())?;
            console.say(format!("side by side written to {}", path.display()));
        }
        console.print(&found, None, || text(&found))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn share(shared: u64, of: u64, noun: &str) -> String {
    format!(
        "{} of {} ({})",
        human::count(shared),
        human::counted(of, noun),
        human::percent(shared as f64 / of.max(1) as f64)
    )
}

fn text(found: &Explanation) -> String {
    let mut text = String::new();
    for (name, url, fetched, chunks, shared) in [
        (
            "page",
            &found.page,
            found.page_fetched,
            found.page_chunks,
            found.page_shared,
        ),
        (
            "with",
            &found.with,
            found.with_fetched,
            found.with_chunks,
            found.with_shared,
        ),
    ] {
        let fetched = fetched.map_or("at an unknown time".to_owned(), |time| time.to_string());
        let shared = share(shared, chunks, "chunk");
        let line = format!("{name}  {url}  fetched {fetched}, shares {shared}");
        let _ = writeln!(text, "{}", human::one_line(&line));
    }
    let phrases = &found.phrases;
    let _ = writeln!(
        text,
        "the page shares {} of five words; similarity {}",
        share(phrases.shared.into(), phrases.page.into(), "phrase"),
        human::percent(phrases.similarity),
    );
    if found.matches.is_empty() {
        text += "they share no chunk\n";
    }
    let chunks = found.matches.iter().map(|found| ('=', found));
    let phrases = phrases.matches.iter().map(|found| ('~', found));
    for (mark, shared) in chunks.chain(phrases) {
        let _ = writeln!(
            text,
            "\n{mark} bytes {}..{} of the page, {}..{} of the other\n    {}",
            shared.left.start,
            shared.left.end,
            shared.right.start,
            shared.right.end,
            excerpt(&found.page_text, &shared.left),
        );
    }
    text
}

/// Returns the beginning of a span on one line.
fn excerpt(text: &str, span: &Range<usize>) -> String {
    let raw = text.get(span.clone()).unwrap_or_default();
    let words = raw.split_whitespace().collect::<Vec<_>>().join(" ");
    human::one_line(&words.chars().take(400).collect::<String>())
}
