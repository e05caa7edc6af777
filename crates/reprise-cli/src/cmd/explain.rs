//! `reprise explain`: two pages side by side.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use reprise_engine::discover::StopRules;
use reprise_engine::ingest::format_date;
use reprise_engine::report::html;
use reprise_engine::store::PageRef;
use reprise_engine::store::{Corpus, Labels, Level};
use reprise_engine::{
    PageText, Shared, SharedPhrases, chunks_of, find_pages, read_page, shared_chunks,
    shared_phrases,
};
use serde::Serialize;

use super::filters::read_limits;
use crate::exit::Usage;
use crate::{human, output_file};

/// Show side by side what a page shares with another, or with labels.
///
/// Chunks that both have are marked, and phrases of five words outside these chunks.
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
    #[arg(long, value_name = "FILE", value_parser = output_file::named_parser())]
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
    phrases: JsonPhrases<'a>,
}

#[derive(Serialize)]
struct JsonPhrases<'a> {
    page: u32,
    with: u32,
    shared: u32,
    similarity: f64,
    containment: f64,
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
    let phrases = shared_phrases(&page, &other, &shared.matches);
    if let Some(path) = &args.html {
        let text = html::render_side_by_side(&explanation(&page, &other, &shared, &phrases));
        output_file::write(path, text)?;
        say!("written to {}", path.display());
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
            phrases: JsonPhrases {
                page: phrases.overlap.one,
                with: phrases.overlap.other,
                shared: phrases.overlap.shared,
                similarity: phrases.overlap.jaccard(),
                // The share of the page that the other has.
                containment: phrases.overlap.turned().containment(),
                matches: &phrases.matches,
            },
        };
        println!("{}", serde_json::to_string(&json)?);
    } else {
        print!("{}", text(&page, &other, &shared, &phrases));
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

fn phrase_share(shared: u32, phrases: u32) -> String {
    let percent = 100.0 * f64::from(shared) / f64::from(phrases.max(1));
    format!(
        "{} of {} ({percent:.0} %)",
        human::count(shared.into()),
        human::counted(phrases.into(), "phrase")
    )
}

fn explanation(
    page: &PageText,
    other: &PageText,
    shared: &Shared,
    phrases: &SharedPhrases,
) -> html::Explanation {
    let overlap = phrases.overlap;
    let side = |page: &PageText, counts, of_phrases| html::Side {
        name: page.url.clone(),
        facts: vec![
            (
                "fetched".to_owned(),
                page.fetched.map_or("unknown".to_owned(), format_date),
            ),
            ("chunks shared".to_owned(), share(counts)),
            (
                "phrases of five words shared".to_owned(),
                phrase_share(overlap.shared, of_phrases),
            ),
        ],
        text: page.text.clone(),
    };
    html::Explanation {
        title: format!("{} and {}", page.url, other.url),
        left: side(page, shared.left, overlap.one),
        right: side(other, shared.right, overlap.other),
        matches: shared
            .matches
            .iter()
            .chain(&phrases.matches)
            .cloned()
            .collect(),
        summary: format!(
            "{} of the page on the left are in the page on the right, byte for byte in their normal form; so are {}. The Jaccard similarity of their phrases is {:.3}.",
            share(shared.left),
            phrase_share(overlap.shared, overlap.one),
            overlap.jaccard(),
        ),
    }
}

fn text(page: &PageText, other: &PageText, shared: &Shared, phrases: &SharedPhrases) -> String {
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
    let overlap = phrases.overlap;
    let _ = writeln!(
        text,
        "the page shares {} of five words; Jaccard similarity {:.3}",
        phrase_share(overlap.shared, overlap.one),
        overlap.jaccard(),
    );
    if shared.matches.is_empty() {
        text.push_str("they share no chunk\n");
    }
    for (mark, found) in (shared.matches.iter().map(|found| ('=', found)))
        .chain(phrases.matches.iter().map(|found| ('~', found)))
    {
        let excerpt = |text: &str, span: &std::ops::Range<usize>| {
            let raw = text.get(span.clone()).unwrap_or_default();
            let words = raw.split_whitespace().collect::<Vec<_>>().join(" ");
            human::one_line(&words.chars().take(400).collect::<String>())
        };
        let _ = writeln!(
            text,
            "\n{mark} bytes {}..{} of the page, {}..{} of the other\n    {}",
            found.left.start,
            found.left.end,
            found.right.start,
            found.right.end,
            excerpt(&page.text, &found.left),
        );
    }
    text
}
