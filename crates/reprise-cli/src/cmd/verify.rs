//! `reprise verify`: is a corpus as it was written, and are its archives still there?

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use reprise_engine::ArchiveCheck;
use reprise_engine::index::BODY_BYTES_MAX_DEFAULT;
use reprise_engine::store::{Corpus, verify};
use serde::Serialize;

use super::index::LimitFlags;
use super::resources::MemoryFlag;
use crate::damage::{self, JsonDamage};
use crate::exit::{FAILED, Usage};
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
    memory: MemoryFlag,
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
    /// These three only where the archives were read.
    pages_read_back: Option<u64>,
    pages_lost: Option<u64>,
    pages_uncheckable: Option<u64>,
    damage: Vec<JsonDamage>,
    remedy: Option<String>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let memory_bytes = args.memory.bytes()?;
    // A body is held packed and unpacked, and unpacking takes some, too. By default no smaller than any run may have used
    // without being told.
    let body_bytes_max = memory_bytes / 4;
    let limits = (args.limits).limits(BODY_BYTES_MAX_DEFAULT.min(body_bytes_max));
    if limits.body_bytes > body_bytes_max {
        let why = format!("--max-body may be a quarter of --memory, {body_bytes_max}, at most");
        return Err(Usage(why).into());
    }
    let mut damage = verify(&args.corpus, memory_bytes)?;
    let remedy = damage::remedy(&damage);
    let mut archives = None;
    if args.archives && damage.is_empty() {
        let corpus = Corpus::open(&args.corpus)?;
        let check = reprise_engine::verify_archives(&corpus, &limits)?;
        damage.extend_from_slice(&check.damage);
        archives = Some(check);
    }
    let segments =
        Corpus::open(&args.corpus).map_or(0, |corpus| corpus.manifest().segments.len() as u64);
    let code = if damage.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FAILED)
    };
    if args.json {
        let report = JsonVerify {
            ok: damage.is_empty(),
            segments,
            pages_read_back: archives.as_ref().map(|check| check.read_back),
            pages_lost: archives.as_ref().map(|check| check.lost),
            pages_uncheckable: (archives.as_ref()).map(|check| check.uncheckable + check.too_large),
            damage: damage.iter().map(JsonDamage::of).collect(),
            remedy,
        };
        println!("{}", serde_json::to_string(&report)?);
        return Ok(code);
    }
    for item in &damage {
        println!("{}", damage::line(item));
    }
    if let Some(remedy) = remedy {
        println!("{remedy}");
    }
    if damage.is_empty() {
        println!("all good: {}", human::counted(segments, "segment"));
    }
    match archives {
        Some(check) => print!("{}", text(&check, limits.body_bytes)),
        None if args.archives => println!("the archives were not read: the corpus is damaged"),
        None => {}
    }
    Ok(code)
}

fn text(check: &ArchiveCheck, body_bytes_max: usize) -> String {
    let mut text = format!(
        "{} read back from the archives\n",
        human::counted(check.read_back, "page")
    );
    if check.lost > 0 {
        let _ = writeln!(text, "{} lost", human::counted(check.lost, "page"));
    }
    if check.uncheckable > 0 {
        let _ = writeln!(
            text,
            "{} cannot be checked: standard input, pipes and devices are read only once",
            human::counted(check.uncheckable, "page")
        );
    }
    if check.too_large > 0 {
        let _ = writeln!(
            text,
            "{} cannot be checked: larger than --max-body {body_bytes_max}, which --memory bounds",
            human::counted(check.too_large, "page")
        );
    }
    text
}
