//! Checks one page against labels: `check LABELS.parquet PAGE.html URL`
#![allow(clippy::print_stdout, reason = "the result goes to standard output")]

use std::error::Error;
use std::path::Path;

use reprise_engine::{Checker, Content, PageView};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [labels, page, url] = arguments.as_slice() else {
        return Err("usage: check LABELS.parquet PAGE.html URL".into());
    };
    let html = std::fs::read_to_string(page)?;
    let checker = Checker::open(Path::new(labels), None)?;
    // A session can check any number of pages.
    let found = checker.session().page(&PageView {
        url,
        body: html.as_bytes(),
        text: Some((Content::Html, &html)),
    })?;
    println!(
        "{} of {} chunks are labelled",
        found.matched, found.chunks
    );
    for source in &found.sources {
        println!("{} are from {}", source.chunks, source.url);
    }
    println!(
        "{}",
        if found.is_copy {
            "a copy"
        } else {
            "not a copy"
        }
    );
    Ok(())
}
