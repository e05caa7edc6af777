//! Restores the state of a crawl from the archives of earlier runs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::thread;

use reprise_report::CrawlSummary;
use url::Url;

use crate::analyse::{Analyser, Analysis, Content, Purpose, payload};
use crate::archive;
use crate::config::CrawlConfig;
use crate::error::CrawlError;
use crate::fetch::{Head, Validators};
use crate::observer::{Arrival, Observer};
use crate::replay::{Archived, Tail, responses};
use crate::state::State;

/// The number of responses that are analysed in parallel.
const BATCH: usize = 64;
/// The most bytes of such a batch.
const BATCH_BYTES: usize = 64 << 20;

/// Applies the responses of the archives to `state`. Returns their number.
pub(crate) fn resume(
    paths: &[PathBuf],
    state: &mut State,
    analyser: &Analyser,
    observer: Option<&dyn Observer>,
    tail: Tail,
) -> Result<u64, CrawlError> {
    let mut resuming = Resuming {
        state,
        analyser,
        observer,
        batch: Vec::new(),
        bytes: 0,
        responses: 0,
    };
    for (at, path) in paths.iter().enumerate() {
        // A killed run can only have been writing to the last archive.
        let tail = if at + 1 == paths.len() {
            tail
        } else {
            Tail::Keep
        };
        responses(path, tail, &mut |archived| resuming.take(archived))?;
    }
    resuming.flush();
    Ok(resuming.responses)
}

/// Returns the summary of earlier runs from their archives, without any request.
///
/// The options must be those of the crawl. `config.directory` is ignored.
pub fn summary_of(
    directory: &std::path::Path,
    config: &CrawlConfig,
) -> Result<CrawlSummary, CrawlError> {
    let mut state = State::new(config)?;
    let paths = archive::paths(directory);
    let resumed = resume(&paths, &mut state, &analyser(config), None, Tail::Keep)?;
    let mut summary = state.into_summary(&config.seeds);
    summary.archives = paths;
    summary.resumed = resumed;
    Ok(summary)
}

/// Returns the analyser for the responses of a crawl.
pub(crate) fn analyser(config: &CrawlConfig) -> Analyser {
    let name = config
        .user_agent
        .split(['/', ' ', '('])
        .next()
        .unwrap_or_default();
    Analyser {
        limits: config.limits,
        converter: config.converter.clone(),
        name: name.to_owned(),
    }
}

struct Resuming<'a> {
    state: &'a mut State,
    analyser: &'a Analyser,
    observer: Option<&'a dyn Observer>,
    /// Responses to be analysed together.
    batch: Vec<(u32, Url, Purpose, Archived)>,
    bytes: usize,
    responses: u64,
}

impl Resuming<'_> {
    fn take(&mut self, archived: Archived) {
        let Ok(url) = Url::parse(&archived.url) else {
            return;
        };
        // A URL that is not known yet may have been found on a page of the batch, which determines its depth and
        // purpose. So apply the batch first.
        if self.state.frontier.id(url.as_str()).is_none()
            || self.batch.len() >= BATCH
            || self.bytes >= BATCH_BYTES
        {
            self.flush();
        }
        let id = self.state.id_of_archived(&url);
        self.state.frontier.take(id);
        self.bytes += archived.block.len();
        self.batch
            .push((id, url, self.state.frontier.entry(id).purpose, archived));
    }

    /// Analyses the batch on all cores and applies the results in order.
    fn flush(&mut self) {
        let batch = std::mem::take(&mut self.batch);
        self.bytes = 0;
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let share = batch.len().div_ceil(threads).max(1);
        let analyser = self.analyser;
        let results: Vec<Analysis> = thread::scope(|scope| {
            let workers: Vec<_> = batch
                .chunks(share)
                .map(|part| {
                    scope.spawn(move || {
                        part.iter()
                            .map(|(_, url, purpose, archived)| {
                                analyse(analyser, url, *purpose, &archived.block)
                            })
                            .collect::<Vec<_>>()
                    })
                })
                .collect();
            workers
                .into_iter()
                .flat_map(|worker| worker.join().expect("panics are caught"))
                .collect()
        });
        for ((id, _, _, archived), analysis) in batch.into_iter().zip(results) {
            self.apply(id, &archived, analysis);
        }
    }

    fn apply(&mut self, id: u32, archived: &Archived, analysis: Analysis) {
        self.responses += 1;
        let bytes = archived.block.len() as u64;
        let status = analysis.status;
        if archived.is_truncated {
            self.state.problems.add("cut_off", &archived.url, "");
        }
        let outcome = if archived.is_revisit {
            Some(self.state.apply_unchanged(bytes))
        } else {
            self.state.apply(id, analysis, bytes, archived.date)
        };
        if let (Some(outcome), Some(observer)) = (outcome, self.observer) {
            let arrival = Arrival {
                url: &archived.url,
                status,
                verdict: &outcome.verdict,
                cause: outcome.cause,
                depth: self.state.frontier.entry(id).depth,
                bytes,
                is_replayed: true,
            };
            observer.arrived(&arrival, &self.state.growth);
        }
    }
}

/// Analyses a response. A panic in a library that reads documents is counted as a problem of the document.
pub(crate) fn analyse(analyser: &Analyser, url: &Url, purpose: Purpose, block: &[u8]) -> Analysis {
    catch_unwind(AssertUnwindSafe(|| analyser.analyse(url, purpose, block))).unwrap_or_else(|_| {
        Analysis {
            status: Head::parse(block).map_or(0, |head| head.status),
            redirect: None,
            validators: Validators::default(),
            payload: payload(&[]),
            problems: vec![(
                "panic".to_owned(),
                "the document could not be read".to_owned(),
            )],
            content: Content::NotText,
        }
    })
}
