//! Politeness: decides when each host may be asked again and over which connection, and schedules repetitions.

use std::collections::{HashMap, HashSet};

use tokio::time::{Duration, Instant};
use url::Url;

use crate::analyse::Purpose;
use crate::config::CrawlConfig;
use crate::fetch::Connection;
use crate::state::{Rules, State};

/// The time after which an idle connection is closed: servers do the same.
const IDLE_MAX: Duration = Duration::from_secs(30);

/// The state of one host in this run.
struct Host {
    /// The number of running requests.
    busy: usize,
    /// The time from which on the next request may begin.
    ready_at: Instant,
    /// The end of the last request.
    ended_at: Instant,
    /// Open connections, with their origin (scheme, host and port) and the begin of their idle time.
    idle: Vec<(String, Connection, Instant)>,
    /// URLs whose request is to be repeated, with the earliest time.
    repeats: Vec<(Instant, u32)>,
    /// A page that waits for the robots.txt of its host.
    held: Option<u32>,
}

/// All hosts, by their numbers in the frontier.
pub(crate) struct Hosts {
    all: Vec<Host>,
    connections_max: usize,
    active_max: usize,
    obey_robots: bool,
    /// The number of repetitions of each URL.
    attempts: HashMap<u32, u32>,
    /// The URLs of robots.txt files that could not be fetched in this run.
    lost_robots: HashSet<String>,
    /// The host at which the next search begins, so that every host has its turn.
    cursor: usize,
}

/// A request that may be sent now.
pub(crate) struct Job {
    pub(crate) id: u32,
    pub(crate) host: u32,
    pub(crate) url: Url,
    pub(crate) connection: Option<Connection>,
}

impl Hosts {
    pub(crate) fn new(config: &CrawlConfig) -> Hosts {
        Hosts {
            all: Vec::new(),
            connections_max: config.connections_per_host.max(1),
            active_max: config.hosts_at_once.max(1),
            obey_robots: config.obey_robots,
            attempts: HashMap::new(),
            lost_robots: HashSet::new(),
            cursor: 0,
        }
    }

    /// Returns the next request that may be sent now.
    pub(crate) fn next(&mut self, state: &mut State, now: Instant) -> Option<Job> {
        while self.all.len() < state.frontier.hosts() as usize {
            self.all.push(Host {
                busy: 0,
                ready_at: now,
                ended_at: now,
                idle: Vec::new(),
                repeats: Vec::new(),
                held: None,
            });
        }
        let active = self.all.iter().filter(|host| host.busy > 0).count();
        let count = self.all.len();
        for step in 0..count {
            let at = (self.cursor + step) % count;
            let host = &self.all[at];
            let is_free = host.busy < self.connections_max
                && host.ready_at <= now
                && (host.busy > 0 || active < self.active_max);
            if is_free && let Some(id) = self.next_of(at, state, now) {
                self.cursor = at + 1;
                return self.job(at, id, state, now);
            }
        }
        None
    }

    fn job(&mut self, at: usize, id: u32, state: &State, now: Instant) -> Option<Job> {
        let url = Url::parse(&state.frontier.entry(id).url).ok()?;
        let host = &mut self.all[at];
        host.idle
            .retain(|(_, _, since)| now.duration_since(*since) < IDLE_MAX);
        let open = host.idle.iter().position(|(to, ..)| to == origin(&url));
        let connection = open.map(|open| host.idle.swap_remove(open).1);
        host.busy += 1;
        Some(Job {
            id,
            host: at as u32,
            url,
            connection,
        })
    }

    /// Returns the next URL of a host that its robots.txt allows, or the URL of the robots.txt if that is unknown.
    fn next_of(&mut self, at: usize, state: &mut State, now: Instant) -> Option<u32> {
        let host = &mut self.all[at];
        if let Some(due) = host.repeats.iter().position(|(from, _)| *from <= now) {
            return Some(host.repeats.remove(due).1);
        }
        loop {
            let held = self.all[at].held.take();
            let id = held.or_else(|| state.frontier.take_next(at as u32))?;
            let entry = state.frontier.entry(id);
            if entry.purpose != Purpose::Page || !self.obey_robots {
                return Some(id);
            }
            let Ok(url) = Url::parse(&entry.url) else {
                continue;
            };
            let place = match state.rules(&url) {
                Rules::Known(robots) => {
                    if robots.allows(&url[url::Position::BeforePath..url::Position::AfterQuery]) {
                        return Some(id);
                    }
                    state.counts.refused_robots += 1;
                    continue;
                }
                Rules::Ask(place) => place,
            };
            if self.lost_robots.contains(place.as_str()) {
                state.counts.refused_robots += 1;
                continue;
            }
            self.all[at].held = Some(id);
            let robots = state.add_robots(&place);
            // The robots.txt may have been requested already, or may belong to another host, which requests it.
            let is_waiting = state.frontier.is_waiting(robots);
            let is_own = state.frontier.entry(robots).host == at as u32;
            if is_waiting && is_own {
                state.frontier.take(robots);
                return Some(robots);
            }
            return None;
        }
    }

    /// Notes that a request to a host has ended. The next one may begin after `delay`.
    pub(crate) fn finished(
        &mut self,
        host: u32,
        url: &Url,
        connection: Option<Connection>,
        delay: Duration,
    ) {
        let now = Instant::now();
        let host = &mut self.all[host as usize];
        host.busy -= 1;
        host.ended_at = now;
        host.ready_at = host.ready_at.max(now + delay);
        if let Some(connection) = connection {
            host.idle.push((origin(url).to_owned(), connection, now));
        }
    }

    /// Delays the next request until `delay` after the end of the last one.
    pub(crate) fn slow_down(&mut self, host: u32, delay: Duration) {
        let host = &mut self.all[host as usize];
        host.ready_at = host.ready_at.max(host.ended_at + delay);
    }

    /// Returns the number of repetitions of a URL so far.
    pub(crate) fn attempts(&self, id: u32) -> u32 {
        self.attempts.get(&id).copied().unwrap_or(0)
    }

    /// Schedules a repetition after `wait`. With `all`, the whole host waits, because it said that it is overloaded.
    pub(crate) fn repeat(&mut self, host: u32, id: u32, wait: Duration, all: bool) {
        *self.attempts.entry(id).or_default() += 1;
        let from = Instant::now() + wait;
        let host = &mut self.all[host as usize];
        host.repeats.push((from, id));
        if all {
            host.ready_at = host.ready_at.max(from);
        }
    }

    /// Notes that a robots.txt could not be fetched. The pages for which it has rules are not fetched in this run.
    pub(crate) fn lose_robots(&mut self, url: &str) {
        self.lost_robots.insert(url.to_owned());
    }

    /// Returns the earliest time at which a host may be asked again. URLs that wait for an event (a robots.txt, the end
    /// of another request) are not considered.
    pub(crate) fn next_time(&self, state: &State, now: Instant) -> Option<Instant> {
        self.all
            .iter()
            .enumerate()
            .filter_map(|(at, host)| {
                let repeat = host.repeats.iter().map(|(from, _)| *from).min();
                let has_more = host.held.is_some() || state.frontier.waiting_on(at as u32) > 0;
                let soonest = if has_more {
                    Some(host.ready_at)
                } else {
                    repeat.map(|from| from.max(host.ready_at))
                };
                soonest.filter(|time| *time > now && host.busy < self.connections_max)
            })
            .min()
    }

    /// Returns true if any URL is left that was not requested or is to be requested again.
    pub(crate) fn has_work(&self, state: &State) -> bool {
        state.frontier.waiting() > 0 || self.held() > 0
    }

    /// Returns the number of URLs that were taken from the frontier and not fetched.
    pub(crate) fn held(&self) -> u64 {
        self.all
            .iter()
            .map(|host| host.repeats.len() as u64 + u64::from(host.held.is_some()))
            .sum()
    }
}

/// Returns the scheme, host and port of a URL.
fn origin(url: &Url) -> &str {
    &url[..url::Position::BeforePath]
}
