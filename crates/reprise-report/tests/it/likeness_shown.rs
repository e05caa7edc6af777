//! Near-copies and phrases in the report.

use reprise_report::{CoverPoint, Report, SitePoint, render};

use crate::sample;

#[test]
fn the_numbers_are_said_in_words() {
    let html = render(&sample::report());
    for part in [
        "12,404 pages (27%) are near-copies, in 2,318 clusters: they share 65% or more of their phrases.",
        "61,233 shingles of five words are on 5 pages or more; 3 sites are stitched together from such phrases of other sites, \
         first of all best-offers-4u.example.",
        "91,204 pairs looked alike in a sample of their phrases and were compared phrase by phrase; 88,790 of them",
        "3,305 of them are on shop-catalogue.example, more than on any other site. 3 pages could not be read again",
        "132 pages · 131 sites · similarity 0.93 in the mean, 0.68 at least",
        "and 3,300 more pages",
        "and 2,314 more clusters",
        "66.4 of 84 shingles popular, ± 5.9 · 93% from other sites",
        "All 68 popular shingles of this page can be had from 23 other pages, 18 of them on other sites.",
        "and 3 more donors",
    ] {
        assert!(html.contains(part), "{part}");
    }
}

#[test]
fn every_value_can_be_hovered() {
    let html = render(&sample::report());
    for title in [
        "31 pages with 71 popular shingles and 1 donor; 0% of these are on other sites",
        "weather.example: 640 pages, 71.0 popular shingles a page in the mean, standard deviation 6.0",
        "casino-guide.example: 1,104 pages, 63.1 popular shingles a page in the mean, standard deviation 7.2; a monster",
    ] {
        assert!(html.contains(&format!("<title>{title}</title>")), "{title}");
    }
    assert!(html.contains(" with 84 popular shingles ("));
    assert!(html.contains(" shingles with 5 pages</title>"));
}

#[test]
fn a_corpus_without_shingles_says_how_to_get_them() {
    let mut report = sample::report();
    (report.near, report.phrases) = (None, None);
    let html = render(&report);
    assert!(html.contains(
        "Near-copies were not looked for: the corpus has no shingles. Index it with --shingles"
    ));
    assert!(html.contains(
        "Shared phrases were not looked for: the corpus has no shingles. Index it with --shingles"
    ));
    assert!(!html.contains("removable pages"));
}

#[test]
fn nothing_found_is_said() {
    let mut report = sample::report();
    clear(&mut report);
    let html = render(&report);
    for part in [
        "No page is a near-copy of another: no two share 65% of their phrases.",
        "Near-copies aside, no five-word phrase was drawn from 5 pages or more.",
        "None: no page shares 65% of its phrases with another.",
        "No shingle is popular: none is on 5 pages or more.",
        "No page has a phrase, so there is nothing to plot.",
        "No page shares 30 or more popular shingles with others",
        "No site with ten pages or more has 30 popular shingles a page in the mean.",
        "No site is a monster:",
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
    phrases.popular = 0;
    phrases.occurrences.clear();
    phrases.per_document.clear();
    phrases.top.clear();
    phrases.covers.clear();
    phrases.sites.clear();
    phrases.monsters.clear();
}

#[test]
fn the_largest_numbers_fit() {
    let mut report = sample::report();
    let near = report.near.as_mut().expect("near-copies");
    (near.clusters, near.candidates, near.largest) = (u64::MAX, u64::MAX, u64::MAX);
    (near.similarity, near.expected_recall) = (f64::NAN, f64::INFINITY);
    near.top[0].pages = u64::MAX;
    let phrases = report.phrases.as_mut().expect("phrases");
    phrases.min_documents = u32::MAX;
    phrases.occurrences = vec![(0, 1), (u32::MAX, u64::MAX)];
    phrases.per_document = vec![(255, u64::MAX), (84, u64::MAX), (0, 1)];
    phrases.covers = vec![
        CoverPoint {
            popular: u32::MAX,
            donors: u32::MAX,
            pages: u64::MAX,
            foreign_share: f64::NAN,
        },
        CoverPoint {
            popular: 0,
            donors: 0,
            pages: 1,
            foreign_share: f64::MAX,
        },
    ];
    phrases.sites = vec![
        SitePoint {
            site: String::new(),
            pages: u64::MAX,
            mean: f64::NAN,
            stddev: f64::NAN,
            is_monster: true,
        },
        SitePoint {
            site: "b".to_owned(),
            pages: 0,
            mean: f64::INFINITY,
            stddev: f64::INFINITY,
            is_monster: true,
        },
    ];
    phrases.monsters[0].mean = f64::NAN;
    let html = render(&report);
    assert!(!html.contains("NaN") && !html.contains("\"inf"));
    assert!(html.contains("(no site): 18,446,744,073,709,551,615 pages"));
}

#[test]
fn many_sites_are_cut() {
    let mut report = sample::report();
    let phrases = report.phrases.as_mut().expect("phrases");
    let site = phrases.sites[3].clone();
    phrases.sites = vec![site; 520];
    phrases.monsters = vec![phrases.monsters[2].clone(); 53];
    let html = render(&report);
    assert_eq!(html.matches("<title>weather.example: ").count(), 500);
    assert!(html.contains("and 20 more sites"));
    assert!(html.contains("and 3 more monsters"));
}
