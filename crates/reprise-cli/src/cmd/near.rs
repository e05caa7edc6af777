//! `reprise near`: pages that are nearly the same.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use reprise_engine::results::{LinkKind, NearCopies, NearMethod};
use reprise_engine::signatures::Signing;
use reprise_engine::{Bands, Corpus, Format, Keep, Link, Near, NearOptions, Progress, defaults};

use crate::console::Console;
use crate::failure::Usage;
use crate::flags::{ConvertFlags, MemoryFlag, SignFlags, ThreadsFlag, resources};
use crate::human;
use crate::output::{self, FormatFlag};

/// Find pages that are nearly the same, and choose the one to keep
///
/// The method shingle needs a corpus that was indexed with --shingles. It finds candidates by their shingles, reads
/// their full texts from the archives, and compares them. Each cluster has one page to keep, its representative, with which
/// every other page of the cluster was compared.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory of the corpus
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,
    /// File for the clusters: .parquet (which drop reads), .jsonl or .csv
    #[arg(long, short, value_name = "CLUSTERS", value_parser = output::parser())]
    output: Option<PathBuf>,
    /// Method that finds near-copies
    #[arg(long, value_enum, default_value_t = Method::Shingle)]
    method: Method,
    /// shingle: pages are near-copies from this Jaccard similarity of their phrases on, from 0.1 to 1
    #[arg(long, value_name = "X")]
    similarity: Option<f64>,
    /// fuzzy: pages are near-copies from this score on, from 1 to 100
    #[arg(long, value_name = "N")]
    score: Option<u8>,
    /// imatch: two texts are one campaign only if the larger one has at least this share of the smaller one's phrases,
    /// from 0 to 1
    #[arg(long, value_name = "X")]
    shared: Option<f64>,
    /// Page of a cluster that is kept; none drops nothing, and only lists the clusters
    #[arg(long, value_name = "first|longest|oldest|none", default_value_t = defaults::near::KEEP)]
    keep: Keep,
    /// File for the URLs of all pages that are kept, one per line
    #[arg(long, value_name = "FILE", value_parser = output::parser())]
    keep_list: Option<PathBuf>,
    /// File for the URLs of the pages that can be dropped, one per line
    #[arg(long, value_name = "FILE", value_parser = output::parser())]
    drop_list: Option<PathBuf>,
    /// shingle: verified compares each page with its representative; closure puts A and C together if A is like B and
    /// B is like C, without comparing A and C
    #[arg(long, value_enum, default_value_t = LinkFlag::Verified, hide_short_help = true)]
    link: LinkFlag,
    #[command(flatten)]
    format: FormatFlag,
    #[command(flatten)]
    convert: ConvertFlags,
    #[command(flatten)]
    threads: ThreadsFlag,
    #[command(flatten)]
    memory: MemoryFlag,
    #[command(flatten, next_help_heading = "With --method imatch")]
    sign: SignFlags,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Method {
    /// Phrases of the visible text
    Shingle,
    /// Fuzzy hashes of the plain text, also of PDF, DOCX and other documents
    Fuzzy,
    /// Signatures of lexicon terms: campaigns with noise around their text
    Imatch,
    /// The same file, or the same words
    Exact,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LinkFlag {
    Verified,
    Closure,
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        self.check(console)?;
        let resources = resources(self.memory, self.threads);
        let corpus = Corpus::open(&self.corpus)?.with_resources(resources)?;
        let options = NearOptions {
            keep: self.keep,
            convert: self.convert.options()?,
        };
        let file = (self.output.as_deref())
            .map(|path| self.format.file(path, Format::Parquet))
            .transpose()?;
        let bar = console.bar();
        let signing = self.signing(&corpus, &options, &bar)?;
        let method = self.near(signing.as_ref());
        let found = corpus.near(&method, &options, file.as_ref(), &bar)?;
        if let Some(path) = &self.keep_list {
            corpus.write_keep_list(&found, path)?;
        }
        if let Some(path) = &self.drop_list {
            corpus.write_drop_list(&found, path)?;
        }
        bar.finish();
        let standard = self.outputs().into_iter().filter_map(|(_, path)| path);
        let standard = standard.into_iter().find(|path| output::is_standard(path));
        console.print(&found.copies, standard, || text(&found.copies, self.keep))?;
        if let Some(path) = &self.output {
            console.say(format!("clusters written to {}", output::name(path)));
        }
        Ok(ExitCode::SUCCESS)
    }

    fn outputs(&self) -> [(&'static str, Option<&Path>); 3] {
        [
            ("--output", self.output.as_deref()),
            ("--keep-list", self.keep_list.as_deref()),
            ("--drop-list", self.drop_list.as_deref()),
        ]
    }

    /// Refuses flags that contradict each other.
    fn check(&self, console: Console) -> Result<(), Usage> {
        output::check_apart(&self.outputs())?;
        for (_, path) in self.outputs() {
            output::check_json(path, console.json)?;
        }
        let is_closure = self.link == LinkFlag::Closure;
        for (flag, method) in [
            (self.similarity.map(|_| "--similarity"), Method::Shingle),
            (is_closure.then_some("--link closure"), Method::Shingle),
            (self.score.map(|_| "--score"), Method::Fuzzy),
            (self.shared.map(|_| "--shared"), Method::Imatch),
            (self.sign.given(), Method::Imatch),
        ] {
            if let Some(flag) = flag.filter(|_| method != self.method) {
                let needed = method.to_possible_value();
                let needed = needed.map_or(String::new(), |value| value.get_name().to_owned());
                return Err(Usage(format!(
                    "{flag} needs --method {needed}; use it, or remove {flag}"
                )));
            }
        }
        Ok(())
    }

    fn signing(
        &self,
        corpus: &Corpus,
        options: &NearOptions,
        progress: &dyn Progress,
    ) -> anyhow::Result<Option<Signing>> {
        (self.method == Method::Imatch)
            .then(|| self.sign.read_or_train(corpus, &options.convert, progress))
            .transpose()
    }

    fn near<'s>(&self, signing: Option<&'s Signing>) -> Near<'s> {
        match (self.method, signing) {
            (Method::Fuzzy, _) => Near::Fuzzy {
                score: self.score.unwrap_or(defaults::near::SCORE),
            },
            (Method::Imatch, Some(signing)) => Near::Imatch {
                shared: self.shared.unwrap_or(defaults::near::SHARED),
                signing,
            },
            (Method::Exact, _) => Near::Exact,
            _ => Near::Shingle { link: self.link() },
        }
    }

    fn link(&self) -> Link {
        match (self.link, self.similarity) {
            (LinkFlag::Verified, similarity) => Link::Verified {
                similarity: similarity.unwrap_or(defaults::near::SIMILARITY),
            },
            (LinkFlag::Closure, None) => Link::Closure {
                bands: Bands::PAPER,
            },
            (LinkFlag::Closure, Some(similarity)) => Link::Closure {
                bands: Bands::for_similarity(similarity),
            },
        }
    }
}

/// Returns the result as text.
fn text(found: &NearCopies, keep: Keep) -> String {
    let mut text = compared(found);
    let _ = writeln!(
        text,
        "{} with {}; the largest has {}",
        human::counted(found.clusters, "cluster"),
        human::counted(found.in_clusters, "page"),
        human::count(found.largest),
    );
    let share = found.removable as f64 / found.pages.max(1) as f64;
    let note = match keep {
        Keep::None => "; with --keep none, nothing is dropped",
        _ => "",
    };
    let _ = writeln!(
        text,
        "{} of {} can be dropped ({}){note}",
        human::count(found.removable),
        human::counted(found.pages, "page"),
        human::percent(share),
    );
    if let Some(largest) = &found.largest_site {
        let number = human::count(largest.removable);
        let line = match largest.site.as_str() {
            "" => format!("{number} of these have no site"),
            site => format!("{number} of these are on {site}"),
        };
        let _ = writeln!(text, "{}", human::one_line(&line));
    }
    if let Some(reason) = &found.unreadable_reason {
        let line = format!(
            "{} could not be read again and were not compared: {reason}",
            human::counted(found.unreadable, "page"),
        );
        let _ = writeln!(text, "{}", human::one_line(&line));
    }
    for warning in &found.warnings {
        let _ = writeln!(text, "warning: {warning}");
    }
    text
}

/// Returns what was compared, as one or two lines.
fn compared(found: &NearCopies) -> String {
    let documents = human::counted(found.documents, "page");
    let candidates = human::counted(found.candidates, "candidate pair");
    let verified = human::count(found.verified);
    match (found.method, found.link, found.bands) {
        (NearMethod::Exact, ..) => format!("{documents} compared by file and by words\n"),
        (NearMethod::Fuzzy, ..) => format!(
            "{documents} with plain text; {candidates} with a score of at least {}, {verified} of them share half of \
             their phrases (of pages with the same text, only one is compared)\n",
            found.score.unwrap_or_default(),
        ),
        (NearMethod::Imatch, ..) => format!(
            "{documents} with plain text; {candidates} with a signature in common, {verified} of them share at least {} \
             of the smaller text's phrases (of pages with the same text, only one is compared)\n",
            human::percent(found.shared.unwrap_or_default()),
        ),
        (NearMethod::Shingle, LinkKind::Closure, Some(bands)) => format!(
            "{documents} with words; two pages are linked if {} of {} runs of {} shingles agree\n",
            bands.agreeing, bands.bands, bands.rows,
        ),
        (NearMethod::Shingle, ..) => format!(
            "{documents} with words; {verified} of {candidates} are at least {} similar (of pages with the same words, \
             only one is compared)\n\
             a pair with exactly this similarity becomes a candidate with a probability of {:.2}%\n",
            human::percent(found.similarity.unwrap_or_default()),
            found.expected_recall.unwrap_or_default() * 100.0,
        ),
    }
}
