//! `reprise explain`: two pages side by side.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use reprise::discover::{PageRef, StopRules};
use reprise::ingest::format_date;
use reprise::report::html;
use reprise::store::{Corpus, Labels, Level};
use reprise::{PageText, Shared, chunks_of, find_pages, read_page, shared_chunks};
use serde::Serialize;

use super::filters::read_limits;
use crate::exit::Usage;
use crate::human;

/// Show side by side what a page shares with another, or with labels.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory of the corpus
    #[arg(value_name = "DIR")]
    corpus: PathBuf,
    /// URL of the page
    #[arg(long, value_name = "URL")]
    page: String,
    #[command(flatten)]
    other: Other,
    /// Write one HTML file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// What the page is compared with.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Other {
    /// URL of another page of the corpus
    #[arg(long, value_name = "URL")]
    with: Option<String>,
    /// File of labels: the page is compared with the page that most of its labels come from
    #[arg(long, value_name = "LABELS")]
    labels: Option<PathBuf>,
}

#[derive(Serialize)]
struct Json<'a> {
    page: &'a str,
    with: &'a str,
    page_chunks: usize,
    page_shared: usize,
    with_chunks: usize,
    with_shared: usize,
    matches: &'a [html::Match],
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let corpus = Corpus::open(&args.corpus)?;
    let page = read(&corpus, &args.page)?;
    let (other, stop) = match (&args.other.with, &args.other.labels) {
        (Some(url), _) => (read(&corpus, url)?, StopRules::default()),
        (None, Some(labels)) => source_of(&corpus, &page, labels)?,
        (None, None) => return Err(Usage("name --with or --labels".to_owned()).into()),
    };
    let shared = shared_chunks(&page, &other, corpus.settings(), &stop);
    if let Some(path) = &args.html {
        let text = html::render_side_by_side(&explanation(&page, &other, &shared));
        fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
        eprintln!("written to {}", path.display());
    }
    if args.json {
        let json = Json {
            page: &page.url,
            with: &other.url,
            page_chunks: shared.left.0,
            page_shared: shared.left.1,
            with_chunks: shared.right.0,
            with_shared: shared.right.1,
            matches: &shared.matches,
        };
        println!("{}", serde_json::to_string(&json)?);
    } else {
        print!("{}", text(&page, &other, &shared));
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads a page of the corpus by its URL: of several fetches, the first.
fn read(corpus: &Corpus, url: &str) -> anyhow::Result<PageText> {
    let pages = find_pages(corpus, url)?;
    let Some(&first) = pages.first() else {
        let message = format!("{url} is not in the corpus; see `reprise export --table pages`");
        return Err(Usage(message).into());
    };
    read_found(corpus, url, first)
}

fn read_found(corpus: &Corpus, url: &str, page: PageRef) -> anyhow::Result<PageText> {
    match read_page(corpus, page, &read_limits())? {
        Ok(page) => Ok(page),
        Err(why) => Err(Usage(format!("the text of {url} cannot be read again: {why}")).into()),
    }
}

/// The page that most of a page's labels come from. Where the corpus does not hold it, the labelled
/// chunks stand in for it.
fn source_of(
    corpus: &Corpus,
    page: &PageText,
    path: &Path,
) -> anyhow::Result<(PageText, StopRules)> {
    let labels = Labels::open(path)?;
    labels.check_settings(corpus.settings())?;
    let stop = StopRules::new(labels.header().min_length, Vec::new());
    let content = page
        .content
        .ok_or_else(|| Usage(format!("{} has no text", page.url)))?;
    let mut chunks = chunks_of(content, &page.text, corpus.settings(), &stop);
    chunks.retain(|chunk| !chunk.is_stop);
    // In the order of fingerprints, each group of labels is read once.
    chunks.sort_by_key(|chunk| chunk.fingerprint);
    let mut reader = labels.reader();
    let mut urls: BTreeMap<String, usize> = BTreeMap::new();
    let mut spans = Vec::new();
    for chunk in chunks {
        let rows = reader.find(&chunk.fingerprint, Level::Chunk)?;
        if rows.is_empty() {
            continue;
        }
        spans.push(chunk.span);
        for row in rows {
            if row.url != page.url {
                *urls.entry(row.url).or_default() += 1;
            }
        }
    }
    spans.sort_by_key(|span| span.start);
    let labelled = spans.into_iter().map(|span| &page.text[span]).collect();
    let best = urls
        .into_iter()
        .max_by_key(|(url, count)| (*count, std::cmp::Reverse(url.clone())));
    let Some((url, _)) = best else {
        let message = format!(
            "{} shares no chunk with another page of the labels",
            page.url
        );
        return Err(Usage(message).into());
    };
    if let Some(&found) = find_pages(corpus, &url)?.first()
        && let Ok(other) = read_page(corpus, found, &read_limits())?
    {
        return Ok((other, stop));
    }
    let other = PageText {
        url: format!("{url} (not in this corpus: its labels)"),
        fetched: None,
        content: Some(content),
        text: labelled,
    };
    Ok((other, stop))
}

fn share((chunks, shared): (usize, usize)) -> String {
    let noun = if chunks == 1 { "chunk" } else { "chunks" };
    let percent = if chunks == 0 {
        0.0
    } else {
        100.0 * shared as f64 / chunks as f64
    };
    format!("{shared} of {chunks} {noun} ({percent:.0} %)")
}

fn explanation(page: &PageText, other: &PageText, shared: &Shared) -> html::Explanation {
    let side = |page: &PageText, counts| html::Side {
        name: page.url.clone(),
        facts: vec![
            (
                "fetched".to_owned(),
                page.fetched.map_or("unknown".to_owned(), format_date),
            ),
            ("chunks shared".to_owned(), share(counts)),
        ],
        text: page.text.clone(),
    };
    html::Explanation {
        title: format!("{} and {}", page.url, other.url),
        left: side(page, shared.left),
        right: side(other, shared.right),
        matches: shared.matches.clone(),
        summary: format!(
            "{} of the page on the left are in the page on the right, byte for byte in their normal form.",
            share(shared.left)
        ),
    }
}

fn text(page: &PageText, other: &PageText, shared: &Shared) -> String {
    let when = |page: &PageText| page.fetched.map_or("unknown".to_owned(), format_date);
    let mut text = String::new();
    for (name, side, counts) in [("page", page, shared.left), ("with", other, shared.right)] {
        let line = format!(
            "{name}  {}  fetched {}, shares {}",
            side.url,
            when(side),
            share(counts)
        );
        let _ = writeln!(text, "{}", human::one_line(&line));
    }
    if shared.matches.is_empty() {
        text.push_str("they share no chunk\n");
    }
    for found in &shared.matches {
        let excerpt = |text: &str, span: &std::ops::Range<usize>| {
            let raw = text.get(span.clone()).unwrap_or_default();
            let words = raw.split_whitespace().collect::<Vec<_>>().join(" ");
            human::one_line(&words.chars().take(400).collect::<String>())
        };
        let _ = writeln!(
            text,
            "\n= bytes {}..{} of the page, {}..{} of the other\n    {}",
            found.left.start,
            found.left.end,
            found.right.start,
            found.right.end,
            excerpt(&page.text, &found.left),
        );
    }
    text
}
