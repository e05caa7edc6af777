//! `reprise cover`: which pages a page is made of.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use reprise_engine::store::Corpus;
use reprise_engine::{PageCover, Phrases, Sample, find_pages};
use serde::Serialize;

use super::phrases::PopularFlags;
use crate::exit::Usage;
use crate::human;

/// Find the donors of a page: other pages that hold its popular phrases, foreign ones first.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory of the corpus
    #[arg(value_name = "DIR")]
    corpus: PathBuf,
    #[command(flatten)]
    which: Which,
    /// With --sample: so many pages in all, whatever their number of popular shingles
    #[arg(long, requires = "sample")]
    uniform: bool,
    /// With --sample: only pages of this site
    #[arg(long, value_name = "SITE", requires = "sample")]
    site: Option<String>,
    /// Leave out donors that later ones have made needless
    #[arg(long)]
    without_redundant: bool,
    #[command(flatten)]
    popular: PopularFlags,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// One page, or some.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct Which {
    /// URL of the page
    #[arg(long, value_name = "URL")]
    page: Option<String>,
    /// So many pages for each number of popular shingles from 30 on
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
}

/// Pages with fewer popular shingles are not sampled, as in the paper.
const SAMPLE_LEAST: u8 = 30;

#[derive(Serialize)]
struct JsonCover<'a> {
    url: &'a str,
    popular: u32,
    covered: u32,
    foreign: u32,
    donors: Vec<JsonDonor<'a>>,
}

#[derive(Serialize)]
struct JsonDonor<'a> {
    url: &'a str,
    site: &'a str,
    shingles: u32,
    foreign: bool,
}

#[derive(Serialize)]
struct JsonSample<'a> {
    pages: Vec<JsonCover<'a>>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let corpus = Corpus::open(&args.corpus)?;
    let phrases = args.popular.read(&corpus, 0)?;
    if let Some(each) = args.which.sample {
        let pages = phrases.sample(&Sample {
            least: SAMPLE_LEAST,
            pages: each,
            is_uniform: args.uniform,
            site: args.site.as_deref(),
        });
        let covers = phrases.covers(&pages, args.without_redundant)?;
        if args.json {
            let pages = covers.iter().map(json).collect();
            println!("{}", serde_json::to_string(&JsonSample { pages })?);
        } else if covers.is_empty() {
            let of_site = args.site.as_deref().map(|site| format!(" of {site}"));
            let enough = if args.uniform {
                "any shingles".to_owned()
            } else {
                format!("{SAMPLE_LEAST} popular shingles or more")
            };
            let line = format!("no page{} has {enough}", of_site.unwrap_or_default());
            println!("{}", human::one_line(&line));
        } else {
            for cover in &covers {
                print!("{}", text(cover));
            }
        }
        return Ok(ExitCode::SUCCESS);
    }
    let url = args.which.page.as_deref().unwrap_or_default();
    let cover = one(&corpus, &phrases, url, args.without_redundant)?;
    if args.json {
        println!("{}", serde_json::to_string(&json(&cover))?);
    } else {
        print!("{}", text(&cover));
    }
    Ok(ExitCode::SUCCESS)
}

fn one(
    corpus: &Corpus,
    phrases: &Phrases<'_>,
    url: &str,
    without_redundant: bool,
) -> anyhow::Result<PageCover> {
    let pages = find_pages(corpus, url)?;
    let Some(&page) = pages.first() else {
        let message = format!("{url} is not in the corpus: `reprise export` lists its pages");
        return Err(Usage(message).into());
    };
    let cover = phrases.cover(page, without_redundant)?;
    cover.ok_or_else(|| Usage(format!("{url} has no words")).into())
}

fn json(cover: &PageCover) -> JsonCover<'_> {
    JsonCover {
        url: &cover.url,
        popular: cover.cover.popular,
        covered: cover.cover.covered,
        foreign: cover.cover.foreign,
        donors: (cover.cover.donors.iter().zip(&cover.donors))
            .map(|(donor, (url, site))| JsonDonor {
                url,
                site,
                shingles: donor.shingles,
                foreign: donor.is_foreign,
            })
            .collect(),
    }
}

fn text(cover: &PageCover) -> String {
    let found = &cover.cover;
    let mut text = human::one_line(&cover.url);
    let _ = writeln!(
        text,
        "\n  {} of 84 shingles are popular; {} hold them, {} from other sites",
        found.popular,
        human::counted(found.donors.len() as u64, "donor"),
        found.foreign,
    );
    for (donor, (url, _)) in found.donors.iter().zip(&cover.donors) {
        let mark = if donor.is_foreign { "" } else { "  (own)" };
        let _ = writeln!(
            text,
            "  {:>4}  {}{mark}",
            donor.shingles,
            human::one_line(url)
        );
    }
    text
}
