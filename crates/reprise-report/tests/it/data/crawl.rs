//! The figures of an invented crawl of a site with a blog, print views and a calendar.

use reprise_report::{
    CrawlCause, CrawlDuplicate, CrawlEnd, CrawlEndReason, CrawlGenerator, CrawlProblem,
    CrawlRefused, CrawlSummary, CrawlSuspect, DuplicateKind,
};

/// Returns the summary of a crawl of 1,480 pages that the stop rule ended.
pub(crate) fn crawl() -> CrawlSummary {
    let growth = growth();
    let [pages, unique, exact, near] = *growth.last().expect("there are points");
    CrawlSummary {
        seeds: vec!["https://town.example/".to_owned()],
        fetched: 1_702,
        pages,
        unique,
        exact,
        near,
        trap_pages: pages - unique - exact - near,
        redirects: 118,
        errors: 41,
        not_text: 63,
        traps: 12,
        refused: CrawlRefused {
            robots: 77,
            scope: 1_204,
            address: 1,
        },
        problems: problems(),
        growth,
        causes: causes(),
        generators: generators(),
        suspects: vec![CrawlSuspect {
            pattern: "town.example/events/#/#/#".to_owned(),
            fetched: 160,
            new: 1,
        }],
        stopped: Some(CrawlEnd {
            reason: CrawlEndReason::NothingNew,
            window: Some(300),
            new: Some(1),
            bound: 0.0157,
            confidence: 0.95,
        }),
        left: 3_120,
        archives: vec!["crawl/00000.warc.gz".into()],
        resumed: 400,
        bytes: 48_211_902,
        seconds: 812.5,
        duplicates: examples(),
        ..CrawlSummary::default()
    }
}

fn growth() -> Vec<[u64; 4]> {
    let mut point = [0_u64; 4];
    let mut points = Vec::new();
    for page in 0..1_480_u64 {
        point[0] += 1;
        // New content becomes rare, and at the end there is hardly any.
        let draw = page.wrapping_mul(2_654_435_761) % 1_000;
        let is_new = draw < 900_u64.saturating_sub(page * 4 / 5).max(3);
        let kind = if is_new {
            1
        } else {
            2 + (draw % 5 / 3) as usize
        };
        if page % 37 != 36 {
            point[kind] += 1;
        }
        points.push(point);
    }
    points
}

fn problems() -> Vec<CrawlProblem> {
    let problem = |kind: &str, count, url: &str, detail: &str| CrawlProblem {
        kind: kind.to_owned(),
        count,
        url: url.to_owned(),
        detail: detail.to_owned(),
    };
    vec![
        problem("status", 38, "https://town.example/old/gone.html", "404"),
        problem(
            "too_slow",
            3,
            "https://town.example/cgi-bin/report",
            "no byte for 30 seconds",
        ),
    ]
}

fn causes() -> Vec<CrawlCause> {
    let row = |cause: &str, exact, near| CrawlCause {
        cause: cause.to_owned(),
        exact,
        near,
    };
    vec![
        row("redirect", 31, 0),
        row("scheme", 0, 0),
        row("host", 12, 4),
        row("slash", 88, 0),
        row("parameter_order", 41, 2),
        row("session", 160, 12),
        row("print", 3, 188),
        row("format", 17, 55),
        row("calendar", 70, 61),
        row("listing", 120, 104),
        row("canonical", 0, 0),
        row("other", 9, 33),
    ]
}

fn generators() -> Vec<CrawlGenerator> {
    let row = |generator: &str, pages, unique, exact, near| CrawlGenerator {
        generator: generator.to_owned(),
        pages,
        unique,
        exact,
        near,
    };
    vec![
        row("WordPress 6", 904, 301, 380, 210),
        row("Drupal 10", 311, 150, 101, 60),
        row("", 265, 102, 70, 88),
    ]
}

fn examples() -> Vec<CrawlDuplicate> {
    vec![
        CrawlDuplicate {
            url: "https://town.example/news/?p=17&sid=8f3a".to_owned(),
            of: "https://town.example/news/?p=17".to_owned(),
            kind: DuplicateKind::Exact,
            score: 100,
            cause: "session".to_owned(),
        },
        CrawlDuplicate {
            url: "https://town.example/print/town-hall-opens-its-doors-again".to_owned(),
            of: "https://town.example/2024/05/town-hall-opens-its-doors-again".to_owned(),
            kind: DuplicateKind::Near,
            score: 93,
            cause: "print".to_owned(),
        },
    ]
}
