//! `reprise verify`: is a corpus as it was written, and are its archives still there?

use std::path::PathBuf;
use std::process::ExitCode;

use reprise::index::BODY_BYTES_MAX_DEFAULT;
use reprise::store::{Corpus, verify};
use serde::Serialize;

use super::index::LimitFlags;
use crate::damage::{self, JsonDamage};
use crate::exit::FAILED;
use crate::human;

/// Check every checksum and invariant of a corpus, and name what is damaged.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory of the corpus
    #[arg(value_name = "DIR")]
    corpus: PathBuf,
    /// Also read every page again from its archive and compare its fingerprint
    #[arg(long)]
    archives: bool,
    #[command(flatten)]
    limits: LimitFlags,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct JsonVerify {
    ok: bool,
    segments: u64,
    pages_read_back: u64,
    damage: Vec<JsonDamage>,
    remedy: Option<String>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut damage = verify(&args.corpus)?;
    let mut pages_read_back = 0;
    if args.archives && damage.is_empty() {
        let corpus = Corpus::open(&args.corpus)?;
        // No smaller than any run may have used without being told.
        let limits = args.limits.limits(BODY_BYTES_MAX_DEFAULT);
        let (pages, found) = reprise::verify_archives(&corpus, &limits)?;
        pages_read_back = pages;
        damage.extend(found);
    }
    let segments =
        Corpus::open(&args.corpus).map_or(0, |corpus| corpus.manifest().segments.len() as u64);
    if args.json {
        let report = JsonVerify {
            ok: damage.is_empty(),
            segments,
            pages_read_back,
            damage: damage.iter().map(JsonDamage::of).collect(),
            remedy: damage::remedy(&damage),
        };
        println!("{}", serde_json::to_string(&report)?);
    } else {
        for item in &damage {
            println!("{}", damage::line(item));
        }
        if let Some(remedy) = damage::remedy(&damage) {
            println!("{remedy}");
        }
        if damage.is_empty() {
            println!("all good: {}", human::counted(segments, "segment"));
        }
        if args.archives {
            println!(
                "{} read back from the archives",
                human::counted(pages_read_back, "page")
            );
        }
    }
    Ok(if damage.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FAILED)
    })
}
