//! Compares the records of 105 real archives with those that warcio finds. They must be equal if warcio reads
//! the file to its end and Reprise reports no problem. Every other file is explained here.

use std::collections::BTreeMap;
use std::fs;

use reprise_ingest::{Item, ProblemKind, read_back};

use crate::project;
use crate::reading::{LIMITS, Reading, open, read};
use crate::shared_data::unpack;

/// A file for which Reprise and warcio differ, or which has a problem.
struct Explained {
    /// The end of its path.
    file: &'static str,
    /// The records by kind.
    records: &'static str,
    /// The problems by kind, without the kinds that are normal in archives.
    problems: &'static str,
    why: &'static str,
}

const fn explained(
    file: &'static str,
    records: &'static str,
    problems: &'static str,
    why: &'static str,
) -> Explained {
    Explained {
        file,
        records,
        problems,
        why,
    }
}

const EXPLAINED: &[Explained] = &[
    explained(
        "commoncrawl/warc/collection1/segment1.warc.gz",
        "response=1,warcinfo=1",
        "",
        "one gzip member for the whole file; warcio refuses that, Reprise reads it as a stream",
    ),
    explained(
        "wet/collection1/segment1.warc.wet.gz",
        "conversion=1,warcinfo=1",
        "",
        "the same",
    ),
    explained(
        "commoncrawlnewsen/collection1/segment1.warc.gz",
        "response=1,warcinfo=1",
        "bad_length=1",
        "line ends were changed, so the first record states more bytes than there are before the second",
    ),
    explained(
        "cw09/collection1/segment1.warc.gz",
        "response=1,warcinfo=1",
        "",
        "no blank line between the records; the stated length still leads to the second",
    ),
    explained(
        "cw12/collection1/segment1.warc.gz",
        "response=1,warcinfo=1",
        "",
        "one gzip member for the whole file",
    ),
    explained(
        "block-sized-records.warc",
        "other=3",
        "",
        "the record type is `unknown`, which Reprise counts as other",
    ),
    explained("block-sized-records.warc.gz", "other=3", "", "the same"),
    explained(
        "block-sized-records.warc.lz4",
        "other=3",
        "",
        "warcio does not read lz4",
    ),
    explained(
        "clipped.warc.gz",
        "response=1",
        "malformed=1,truncated=1",
        "the file breaks off inside the gzip member; the page is kept as far as it goes",
    ),
    explained(
        "warcfile.warc.lz4",
        "metadata=16,request=17,response=16,warcinfo=1",
        "",
        "warcio does not read lz4; the same records as in warcfile.warc",
    ),
    explained(
        "IAH-20080430204825-00000-blackbook-truncated.arc",
        "response=8,warcinfo=1",
        "",
        "warcio finds no record after the first; the file ends at the end of a record",
    ),
    explained(
        "link-extraction-test.warc",
        "response=7,warcinfo=1",
        "no_url=1",
        "warcio stops at the third record; one record has no target",
    ),
    explained(
        "transfer_compression_none_truncated.warc.gz",
        "request=1,response=1,warcinfo=1",
        "malformed=1,truncated=1",
        "the last gzip member breaks off; warcio does not say so",
    ),
    explained(
        "Evil-Warc-Headers.warc",
        "response=1",
        "truncated=1",
        "6,000 bytes stated, 827 there; warcio does not say so",
    ),
    explained(
        "HTTP204.warc",
        "response=2,warcinfo=1",
        "malformed=2",
        "two records are a few bytes longer than they state; warcio skips them silently",
    ),
    explained(
        "samples/warcs/broken.warc",
        "metadata=1,request=2,response=2,warcinfo=1",
        "malformed=1",
        "the last record states 7 bytes and has more; warcio takes lines of it for two further responses",
    ),
    explained(
        "samples/warcs/redirect.warc",
        "response=1,warcinfo=1",
        "truncated=1",
        "line ends were changed, so nine bytes are missing; warcio does not say so",
    ),
    explained(
        "bad.arc",
        "response=1",
        "malformed=2",
        "three of four headers state -1 or abc as length, so that no record can be cut there",
    ),
    explained(
        "invalid_example_1.wacz",
        "",
        "unreadable=1",
        "no archive in it",
    ),
    explained(
        "invalid_signed_example_1.wacz",
        "request=2,response=2",
        "",
        "not counted by warcio; the signature is invalid, the archive is not",
    ),
    explained(
        "valid_example_1.wacz",
        "request=1,response=1,warcinfo=2",
        "",
        "not counted by warcio",
    ),
    explained(
        "valid_example_2.wacz",
        "request=1,response=1,warcinfo=2",
        "",
        "not counted by warcio",
    ),
    explained(
        "valid_signed_example_1.wacz",
        "request=2,response=2",
        "",
        "not counted by warcio",
    ),
    explained(
        "example-bad-length.warc",
        "request=2,response=1,revisit=1,warcinfo=2",
        "bad_encoding=1,malformed=1",
        "the response states one byte too few, which cuts off the end of its gzip body",
    ),
    explained(
        "example-bad-non-chunked.warc.gz",
        "request=2,response=1,revisit=1,warcinfo=2",
        "",
        "one gzip member for the whole file",
    ),
    explained(
        "example-space-in-url.arc",
        "response=1,warcinfo=1",
        "truncated=1",
        "the record states more bytes than the file has; warcio does not say so",
    ),
    explained(
        "example-trunc.warc",
        "request=1,response=1,warcinfo=2",
        "bad_encoding=1,malformed=1",
        "the response is cut short in its gzip body, and the file ends inside a header",
    ),
    explained(
        "example-wrong-chunks.warc.gz",
        "request=1,response=1",
        "",
        "one record extends over two gzip members; warcio stops at the second",
    ),
];

#[test]
fn every_archive_compared_with_warcio() {
    let Some(directory) = unpack(project(), "warc-dev") else {
        return;
    };
    let manifest = fs::read_to_string(directory.join("MANIFEST.tsv")).unwrap();
    let mut explained_files = 0;
    let (mut files, mut pages, mut wrong) = (0, 0, Vec::new());
    for line in manifest.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let reading = read(open(&directory.join(fields[0])).sources);
        let found = (records(&reading), problems(&reading));
        let explained = EXPLAINED
            .iter()
            .find(|explained| fields[0].ends_with(&format!("/{}", explained.file)));
        let expected = match explained {
            Some(explained) => (explained.records.to_owned(), explained.problems.to_owned()),
            None => (fields[4].to_owned(), String::new()),
        };
        if found != expected {
            let why = explained.map_or("", |explained| explained.why);
            wrong.push(format!(
                "{}: {found:?} instead of {expected:?} {why}",
                fields[0]
            ));
        }
        explained_files += usize::from(explained.is_some());
        files += 1;
        pages += reading.pages.len();
    }
    println!("{files} archives, {pages} pages, {explained_files} explained");
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!((files, explained_files), (105, EXPLAINED.len()));
}

fn records(reading: &Reading) -> String {
    let counts = reading
        .records
        .iter()
        .map(|(kind, count)| format!("{kind}={count}"));
    counts.collect::<Vec<_>>().join(",")
}

fn problems(reading: &Reading) -> String {
    let mut counts: BTreeMap<ProblemKind, u64> = BTreeMap::new();
    for problem in reading
        .problems
        .iter()
        .filter(|problem| problem.kind.is_listed())
    {
        *counts.entry(problem.kind).or_default() += 1;
    }
    let mut counts: Vec<String> = counts
        .iter()
        .map(|(kind, count)| format!("{kind}={count}"))
        .collect();
    counts.sort();
    counts.join(",")
}

/// Every page can be read back from its place, even in damaged archives.
#[test]
fn every_page_can_be_read_back() {
    let Some(directory) = unpack(project(), "warc-dev") else {
        return;
    };
    let inputs = open(&directory);
    let reading = read(inputs.sources.clone());
    assert!(reading.pages.len() > 450);
    for (source, page) in &reading.pages {
        let source = &inputs.sources[*source];
        let mut again = Vec::new();
        read_back(source, page.place, &LIMITS, &mut |item| {
            if let Item::Page(found) = item {
                let text = found.text.map(|(_, text)| text.to_owned());
                again.push((found.url.to_owned(), found.body.to_vec(), text));
            }
        })
        .unwrap();
        let expected = (page.url.clone(), page.body.clone(), page.text.clone());
        assert!(again == [expected], "{} in {}", page.url, source.name);
    }
}
