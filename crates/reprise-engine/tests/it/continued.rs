//! A run that ends after any of its segments, and is continued, writes the bytes of an undisturbed one.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use flate2::Compression;
use flate2::write::GzEncoder;
use reprise_engine::Progress;
use reprise_engine::text::ChunkForm;
use tempfile::tempdir;

use crate::corpus::{How, add, add_watched, files, planted_web};

const HOW: How = How {
    threads: 2,
    segment_bytes: 100 << 10,
    chunk: ChunkForm::Markup,
};

/// Keeps the corpus as it is after each of its segments.
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
    fn begin(&self, _: u64) {}
    fn advance(&self, _: u64, _: u64) {}

    fn phase(&self, name: &str) {
        if name == "reading" {
            let to = self.path(self.taken.fetch_add(1, Ordering::Relaxed));
            for (name, bytes) in files(&self.corpus) {
                let path = to.join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, bytes).unwrap();
            }
        }
    }
}

/// Beside archives: lines, packed lines, an archive packed as one, and many small files.
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
        .map(|name| directory.join(name).to_string_lossy().into_owned())
        .collect()
}

#[test]
fn after_any_segment() {
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
        assert!(files(&cut) == expected, "after segment {number}");
        fs::remove_dir_all(&cut).unwrap();
    }
}
