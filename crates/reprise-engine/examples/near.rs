//! Finds pages that are nearly the same: `near CORPUS CLUSTERS.csv`
#![allow(clippy::print_stdout, reason = "the result goes to standard output")]

use std::error::Error;

use reprise_engine::{Corpus, Keep, Near, NearOptions, ResultFile};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [corpus, clusters] = arguments.as_slice() else {
        return Err("usage: near CORPUS CLUSTERS.csv".into());
    };
    let corpus = Corpus::open(corpus)?;
    let options = NearOptions {
        keep: Keep::Oldest,
        ..NearOptions::default()
    };
    let output = ResultFile::new(clusters)?;
    let found = corpus.near(&Near::default(), &options, Some(&output), &())?;
    let copies = &found.copies;
    println!(
        "{} of {} pages are near-copies",
        copies.removable, copies.pages
    );
    for cluster in copies.top.iter().take(5) {
        println!(
            "{} has {} copies",
            cluster.representative,
            cluster.pages - 1
        );
        for page in cluster.examples.iter().take(3) {
            println!("    {:3.0} % {}", page.similarity * 100.0, page.url);
        }
    }
    Ok(())
}
