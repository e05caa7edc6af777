//! `reprise imatch train`: a lexicon, and the contexts of its terms.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use reprise_engine::convert::Converter;
use reprise_engine::imatch::{
    Bigrams, Choice, Class, ContextConfig, ContextRule, ContextSummary, Documents, Lexicon, Sides,
    Statistics, TermRules, TrainError, TrainOptions, TrainSummary, choose_lexicon, defaults,
};
use reprise_engine::near::Lost;
use reprise_engine::store::PageRef;

use super::super::converting::ConvertFlags;
use super::super::corpora::Corpora;
use super::super::resources::{MemoryFlag, ThreadsFlag};
use super::super::urls::for_each_url;
use crate::exit::Usage;
use crate::{human, input_name, output_file, tally};

/// Choose a lexicon, and count the contexts of its terms.
///
/// Documents are corpora, or anything that index reads. Those of known kind come with --ham and --spam, or
/// with a file of classes; then the terms are chosen that tell most about the kind.
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
    /// Classes of the documents in INPUT: lines of a URL, a tab, and ham or spam
    #[arg(long, alias = "labels", value_name = "FILE", requires = "inputs")]
    classes: Option<PathBuf>,
    /// File for the lexicon; - is standard output
    #[arg(long, short, value_name = "LEXICON", value_parser = output_file::parser())]
    output: PathBuf,
    /// What terms are chosen by: document frequency, or mutual information with the kind
    /// [default: information where both kinds are there]
    #[arg(long, value_enum)]
    by: Option<By>,
    /// Most terms
    #[arg(long, value_name = "N", default_value_t = defaults::TERMS_MAX)]
    size: usize,
    /// Terms in fewer documents are too rare
    #[arg(long, value_name = "N", default_value_t = defaults::DOCUMENTS_MIN)]
    min_documents: u32,
    /// Terms in a larger share of all documents are too common
    #[arg(long, value_name = "X", default_value_t = defaults::SHARE_MAX)]
    max_share: f64,
    /// Most frequent terms within these limits that are passed over; for --by frequency
    #[arg(long, value_name = "N", default_value_t = defaults::RANKS_SKIPPED)]
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
        default_value_t = defaults::CONTEXT_COUNT_MIN,
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

/// Documents, with their class if all have the same one.
struct DocumentSet {
    corpora: Corpora,
    class: Option<Class>,
}

/// The files that are written.
struct Outputs<'a> {
    lexicon: &'a Path,
    contexts: Option<&'a Path>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let options = args.options();
    options.validate().map_err(usage)?;
    let outputs = Outputs::check(args)?;
    let threads = args.threads.count()?;
    let converter = args.convert.converter()?;
    let sets = args.open(threads)?;
    let classes = args.classes.as_deref().map(read_classes).transpose()?;
    let mut statistics = Statistics::within(options.rules, args.memory.bytes()? / 2);
    let mut lost = Lost::default();
    for set in &sets {
        for texts in set.corpora.texts(&converter, threads) {
            let kinds = (classes.as_ref())
                .filter(|_| set.class.is_none())
                .map(|classes| classes_of(texts.corpus, classes))
                .transpose()?
                .unwrap_or_default();
            lost.extend(texts.for_each_terms(&options.rules, |page, terms| {
                let class = set.class.or_else(|| kinds.get(&page).copied());
                statistics.add(terms, class);
            })?);
        }
    }
    if let Some(path) = &args.classes {
        check_classified(path, statistics.documents())?;
    }
    let lexicon = choose_lexicon(&statistics, &options).map_err(usage)?;
    output_file::write(outputs.lexicon, lexicon.to_bytes())?;
    let mut summary = TrainSummary::new(&statistics, &lexicon);
    summary.unreadable = lost.pages;
    if let Some(path) = outputs.contexts {
        let tuning = args.open_tuning(threads)?;
        let corpora: Vec<&Corpora> = match &tuning {
            Some(tuning) => vec![tuning],
            None => sets.iter().map(|set| &set.corpora).collect(),
        };
        let mut bigrams = Bigrams::within(&lexicon, args.memory.bytes()?);
        count_contexts(&mut bigrams, &lexicon, &corpora, &converter, threads)?;
        let contexts = bigrams.contexts(&options.contexts);
        output_file::write(path, contexts.to_bytes())?;
        summary.contexts = Some(ContextSummary::new(&mut bigrams, &contexts));
    }
    if args.json {
        println!("{}", serde_json::to_string(&summary)?);
    } else {
        for set in &sets {
            say_on!("{}", tally::lines(&set.corpora.tally));
        }
        output_file::tell(Some(outputs.told()), &outputs.text(&summary, &lost));
    }
    Ok(ExitCode::SUCCESS)
}
impl Args {
    fn options(&self) -> TrainOptions {
        let flags = &self.context_flags;
        TrainOptions {
            by: self.by.map(|by| match by {
                By::Frequency => Choice::Frequency,
                By::Information => Choice::Information,
            }),
            leaning: self.leaning.map(Kind::class),
            size_max: self.size,
            ranks_skipped: self.skip_ranks,
            documents_min: self.min_documents,
            share_max: self.max_share,
            rules: TermRules {
                drop_numbers: !self.numbers,
                chars_min: self.min_chars,
                chars_max: self.max_chars,
                ..TermRules::DEFAULT
            },
            contexts: ContextConfig {
                rule: match flags.context_share {
                    Some(share) => ContextRule::Share(share),
                    None => ContextRule::Count(flags.context_count),
                },
                sides: match flags.context_sides {
                    OnSides::Either => Sides::Either,
                    OnSides::Both => Sides::Both,
                },
            },
        }
    }

    /// Opens the training set.
    fn open(&self, threads: usize) -> anyhow::Result<Vec<DocumentSet>> {
        let mut sets = Vec::new();
        for (names, class) in [
            (&self.inputs, None),
            (&self.ham, Some(Class::Good)),
            (&self.spam, Some(Class::Bad)),
        ] {
            if !names.is_empty() {
                let corpora = Corpora::open(names, threads, self.memory.bytes()?, false)?;
                sets.push(DocumentSet { corpora, class });
            }
        }
        Ok(sets)
    }

    /// Opens the tuning corpus, if it is not the training set.
    fn open_tuning(&self, threads: usize) -> anyhow::Result<Option<Corpora>> {
        let names = &self.context_flags.tune;
        if names.is_empty() {
            return Ok(None);
        }
        Corpora::open(names, threads, self.memory.bytes()?, false).map(Some)
    }
}

/// Counts the contexts of the lexicon's terms in all texts.
fn count_contexts(
    bigrams: &mut Bigrams,
    lexicon: &Lexicon,
    corpora: &[&Corpora],
    converter: &Converter,
    threads: usize,
) -> anyhow::Result<()> {
    for texts in corpora
        .iter()
        .flat_map(|corpora| corpora.texts(converter, threads))
    {
        texts.for_each_terms(&lexicon.rules(), |_, terms| bigrams.add(terms))?;
    }
    Ok(())
}

/// Adds the flag names to an error about the options.
#[allow(clippy::needless_pass_by_value, reason = "it is what map_err gives")]
fn usage(error: TrainError) -> Usage {
    Usage(match error {
        TrainError::Chars { .. } => "--min-chars is more than --max-chars".to_owned(),
        TrainError::ContextShare { .. } => "--context-share must be from 0 to 1".to_owned(),
        TrainError::UnusedLeaning => "--leaning is for --by information, which needs documents of both kinds: --ham and --spam, or --classes with both".to_owned(),
        TrainError::UnusedRanks => "--skip-ranks is for --by frequency".to_owned(),
        error => error.to_string(),
    })
}

impl<'a> Outputs<'a> {
    fn check(args: &'a Args) -> Result<Self, Usage> {
        let outputs = Self {
            lexicon: &args.output,
            contexts: args.context_flags.contexts.as_deref(),
        };
        output_file::check_apart(&[
            ("--output", Some(outputs.lexicon)),
            ("--contexts", outputs.contexts),
        ])?;
        for output in outputs.contexts.into_iter().chain([outputs.lexicon]) {
            output_file::check_json(output, args.json)?;
        }
        Ok(outputs)
    }

    /// Returns the output that is standard output, if there is one.
    fn told(&self) -> &Path {
        let standard = (self.contexts).filter(|path| output_file::is_standard(path));
        standard.unwrap_or(self.lexicon)
    }

    fn text(&self, summary: &TrainSummary, lost: &Lost) -> String {
        let mut text = String::new();
        let TrainSummary { ham, spam, .. } = summary;
        let kinds = if ham + spam > 0 {
            format!(" ({ham} ham, {spam} spam)")
        } else {
            String::new()
        };
        let _ = writeln!(
            text,
            "{} of {} in {}{kinds} chosen by {}, written to {} ({} in memory)",
            human::counted(summary.terms as u64, "term"),
            human::count(summary.distinct_terms as u64),
            human::counted(u64::from(summary.documents), "document"),
            summary.choice,
            human::one_line(&output_file::name(self.lexicon)),
            human::bytes(summary.lexicon_bytes as u64),
        );
        if summary.counts_lost > 0 {
            let _ = writeln!(
                text,
                "warning: not all terms fit in memory; counts may be {} too small (--memory)",
                summary.counts_lost
            );
        }
        if let (Some(contexts), Some(path)) = (&summary.contexts, self.contexts) {
            text += &contexts_text(contexts, path);
        }
        if let Some(reason) = &lost.reason {
            let line = format!(
                "{} could not be read: {reason}",
                human::counted(lost.pages, "page")
            );
            let _ = writeln!(text, "{}", human::one_line(&line));
        }
        text
    }
}

fn contexts_text(contexts: &ContextSummary, path: &Path) -> String {
    let mut text = format!(
        "{} in {}, written to {} ({} in memory)\n",
        human::counted(contexts.contexts as u64, "context"),
        human::counted(contexts.documents, "document"),
        human::one_line(&path.display().to_string()),
        human::bytes(contexts.bytes as u64),
    );
    let coverage: Vec<String> = (contexts.coverage.iter())
        .map(|(contexts, share)| format!("{contexts}: {:.0} %", share * 100.0))
        .collect();
    let _ = writeln!(
        text,
        "share of a term's usage by its most frequent contexts: {}",
        coverage.join(", ")
    );
    if contexts.counts_lost > 0 {
        let _ = writeln!(
            text,
            "warning: contexts did not fit in memory; counts may be {} too small (--memory)",
            contexts.counts_lost
        );
    }
    if contexts.contexts == 0 {
        let _ = writeln!(
            text,
            "warning: no context is frequent enough, so no document will have a signature; lower --context-count, or tune on more documents"
        );
    }
    text
}

/// Refuses a file of classes that names none of the documents.
fn check_classified(path: &Path, documents: Documents) -> Result<(), Usage> {
    if documents.good + documents.bad > 0 {
        return Ok(());
    }
    let path = path.display();
    Err(Usage(format!(
        "no URL in {path} is the URL of one of these documents; URLs must be as `reprise export --table pages` prints them"
    )))
}

/// Reads the classes of URLs.
fn read_classes(path: &Path) -> anyhow::Result<HashMap<Vec<u8>, Class>> {
    let bytes = fs::read(path)
        .map_err(|error| Usage(format!("cannot read {}: {error}", path.display())))?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let mut classes = HashMap::new();
    for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        let tab = line.iter().rposition(|&byte| byte == b'\t');
        let columns = tab.map(|tab| (line[..tab].to_vec(), &line[tab + 1..]));
        let (url, class) = match columns {
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
        if classes
            .insert(url, class)
            .is_some_and(|other| other != class)
        {
            let path = path.display();
            let message =
                format!("{path}, line {number}: the URL is classified as both ham and spam");
            return Err(Usage(message).into());
        }
    }
    Ok(classes)
}

fn classes_of(
    corpus: &reprise_engine::store::Corpus,
    classes: &HashMap<Vec<u8>, Class>,
) -> anyhow::Result<HashMap<PageRef, Class>> {
    let mut found = HashMap::new();
    for_each_url(corpus, |page, url| {
        if let Some(&class) = classes.get(url) {
            found.insert(page, class);
        }
        Ok(())
    })?;
    Ok(found)
}
