use std::collections::BTreeMap;

use proptest::prelude::*;
use reprise_chunk::{Level, StopRules};
use reprise_detect::{DetectOptions, detect, prefixes};
use reprise_discover::{DiscoverOptions, Threshold, discover, label};
use reprise_report::results::{Badness, CountBy};
use reprise_store::schema::{DetectedPages, Neighborhoods};
use reprise_store::{
    CorpusReader, Format, Labels, LabelsHeader, LabelsWriter, Origin, TableReader,
};

use crate::naive::{PlainPage, chars, counts, fingerprint, is_visible, pages, write};

/// So little memory that sorted runs are written to disk, and the memory of passed labels is released.
const LITTLE_MEMORY: usize = 1 << 12;
const MUCH_MEMORY: usize = 1 << 26;

fn discovery(count: CountBy, threshold: u64, min_length: u64) -> DiscoverOptions {
    DiscoverOptions {
        level: Level::Chunk,
        count,
        threshold: Threshold::Number(threshold),
        stop: StopRules::new(min_length, Vec::new()),
        top: 5,
    }
}

fn detection(badness: Badness) -> DetectOptions {
    DetectOptions {
        badness,
        stop: Some(StopRules::new(20, Vec::new())),
        top: 1000,
        ..DetectOptions::default()
    }
}

/// Discovers labels, and returns the bytes of the label file.
fn labels_of(
    corpus: &CorpusReader,
    options: &DiscoverOptions,
    memory_bytes: usize,
    path: &std::path::Path,
) -> Vec<u8> {
    let header = LabelsHeader::new(
        corpus.chunk_settings(),
        Origin::Discovered,
        options.stop.min_length,
    );
    let mut writer = LabelsWriter::create(path, &header).unwrap();
    discover(corpus, options, memory_bytes, Some(&mut writer), &()).unwrap();
    writer.finish().unwrap();
    std::fs::read(path).unwrap()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

/// Returns the URL, the number of labelled chunks and the number of counted chunks of each page.
fn shares(pages: &[PlainPage], labelled: &dyn Fn(u8) -> bool) -> Vec<(String, u64, u64)> {
    pages
        .iter()
        .map(|page| {
            let left = page
                .chunks
                .iter()
                .filter(|chunk| is_visible(**chunk) && chars(**chunk) >= 20);
            let matched = left.clone().filter(|chunk| labelled(**chunk)).count() as u64;
            (page.url(), matched, left.count() as u64)
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn discovery_agrees_with_a_naive_count(
        pages in pages(),
        segment_pages in 1usize..9,
        threshold in 0u64..6,
        which in 0usize..3,
        min_length in prop_oneof![Just(0u64), Just(45)],
    ) {
        let directory = tempfile::tempdir().unwrap();
        let corpus = write(&directory.path().join("c"), &pages, segment_pages);
        let count = [CountBy::Occurrences, CountBy::Pages, CountBy::Sites][which];
        let found = discover(&corpus, &discovery(count, threshold, min_length), MUCH_MEMORY, None, &()).unwrap();
        let counts = counts(&pages);
        let is_stop = |chunk: u8| !is_visible(chunk) || chars(chunk) < min_length;
        let labelled = counts.iter().filter(|(chunk, counts)| !is_stop(**chunk) && counts[which] > threshold);
        prop_assert_eq!(found.distinct, counts.len() as u64);
        prop_assert_eq!(found.labeled, labelled.clone().count() as u64);
        prop_assert_eq!(found.objects, counts.values().map(|counts| counts[0]).sum::<u64>());
        prop_assert_eq!(found.stop, counts.keys().filter(|chunk| is_stop(**chunk)).count() as u64);
        let mut frequency: BTreeMap<u64, u64> = BTreeMap::new();
        for counts in counts.values() {
            *frequency.entry(counts[which]).or_default() += 1;
        }
        prop_assert_eq!(found.frequency, frequency.into_iter().collect::<Vec<_>>());
        let mut expected: Vec<_> = labelled.map(|(chunk, counts)| (std::cmp::Reverse(counts[which]), fingerprint(*chunk), *counts)).collect();
        expected.sort();
        expected.truncate(5);
        let top: Vec<_> = found.top.iter().map(|top| {
            let counts = [top.occurrences, top.pages, top.sites];
            (std::cmp::Reverse(counts[which]), top.fingerprint, counts)
        }).collect();
        prop_assert_eq!(top, expected);
    }

    #[test]
    fn labels_do_not_depend_on_segments_and_memory(pages in pages(), segment_pages in 1usize..9, which in 0usize..3) {
        let directory = tempfile::tempdir().unwrap();
        let one = write(&directory.path().join("one"), &pages, usize::MAX);
        let many = write(&directory.path().join("many"), &pages, segment_pages);
        let count = [CountBy::Occurrences, CountBy::Pages, CountBy::Sites][which];
        let options = discovery(count, 1, 0);
        let file = directory.path().join("labels");
        let whole = labels_of(&one, &options, MUCH_MEMORY, &file);
        prop_assert_eq!(&whole, &labels_of(&many, &options, MUCH_MEMORY, &file));
        // So little memory that the fingerprints are split into ranges.
        prop_assert_eq!(&whole, &labels_of(&many, &options, 1 << 10, &file));
    }

    #[test]
    fn detection_agrees_with_a_naive_computation(
        pages in pages(),
        named in pages(),
        segment_pages in 1usize..9,
        is_pooled: bool,
    ) {
        let directory = tempfile::tempdir().unwrap();
        let corpus = write(&directory.path().join("c"), &pages, segment_pages);
        let sources = write(&directory.path().join("named"), &named, 3);
        let file = directory.path().join("labels");
        let header = LabelsHeader::new(corpus.chunk_settings(), Origin::Informed, 20);
        let mut writer = LabelsWriter::create(&file, &header).unwrap();
        label(&sources, "named", &StopRules::new(20, Vec::new()), 1 << 20, &mut writer, &()).unwrap();
        writer.finish().unwrap();
        let labels = Labels::open(&file).unwrap();
        let badness = if is_pooled { Badness::Pooled } else { Badness::Mean };
        let output = directory.path().join("out");
        let found = detect(
            &corpus,
            &labels,
            &detection(badness),
            LITTLE_MEMORY,
            Some((&output, Format::Parquet)),
            &(),
        ).unwrap();

        let in_labels = |chunk: u8| named.iter().any(|page| page.chunks.contains(&chunk));
        let expected = shares(&pages, &in_labels);
        prop_assert_eq!(found.matched.chunks, expected.iter().map(|page| page.1).sum::<u64>());
        let table = TableReader::<DetectedPages>::open(&output.join("pages.parquet")).unwrap();
        let mut rows = Vec::new();
        for group in 0..table.groups() {
            let matched = table.read(group, DetectedPages::MATCHED).unwrap();
            let chunks = table.read(group, DetectedPages::CHUNKS).unwrap();
            for (row, url) in table.read(group, DetectedPages::URL).unwrap().iter().enumerate() {
                let url = String::from_utf8_lossy(url).into_owned();
                rows.push((url, matched[row] as u64, chunks[row] as u64));
            }
        }
        prop_assert_eq!(&rows, &expected);

        let mut below: BTreeMap<String, Vec<(u64, u64)>> = BTreeMap::new();
        for (page, (url, matched, chunks)) in pages.iter().zip(&expected) {
            if *chunks > 0 {
                for prefix in prefixes(url, &page.site()) {
                    below.entry(prefix).or_default().push((*matched, *chunks));
                }
            }
        }
        let mut values = Vec::new();
        for pages in below.values() {
            let sum = |value: fn(&(u64, u64)) -> u64| pages.iter().map(value).sum::<u64>() as f64;
            values.push(if is_pooled {
                sum(|page| page.0) / sum(|page| page.1)
            } else {
                pages.iter().map(|page| page.0 as f64 / page.1 as f64).sum::<f64>() / pages.len() as f64
            });
        }
        let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len().max(1) as f64;
        let shares = &found.neighborhoods;
        prop_assert_eq!(shares.total, below.len() as u64);
        prop_assert!(close(shares.mean, mean) && close(shares.stddev, variance.sqrt()));
        let table = TableReader::<Neighborhoods>::open(&output.join("neighborhoods.parquet")).unwrap();
        let mut seen = BTreeMap::new();
        for group in 0..table.groups() {
            let badness = table.read(group, Neighborhoods::BADNESS).unwrap();
            for (row, prefix) in table.read(group, Neighborhoods::PREFIX).unwrap().iter().enumerate() {
                seen.insert(String::from_utf8_lossy(prefix).into_owned(), badness[row]);
            }
        }
        prop_assert_eq!(seen.len(), below.len());
        for (prefix, value) in below.keys().zip(&values) {
            prop_assert!(close(seen[prefix], *value), "{}", prefix);
        }
    }

    #[test]
    fn the_result_of_two_halves_is_the_sum_of_their_results(left in pages(), right in pages()) {
        let directory = tempfile::tempdir().unwrap();
        // The right half is on other sites, so that the halves have no common neighbourhood.
        let right: Vec<PlainPage> = right.into_iter().map(|page| PlainPage { site: page.site + 10, ..page }).collect();
        let both: Vec<PlainPage> = left.iter().chain(&right).cloned().collect();
        let corpora = [("l", &left), ("r", &right), ("b", &both)]
            .map(|(name, pages)| write(&directory.path().join(name), pages, 4));
        let file = directory.path().join("labels");
        labels_of(&corpora[2], &discovery(CountBy::Occurrences, 1, 20), MUCH_MEMORY, &file);
        let labels = Labels::open(&file).unwrap();
        let [l, r, b] = corpora.map(|corpus| {
            let mut found = detect(&corpus, &labels, &detection(Badness::Mean), LITTLE_MEMORY, None, &()).unwrap();
            found.neighborhoods.top.sort_by(|a, b| a.prefix.cmp(&b.prefix));
            found
        });
        prop_assert_eq!(b.matched.chunks, l.matched.chunks + r.matched.chunks);
        prop_assert_eq!(b.pages.matched, l.pages.matched + r.pages.matched);
        prop_assert_eq!(b.neighborhoods.total, l.neighborhoods.total + r.neighborhoods.total);
        let mut parts = l.neighborhoods.top;
        parts.extend(r.neighborhoods.top);
        parts.sort_by(|a, b| a.prefix.cmp(&b.prefix));
        prop_assert_eq!(b.neighborhoods.top, parts);
    }
}
