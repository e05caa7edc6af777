//! Near-copies and phrases in the report.

use reprise_report::{CoverPoint, LinkKind, NearMethod, Report, SitePhrases, render};

use crate::data;

#[test]
fn the_sentences_have_the_numbers() {
    let html = render(&data::report());
    for part in [
        "12,404 of 46,020 compared pages (27%) are near-copies, in 2,318 clusters. Two pages are near-copies if they share at least 65% of their five-word phrases.",
        "If one page of each cluster is kept, 10,086 pages can be removed.",
        "61,233 shingles of five words are on 5 pages or more. 3 sites are stitched together from such phrases of other sites; \
         the first of them is best-offers-4u.example.",
        "91,204 pairs were similar in a sample and were compared phrase by phrase; 88,790 of them are near-copies.",
        "becomes a candidate with a probability of 98%",
        "2,193 pages have no words and were left out.",
        "3,305 of them are on shop-catalogue.example, more than on any other site. \
         3 pages could not be read back (the archive has changed since it was indexed) and are in no cluster.",
        "132 pages · 131 sites · mean similarity 93%, lowest 68%",
        "and 3,300 more pages",
        "and 2,314 more clusters",
        "66.4 of 84 shingles popular, ± 5.9 · 93% on other sites",
        "23 other pages together have 66 of the 68 popular shingles of this page. 18 of these sources are on other sites.",
        "and 3 more sources",
        "The words of 4 popular shingles could not be read back.",
    ] {
        assert!(html.contains(part), "{part}");
    }
}

#[test]
fn every_value_can_be_hovered() {
    let html = render(&data::report());
    for title in [
        "31 pages with 71 popular shingles and 1 source; 0% of the shingles are on other sites",
        "weather.example: 640 pages, mean 71.0 popular shingles per page, standard deviation 6.0",
        "casino-guide.example: 1,104 pages, mean 63.1 popular shingles per page, standard deviation 7.2; a stitched site",
    ] {
        assert!(html.contains(&format!("<title>{title}</title>")), "{title}");
    }
    assert!(
        !html.contains("<title>few-pages.example") && !html.contains("<title>few-shingles.example")
    );
    assert!(html.contains(" with 84 popular shingles ("));
    assert!(html.contains(" shingles with 5 pages</title>"));
}

#[test]
fn a_corpus_without_shingles_says_how_to_get_them() {
    let mut report = data::report();
    (report.near, report.phrases) = (None, None);
    let html = render(&report);
    assert!(html.contains(
        "Near-copies were not looked for: the corpus has no shingles. Index the archives with shingles"
    ));
    assert!(html.contains(
        "Shared phrases were not looked for: the corpus has no shingles. Index the archives with shingles"
    ));
    assert!(!html.contains("removable pages"));
}

#[test]
fn a_report_without_findings_gives_reasons() {
    let mut report = data::report();
    clear(&mut report);
    let html = render(&report);
    for part in [
        "No page is a near-copy of another. Two pages are near-copies if they share at least 65% of their five-word phrases.",
        "Near-copies excluded, no shingle of five words is on 5 pages or more.",
        "No cluster was found. Two pages are near-copies if they share at least 65%",
        "No shingle is popular: none is on 5 pages or more.",
        "No page has a phrase, so there is nothing to plot.",
        "No page has 30 or more popular shingles, so no sources were looked for.",
        "No site with 10 pages or more has a mean of 30 or more popular shingles per page.",
        "No stitched site was found:",
    ] {
        assert!(html.contains(part), "{part}");
    }
    report.near.as_mut().expect("near-copies").documents = 0;
    assert!(render(&report).contains("No page has words, so there is nothing to compare."));
}

fn clear(report: &mut Report) {
    let near = report.near.as_mut().expect("near-copies");
    (near.clusters, near.in_clusters, near.removable) = (0, 0, 0);
    near.top.clear();
    let phrases = report.phrases.as_mut().expect("phrases");
    let popular = &mut phrases.popular;
    popular.popular = 0;
    popular.occurrences.clear();
    popular.per_document.clear();
    popular.top.clear();
    phrases.covers.clear();
    phrases.sites.clear();
}

#[test]
fn the_largest_numbers_fit() {
    let mut report = data::report();
    let near = report.near.as_mut().expect("near-copies");
    (near.clusters, near.candidates, near.largest) = (u64::MAX, u64::MAX, u64::MAX);
    (near.similarity, near.expected_recall) = (Some(f64::NAN), Some(f64::INFINITY));
    near.top[0].pages = u64::MAX;
    let phrases = report.phrases.as_mut().expect("phrases");
    let popular = &mut phrases.popular;
    popular.min_documents = u32::MAX;
    popular.occurrences = vec![(0, 1), (u32::MAX, u64::MAX)];
    popular.per_document = vec![(255, u64::MAX), (84, u64::MAX), (0, 1)];
    phrases.covers = vec![
        CoverPoint {
            popular: u32::MAX,
            sources: u32::MAX,
            pages: u64::MAX,
            foreign_share: f64::NAN,
        },
        CoverPoint {
            popular: 0,
            sources: 0,
            pages: 1,
            foreign_share: f64::MAX,
        },
    ];
    let site = |name: &str, mean, stddev| SitePhrases {
        site: name.to_owned(),
        pages: u64::MAX,
        mean,
        stddev,
        ..phrases.sites[0].clone()
    };
    phrases.sites = vec![
        site("", f64::INFINITY, f64::NAN),
        site("b", f64::MAX, f64::INFINITY),
        site("c", f64::NAN, f64::NAN),
    ];
    let html = render(&report);
    assert!(!html.contains("NaN") && !html.contains("\"inf"));
    assert!(html.contains("(no site): 18,446,744,073,709,551,615 pages"));
}

#[test]
fn many_sites_are_cut() {
    let mut report = data::report();
    let phrases = report.phrases.as_mut().expect("phrases");
    let site = phrases.sites[3].clone();
    let stitched = phrases.sites[2].clone();
    phrases.sites = vec![site; 467];
    phrases.sites.extend(vec![stitched; 53]);
    let html = render(&report);
    assert_eq!(html.matches("<title>weather.example: ").count(), 447);
    assert_eq!(
        html.matches("<title>the-encyclopedia-of-everything-and-more.example: ")
            .count(),
        53
    );
    assert!(html.contains("and 20 more sites"));
    assert!(html.contains("and 3 more stitched sites"));
}

#[test]
fn each_method_has_its_condition() {
    let mut report = data::report();
    for (method, part) in [
        (
            NearMethod::Fuzzy,
            "the fuzzy hashes of their texts have a score of at least 90 of 100",
        ),
        (
            NearMethod::Imatch,
            "they have a signature in common and the longer text has at least 20% of the phrases of the shorter one",
        ),
        (
            NearMethod::Exact,
            "they are the same file or have the same words",
        ),
    ] {
        let near = report.near.as_mut().expect("near-copies");
        near.method = method;
        (near.similarity, near.score, near.shared) = (None, Some(90), Some(0.2));
        let html = render(&report);
        assert!(
            html.contains(&format!(
                "Two pages are near-copies if {part}. 46,020 pages were compared."
            )),
            "{part}"
        );
    }
    let near = report.near.as_mut().expect("near-copies");
    (near.method, near.link) = (NearMethod::Shingle, LinkKind::Closure);
    assert!(render(&report).contains("which were not compared phrase by phrase"));
}
