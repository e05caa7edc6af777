//! `reprise info`: the contents of a corpus.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use reprise_engine::Corpus;
use reprise_engine::results::CorpusInfo;

use crate::console::{Console, complain};
use crate::failure::{FAILED, repair_hint};
use crate::{human, problems};

/// Show the contents and settings of a corpus
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory of the corpus
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        let bar = console.bar();
        let info = Corpus::open(&self.corpus)?.info(&bar)?;
        bar.finish();
        console.print(&info, None, || text(&info))?;
        if info.damage.is_empty() {
            return Ok(ExitCode::SUCCESS);
        }
        if !console.json {
            for damage in &info.damage {
                complain(&format!("reprise: {}", problems::damage_line(damage)));
            }
            if let Some(repair) = &info.repair {
                complain(&format!("reprise: {}", repair_hint(repair)));
            }
        }
        Ok(ExitCode::from(FAILED))
    }
}

fn text(info: &CorpusInfo) -> String {
    let known = |count: Option<u64>| count.map_or("unknown".to_owned(), human::count);
    let shingles = if info.shingles { "yes" } else { "no" };
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
        ("hash", info.hash.clone()),
        ("chunk form", info.chunk.clone()),
        ("shingles", shingles.to_owned()),
        ("format", info.format.to_string()),
    ];
    let mut text = String::new();
    for (name, value) in rows {
        let _ = writeln!(text, "{name:>16}  {value}");
    }
    text + &problems::lines(&info.problems)
}
