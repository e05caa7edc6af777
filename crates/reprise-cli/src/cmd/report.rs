//! `reprise report` and the second half of `reprise scan`: discover, detect, and one HTML file.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use reprise_engine::detect::{Detection, detect};
use reprise_engine::discover::{
    CountBy, DiscoverConfig, Discovery, StopRules, Threshold, discover,
};
use reprise_engine::imatch::defaults::RANDOMISED_LEXICONS;
use reprise_engine::index::tally_of;
use reprise_engine::ingest::Tally;
use reprise_engine::near::{
    Bands, Keep, Link, Method, NearConfig, SHARED_DEFAULT, SIMILARITY_DEFAULT, near, near_imatch,
    write_clusters,
};
use reprise_engine::popular::PopularConfig;
use reprise_engine::report::{
    Findings, SignedWith, campaigns, html, is_mail, near_copies, phrase_findings, report_of,
};
use reprise_engine::store::{Corpus, Labels, LabelsHeader, LabelsWriter, Level, Origin};
use reprise_engine::{ArchivePhrases, ArchiveTexts, Phrases};

use super::converting::ConvertFlags;
use super::detect::Rules;
use super::filters::{StopFlags, read_limits};
use super::phrases::MIN_DOCUMENTS;
use super::resources::{MemoryFlag, cores};
use super::signing::SignFlags;
use crate::{output_file, tally};

/// Characters that a chunk must have before a report calls it copied: shorter ones are headings,
/// buttons and dates, which every site has.
const MIN_LENGTH: u64 = 40;

/// Write one HTML file with everything that is copied in a corpus; it works offline.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory of the corpus
    #[arg(value_name = "DIR")]
    corpus: PathBuf,
    /// The file to write; - is standard output
    #[arg(long, short, value_name = "FILE.html", value_parser = output_file::parser())]
    output: PathBuf,
    #[command(flatten)]
    memory: MemoryFlag,
    #[command(flatten)]
    how: How,
}

/// How a report is made.
#[derive(clap::Args, Clone)]
pub(crate) struct How {
    /// Labels to look for, instead of discovering them
    #[arg(long, value_name = "LABELS")]
    labels: Option<PathBuf>,
    /// Label what has a higher count; auto grows with the corpus
    #[arg(long, value_name = "N|auto", default_value = "auto")]
    threshold: Threshold,
    /// How chunks are counted; sites tells copying from templates
    #[arg(long, value_name = "occurrences|pages|sites", default_value_t = CountBy::Sites)]
    count: CountBy,
    #[command(flatten)]
    rules: Rules,
    #[command(flatten)]
    stop: StopFlags,
    #[command(
        flatten,
        next_help_heading = "Campaigns, which are looked for in mail, and wherever one of these is given"
    )]
    sign: SignFlags,
}

/// What a report is made of.
pub(crate) struct Results {
    pub(crate) discovery: Discovery,
    pub(crate) detection: Detection,
    pub(crate) report: html::Report,
    pub(crate) labels: u64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let corpus = Corpus::open(&args.corpus)?;
    let scratch = tempfile::tempdir().context("cannot make a temporary directory")?;
    let memory = args.memory.bytes()?;
    let labels = scratch.path().join("labels.parquet");
    let results = make(&corpus, &args.how, &labels, None, memory)?;
    write(&args.output, &results.report)?;
    say!("report written to {}", output_file::name(&args.output));
    Ok(ExitCode::SUCCESS)
}

/// Writes the report.
pub(crate) fn write(path: &Path, report: &html::Report) -> anyhow::Result<()> {
    output_file::write(path, html::render(report))
}

/// Discovers and detects; the labels go into `labels`, the tables into `tables`.
pub(crate) fn make(
    corpus: &Corpus,
    how: &How,
    labels: &Path,
    tables: Option<&Path>,
    memory_bytes: usize,
) -> anyhow::Result<Results> {
    let stop = how.stop.rules(MIN_LENGTH, corpus.settings())?;
    let config = DiscoverConfig {
        level: Level::Chunk,
        count: how.count,
        threshold: how.threshold,
        stop: stop.clone(),
        top: 30,
        memory_bytes,
    };
    let header = LabelsHeader::new(corpus.settings(), Origin::Discovered, stop.min_length);
    let mut writer = LabelsWriter::create(labels, &header)?;
    let discovery = discover(corpus, &config, Some(&mut writer))?;
    writer.finish()?;
    let (labels, stop) = match &how.labels {
        None => (Labels::open(labels)?, stop),
        Some(path) => {
            let labels = Labels::open(path)?;
            let rules = how
                .stop
                .rules(labels.header().min_length, corpus.settings())?;
            (labels, rules)
        }
    };
    let results = detect_for_report(corpus, how, &labels, stop, tables, memory_bytes)?;
    let likeness = (corpus.has_shingles())
        .then(|| Likeness::find(corpus, tables, memory_bytes))
        .transpose()?;
    let is_auto = how.threshold == Threshold::Auto;
    let findings = Findings {
        discovery: &discovery,
        is_auto,
        detection: &results,
        labels: labels.rows(),
        badness: how.rules.badness.as_str(),
        skipped: skipped(corpus),
        near: likeness.as_ref().map(|likeness| likeness.near.clone()),
        phrases: likeness.map(|likeness| likeness.phrases),
        campaigns: find_campaigns(corpus, how, tables, memory_bytes)?,
    };
    let report = report_of(corpus, findings, &read_limits())?;
    Ok(Results {
        discovery,
        detection: results,
        report,
        labels: labels.rows(),
    })
}

/// Near-copies and shared phrases.
struct Likeness {
    near: html::NearCopies,
    phrases: html::PhraseFindings,
}

impl Likeness {
    /// Finds them; the clusters go into `tables`.
    fn find(
        corpus: &Corpus,
        tables: Option<&Path>,
        memory_bytes: usize,
    ) -> anyhow::Result<Likeness> {
        let temporary = tables.map_or_else(std::env::temp_dir, Path::to_owned);
        let config = NearConfig {
            method: Method::Shingle,
            link: Link::Verified,
            similarity: SIMILARITY_DEFAULT,
            bands: Bands::for_similarity(SIMILARITY_DEFAULT),
            keep: Keep::First,
            memory_bytes,
            temporary: temporary.clone(),
        };
        let source = ArchivePhrases {
            corpus,
            limits: read_limits(),
            threads: cores(),
        };
        let found = near(corpus, &source, &config)?;
        if let Some(tables) = tables {
            let path = tables.join("clusters.parquet");
            write_clusters(corpus, &found, config.method.as_str(), &path)?;
        }
        let popular = PopularConfig {
            min_documents: MIN_DOCUMENTS,
            top: 30,
            samples: 3,
            memory_bytes,
        };
        let phrases = Phrases::read(corpus, read_limits(), &popular, &temporary)?;
        Ok(Likeness {
            near: near_copies(corpus, &found, &config)?,
            phrases: phrase_findings(&phrases, MIN_DOCUMENTS)?,
        })
    }
}

/// Campaigns by signature, where they are asked for or the corpus is mail.
fn find_campaigns(
    corpus: &Corpus,
    how: &How,
    tables: Option<&Path>,
    memory_bytes: usize,
) -> anyhow::Result<Option<html::Campaigns>> {
    if !how.sign.is_given() && !is_mail(corpus)? {
        return Ok(None);
    }
    let texts = || -> anyhow::Result<ArchiveTexts<'_>> {
        Ok(ArchiveTexts {
            corpus,
            limits: read_limits(),
            threads: cores(),
            converter: ConvertFlags::default().converter()?,
        })
    };
    let signing = match (how.sign).read_or_train(&texts()?, RANDOMISED_LEXICONS, memory_bytes) {
        Ok(signing) => signing,
        // A handful of mails without a word in common have no campaigns, which is no failure of the report.
        Err(_) if !how.sign.is_given() => return Ok(None),
        Err(error) => return Err(error),
    };
    let config = NearConfig {
        method: Method::Imatch,
        link: Link::Verified,
        similarity: SHARED_DEFAULT,
        bands: Bands::for_similarity(SIMILARITY_DEFAULT),
        keep: Keep::Oldest,
        memory_bytes,
        temporary: tables.map_or_else(std::env::temp_dir, Path::to_owned),
    };
    let found = near_imatch(corpus, &signing.reader(texts()?)?, &config)?;
    if let Some(tables) = tables {
        let path = tables.join("campaigns.parquet");
        write_clusters(corpus, &found, config.method.as_str(), &path)?;
    }
    let with = SignedWith {
        lexicon: signing.lexicon(),
        is_own: signing.is_own(),
        contexts: signing.contexts(),
        config: signing.config(),
    };
    Ok(Some(campaigns(
        corpus,
        &found,
        &config,
        &with,
        &read_limits(),
    )?))
}

fn detect_for_report(
    corpus: &Corpus,
    how: &How,
    labels: &Labels,
    stop: StopRules,
    tables: Option<&Path>,
    memory_bytes: usize,
) -> anyhow::Result<Detection> {
    let mut config = how.rules.config(stop, false, memory_bytes)?;
    config.top = config.top.max(200);
    Ok(detect(corpus, labels, &config, tables)?)
}

/// What was skipped, as the report has it.
fn skipped(corpus: &Corpus) -> Vec<html::Skipped> {
    let mut all = Tally::default();
    for segment in &corpus.manifest().segments {
        all.merge(tally_of(&segment.problems));
    }
    all.iter()
        .map(|(kind, count, example)| html::Skipped {
            kind: kind.as_str().to_owned(),
            meaning: tally::meaning(kind).to_owned(),
            count,
            example: example
                .problem
                .url
                .clone()
                .unwrap_or_else(|| example.problem.detail.clone()),
        })
        .collect()
}
