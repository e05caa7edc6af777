use std::path::Path;

use reprise_fingerprint::{Fingerprint, HashKind};
use reprise_shingle::SHINGLES as SHINGLE_COUNT;

use super::verify;
use crate::batch::{ChunkRow, NewFingerprint, PageBatch, PageRow, PageShingles, ProblemRow};
use crate::builder::{SegmentBuilder, SourceRow};
use crate::corpus::{Corpus, CorpusWriter, SegmentFacts, Wanted};
use crate::manifest::{Manifest, ProblemSummary};
use crate::schema::{CHUNKS, FINGERPRINTS, PAGES, PROBLEMS, SHINGLES, SOURCES, Table};
use crate::table::{GROUP_ROWS, TableReader, TableWriter, Values};

fn fingerprint(text: &str) -> Fingerprint {
    HashKind::Sha256.fingerprint(text.as_bytes())
}

fn page(url: &str, host: &str, site: &str, chunks: u32) -> PageRow {
    PageRow {
        url: url.to_owned(),
        host: host.into(),
        site: site.into(),
        media_type: "text/html".into(),
        charset: "UTF-8",
        content: if chunks > 0 { "html" } else { "binary" },
        bytes: 100,
        fingerprint: fingerprint(url),
        chunks,
        ..PageRow::default()
    }
}

/// Pages on two sites and on none, with chunks that some of them share; a problem that is listed and two that are not.
fn filled() -> SegmentBuilder {
    let mut builder = SegmentBuilder::new();
    builder.add_source(SourceRow {
        name: "/a/x.warc".to_owned(),
        format: "warc".to_owned(),
        bytes: 1000,
        identity: fingerprint("x"),
        start: 0,
        end: 1000,
        is_done: true,
    });
    let chunk = |fingerprint, start, length| ChunkRow {
        fingerprint,
        start,
        length,
    };
    let new = |text: &str| NewFingerprint {
        fingerprint: fingerprint(text),
        chars: 10,
        is_visible: true,
    };
    let shingles = |words| PageShingles {
        words,
        text: fingerprint("words"),
        shingles: [u64::from(words); SHINGLE_COUNT],
    };
    builder.append(&PageBatch {
        pages: vec![
            page("http://www.a.example/1", "www.a.example", "a.example", 3),
            page("http://b.example/2", "b.example", "b.example", 2),
            page("file:///3", "", "", 1),
            page("http://b.example/4.png", "b.example", "b.example", 0),
        ],
        fingerprints: vec![new("one"), new("two"), new("three")],
        chunks: vec![
            chunk(0, 0, 20),
            chunk(1, 20, 30),
            chunk(0, 60, 20),
            chunk(0, 0, 20),
            chunk(2, 20, 80),
            chunk(0, 5, 20),
        ],
        shingles: vec![shingles(9), shingles(8), shingles(7), shingles(0)],
        problems: vec![ProblemRow {
            source: 0,
            kind: "trap",
            offset: 10,
            url: None,
            detail: String::new(),
        }],
    });
    builder
}

fn facts() -> SegmentFacts {
    let problems = [("trap", 1), ("not_text", 1)].map(|(kind, count)| {
        let summary = ProblemSummary {
            count,
            source: "/a/x.warc".to_owned(),
            offset: 10,
            url: None,
            detail: String::new(),
        };
        (kind.to_owned(), summary)
    });
    SegmentFacts {
        bytes_in: 1000,
        bytes_body: 400,
        problems: problems.into(),
        ..SegmentFacts::default()
    }
}

fn write_corpus(path: &Path) {
    let wanted = Wanted {
        shingles: true,
        ..Wanted::default()
    };
    let mut writer = CorpusWriter::open(path, wanted).unwrap();
    writer.add_segment(&filled(), facts()).unwrap();
}

/// Writes a table anew, with checksums that fit.
fn forge(
    corpus: &Path,
    table: &'static Table,
    group_changed: usize,
    change: impl Fn(&mut Vec<Values>),
) {
    let opened = Corpus::open(corpus).unwrap();
    let path = opened.segments().next().unwrap().file(table);
    let reader = TableReader::open(&path, table).unwrap();
    let groups = (0..reader.groups()).map(|group| {
        let columns = table.columns.iter();
        let values = columns.map(|column| reader.read(group, column.name).unwrap());
        values.collect()
    });
    let mut groups: Vec<Vec<Values>> = groups.collect();
    change(&mut groups[group_changed]);
    let mut writer = TableWriter::create(&path, table.columns).unwrap();
    for values in &groups {
        writer.write(values).unwrap();
    }
    let summary = writer.finish().unwrap();
    change_manifest(corpus, |manifest| {
        manifest.segments[0]
            .files
            .insert(table.name.to_owned(), summary.clone());
    });
}

fn change_manifest(corpus: &Path, change: impl Fn(&mut Manifest)) {
    let mut manifest = Manifest::read(corpus).unwrap();
    change(&mut manifest);
    manifest.write(corpus).unwrap();
}

/// Memory for everything, and for one rank at a time.
const MEMORIES: [usize; 2] = [1 << 30, 1];

/// Is damage of this table found, in these words?
fn assert_found(corpus: &Path, table: &Table, words: &str) {
    for memory in MEMORIES {
        let damage = verify(corpus, memory).unwrap();
        let is_told = damage.iter().any(|damage| {
            damage.path.ends_with(format!("{}.parquet", table.name))
                && damage.detail.contains(words)
        });
        assert!(is_told, "{}, {words:?}: {damage:?}", table.name);
    }
}

/// Sets one integer of a table, or text where that is given.
fn check(table: &'static Table, column: &str, row: usize, value: impl Into<Value>, words: &str) {
    let directory = tempfile::tempdir().unwrap();
    write_corpus(directory.path());
    let value = value.into();
    forge(directory.path(), table, 0, |values| {
        match (&mut values[table.column(column)], &value) {
            (Values::Int(values), Value::Int(value)) => values[row] = *value,
            (Values::Text(values), Value::Text(value)) => values[row] = (*value).into(),
            (other, _) => panic!("{column} holds {other:?}"),
        }
    });
    assert_found(directory.path(), table, words);
}

enum Value {
    Int(i64),
    Text(&'static str),
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::Int(value)
    }
}

impl From<&'static str> for Value {
    fn from(value: &'static str) -> Value {
        Value::Text(value)
    }
}

#[test]
fn a_sound_corpus_is_sound_within_any_memory() {
    let directory = tempfile::tempdir().unwrap();
    write_corpus(directory.path());
    // Written anew without a change, too.
    for table in [
        &SOURCES,
        &PAGES,
        &FINGERPRINTS,
        &CHUNKS,
        &PROBLEMS,
        &SHINGLES,
    ] {
        for memory in MEMORIES {
            assert_eq!(verify(directory.path(), memory).unwrap(), []);
        }
        forge(directory.path(), table, 0, |_| {});
    }
}

#[test]
fn every_invariant_of_pages_is_checked() {
    check(&PAGES, "source", 0, 1, "source 1");
    check(&PAGES, "source", 3, -1, "source -1");
    for column in ["bytes", "chunks", "offset", "length", "within"] {
        check(&PAGES, column, 1, -1, column);
    }
    check(&PAGES, "bytes", 1, 99, "399 bytes of bodies");
    check(&PAGES, "content", 0, "text", "content");
    check(&PAGES, "content", 0, "binary", "without text");
    check(&PAGES, "host", 0, "www.b.example", "host");
    check(&PAGES, "host", 2, "a.example", "host");
    check(&PAGES, "site", 0, "b.example", "site");
    check(&PAGES, "site", 0, "", "site");
    check(&PAGES, "url", 1, "http://c.example/", "host");
    check(&PAGES, "chunks", 2, 2, "has fewer");
}

#[test]
fn every_invariant_of_chunks_is_checked() {
    check(&CHUNKS, "page", 1, 1, "page 1, not 0");
    check(&CHUNKS, "page", 5, 7, "page 7");
    check(&CHUNKS, "rank", 0, 3, "rank 3");
    check(&CHUNKS, "rank", 0, -1, "rank -1");
    let cannot_be = "cannot be where it is";
    check(&CHUNKS, "start", 0, -5, cannot_be);
    // Overlapping, not increasing, beyond the longest text that a body can become.
    check(&CHUNKS, "start", 1, 19, cannot_be);
    check(&CHUNKS, "start", 2, 10, cannot_be);
    check(&CHUNKS, "start", 5, 400, cannot_be);
    check(&CHUNKS, "length", 5, i64::MAX, cannot_be);
    check(&CHUNKS, "length", 0, 0, cannot_be);
}

#[test]
fn every_count_is_checked() {
    // The rank of `one`, which is on all pages with chunks.
    let mut sorted = ["one", "two", "three"].map(fingerprint);
    sorted.sort_unstable();
    let rank = sorted
        .iter()
        .position(|&found| found == fingerprint("one"))
        .unwrap();
    check(&FINGERPRINTS, "occurrences", rank, 3, "counts at rank");
    check(&FINGERPRINTS, "pages", rank, 4, "counts at rank");
    check(&FINGERPRINTS, "first_chunk", rank, 2, "counts at rank");
    check(&FINGERPRINTS, "sites", rank, 2, "3 sites, not 2");
    check(&FINGERPRINTS, "sites", (rank + 1) % 3, 2, "1 sites, not 2");
    check(&FINGERPRINTS, "chars", rank, 0, "0 characters");
    let directory = tempfile::tempdir().unwrap();
    write_corpus(directory.path());
    change_manifest(directory.path(), |manifest| manifest.segments[0].sites = 3);
    assert_found(directory.path(), &PAGES, "pages on 2 sites, not 3");
}

#[test]
fn every_invariant_of_the_rest_is_checked() {
    check(&SOURCES, "start", 0, 1001, "from 1001 to 1000");
    check(&SOURCES, "start", 0, -1, "from -1");
    check(&SOURCES, "bytes", 0, -1, "-1 bytes");
    check(&SOURCES, "format", 0, "zip", "format");
    check(&SOURCES, "name", 0, "", "name");
    check(&PROBLEMS, "source", 0, 1, "source 1");
    check(&PROBLEMS, "offset", 0, -1, "-1");
    check(&PROBLEMS, "kind", 0, "bomb", "0 problems of kind trap");
    check(&SHINGLES, "words", 0, 0, "0 words");
    check(&SHINGLES, "words", 3, 5, "5 words");
    let directory = tempfile::tempdir().unwrap();
    write_corpus(directory.path());
    change_manifest(directory.path(), |manifest| {
        if let Some(trap) = manifest.segments[0].problems.get_mut("trap") {
            trap.count = 2;
        }
    });
    assert_found(
        directory.path(),
        &PROBLEMS,
        "1 problems of kind trap, not 2",
    );
}

/// More fingerprints than are counted at once where there is no memory.
#[test]
fn counts_are_checked_range_by_range() {
    let directory = tempfile::tempdir().unwrap();
    let count = GROUP_ROWS as u32 + 9;
    let mut builder = SegmentBuilder::new();
    builder.add_source(SourceRow {
        name: "/a/x.html".to_owned(),
        format: "file".to_owned(),
        bytes: u64::from(count),
        identity: fingerprint("x"),
        start: 0,
        end: 0,
        is_done: true,
    });
    let new = |number: u32| NewFingerprint {
        fingerprint: fingerprint(&number.to_string()),
        chars: 1,
        is_visible: true,
    };
    let chunk = |number| ChunkRow {
        fingerprint: number,
        start: number,
        length: 1,
    };
    builder.append(&PageBatch {
        pages: vec![PageRow {
            bytes: u64::from(count),
            ..page("http://a.example/", "a.example", "a.example", count)
        }],
        fingerprints: (0..count).map(new).collect(),
        chunks: (0..count).map(chunk).collect(),
        ..PageBatch::default()
    });
    let mut writer = CorpusWriter::open(directory.path(), Wanted::default()).unwrap();
    let facts = SegmentFacts {
        bytes_body: u64::from(count),
        ..SegmentFacts::default()
    };
    writer.add_segment(&builder, facts).unwrap();
    for memory in [1 << 30, 64 << 10] {
        assert_eq!(verify(directory.path(), memory).unwrap(), []);
    }
    // The first rank of the second range has a chunk more than it says.
    forge(directory.path(), &CHUNKS, 1, |values| {
        if let Values::Int(ranks) = &mut values[CHUNKS.column("rank")] {
            ranks[0] = GROUP_ROWS as i64;
        }
    });
    for memory in [1 << 30, 64 << 10] {
        let damage = verify(directory.path(), memory).unwrap();
        assert!(
            damage[0].detail.contains("are not those of the chunks"),
            "{damage:?}"
        );
    }
}
