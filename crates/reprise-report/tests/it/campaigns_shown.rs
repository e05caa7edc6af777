//! Campaigns in the report.

use reprise_report::render;

use crate::sample;

#[test]
fn the_numbers_are_said_in_words() {
    let html = render(&sample::report());
    for part in [
        "2,804 of 5,120 documents belong to 212 campaigns; the largest has 640.",
        "in a lexicon of 15,000 terms; order",
        "one of 48,210 contexts;",
        "10 lexicons that each lack some terms",
        "With fewer than 20 a document has none.",
        "at least 20% of its phrases in the other",
        "640 documents \u{b7} 588 sites \u{b7} 2004-02-01 to 2004-03-11",
        "2 documents \u{b7} 1 site \u{b7} 2004-02-01<",
        "64 terms in all of them",
        "and 4 more",
        "and 636 more documents",
        "and 210 more campaigns",
    ] {
        assert!(html.contains(part), "{part}");
    }
}

#[test]
fn where_none_were_looked_for_there_is_no_section() {
    let mut report = sample::report();
    report.campaigns = None;
    let html = render(&report);
    assert!(!html.contains("Campaigns") && !html.contains("id=\"campaigns\""));
}

#[test]
fn none_found_is_said() {
    let mut report = sample::report();
    if let Some(campaigns) = &mut report.campaigns {
        campaigns.top.clear();
        (campaigns.clusters, campaigns.in_clusters, campaigns.largest) = (0, 0, 0);
        campaigns.is_own_lexicon = true;
    }
    let html = render(&report);
    assert!(html.contains("so there is no campaign"));
    assert!(html.contains("None: no two documents have a signature in common."));
    assert!(html.contains("chosen from this corpus"));
}
