//! Applies the trap rules to the links of real web pages.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use reprise_url::trap::find_trap;

use crate::project;
use crate::shared_data::unpack;

/// Collects all `http` links in attribute values of the pages in a directory tree.
fn links(directory: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            links(&path, found);
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        for (at, _) in text.match_indices("\"http") {
            let rest = &text[at + 1..];
            let url = &rest[..rest.find('"').unwrap_or(0)];
            if url.contains("://") && url.len() < 2000 && !url.contains(char::is_whitespace) {
                found.insert(url.replace("&amp;", "&"));
            }
        }
    }
}

/// docs/traps.md states these figures.
#[test]
fn links_of_real_pages_are_not_traps() {
    let mut urls = BTreeSet::new();
    for set in [
        "html-readability-pages",
        "html-article-benchmark",
        "html-javadoc-jackson",
    ] {
        let Some(directory) = unpack(project(), set) else {
            return;
        };
        links(&directory, &mut urls);
    }
    let flagged: Vec<&String> = urls.iter().filter(|url| find_trap(url).is_some()).collect();
    println!("{} of {} real links are traps", flagged.len(), urls.len());
    for url in &flagged {
        println!("  {url}: {}", find_trap(url).unwrap());
    }
    assert!(urls.len() > 10_000, "only {} links", urls.len());
    assert!(flagged.len() * 10_000 <= urls.len(), "{flagged:?}");
}
