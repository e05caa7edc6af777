//! `reprise verify`: checks a corpus.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use reprise_engine::{Verification, VerifyOptions, verify_corpus};

use crate::console::Console;
use crate::failure::{FAILED, repair_hint};
use crate::flags::{LimitFlags, MemoryFlag};
use crate::{human, problems};

/// Check every file of a corpus, and optionally its archives
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory of the corpus
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,
    /// Also read every page again from its archive and compare its fingerprint
    #[arg(long)]
    archives: bool,
    #[command(flatten)]
    memory: MemoryFlag,
    #[command(flatten)]
    limits: LimitFlags,
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        let options = VerifyOptions {
            archives: self.archives,
            limits: self.limits.options(),
        };
        let bar = console.bar();
        let found = verify_corpus(&self.corpus, &options, self.memory.resources(), &bar)?;
        bar.finish();
        console.print(&found, None, || self.text(&found))?;
        Ok(if found.ok {
            ExitCode::SUCCESS
        } else {
            ExitCode::from(FAILED)
        })
    }

    fn text(&self, found: &Verification) -> String {
        let mut text = String::new();
        for damage in &found.damage {
            let _ = writeln!(text, "{}", problems::damage_line(damage));
        }
        if let Some(repair) = &found.repair {
            let _ = writeln!(text, "{}", repair_hint(repair));
        }
        if found.ok {
            let _ = writeln!(
                text,
                "the corpus is intact: {}",
                human::counted(found.segments, "segment")
            );
        }
        let Some(read_back) = found.pages_read_back else {
            if self.archives {
                text += "the archives were not read, because the corpus is damaged\n";
            }
            return text;
        };
        let _ = writeln!(
            text,
            "{} read again from the archives",
            human::counted(read_back, "page")
        );
        let lost = found.pages_lost.unwrap_or(0);
        if lost > 0 {
            let _ = writeln!(text, "{} lost", human::counted(lost, "page"));
        }
        let (too_large, body_bytes) = found.too_large.unwrap_or_default();
        let streams = found.pages_uncheckable.unwrap_or(0) - too_large;
        if streams > 0 {
            let _ = writeln!(
                text,
                "{} cannot be checked: standard input, pipes and devices are read only once",
                human::counted(streams, "page")
            );
        }
        if too_large > 0 {
            let _ = writeln!(
                text,
                "{} not checked: larger than {} (--max-body, at most a quarter of --memory)",
                human::counted(too_large, "page"),
                human::bytes(body_bytes as u64),
            );
        }
        text
    }
}
