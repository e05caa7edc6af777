//! Hostile texts cannot change the structure of a file.

use std::collections::BTreeSet;

use reprise_report::{
    CrawlEndReason, DamagedFile, Explanation, Match, MatchName, NearMethod, ProblemExample,
    RemovableOfSite, Report, SharedPhrases, SitePair, SourceSite, render, render_evasion,
    render_hash_comparison, render_side_by_side,
};

use crate::data;
use crate::experiments::{evasion, hash_comparison};

const ATTACKS: [&str; 8] = [
    "<script>alert(1)</script>",
    "\" onmouseover=\"alert(1)",
    "' onmouseover='alert(1)",
    "</title></style></pre></svg><img src=x onerror=alert(1)>",
    "]]><!--<![CDATA[",
    "https://evil.example/\u{202e}gnp.exe\u{2066}\u{200f}",
    "javascript:alert(1)",
    "a\0b\u{1b}[31m\u{7}\u{9b}c\rd",
];

#[test]
fn nothing_breaks_out_of_a_report() {
    let methods = [
        NearMethod::Shingle,
        NearMethod::Fuzzy,
        NearMethod::Imatch,
        NearMethod::Exact,
    ];
    for method in methods {
        let render = |text| {
            let mut report = poisoned(text);
            report.near.as_mut().expect("near-copies").method = method;
            render(&report)
        };
        let clean = render("harmless");
        for attack in ATTACKS {
            check(&render(attack), &clean);
        }
    }
}

#[test]
fn nothing_breaks_out_of_side_by_side() {
    let clean = render_side_by_side(&explanation("harmless"));
    for attack in ATTACKS {
        check(&render_side_by_side(&explanation(attack)), &clean);
    }
}

#[test]
fn nothing_breaks_out_of_experiments() {
    let [one, other] = ["harmless"; 2].map(|text| {
        let (one, other) = (evasion(text), hash_comparison(text));
        (render_evasion(&one), render_hash_comparison(&other))
    });
    assert_eq!(one, other);
    for attack in ATTACKS {
        check(&render_evasion(&evasion(attack)), &one.0);
        check(&render_hash_comparison(&hash_comparison(attack)), &one.1);
    }
}

/// Checks that a file has the same tags as one with harmless text, links only to itself and has no control characters.
fn check(html: &str, clean: &str) {
    for (tag, clean) in names(html).iter().zip(names(clean)) {
        assert_eq!(tag, &clean);
        let attributes = tag.split(' ').skip(1);
        let unique: BTreeSet<&str> = attributes.clone().collect();
        assert_eq!(attributes.count(), unique.len(), "{tag}");
    }
    assert_eq!(tags(html).len(), tags(clean).len());
    let mut links = 0;
    for attribute in ["href=", "src=", "action=", "srcset=", "poster=", "data="] {
        for tag in tags(html) {
            for value in tag.split(&format!(" {attribute}\"")).skip(1) {
                links += 1;
                assert!(
                    value.starts_with('#') || value.starts_with("data:,\""),
                    "{tag}"
                );
            }
        }
    }
    // There is at least the link to the icon.
    assert!(links > 0);
    for c in html.chars() {
        let is_allowed = !c.is_control() || c == '\n';
        let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        assert!(is_allowed && !turns, "{c:?}");
    }
}

/// Returns the parts from each `<` to the next `>`. If all text is escaped, these are the tags.
fn tags(html: &str) -> Vec<&str> {
    let parts = html.split('<').skip(1);
    parts
        .map(|part| part.split('>').next().unwrap_or(part))
        .collect()
}

/// Returns the tags with the names of their attributes, without the values.
fn names(html: &str) -> Vec<String> {
    let mut names = Vec::new();
    for tag in tags(html) {
        let outside: Vec<&str> = tag.split('"').step_by(2).collect();
        names.push(outside.concat());
    }
    names
}

fn explanation(text: &str) -> Explanation {
    let span = |start: usize, end: usize, fingerprint| Match {
        left: start * text.len()..end * text.len(),
        right: start * text.len()..(end + 1) * text.len(),
        fingerprint,
    };
    Explanation {
        page: text.to_owned(),
        with: text.to_owned(),
        page_chunks: 3,
        page_shared: 1,
        with_chunks: 3,
        with_shared: 1,
        page_fetched: None,
        with_fetched: None,
        matches: vec![span(1, 2, MatchName::Phrases(0))],
        phrases: SharedPhrases {
            matches: vec![span(3, 4, MatchName::Phrases(1))],
            ..SharedPhrases::default()
        },
        page_text: text.repeat(5),
        with_text: text.repeat(5),
    }
}

/// Returns a report in which every text is `text`.
fn poisoned(text: &str) -> Report {
    let mut report = data::report();
    let text = || text.to_owned();
    report.title = text();
    report.notes = vec![text()];
    poison_corpus(&mut report, &text);
    report.discovery.notes = vec![text() + " "];
    for top in &mut report.discovery.top {
        (top.category, top.reason, top.text) = (text(), text(), text());
        (top.url, top.urls) = (Some(text()), vec![text()]);
    }
    let detection = &mut report.detection;
    detection.notes = vec![text() + "  "];
    for page in &mut detection.pages.top {
        page.url = text();
        (page.source_url, page.source_site) = (Some(text()), Some(text()));
    }
    let nodes = &mut detection.neighborhoods.top;
    nodes[0].prefix = format!("{0}/{0}/", text());
    nodes[1].prefix = format!("{}/", text());
    // The name `!` sorts before all the texts, so that the rows are always in the same order.
    let pair = |copier: &str, source: &str| SitePair {
        copier: copier.to_owned(),
        source: source.to_owned(),
        chunks: 3,
        pages: 2,
    };
    detection.sites = vec![
        pair(&text(), "!"),
        pair("!", &text()),
        pair(&text(), &text()),
    ];
    poison_near(&mut report, &text);
    poison_phrases(&mut report, &text);
    poison_crawl(&mut report, &text);
    poison_campaigns(&mut report, &text);
    report
}

fn poison_corpus(report: &mut Report, text: &dyn Fn() -> String) {
    let corpus = &mut report.corpus;
    (corpus.path, corpus.hash, corpus.chunk) = (text(), text(), text());
    corpus.damage = vec![DamagedFile {
        path: text(),
        detail: text(),
    }];
    let problems = &mut corpus.problems;
    problems.skipped = [(text(), 3)].into();
    problems.damaged = [(text() + " ", 3)].into();
    let example = |kind, url| ProblemExample {
        kind,
        meaning: text(),
        count: 3,
        source: text(),
        offset: 17,
        url,
        detail: text(),
    };
    problems.examples = vec![example(text(), Some(text())), example(text() + " ", None)];
}

fn poison_campaigns(report: &mut Report, text: &dyn Fn() -> String) {
    let campaigns = report.campaigns.as_mut().expect("campaigns");
    campaigns.warnings = vec![text()];
    for campaign in &mut campaigns.top {
        (campaign.representative, campaign.opening) = (text(), text());
        campaign.terms = vec![text()];
        campaign.dates = Some((text(), text()));
        for document in &mut campaign.examples {
            (document.url, document.date) = (text(), Some(text()));
        }
    }
}

fn poison_near(report: &mut Report, text: &dyn Fn() -> String) {
    let near = report.near.as_mut().expect("near-copies");
    near.largest_site = Some(RemovableOfSite {
        site: text(),
        removable: 3,
    });
    near.unreadable_reason = Some(text());
    near.warnings = vec![text()];
    for cluster in &mut near.top {
        cluster.representative = text();
        for page in &mut cluster.examples {
            page.url = text();
        }
    }
}

fn poison_phrases(report: &mut Report, text: &dyn Fn() -> String) {
    let phrases = report.phrases.as_mut().expect("phrases");
    for phrase in &mut phrases.popular.top {
        (phrase.phrase, phrase.urls) = (text(), vec![text()]);
    }
    // Near the right edge, there is room for a name of any length.
    phrases.sites.truncate(1);
    let site = &mut phrases.sites[0];
    (site.site, site.mean) = (text(), 83.0);
    site.sources = vec![SourceSite {
        site: text(),
        shingles: 3,
    }];
    if let Some(example) = &mut site.example {
        example.url = text();
        for source in &mut example.sources {
            (source.url, source.site) = (text(), text());
        }
    }
}

fn poison_crawl(report: &mut Report, text: &dyn Fn() -> String) {
    let crawl = report.crawl.as_mut().expect("a crawl");
    (crawl.seeds, crawl.archives) = (vec![text(), text()], vec![text().into()]);
    for problem in &mut crawl.problems {
        (problem.kind, problem.url, problem.detail) = (text(), text(), text());
    }
    for row in &mut crawl.causes {
        row.cause = text();
    }
    for row in &mut crawl.generators {
        row.generator = text();
    }
    for row in &mut crawl.suspects {
        row.pattern = text();
    }
    for row in &mut crawl.duplicates {
        (row.url, row.of, row.cause) = (text(), text(), text());
    }
    if let Some(stopped) = &mut crawl.stopped {
        stopped.reason = CrawlEndReason::Other(text());
    }
}

#[test]
fn long_texts_are_clipped() {
    let mut report = data::report();
    report.discovery.top[0].text = "x".repeat(5_000_000);
    report.discovery.top[0].urls = vec!["y".repeat(5_000_000)];
    poison_crawl(&mut report, &|| "z".repeat(50_000));
    poison_near(&mut report, &|| "z".repeat(50_000));
    poison_phrases(&mut report, &|| "z".repeat(50_000));
    poison_corpus(&mut report, &|| "z".repeat(50_000));
    let html = render(&report);
    assert!(html.len() < 1_000_000);
    assert!(html.contains(&format!("{}\u{2026}", "x".repeat(1_000))));
}
