//! The crawl loop: it starts requests, archives the responses, and learns from them in the order of arrival.
//!
//! The loop and all requests run in one thread. Only documents are analysed on other threads, because that may take
//! long. Requests and analyses report to the loop through one channel, so that only the loop changes the state.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant as Clock;

use reprise_report::{CrawlEnd, CrawlEndReason, CrawlSummary};
use tokio::runtime::Builder;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::spawn_blocking;
use tokio::time::{Duration, Instant, timeout_at};
use url::Url;

use crate::analyse::{Analyser, Analysis, Purpose, payload};
use crate::archive::{self, Archive, Profile};
use crate::config::CrawlConfig;
use crate::error::{CrawlError, FetchError};
use crate::fetch::{Connection, Connector, Exchange, Head, Validators, exchange};
use crate::files;
use crate::hosts::{Hosts, Job};
use crate::observer::{Arrival, Message, Observer};
use crate::replay::Tail;
use crate::resume::{analyse, analyser, resume};
use crate::state::{Outcome, State, Visit};

/// The interval at which the observer is asked whether to stop.
const LOOK: Duration = Duration::from_millis(100);
/// The number of responses that may wait for analysis before the loop stops sending requests. It is small, because
/// the choice of the next URL depends on them.
const UNREAD_FEW: u64 = 4;
/// The time without a finished analysis after which [`UNREAD_MAX`] applies: a slow document must not stop the crawl.
const LONG: Duration = Duration::from_millis(500);
/// The highest number of responses that wait for analysis, and their highest total size.
const UNREAD_MAX: u64 = 64;
const UNREAD_BYTES_MAX: usize = 128 << 20;
/// The number of threads for name look-ups, in addition to those that analyse documents.
const NAME_THREADS: usize = 8;

/// Crawls until no URL is left, the stop rule applies, the limit of pages is reached, or the observer asks to stop.
///
/// - Input: the seeds and the archives of earlier runs in `config.directory`. These are read first, and their URLs are
///   not requested again (unless `config.again` is set).
/// - Output: the archives, and beside them `summary.json` (the returned summary) and `duplicates.jsonl`. These two are
///   not written if no response was fetched.
/// - Errors: invalid options and failures of the file system or the runtime. Problems with servers are not errors;
///   [`CrawlSummary::problems`] counts them.
/// - Memory: grows with the number of URLs, to about a gigabyte for 4 million, the most that are kept. Responses that
///   wait for analysis take at most about 128 MB more.
/// - Threads: requests run in the calling thread, analyses on all cores. The observer is called from the calling
///   thread.
pub fn crawl(config: &CrawlConfig, observer: &dyn Observer) -> Result<CrawlSummary, CrawlError> {
    let start = Clock::now();
    config.check()?;
    let mut state = State::new(config)?;
    let lock = archive::lock(&config.directory)?;
    let analyser = analyser(config);
    let paths = archive::paths(&config.directory);
    let resumed = resume(&paths, &mut state, &analyser, Some(observer), Tail::Cut)?;
    if resumed > 0 {
        observer.message(&Message::Resumed { responses: resumed });
    }
    let mut budget = config.pages_max;
    if config.again {
        budget = budget.saturating_add(state.counts.asked);
        state.ask_again();
    }
    let archive = Archive::open(config, lock)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let runtime = Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(cores + NAME_THREADS)
        .build()
        .map_err(CrawlError::Network)?;
    let connector =
        Connector::new(&config.user_agent, config.allow_private).map_err(CrawlError::Network)?;
    let (sender, events) = unbounded_channel();
    let mut run = Run {
        config,
        observer,
        hosts: Hosts::new(config),
        state,
        archive,
        connector,
        analyser,
        readers: Arc::new(Semaphore::new(cores)),
        sender,
        in_flight: 0,
        arrived: 0,
        applied: 0,
        applied_at: Instant::now(),
        unread: BTreeMap::new(),
        unread_bytes: 0,
        stopped: None,
        has_suggested: false,
        budget,
    };
    let result = runtime.block_on(run.run(events));
    // Do not wait for a name look-up that hangs.
    runtime.shutdown_background();
    result?;
    let mut summary = run.state.into_summary(&config.seeds);
    summary.left += run.hosts.held();
    summary.archives = run.archive.close()?;
    summary.resumed = resumed;
    summary.stopped = run.stopped;
    summary.seconds = start.elapsed().as_secs_f64();
    if summary.fetched > 0 {
        files::write(&config.directory, &summary)?;
    }
    Ok(summary)
}

/// Returns how to archive a page that has not changed since `visit`; `None` if it has changed.
fn unchanged(exchange: &Exchange, visit: &Visit) -> Option<Profile> {
    let is_same = || {
        exchange.truncated.is_none()
            && payload(&exchange.block[exchange.head_bytes..]) == visit.payload
    };
    match exchange.status {
        304 => Some(Profile::NotModified),
        200 if is_same() => Some(Profile::SamePayload),
        _ => None,
    }
}

/// A report to the loop.
enum Event {
    Fetched {
        id: u32,
        host: u32,
        url: Url,
        result: Box<Result<(Exchange, Option<Connection>), FetchError>>,
    },
    Read {
        number: u64,
        read: Box<Read>,
    },
}

/// An analysed response.
struct Read {
    id: u32,
    bytes: u64,
    date: i64,
    analysis: Analysis,
}

struct Run<'a> {
    config: &'a CrawlConfig,
    observer: &'a dyn Observer,
    hosts: Hosts,
    state: State,
    archive: Archive,
    connector: Connector,
    analyser: Analyser,
    readers: Arc<Semaphore>,
    sender: UnboundedSender<Event>,
    /// The number of requests without a response yet.
    in_flight: u64,
    /// The number of responses that arrived, and of those that were learned from.
    arrived: u64,
    applied: u64,
    applied_at: Instant,
    /// Analysed responses that wait until all earlier ones are analysed, by their number of arrival.
    unread: BTreeMap<u64, Box<Read>>,
    /// The size of the responses from which the crawl has not learned yet.
    unread_bytes: usize,
    stopped: Option<CrawlEnd>,
    /// Whether [`Message::WouldStop`] was sent.
    has_suggested: bool,
    /// The highest number of pages to request, including those of earlier runs.
    budget: u64,
}

impl Run<'_> {
    async fn run(&mut self, mut events: UnboundedReceiver<Event>) -> Result<(), CrawlError> {
        loop {
            if self.stopped.is_none() && self.observer.should_stop() {
                self.stopped = Some(self.end(CrawlEndReason::Asked));
            }
            self.start();
            if self.in_flight == 0 && self.arrived == self.applied {
                let has_work = self.hosts.has_work(&self.state);
                if self.stopped.is_some() || !has_work {
                    return Ok(());
                }
                if self.state.counts.asked >= self.budget {
                    self.stopped = Some(self.end(CrawlEndReason::Pages));
                    return Ok(());
                }
            }
            let now = Instant::now();
            let wake = self.hosts.next_time(&self.state, now).unwrap_or(now + LOOK);
            let wake = wake.min(now + LOOK);
            if let Ok(Some(event)) = timeout_at(wake, events.recv()).await {
                self.handle(event)?;
            }
        }
    }

    /// Describes an end of the crawl for this reason.
    fn end(&self, reason: CrawlEndReason) -> CrawlEnd {
        CrawlEnd {
            reason,
            window: None,
            new: None,
            bound: self.config.stop.bound,
            confidence: self.config.stop.confidence,
        }
    }

    fn may_start(&self) -> bool {
        let unread = self.arrived - self.applied;
        let few = if self.applied_at.elapsed() < LONG {
            UNREAD_FEW
        } else {
            UNREAD_MAX
        };
        // A request in flight may be for a robots.txt or sitemap. It counts as a page here, so that the limit of pages
        // is never exceeded.
        self.stopped.is_none()
            && self.state.counts.asked + self.in_flight + unread < self.budget
            && unread < few
            && self.unread_bytes < UNREAD_BYTES_MAX
    }

    /// Starts all requests that the rules of politeness allow now.
    fn start(&mut self) {
        while self.may_start() {
            let Some(Job {
                id,
                host,
                url,
                connection,
            }) = self.hosts.next(&mut self.state, Instant::now())
            else {
                return;
            };
            let visit = self.state.visit(id);
            let validators =
                visit.map_or_else(Validators::default, |visit| visit.validators.clone());
            let (connector, limits, sender) = (
                self.connector.clone(),
                self.config.fetch,
                self.sender.clone(),
            );
            self.in_flight += 1;
            tokio::spawn(async move {
                let result =
                    Box::new(exchange(&connector, &limits, &url, &validators, connection).await);
                // Sending fails only after the crawl has failed and dropped the receiver.
                let _ = sender.send(Event::Fetched {
                    id,
                    host,
                    url,
                    result,
                });
            });
        }
    }

    fn handle(&mut self, event: Event) -> Result<(), CrawlError> {
        match event {
            Event::Fetched {
                id,
                host,
                url,
                result,
            } => {
                self.in_flight -= 1;
                let asked = self
                    .state
                    .robots_delay(&url)
                    .unwrap_or_default()
                    .min(self.config.delay_max);
                let delay = self.config.delay.max(asked);
                match *result {
                    Ok((exchange, connection)) => {
                        self.hosts.finished(host, &url, connection, delay);
                        self.answered(id, host, &url, exchange)?;
                    }
                    Err(error) => {
                        self.hosts.finished(host, &url, None, delay);
                        self.failed(id, host, &url, &error);
                    }
                }
            }
            Event::Read { number, read } => {
                self.unread.insert(number, read);
                while let Some(read) = self.unread.remove(&self.applied) {
                    self.applied += 1;
                    self.applied_at = Instant::now();
                    self.apply(*read);
                }
            }
        }
        Ok(())
    }

    /// Handles a response: schedules a repetition, or archives the response and has it analysed.
    fn answered(
        &mut self,
        id: u32,
        host: u32,
        url: &Url,
        exchange: Exchange,
    ) -> Result<(), CrawlError> {
        let is_robots = self.state.frontier.entry(id).purpose == Purpose::Robots;
        let is_busy = matches!(exchange.status, 429 | 503);
        if is_busy || (500..600).contains(&exchange.status) {
            let asked = Head::parse(&exchange.block).and_then(|head| head.retry_after);
            // If the server asks for a longer pause than allowed, this run does not repeat the request.
            let is_soon = asked.is_none_or(|asked| asked <= self.config.delay_max);
            if is_soon && self.hosts.attempts(id) < self.config.fetch.retries {
                let wait = asked.unwrap_or_else(|| self.back_off(id).min(self.config.delay_max));
                self.hosts.repeat(host, id, wait, is_busy);
                return Ok(());
            }
            if is_robots {
                // The answer is not archived, so that the next run requests the file again.
                self.state.problems.add(
                    "robots_unreachable",
                    url.as_str(),
                    &exchange.status.to_string(),
                );
                self.lose_robots(url);
                return Ok(());
            }
        }
        if let Some(truncated) = exchange.truncated {
            self.state
                .problems
                .add("cut_off", url.as_str(), truncated.as_str());
        }
        if let Some(visit) = self.state.visit(id)
            && let Some(profile) = unchanged(&exchange, visit)
        {
            self.archive
                .append_unchanged(url.as_str(), &exchange, profile, visit.date)?;
            let bytes = exchange.block.len() as u64;
            let outcome = self.state.apply_unchanged(bytes);
            self.tell(id, exchange.status, bytes, &outcome);
            return Ok(());
        }
        self.archive.append(url.as_str(), &exchange)?;
        self.start_analysis(id, url.clone(), exchange);
        Ok(())
    }

    /// Starts the analysis of a response on another thread.
    fn start_analysis(&mut self, id: u32, url: Url, exchange: Exchange) {
        let number = self.arrived;
        self.arrived += 1;
        self.unread_bytes += exchange.block.len();
        let (analyser, sender) = (self.analyser.clone(), self.sender.clone());
        let purpose = self.state.frontier.entry(id).purpose;
        let readers = self.readers.clone();
        let work = move || {
            let analysis = analyse(&analyser, &url, purpose, &exchange.block);
            let read = Box::new(Read {
                id,
                bytes: exchange.block.len() as u64,
                date: exchange.date,
                analysis,
            });
            let _ = sender.send(Event::Read { number, read });
        };
        tokio::spawn(async move {
            // At most one analysis per core, so that threads remain for name look-ups.
            let _reader = readers.acquire().await;
            let _ = spawn_blocking(work).await;
        });
    }

    fn back_off(&self, id: u32) -> Duration {
        self.config.fetch.back_off * 2u32.saturating_pow(self.hosts.attempts(id).min(16))
    }

    /// Handles a request that failed: schedules a repetition, or counts the problem.
    fn failed(&mut self, id: u32, host: u32, url: &Url, error: &FetchError) {
        if error.may_pass() && self.hosts.attempts(id) < self.config.fetch.retries {
            let wait = self.back_off(id).min(self.config.delay_max);
            return self.hosts.repeat(host, id, wait, false);
        }
        self.state
            .problems
            .add(error.name(), url.as_str(), &error.to_string());
        if matches!(error, FetchError::PrivateAddress(_)) {
            self.state.counts.refused_address += 1;
        }
        self.observer.message(&Message::Failed {
            url: url.to_string(),
            kind: error.name().to_owned(),
        });
        if self.state.frontier.entry(id).purpose == Purpose::Robots {
            self.lose_robots(url);
        }
    }

    fn lose_robots(&mut self, url: &Url) {
        self.hosts.lose_robots(url.as_str());
        self.observer.message(&Message::RobotsUnreachable {
            url: url.to_string(),
        });
    }

    /// Learns from a response and applies the stop rule.
    fn apply(&mut self, read: Read) {
        let Read {
            id,
            bytes,
            date,
            analysis,
        } = read;
        self.unread_bytes -= bytes as usize;
        let status = analysis.status;
        let was_suspect = self.state.is_suspect(id);
        let Some(outcome) = self.state.apply(id, analysis, bytes, Some(date)) else {
            // The response may be a robots.txt that asks for pauses. The first pause follows the file itself.
            let entry = self.state.frontier.entry(id);
            let asked = Url::parse(&entry.url)
                .ok()
                .and_then(|url| self.state.robots_delay(&url));
            let delay = asked.unwrap_or_default().min(self.config.delay_max);
            self.hosts.slow_down(entry.host, delay);
            return;
        };
        self.tell(id, status, bytes, &outcome);
        if !was_suspect && self.state.is_suspect(id) {
            let pattern = self
                .state
                .frontier
                .yields
                .name(self.state.frontier.entry(id).pattern);
            self.observer.message(&Message::Suspected {
                pattern: pattern.to_owned(),
            });
        }
        if self.stopped.is_none() && self.state.recent.is_enough() {
            let (new, window) = self.state.recent.counts();
            let end = CrawlEnd {
                window: Some(window as u64),
                new: Some(new as u64),
                ..self.end(CrawlEndReason::NothingNew)
            };
            if self.config.stop.enabled {
                self.stopped = Some(end);
            } else if !self.has_suggested {
                self.has_suggested = true;
                self.observer.message(&Message::WouldStop { end });
            }
        }
    }

    fn tell(&self, id: u32, status: u16, bytes: u64, outcome: &Outcome) {
        let entry = self.state.frontier.entry(id);
        let arrival = Arrival {
            url: &entry.url,
            status,
            verdict: &outcome.verdict,
            cause: outcome.cause,
            depth: entry.depth,
            bytes,
            is_replayed: false,
        };
        self.observer.arrived(&arrival, &self.state.growth);
    }
}
