//! The report with ordinary and with extreme data.

use reprise_report::{DamagedFile, Neighborhood, SitePair, render};

use crate::data;

const IDS: [&str; 9] = [
    "summary", "copied", "clusters", "pages", "copying", "near", "phrases", "skipped", "guide",
];

#[test]
fn every_section_is_there_and_linked() {
    for report in [data::report(), data::empty_report()] {
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
    let html = render(&data::report());
    let policy = "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:;";
    assert!(html.contains(policy));
    assert!(!html.contains("<script"));
    assert!(!html.contains("@import") && !html.contains("url("));
}

#[test]
fn the_summary_has_the_numbers() {
    let html = render(&data::report());
    for part in [
        "1,240 of 48,213 pages stand out as copied.",
        "48,213 pages of 1,377 sites, cut into 1,204,554 chunks, 611,902 of them distinct.",
        "1,482 chunks appear on more than 6 sites and count as copied; 20,911 stop chunks were excluded.",
        "1,407 of 1,482 labels were found, in 36,204 chunks, on 3,118 of the 45,870 pages that count (6.8%).",
        "402 of 6,120 neighbourhoods are bad, with a badness above 16%; the worst is news-mirror.example/rome/fire/, at 100%.",
        "The pair of sites with most in common is freeinfo.example and history.example, with 12,411 chunks; 2 pairs of sites have chunks of each other.",
    ] {
        assert!(html.contains(part), "{part}");
    }
}

#[test]
fn one_is_singular() {
    let mut report = data::report();
    report.corpus.pages = 1;
    report.corpus.sites = Some(1);
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
        "1 chunk appears on more than 1 site and counts as copied; 1 stop chunk was excluded.",
        "1 page stands out, with",
    ] {
        assert!(html.contains(part), "{part}");
    }
}

#[test]
fn an_empty_report_says_why() {
    let html = render(&data::empty_report());
    for part in [
        "The corpus is empty.",
        "Why nothing was found",
        "No file below the directory could be read as an archive.",
        "The corpus has no chunks, so there is nothing to plot.",
        "No neighbourhood was found:",
        "The corpus has no pages.",
        "No site shares chunks with another site",
        "Nothing was skipped: the corpus has every record",
    ] {
        assert!(html.contains(part), "{part}");
    }
    assert!(!html.contains("NaN") && !html.contains("inf"));
    assert!(!html.contains("<svg class=\"plot\""));
}

#[test]
fn the_headline_says_that_nothing_was_found() {
    let mut report = data::report();
    report.detection.matched.chunks = 0;
    let html = render(&report);
    assert!(html.contains("No chunk is copied, but 12,404 pages are near-copies."));
    report.near = None;
    let html = render(&report);
    assert!(html.contains("Nothing copied was found."));
    assert!(html.contains("None of the 1,482 labels was found."));
}

#[test]
fn the_largest_numbers_fit() {
    let mut report = data::report();
    report.corpus.pages = u64::MAX;
    report.corpus.bytes_in = u64::MAX;
    report.discovery.threshold = u64::MAX;
    report.discovery.frequency = vec![(1, u64::MAX), (u64::MAX, u64::MAX)];
    report.detection.pages.histogram = vec![u64::MAX; 20];
    report.detection.neighborhoods.histogram = vec![1; 3];
    report.detection.pages.threshold = f64::MAX;
    report.detection.neighborhoods.mean = f64::NAN;
    for number in report.corpus.problems.skipped.values_mut() {
        *number = u64::MAX;
    }
    let pair = SitePair {
        copier: "a".to_owned(),
        source: "b".to_owned(),
        chunks: u64::MAX,
        pages: u64::MAX,
    };
    report.detection.sites = vec![pair.clone(), pair];
    report.detection.site_pairs = u64::MAX;
    report.detection.rings = u64::MAX;
    let html = render(&report);
    assert!(html.contains("18,446,744,073,709,551,615 pages"));
    assert!(!html.contains("NaN"));
}

#[test]
fn a_deep_and_wide_tree_is_cut() {
    let mut report = data::report();
    let leaf = report.detection.neighborhoods.top[2].clone();
    let node = |prefix: String| Neighborhood {
        prefix,
        ..leaf.clone()
    };
    let deep = (1..=1_000).map(|depth| node("a/".repeat(depth)));
    let wide = (1..60).map(|number| node(format!("{number}.example/")));
    report.detection.neighborhoods.top = deep.chain(wide).collect();
    let html = render(&report);
    assert!(html.contains("and 10 more neighbourhoods"));
    assert!(html.contains("and 1 more neighbourhood<"));
}

#[test]
fn neighborhoods_are_nested_by_prefix() {
    let html = render(&data::report());
    let section = html.split(" id=\"clusters\"").nth(1).expect("the section");
    let worst = section.split("<ul class=\"tree\">").nth(1).expect("a tree");
    // The root is shown first although the neighbourhoods below it are worse.
    assert!(worst.starts_with("<li><details open><summary class=\"row\"><span class=\"name\" title=\"news-mirror.example/\">"));
    for part in [
        "title=\"news-mirror.example/rome/fire/\"><bdi class=\"url\">fire/</bdi>",
        "</svg>94%</span><span class=\"facts\">812 pages \u{b7} 18,907 of 20,114 chunks",
        "class=\"badness\"><svg class=\"bar\"",
        "class=\"badness hot\"><svg class=\"bar\"",
    ] {
        assert!(section.contains(part), "{part}");
    }
}

#[test]
fn skipped_and_damaged_records_are_listed() {
    let mut report = data::report();
    let html = render(&report);
    for part in [
        "2,310 records were skipped. This report says nothing about them. 12,884 files without text are in the corpus, but only compared as a whole.",
        "<td><code>not_text</code></td><td>neither HTML nor text: pictures, films, programs</td><td class=\"number\">12,884</td>",
        "http://photos.example/2019/07/IMG_2231.jpg</bdi><br><bdi class=\"dim\">image/jpeg",
        "2 records are damaged.",
        "crawl-00017.warc.gz</bdi> at byte 88,120,331<br><bdi class=\"dim\">4,096 bytes expected",
    ] {
        assert!(html.contains(part), "{part}");
    }
    assert!(!html.contains("of the corpus is damaged"));
    report.corpus.problems.examples.clear();
    report.corpus.damage = vec![DamagedFile {
        path: "segments/1/pages.parquet".to_owned(),
        detail: "the checksum is wrong".to_owned(),
    }];
    let html = render(&report);
    assert!(
        html.contains("<td><code>not_text</code></td><td></td><td class=\"number\">12,884</td>")
    );
    assert!(html.contains("1 file of the corpus is damaged"));
    assert!(html.contains("the checksum is wrong"));
}

#[test]
fn notes_of_all_stages_are_shown_once() {
    let mut report = data::empty_report();
    report.detection.notes = vec!["The corpus holds no chunk.".to_owned()];
    report.notes = report.detection.notes.clone();
    assert_eq!(
        render(&report)
            .matches("The corpus holds no chunk.")
            .count(),
        1
    );
}

#[test]
fn unknown_numbers_of_a_damaged_corpus_are_left_out() {
    let mut report = data::report();
    (report.corpus.sites, report.corpus.distinct_chunks) = (None, None);
    assert!(render(&report).contains("The corpus has 48,213 pages, cut into 1,204,554 chunks."));
}

#[test]
fn pages_and_links_beyond_the_lists_are_counted() {
    let mut report = data::report();
    (report.detection.pages.own, report.detection.pages.total) = (3, 48_216);
    (report.detection.site_pairs, report.detection.rings) = (5_000, 70);
    let html = render(&report);
    for part in [
        "3 pages are on a site that labels come from",
        "2,343 pages have too few chunks to count",
        "and 4,970 more pairs",
        "and 68 more rings",
        "70 pairs of sites have chunks of each other",
    ] {
        assert!(html.contains(part), "{part}");
    }
    report.detection.sites.truncate(3);
    assert!(render(&report).contains("None of these 70 pairs is among the pairs in this report."));
}

#[test]
fn many_sites_are_cut_to_a_matrix_of_twenty() {
    let html = render(&data::report());
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
