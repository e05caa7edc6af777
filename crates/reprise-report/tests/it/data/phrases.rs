//! Popular phrases in the invented crawl.

use reprise_report::{
    CoverPoint, PageSource, PageSources, PhraseFindings, PopularPhrase, PopularPhrases,
    SitePhrases, SourceSite,
};

/// Returns three stitched sites among sites with templates.
pub(crate) fn phrases() -> PhraseFindings {
    PhraseFindings {
        popular: PopularPhrases {
            pages: 46_020,
            documents: 35_934,
            min_documents: 5,
            popular: 61_233,
            top: top(),
            per_document: per_document(),
            occurrences: occurrences(),
            unreadable: 4,
        },
        covers: covers(),
        sites: sites(),
    }
}

/// Returns a number from 0 to 1 that looks random.
fn noise(number: u64) -> f64 {
    let mixed = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed >> 40) as f64 / f64::from(1 << 24)
}

fn occurrences() -> Vec<(u32, u64)> {
    let mut occurrences = Vec::new();
    for documents in 5..4_000_u32 {
        let shingles =
            420_000.0 / f64::from(documents).powf(2.1) * (0.7 + 0.6 * noise(documents.into()));
        let is_rare =
            shingles < 1.0 && noise(u64::from(documents) + 9_000) < 12.0 / f64::from(documents);
        if shingles >= 1.0 || is_rare {
            occurrences.push((documents, (shingles as u64).max(1)));
        }
    }
    occurrences
}

fn per_document() -> Vec<(u8, u64)> {
    (0..=84_u8)
        .map(|popular| {
            let x = f64::from(popular);
            let written = 14_000.0 * (-x / 5.0).exp();
            let stitched = 240.0 * (-((x - 64.0) / 8.0).powi(2)).exp();
            (
                popular,
                (written + stitched + 3.0 * noise(popular.into())) as u64,
            )
        })
        .collect()
}

fn top() -> Vec<PopularPhrase> {
    let row = |phrase: &str, documents, sites: &[&str]| {
        let urls: Vec<String> = sites.iter().map(|site| format!("http://{site}/")).collect();
        PopularPhrase {
            phrase: phrase.to_owned(),
            documents,
            url: urls.first().cloned(),
            urls,
        }
    };
    vec![
        row(
            "4 5 6 7 8",
            3_911,
            &[
                "calendar.example/2024/05",
                "blog.example/page",
                "forum.example/list",
            ],
        ),
        row(
            "powered by phpbb 2 0",
            1_204,
            &[
                "forum.example/index.php",
                "cooks.example/board/viewtopic.php?t=1881&postdays=0&postorder=asc&highlight=&start=15&sid=8d1f00aa7c3e44109b21c1f7e6d05a33",
            ],
        ),
        row(
            "all rights reserved privacy policy",
            802,
            &["history.example", "shop17.example", "planets.example"],
        ),
        row(
            "cheap watches you name it",
            655,
            &["casino-guide.example/a/17.html", "best-offers-4u.example/x"],
        ),
        row(
            "product you are looking for",
            212,
            &["shop18.example/search"],
        ),
        row(
            "\u{306f}\u{3058}\u{3081} \u{307e}\u{3057}\u{3066} \u{79c1} \u{306f} \u{5b66}\u{751f}",
            31,
            &["nihon.example"],
        ),
        row(
            "averyveryverylongwordthatnobodywouldeverwriteunlessaprogramdiditforthemandforgottoputspacesin x x x x",
            5,
            &[],
        ),
    ]
}

fn covers() -> Vec<CoverPoint> {
    let mut covers = Vec::new();
    for popular in 30..=84_u32 {
        for sources in 1..=28_u32 {
            let middle = 3.0 + f64::from(popular - 30) / 4.0 * (0.5 + noise(u64::from(popular)));
            let pages = 26.0
                * (-((f64::from(sources) - middle) / 3.0).powi(2)).exp()
                * noise(u64::from(popular * 100 + sources));
            if pages >= 1.0 {
                covers.push(CoverPoint {
                    popular,
                    sources,
                    pages: pages as u64,
                    foreign_share: (0.2
                        + f64::from(sources) / 40.0
                        + 0.6 * noise(u64::from(sources * popular)))
                    .min(1.0),
                });
            }
        }
    }
    covers.push(CoverPoint {
        popular: 71,
        sources: 1,
        pages: 31,
        foreign_share: 0.0,
    });
    covers
}

fn sites() -> Vec<SitePhrases> {
    let mut sites = vec![
        stitched("best-offers-4u.example", 1_260, 66.4, 5.9, 1),
        stitched("casino-guide.example", 1_104, 63.1, 7.2, 2),
        SitePhrases {
            sources: Vec::new(),
            example: None,
            ..stitched(
                "the-encyclopedia-of-everything-and-more.example",
                88,
                74.8,
                4.1,
                3,
            )
        },
        site("weather.example", 640, 71.0, 6.0),
    ];
    for number in 0..60_u64 {
        let pages = 10.0 * (1.0 + 40.0 * noise(number).powi(4));
        sites.push(site(
            &format!("site{number}.example"),
            pages as u64,
            30.0 + 35.0 * noise(number + 100).powi(2),
            3.0 + 20.0 * noise(number + 200),
        ));
    }
    // The plot leaves out sites with few pages or few popular shingles.
    sites.push(site("few-pages.example", 9, 50.0, 3.0));
    sites.push(site("few-shingles.example", 400, 29.9, 3.0));
    sites
}

fn site(site: &str, pages: u64, mean: f64, stddev: f64) -> SitePhrases {
    SitePhrases {
        site: site.to_owned(),
        pages,
        mean,
        stddev,
        is_even: false,
        is_stitched: false,
        foreign: None,
        sources: Vec::new(),
        example: None,
    }
}

fn stitched(name: &str, pages: u64, mean: f64, stddev: f64, number: u32) -> SitePhrases {
    let sources = (1..9_u32).map(|source| SourceSite {
        site: format!("source{}.example", source * number),
        shingles: u64::from(400 / source),
    });
    SitePhrases {
        is_even: true,
        is_stitched: true,
        foreign: Some(0.93),
        sources: sources.collect(),
        example: Some(example(name)),
        ..site(name, pages, mean, stddev)
    }
}

fn example(site: &str) -> PageSources {
    let sources = (1..24_u32).map(|source| {
        let is_foreign = source <= 18;
        let site = if is_foreign {
            format!("source{source}.example")
        } else {
            site.to_owned()
        };
        PageSource {
            url: format!("http://{site}/articles/{source}/about-something.html"),
            site,
            shingles: 13 / source + 1,
            is_foreign,
        }
    });
    PageSources {
        url: format!("http://{site}/cheap-watches-replica-and-great-fire-of-rome-for-sale-17.html"),
        popular: 68,
        covered: 66,
        foreign: 60,
        sources: sources.collect(),
    }
}
