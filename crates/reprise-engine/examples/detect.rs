//! Finds what occurs on several sites, and the pages made of it: `detect CORPUS LABELS.parquet`
#![allow(clippy::print_stdout, reason = "the result goes to standard output")]

use std::error::Error;
use std::path::Path;

use reprise_engine::results::CountBy;
use reprise_engine::{Corpus, DetectOptions, DiscoverOptions, Labels, ResultFile};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [corpus, labels] = arguments.as_slice() else {
        return Err("usage: detect CORPUS LABELS.parquet".into());
    };
    let corpus = Corpus::open(corpus)?;
    let options = DiscoverOptions {
        count: CountBy::Sites,
        ..DiscoverOptions::default()
    };
    let found = corpus.discover(&options, Some(&ResultFile::new(labels)?), &())?;
    println!("{} chunks are on several sites", found.labeled);

    let labels = Labels::open(Path::new(labels))?;
    let found = corpus.detect(&labels, &DetectOptions::default(), None, &())?;
    println!(
        "{} of {} pages have one",
        found.pages.matched, found.pages.total
    );
    for page in found.pages.top.iter().take(5) {
        println!("{} of {} chunks: {}", page.matched, page.chunks, page.url);
    }
    for pair in found.sites.iter().take(5) {
        println!(
            "{} shares {} chunks with {}",
            pair.copier, pair.chunks, pair.source
        );
    }
    Ok(())
}
