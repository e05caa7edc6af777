//! A report about an invented crawl, and one about a corpus without pages.

use std::collections::BTreeMap;

use reprise_chunk::{ChunkSettings, Level, StopCounts};
use reprise_fingerprint::HashKind;
use reprise_report::{
    Badness, CorpusInfo, CountBy, Detection, Discovery, MatchedCounts, NeighborhoodShares,
    PageShares, ProblemExample, Problems, Report, TopObject,
};

use super::campaigns::campaigns;
use super::crawl::crawl;
use super::detection::detection;
use super::near::near;
use super::phrases::phrases;

/// Returns a report about a crawl of 48,213 pages.
pub(crate) fn report() -> Report {
    Report {
        title: "Copied content in crawl-2024-05".to_owned(),
        corpus: CorpusInfo {
            path: "/data/corpora/crawl-2024-05".to_owned(),
            pages: 48_213,
            chunks: 1_204_554,
            distinct_chunks: Some(611_902),
            sites: Some(1_377),
            segments: 3,
            sources: Some(12),
            bytes_in: 1_940_221_775,
            bytes_body: 9_311_400_832,
            chunk: "text".to_owned(),
            problems: problems(),
            ..CorpusInfo::empty(ChunkSettings::default())
        },
        discovery: Discovery {
            level: Level::Chunk,
            count: CountBy::Sites,
            threshold: 6,
            threshold_auto: true,
            objects: 1_204_554,
            distinct: 611_902,
            labeled: 1_482,
            stop: 20_911,
            stop_reasons: StopCounts {
                no_text: 1_911,
                short: 19_000,
                listed: 0,
            },
            nearest: 6,
            frequency: frequency(),
            top: top_objects(),
            notes: Vec::new(),
        },
        detection: detection(),
        near: Some(near()),
        phrases: Some(phrases()),
        campaigns: Some(campaigns()),
        crawl: Some(crawl()),
        notes: vec![
            "Chunks of fewer than 100 characters were left out.".to_owned(),
            "Copies on the label's own site were not counted.".to_owned(),
        ],
    }
}

/// Returns a report about a corpus without pages.
pub(crate) fn empty_report() -> Report {
    Report {
        title: "Copied content in nothing".to_owned(),
        corpus: CorpusInfo {
            path: "/data/corpora/nothing".to_owned(),
            ..CorpusInfo::empty(ChunkSettings::default())
        },
        discovery: Discovery {
            level: Level::Chunk,
            count: CountBy::Occurrences,
            threshold: 0,
            threshold_auto: false,
            objects: 0,
            distinct: 0,
            labeled: 0,
            stop: 0,
            stop_reasons: StopCounts::default(),
            nearest: 0,
            frequency: Vec::new(),
            top: Vec::new(),
            notes: vec!["The corpus holds no chunk.".to_owned()],
        },
        detection: Detection {
            labels: 0,
            badness: Badness::Mean,
            matched: MatchedCounts::default(),
            pages: PageShares {
                total: 0,
                counted: 0,
                own: 0,
                matched: 0,
                mean: 0.0,
                stddev: 0.0,
                threshold: 0.0,
                targets: 0,
                histogram: vec![0; 20],
                top: Vec::new(),
            },
            neighborhoods: NeighborhoodShares {
                total: 0,
                mean: 0.0,
                stddev: 0.0,
                threshold: 0.0,
                bad: 0,
                histogram: vec![0; 20],
                top: Vec::new(),
            },
            sites: Vec::new(),
            site_pairs: 0,
            rings: 0,
            notes: Vec::new(),
        },
        near: None,
        phrases: None,
        campaigns: None,
        crawl: None,
        notes: vec!["No file below the directory could be read as an archive.".to_owned()],
    }
}

fn problems() -> Problems {
    let example = |kind: &str, meaning: &str, count, offset, url: Option<&str>, detail: &str| {
        ProblemExample {
            kind: kind.to_owned(),
            meaning: meaning.to_owned(),
            count,
            source: "crawl-00017.warc.gz".to_owned(),
            offset,
            url: url.map(str::to_owned),
            detail: detail.to_owned(),
        }
    };
    Problems {
        skipped: BTreeMap::from([
            ("not_text".to_owned(), 12_884),
            ("revisit_identical".to_owned(), 2_310),
        ]),
        damaged: BTreeMap::from([("truncated".to_owned(), 2)]),
        examples: vec![
            example(
                "not_text",
                "neither HTML nor text: pictures, films, programs",
                12_884,
                1_024,
                Some("http://photos.example/2019/07/IMG_2231.jpg"),
                "image/jpeg",
            ),
            example(
                "revisit_identical",
                "fetched again, and the same as before",
                2_310,
                5_120,
                Some("http://history.example/"),
                "",
            ),
            example(
                "truncated",
                "the record ends before its length",
                2,
                88_120_331,
                None,
                "4,096 bytes expected, 1,200 found",
            ),
        ],
    }
}

fn frequency() -> Vec<(u64, u64)> {
    let mut frequency = Vec::new();
    let mut seed = 7_u64;
    for count in 1..1_400_u64 {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let noise = 0.6 + (seed >> 40) as f64 / f64::from(1 << 24) * 0.9;
        let objects = 520_000.0 / (count as f64).powf(2.6) * noise;
        // Few of the high counts have an object.
        let rare = objects < 1.0 && (seed >> 20).is_multiple_of(1 + count / 6);
        if objects >= 1.0 || rare {
            frequency.push((count, (objects as u64).max(1)));
        }
    }
    frequency
}

fn top_objects() -> Vec<TopObject> {
    let object = |number: u64, sites: u64, category: &str, reason: &str, text: &str| TopObject {
        fingerprint: HashKind::Sha256.fingerprint(text.as_bytes()),
        occurrences: sites * 9,
        pages: sites * 7,
        sites,
        chars: text.chars().count() as u64,
        category: category.to_owned(),
        reason: reason.to_owned(),
        text: text.to_owned(),
        url: Some(url(number, 1)),
        urls: (1..4).map(|page| url(number, page)).collect(),
    };
    vec![
        object(
            1,
            612,
            "notice",
            "Names a licence and is the same on hundreds of unrelated sites.",
            "Text is available under the Creative Commons Attribution-ShareAlike License; additional terms may apply. By using this site, you agree to the Terms of Use and Privacy Policy.",
        ),
        object(
            2,
            131,
            "article",
            "Long prose on many unrelated sites.",
            "The Great Fire of Rome began on the night of 18 July in the year 64.\n\nIt started in the merchant shops around the chariot stadium, the Circus Maximus, where goods that burn easily were stored. After six days the fire was brought under control, but before the damage could be measured it broke out again and burned for another three days. Two thirds of the city had been destroyed.\n\nAncient authors do not agree who was to blame.",
        ),
        object(
            3,
            88,
            "form",
            "Markup of a form.",
            "<div class=\"login\"><script>track('login')</script><form action=\"/auth\"><label>User name <input name=user></label><label>Password <input type=password></label></form></div>",
        ),
        object(
            4,
            41,
            "advert",
            "The same offer on unrelated sites.",
            "Best prices for replica watches, free shipping worldwide! Order today and save 80%. \u{202e}moc.elpmaxe\u{202c}",
        ),
        object(
            5,
            12,
            "article",
            "Long prose on many unrelated sites.",
            "Jupiter is the fifth planet from the Sun and the largest in the Solar System.",
        ),
    ]
}

fn url(number: u64, page: u64) -> String {
    format!(
        "http://mirror{number}.example/wiki/{page}/index.php?title=Great_Fire&oldid={}",
        number * 7_331
    )
}
