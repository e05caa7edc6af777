//! `reprise sources`: the pages that a page's words can come from.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use reprise_engine::SampleOptions;
use reprise_engine::defaults::near::SAMPLE_POPULAR_MIN;
use reprise_engine::results::{PageSources, SampledSources};

use super::phrases::PopularFlags;
use crate::console::Console;
use crate::{human, size};

/// Find the pages that the popular phrases of a page can come from
///
/// Prints a small set of pages that together have all popular phrases of the page (the papers' covering set). Pages of
/// other sites come first.
#[derive(clap::Args)]
#[command(visible_alias = "cover")]
pub(crate) struct Args {
    /// Directory of the corpus
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,
    #[command(flatten)]
    which: Which,
    /// With --sample: choose N pages in total, whatever their number of popular shingles
    #[arg(
        long,
        requires = "sample",
        conflicts_with = "page",
        hide_short_help = true
    )]
    uniform: bool,
    /// With --sample: only pages of this site
    #[arg(
        long,
        value_name = "SITE",
        requires = "sample",
        conflicts_with = "page"
    )]
    site: Option<String>,
    /// Leave out a source if the other sources have all its phrases
    #[arg(long, hide_short_help = true)]
    without_redundant: bool,
    #[command(flatten)]
    popular: PopularFlags,
}

/// One page or a sample.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct Which {
    /// URL of the page
    #[arg(long, value_name = "URL")]
    page: Option<String>,
    /// Choose N pages that have exactly 30 popular shingles (of 84), N that have 31, and so on up to 84
    #[arg(long, value_name = "N", value_parser = size::at_least_one)]
    sample: Option<usize>,
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        let corpus = self.popular.open(&self.corpus)?;
        let options = self.popular.options(0);
        let bar = console.bar();
        if let Some(url) = &self.which.page {
            let found = corpus.sources(url, options, self.without_redundant, &bar)?;
            bar.finish();
            console.print(&found, None, || text(&found))?;
            return Ok(ExitCode::SUCCESS);
        }
        let sample = SampleOptions {
            pages: self.which.sample.unwrap_or_default(),
            is_uniform: self.uniform,
            site: self.site.clone(),
            ..SampleOptions::default()
        };
        let found = corpus.sample_sources(&sample, options, self.without_redundant, &bar)?;
        bar.finish();
        console.print(&found, None, || self.sample_text(&found))?;
        Ok(ExitCode::SUCCESS)
    }

    fn sample_text(&self, found: &SampledSources) -> String {
        if !found.pages.is_empty() {
            return found.pages.iter().map(text).collect();
        }
        let site = self.site.as_deref().map(|site| format!(" of {site}"));
        let enough = if self.uniform {
            "words".to_owned()
        } else {
            format!("{SAMPLE_POPULAR_MIN} or more popular shingles")
        };
        let line = format!("no page{} has {enough}", site.unwrap_or_default());
        human::one_line(&line) + "\n"
    }
}

fn text(found: &PageSources) -> String {
    let mut text = human::one_line(&found.url);
    let _ = writeln!(
        text,
        "\n  {} of 84 shingles are popular; {} together have them; {} of the shingles are on other sites",
        found.popular,
        human::counted(found.sources.len() as u64, "source"),
        found.foreign,
    );
    for source in &found.sources {
        let own = if source.is_foreign {
            ""
        } else {
            "  (same site or address)"
        };
        let url = human::one_line(&source.url);
        let _ = writeln!(text, "  {:>4}  {url}{own}", source.shingles);
    }
    text
}
