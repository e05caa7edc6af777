//! Measures how fast the HTML files below a directory are cut and normalised: `cut_speed DIRECTORY`.
//!
//! Reads up to 256 MB of pages. Prints the speed of the best of several rounds in MB (10^6 bytes of
//! UTF-8) per second on one core, and the results' counts, which must not change.
#![allow(clippy::print_stdout, reason = "the figures are the output")]

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{env, fs, io};

use reprise_text::{ChunkForm, Content, Cutter, normalize};

const BYTES_MAX: usize = 256_000_000;
const ROUNDS: usize = 20;

fn main() -> io::Result<()> {
    let directory = env::args_os().nth(1);
    let Some(directory) = directory else {
        return Err(io::Error::other("usage: cut_speed DIRECTORY"));
    };
    let mut pages = Vec::new();
    read_pages(Path::new(&directory), &mut pages, &mut 0)?;
    let bytes: usize = pages.iter().map(String::len).sum();
    println!("{} pages, {} MB", pages.len(), bytes / 1_000_000);

    let (pieces, time) = best(|| {
        let spans = pages.iter().map(|page| Cutter::new(Content::Html, page));
        spans.map(Iterator::count).sum()
    });
    print_speed("cut", bytes, time, pieces, "pieces");
    for form in [ChunkForm::Markup, ChunkForm::Text] {
        let (chars, time) = best(|| {
            let mut out = String::new();
            let chars = pages.iter().map(|page| normalize_all(form, page, &mut out));
            chars.sum()
        });
        print_speed(&format!("cut + {form}"), bytes, time, chars, "characters");
    }
    Ok(())
}

fn read_pages(path: &Path, pages: &mut Vec<String>, bytes: &mut usize) -> io::Result<()> {
    if path.is_dir() {
        let entries: io::Result<Vec<_>> = fs::read_dir(path)?.collect();
        let mut paths: Vec<_> = entries?.iter().map(fs::DirEntry::path).collect();
        paths.sort();
        for path in paths {
            read_pages(&path, pages, bytes)?;
        }
    } else if *bytes < BYTES_MAX && path.extension().is_some_and(|name| name == "html") {
        let page = String::from_utf8_lossy(&fs::read(path)?).into_owned();
        *bytes += page.len();
        pages.push(page);
    }
    Ok(())
}

fn normalize_all(form: ChunkForm, page: &str, out: &mut String) -> usize {
    out.clear();
    let mut chars = 0;
    for span in Cutter::new(Content::Html, page) {
        let raw = &page[span.start..span.end];
        chars += normalize(Content::Html, form, raw, out).chars;
    }
    black_box(out);
    chars
}

/// Returns the result and the time of the fastest round. The standard library measures elapsed time
/// only, and the fastest round was interrupted least.
fn best(work: impl Fn() -> usize) -> (usize, Duration) {
    let rounds = (0..ROUNDS).map(|_| {
        let begin = Instant::now();
        let count = black_box(work());
        (count, begin.elapsed())
    });
    let fastest = rounds.min_by_key(|&(_, time)| time);
    fastest.expect("there is at least one round")
}

fn print_speed(step: &str, bytes: usize, time: Duration, count: usize, unit: &str) {
    let speed = bytes as f64 / 1e6 / time.as_secs_f64();
    println!("{step:14} {speed:6.0} MB/s  {count} {unit}");
}
