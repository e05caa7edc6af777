//! `reprise sites`: whose pages are stitched together from others' phrases.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use reprise_engine::SiteSummary;
use reprise_engine::store::Corpus;
use serde::Serialize;

use super::phrases::PopularFlags;
use crate::human;

/// List sites by the popular phrases of their pages; monsters, made of others' pages, first.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory of the corpus
    #[arg(value_name = "DIR")]
    corpus: PathBuf,
    /// How many sites to show as text; JSON has them all
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    #[command(flatten)]
    popular: PopularFlags,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Json<'a> {
    sites: Vec<JsonSite<'a>>,
}

#[derive(Serialize)]
struct JsonSite<'a> {
    site: &'a str,
    pages: u64,
    mean: f64,
    stddev: f64,
    even: bool,
    monster: bool,
    foreign: Option<f64>,
    donors: Vec<JsonDonor<'a>>,
}

#[derive(Serialize)]
struct JsonDonor<'a> {
    site: &'a str,
    shingles: u64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let corpus = Corpus::open(&args.corpus)?;
    let phrases = args.popular.read(&corpus, 0)?;
    let sites = phrases.sites()?;
    if args.json {
        let sites = sites.iter().map(json).collect();
        println!("{}", serde_json::to_string(&Json { sites })?);
    } else {
        print!("{}", text(&sites, args.top));
    }
    Ok(ExitCode::SUCCESS)
}

fn json(site: &SiteSummary) -> JsonSite<'_> {
    JsonSite {
        site: &site.site,
        pages: site.phrases.pages,
        mean: site.phrases.mean,
        stddev: site.phrases.stddev,
        even: site.phrases.is_suspect(),
        monster: site.is_monster(),
        foreign: site.foreign,
        donors: (site.donors.iter())
            .map(|(site, shingles)| JsonDonor {
                site,
                shingles: *shingles,
            })
            .collect(),
    }
}

fn text(sites: &[SiteSummary], top: usize) -> String {
    let monsters = sites.iter().filter(|site| site.is_monster()).count();
    let mut text = format!(
        "{} of {} look stitched together from others' pages\n",
        human::count(monsters as u64),
        human::counted(sites.len() as u64, "site"),
    );
    let _ = writeln!(
        text,
        "{:>8} {:>8} {:>8} {:>8}  site",
        "pages", "mean", "stddev", "foreign"
    );
    for site in sites.iter().take(top) {
        let foreign = site
            .foreign
            .map_or("-".to_owned(), |share| format!("{share:.2}"));
        let name = if site.site.is_empty() {
            "(no site)"
        } else {
            &site.site
        };
        let mark = match (site.is_monster(), site.phrases.is_suspect()) {
            (true, _) => "  <- monster",
            (false, true) => "  <- all alike, mostly its own phrases: a template",
            (false, false) => "",
        };
        let line = format!(
            "{:>8} {:>8.1} {:>8.1} {foreign:>8}  {name}{mark}",
            human::count(site.phrases.pages),
            site.phrases.mean,
            site.phrases.stddev,
        );
        let _ = writeln!(text, "{}", line.trim_end());
        if site.is_monster() {
            for (donor, shingles) in site.donors.iter().take(3) {
                let _ = writeln!(text, "{:>37}  from {donor}", human::count(*shingles));
            }
        }
    }
    text
}
