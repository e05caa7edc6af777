//! Counts the problems of a crawl.

use std::collections::BTreeMap;

use reprise_report::CrawlProblem;

/// The problems so far, by kind. Each kind keeps its first example.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problems(BTreeMap<String, CrawlProblem>);

impl Problems {
    pub(crate) fn add(&mut self, kind: &str, url: &str, detail: &str) {
        if let Some(problem) = self.0.get_mut(kind) {
            problem.count += 1;
            return;
        }
        let problem = CrawlProblem {
            kind: kind.to_owned(),
            count: 1,
            url: url.to_owned(),
            detail: detail.to_owned(),
        };
        self.0.insert(kind.to_owned(), problem);
    }

    /// Returns the problems, ordered by kind.
    pub(crate) fn into_list(self) -> Vec<CrawlProblem> {
        self.0.into_values().collect()
    }
}
