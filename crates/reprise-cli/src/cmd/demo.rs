//! `reprise demo`: a small web with planted copies, scanned, and what was found of what was planted.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use reprise_demo::{Config, PLANTED_FILE, Planted, Role, write_web};
use reprise_engine::fingerprint::Fingerprint;
use reprise_engine::index::IndexStats;
use reprise_engine::ingest::{ProblemKind, name_of};
use reprise_engine::store::schema::DETECTED_PAGES;
use reprise_engine::store::{AsBytes, Corpus, TableReader, Wanted, count_distinct, count_sites};
use reprise_engine::url::Site;

use super::index::{Resources, ToIndex};
use super::report::How;
use super::scan;
use crate::exit::Usage;
use crate::human;

/// A larger web would not fit in memory while it is written.
const SCALE_MAX: usize = 1000;

/// Write a small web with planted copies as real archives, then scan it and write a report.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory for the archives and the corpus
    #[arg(value_name = "DIR", default_value = "reprise-demo")]
    directory: PathBuf,
    /// Another seed gives another web
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many times as many sites
    #[arg(long, value_name = "N", default_value_t = 1)]
    scale: usize,
    #[command(flatten)]
    resources: Resources,
    #[command(flatten)]
    how: How,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if !(1..=SCALE_MAX).contains(&args.scale) {
        return Err(Usage(format!("--scale must be from 1 to {SCALE_MAX}")).into());
    }
    let config = args.resources.config()?;
    let directory = &args.directory;
    let corpus_path = directory.join("corpus");
    clear(directory, &corpus_path)?;
    say!(
        "writing a small web with planted copies to {} ...",
        directory.display()
    );
    let web = Config {
        seed: args.seed,
        scale: args.scale,
    };
    let planted = write_web(&web, directory)
        .with_context(|| format!("cannot write {}", directory.display()))?;
    // Whole paths: what begins with `@` would be a list.
    let root = std::path::absolute(directory)
        .with_context(|| format!("cannot write {}", directory.display()))?;
    let names: Vec<String> = (planted.files.iter())
        .map(|file| name_of(&root.join(file)))
        .collect();
    let started = Instant::now();
    let what = ToIndex {
        names: &names,
        base_url: None,
        wanted: Wanted {
            shingles: true,
            ..Wanted::default()
        },
        results: None,
    };
    let (corpus, stats) = what.into_corpus(&corpus_path, &config, false)?;
    say_on!(
        "{}",
        super::index::text(&stats, started.elapsed().as_secs_f64(), &corpus_path)
    );
    let results = scan::finish(corpus.corpus(), &args.how, directory, &config)?;
    let phrases = results.report.phrases.iter();
    let copies = Copies {
        monsters: phrases
            .flat_map(|phrases| &phrases.monsters)
            .map(|monster| monster.site.clone())
            .collect(),
        ..Copies::read(directory, results.detection.pages.spread.threshold)?
    };
    let found = Found::read(corpus.corpus())?;
    print!("{}", found.text(&planted, &stats, &copies));
    print!("\n{}", scan::summary(&results, directory));
    say!(
        "\nlook closer:\n  reprise info {0}\n  reprise discover {0} --count sites\n  reprise export {0} --table pages --format csv",
        corpus_path.display()
    );
    Ok(ExitCode::SUCCESS)
}

/// Makes room for a new demo, but only where an old one was.
fn clear(directory: &Path, corpus: &Path) -> anyhow::Result<()> {
    if directory.exists() && !directory.is_dir() {
        let message = format!("{} is a file, not a directory", directory.display());
        return Err(Usage(message).into());
    }
    let is_demo = directory.join(PLANTED_FILE).is_file();
    let is_empty = fs::read_dir(directory).is_ok_and(|mut entries| entries.next().is_none());
    if directory.exists() && !is_demo && !is_empty {
        let message = format!(
            "{} holds other files; name another directory",
            directory.display()
        );
        return Err(Usage(message).into());
    }
    if is_demo && corpus.exists() {
        fs::remove_dir_all(corpus)
            .with_context(|| format!("cannot remove {}", corpus.display()))?;
    }
    Ok(())
}

/// The share of copied chunks in each page, as detection found it.
struct Copies {
    shares: BTreeMap<String, f64>,
    /// Pages with a higher share are targets.
    threshold: f64,
    /// Sites whose pages are stitched together from others' pages.
    monsters: BTreeSet<String>,
}

impl Copies {
    fn read(directory: &Path, threshold: f64) -> anyhow::Result<Copies> {
        let path = directory.join("pages.parquet");
        let table = TableReader::open(&path, &DETECTED_PAGES)?;
        let mut shares = BTreeMap::new();
        for group in 0..table.groups() {
            let matched = table.ints(group, "matched")?;
            let chunks = table.ints(group, "chunks")?;
            for (row, url) in table.texts(group, "url")?.iter().enumerate() {
                let url = String::from_utf8_lossy(url.as_bytes()).into_owned();
                shares.insert(url, matched[row] as f64 / (chunks[row] as f64).max(1.0));
            }
        }
        Ok(Copies {
            shares,
            threshold,
            monsters: BTreeSet::new(),
        })
    }

    /// How many pages of a role are on a site that was found to be stitched together.
    fn stitched(&self, planted: &Planted, role: Role) -> usize {
        planted
            .with_role(role)
            .filter(|page| self.monsters.contains(&Site::of(&page.url).site))
            .count()
    }

    /// How many pages of a role hold copied chunks.
    fn holding(&self, planted: &Planted, role: Role) -> usize {
        self.count(planted, role, |share| share > 0.0)
    }

    /// How many pages of a role are not targets.
    fn spared(&self, planted: &Planted, role: Role) -> usize {
        self.count(planted, role, |share| share <= self.threshold)
    }

    fn count(&self, planted: &Planted, role: Role, is_meant: impl Fn(f64) -> bool) -> usize {
        planted
            .with_role(role)
            .filter(|page| {
                self.shares
                    .get(&page.url)
                    .is_some_and(|&share| is_meant(share))
            })
            .count()
    }
}

/// What the corpus says of the planted web.
struct Found {
    pages: BTreeMap<String, Fingerprint>,
    /// Chunks (by rank) that are on several sites, and all chunks.
    chunks: u64,
    distinct: u64,
    sites: u64,
    on_several_sites: u64,
    charsets: BTreeSet<String>,
}

impl Found {
    fn read(corpus: &Corpus) -> anyhow::Result<Found> {
        let mut found = Found {
            pages: BTreeMap::new(),
            chunks: corpus
                .manifest()
                .segments
                .iter()
                .map(|segment| segment.rows("chunks"))
                .sum(),
            distinct: count_distinct(corpus)?,
            sites: count_sites(corpus)?,
            on_several_sites: 0,
            charsets: BTreeSet::new(),
        };
        let string = |bytes: &reprise_engine::store::ByteArray| {
            String::from_utf8_lossy(bytes.as_bytes()).into_owned()
        };
        for segment in corpus.segments() {
            let pages = segment.pages()?;
            for group in 0..pages.groups() {
                let urls = pages.texts(group, "url")?;
                let fingerprints = pages.fingerprints(group, "fingerprint")?;
                found
                    .pages
                    .extend(urls.iter().map(string).zip(fingerprints));
                found.charsets.extend(
                    pages
                        .texts(group, "charset")?
                        .iter()
                        .map(string)
                        .filter(|name| !name.is_empty()),
                );
            }
            let table = segment.fingerprints()?;
            for group in 0..table.groups() {
                let sites = table.ints(group, "sites")?;
                found.on_several_sites += sites.iter().filter(|&&sites| sites > 1).count() as u64;
            }
        }
        Ok(found)
    }

    /// Pages of a role that the corpus holds.
    fn held(&self, planted: &Planted, role: Role) -> usize {
        planted
            .with_role(role)
            .filter(|page| self.pages.contains_key(&page.url))
            .count()
    }

    /// Clones whose file fingerprint is that of their original.
    fn clones(&self, planted: &Planted) -> usize {
        planted
            .with_role(Role::ExactClone)
            .filter(|page| {
                let original = page.sources.first().and_then(|url| self.pages.get(url));
                original.is_some() && original == self.pages.get(&page.url)
            })
            .count()
    }

    fn text(&self, planted: &Planted, stats: &IndexStats, copies: &Copies) -> String {
        let planted_count = |role: Role| planted.with_role(role).count();
        let revisits = [
            ProblemKind::RevisitIdentical,
            ProblemKind::RevisitNotModified,
            ProblemKind::RevisitOther,
        ]
        .map(|kind| stats.tally.count(kind));
        let rows = [
            (
                "original pages, read",
                planted_count(Role::Original),
                self.held(planted, Role::Original),
            ),
            (
                "exact clones, equal to their original",
                planted_count(Role::ExactClone),
                self.clones(planted),
            ),
            (
                "clones with advertisements, found to hold copied chunks",
                planted_count(Role::CloneWithAds),
                copies.holding(planted, Role::CloneWithAds),
            ),
            (
                "link farm pages, found to hold copied chunks",
                planted_count(Role::LinkFarm),
                copies.holding(planted, Role::LinkFarm),
            ),
            (
                "pages sliced and diced from others' sentences, found by their phrases",
                planted_count(Role::SliceAndDice),
                copies.stitched(planted, Role::SliceAndDice),
            ),
            (
                "login pages copied for phishing, found",
                planted_count(Role::Phishing),
                copies.holding(planted, Role::Phishing),
            ),
            (
                "template pages, not accused",
                planted_count(Role::Template),
                copies.spared(planted, Role::Template),
            ),
            (
                "crawler traps, kept out",
                planted_count(Role::Trap),
                stats.tally.count(ProblemKind::Trap) as usize,
            ),
            (
                "honest URLs that look like traps, kept in",
                planted_count(Role::TrapLookalike),
                self.held(planted, Role::TrapLookalike),
            ),
            (
                "files without text, told apart",
                planted_count(Role::NotText),
                stats.tally.count(ProblemKind::NotText) as usize,
            ),
            (
                "revisits, counted",
                planted_count(Role::Revisit),
                revisits.iter().sum::<u64>() as usize,
            ),
        ];
        let mut text = format!("\n{:>8} {:>8}\n", "planted", "found");
        for (name, planted, found) in rows {
            let _ = writeln!(text, "{planted:>8} {found:>8}  {name}");
        }
        let _ = writeln!(
            text,
            "\n{} on {} in {} charsets, {}, {} of them distinct, {} on more than one site",
            human::counted(self.pages.len() as u64, "page"),
            human::counted(self.sites, "site"),
            self.charsets.len(),
            human::counted(self.chunks, "chunk"),
            human::count(self.distinct),
            human::count(self.on_several_sites),
        );
        text
    }
}
