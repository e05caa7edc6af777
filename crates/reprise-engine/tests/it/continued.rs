//! A run that ends after any of its segments and is continued writes the same bytes as an undisturbed run.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use flate2::Compression;
use flate2::write::GzEncoder;
use reprise_engine::{ChunkForm, Progress};
use tempfile::tempdir;

use crate::support::{How, add, add_watched, files, name, planted_web, write_files};

const HOW: How = How {
    threads: 2,
    segment_bytes: 100 << 10,
    chunk: ChunkForm::Markup,
};

/// Copies the corpus after each of its segments.
struct Snapshots {
    corpus: PathBuf,
    taken: AtomicUsize,
}

impl Snapshots {
    fn path(&self, number: usize) -> PathBuf {
        self.corpus.with_extension(number.to_string())
    }
}

impl Progress for Snapshots {
    fn activity(&self, name: &str) {
        // A segment has been written.
        if name.is_empty() {
            let to = self.path(self.taken.fetch_add(1, Ordering::Relaxed));
            write_files(&to, &files(&self.corpus));
        }
    }
}

/// Writes other kinds of inputs: lines, compressed lines, an archive that is compressed as a whole, and many small files.
fn other_sources(directory: &Path, archives: &[String]) -> Vec<String> {
    let mut lines = String::new();
    for at in 0..4000 {
        let row = format!("{{\"url\":\"http://r.example/{at}\",\"text\":\"row {at} of many\"}}\n");
        lines.push_str(&row);
    }
    fs::write(directory.join("rows.jsonl"), &lines).unwrap();
    let pack = |name: &str, bytes: &[u8]| {
        let file = File::create(directory.join(name)).unwrap();
        let mut packed = GzEncoder::new(file, Compression::fast());
        packed.write_all(bytes).unwrap();
        packed.finish().unwrap();
    };
    pack(
        "packed.jsonl.gz",
        lines.replace("r.example", "p.example").as_bytes(),
    );
    let plain = archives
        .iter()
        .find(|name| Path::new(name).extension() == Some("warc".as_ref()))
        .unwrap();
    pack("whole.warc.gz", &fs::read(plain).unwrap());
    let pages = directory.join("pages");
    fs::create_dir(&pages).unwrap();
    for at in 0..2000 {
        let page = format!("<title>{at}</title><p>page <b>{at}</b> of a folder");
        fs::write(pages.join(format!("{at}.html")), page).unwrap();
    }
    ["rows.jsonl", "packed.jsonl.gz", "whole.warc.gz", "pages"]
        .iter()
        .map(|file| name(&directory.join(file)))
        .collect()
}

#[test]
fn a_run_can_end_after_any_segment() {
    let directory = tempdir().unwrap();
    let mut names = planted_web(&directory.path().join("web"));
    names.extend(other_sources(directory.path(), &names));
    let whole = directory.path().join("whole");
    let snapshots = Snapshots {
        corpus: whole.clone(),
        taken: AtomicUsize::new(0),
    };
    let stats = add_watched(&names, &whole, HOW, &snapshots);
    let taken = snapshots.taken.into_inner();
    assert_eq!(taken as u64, stats.segments);
    assert!(taken > 20, "{taken} segments");
    let expected = files(&whole);
    for number in 0..taken {
        let cut = whole.with_extension(number.to_string());
        add(&names, &cut, HOW);
        assert!(files(&cut) == expected, "continued after segment {number}");
        fs::remove_dir_all(&cut).unwrap();
    }
}
