//! `reprise near`: pages that are nearly the same.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use reprise_engine::imatch::defaults::RANDOMISED_LEXICONS;
use reprise_engine::near::{
    Bands, Keep, Link, Lost, Method, Near, NearConfig, SCORE_DEFAULT, SHARED_DEFAULT,
    SIMILARITY_DEFAULT, near, near_fuzzy, near_imatch, write_clusters,
};
use reprise_engine::store::PageRef;
use reprise_engine::store::{Aside, Corpus, create_file};
use reprise_engine::{ArchivePhrases, ArchiveTexts};
use serde::Serialize;

use super::converting::ConvertFlags;
use super::filters::read_limits;
use super::resources::{MemoryFlag, ThreadsFlag};
use super::signing::SignFlags;
use super::urls::for_each_url;
use crate::exit::Usage;
use crate::{human, output_file};

/// Find pages that are nearly the same, and say which one to keep.
///
/// Likely pairs are found by their shingles (index with --shingles), then compared on all their
/// phrases, read back from the archives. Every page of a cluster was compared with its
/// representative.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory of the corpus
    #[arg(value_name = "DIR")]
    corpus: PathBuf,
    /// File for the clusters; - is standard output
    #[arg(long, short, value_name = "CLUSTERS", value_parser = output_file::parser())]
    output: Option<PathBuf>,
    /// What makes near-copies: shared phrases, fuzzy hashes of the plain text (of PDF, DOCX and so on too),
    /// signatures of lexicon terms (campaigns with noise around them), or the same file or words
    #[arg(long, value_name = "shingle|fuzzy|imatch|exact", default_value_t = Method::Shingle)]
    method: Method,
    /// What makes a cluster: verified likeness to its representative, or the paper's chain of likely copies
    #[arg(long, value_name = "verified|closure", default_value_t = Link::Verified)]
    link: Link,
    /// Least Jaccard similarity of the phrases of near-copies, from 0.1 to 1 [default: 0.65; closure: the paper's two of six supershingles];
    /// fuzzy: least score, from 1 to 100 [default: 90]; imatch: least share of the smaller text's phrases that the
    /// other has too, from 0 to 1 [default: 0.2]
    #[arg(long, value_name = "X")]
    similarity: Option<f64>,
    /// Which page of a cluster is kept
    #[arg(long, value_name = "first|longest|oldest|none", default_value_t = Keep::First)]
    keep: Keep,
    /// File for the URLs of all pages that are kept, one a line
    #[arg(long, value_name = "FILE", value_parser = output_file::parser())]
    keep_list: Option<PathBuf>,
    /// File for the URLs of the pages that need not be kept, one a line
    #[arg(long, value_name = "FILE", value_parser = output_file::parser())]
    drop_list: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadsFlag,
    #[command(flatten)]
    convert: ConvertFlags,
    #[command(flatten)]
    memory: MemoryFlag,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten, next_help_heading = "With --method imatch")]
    sign: SignFlags,
}

#[derive(Serialize)]
struct Json<'a> {
    method: &'a str,
    link: &'a str,
    similarity: Option<f64>,
    expected_recall: Option<f64>,
    pages: u64,
    documents: u64,
    candidates: u64,
    verified: u64,
    clusters: u64,
    in_clusters: usize,
    largest: u64,
    removable: u64,
    largest_site: Option<JsonSite<'a>>,
    unreadable: u64,
    warnings: &'a [String],
}

#[derive(Serialize)]
struct JsonSite<'a> {
    site: &'a str,
    removable: u64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let corpus = Corpus::open(&args.corpus)?;
    let config = config(args)?;
    let threads = args.threads.count()?;
    let pool = args.threads.pool()?;
    let limits = read_limits();
    let texts = || -> anyhow::Result<ArchiveTexts<'_>> {
        Ok(ArchiveTexts {
            corpus: &corpus,
            limits,
            threads,
            converter: args.convert.converter()?,
        })
    };
    let found = match config.method {
        Method::Fuzzy => {
            let source = texts()?;
            pool.install(|| near_fuzzy(&corpus, &source, &config))?
        }
        Method::Imatch => {
            let signing =
                args.sign
                    .read_or_train(&texts()?, RANDOMISED_LEXICONS, config.memory_bytes)?;
            let source = signing.reader(texts()?)?;
            pool.install(|| near_imatch(&corpus, &source, &config))?
        }
        Method::Shingle | Method::Exact => {
            let source = ArchivePhrases {
                corpus: &corpus,
                limits,
                threads,
            };
            pool.install(|| near(&corpus, &source, &config))?
        }
    };
    if let Some(path) = &args.output {
        write_clusters(&corpus, &found, config.method.as_str(), path)?;
    }
    if args.keep_list.is_some() || args.drop_list.is_some() {
        let dropped = Dropped::read(&corpus, &found)?;
        if let Some(path) = &args.keep_list {
            dropped.write_list(&corpus, path, false)?;
        }
        if let Some(path) = &args.drop_list {
            dropped.write_list(&corpus, path, true)?;
        }
    }
    if args.json {
        println!("{}", serde_json::to_string(&json(&found, &config))?);
    } else {
        // The results that may go to standard output; no two of them do.
        let results = [&args.output, &args.keep_list, &args.drop_list];
        let standard = (results.into_iter().flatten()).find(|path| output_file::is_standard(path));
        output_file::tell(standard.map(PathBuf::as_path), &text(&found, &config));
        if let Some(path) = &args.output {
            say!("clusters written to {}", output_file::name(path));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn config(args: &Args) -> anyhow::Result<NearConfig> {
    output_file::check_apart(&[
        ("--output", args.output.as_deref()),
        ("--keep-list", args.keep_list.as_deref()),
        ("--drop-list", args.drop_list.as_deref()),
    ])?;
    if let Some(output) = &args.output {
        output_file::check_binary(output)?;
    }
    for output in [&args.output, &args.keep_list, &args.drop_list] {
        output_file::check_json(output.as_deref().unwrap_or(Path::new("")), args.json)?;
    }
    if matches!(args.method, Method::Fuzzy | Method::Imatch) && args.link == Link::Closure {
        return Err(Usage("--link closure is for --method shingle".to_owned()).into());
    }
    if args.method != Method::Imatch && args.sign.is_given() {
        let message = "--lexicon and what goes with it is for --method imatch";
        return Err(Usage(message.to_owned()).into());
    }
    let (range, default) = match args.method {
        Method::Fuzzy => (1.0..=100.0, f64::from(SCORE_DEFAULT)),
        Method::Imatch => (0.0..=1.0, SHARED_DEFAULT),
        Method::Shingle | Method::Exact => (0.1..=1.0, SIMILARITY_DEFAULT),
    };
    if let Some(similarity) = args.similarity
        && !range.contains(&similarity)
    {
        let (least, most) = (range.start(), range.end());
        let message = format!("--similarity {similarity} is not between {least} and {most}");
        return Err(Usage(message).into());
    }
    let similarity = match (args.method, args.similarity.unwrap_or(default)) {
        (Method::Fuzzy, score) => score.round() / 100.0,
        (_, similarity) => similarity,
    };
    let is_paper = args.link == Link::Closure && args.similarity.is_none();
    Ok(NearConfig {
        method: args.method,
        link: args.link,
        similarity,
        bands: if is_paper {
            Bands::PAPER
        } else {
            Bands::for_similarity(similarity)
        },
        keep: args.keep,
        memory_bytes: args.memory.bytes()?,
        temporary: temporary(args.output.as_deref()),
    })
}

/// What does not fit in memory goes beside the output, where there is room for that anyway.
pub(crate) fn temporary(output: Option<&Path>) -> PathBuf {
    match output.map(|path| path.parent().unwrap_or(Path::new(""))) {
        Some(parent) if parent.as_os_str().is_empty() => PathBuf::from("."),
        // There is no room beside a device.
        Some(parent) if !parent.starts_with("/dev") => parent.to_owned(),
        _ => std::env::temp_dir(),
    }
}

/// The pages that are dropped, and their URLs. A URL that was captured several times is dropped only if
/// all its captures are: a list names URLs, and nobody is to lose one that is to be kept.
struct Dropped {
    pages: Vec<PageRef>,
    urls: HashSet<Vec<u8>>,
}

impl Dropped {
    fn read(corpus: &Corpus, found: &Near) -> anyhow::Result<Dropped> {
        let rows = found.rows.iter().filter(|row| !row.keep);
        let mut pages: Vec<PageRef> = rows.map(|row| row.page).collect();
        pages.sort_unstable();
        let mut dropped = Dropped {
            pages,
            urls: HashSet::new(),
        };
        let mut urls = HashSet::new();
        for_each_url(corpus, |page, url| {
            if dropped.has(page) {
                urls.insert(url.to_vec());
            }
            Ok(())
        })?;
        for_each_url(corpus, |page, url| {
            if !dropped.has(page) {
                urls.remove(url);
            }
            Ok(())
        })?;
        dropped.urls = urls;
        Ok(dropped)
    }

    fn has(&self, page: PageRef) -> bool {
        self.pages.binary_search(&page).is_ok()
    }

    /// Writes the URLs that are dropped, or the others, one a line and each once.
    fn write_list(&self, corpus: &Corpus, path: &Path, is_dropped: bool) -> anyhow::Result<()> {
        let context = || format!("cannot write {}", output_file::name(path));
        let aside = Aside::of(path);
        let mut file = BufWriter::new(create_file(aside.path()).with_context(context)?);
        let mut written = HashSet::new();
        for_each_url(corpus, |_, url| {
            if self.urls.contains(url) == is_dropped && written.insert(url.to_vec()) {
                // A line break in a URL is none of the list's.
                let line = String::from_utf8_lossy(url);
                let line = line.replace('\n', "%0A").replace('\r', "%0D");
                writeln!(file, "{line}").with_context(context)?;
            }
            Ok(())
        })?;
        file.flush().with_context(context)?;
        Ok(aside.keep()?)
    }
}

fn json<'a>(found: &'a Near, config: &NearConfig) -> Json<'a> {
    let is_banded = config.method == Method::Shingle && config.bands != Bands::PAPER;
    Json {
        method: config.method.as_str(),
        link: config.link.as_str(),
        similarity: (is_banded || matches!(config.method, Method::Fuzzy | Method::Imatch))
            .then_some(config.similarity),
        expected_recall: is_banded.then(|| config.bands.recall(config.similarity)),
        pages: found.pages,
        documents: found.documents,
        candidates: found.candidates,
        verified: found.verified,
        clusters: found.clusters,
        in_clusters: found.rows.len(),
        largest: found.largest,
        removable: found.removable,
        largest_site: found
            .largest_site
            .as_ref()
            .map(|(site, removable)| JsonSite {
                site,
                removable: *removable,
            }),
        unreadable: found.unreadable.pages,
        warnings: &found.warnings,
    }
}

fn text(found: &Near, config: &NearConfig) -> String {
    let mut text = String::new();
    let documents = human::counted(found.documents, "page");
    match (config.method, config.link) {
        (Method::Exact, _) => {
            let _ = writeln!(text, "{documents} compared by file and by text");
        }
        (Method::Fuzzy, _) => {
            let _ = writeln!(
                text,
                "{documents} with plain text; {} with a score of {:.0} or more, {} of them share half of their phrases",
                human::counted(found.candidates, "pair"),
                config.similarity * 100.0,
                human::count(found.verified),
            );
        }
        (Method::Imatch, _) => {
            let _ = writeln!(
                text,
                "{documents} with plain text; {} by signature, {} of them have {} of the smaller text's phrases in common",
                human::counted_as(found.candidates, "match", "matches"),
                human::count(found.verified),
                config.similarity,
            );
        }
        (Method::Shingle, Link::Closure) => {
            let Bands {
                bands,
                rows,
                wanted,
            } = config.bands;
            let _ = writeln!(
                text,
                "{documents} with words linked where {wanted} of {bands} runs of {rows} shingles agree"
            );
        }
        (Method::Shingle, Link::Verified) => {
            let _ = writeln!(
                text,
                "{documents} with words; pairs that share {} of their phrases are found with a probability of {:.4}",
                config.similarity,
                config.bands.recall(config.similarity),
            );
            let _ = writeln!(
                text,
                "{} compared in full, {} near-copies",
                human::counted(found.candidates, "likely pair"),
                human::count(found.verified),
            );
        }
    }
    let _ = writeln!(
        text,
        "{} with {}; the largest has {}",
        human::counted(found.clusters, "cluster"),
        human::counted(found.rows.len() as u64, "page"),
        human::count(found.largest),
    );
    let share = found.removable as f64 / found.pages.max(1) as f64;
    let _ = writeln!(
        text,
        "{} of {} could be dropped ({:.1} %)",
        human::count(found.removable),
        human::counted(found.pages, "page"),
        share * 100.0,
    );
    if let Some((site, removable)) = &found.largest_site {
        let site = if site.is_empty() { "no site" } else { site };
        let line = format!("{} of these are of {site}", human::count(*removable));
        let _ = writeln!(text, "{}", human::one_line(&line));
    }
    if let Lost {
        pages: pages @ 1..,
        reason: Some(reason),
    } = &found.unreadable
    {
        let line = format!(
            "{} could not be read again and were not compared: {reason}",
            human::counted(*pages, "page"),
        );
        let _ = writeln!(text, "{}", human::one_line(&line));
    }
    for warning in &found.warnings {
        let _ = writeln!(text, "warning: {warning}");
    }
    text
}
