//! The progress of a run advances steadily for every kind of input, and ends at its total.

use std::fs::{self, File};
use std::io::Write;
use std::sync::Mutex;

use flate2::Compression;
use flate2::write::GzEncoder;
use reprise_engine::{ChunkForm, Progress, Unit};
use tempfile::tempdir;

use crate::support::{How, add_watched, name};

const HOW: How = How {
    threads: 2,
    segment_bytes: 1 << 20,
    chunk: ChunkForm::Markup,
};

#[derive(Default)]
struct Seen {
    total: u64,
    steps: Vec<u64>,
    pages: u64,
    activities: Vec<String>,
}

/// Records the calls.
#[derive(Default)]
struct Recorder(Mutex<Seen>);

impl Progress for Recorder {
    fn begin(&self, step: &str, total: u64, unit: Unit) {
        assert!(["opening", "reading"].contains(&step));
        assert_eq!(unit, Unit::Bytes);
        self.0.lock().unwrap().total = total;
    }

    fn advance(&self, amount: u64) {
        self.0.lock().unwrap().steps.push(amount);
    }

    fn add_pages(&self, pages: u64) {
        self.0.lock().unwrap().pages += pages;
    }

    fn activity(&self, name: &str) {
        self.0.lock().unwrap().activities.push(name.to_owned());
    }
}

#[test]
fn compressed_lines_advance_like_plain_lines() {
    let directory = tempdir().unwrap();
    let mut lines = String::new();
    for at in 0_u32..20_000 {
        let word = at.wrapping_mul(2_654_435_761);
        let row = format!("{{\"url\":\"http://r.example/{at}\",\"text\":\"row {word:x}\"}}\n");
        lines.push_str(&row);
    }
    let plain = directory.path().join("rows.jsonl");
    fs::write(&plain, &lines).unwrap();
    let packed = directory.path().join("rows.jsonl.gz");
    let mut encoder = GzEncoder::new(File::create(&packed).unwrap(), Compression::fast());
    encoder.write_all(lines.as_bytes()).unwrap();
    encoder.finish().unwrap();
    for path in [plain, packed] {
        let recorder = Recorder::default();
        let corpus = path.with_extension("corpus");
        let stats = add_watched(&[name(&path)], &corpus, HOW, &recorder);
        let seen = recorder.0.into_inner().unwrap();
        assert_eq!(seen.total, fs::metadata(&path).unwrap().len());
        assert_eq!(seen.steps.iter().sum::<u64>(), seen.total);
        let advances = seen.steps.iter().filter(|&&bytes| bytes > 0).count();
        assert!(advances > 2, "{advances} steps of {}", path.display());
        assert_eq!(seen.pages, stats.pages);
        // Each segment begins and ends an activity.
        assert_eq!(seen.activities.len() as u64, 2 * stats.segments);
    }
}
