//! Invented data: what was found in the crawl of `sample`.

use reprise_report::{
    Detection, Neighborhood, NeighborhoodResults, PageResult, PageResults, SitePair,
};

/// A mirror, a wiki that copies, two shops that copy from each other.
pub(crate) fn detection() -> Detection {
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
