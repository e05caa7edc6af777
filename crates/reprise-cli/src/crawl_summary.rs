//! The result of a crawl as text.

use std::fmt::Write as _;
use std::path::Path;

use reprise_engine::crawl::{CrawlEndReason, CrawlSummary, upper_bound};

use crate::human;

/// Returns the figures in a few lines.
pub(crate) fn text(summary: &CrawlSummary, corpus: &Path) -> String {
    let mut text = String::new();
    let share = |count: u64| count as f64 / summary.pages.max(1) as f64 * 100.0;
    let _ = writeln!(
        text,
        "{} with text: {} unique ({:.0} %), {} exact and {} near duplicates",
        human::counted(summary.pages, "page"),
        human::count(summary.unique),
        share(summary.unique),
        human::count(summary.exact),
        human::count(summary.near),
    );
    let others: Vec<String> = [
        (summary.trap_pages, "of endless patterns"),
        (summary.redirects, "redirects"),
        (summary.errors, "errors"),
        (summary.not_text, "without text"),
        (summary.unchanged, "unchanged"),
    ]
    .into_iter()
    .filter(|&(count, _)| count > 0)
    .map(|(count, what)| format!("{} {what}", human::count(count)))
    .collect();
    let _ = write!(
        text,
        "{} in {:.1} s, {}",
        human::counted(summary.fetched, "response"),
        summary.seconds,
        human::bytes(summary.bytes),
    );
    if !others.is_empty() {
        let _ = write!(text, "; of them {}", others.join(", "));
    }
    text.push('\n');
    let refused: Vec<String> = [
        (summary.refused.robots, "by robots.txt"),
        (summary.refused.scope, "outside the scope"),
        (summary.refused.address, "of private addresses"),
        (summary.traps, "that are crawler traps"),
    ]
    .into_iter()
    .filter(|&(count, _)| count > 0)
    .map(|(count, what)| format!("{} {what}", human::count(count)))
    .collect();
    if !refused.is_empty() {
        let _ = writeln!(text, "never requested: {}", refused.join(", "));
    }
    causes(summary, &mut text);
    for problem in &summary.problems {
        let line = format!(
            "{} {}, such as {}",
            human::count(problem.count),
            problem.kind,
            problem.url
        );
        let _ = writeln!(text, "problem: {}", human::one_line(&line));
    }
    let _ = writeln!(text, "{}", end(summary));
    let line = format!(
        "now in {}; `reprise report` shows the curves",
        corpus.display()
    );
    let _ = writeln!(text, "{}", human::one_line(&line));
    text
}

/// Adds the causes of duplicates, most frequent first.
fn causes(summary: &CrawlSummary, text: &mut String) {
    let mut rows: Vec<(u64, &str)> = (summary.causes.iter())
        .map(|row| (row.exact + row.near, row.cause.as_str()))
        .filter(|&(count, _)| count > 0)
        .collect();
    rows.sort_by_key(|&(count, _)| std::cmp::Reverse(count));
    if !rows.is_empty() {
        let rows: Vec<String> = (rows.iter())
            .map(|(count, cause)| format!("{cause} {}", human::count(*count)))
            .collect();
        let _ = writeln!(text, "why duplicates: {}", rows.join(", "));
    }
}

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
                "stopped, since only {new} of the latest {window} pages had new content (at most {:.1} % of the rest, if it is like them); {left} left (--no-stop goes on)",
                bound * 100.0
            )
        }
        CrawlEndReason::Pages => format!("stopped at the limit of --pages; {left} left"),
        _ => format!("interrupted; {left} left (run again to go on)"),
    }
}
