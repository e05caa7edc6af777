//! The trap rule on real URLs: the links of real web pages.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use reprise_url::trap::find_trap;

use crate::project;
use crate::shared_data::unpack;

/// All `http` links in attribute values below a directory of pages.
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
fn honest_links_are_not_accused() {
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
    let accused: Vec<&String> = urls.iter().filter(|url| find_trap(url).is_some()).collect();
    println!("{} of {} real links accused", accused.len(), urls.len());
    for url in &accused {
        println!("  {url}: {}", find_trap(url).unwrap());
    }
    assert!(urls.len() > 10_000, "only {} links", urls.len());
    assert!(accused.len() * 10_000 <= urls.len(), "{accused:?}");
}
