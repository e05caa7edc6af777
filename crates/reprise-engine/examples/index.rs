//! Reads archives into a corpus: `index CORPUS ARCHIVE...`
#![allow(clippy::print_stdout, reason = "the result goes to standard output")]

use std::error::Error;
use std::path::Path;

use reprise_engine::{Corpus, IndexOptions, RequestedSettings, Resources};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [corpus, archives @ ..] = arguments.as_slice() else {
        return Err("usage: index CORPUS ARCHIVE...".into());
    };
    // Near-copies need shingles.
    let settings = RequestedSettings {
        shingles: true,
        ..RequestedSettings::default()
    };
    let options = IndexOptions::default();
    let resources = Resources::default();
    let directory = Path::new(corpus);
    let (corpus, added) =
        Corpus::index_into(directory, settings, archives, &options, resources, &())?;
    println!("{} pages with {} chunks added", added.pages, added.chunks);
    for (kind, count) in &added.problems.damaged {
        println!("{count} records are damaged: {kind}");
    }
    println!("the corpus has {} pages", corpus.info(&())?.pages);
    Ok(())
}
