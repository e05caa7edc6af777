//! Sources that cannot be read in one run are read in the next run, and only these.

use std::fs;
use std::path::Path;

use reprise_engine::store::schema::Pages;
use reprise_engine::{ChunkForm, Corpus, Progress, Unit};

use crate::support::{How, add, add_watched, name, planted_web};

const HOW: How = How {
    threads: 3,
    segment_bytes: 1 << 20,
    chunk: ChunkForm::Markup,
};

/// Calls a function after the inputs were opened and before they are read.
struct BeforeReading<F>(F);

impl<F: Fn() + Sync> Progress for BeforeReading<F> {
    fn begin(&self, step: &str, _: u64, _: Unit) {
        if step == "reading" {
            (self.0)();
        }
    }
}

fn pages(corpus: &Path) -> u64 {
    Corpus::open(corpus).unwrap().reader().rows::<Pages>()
}

#[test]
fn a_source_that_was_missing_is_read_by_a_later_run() {
    let directory = tempfile::tempdir().unwrap();
    let mut names = planted_web(&directory.path().join("web"));
    for (file, text) in [
        ("page.html", "<p>a page"),
        (
            "rows.jsonl",
            "{\"url\":\"http://r.example/\",\"text\":\"a row\"}\n",
        ),
    ] {
        let path = directory.path().join(file);
        fs::write(&path, text).unwrap();
        names.push(name(&path));
    }
    let whole = directory.path().join("whole");
    let expected = add(&names, &whole, HOW).pages;

    let corpus = directory.path().join("corpus");
    let missing: Vec<&String> = names.iter().step_by(2).chain(names.last()).collect();
    let hidden = |name: &str| format!("{name}.hidden");
    let hide = BeforeReading(|| {
        for name in &missing {
            let _ = fs::rename(name, hidden(name));
        }
    });
    let stats = add_watched(&names, &corpus, HOW, &hide);
    assert!(stats.pages < expected);
    let unreadable = stats.problems.skipped["unreadable"];
    assert!(unreadable > 3, "{unreadable}");
    for name in &missing {
        let _ = fs::rename(hidden(name), name);
    }
    let again = add(&names, &corpus, HOW);
    assert!(again.sources.continued > 0 && again.sources.held > 0);
    assert_eq!(stats.pages + again.pages, expected);
    assert_eq!(pages(&corpus), expected);
    assert_eq!(add(&names, &corpus, HOW).pages, 0);
}
