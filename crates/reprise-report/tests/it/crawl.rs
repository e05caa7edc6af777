//! The crawl in the report.

use reprise_report::{CrawlSummary, render};

use crate::data;

#[test]
fn the_sentences_have_the_numbers() {
    let html = render(&data::report());
    for part in [
        "1,702 responses of 48 MB were fetched, 400 of them by earlier runs; 1,480 pages with text were among them.",
        "In addition, there were 118 redirects, 41 errors and 63 files without text.",
        "of the last 300 pages, 1 brought new content. If the remaining pages are like these, at most 1.6% of them",
        "with a confidence of 95%",
        "3,120 URLs were found but not fetched.",
        "No duplicates have these causes: http and https, canonical link.",
        "The same page once more, for printing.",
        "93 of 100",
        "(no name)",
        "town.example/events/#/#/#",
        "no byte for 30 seconds",
        "1,204",
    ] {
        assert!(html.contains(part), "{part}");
    }
}

#[test]
fn the_three_curves_have_tooltips() {
    let html = render(&data::report());
    assert_eq!(html.matches("<polyline class=\"curve ").count(), 3);
    assert!(html.contains("the stop rule</text>"));
    let titles = html.matches("<title>after ").count();
    assert!((80..120).contains(&titles), "{titles}");
    assert!(html.contains("<title>after 1,480 pages: "));
}

#[test]
fn without_a_crawl_there_is_no_section() {
    let mut report = data::report();
    report.crawl = None;
    let html = render(&report);
    assert!(!html.contains("The crawl") && !html.contains("id=\"crawl\""));
}

#[test]
fn an_empty_crawl_is_described() {
    let mut report = data::report();
    report.crawl = Some(CrawlSummary::default());
    let html = render(&report);
    for part in [
        "0 responses of 0 bytes were fetched",
        "No page had new content. The crawl ended when all URLs had been fetched.",
        "No page has text, so there is nothing to plot.",
        "No page is a duplicate of another.",
        "No page was examined for the program that made it.",
        "No URL pattern had many pages and hardly any new content.",
        "Every URL that was found was allowed.",
        "There were no problems.",
    ] {
        assert!(html.contains(part), "{part}");
    }
}

#[test]
fn the_largest_numbers_fit() {
    let mut report = data::report();
    let crawl = report.crawl.as_mut().expect("a crawl");
    crawl.growth = vec![[1, 0, 0, 0], [u64::MAX, u64::MAX, u64::MAX, u64::MAX]];
    (crawl.pages, crawl.unique, crawl.bytes) = (u64::MAX, u64::MAX, u64::MAX);
    crawl.seconds = f64::NAN;
    for row in &mut crawl.causes {
        (row.exact, row.near) = (u64::MAX, u64::MAX);
    }
    for row in &mut crawl.generators {
        (row.pages, row.exact, row.near) = (0, u64::MAX, u64::MAX);
    }
    let stopped = crawl.stopped.as_mut().expect("a reason");
    (stopped.window, stopped.bound, stopped.confidence) = (Some(u64::MAX), f64::NAN, f64::INFINITY);
    let html = render(&report);
    assert!(!html.contains("NaN") && !html.contains("\"inf"));
}

#[test]
fn long_tables_are_cut() {
    let mut report = data::report();
    let crawl = report.crawl.as_mut().expect("a crawl");
    crawl.suspects = vec![crawl.suspects[0].clone(); 33];
    crawl.problems = vec![crawl.problems[0].clone(); 32];
    crawl.generators = vec![crawl.generators[0].clone(); 31];
    crawl.causes = vec![crawl.causes[0].clone(); 44];
    let html = render(&report);
    for part in [
        "and 3 more patterns",
        "and 2 more kinds",
        "and 1 more program",
        "and 4 more causes",
    ] {
        assert!(html.contains(part), "{part}");
    }
}
