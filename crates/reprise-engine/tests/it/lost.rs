//! What the system does not let be read in one run is read in the next, and only that.

use std::fs;
use std::path::Path;

use reprise_engine::ingest::ProblemKind;
use reprise_engine::store::{Corpus, CorpusWriter, Wanted};
use reprise_engine::text::ChunkForm;
use reprise_engine::{IndexConfig, IndexStats, index};

use crate::corpus::{How, LIMITS, add, open_inputs, planted_web};

const HOW: How = How {
    threads: 3,
    segment_bytes: 1 << 20,
    chunk: ChunkForm::Markup,
};

/// Indexes what was opened before `meanwhile` happened.
fn add_after(names: &[String], corpus: &Path, meanwhile: impl FnOnce()) -> IndexStats {
    let inputs = open_inputs(names, &std::env::temp_dir());
    let mut writer = CorpusWriter::open(corpus, Wanted::default()).unwrap();
    let config = IndexConfig {
        threads: HOW.threads,
        memory_bytes: 256 << 20,
        segment_bytes: HOW.segment_bytes,
        limits: LIMITS,
    };
    meanwhile();
    index(inputs, &mut writer, &config, &()).unwrap()
}

fn pages(corpus: &Path) -> u64 {
    let corpus = Corpus::open(corpus).unwrap();
    let pages = |segment: reprise_engine::store::Segment<'_>| segment.summary().rows("pages");
    corpus.segments().map(pages).sum()
}

#[test]
fn a_source_that_was_away_is_read_when_it_is_back() {
    let directory = tempfile::tempdir().unwrap();
    let mut names = planted_web(&directory.path().join("web"));
    for (name, text) in [
        ("page.html", "<p>a page"),
        (
            "rows.jsonl",
            "{\"url\":\"http://r.example/\",\"text\":\"a row\"}\n",
        ),
    ] {
        let path = directory.path().join(name);
        fs::write(&path, text).unwrap();
        names.push(path.to_string_lossy().into_owned());
    }
    let whole = directory.path().join("whole");
    let expected = add(&names, &whole, HOW).pages;

    let corpus = directory.path().join("corpus");
    let away: Vec<&String> = names.iter().step_by(2).chain(names.last()).collect();
    let hidden = |name: &str| format!("{name}.away");
    let stats = add_after(&names, &corpus, || {
        for name in &away {
            let _ = fs::rename(name, hidden(name));
        }
    });
    assert!(stats.pages < expected);
    assert!(stats.tally.count(ProblemKind::Unreadable) > 3);
    for name in &away {
        let _ = fs::rename(hidden(name), name);
    }
    let again = add(&names, &corpus, HOW);
    assert!(again.sources_continued > 0 && again.sources_held > 0);
    assert_eq!(stats.pages + again.pages, expected);
    assert_eq!(pages(&corpus), expected);
    assert_eq!(add(&names, &corpus, HOW).pages, 0);
}
