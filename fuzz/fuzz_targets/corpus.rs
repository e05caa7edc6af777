//! Opens, reads and verifies a corpus with any bytes in one of its files. Checks that the code does not panic,
//! and that `verify` names the file if it was changed.
//!
//! The first byte chooses the file. The bits of the second byte choose how the file is changed:
//!
//! - 1: the rest of the input says which bytes of the file change; otherwise the rest replaces the file;
//! - 2: the change is forged: the checksums in the manifest are updated, so that the fuzzer reaches the code
//!   behind them. `verify` need not find a forgery;
//! - 4: the corpus is of an older version, without checksums of Parquet pages.
#![no_main]

use std::fs;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use reprise_fingerprint::HashKind;
use reprise_fuzz::with_caught_panics;
use reprise_store::schema::{
    Chunks, Fingerprints, Pages, Problems, Sketches, Sources, Table, TableInfo, Urls,
};
use reprise_store::{
    ChunkRow, CorpusReader, CorpusWriter, HeldSources, NewFingerprint, PageBatch, PageRow,
    PageShingles, ProblemRow, ProblemSummary, RequestedSettings, SegmentBuilder, SegmentFacts,
    SourceRow, StoreError, TableReader, count_distinct, count_sites, verify,
};
use serde_json::{Value, json};
use twox_hash::XxHash3_64;

const MANIFEST: &str = "manifest.json";
/// The text before the manifest's checksum, which covers everything before this text.
const SEAL: &str = ",\n  \"checksum\": \"";

/// An intact corpus: its directory, and the content of its manifest and tables.
struct Intact {
    path: PathBuf,
    files: Vec<(PathBuf, Vec<u8>)>,
}

static NEW: LazyLock<Intact> = LazyLock::new(|| {
    let path = new_directory();
    let mut writer = CorpusWriter::open(
        &path,
        RequestedSettings {
            shingles: true,
            ..RequestedSettings::default()
        },
    )
    .expect("a new corpus");
    writer.add_segment(&filled(), facts()).expect("a segment");
    drop(writer);
    let files = files(&path);
    Intact { path, files }
});

/// A corpus of an older version.
static OLD: LazyLock<Intact> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let files = files(&root.join("testdata/corpus-without-page-checksums"));
    let path = new_directory();
    fs::create_dir_all(path.join(SEGMENT)).expect("a directory");
    for (name, bytes) in &files {
        fs::write(path.join(name), bytes).expect("a file that can be written");
    }
    Intact { path, files }
});

/// All tables that a segment can have.
const TABLES: [TableInfo; 7] = [
    TableInfo::of::<Sources>(),
    TableInfo::of::<Pages>(),
    TableInfo::of::<Fingerprints>(),
    TableInfo::of::<Chunks>(),
    TableInfo::of::<Problems>(),
    TableInfo::of::<Sketches>(),
    TableInfo::of::<Urls>(),
];

/// The directory of the only segment.
const SEGMENT: &str = "segments/00000001";

/// Creates a directory that stays behind, because the fuzzer ends without running destructors.
fn new_directory() -> PathBuf {
    let directory = tempfile::Builder::new().prefix("reprise-fuzz-").tempdir();
    directory.expect("a directory").keep()
}

/// Reads the manifest and the tables of a corpus. An older corpus does not have all tables.
fn files(path: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut names = vec![PathBuf::from(MANIFEST)];
    names.extend(TABLES.map(|table| format!("{SEGMENT}/{}.parquet", table.name).into()));
    let read = |name: PathBuf| Some((name.clone(), fs::read(path.join(name)).ok()?));
    names.into_iter().filter_map(read).collect()
}

fuzz_target!(|data: &[u8]| with_caught_panics(|| check(data)));

fn check(data: &[u8]) {
    let [file, how, rest @ ..] = data else {
        return;
    };
    let intact = if how & 4 == 4 { &*OLD } else { &*NEW };
    let (name, bytes) = &intact.files[usize::from(*file) % intact.files.len()];
    let (is_patch, is_forged) = (how & 1 == 1, how & 2 == 2);
    let mut changed = if is_patch {
        patched(bytes, rest)
    } else {
        rest.to_vec()
    };
    let mut manifest = None;
    if is_forged && name == Path::new(MANIFEST) {
        changed = sealed(&String::from_utf8_lossy(&changed)).into_bytes();
    } else if is_forged {
        manifest = Some(forged_manifest(&intact.files[0].1, name, &changed));
    }

    let path = intact.path.join(name);
    fs::write(&path, &changed).expect("a file that can be written");
    if let Some(text) = &manifest {
        fs::write(intact.path.join(MANIFEST), text).expect("a file that can be written");
    }
    // Errors are expected, here and in `read_all`. The target only checks that the code does not panic.
    let _ = read_all(&intact.path);
    let result = verify(&intact.path, 64 << 20);
    fs::write(&path, bytes).expect("a file that can be written");
    if manifest.is_some() {
        fs::write(intact.path.join(MANIFEST), &intact.files[0].1)
            .expect("a file that can be written");
    }

    match result {
        _ if is_forged => {}
        Ok(damage) if changed == *bytes => assert_eq!(damage, []),
        Ok(damage) => assert!(
            damage.iter().any(|damage| damage.path == path),
            "the damaged file is not reported: {damage:?}"
        ),
        Err(error) => panic!("{error}"),
    }
}

/// Returns `bytes` with changes. Each three bytes of `patches` are a position and the bits to flip there.
fn patched(bytes: &[u8], patches: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for patch in patches.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([patch[0], patch[1]])) % bytes.len();
        bytes[at] ^= patch[2];
    }
    bytes
}

fn checksum(bytes: &[u8]) -> String {
    let mut hasher = XxHash3_64::new();
    hasher.write(bytes);
    format!("{:016x}", hasher.finish())
}

/// Returns a manifest with a valid checksum.
fn sealed(text: &str) -> String {
    let body = text.rfind(SEAL).map_or(text, |at| &text[..at]);
    format!("{body}{SEAL}{}\"\n}}\n", checksum(body.as_bytes()))
}

/// Returns the manifest with the size and the checksum of a table's new content.
fn forged_manifest(manifest: &[u8], table: &Path, bytes: &[u8]) -> String {
    let mut manifest: Value = serde_json::from_slice(manifest).expect("an intact manifest");
    let table = table
        .file_stem()
        .and_then(|stem| stem.to_str())
        .expect("a table's name");
    let file = &mut manifest["segments"][0]["files"][table];
    file["bytes"] = json!(bytes.len());
    file["checksum"] = json!(checksum(bytes));
    if let Some(file) = file.as_object_mut() {
        file.remove("footer");
    }
    manifest
        .as_object_mut()
        .expect("an object")
        .remove("checksum");
    let text = serde_json::to_string_pretty(&manifest).expect("plain data");
    sealed(text.trim_end_matches('}').trim_end())
}

/// Reads every column of every table, and computes counts from them.
fn read_all(path: &Path) -> Result<(), StoreError> {
    let corpus = CorpusReader::open(path)?;
    for segment in corpus.segments() {
        read_table(segment.sources().map(Some));
        read_table(segment.pages().map(Some));
        read_table(segment.fingerprints().map(Some));
        read_table(segment.chunks().map(Some));
        read_table(segment.problems().map(Some));
        read_table(segment.shingles());
        read_table(segment.urls());
    }
    let _ = corpus.find_url("http://www.example.com/1");
    let _ = HeldSources::read(&corpus, 0);
    let _ = count_distinct(&corpus, &());
    let _ = count_sites(&corpus);
    Ok(())
}

/// Reads every column of a table. Ignores errors.
fn read_table<T: Table>(opened: Result<Option<TableReader<T>>, StoreError>) {
    let Ok(Some(reader)) = opened else { return };
    for group in 0..reader.groups() {
        for &column in T::COLUMNS {
            let _ = reader.values(group, column);
        }
    }
}

/// Returns a segment with a few rows in every table.
fn filled() -> SegmentBuilder {
    let mut builder = SegmentBuilder::new();
    let source = builder.add_source(SourceRow {
        name: "x.warc".to_owned(),
        format: "warc".to_owned(),
        bytes: 1000,
        identity: HashKind::Sha256.fingerprint(b"source"),
        start: 0,
        end: 1000,
        is_done: true,
    });
    let texts = ["<p>one", "<p>two", "<p>three"];
    builder.append(&PageBatch {
        pages: (0..4).map(|number| page(source, number)).collect(),
        fingerprints: texts
            .iter()
            .map(|text| NewFingerprint {
                fingerprint: HashKind::Sha256.fingerprint(text.as_bytes()),
                chars: text.len() as u32,
                is_visible: true,
            })
            .collect(),
        chunks: (0..8)
            .map(|chunk| ChunkRow {
                fingerprint: chunk % 3,
                start: chunk % 2 * 8,
                length: 8,
            })
            .collect(),
        shingles: (0..4)
            .map(|words| PageShingles {
                words,
                text: HashKind::Sha256.fingerprint(&words.to_le_bytes()),
                shingles: [u64::from(words); 84],
            })
            .collect(),
        problems: vec![ProblemRow {
            source,
            kind: "trap",
            offset: 900,
            url: Some("http://example.com/a/a/a/a/".to_owned()),
            detail: "the path repeats a component".to_owned(),
        }],
    });
    builder
}

/// Returns the facts about these rows.
fn facts() -> SegmentFacts {
    let trap = ProblemSummary {
        count: 1,
        source: "x.warc".to_owned(),
        offset: 900,
        url: None,
        detail: String::new(),
    };
    SegmentFacts {
        bytes_in: 1000,
        bytes_body: 4 * 16,
        problems: [("trap".to_owned(), trap)].into(),
        ..SegmentFacts::default()
    }
}

/// Returns a page with two chunks.
fn page(source: u32, number: u64) -> PageRow {
    PageRow {
        url: format!("http://www.example.com/{number}"),
        host: "www.example.com".into(),
        site: "example.com".into(),
        fetched: (number % 2 == 0).then_some(1_700_000_000_000),
        status: Some(200),
        media_type: "text/html".into(),
        charset: "UTF-8",
        ip: None,
        content: "html",
        bytes: 16,
        fingerprint: HashKind::Sha256.fingerprint(&number.to_le_bytes()),
        source,
        offset: number * 200,
        length: 200,
        within: 0,
        chunks: 2,
    }
}
