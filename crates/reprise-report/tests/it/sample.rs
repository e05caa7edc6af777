//! Invented data: a small crawl with a copying ring, and one with nothing in it.

use reprise_report::{
    CorpusFacts, Detection, Discovery, Explanation, Match, Neighborhood, NeighborhoodResults,
    PageResult, PageResults, Report, Side, SitePair, Skipped, TopObject,
};

/// A crawl of 48,213 pages.
pub fn report() -> Report {
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
        notes: vec![
            "Chunks of fewer than 100 characters were left out (--min-length 100).".to_owned(),
            "Copies on the label's own site were not counted (--elsewhere).".to_owned(),
        ],
    }
}

/// A corpus without a page.
pub fn empty() -> Report {
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
        notes: vec!["No file below the directory could be read as an archive.".to_owned()],
    }
}

/// Two pages with three paragraphs in common, one of them twice.
pub fn explanation() -> Explanation {
    let fire = "<p>The fire of the year 64 began in the shops by the circus, \
                where goods that burn easily were stored.\n";
    let wind = "<p>A strong wind carried it along the whole length of the circus before noon.\n";
    let walls = "<div class=\"note\">No walls, no temples, nothing stood in its way.</div>\n";
    let left = format!(
        "<!DOCTYPE html>\n<title>Rome in flames</title>\n<h1>Rome in flames</h1>\n\t<p>By our own correspondent.\n{fire}{wind}\
         <p>Read more in our archive.\n{walls}{fire}<p>Comments (0)\n"
    );
    let right = format!(
        "<!DOCTYPE html>\n<title>The great fire</title>\n<h1>The great fire</h1>\n{walls}<p>First published in 2019.\n{fire}\
         <p>An aside that only stands here, on the streets and how narrow they were, and why nobody \
         could pass with water.\n{wind}<p>Sources: Tacitus.\n"
    );
    let mut matches = Vec::new();
    for (number, piece) in [walls, fire, wind].iter().enumerate() {
        for (on_left, _) in left.match_indices(piece) {
            for (on_right, _) in right.match_indices(piece) {
                matches.push(Match {
                    left: on_left..on_left + piece.len(),
                    right: on_right..on_right + piece.len(),
                    fingerprint: format!("{number:040x}"),
                });
            }
        }
    }
    let side = |name: &str, fetched: &str, text: String| Side {
        name: name.to_owned(),
        facts: vec![
            ("fetched".to_owned(), fetched.to_owned()),
            ("contains".to_owned(), "0.67 (4 of 6 chunks)".to_owned()),
        ],
        text,
    };
    Explanation {
        title: "What news-mirror.example has of history.example".to_owned(),
        left: side("http://news-mirror.example/rome/fire.html", "2024-05-03", left),
        right: side("https://history.example/64/fire", "2021-11-20", right),
        matches,
        summary: "4 of 6 chunks of the page on the left are also on the page on the right, which was fetched first.".to_owned(),
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

fn detection() -> Detection {
    Detection {
        labels: 1_482,
        labels_seen: 1_407,
        matched_chunks: 36_204,
        matched_files: 0,
        badness: "mean".to_owned(),
        pages: PageResults {
            total: 48_213,
            counted: 45_870,
            matched: 3_118,
            mean: 0.021,
            stddev: 0.109,
            threshold: 0.13,
            targets: 1_240,
            histogram: vec![
                43_102, 1_130, 520, 301, 180, 121, 90, 60, 44, 51, 40, 33, 29, 31, 22, 19, 24, 18,
                15, 40,
            ],
            top: top_pages(),
        },
        neighborhoods: NeighborhoodResults {
            total: 6_120,
            mean: 0.034,
            stddev: 0.121,
            threshold: 0.155,
            bad: 402,
            histogram: vec![
                5_110, 388, 140, 80, 52, 61, 40, 33, 30, 28, 20, 18, 24, 16, 14, 11, 9, 12, 15, 19,
            ],
            tree: tree(),
        },
        copying: copying(),
    }
}

fn top_pages() -> Vec<PageResult> {
    let page = |url: &str,
                contains,
                matched,
                chunks,
                source: Option<(&str, &str)>,
                older: Option<&str>| PageResult {
        url: url.to_owned(),
        contains,
        matched,
        chunks,
        source_url: source.map(|(url, _)| url.to_owned()),
        source_site: source.map(|(_, site)| site.to_owned()),
        fetched: Some("2024-05-03".to_owned()),
        source_fetched: source.map(|_| "2021-11-20".to_owned()),
        older: older.map(str::to_owned),
    };
    let history = Some(("https://history.example/64/fire", "history.example"));
    vec![
        page(
            "http://news-mirror.example/rome/fire.html",
            1.0,
            42,
            42,
            history,
            Some("source"),
        ),
        page(
            "http://wiki.freeinfo.example/w/index.php?title=Great_Fire_of_Rome&action=view&printable=yes&session=8d1f00aa7c3e4410",
            0.97,
            61,
            63,
            history,
            Some("source"),
        ),
        page(
            "http://planets.example/jupiter",
            0.91,
            30,
            33,
            Some((
                "http://astro-class.example/outer/jupiter.html",
                "astro-class.example",
            )),
            Some("copy"),
        ),
        page("http://shop17.example/watches/", 0.66, 12, 18, None, None),
        page(
            "http://blog.example/2011/03/",
            0.11,
            2,
            18,
            history,
            Some("source"),
        ),
    ]
}

fn tree() -> Vec<Neighborhood> {
    let node = |prefix: &str, pages, badness: f64, chunks: u64, children| Neighborhood {
        prefix: prefix.to_owned(),
        pages,
        badness,
        matched: (chunks as f64 * badness) as u64,
        chunks,
        is_bad: badness > 0.155,
        children,
    };
    vec![
        node(
            "news-mirror.example/",
            812,
            0.94,
            20_114,
            vec![
                node(
                    "news-mirror.example/rome/",
                    61,
                    0.98,
                    2_204,
                    vec![
                        node("news-mirror.example/rome/fire/", 12, 1.0, 402, Vec::new()),
                        node("news-mirror.example/rome/water/", 9, 0.71, 230, Vec::new()),
                    ],
                ),
                node("news-mirror.example/about/", 3, 0.02, 88, Vec::new()),
            ],
        ),
        node(
            "wiki.freeinfo.example/",
            4_220,
            0.81,
            130_551,
            vec![node(
                "wiki.freeinfo.example/w/",
                4_200,
                0.82,
                130_002,
                Vec::new(),
            )],
        ),
        node("planets.example/", 44, 0.63, 1_020, Vec::new()),
        node(
            "shop17.example/",
            130,
            0.41,
            2_998,
            vec![
                node("shop17.example/watches/", 60, 0.62, 1_400, Vec::new()),
                node(
                    "shop17.example/contact-and-imprint-with-a-rather-long-name/",
                    1,
                    0.0,
                    9,
                    Vec::new(),
                ),
            ],
        ),
        node("blog.example/", 902, 0.08, 14_220, Vec::new()),
    ]
}

fn copying() -> Vec<SitePair> {
    let pair = |copier: &str, source: &str, chunks, pages| SitePair {
        copier: copier.to_owned(),
        source: source.to_owned(),
        chunks,
        pages,
    };
    let mut pairs = vec![
        pair("freeinfo.example", "history.example", 12_411, 3_310),
        pair("news-mirror.example", "history.example", 8_204, 780),
        pair("shop17.example", "shop18.example", 920, 60),
        pair("shop18.example", "shop17.example", 611, 48),
        pair("planets.example", "astro-class.example", 330, 31),
        pair("astro-class.example", "planets.example", 12, 2),
        pair("blog.example", "history.example", 44, 17),
    ];
    for number in 0..16_u64 {
        let copier = format!("mirror{number}.example");
        pairs.push(pair(
            &copier,
            "history.example",
            10 + number * number * 7,
            3 + number,
        ));
        pairs.push(pair(
            &copier,
            &format!("mirror{}.example", (number + 3) % 16),
            1 + number,
            1,
        ));
    }
    pairs
}
