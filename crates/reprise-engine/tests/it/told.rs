//! Whoever watches a run sees it move on, whatever it reads, and come to its end.

use std::fs::{self, File};
use std::io::Write;
use std::sync::Mutex;

use flate2::Compression;
use flate2::write::GzEncoder;
use reprise_engine::Progress;
use reprise_engine::text::ChunkForm;
use tempfile::tempdir;

use crate::corpus::{How, add_watched};

const HOW: How = How {
    threads: 2,
    segment_bytes: 1 << 20,
    chunk: ChunkForm::Markup,
};

/// The bytes to read, and those of each step.
#[derive(Default)]
struct Watched(Mutex<(u64, Vec<u64>)>);

impl Progress for Watched {
    fn begin(&self, total_bytes: u64) {
        self.0.lock().unwrap().0 = total_bytes;
    }

    fn advance(&self, bytes: u64, _: u64) {
        self.0.lock().unwrap().1.push(bytes);
    }

    fn phase(&self, _: &str) {}
}

#[test]
fn a_stream_moves_on_as_plain_lines_do() {
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
        let watched = Watched::default();
        let names = [path.to_string_lossy().into_owned()];
        add_watched(&names, &path.with_extension("corpus"), HOW, &watched);
        let (total, steps) = watched.0.into_inner().unwrap();
        assert_eq!(total, fs::metadata(&path).unwrap().len());
        assert_eq!(steps.iter().sum::<u64>(), total);
        let moved = steps.iter().filter(|&&bytes| bytes > 0).count();
        assert!(moved > 2, "{moved} steps of {}", path.display());
    }
}
