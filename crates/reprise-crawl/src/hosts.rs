//! Politeness: when each host may be asked again, over which connection, and what has to be repeated.

use std::collections::{HashMap, HashSet};

use tokio::time::{Duration, Instant};
use url::Url;

use crate::analyse::Purpose;
use crate::config::CrawlConfig;
use crate::fetch::Connection;
use crate::state::{Rules, State};

/// Idle connections older than this are closed: servers close them too.
const IDLE_MAX: Duration = Duration::from_secs(30);

/// The state of one host in this run.
struct Host {
    busy: usize,
    ready_at: Instant,
    /// When the last request ended.
    ended_at: Instant,
    /// Open connections by scheme, host and port, and since when they idle.
    idle: Vec<(String, Connection, Instant)>,
    /// URLs to be asked for again, and from when on.
    repeats: Vec<(Instant, u32)>,
    /// A page that waits for its robots.txt.
    held: Option<u32>,
}

/// All hosts, by their numbers in the frontier.
pub(crate) struct Hosts {
    all: Vec<Host>,
    connections_max: usize,
    active_max: usize,
    obey_robots: bool,
    attempts: HashMap<u32, u32>,
    /// robots.txt that could not be had in this run.
    lost_robots: HashSet<String>,
    /// Where the next look begins, so that every host has its turn.
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

    /// The next request that politeness allows now.
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

    /// The URL of a host that comes next, within its robots.txt; or that robots.txt itself.
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
            let robots = state.hear_robots(&place);
            // It may be on its way already, or belong to a host that has its own turn.
            let is_waiting = state.frontier.is_waiting(robots);
            let is_own = state.frontier.entry(robots).host == at as u32;
            if is_waiting && is_own {
                state.frontier.take(robots);
                return Some(robots);
            }
            return None;
        }
    }

    /// A request to a host ended; the next may begin after `delay`.
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

    /// The next request may not begin before `delay` has passed since the last ended.
    pub(crate) fn slow_down(&mut self, host: u32, delay: Duration) {
        let host = &mut self.all[host as usize];
        host.ready_at = host.ready_at.max(host.ended_at + delay);
    }

    /// How often a URL was asked for again already.
    pub(crate) fn attempts(&self, id: u32) -> u32 {
        self.attempts.get(&id).copied().unwrap_or(0)
    }

    /// Asks for a URL again after `wait`. `all` makes the whole host wait: it said that it has too much to do.
    pub(crate) fn repeat(&mut self, host: u32, id: u32, wait: Duration, all: bool) {
        *self.attempts.entry(id).or_default() += 1;
        let from = Instant::now() + wait;
        let host = &mut self.all[host as usize];
        host.repeats.push((from, id));
        if all {
            host.ready_at = host.ready_at.max(from);
        }
    }

    /// A robots.txt could not be had: what it speaks for is left alone in this run.
    pub(crate) fn lose_robots(&mut self, url: &str) {
        self.lost_robots.insert(url.to_owned());
    }

    /// When politeness allows the next request. What waits for something else (a robots.txt, its turn) waits for an
    /// event, not for a time.
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

    /// Does any host have something left that was not sent?
    pub(crate) fn has_work(&self, state: &State) -> bool {
        state.frontier.waiting() > 0 || self.held() > 0
    }

    /// URLs that were taken from the frontier and not fetched.
    pub(crate) fn held(&self) -> u64 {
        self.all
            .iter()
            .map(|host| host.repeats.len() as u64 + u64::from(host.held.is_some()))
            .sum()
    }
}

/// What a connection leads to.
fn origin(url: &Url) -> &str {
    &url[..url::Position::BeforePath]
}
