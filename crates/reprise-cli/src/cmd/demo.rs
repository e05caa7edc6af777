//! `reprise demo`: a small web with planted copies, and how many of them a scan finds.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use reprise_demo::{Config, PLANTED_FILE, Planted, PlantedPage, Role, write_web};
use reprise_engine::ingest::name_of;
use reprise_engine::results::PhraseFindings;
use reprise_engine::store::TableReader;
use reprise_engine::store::schema::{DetectedPages, Pages};
use reprise_engine::{Corpus, Fingerprint, Scan, ScanOptions, StoreError, scan};
use serde::Serialize;

use super::report::ReportFlags;
use crate::console::{Console, print_json};
use crate::failure::Usage;
use crate::flags::ReadingFlags;
use crate::{human, output};

/// Scan a small web with planted copies: the quickest way to see what Reprise does
///
/// Writes the web as WARC files, scans them like `reprise scan`, and shows how many of the planted copies it found.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory for the archives, the corpus and the report
    #[arg(value_name = "DIR", default_value = "reprise-demo", value_parser = output::directory_parser())]
    directory: PathBuf,
    /// Seed of the web; another seed gives another web
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Size of the web, from 1 (800 pages) to 1000
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    scale: u16,
    #[command(flatten)]
    report: ReportFlags,
    #[command(flatten)]
    reading: ReadingFlags,
}

/// The result as JSON.
#[derive(Serialize)]
struct Demo<'s> {
    roles: Vec<Outcome>,
    scan: &'s Scan,
}

/// The number of planted pages of a role, and of those that were treated correctly.
#[derive(Serialize)]
struct Outcome {
    role: Role,
    planted: usize,
    found: usize,
    #[serde(skip)]
    meaning: &'static str,
}

/// The evidence that a planted page was treated correctly.
#[derive(Clone, Copy)]
enum Evidence {
    /// The page is in the corpus.
    Read,
    /// The page has the fingerprint of its original.
    SameFile,
    /// Some chunks of the page are on other sites as well.
    Copies,
    /// The page is not a target.
    Spared,
    /// The site of the page is stitched together from other sites.
    Stitched,
    /// The index skipped the page as one of these kinds.
    Skipped(&'static [&'static str]),
}

/// The roles, each with its evidence and its line in the table.
#[rustfmt::skip]
const ROLES: [(Role, Evidence, &str); 11] = [
    (Role::Original, Evidence::Read, "original pages: read"),
    (Role::ExactClone, Evidence::SameFile, "exact clones: have the fingerprint of their original"),
    (Role::CloneWithAds, Evidence::Copies, "clones with advertisements: copied chunks found"),
    (Role::LinkFarm, Evidence::Copies, "pages of link farms: copied chunks found"),
    (Role::SliceAndDice, Evidence::Stitched, "pages stitched from sentences of others: found by their phrases"),
    (Role::Phishing, Evidence::Copies, "login pages copied for phishing: copied chunks found"),
    (Role::Template, Evidence::Spared, "honest pages in a shared template: not accused"),
    (Role::Trap, Evidence::Skipped(&["trap"]), "crawler traps: skipped"),
    (Role::TrapLookalike, Evidence::Read, "honest URLs that look like traps: read"),
    (Role::NotText, Evidence::Skipped(&["not_text"]), "files without text: recognised"),
    (Role::Revisit, Evidence::Skipped(&["revisit_identical", "revisit_not_modified", "revisit_other"]), "revisit records: counted"),
];

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        let directory = &self.directory;
        let resources = self.reading.resources();
        resources.validate()?;
        clear(directory)?;
        console.say(format!(
            "writing a small web with planted copies to {}",
            directory.display()
        ));
        let web = Config {
            seed: self.seed,
            scale: self.scale.into(),
        };
        let bar = console.bar();
        let planted = write_web(&web, directory)
            .with_context(|| format!("cannot write to {}", directory.display()))?;
        let options = ScanOptions {
            index: self.reading.options(),
            report: self.report.options(),
            ..ScanOptions::default()
        };
        let inputs = inputs(directory, &planted)?;
        let found = scan(&inputs, directory, &options, resources, &bar)?;
        bar.finish();
        let seen = Seen::read(directory, &found)?;
        let roles: Vec<Outcome> = (ROLES.into_iter())
            .map(|(role, evidence, meaning)| Outcome {
                role,
                planted: planted.with_role(role).count(),
                found: seen.count(&planted, &found, role, evidence),
                meaning,
            })
            .collect();
        if console.json {
            print_json(&Demo {
                roles,
                scan: &found,
            })?;
            return Ok(ExitCode::SUCCESS);
        }
        let corpus = directory.join("corpus");
        console.say_lines(&super::index::text(&found.index, &corpus));
        print!(
            "{}\n{}",
            text(&roles, &found, &seen),
            super::scan::text(&found, self.report.has_labels())
        );
        console.say_lines(&next_commands(&corpus));
        Ok(ExitCode::SUCCESS)
    }
}

/// Removes the corpus of an earlier demo. Fails if the directory holds other files.
fn clear(directory: &Path) -> anyhow::Result<()> {
    let is_demo = directory.join(PLANTED_FILE).is_file();
    let is_empty = fs::read_dir(directory).map_or(true, |mut entries| entries.next().is_none());
    if !is_demo && !is_empty {
        let message = format!(
            "{} holds other files; name another directory",
            directory.display()
        );
        return Err(Usage(message).into());
    }
    let corpus = directory.join("corpus");
    if is_demo && corpus.exists() {
        fs::remove_dir_all(&corpus)
            .with_context(|| format!("cannot remove {}", corpus.display()))?;
    }
    Ok(())
}

/// Returns the names of the archives. Their paths are absolute: a name that begins with `@` would be a list.
fn inputs(directory: &Path, planted: &Planted) -> anyhow::Result<Vec<String>> {
    let directory = std::path::absolute(directory)?;
    let files = planted.files.iter();
    Ok(files.map(|file| name_of(&directory.join(file))).collect())
}

/// The pages of the corpus, with the findings of the scan.
#[derive(Default)]
struct Seen {
    pages: BTreeMap<String, SeenPage>,
    charsets: BTreeSet<String>,
}

/// A page of the corpus.
struct SeenPage {
    site: String,
    fingerprint: Fingerprint,
    /// The share of its chunks that are on other sites as well; `None` if it has no chunks that count.
    share: Option<f64>,
}

impl Seen {
    /// Reads the pages of the corpus, and the table `pages` of the scan.
    fn read(directory: &Path, found: &Scan) -> anyhow::Result<Seen> {
        let mut seen = Seen::default();
        seen.read_corpus(&Corpus::open(&found.report.corpus.path)?)?;
        let table = TableReader::<DetectedPages>::open(&directory.join("pages.parquet"))?;
        for group in 0..table.groups() {
            let urls = table.read(group, DetectedPages::URL)?;
            let shares = table.read(group, DetectedPages::CONTAINS)?;
            for (row, share) in shares.into_iter().enumerate() {
                if let Some(page) = seen.pages.get_mut(&*urls.to_str(row)) {
                    page.share = share;
                }
            }
        }
        Ok(seen)
    }

    fn read_corpus(&mut self, corpus: &Corpus) -> Result<(), StoreError> {
        for segment in corpus.reader().segments() {
            let table = segment.pages()?;
            for group in 0..table.groups() {
                let urls = table.read(group, Pages::URL)?;
                let sites = table.read(group, Pages::SITE)?;
                let charsets = table.read(group, Pages::CHARSET)?;
                let fingerprints = table.read(group, Pages::FINGERPRINT)?;
                for (row, fingerprint) in fingerprints.into_iter().enumerate() {
                    let page = SeenPage {
                        site: sites.to_str(row).into_owned(),
                        fingerprint,
                        share: None,
                    };
                    self.pages.insert(urls.to_str(row).into_owned(), page);
                    self.charsets.insert(charsets.to_str(row).into_owned());
                }
            }
        }
        self.charsets.remove("");
        Ok(())
    }

    /// Counts the planted pages of a role that were treated correctly.
    fn count(&self, planted: &Planted, found: &Scan, role: Role, evidence: Evidence) -> usize {
        if let Evidence::Skipped(kinds) = evidence {
            let skipped = &found.index.problems.skipped;
            return kinds
                .iter()
                .filter_map(|kind| skipped.get(*kind))
                .sum::<u64>() as usize;
        }
        let threshold = found.report.detection.pages.threshold;
        let is_found = |page: &&PlantedPage| {
            let Some(seen) = self.pages.get(&page.url) else {
                return false;
            };
            let original = page.sources.first().and_then(|url| self.pages.get(url));
            let mut stitched = found
                .report
                .phrases
                .iter()
                .flat_map(PhraseFindings::stitched);
            match evidence {
                Evidence::Read => true,
                Evidence::SameFile => {
                    original.is_some_and(|original| original.fingerprint == seen.fingerprint)
                }
                Evidence::Copies => seen.share.is_some_and(|share| share > 0.0),
                Evidence::Spared => seen.share.is_some_and(|share| share <= threshold),
                Evidence::Stitched => stitched.any(|site| site.site == seen.site),
                Evidence::Skipped(_) => false,
            }
        };
        planted.with_role(role).filter(is_found).count()
    }
}

fn text(roles: &[Outcome], found: &Scan, seen: &Seen) -> String {
    let mut text = format!("\n{:>8} {:>8}\n", "planted", "found");
    for row in roles {
        let planted = human::count(row.planted as u64);
        let found = human::count(row.found as u64);
        let _ = writeln!(text, "{planted:>8} {found:>8}  {}", row.meaning);
    }
    let corpus = &found.report.corpus;
    let _ = writeln!(
        text,
        "\n{} on {} in {}, with {}, {} of them distinct",
        human::counted(corpus.pages, "page"),
        human::counted(corpus.sites.unwrap_or(0), "site"),
        human::counted(seen.charsets.len() as u64, "charset"),
        human::counted(corpus.chunks, "chunk"),
        human::count(corpus.distinct_chunks.unwrap_or(0)),
    );
    text
}

/// Returns the next commands to try.
fn next_commands(corpus: &Path) -> String {
    let corpus = human::one_line(&corpus.display().to_string());
    format!(
        "\ntry next:\n  reprise info {corpus}\n  reprise discover {corpus} --count sites\n  \
         reprise export {corpus} --table pages --format csv\n"
    )
}
