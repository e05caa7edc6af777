//! Campaigns in the report.

use reprise_report::render;

use crate::data;

#[test]
fn the_sentences_have_the_numbers() {
    let html = render(&data::report());
    for part in [
        "2,804 of 5,120 documents belong to 212 campaigns; the largest has 640.",
        "in a lexicon of 15,000 terms. The order",
        "only in one of 48,210 contexts,",
        "10 further lexicons, each without some of the terms",
        "A document with fewer than 20 of these terms has no signature.",
        "if the longer text has at least 20% of the phrases of the shorter one",
        "640 documents \u{b7} 588 sites \u{b7} 2004-02-01 to 2004-03-11",
        "2 documents \u{b7} 1 site \u{b7} 2004-02-01<",
        "All of them have 64 terms in common",
        "and 4 more",
        "and 636 more documents",
        "and 210 more campaigns",
    ] {
        assert!(html.contains(part), "{part}");
    }
}

#[test]
fn a_report_without_campaigns_has_no_section() {
    let mut report = data::report();
    report.campaigns = None;
    let html = render(&report);
    assert!(!html.contains("Campaigns") && !html.contains("id=\"campaigns\""));
}

#[test]
fn a_report_says_that_no_campaign_was_found() {
    let mut report = data::report();
    if let Some(campaigns) = &mut report.campaigns {
        campaigns.top.clear();
        (campaigns.clusters, campaigns.in_clusters, campaigns.largest) = (0, 0, 0);
        campaigns.is_own_lexicon = true;
    }
    let html = render(&report);
    assert!(html.contains("No campaign was found: no two of 5,120 documents"));
    assert!(html.contains("No campaign was found: no two documents have a signature in common."));
    assert!(html.contains("chosen from this corpus"));
}
