//! Compares every answer with the expected counts.

use std::collections::BTreeMap;
use std::fmt::Debug;

use reprise_engine::{ChunkForm, HashKind};

use crate::data::Expected;
use crate::indexing::{Index, IndexAnswer};
use crate::inflate::InflateAnswer;
use crate::peers::PeerAnswer;

/// The wrong answers.
#[derive(Default)]
pub(crate) struct Wrong {
    /// One message per wrong answer, without repeats.
    messages: Vec<String>,
    /// The hash of the first corpus with the default settings. All others must have the same.
    identity: Option<String>,
}

impl Wrong {
    pub(crate) fn into_messages(self) -> Vec<String> {
        self.messages
    }

    pub(crate) fn inflate(&mut self, step: &str, answer: &InflateAnswer, expected: &Expected) {
        self.equal(step, "gzip members", &answer.members, &expected.members);
        self.equal(
            step,
            "bytes inflated",
            &answer.bytes,
            &expected.member_bytes,
        );
    }

    pub(crate) fn index(
        &mut self,
        step: &str,
        settings: &Index,
        answer: &IndexAnswer,
        expected: &Expected,
    ) {
        let chunks = match settings.chunk {
            ChunkForm::Markup => &expected.markup,
            ChunkForm::Text => &expected.text,
        };
        let sum = match settings.hash {
            HashKind::Sha256 => chunks.sum_sha256,
            HashKind::Sha1 => chunks.sum_sha1,
        };
        self.equal(step, "pages", &answer.pages, &expected.pages);
        self.equal(step, "body bytes", &answer.body_bytes, &expected.body_bytes);
        self.equal(step, "chunks", &answer.chunks, &chunks.chunks);
        self.equal(step, "distinct chunks", &answer.distinct, &chunks.distinct);
        self.equal(step, "sum of fingerprints", &answer.sum, &sum);
        let traps = answer.problems.get("trap").copied().unwrap_or(0);
        self.equal(step, "crawler traps", &traps, &expected.traps);
        self.equal(
            step,
            "damaged records",
            &damaged(&answer.problems),
            &BTreeMap::new(),
        );
        self.equal(step, "damage of the corpus", &answer.damage, &Vec::new());
        if settings.chunk == ChunkForm::Markup && settings.hash == HashKind::Sha256 {
            let first = self.identity.get_or_insert_with(|| answer.identity.clone());
            let first = first.clone();
            self.equal(step, "identity of the corpus", &answer.identity, &first);
        }
    }

    /// Checks that another program has read the same pages. Its chunks follow other rules.
    pub(crate) fn peer(
        &mut self,
        step: &str,
        answer: &PeerAnswer,
        pages: u64,
        expected: &Expected,
    ) {
        self.equal(step, "pages", &answer.pages, &pages);
        if pages == expected.pages {
            self.equal(step, "body bytes", &answer.body_bytes, &expected.body_bytes);
        }
    }

    fn equal<T: PartialEq + Debug>(&mut self, step: &str, what: &str, found: &T, expected: &T) {
        if found != expected {
            let message = format!("{step}: {what}: {found:?} instead of {expected:?}");
            if !self.messages.contains(&message) {
                self.messages.push(message);
            }
        }
    }
}

/// Returns the problems that the archives do not have by design.
fn damaged(problems: &BTreeMap<String, u64>) -> BTreeMap<String, u64> {
    let by_design = ["trap", "not_text", "dns"];
    let problems = problems
        .iter()
        .filter(|(kind, _)| !by_design.contains(&kind.as_str()) && !kind.starts_with("revisit_"));
    problems
        .map(|(kind, count)| (kind.clone(), *count))
        .collect()
}
