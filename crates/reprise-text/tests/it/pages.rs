//! Compares real pages with the oracle, if the data sets are available.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::oracle::check_html;
use crate::shared_data::unpack;
use crate::token_oracle::check_tokens;

const SETS: [&str; 2] = ["html-readability-pages", "html-article-benchmark"];

#[test]
fn real_pages_agree_with_the_oracle() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    for set in SETS {
        match unpack(&project, set) {
            Some(directory) => paths.extend(files_below(&directory)),
            None => return,
        }
    }
    paths.retain(|path| path.to_string_lossy().contains(".html"));
    paths.sort();
    assert!(paths.len() > 400, "only {} pages", paths.len());
    // Without optimisation the oracle is slow. Neighbouring pages are similar, so a sample suffices.
    let step = if cfg!(debug_assertions) { 8 } else { 1 };
    for path in paths.iter().step_by(step) {
        let bytes = read_page(path);
        let page = String::from_utf8_lossy(&bytes);
        check_html(&page);
        check_tokens(&page);
    }
}

fn read_page(path: &Path) -> Vec<u8> {
    if path.extension().is_some_and(|extension| extension == "gz") {
        let unzip = Command::new("gzip").arg("-dc").arg(path).output();
        unzip.expect("gzip can be run").stdout
    } else {
        fs::read(path).expect("unpacked files can be read")
    }
}

fn files_below(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).expect("unpacked directories can be read") {
        let path = entry.expect("unpacked directories can be read").path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push(path);
        }
    }
    files
}
