//! Measures the main content of real pages, if the data sets are available.

use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use reprise_convert::{Converter, Format, normalize};

use crate::shared_data::unpack;
use crate::{CONVERTER, plain};

/// The mean shares of words over pages.
#[derive(Debug, Default)]
struct Quality {
    precision: f64,
    recall: f64,
    f1: f64,
}

fn words(text: &str) -> HashMap<String, i32> {
    let mut words = HashMap::new();
    let text = normalize(text).to_lowercase();
    for word in text
        .split(|char: char| !char.is_alphanumeric())
        .filter(|word| !word.is_empty())
    {
        *words.entry(word.to_owned()).or_default() += 1;
    }
    words
}

fn compare(found: &str, expected: &str) -> Quality {
    let (found, expected) = (words(found), words(expected));
    let sum = |words: &HashMap<String, i32>| f64::from(words.values().sum::<i32>()).max(1.0);
    let common: i32 = found
        .iter()
        .map(|(word, count)| count.min(expected.get(word).unwrap_or(&0)))
        .sum();
    let precision = f64::from(common) / sum(&found);
    let recall = f64::from(common) / sum(&expected);
    Quality {
        precision,
        recall,
        f1: 2.0 * f64::from(common) / (sum(&found) + sum(&expected)),
    }
}

fn mean(pages: &[(String, String)], main_content: bool) -> Quality {
    let converter = Converter {
        main_content,
        ..CONVERTER
    };
    let mut mean = Quality::default();
    for (page, expected) in pages {
        let found = converter
            .plain(Format::Html, page.as_bytes())
            .expect("HTML can be converted");
        let quality = compare(&found.text, expected);
        mean.precision += quality.precision / pages.len() as f64;
        mean.recall += quality.recall / pages.len() as f64;
        mean.f1 += quality.f1 / pages.len() as f64;
    }
    mean
}

fn data(set: &str) -> Option<PathBuf> {
    unpack(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."), set)
}

fn read(path: &Path) -> String {
    let bytes = fs::read(path).expect("unpacked files can be read");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The step between pages. Without optimisation, one page in four must suffice.
const STEP: usize = if cfg!(debug_assertions) { 4 } else { 1 };

#[track_caller]
fn check(set: &str, pages: &[(String, String)], f1_min: f64) {
    let all = mean(pages, false);
    let main = mean(pages, true);
    println!(
        "{set}: {} pages, all text {all:.3?}, main content {main:.3?}",
        pages.len()
    );
    assert!(main.f1 >= f1_min, "{main:?}");
    assert!(main.f1 > all.f1);
}

#[test]
fn pages_of_readability() {
    let Some(folder) = data("html-readability-pages") else {
        return;
    };
    let mut folders: Vec<PathBuf> = fs::read_dir(folder)
        .expect("it is unpacked")
        .map(|entry| entry.expect("it is unpacked").path())
        .filter(|path| path.join("source.html").exists())
        .collect();
    folders.sort();
    assert_eq!(folders.len(), 130);
    let pages: Vec<(String, String)> = folders
        .iter()
        .step_by(STEP)
        .map(|folder| {
            let expected = plain(Format::Html, read(&folder.join("expected.html")));
            (read(&folder.join("source.html")), expected.text)
        })
        .collect();
    check("html-readability-pages", &pages, 0.93);
}

#[test]
fn news() {
    let Some(folder) = data("html-article-benchmark") else {
        return;
    };
    let truth: serde_json::Value =
        serde_json::from_str(&read(&folder.join("ground-truth.json"))).expect("it is JSON");
    let truth = truth.as_object().expect("it has a key for each page");
    assert_eq!(truth.len(), 181);
    let pages: Vec<(String, String)> = truth
        .iter()
        .step_by(STEP)
        .map(|(name, page)| {
            let file =
                fs::File::open(folder.join(format!("html/{name}.html.gz"))).expect("it is there");
            let mut html = Vec::new();
            GzDecoder::new(file)
                .read_to_end(&mut html)
                .expect("it is whole");
            let body = page["articleBody"].as_str().expect("it has a text");
            (String::from_utf8_lossy(&html).into_owned(), body.to_owned())
        })
        .collect();
    check("html-article-benchmark", &pages, 0.94);
}
