//! `reprise info`: what a corpus holds.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use reprise::index::tally_of;
use reprise::ingest::Tally;
use reprise::store::{Corpus, HeldSources, count_distinct, count_sites};
use serde::Serialize;

use crate::human;
use crate::tally::{self, JsonTally};

/// Say what a corpus holds.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory of the corpus
    #[arg(value_name = "DIR")]
    corpus: PathBuf,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Info {
    pages: u64,
    chunks: u64,
    distinct_chunks: u64,
    sites: u64,
    segments: u64,
    sources: u64,
    bytes_on_disk: u64,
    bytes_in: u64,
    bytes_body: u64,
    format: u32,
    hash: String,
    chunk: String,
    shingles: bool,
    records: BTreeMap<String, u64>,
    #[serde(flatten)]
    tally: JsonTally,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let corpus = Corpus::open(&args.corpus)?;
    let mut tally = Tally::default();
    for segment in &corpus.manifest().segments {
        tally.merge(tally_of(&segment.problems));
    }
    let info = info(&corpus, &tally)?;
    if args.json {
        println!("{}", serde_json::to_string(&info)?);
        return Ok(ExitCode::SUCCESS);
    }
    let rows = [
        ("pages", human::count(info.pages)),
        ("sites", human::count(info.sites)),
        ("chunks", human::count(info.chunks)),
        ("distinct chunks", human::count(info.distinct_chunks)),
        ("segments", human::count(info.segments)),
        ("sources", human::count(info.sources)),
        ("archives read", human::bytes(info.bytes_in)),
        ("bodies", human::bytes(info.bytes_body)),
        ("on disk", human::bytes(info.bytes_on_disk)),
        ("hash", info.hash),
        ("chunk form", info.chunk),
        (
            "shingles",
            if info.shingles { "yes" } else { "no" }.to_owned(),
        ),
        ("format", info.format.to_string()),
    ];
    for (name, value) in rows {
        println!("{name:>16}  {value}");
    }
    print!("{}", tally::lines(&tally));
    Ok(ExitCode::SUCCESS)
}

fn info(corpus: &Corpus, tally: &Tally) -> anyhow::Result<Info> {
    let manifest = corpus.manifest();
    let rows = |table: &str| {
        manifest
            .segments
            .iter()
            .map(|segment| segment.rows(table))
            .sum()
    };
    let mut records = BTreeMap::new();
    for segment in &manifest.segments {
        for (kind, count) in &segment.records {
            *records.entry(kind.clone()).or_insert(0) += count;
        }
    }
    Ok(Info {
        pages: rows("pages"),
        chunks: rows("chunks"),
        distinct_chunks: count_distinct(corpus)?,
        sites: count_sites(corpus)?,
        segments: manifest.segments.len() as u64,
        sources: HeldSources::read(corpus, u64::MAX)?.count(),
        bytes_on_disk: corpus.bytes_on_disk(),
        bytes_in: manifest
            .segments
            .iter()
            .map(|segment| segment.bytes_in)
            .sum(),
        bytes_body: manifest
            .segments
            .iter()
            .map(|segment| segment.bytes_body)
            .sum(),
        format: manifest.format,
        hash: manifest.hash.clone(),
        chunk: manifest.chunk.clone(),
        shingles: manifest.shingles,
        records,
        tally: JsonTally::of(tally),
    })
}
