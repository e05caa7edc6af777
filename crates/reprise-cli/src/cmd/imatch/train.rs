//! `reprise imatch train`: a lexicon, and the contexts of its terms.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use reprise_engine::convert::Converter;
use reprise_engine::imatch::{
    Bigrams, Class, ContextConfig, ContextRule, Contexts, Documents, FrequencyConfig,
    InformationConfig, Lexicon, Sides, Statistics, TermRules, TopCoverage, coverage_by_top,
    train_by_frequency, train_by_information,
};
use reprise_engine::near::Lost;
use reprise_engine::store::PageRef;
use serde::Serialize;

use super::super::converting::ConvertFlags;
use super::super::corpora::Corpora;
use super::super::resources::{MemoryFlag, ThreadsFlag};
use super::super::signing::TERMS_MAX;
use super::super::urls::for_each_url;
use crate::exit::Usage;
use crate::{human, input_name, output_file, tally};

/// The shares of usage that are covered by so many contexts of each term: the paper's figure 1.
const TOPS: [usize; 8] = [1, 5, 10, 20, 40, 80, 160, 320];
/// Bytes that a context takes while they are counted: its row twice over, and a share of its word.
const CONTEXT_BYTES: usize = 48;

/// Choose a lexicon, and count the contexts of its terms.
///
/// Documents are corpora, or anything that index reads. Those of known kind come with --ham and --spam, or
/// with a file of labels; then the terms are chosen that tell most about the kind.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Corpora, or files and directories in any form that index reads
    #[arg(value_name = "INPUT", required_unless_present_any = ["ham", "spam"], value_parser = input_name::parser())]
    inputs: Vec<String>,
    /// Wanted documents
    #[arg(long, value_name = "INPUT", value_parser = input_name::parser())]
    ham: Vec<String>,
    /// Unwanted documents
    #[arg(long, value_name = "INPUT", value_parser = input_name::parser())]
    spam: Vec<String>,
    /// Kinds of the documents in INPUT: lines of a URL, a tab, and ham or spam
    #[arg(long, value_name = "FILE", requires = "inputs")]
    labels: Option<PathBuf>,
    /// File for the lexicon; - is standard output
    #[arg(long, short, value_name = "LEXICON", value_parser = output_file::parser())]
    output: PathBuf,
    /// What terms are chosen by: document frequency, or mutual information with the kind
    /// [default: information where both kinds are there]
    #[arg(long, value_enum)]
    by: Option<By>,
    /// Most terms
    #[arg(long, value_name = "N", default_value_t = TERMS_MAX)]
    size: usize,
    /// Terms in fewer documents are too rare
    #[arg(long, value_name = "N", default_value_t = 2)]
    min_documents: u32,
    /// Terms in a larger share of all documents are too common
    #[arg(long, value_name = "X", default_value_t = 0.5)]
    max_share: f64,
    /// Most frequent terms within these limits that are passed over; for --by frequency
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip_ranks: usize,
    /// Only terms that are more typical of this kind; for --by information
    #[arg(long, value_enum)]
    leaning: Option<Kind>,
    /// Terms with fewer characters are left out, but for scripts without spaces
    #[arg(long, value_name = "N", default_value_t = TermRules::DEFAULT.chars_min)]
    min_chars: u32,
    /// Terms with more characters are left out
    #[arg(long, value_name = "N", default_value_t = TermRules::DEFAULT.chars_max)]
    max_chars: u32,
    /// Keep numbers as terms
    #[arg(long)]
    numbers: bool,
    #[command(flatten)]
    threads: ThreadsFlag,
    #[command(flatten)]
    convert: ConvertFlags,
    #[command(flatten)]
    memory: MemoryFlag,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten, next_help_heading = "Contexts")]
    context_flags: ContextFlags,
}

/// Which contexts are counted, and where.
#[derive(clap::Args)]
struct ContextFlags {
    /// File for the contexts: neighbours beside which a term counts
    #[arg(long, value_name = "FILE", value_parser = output_file::parser())]
    contexts: Option<PathBuf>,
    /// Corpora or inputs in which neighbours are counted [default: all that the lexicon is trained on]
    #[arg(long, value_name = "INPUT", requires = "contexts", value_parser = input_name::parser())]
    tune: Vec<String>,
    /// A neighbour is valid if it was seen so often beside the term
    #[arg(
        long,
        value_name = "N",
        default_value_t = 15,
        requires = "contexts",
        conflicts_with = "context_share"
    )]
    context_count: u32,
    /// A neighbour is valid if it was seen at this share of the term's occurrences
    #[arg(long, value_name = "X", requires = "contexts")]
    context_share: Option<f64>,
    /// On how many sides of an occurrence there must be a valid neighbour
    #[arg(long, value_enum, default_value_t = OnSides::Either, requires = "contexts")]
    context_sides: OnSides,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    Frequency,
    Information,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    Ham,
    Spam,
}

#[derive(Clone, Copy, ValueEnum)]
enum OnSides {
    Either,
    Both,
}

impl Kind {
    fn class(self) -> Class {
        match self {
            Kind::Ham => Class::Good,
            Kind::Spam => Class::Bad,
        }
    }
}

#[derive(Serialize)]
struct Json {
    documents: u32,
    ham: u32,
    spam: u32,
    distinct_terms: usize,
    counts_lost: u32,
    terms: usize,
    choice: &'static str,
    unreadable: u64,
    lexicon_bytes: usize,
    contexts: Option<JsonContexts>,
}

#[derive(Serialize)]
struct JsonContexts {
    documents: u64,
    contexts: usize,
    bytes: usize,
    counts_lost: u32,
    coverage: Vec<(usize, f64)>,
}

/// Documents with what is known of their kind.
struct Labelled {
    corpora: Corpora,
    kind: Option<Class>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let rules = args.rules()?;
    output_file::check_apart(&[
        ("--output", Some(&args.output)),
        ("--contexts", args.context_flags.contexts.as_deref()),
    ])?;
    let contexts = args.context_flags.contexts.as_deref();
    for output in contexts.into_iter().chain([args.output.as_path()]) {
        output_file::check_json(output, args.json)?;
    }
    let threads = args.threads.count()?;
    let converter = args.convert.converter()?;
    let mut sets = Vec::new();
    for (names, kind) in [
        (&args.inputs, None),
        (&args.ham, Some(Class::Good)),
        (&args.spam, Some(Class::Bad)),
    ] {
        if !names.is_empty() {
            let corpora = Corpora::open(names, threads, args.memory.bytes()?, false)?;
            sets.push(Labelled { corpora, kind });
        }
    }
    let labels = args.labels.as_deref().map(read_labels).transpose()?;
    let mut statistics = Statistics::within(rules, args.memory.bytes()? / 2);
    let mut lost = Lost::default();
    for set in &sets {
        for texts in set.corpora.texts(&converter, threads) {
            let kinds = (labels.as_ref())
                .filter(|_| set.kind.is_none())
                .map(|labels| kinds_of(texts.corpus, labels))
                .transpose()?
                .unwrap_or_default();
            lost.extend(texts.for_each_terms(&rules, |page, terms| {
                let kind = set.kind.or_else(|| kinds.get(&page).copied());
                statistics.add(terms, kind);
            })?);
        }
    }
    if let Some(path) = &args.labels {
        check_labelled(path, statistics.documents())?;
    }
    let lexicon = args.choose(&statistics)?;
    output_file::write(&args.output, lexicon.to_bytes())?;
    let mut counted = None;
    if let Some(path) = &args.context_flags.contexts {
        let found = args.count_contexts(&lexicon, &sets, &converter, threads)?;
        output_file::write(path, found.contexts.to_bytes())?;
        counted = Some(found);
    }
    let made = Made {
        documents: statistics.documents(),
        distinct: statistics.distinct(),
        counts_lost: statistics.lost(),
        lexicon,
        counted,
        lost,
    };
    if args.json {
        println!("{}", serde_json::to_string(&made.json())?);
    } else {
        for set in &sets {
            say_on!("{}", tally::lines(&set.corpora.tally));
        }
        let standard = contexts.filter(|path| output_file::is_standard(path));
        output_file::tell(standard.or(Some(&args.output)), &made.text(args));
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn rules(&self) -> Result<TermRules, Usage> {
        if self.min_chars > self.max_chars {
            return Err(Usage("--min-chars is more than --max-chars".to_owned()));
        }
        if self
            .context_flags
            .context_share
            .is_some_and(|share| !(0.0..=1.0).contains(&share))
        {
            return Err(Usage("--context-share must be from 0 to 1".to_owned()));
        }
        Ok(TermRules {
            drop_numbers: !self.numbers,
            chars_min: self.min_chars,
            chars_max: self.max_chars,
            ..TermRules::DEFAULT
        })
    }

    fn choose(&self, statistics: &Statistics) -> Result<Lexicon, Usage> {
        let documents = statistics.documents();
        let by = self
            .by
            .unwrap_or(if documents.good > 0 && documents.bad > 0 {
                By::Information
            } else {
                By::Frequency
            });
        let unused = match by {
            By::Frequency if self.leaning.is_some() => Some(
                "--leaning is for --by information, which needs documents of both kinds: --ham and --spam, or --labels with both",
            ),
            By::Information if self.skip_ranks > 0 => Some("--skip-ranks is for --by frequency"),
            _ => None,
        };
        if let Some(message) = unused {
            return Err(Usage(message.to_owned()));
        }
        let lexicon = match by {
            By::Frequency => train_by_frequency(
                statistics,
                &FrequencyConfig {
                    ranks_skipped: self.skip_ranks,
                    size_max: self.size,
                    documents_min: self.min_documents,
                    share_max: self.max_share,
                },
            ),
            By::Information => train_by_information(
                statistics,
                &InformationConfig {
                    leaning: self.leaning.map(Kind::class),
                    size_max: self.size,
                    documents_min: self.min_documents,
                    share_max: self.max_share,
                },
            ),
        };
        lexicon.map_err(|error| Usage(error.to_string()))
    }

    fn count_contexts(
        &self,
        lexicon: &Lexicon,
        sets: &[Labelled],
        converter: &Converter,
        threads: usize,
    ) -> anyhow::Result<Counted> {
        let flags = &self.context_flags;
        let config = ContextConfig {
            rule: match flags.context_share {
                Some(share) => ContextRule::Share(share),
                None => ContextRule::Count(flags.context_count),
            },
            sides: match flags.context_sides {
                OnSides::Either => Sides::Either,
                OnSides::Both => Sides::Both,
            },
        };
        let tuned = if flags.tune.is_empty() {
            None
        } else {
            Some(Corpora::open(
                &flags.tune,
                threads,
                self.memory.bytes()?,
                false,
            )?)
        };
        let corpora: Vec<&Corpora> = match &tuned {
            Some(tuned) => vec![tuned],
            None => sets.iter().map(|set| &set.corpora).collect(),
        };
        let mut bigrams = Bigrams::new(lexicon, self.memory.bytes()? / CONTEXT_BYTES);
        for texts in corpora
            .iter()
            .flat_map(|corpora| corpora.texts(converter, threads))
        {
            texts.for_each_terms(&lexicon.rules(), |_, terms| bigrams.add(terms))?;
        }
        let contexts = bigrams.contexts(&config);
        Ok(Counted {
            contexts,
            coverage: coverage_by_top(&mut bigrams, &TOPS),
            lost: bigrams.lost(),
        })
    }
}

/// Contexts, and how much of the terms' usage the most frequent ones cover.
struct Counted {
    contexts: Contexts,
    coverage: Vec<TopCoverage>,
    lost: u32,
}

/// What was trained.
struct Made {
    documents: Documents,
    distinct: usize,
    counts_lost: u32,
    lexicon: Lexicon,
    counted: Option<Counted>,
    lost: Lost,
}

impl Made {
    fn choice(&self) -> &'static str {
        match self.lexicon.choice() {
            reprise_engine::imatch::Choice::Frequency => "frequency",
            reprise_engine::imatch::Choice::Information => "information",
        }
    }

    fn json(&self) -> Json {
        Json {
            documents: self.documents.all,
            ham: self.documents.good,
            spam: self.documents.bad,
            distinct_terms: self.distinct,
            counts_lost: self.counts_lost,
            terms: self.lexicon.len(),
            choice: self.choice(),
            unreadable: self.lost.pages,
            lexicon_bytes: self.lexicon.bytes(),
            contexts: self.counted.as_ref().map(|counted| JsonContexts {
                documents: counted.contexts.documents(),
                contexts: counted.contexts.len(),
                bytes: counted.contexts.bytes(),
                counts_lost: counted.lost,
                coverage: (counted.coverage.iter())
                    .map(|top| (top.contexts, top.mean))
                    .collect(),
            }),
        }
    }

    fn text(&self, args: &Args) -> String {
        let mut text = String::new();
        let Documents { all, good, bad } = self.documents;
        let kinds = if good + bad > 0 {
            format!(" ({good} ham, {bad} spam)")
        } else {
            String::new()
        };
        let _ = writeln!(
            text,
            "{} of {} in {}{kinds} chosen by {}, written to {} ({} in memory)",
            human::counted(self.lexicon.len() as u64, "term"),
            human::count(self.distinct as u64),
            human::counted(u64::from(all), "document"),
            self.choice(),
            human::one_line(&output_file::name(&args.output)),
            human::bytes(self.lexicon.bytes() as u64),
        );
        if self.counts_lost > 0 {
            let _ = writeln!(
                text,
                "warning: not all terms fit in memory; counts may be {} too small (--memory)",
                self.counts_lost
            );
        }
        if let (Some(counted), Some(path)) = (&self.counted, &args.context_flags.contexts) {
            let _ = writeln!(
                text,
                "{} in {}, written to {} ({} in memory)",
                human::counted(counted.contexts.len() as u64, "context"),
                human::counted(counted.contexts.documents(), "document"),
                human::one_line(&path.display().to_string()),
                human::bytes(counted.contexts.bytes() as u64),
            );
            let coverage: Vec<String> = (counted.coverage.iter())
                .map(|top| format!("{}: {:.0} %", top.contexts, top.mean * 100.0))
                .collect();
            let _ = writeln!(
                text,
                "share of a term's usage by its most frequent contexts: {}",
                coverage.join(", ")
            );
            if counted.lost > 0 {
                let _ = writeln!(
                    text,
                    "warning: contexts did not fit in memory; counts may be {} too small (--memory)",
                    counted.lost
                );
            }
            if counted.contexts.is_empty() {
                let _ = writeln!(
                    text,
                    "warning: no context is frequent enough, so no document will have a signature; lower --context-count, or tune on more documents"
                );
            }
        }
        if let Some(reason) = &self.lost.reason {
            let line = format!(
                "{} could not be read: {reason}",
                human::counted(self.lost.pages, "page")
            );
            let _ = writeln!(text, "{}", human::one_line(&line));
        }
        text
    }
}

/// Labels of which none is of use are the labels of something else.
fn check_labelled(path: &Path, documents: Documents) -> Result<(), Usage> {
    if documents.good + documents.bad > 0 {
        return Ok(());
    }
    let path = path.display();
    Err(Usage(format!(
        "no label in {path} is of one of these documents; URLs must be as `reprise export --table pages` prints them"
    )))
}

/// URLs with their kinds.
fn read_labels(path: &Path) -> anyhow::Result<HashMap<Vec<u8>, Class>> {
    let bytes = fs::read(path)
        .map_err(|error| Usage(format!("cannot read {}: {error}", path.display())))?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let mut labels = HashMap::new();
    for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        let tab = line.iter().rposition(|&byte| byte == b'\t');
        let kind = tab.map(|tab| (line[..tab].to_vec(), &line[tab + 1..]));
        let (url, kind) = match kind {
            Some((url, b"ham" | b"good")) => (url, Class::Good),
            Some((url, b"spam" | b"bad")) => (url, Class::Bad),
            _ => {
                let path = path.display();
                return Err(Usage(format!(
                    "{path}, line {number}: expected a URL, a tab, and ham or spam"
                ))
                .into());
            }
        };
        if labels.insert(url, kind).is_some_and(|other| other != kind) {
            let path = path.display();
            let message = format!("{path}, line {number}: the URL is labelled both ham and spam");
            return Err(Usage(message).into());
        }
    }
    Ok(labels)
}

fn kinds_of(
    corpus: &reprise_engine::store::Corpus,
    labels: &HashMap<Vec<u8>, Class>,
) -> anyhow::Result<HashMap<PageRef, Class>> {
    let mut kinds = HashMap::new();
    for_each_url(corpus, |page, url| {
        if let Some(&kind) = labels.get(url) {
            kinds.insert(page, kind);
        }
        Ok(())
    })?;
    Ok(kinds)
}
