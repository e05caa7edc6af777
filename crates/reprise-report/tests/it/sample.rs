//! Invented data: a small crawl with a copying ring, and one with nothing in it.

use reprise_report::{
    CorpusFacts, Detection, Discovery, NeighborhoodResults, PageResults, Report, Skipped, TopObject,
};

use crate::campaigned::campaigns;
use crate::crawled::crawl;
use crate::found::detection;
use crate::likeness::{near, phrases};

/// A crawl of 48,213 pages.
pub(crate) fn report() -> Report {
    Report {
        title: "Copied content in crawl-2024-05".to_owned(),
        corpus: CorpusFacts {
            path: "/data/corpora/crawl-2024-05".to_owned(),
            pages: 48_213,
            chunks: 1_204_554,
            distinct_chunks: 611_902,
            sites: 1_377,
            segments: 3,
            bytes_in: 1_940_221_775,
            bytes_body: 9_311_400_832,
            hash: "sha256".to_owned(),
            chunk: "text".to_owned(),
            skipped: skipped(),
        },
        discovery: Discovery {
            level: "chunk".to_owned(),
            count: "sites".to_owned(),
            threshold: 6,
            is_auto: true,
            objects: 1_204_554,
            distinct: 611_902,
            labeled: 1_482,
            stop: 20_911,
            frequency: frequency(),
            top: top_objects(),
        },
        detection: detection(),
        near: Some(near()),
        phrases: Some(phrases()),
        campaigns: Some(campaigns()),
        crawl: Some(crawl()),
        notes: vec![
            "Chunks of fewer than 100 characters were left out (--min-length 100).".to_owned(),
            "Copies on the label's own site were not counted (--elsewhere).".to_owned(),
        ],
    }
}

/// A corpus without a page.
pub(crate) fn empty() -> Report {
    Report {
        title: "Copied content in nothing".to_owned(),
        corpus: CorpusFacts {
            path: "/data/corpora/nothing".to_owned(),
            pages: 0,
            chunks: 0,
            distinct_chunks: 0,
            sites: 0,
            segments: 0,
            bytes_in: 0,
            bytes_body: 0,
            hash: "sha256".to_owned(),
            chunk: "markup".to_owned(),
            skipped: Vec::new(),
        },
        discovery: Discovery {
            level: "chunk".to_owned(),
            count: "occurrences".to_owned(),
            threshold: 0,
            is_auto: false,
            objects: 0,
            distinct: 0,
            labeled: 0,
            stop: 0,
            frequency: Vec::new(),
            top: Vec::new(),
        },
        detection: Detection {
            labels: 0,
            labels_seen: 0,
            matched_chunks: 0,
            matched_files: 0,
            badness: "mean".to_owned(),
            pages: PageResults {
                total: 0,
                counted: 0,
                matched: 0,
                mean: 0.0,
                stddev: 0.0,
                threshold: 0.0,
                targets: 0,
                histogram: vec![0; 20],
                top: Vec::new(),
            },
            neighborhoods: NeighborhoodResults {
                total: 0,
                mean: 0.0,
                stddev: 0.0,
                threshold: 0.0,
                bad: 0,
                histogram: vec![0; 20],
                tree: Vec::new(),
            },
            copying: Vec::new(),
        },
        near: None,
        phrases: None,
        campaigns: None,
        crawl: None,
        notes: vec!["No file below the directory could be read as an archive.".to_owned()],
    }
}

fn skipped() -> Vec<Skipped> {
    let kind = |kind: &str, meaning: &str, count, example: &str| Skipped {
        kind: kind.to_owned(),
        meaning: meaning.to_owned(),
        count,
        example: example.to_owned(),
    };
    vec![
        kind(
            "not_text",
            "neither HTML nor text: pictures, films, programs",
            12_884,
            "http://photos.example/2019/07/IMG_2231.jpg",
        ),
        kind(
            "revisit_identical",
            "fetched again, and the same as before",
            2_310,
            "http://history.example/",
        ),
        kind(
            "truncated",
            "the record ends before its length",
            2,
            "crawl-00017.warc.gz at byte 88,120,331",
        ),
    ]
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
        // In the tail most counts have no object at all.
        let rare = objects < 1.0 && (seed >> 20).is_multiple_of(1 + count / 6);
        if objects >= 1.0 || rare {
            frequency.push((count, (objects as u64).max(1)));
        }
    }
    frequency
}

fn top_objects() -> Vec<TopObject> {
    let object = |number: u64, sites: u64, category: &str, reason: &str, text: &str| TopObject {
        fingerprint: format!(
            "{:040x}",
            u128::from(number) * 0x9e37_79b9_7f4a_7c15_f39c_0001
        ),
        occurrences: sites * 9,
        pages: sites * 7,
        sites,
        chars: text.chars().count() as u64,
        category: category.to_owned(),
        reason: reason.to_owned(),
        text: text.to_owned(),
        urls: (1..4)
            .map(|page| {
                format!(
                    "http://mirror{number}.example/wiki/{page}/index.php?title=Great_Fire&oldid={}",
                    number * 7_331
                )
            })
            .collect(),
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
