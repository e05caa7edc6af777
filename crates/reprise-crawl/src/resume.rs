//! Brings the state of a crawl to where earlier runs left it, by their archives.

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

/// Responses that are looked at side by side.
const BATCH: usize = 64;
/// Most bytes of a batch.
const BATCH_BYTES: usize = 64 << 20;

/// Reads the archives of a directory into `state`; the number of responses.
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
        // Only the last archive can have been written to when a run was killed.
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

/// What earlier runs in a directory found, without any network.
///
/// The settings must be those of the crawl; `directory` of `config` is not looked at.
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

/// How the responses of a crawl are looked at.
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
    /// Responses whose purpose is known, to be looked at together.
    batch: Vec<(u32, Url, Purpose, Archived)>,
    bytes: usize,
    responses: u64,
}

impl Resuming<'_> {
    fn take(&mut self, archived: Archived) {
        let Ok(url) = Url::parse(&archived.url) else {
            return;
        };
        // A response may be what another one in the batch was asked for because of.
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

    /// Looks at the batch on all cores, and takes the results in order.
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

/// Looks at a response; a fault in a library that reads documents is a problem of that document.
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
