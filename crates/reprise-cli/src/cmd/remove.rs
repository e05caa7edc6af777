//! `reprise remove`: segments leave a corpus, by number or by age.

use std::path::PathBuf;
use std::process::ExitCode;

use reprise_engine::ingest::{format_date, parse_date};
use reprise_engine::store::{Corpus, CorpusWriter, Damage, Segment, StoreError, Wanted};
use serde::Serialize;

use crate::damage::JsonDamage;
use crate::exit::Usage;
use crate::human;

/// Take segments out of a corpus; without a choice, list them.
///
/// What discover and detect say follows at once. The archives are not touched, and can be indexed again.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory of the corpus
    #[arg(value_name = "DIR")]
    corpus: PathBuf,
    /// Number of a segment; may be given several times
    #[arg(long = "segment", value_name = "N")]
    segments: Vec<u64>,
    /// All segments whose newest page was fetched before this date, such as 2024-05-31
    #[arg(long, value_name = "DATE")]
    older_than: Option<String>,
    /// Only say what would be removed
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Json {
    dry_run: bool,
    removed: Vec<u64>,
    segments: Vec<JsonSegment>,
}

#[derive(Serialize)]
struct JsonSegment {
    number: u64,
    pages: u64,
    chunks: u64,
    newest: Option<String>,
    /// Why that is not known.
    damage: Option<JsonDamage>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let date = args.older_than.as_ref().map(|text| {
        parse_date(text.as_bytes())
            .ok_or_else(|| Usage(format!("{text:?} is no date, such as 2024-05-31")))
    });
    let date = date.transpose()?;
    let corpus = Corpus::open(&args.corpus)?;
    let known: Vec<u64> = corpus
        .segments()
        .map(|segment| segment.summary().number)
        .collect();
    if let Some(number) = args.segments.iter().find(|number| !known.contains(number)) {
        let known: Vec<String> = known.iter().map(u64::to_string).collect();
        let known = match known.as_slice() {
            [] => "the corpus has none".to_owned(),
            [only] => format!("there is {only}"),
            all => format!("there are {}", all.join(", ")),
        };
        return Err(Usage(format!("there is no segment {number}; {known}")).into());
    }
    let mut removed = args.segments.clone();
    let mut listed = Vec::new();
    for segment in corpus.segments() {
        // What is damaged is what somebody wants to remove.
        let (newest, damage) = match newest(&segment) {
            Ok(newest) => (newest, None),
            Err(error) => (None, Some(Damage::of(error, segment.path()))),
        };
        let number = segment.summary().number;
        if let (Some(date), Some(newest)) = (date, newest)
            && newest < date
            && !removed.contains(&number)
        {
            removed.push(number);
        }
        listed.push(JsonSegment {
            number,
            pages: segment.summary().rows("pages"),
            chunks: segment.summary().rows("chunks"),
            newest: newest.map(format_date),
            damage: damage.as_ref().map(JsonDamage::of),
        });
    }
    removed.sort_unstable();
    removed.dedup();
    if !removed.is_empty() && !args.dry_run {
        CorpusWriter::open(&args.corpus, Wanted::default())?.remove_segments(&removed)?;
    }
    if args.json {
        let json = Json {
            dry_run: args.dry_run,
            removed,
            segments: listed,
        };
        println!("{}", serde_json::to_string(&json)?);
        return Ok(ExitCode::SUCCESS);
    }
    if listed.is_empty() {
        println!("the corpus has no segments");
    }
    for segment in listed {
        let verdict = match (removed.contains(&segment.number), args.dry_run) {
            (true, true) => "would be removed",
            (true, false) => "removed",
            (false, _) => "kept",
        };
        println!(
            "segment {:>4}  {:>10} pages  newest {}  {verdict}{}",
            segment.number,
            human::count(segment.pages),
            segment.newest.as_deref().unwrap_or("unknown"),
            if segment.damage.is_some() {
                "  (damaged)"
            } else {
                ""
            },
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// When the newest page of a segment was fetched.
fn newest(segment: &Segment<'_>) -> Result<Option<i64>, StoreError> {
    let pages = segment.pages()?;
    let mut newest = None;
    for group in 0..pages.groups() {
        let fetched = pages.optional_ints(group, "fetched")?;
        newest = newest.max(fetched.into_iter().flatten().max());
    }
    Ok(newest)
}
