//! What a crawl found: as text, as JSON, and as the files that stay beside its archives.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;
use reprise_engine::crawl::{CrawlConfig, CrawlSummary, DuplicateRow, StopReason};
use serde::Serialize;

use crate::human;

/// The figures, as `--json` prints them and `summary.json` keeps them.
#[derive(Serialize)]
pub(crate) struct Json<'a> {
    seeds: &'a [String],
    pages: u64,
    fetched: u64,
    unique: u64,
    exact: u64,
    near: u64,
    trap_pages: u64,
    redirects: u64,
    errors: u64,
    not_text: u64,
    unchanged: u64,
    traps: u64,
    refused: JsonRefused,
    problems: BTreeMap<&'a str, u64>,
    problem_examples: Vec<JsonExample<'a>>,
    growth: Vec<[u64; 4]>,
    causes: Vec<JsonCause>,
    generators: Vec<JsonGenerator<'a>>,
    suspects: Vec<JsonSuspect<'a>>,
    stopped: Option<JsonStop>,
    left: u64,
    archives: &'a [PathBuf],
    resumed: u64,
    bytes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct JsonRefused {
    robots: u64,
    scope: u64,
    address: u64,
}

#[derive(Serialize)]
struct JsonExample<'a> {
    kind: &'a str,
    url: &'a str,
    detail: &'a str,
}

#[derive(Serialize)]
struct JsonCause {
    cause: &'static str,
    exact: u64,
    near: u64,
}

#[derive(Serialize)]
struct JsonGenerator<'a> {
    generator: &'a str,
    pages: u64,
    unique: u64,
    exact: u64,
    near: u64,
}

#[derive(Serialize)]
struct JsonSuspect<'a> {
    pattern: &'a str,
    fetched: u64,
    new: u64,
}

#[derive(Serialize)]
struct JsonStop {
    reason: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    window: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<usize>,
    bound: f64,
    confidence: f64,
}

#[derive(Serialize)]
struct JsonDuplicate<'a> {
    url: &'a str,
    of: &'a str,
    kind: &'static str,
    score: u8,
    cause: &'static str,
}

impl<'a> Json<'a> {
    pub(crate) fn of(summary: &'a CrawlSummary, config: &'a CrawlConfig) -> Json<'a> {
        let points = summary.growth.points();
        Json {
            seeds: &config.seeds,
            pages: summary.pages,
            fetched: summary.fetched,
            unique: summary.unique,
            exact: summary.exact,
            near: summary.near,
            trap_pages: summary.trap_pages,
            redirects: summary.redirects,
            errors: summary.errors,
            not_text: summary.not_text,
            unchanged: summary.unchanged,
            traps: summary.traps,
            refused: JsonRefused {
                robots: summary.refused_robots,
                scope: summary.refused_scope,
                address: summary.refused_address,
            },
            problems: (summary.problems.iter())
                .map(|problem| (problem.kind.as_str(), problem.count))
                .collect(),
            problem_examples: (summary.problems.iter())
                .map(|problem| JsonExample {
                    kind: &problem.kind,
                    url: &problem.url,
                    detail: &problem.detail,
                })
                .collect(),
            growth: (points.iter())
                .map(|point| [point.pages, point.unique, point.exact, point.near])
                .collect(),
            causes: (summary.causes.iter())
                .map(|row| JsonCause {
                    cause: row.cause.as_str(),
                    exact: row.exact,
                    near: row.near,
                })
                .collect(),
            generators: (summary.generators.iter())
                .map(|row| JsonGenerator {
                    generator: &row.generator,
                    pages: row.pages,
                    unique: row.unique,
                    exact: row.exact,
                    near: row.near,
                })
                .collect(),
            suspects: (summary.suspects.iter())
                .map(|suspect| JsonSuspect {
                    pattern: &suspect.pattern,
                    fetched: suspect.fetched,
                    new: suspect.new,
                })
                .collect(),
            stopped: summary.stopped.map(|reason| stop(reason, config)),
            left: summary.left,
            archives: &summary.archives,
            resumed: summary.resumed,
            bytes: summary.bytes,
            seconds: summary.seconds,
        }
    }
}

fn stop(reason: StopReason, config: &CrawlConfig) -> JsonStop {
    let (reason, window, new) = match reason {
        StopReason::NothingNew { new, window, .. } => ("nothing-new", Some(window), Some(new)),
        StopReason::Pages => ("pages", None, None),
        _ => ("asked", None, None),
    };
    JsonStop {
        reason,
        window,
        new,
        bound: config.stop.bound,
        confidence: config.stop.confidence,
    }
}

/// Writes `summary.json` and `duplicates.jsonl`, aside first.
pub(crate) fn write(
    directory: &Path,
    json: &Json<'_>,
    duplicates: &[DuplicateRow],
) -> anyhow::Result<()> {
    let mut lines = Vec::new();
    for row in duplicates {
        let row = JsonDuplicate {
            url: &row.url,
            of: &row.of,
            kind: row.kind.as_str(),
            score: row.score,
            cause: row.cause.as_str(),
        };
        serde_json::to_writer(&mut lines, &row)?;
        lines.push(b'\n');
    }
    replace(&directory.join("duplicates.jsonl"), &lines)?;
    replace(&directory.join("summary.json"), &serde_json::to_vec(json)?)
}

fn replace(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let aside = path.with_extension("new");
    let write = || {
        let mut file = fs::File::create(&aside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&aside, path)
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// What was found, in a few lines.
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
        (summary.refused_robots, "by robots.txt"),
        (summary.refused_scope, "outside the scope"),
        (summary.refused_address, "of private addresses"),
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

/// Why there are duplicates, most frequent first.
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
    match summary.stopped {
        None => "all URLs that were found were fetched".to_owned(),
        Some(StopReason::NothingNew { new, window, bound }) => format!(
            "stopped, since only {new} of the latest {window} pages had new content (at most {:.1} % of the rest, if it is like them); {left} left (--no-stop goes on)",
            bound * 100.0
        ),
        Some(StopReason::Pages) => format!("stopped at the limit of --pages; {left} left"),
        Some(_) => format!("interrupted; {left} left (run again to go on)"),
    }
}
