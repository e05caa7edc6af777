//! A corpus with any bytes in one of its files is opened, read and verified without panic, and
//! `verify` names the file whenever it is not as it was written.
//!
//! The first byte chooses the file, the second what happens to it: it becomes the rest of the
//! input, or the rest says which of its bytes change. Either may be forged: then the checksums of the
//! manifest are made to fit, so that what lies behind them is reached; forgery need not be found. The
//! corpus may also be an old one, whose pages have no checksums either.
#![no_main]

use std::fs;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use reprise_fingerprint::HashKind;
use reprise_fuzz::with_caught_panics;
use reprise_store::schema::{SHINGLES, TABLES};
use reprise_store::{
    ChunkRow, Corpus, CorpusWriter, HeldSources, NewFingerprint, PageBatch, PageRow, PageShingles,
    ProblemRow, ProblemSummary, SegmentBuilder, SegmentFacts, SourceRow, StoreError, TableReader,
    Wanted, count_distinct, count_sites, verify,
};
use serde_json::{Value, json};
use twox_hash::XxHash3_64;

const MANIFEST: &str = "manifest.json";
/// What the manifest's own checksum begins with; the checksum is of all that stands before.
const SEAL: &str = ",\n  \"checksum\": \"";

/// A sound corpus: its directory, its manifest and its tables.
struct Sound {
    path: PathBuf,
    files: Vec<(PathBuf, Vec<u8>)>,
}

static SOUND: LazyLock<Sound> = LazyLock::new(|| {
    let path = new_directory();
    let mut writer = CorpusWriter::open(
        &path,
        Wanted {
            shingles: true,
            ..Wanted::default()
        },
    )
    .expect("a new corpus");
    writer.add_segment(&filled(), facts()).expect("a segment");
    drop(writer);
    let files = files(&path);
    Sound { path, files }
});

/// A corpus of an older version.
static OLD: LazyLock<Sound> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let files = files(&root.join("testdata/corpus-without-page-checksums"));
    let path = new_directory();
    fs::create_dir_all(path.join(SEGMENT)).expect("a directory");
    for (name, bytes) in &files {
        fs::write(path.join(name), bytes).expect("a file that can be written");
    }
    Sound { path, files }
});

/// The only segment.
const SEGMENT: &str = "segments/00000001";

/// The fuzzer never ends in good order, so the directory stays behind.
fn new_directory() -> PathBuf {
    let directory = tempfile::Builder::new().prefix("reprise-fuzz-").tempdir();
    directory.expect("a directory").keep()
}

/// The manifest and the tables of a corpus.
fn files(path: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut names = vec![PathBuf::from(MANIFEST)];
    let tables = TABLES.into_iter().chain([&SHINGLES]);
    names.extend(tables.map(|table| format!("{SEGMENT}/{}.parquet", table.name).into()));
    let read = |name: PathBuf| {
        let bytes = fs::read(path.join(&name)).expect("a file of a sound corpus");
        (name, bytes)
    };
    names.into_iter().map(read).collect()
}

fuzz_target!(|data: &[u8]| with_caught_panics(|| check(data)));

fn check(data: &[u8]) {
    let [file, how, rest @ ..] = data else {
        return;
    };
    let sound = if how & 4 == 4 { &*OLD } else { &*SOUND };
    let (name, bytes) = &sound.files[usize::from(*file) % sound.files.len()];
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
        manifest = Some(forged_manifest(&sound.files[0].1, name, &changed));
    }

    let path = sound.path.join(name);
    fs::write(&path, &changed).expect("a file that can be written");
    if let Some(text) = &manifest {
        fs::write(sound.path.join(MANIFEST), text).expect("a file that can be written");
    }
    // Errors are all right, here and below: what is asked for is that there is no panic.
    let _ = read_all(&sound.path);
    let result = verify(&sound.path, 64 << 20);
    fs::write(&path, bytes).expect("a file that can be written");
    if manifest.is_some() {
        fs::write(sound.path.join(MANIFEST), &sound.files[0].1)
            .expect("a file that can be written");
    }

    match result {
        _ if is_forged => {}
        Ok(damage) if changed == *bytes => assert_eq!(damage, []),
        Ok(damage) => assert!(
            damage.iter().any(|damage| damage.path == path),
            "not named: {damage:?}"
        ),
        Err(error) => panic!("{error}"),
    }
}

/// Bytes at places of the input's choice, changed: three bytes of it say where and what.
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

/// The manifest with a checksum that fits what it says.
fn sealed(text: &str) -> String {
    let body = text.rfind(SEAL).map_or(text, |at| &text[..at]);
    format!("{body}{SEAL}{}\"\n}}\n", checksum(body.as_bytes()))
}

/// The manifest, with size and checksum of a table as they are now.
fn forged_manifest(manifest: &[u8], table: &Path, bytes: &[u8]) -> String {
    let mut manifest: Value = serde_json::from_slice(manifest).expect("the sound manifest");
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

/// Reads every column of every table, and all that is counted from them.
fn read_all(path: &Path) -> Result<(), StoreError> {
    let corpus = Corpus::open(path)?;
    for segment in corpus.segments() {
        for table in TABLES.into_iter().chain([&SHINGLES]) {
            let _ = TableReader::open(&segment.file(table), table).and_then(|reader| {
                for group in 0..reader.groups() {
                    for column in table.columns {
                        let _ = reader.read(group, column.name);
                    }
                }
                Ok(())
            });
        }
    }
    let _ = HeldSources::read(&corpus, 0);
    let _ = count_distinct(&corpus);
    let _ = count_sites(&corpus);
    Ok(())
}

/// A segment with a few rows in every table.
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
            detail: "a path that repeats".to_owned(),
        }],
    });
    builder
}

/// What is true of these rows.
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

/// A page with two chunks.
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
