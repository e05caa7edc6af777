//! Detection in the invented crawl.

use reprise_report::{
    Badness, Detection, MatchedCounts, Neighborhood, NeighborhoodShares, Older, PageShare,
    PageShares, SitePair, Timestamp,
};

/// Returns a mirror, a wiki that copies, and two shops that have chunks of each other.
pub(crate) fn detection() -> Detection {
    let sites = site_pairs();
    Detection {
        labels: 1_482,
        badness: Badness::Mean,
        matched: MatchedCounts {
            chunks: 36_204,
            files: 0,
            labels_seen: 1_407,
        },
        pages: PageShares {
            total: 48_213,
            counted: 45_870,
            own: 0,
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
        neighborhoods: NeighborhoodShares {
            total: 6_120,
            mean: 0.034,
            stddev: 0.121,
            threshold: 0.155,
            bad: 402,
            histogram: vec![
                5_110, 388, 140, 80, 52, 61, 40, 33, 30, 28, 20, 18, 24, 16, 14, 11, 9, 12, 15, 19,
            ],
            top: neighborhoods(),
        },
        site_pairs: sites.len() as u64,
        sites,
        rings: 2,
        notes: Vec::new(),
    }
}

fn top_pages() -> Vec<PageShare> {
    let page =
        |url: &str, (contains, matched, chunks), source: Option<(&str, &str)>, older| PageShare {
            url: url.to_owned(),
            contains,
            matched,
            chunks,
            source_url: source.map(|(url, _)| url.to_owned()),
            source_site: source.map(|(_, site)| site.to_owned()),
            fetched: Some(Timestamp(1_714_733_096_000)),
            source_fetched: source.map(|_| Timestamp(1_637_366_400_000)),
            older,
        };
    let history = Some(("https://history.example/64/fire", "history.example"));
    let astronomy = Some((
        "http://astro-class.example/outer/jupiter.html",
        "astro-class.example",
    ));
    let wiki = "http://wiki.freeinfo.example/w/index.php?title=Great_Fire_of_Rome&action=view&printable=yes&session=8d1f00aa7c3e4410";
    vec![
        page(
            "http://news-mirror.example/rome/fire.html",
            (Some(1.0), 42, 42),
            history,
            Some(Older::Source),
        ),
        page(wiki, (Some(0.97), 61, 63), history, Some(Older::Source)),
        page(
            "http://planets.example/jupiter",
            (Some(0.91), 30, 33),
            astronomy,
            Some(Older::Copy),
        ),
        page(
            "http://shop17.example/watches/",
            (Some(0.66), 12, 18),
            None,
            None,
        ),
        page(
            "http://blog.example/2011/03/",
            (Some(0.11), 2, 18),
            history,
            Some(Older::Source),
        ),
        page("http://blog.example/about", (None, 1, 1), None, None),
    ]
}

/// Returns neighbourhoods, worst first.
fn neighborhoods() -> Vec<Neighborhood> {
    let node = |prefix: &str, pages, badness: f64, chunks: u64| Neighborhood {
        prefix: prefix.to_owned(),
        depth: prefix.matches('/').count() as u64,
        pages,
        badness,
        matched: (chunks as f64 * badness) as u64,
        chunks,
    };
    vec![
        node("news-mirror.example/rome/fire/", 12, 1.0, 402),
        node("news-mirror.example/rome/", 61, 0.98, 2_204),
        node("news-mirror.example/", 812, 0.94, 20_114),
        node("wiki.freeinfo.example/w/", 4_200, 0.82, 130_002),
        node("wiki.freeinfo.example/", 4_220, 0.81, 130_551),
        node("news-mirror.example/rome/water/", 9, 0.71, 230),
        node("planets.example/", 44, 0.63, 1_020),
        node("shop17.example/watches/", 60, 0.62, 1_400),
        node("shop17.example/", 130, 0.41, 2_998),
        node("blog.example/", 902, 0.08, 14_220),
        node("news-mirror.example/about/", 3, 0.02, 88),
        node(
            "shop17.example/contact-and-imprint-with-a-rather-long-name/",
            1,
            0.0,
            9,
        ),
    ]
}

fn site_pairs() -> Vec<SitePair> {
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
