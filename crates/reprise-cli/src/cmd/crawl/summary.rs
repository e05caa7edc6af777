//! The result of a crawl as text.

use std::cmp::Reverse;
use std::fmt::Write as _;
use std::path::Path;

use reprise_engine::crawler::upper_bound;
use reprise_engine::results::{CrawlEndReason, CrawlSummary};

use crate::human;

/// Returns the figures in a few lines.
pub(super) fn text(summary: &CrawlSummary, corpus: &Path) -> String {
    let share = summary.unique as f64 / summary.pages.max(1) as f64;
    let mut text = format!(
        "{} with text: {} unique ({}), {} exact and {} near duplicates\n",
        human::counted(summary.pages, "page"),
        human::count(summary.unique),
        human::percent(share),
        human::count(summary.exact),
        human::count(summary.near),
    );
    let others = counts(&[
        (summary.trap_pages, "of endless patterns"),
        (summary.redirects, "redirected"),
        (summary.errors, "with an error"),
        (summary.not_text, "without text"),
        (summary.unchanged, "unchanged"),
    ]);
    let _ = writeln!(
        text,
        "{} in {}, {}{}",
        human::counted(summary.fetched, "response"),
        human::seconds(summary.seconds),
        human::bytes(summary.bytes),
        others.map_or(String::new(), |others| format!("; of these {others}")),
    );
    let refused = counts(&[
        (summary.refused.robots, "forbidden by robots.txt"),
        (summary.refused.scope, "outside the scope"),
        (summary.refused.address, "at private addresses"),
        (summary.traps, "in crawler traps"),
    ]);
    if let Some(refused) = refused {
        let _ = writeln!(text, "URLs never requested: {refused}");
    }
    if let Some(causes) = causes(summary) {
        let _ = writeln!(text, "causes of duplicates: {causes}");
    }
    for problem in &summary.problems {
        let line = format!(
            "problem: {} {}, for example {}",
            human::count(problem.count),
            problem.kind,
            problem.url
        );
        let _ = writeln!(text, "{}", human::one_line(&line));
    }
    let _ = writeln!(text, "{}", end(summary));
    let line = format!(
        "the pages are in the corpus {}; `reprise report` shows the curves",
        corpus.display()
    );
    text + &human::one_line(&line) + "\n"
}

/// Returns the counts that are not 0, or `None` if all are.
fn counts(counts: &[(u64, &str)]) -> Option<String> {
    let parts: Vec<String> = (counts.iter())
        .filter(|(count, _)| *count > 0)
        .map(|(count, meaning)| format!("{} {meaning}", human::count(*count)))
        .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Returns the causes of duplicates, most frequent first.
fn causes(summary: &CrawlSummary) -> Option<String> {
    let mut rows: Vec<(u64, &str)> = (summary.causes.iter())
        .map(|row| (row.exact + row.near, row.cause.as_str()))
        .filter(|(count, _)| *count > 0)
        .collect();
    rows.sort_by_key(|&(count, _)| Reverse(count));
    let parts: Vec<String> = (rows.iter())
        .map(|(count, cause)| format!("{cause} ({})", human::count(*count)))
        .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Returns why the crawl ended.
fn end(summary: &CrawlSummary) -> String {
    let left = human::counted(summary.left, "URL");
    let Some(end) = &summary.stopped else {
        return "all URLs that were found were fetched".to_owned();
    };
    match end.reason {
        CrawlEndReason::NothingNew => {
            let (new, window) = (end.new.unwrap_or(0), end.window.unwrap_or(0));
            let bound = upper_bound(new as usize, window as usize, end.confidence);
            format!(
                "stopped: {} of the latest {} had new content; if the other pages are like these, at most {} of them are \
                 new; {left} left, which --no-stop fetches too",
                human::count(new),
                human::counted(window, "page"),
                human::percent(bound)
            )
        }
        CrawlEndReason::Pages => format!("stopped at the limit of --pages; {left} left"),
        _ => format!("interrupted; {left} left; run the command again to continue"),
    }
}
