//! The report on ordinary and on extreme data.

use reprise_report::{Neighborhood, SitePair, render};

use crate::sample;

const IDS: [&str; 9] = [
    "summary", "copied", "clusters", "pages", "copying", "near", "phrases", "skipped", "guide",
];

#[test]
fn every_section_is_there_and_linked() {
    for report in [sample::report(), sample::empty()] {
        let html = render(&report);
        let mut before = 0;
        for id in IDS {
            assert!(html.contains(&format!("href=\"#{id}\"")), "{id}");
            let place = html.find(&format!(" id=\"{id}\"")).expect(id);
            assert!(place > before, "{id} stands too early");
            before = place;
        }
    }
}

#[test]
fn the_policy_forbids_scripts_and_requests() {
    let html = render(&sample::report());
    let policy = "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:;";
    assert!(html.contains(policy));
    assert!(!html.contains("<script"));
    assert!(!html.contains("@import") && !html.contains("url("));
}

#[test]
fn the_summary_says_what_the_numbers_say() {
    let html = render(&sample::report());
    for part in [
        "1,240 of 48,213 pages stand out as copied.",
        "48,213 pages of 1,377 sites, cut into 1,204,554 chunks, 611,902 of them distinct.",
        "1,482 chunks appear on more than 6 sites and count as copied; 20,911 stop chunks were left out.",
        "1,407 of 1,482 labels were found, as 36,204 chunks, on 3,118 of the 45,870 pages",
        "402 of 6,120 neighbourhoods are bad, with a badness above 0.15; the worst is news-mirror.example/, at 0.94.",
        "The strongest link is from freeinfo.example to history.example, with 12,411 chunks in common; 2 pairs",
    ] {
        assert!(html.contains(part), "{part}");
    }
}

#[test]
fn one_is_singular() {
    let mut report = sample::report();
    report.corpus.pages = 1;
    report.corpus.sites = 1;
    report.corpus.chunks = 1;
    report.discovery.labeled = 1;
    report.discovery.threshold = 1;
    report.discovery.stop = 1;
    report.detection.pages.total = 1;
    report.detection.pages.targets = 1;
    let html = render(&report);
    for part in [
        "1 of 1 page stands out as copied.",
        "1 page of 1 site, cut into 1 chunk,",
        "1 chunk appears on more than 1 site and counts as copied; 1 stop chunk was left out.",
        "1 page stands out, with",
    ] {
        assert!(html.contains(part), "{part}");
    }
}

#[test]
fn an_empty_report_says_why() {
    let html = render(&sample::empty());
    for part in [
        "The corpus is empty.",
        "Why nothing was found",
        "No file below the directory could be read as an archive.",
        "There is no chunk in the corpus, so there is nothing to plot.",
        "There is no neighbourhood:",
        "There is no page in the corpus.",
        "No site was found to have chunks of another",
        "Nothing was skipped: all records",
    ] {
        assert!(html.contains(part), "{part}");
    }
    assert!(!html.contains("NaN") && !html.contains("inf"));
    assert!(!html.contains("<svg class=\"plot\""));
}

#[test]
fn nothing_found_is_said_loudly() {
    let mut report = sample::report();
    report.detection.matched_chunks = 0;
    let html = render(&report);
    assert!(html.contains("No chunk is copied, but 12,404 pages are near-copies."));
    report.near = None;
    let html = render(&report);
    assert!(html.contains("Nothing copied was found."));
    assert!(html.contains("Of 1,482 labels that were looked for, none was found."));
}

#[test]
fn the_largest_numbers_fit() {
    let mut report = sample::report();
    report.corpus.pages = u64::MAX;
    report.corpus.bytes_in = u64::MAX;
    report.discovery.threshold = u64::MAX;
    report.discovery.frequency = vec![(1, u64::MAX), (u64::MAX, u64::MAX)];
    report.detection.pages.histogram = vec![u64::MAX; 20];
    report.detection.neighborhoods.histogram = vec![1; 3];
    report.detection.pages.threshold = f64::MAX;
    report.detection.neighborhoods.mean = f64::NAN;
    for skipped in &mut report.corpus.skipped {
        skipped.count = u64::MAX;
    }
    let pair = SitePair {
        copier: "a".to_owned(),
        source: "b".to_owned(),
        chunks: u64::MAX,
        pages: u64::MAX,
    };
    report.detection.copying = vec![pair.clone(), pair];
    let html = render(&report);
    assert!(html.contains("18,446,744,073,709,551,615 pages"));
    assert!(!html.contains("NaN"));
}

#[test]
fn a_deep_and_wide_tree_is_cut() {
    let mut report = sample::report();
    let leaf = report.detection.neighborhoods.tree[2].clone();
    let mut deep = leaf.clone();
    for _ in 0..1_000 {
        deep = Neighborhood {
            children: vec![deep],
            ..leaf.clone()
        };
    }
    report.detection.neighborhoods.tree = vec![leaf; 60];
    report.detection.neighborhoods.tree[0] = deep;
    let html = render(&report);
    assert!(html.contains("and 10 more neighbourhoods"));
    assert!(html.contains("and 1 more neighbourhood<"));
}

#[test]
fn many_sites_are_cut_to_a_matrix_of_twenty() {
    let html = render(&sample::report());
    let matrix = html
        .split("<table class=\"matrix\">")
        .nth(1)
        .expect("a matrix");
    let matrix = matrix.split("</table>").next().expect("its end");
    assert_eq!(matrix.matches("scope=\"row\"").count(), 20);
    assert_eq!(matrix.matches("<td").count(), 400);
    assert!(
        matrix.contains("freeinfo.example has 12,411 chunks of history.example, on 3,310 pages")
    );
}
