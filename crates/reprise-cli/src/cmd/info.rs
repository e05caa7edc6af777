//! `reprise info`: what a corpus holds.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use reprise_engine::index::tally_of;
use reprise_engine::ingest::Tally;
use reprise_engine::store::{Corpus, Damage, HeldSources, StoreError, count_distinct, count_sites};
use serde::Serialize;

use crate::damage::{self, JsonDamage};
use crate::exit::FAILED;
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
    /// Not known where a table is damaged; so the next two.
    distinct_chunks: Option<u64>,
    sites: Option<u64>,
    segments: u64,
    sources: Option<u64>,
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
    damage: Vec<JsonDamage>,
    remedy: Option<String>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let corpus = Corpus::open(&args.corpus)?;
    let mut tally = Tally::default();
    for segment in &corpus.manifest().segments {
        tally.merge(tally_of(&segment.problems));
    }
    let mut damage = Vec::new();
    let info = info(&corpus, &tally, &mut damage);
    let code = if damage.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FAILED)
    };
    if args.json {
        println!("{}", serde_json::to_string(&info)?);
        return Ok(code);
    }
    let known = |count: Option<u64>| count.map_or("unknown".to_owned(), human::count);
    let rows = [
        ("pages", human::count(info.pages)),
        ("sites", known(info.sites)),
        ("chunks", human::count(info.chunks)),
        ("distinct chunks", known(info.distinct_chunks)),
        ("segments", human::count(info.segments)),
        ("sources", known(info.sources)),
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
    for damage in &damage {
        say!("reprise: {}", damage::line(damage));
    }
    if let Some(remedy) = info.remedy {
        say!("reprise: {remedy}");
    }
    Ok(code)
}

/// What the manifest says, and what the tables do as far as they can be read.
fn info(corpus: &Corpus, tally: &Tally, damage: &mut Vec<Damage>) -> Info {
    let mut counted = |count: Result<u64, StoreError>| match count {
        Ok(count) => Some(count),
        Err(error) => {
            let found = Damage::of(error, corpus.path());
            if !damage.contains(&found) {
                damage.push(found);
            }
            None
        }
    };
    let distinct_chunks = counted(count_distinct(corpus));
    let sites = counted(count_sites(corpus));
    let sources = counted(HeldSources::read(corpus, u64::MAX).map(|held| held.count()));
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
    Info {
        pages: rows("pages"),
        chunks: rows("chunks"),
        distinct_chunks,
        sites,
        segments: manifest.segments.len() as u64,
        sources,
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
        damage: damage.iter().map(JsonDamage::of).collect(),
        remedy: damage::remedy(damage),
    }
}
