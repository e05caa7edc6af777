//! `reprise sites`: sites ranked by popular phrases.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use reprise_engine::results::{SitePhrases, SiteRanking};

use super::phrases::PopularFlags;
use crate::console::Console;
use crate::human;

/// Rank sites by popular phrases, and find sites stitched together from other sites' pages
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory of the corpus
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,
    /// Number of sites to show as text; JSON has all
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    #[command(flatten)]
    popular: PopularFlags,
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        let corpus = self.popular.open(&self.corpus)?;
        let bar = console.bar();
        let found = corpus.sites(self.popular.options(0), &bar)?;
        bar.finish();
        console.print(&found, None, || text(&found, self.top))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn text(found: &SiteRanking, top: usize) -> String {
    let sites = &found.sites;
    let stitched = sites.iter().filter(|site| site.is_stitched).count();
    let mut text = format!(
        "{} of {} look stitched together from pages of other sites\n",
        human::count(stitched as u64),
        human::counted(sites.len() as u64, "site"),
    );
    let _ = writeln!(
        text,
        "{:>8} {:>8} {:>8} {:>8}  site",
        "pages", "mean", "stddev", "foreign"
    );
    for site in sites.iter().take(top) {
        text += &site_text(site);
    }
    text
}

fn site_text(site: &SitePhrases) -> String {
    let foreign = site.foreign.map_or("-".to_owned(), human::percent);
    let name = match site.site.as_str() {
        "" => "(no site)",
        name => name,
    };
    let mark = match (site.is_stitched, site.is_even) {
        (true, _) => "  <- stitched",
        (false, true) => "  <- all pages alike, mostly its own phrases: a template",
        (false, false) => "",
    };
    let line = format!(
        "{:>8} {:>8.1} {:>8.1} {foreign:>8}  {name}{mark}",
        human::count(site.pages),
        site.mean,
        site.stddev,
    );
    let mut text = human::one_line(line.trim_end()) + "\n";
    if site.is_stitched {
        for source in site.sources.iter().take(3) {
            let line = format!(
                "{:>37}  from {}",
                human::count(source.shingles),
                source.site
            );
            let _ = writeln!(text, "{}", human::one_line(&line));
        }
    }
    text
}
