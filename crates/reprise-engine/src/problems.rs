//! Problems as results.

use std::collections::BTreeMap;

use reprise_ingest::{Example, Problem, ProblemKind, Tally};
use reprise_report::results::{ProblemExample, Problems};
use reprise_store::{CorpusReader, ProblemSummary};

use crate::error::Error;

/// Kinds that every result lists, also with a count of 0.
const ALWAYS: [ProblemKind; 3] = [
    ProblemKind::Trap,
    ProblemKind::NotText,
    ProblemKind::Malformed,
];

/// Makes a result of a tally.
pub(crate) fn problems_of(tally: &Tally) -> Problems {
    let counts = |is_damage: bool| {
        let always = ALWAYS.into_iter().map(|kind| (kind, 0));
        always
            .chain(tally.iter().map(|(kind, count, _)| (kind, count)))
            .filter(|(kind, _)| kind.is_damage() == is_damage)
            .map(|(kind, count)| (kind.as_str().to_owned(), count))
            .collect()
    };
    Problems {
        skipped: counts(false),
        damaged: counts(true),
        examples: tally
            .iter()
            .map(|(kind, count, example)| ProblemExample {
                kind: kind.as_str().to_owned(),
                meaning: meaning(kind).to_owned(),
                count,
                source: example.source.clone(),
                offset: example.problem.offset,
                url: example.problem.url.clone(),
                detail: example.problem.detail.clone(),
            })
            .collect(),
    }
}

/// Returns the error of a run that found no record that it could use.
pub(crate) fn nothing_read(problems: &Problems) -> Error {
    let detail = match problems.examples.first() {
        None => "the inputs have no files".to_owned(),
        Some(first) => format!("{} ({})", first.detail, first.source),
    };
    Error::NothingRead { detail }
}

/// Returns the problems of a whole corpus.
pub(crate) fn problems_of_corpus(corpus: &CorpusReader) -> Problems {
    let mut all = Tally::default();
    for segment in &corpus.manifest().segments {
        all.merge(tally_of(&segment.problems));
    }
    problems_of(&all)
}

/// Returns the tally of a segment from its summary.
fn tally_of(problems: &BTreeMap<String, ProblemSummary>) -> Tally {
    let mut tally = Tally::default();
    for (name, summary) in problems {
        let Some(kind) = ProblemKind::from_name(name) else {
            continue;
        };
        let mut problem = Problem::new(kind, summary.offset, summary.detail.clone());
        problem.url.clone_from(&summary.url);
        tally.add_many(
            summary.count,
            Example {
                source: summary.source.clone(),
                problem,
            },
        );
    }
    tally
}

/// Returns a kind of problem in words.
fn meaning(kind: ProblemKind) -> &'static str {
    match kind {
        ProblemKind::Trap => "crawler traps",
        ProblemKind::NotText => "files without text (file fingerprint only)",
        ProblemKind::RevisitIdentical => "revisits with the same payload",
        ProblemKind::RevisitNotModified => "revisits: not modified",
        ProblemKind::RevisitOther => "other revisits",
        ProblemKind::Dns => "DNS look-ups",
        ProblemKind::NoUrl => "records without a URL",
        ProblemKind::Malformed => "malformed records",
        ProblemKind::BadRow => "rows that are not pages",
        ProblemKind::HeaderTooLarge => "headers over the limit",
        ProblemKind::TooLarge => "bodies over the limit",
        ProblemKind::Bomb => "bodies that expand too much",
        ProblemKind::Nesting => "bodies with too many encodings",
        ProblemKind::Unreadable => "unreadable files",
        ProblemKind::Truncated => "truncated records",
        ProblemKind::BadLength => "records with a wrong length",
        ProblemKind::BadHeader => "HTTP headers without an end",
        ProblemKind::BadChunking => "broken chunked transfers",
        ProblemKind::BadEncoding => "broken content encodings",
    }
}

#[cfg(test)]
mod tests {
    use reprise_ingest::ProblemKind;
    use reprise_store::COUNTED_ONLY;

    #[test]
    fn verify_knows_the_kinds_without_rows() {
        for kind in ProblemKind::ALL {
            assert_eq!(
                kind.is_listed(),
                !COUNTED_ONLY.contains(&kind.as_str()),
                "{kind}"
            );
        }
    }
}
