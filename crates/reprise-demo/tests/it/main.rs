//! Compares the generated web with its answer key. An independent reader reads the archives.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod scan;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use encoding_rs::Encoding;
use reprise_demo::{Config, Declared, PLANTED_FILE, Planted, PlantedPage, Role, write_web};
use scan::Scanned;
use tempfile::TempDir;

/// The demo, written and read once for all tests that do not change it.
static DEMO: LazyLock<Demo> = LazyLock::new(|| {
    let (directory, planted) = write(1, 1);
    let read = |file| (file, scan::records(&directory.path().join(file)));
    let files = planted.files.iter().map(|file| file.to_str().unwrap());
    let records = files
        .map(read)
        .map(|(file, records)| (file.to_owned(), records))
        .collect();
    Demo {
        directory,
        planted,
        records,
    }
});

struct Demo {
    directory: TempDir,
    planted: Planted,
    /// Records by file.
    records: Vec<(String, Vec<Scanned>)>,
}

impl Demo {
    /// Returns every page with a response, the response, and its decoded body.
    fn responses(&self) -> HashMap<&str, (&PlantedPage, &Scanned, Vec<u8>)> {
        let pages = self
            .planted
            .pages
            .iter()
            .filter(|page| page.role != Role::Revisit);
        let pages: HashMap<&str, &PlantedPage> =
            pages.map(|page| (page.url.as_str(), page)).collect();
        let records = self.records.iter().flat_map(|(_, records)| records);
        records
            .filter(|record| record.kind() == "response" && record.is_page())
            .map(|record| (record.url(), (pages[record.url()], record, record.body())))
            .collect()
    }

    /// Returns the decoded text of every HTML page.
    fn texts(&self) -> HashMap<&str, String> {
        let responses = self.responses().into_iter();
        let html = responses
            .filter(|(_, (page, ..))| page.media_type == "text/html" && !page.charset.is_empty());
        html.map(|(url, (page, _, body))| (url, decode(page, &body)))
            .collect()
    }
}

fn write(seed: u64, scale: usize) -> (TempDir, Planted) {
    let directory = tempfile::tempdir().unwrap();
    let planted = write_web(&Config { seed, scale }, directory.path()).unwrap();
    (directory, planted)
}

fn decode(page: &PlantedPage, body: &[u8]) -> String {
    let encoding = Encoding::for_label(page.charset.as_bytes()).unwrap();
    assert_eq!(encoding.name(), page.charset);
    let (text, _, broken) = encoding.decode(body);
    assert!(!broken, "{} is not {}", page.url, page.charset);
    text.into_owned()
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let (directory, planted) = write(1, 1);
    assert_eq!(planted, DEMO.planted);
    for file in &planted.files {
        let bytes = |directory: &TempDir| fs::read(directory.path().join(file)).unwrap();
        assert_eq!(
            bytes(&directory),
            bytes(&DEMO.directory),
            "{}",
            file.display()
        );
    }
}

#[test]
fn the_demo_does_not_change() {
    // If this test fails, the web of every seed has changed, and benchmarks before and after cannot be compared.
    let planted = &DEMO.planted;
    let files: Vec<_> = planted
        .files
        .iter()
        .map(|file| file.to_str().unwrap())
        .collect();
    let expected = [
        "crawl-00000.warc.gz",
        "crawl-00001.warc.gz",
        "crawl-00002.warc",
        "crawl-00003.warc.zst",
        "crawl-00004.warc.gz",
        "crawl-00005.warc.gz",
        "crawl-00006.warc.gz",
    ];
    assert_eq!(files, expected);
    assert_eq!(
        planted.pages[0].url,
        "https://www.kuechengarten.de/robots.txt"
    );
    let (records, body_bytes) = (planted.records, planted.body_bytes);
    assert_eq!((records, body_bytes), (1760, 5_379_470));
}

#[test]
fn every_role_is_planted() {
    let mut counts = BTreeMap::new();
    for page in &DEMO.planted.pages {
        *counts.entry(page.role).or_insert(0) += 1;
    }
    assert!(
        Role::ALL.iter().all(|role| counts.contains_key(role)),
        "{counts:?}"
    );
    assert!(counts[&Role::SliceAndDice] >= 30);
    assert!((600..=1000).contains(&DEMO.planted.pages.len()));
}

#[test]
fn scale_multiplies_every_role_and_the_seed_changes_the_pages() {
    let (_directory, double) = write(2, 2);
    for role in Role::ALL {
        let count = DEMO.planted.with_role(role).count();
        assert_eq!(double.with_role(role).count(), 2 * count, "{role:?}");
    }
    assert_ne!(double.body_bytes, 2 * DEMO.planted.body_bytes);
    let mut urls = HashSet::new();
    let mut fetched = double
        .pages
        .iter()
        .filter(|page| page.role != Role::Revisit);
    assert!(
        fetched.all(|page| urls.insert(&page.url)),
        "no URL is planted twice"
    );
}

#[test]
fn the_answer_key_reads_back() {
    let key = fs::read(DEMO.directory.path().join(Path::new(PLANTED_FILE))).unwrap();
    assert_eq!(
        serde_json::from_slice::<Planted>(&key).unwrap(),
        DEMO.planted
    );
}

#[test]
fn every_planted_url_is_in_its_file() {
    for (file, records) in &DEMO.records {
        let stored = records.iter().filter(|record| record.is_page());
        let stored: Vec<_> = stored.map(Scanned::url).collect();
        let planted = DEMO.planted.pages.iter().filter(|page| page.file == *file);
        let planted: Vec<_> = planted.map(|page| page.url.as_str()).collect();
        assert_eq!(stored, planted, "{file}");
    }
    let records: usize = DEMO.records.iter().map(|(_, records)| records.len()).sum();
    assert_eq!(records as u64, DEMO.planted.records);
}

#[test]
fn bodies_agree_with_the_key() {
    let mut charsets = HashSet::new();
    let mut transports = HashSet::new();
    for (url, (page, record, body)) in DEMO.responses() {
        assert_eq!(body.len() as u64, page.body_bytes, "{url}");
        transports.insert(page.transport.as_str());
        if page.charset.is_empty() {
            continue;
        }
        charsets.insert(page.charset.as_str());
        let text = decode(page, &body).to_lowercase();
        let in_header = matches!(page.declared, Declared::Header | Declared::HeaderAndMeta);
        assert_eq!(
            record.content_type().contains("charset"),
            in_header,
            "{url}"
        );
        let in_meta = matches!(page.declared, Declared::Meta | Declared::HeaderAndMeta);
        if page.media_type == "text/html" && !in_meta {
            assert!(!text.contains("charset="), "{url}");
        }
        assert!(
            !in_meta || text.contains(&page.charset.to_lowercase()),
            "{url}"
        );
        let bom = body.starts_with(b"\xef\xbb\xbf") || body.starts_with(b"\xff\xfe");
        assert_eq!(bom, page.declared == Declared::Bom, "{url}");
    }
    assert_eq!(charsets.len(), 11, "{charsets:?}");
    assert_eq!(transports.len(), 9, "{transports:?}");
}

#[test]
fn copies_contain_the_copied_chunks() {
    let responses = DEMO.responses();
    for page in DEMO.planted.with_role(Role::ExactClone) {
        let body = |url: &str| &responses[url].2;
        assert_eq!(body(&page.url), body(&page.sources[0]), "{}", page.url);
    }
    let texts = DEMO.texts();
    for role in [Role::CloneWithAds, Role::LinkFarm, Role::Phishing] {
        for page in DEMO.planted.with_role(role) {
            let sources = page
                .sources
                .iter()
                .flat_map(|url| chunks(&texts[url.as_str()]));
            let sources: HashSet<&str> = sources.collect();
            let copied = chunks(&texts[page.url.as_str()]).into_iter();
            let shared = copied.filter(|chunk| sources.contains(chunk)).count();
            // The chunk of an article's last paragraph includes some of the template, so it may differ.
            assert!(
                shared + 1 >= page.copied,
                "{shared} of {} in {}",
                page.copied,
                page.url
            );
        }
    }
}

#[test]
fn slices_come_from_their_sources() {
    let texts = DEMO.texts();
    for page in DEMO.planted.with_role(Role::SliceAndDice) {
        assert!(page.sources.len() >= 15, "{}", page.url);
        let sources: String = page
            .sources
            .iter()
            .map(|url| visible(&texts[url.as_str()]))
            .collect();
        let stitched = chunks(&texts[page.url.as_str()]).into_iter();
        let stitched = stitched.filter_map(|chunk| chunk.strip_prefix("<p class=\"t\">"));
        let paragraphs = stitched.filter_map(|chunk| chunk.split_once("</p>"));
        for sentence in paragraphs.flat_map(|(words, _)| words.split(". ")) {
            assert!(sources.contains(sentence), "{sentence:?} in {}", page.url);
        }
    }
}

/// Cuts before `<p` and `<div`. It ignores scripts and comments, which is precise enough for a comparison.
fn chunks(html: &str) -> Vec<&str> {
    let lower = html.to_ascii_lowercase();
    let starts = ["<p>", "<p ", "<div>", "<div "];
    let mut cuts: Vec<usize> = starts
        .iter()
        .flat_map(|tag| lower.match_indices(tag))
        .map(|(start, _)| start)
        .collect();
    cuts.sort_unstable();
    cuts.push(html.len());
    cuts.windows(2)
        .map(|cut| html[cut[0]..cut[1]].trim())
        .collect()
}

/// Returns the text between the tags. It handles the difficult markup of articles.
fn visible(html: &str) -> String {
    let html = html.replace("<!-- <p> -->", "").replace("more > here", "");
    let parts = html.split('<');
    parts
        .map(|part| part.split_once('>').map_or(part, |(_, text)| text))
        .collect()
}
