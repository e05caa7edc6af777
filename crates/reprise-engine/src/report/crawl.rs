//! Reads the result files of a crawl: `crawl/summary.json` and `crawl/duplicates.jsonl`.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind};
use std::path::Path;

use reprise_report::results::{CrawlDuplicate, CrawlProblem, CrawlSummary};
use serde_json::Value;

/// Duplicates of each cause that a report shows, and most causes.
const EXAMPLES: usize = 3;
const CAUSES: usize = 30;

/// An error of `summary.json`.
#[derive(Debug, thiserror::Error)]
pub(super) enum CrawlFileError {
    #[error("crawl/summary.json: {0}")]
    Read(#[from] io::Error),
    #[error("crawl/summary.json: {0}")]
    Parse(#[from] serde_json::Error),
}

/// Reads the summary of the crawl of a corpus; `None` if the corpus was not crawled.
pub(super) fn read_crawl(corpus: &Path) -> Result<Option<CrawlSummary>, CrawlFileError> {
    let path = corpus.join("crawl").join("summary.json");
    let text = match fs::read(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let mut crawl = parse(&text)?;
    crawl.duplicates = examples(&path.with_file_name("duplicates.jsonl"));
    Ok(Some(crawl))
}

fn parse(text: &[u8]) -> Result<CrawlSummary, serde_json::Error> {
    let mut value: Value = serde_json::from_slice(text)?;
    drop_nulls(&mut value);
    let examples = value.get_mut("problem_examples").map(Value::take);
    let mut summary: CrawlSummary = serde_json::from_value(value)?;
    if let Some(examples) = examples {
        add_examples(&mut summary.problems, examples);
    }
    Ok(summary)
}

/// Adds the examples that older versions wrote beside the problems. If they are damaged, the report goes without.
fn add_examples(problems: &mut [CrawlProblem], examples: Value) {
    let Ok(examples) = serde_json::from_value::<Vec<CrawlProblem>>(examples) else {
        return;
    };
    for problem in problems {
        if let Some(example) = (examples.iter()).find(|example| example.kind == problem.kind) {
            problem.url.clone_from(&example.url);
            problem.detail.clone_from(&example.detail);
        }
    }
}

/// Removes the keys whose value is null: they mean the same as missing keys.
fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            members.values_mut().for_each(drop_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_nulls),
        _ => {}
    }
}

/// Reads the first duplicates of each cause. They only help readers of the report: if the file is missing or a line is
/// damaged, the report goes without.
fn examples(path: &Path) -> Vec<CrawlDuplicate> {
    let Ok(file) = File::open(path) else {
        return Vec::new();
    };
    let mut by_cause: BTreeMap<String, Vec<CrawlDuplicate>> = BTreeMap::new();
    for line in BufReader::new(file).lines().map_while(Result::ok) {
        let Ok(found) = serde_json::from_str::<CrawlDuplicate>(&line) else {
            continue;
        };
        let causes = by_cause.len();
        match by_cause.get_mut(&found.cause) {
            Some(examples) if examples.len() < EXAMPLES => examples.push(found),
            None if causes < CAUSES => {
                by_cause.insert(found.cause.clone(), vec![found]);
            }
            _ => {}
        }
    }
    by_cause.into_values().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::{parse, read_crawl};
    use std::fs;

    #[test]
    fn keys_may_be_missing_unknown_or_null() {
        let crawl = parse(br#"{"pages":7,"moon":[1],"refused":{"robots":2},"stopped":null}"#);
        let crawl = crawl.expect("a summary");
        assert_eq!((crawl.pages, crawl.unique), (7, 0));
        assert_eq!((crawl.refused.robots, crawl.refused.scope), (2, 0));
        assert!(crawl.stopped.is_none());
        let crawl = parse(
            br#"{"growth":[[1,1,0,0]],"stopped":{"reason":"pages","window":null},"seconds":3}"#,
        );
        let crawl = crawl.expect("a summary");
        assert_eq!(crawl.growth, [[1, 1, 0, 0]]);
        let counted = parse(
            br#"{"problems":{"http_404":2,"timeout":1},"problem_examples":[{"kind":"timeout","url":"u","detail":"d"}]}"#,
        );
        let problems = counted.expect("a summary").problems;
        assert_eq!(
            (problems[0].kind.as_str(), problems[0].count),
            ("http_404", 2)
        );
        assert_eq!(
            (problems[1].url.as_str(), problems[1].detail.as_str()),
            ("u", "d")
        );
        assert_eq!(crawl.stopped.map(|stopped| stopped.window), Some(None));
    }

    #[test]
    fn a_corpus_with_or_without_a_crawl() {
        let directory = tempfile::tempdir().expect("a directory");
        let read = || read_crawl(directory.path());
        assert!(read().expect("nothing is fine").is_none());

        let crawl = directory.path().join("crawl");
        fs::create_dir(&crawl).expect("a directory");
        fs::write(crawl.join("summary.json"), "{").expect("a file");
        assert!(
            read()
                .expect_err("no object")
                .to_string()
                .starts_with("crawl/summary.json: EOF")
        );

        fs::write(crawl.join("summary.json"), r#"{"pages":3}"#).expect("a file");
        let line = r#"{"url":"b","of":"a","kind":"near","score":93,"cause":"print"}"#;
        let lines = format!("{line}\n{line}\nnot JSON\n{line}\n{line}\n");
        fs::write(crawl.join("duplicates.jsonl"), lines).expect("a file");
        let found = read().expect("a summary").expect("a crawl");
        assert_eq!((found.pages, found.duplicates.len()), (3, 3));
        assert_eq!(found.duplicates[0].score, 93);
    }
}
