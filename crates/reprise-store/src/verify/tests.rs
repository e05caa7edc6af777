use std::path::Path;

use reprise_fingerprint::{Fingerprint, HashKind};
use reprise_shingle::SHINGLES as SHINGLE_COUNT;

use super::verify;
use crate::batch::{ChunkRow, NewFingerprint, PageBatch, PageRow, PageShingles, ProblemRow};
use crate::builder::{SegmentBuilder, SourceRow};
use crate::corpus::{CorpusReader, CorpusWriter, RequestedSettings, SegmentFacts};
use crate::manifest::{Manifest, ProblemSummary};
use crate::schema::{
    Chunks, ColumnOf, Fingerprints, Pages, Problems, Sketches, Sources, Table, Urls,
};
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

/// Returns a segment with pages on two sites and one page without a site, shared chunks, and one problem.
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
    let settings = RequestedSettings {
        shingles: true,
        ..RequestedSettings::default()
    };
    let mut writer = CorpusWriter::open(path, settings).unwrap();
    writer.add_segment(&filled(), facts()).unwrap();
}

/// Changes a row group of a table, and updates all checksums.
fn forge<T: Table>(corpus: &Path, group_changed: usize, change: impl Fn(&mut Vec<Values>)) {
    let opened = CorpusReader::open(corpus).unwrap();
    let path = opened.segments().next().unwrap().file::<T>();
    let reader = TableReader::<T>::open(&path).unwrap();
    let groups = (0..reader.groups()).map(|group| {
        let columns = T::COLUMNS.iter();
        let values = columns.map(|&column| reader.values(group, column).unwrap());
        values.collect()
    });
    let mut groups: Vec<Vec<Values>> = groups.collect();
    change(&mut groups[group_changed]);
    let mut writer = TableWriter::create(&path, T::COLUMNS).unwrap();
    for values in &groups {
        writer.write(values).unwrap();
    }
    let summary = writer.finish().unwrap();
    change_manifest(corpus, |manifest| {
        let files = &mut manifest.segments[0].files;
        files.insert(T::TABLE.to_owned(), summary.clone());
    });
}

fn index<T: Table, V>(column: ColumnOf<T, V>) -> usize {
    let mut columns = T::COLUMNS.iter();
    columns
        .position(|other| other.name == column.column.name)
        .unwrap()
}

fn change_manifest(corpus: &Path, change: impl Fn(&mut Manifest)) {
    let mut manifest = Manifest::read(corpus).unwrap();
    change(&mut manifest);
    manifest.write(corpus).unwrap();
}

/// Memory limits: enough for everything, and so little that each rank is checked alone.
const MEMORIES: [usize; 2] = [1 << 30, 1];

/// Asserts that `verify` reports damage of table `T` with a text that contains `words`.
fn assert_found<T: Table>(corpus: &Path, words: &str) {
    for memory in MEMORIES {
        let damage = verify(corpus, memory).unwrap();
        let is_reported = damage.iter().any(|damage| {
            damage.path.ends_with(format!("{}.parquet", T::TABLE)) && damage.detail.contains(words)
        });
        assert!(is_reported, "{}, {words:?}: {damage:?}", T::TABLE);
    }
}

/// Changes one value of a table, and asserts that `verify` reports damage with a text that contains `words`.
fn check<T: Table, V>(column: ColumnOf<T, V>, row: usize, value: impl Into<Value>, words: &str) {
    let directory = tempfile::tempdir().unwrap();
    write_corpus(directory.path());
    let value = value.into();
    forge::<T>(directory.path(), 0, |values| {
        match (&mut values[index(column)], &value) {
            (Values::Int(values), Value::Int(value)) => values[row] = *value,
            (Values::Text(values), Value::Text(value)) => values.0[row] = (*value).into(),
            (other, _) => panic!("the column holds {other:?}"),
        }
    });
    assert_found::<T>(directory.path(), words);
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
fn an_intact_corpus_passes_with_any_memory_limit() {
    let directory = tempfile::tempdir().unwrap();
    write_corpus(directory.path());
    let assert_intact = || {
        for memory in MEMORIES {
            assert_eq!(verify(directory.path(), memory).unwrap(), []);
        }
    };
    assert_intact();
    // Rewriting tables without a change is not damage.
    forge::<Sources>(directory.path(), 0, |_| {});
    forge::<Pages>(directory.path(), 0, |_| {});
    forge::<Fingerprints>(directory.path(), 0, |_| {});
    forge::<Chunks>(directory.path(), 0, |_| {});
    forge::<Problems>(directory.path(), 0, |_| {});
    forge::<Sketches>(directory.path(), 0, |_| {});
    forge::<Urls>(directory.path(), 0, |_| {});
    assert_intact();
}

#[test]
fn every_invariant_of_pages_is_checked() {
    check(Pages::SOURCE, 0, 1, "source 1");
    check(Pages::SOURCE, 3, -1, "source -1");
    for column in [
        Pages::BYTES,
        Pages::CHUNKS,
        Pages::OFFSET,
        Pages::LENGTH,
        Pages::WITHIN,
    ] {
        check(column, 1, -1, column.column.name);
    }
    check(Pages::BYTES, 1, 99, "399 bytes of bodies");
    check(Pages::CONTENT, 0, "text", "content");
    check(Pages::CONTENT, 0, "binary", "without text");
    check(Pages::HOST, 0, "www.b.example", "host");
    check(Pages::HOST, 2, "a.example", "host");
    check(Pages::SITE, 0, "b.example", "site");
    check(Pages::SITE, 0, "", "site");
    check(Pages::URL, 1, "http://c.example/", "host");
    check(Pages::CHUNKS, 2, 2, "fewer than the stated 2 chunks");
}

#[test]
fn every_invariant_of_chunks_is_checked() {
    check(Chunks::PAGE, 1, 1, "page 1, not 0");
    check(Chunks::PAGE, 5, 7, "page 7");
    check(Chunks::RANK, 0, 3, "rank 3");
    check(Chunks::RANK, 0, -1, "rank -1");
    let impossible = "has an impossible position";
    check(Chunks::START, 0, -5, impossible);
    // Chunks that overlap, that are not in order, and that end after the longest possible text.
    check(Chunks::START, 1, 19, impossible);
    check(Chunks::START, 2, 10, impossible);
    check(Chunks::START, 5, 400, impossible);
    check(Chunks::LENGTH, 5, i64::MAX, impossible);
    check(Chunks::LENGTH, 0, 0, impossible);
}

#[test]
fn every_count_is_checked() {
    // The rank of the chunk `one`, which is on all pages with chunks.
    let mut sorted = ["one", "two", "three"].map(fingerprint);
    sorted.sort_unstable();
    let rank = sorted
        .iter()
        .position(|&found| found == fingerprint("one"))
        .unwrap();
    check(Fingerprints::OCCURRENCES, rank, 3, "counts at rank");
    check(Fingerprints::PAGES, rank, 4, "counts at rank");
    check(Fingerprints::FIRST_CHUNK, rank, 2, "counts at rank");
    check(
        Fingerprints::SITES,
        rank,
        2,
        "3 sites, but the table says 2",
    );
    check(
        Fingerprints::SITES,
        (rank + 1) % 3,
        2,
        "1 sites, but the table says 2",
    );
    check(Fingerprints::CHARS, rank, 0, "0 characters");
    let directory = tempfile::tempdir().unwrap();
    write_corpus(directory.path());
    change_manifest(directory.path(), |manifest| manifest.segments[0].sites = 3);
    assert_found::<Pages>(
        directory.path(),
        "pages on 2 sites, but the manifest counts 3",
    );
}

#[test]
fn every_invariant_of_the_other_tables_is_checked() {
    check(Sources::START, 0, 1001, "from 1001 to 1000");
    check(Sources::START, 0, -1, "from -1");
    check(Sources::BYTES, 0, -1, "-1 bytes");
    check(Sources::FORMAT, 0, "zip", "format");
    check(Sources::NAME, 0, "", "name");
    check(Problems::SOURCE, 0, 1, "source 1");
    check(Problems::OFFSET, 0, -1, "-1");
    check(Problems::KIND, 0, "bomb", "0 problems of kind trap");
    check(Sketches::WORDS, 0, 0, "0 words");
    check(Sketches::WORDS, 3, 5, "5 words");
    check(Urls::HASH, 1, i64::MIN, "not sorted");
    check(
        Urls::HASH,
        0,
        i64::MIN,
        "differs from the hash of the page's URL",
    );
    check(Urls::PAGE, 0, 9, "does not exist");
    let directory = tempfile::tempdir().unwrap();
    write_corpus(directory.path());
    change_manifest(directory.path(), |manifest| {
        if let Some(trap) = manifest.segments[0].problems.get_mut("trap") {
            trap.count = 2;
        }
    });
    assert_found::<Problems>(
        directory.path(),
        "1 problems of kind trap, but the manifest counts 2",
    );
}

/// The segment has more fingerprints than a small memory limit allows at once.
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
    let mut writer = CorpusWriter::open(directory.path(), RequestedSettings::default()).unwrap();
    let facts = SegmentFacts {
        bytes_body: u64::from(count),
        ..SegmentFacts::default()
    };
    writer.add_segment(&builder, facts).unwrap();
    for memory in [1 << 30, 64 << 10] {
        assert_eq!(verify(directory.path(), memory).unwrap(), []);
    }
    // The first rank of the second range gets one more chunk than its count.
    forge::<Chunks>(directory.path(), 1, |values| {
        if let Values::Int(ranks) = &mut values[index(Chunks::RANK)] {
            ranks[0] = GROUP_ROWS as i64;
        }
    });
    for memory in [1 << 30, 64 << 10] {
        let damage = verify(directory.path(), memory).unwrap();
        assert!(
            damage[0].detail.contains("differ from the chunks"),
            "{damage:?}"
        );
    }
}
