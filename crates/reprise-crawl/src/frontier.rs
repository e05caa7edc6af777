//! The frontier: all URLs that were found, and the order in which they are fetched.
//!
//! Every URL has an entry with a number (its id), in the order of discovery; entries are never removed. Waiting URLs
//! are in queues, one for each host and pattern, ordered by depth and then by id. In learned order, the queue whose
//! pattern promises most new content comes first; aliases and suspected traps come last. Every URL is fetched in the
//! end, unless the stop rule applies.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use url::Url;

use crate::aliases::Aliases;
use crate::analyse::Purpose;
use crate::config::Order;
use crate::scope::authority;
use crate::yields::{PatternId, Yields};

/// A URL that was found.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) url: Arc<str>,
    pub(crate) host: u32,
    pub(crate) pattern: PatternId,
    pub(crate) depth: u32,
    /// The number of redirects in a row that led to the URL; 0 for a link.
    pub(crate) hops: u32,
    pub(crate) purpose: Purpose,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Waiting,
    /// Waiting, but equal to another URL except for idle parameters. Such URLs come last.
    Alias,
    /// Requested, or read from an archive.
    Taken,
}

/// How a URL was found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) depth: u32,
    pub(crate) hops: u32,
    pub(crate) purpose: Purpose,
}

type Queue = BinaryHeap<Reverse<(u32, u32)>>;

/// The waiting URLs of one host.
#[derive(Debug, Default)]
struct Host {
    /// Robots and sitemaps, which come before all pages.
    first: VecDeque<u32>,
    queues: BTreeMap<PatternId, Queue>,
    /// Aliases in learned order, all pages in breadth-first order.
    aliases: Queue,
    waiting: u64,
}

/// All URLs that were found.
#[derive(Debug)]
pub(crate) struct Frontier {
    order: Order,
    entries: Vec<Entry>,
    ids: HashMap<Arc<str>, u32>,
    hosts: Vec<Host>,
    host_ids: HashMap<String, u32>,
    /// The URLs that had idle parameters, without them.
    stripped: HashSet<String>,
    pub(crate) yields: Yields,
    pub(crate) aliases: Aliases,
}

impl Frontier {
    pub(crate) fn new(order: Order) -> Frontier {
        Frontier {
            order,
            entries: Vec::new(),
            ids: HashMap::new(),
            hosts: Vec::new(),
            host_ids: HashMap::new(),
            stripped: HashSet::new(),
            yields: Yields::default(),
            aliases: Aliases::default(),
        }
    }

    pub(crate) fn entry(&self, id: u32) -> &Entry {
        &self.entries[id as usize]
    }

    /// Returns the number of URLs that were found.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the id of a URL; `None` if it was not found yet.
    pub(crate) fn id(&self, url: &str) -> Option<u32> {
        self.ids.get(url).copied()
    }

    /// Returns the number of a URL's host. Hosts are numbered in the order of discovery.
    pub(crate) fn host(&mut self, url: &Url) -> u32 {
        let name = authority(url);
        if let Some(&id) = self.host_ids.get(&name) {
            return id;
        }
        let id = self.hosts.len() as u32;
        self.hosts.push(Host::default());
        self.host_ids.insert(name, id);
        id
    }

    pub(crate) fn hosts(&self) -> u32 {
        self.hosts.len() as u32
    }

    /// Returns the number of waiting URLs of one host.
    pub(crate) fn waiting_on(&self, host: u32) -> u64 {
        self.hosts[host as usize].waiting
    }

    /// Returns the number of all waiting URLs.
    pub(crate) fn waiting(&self) -> u64 {
        self.hosts.iter().map(|host| host.waiting).sum()
    }

    /// Adds a URL, which is in normal form and within the scope. Returns its id, or `None` if it was found before.
    pub(crate) fn add(&mut self, url: &Url, found: Found) -> Option<u32> {
        if self.ids.contains_key(url.as_str()) {
            return None;
        }
        let host = self.host(url);
        let id = self.entries.len() as u32;
        let text: Arc<str> = url.as_str().into();
        let is_alias = found.purpose == Purpose::Page && self.is_alias(host, url);
        self.ids.insert(text.clone(), id);
        self.entries.push(Entry {
            url: text,
            host,
            pattern: self.yields.pattern(url),
            depth: found.depth,
            hops: found.hops,
            purpose: found.purpose,
            state: if is_alias {
                State::Alias
            } else {
                State::Waiting
            },
        });
        self.enqueue(id);
        Some(id)
    }

    /// Puts a taken URL back into its queue, to be fetched again.
    pub(crate) fn return_to_queue(&mut self, id: u32) {
        let entry = &mut self.entries[id as usize];
        if entry.state == State::Taken {
            entry.state = State::Waiting;
            self.enqueue(id);
        }
    }

    fn enqueue(&mut self, id: u32) {
        let entry = &self.entries[id as usize];
        let host = &mut self.hosts[entry.host as usize];
        host.waiting += 1;
        let place = Reverse((entry.depth, id));
        match (entry.purpose, self.order) {
            (Purpose::Robots | Purpose::Sitemap, _) => host.first.push_back(id),
            (Purpose::Page, Order::Learned) if entry.state == State::Alias => {
                host.aliases.push(place);
            }
            (Purpose::Page, Order::Learned) => {
                host.queues.entry(entry.pattern).or_default().push(place);
            }
            // Breadth-first order needs only one queue.
            (Purpose::Page, Order::Breadth) => host.aliases.push(place),
        }
    }

    /// Takes the next URL of a host.
    pub(crate) fn take_next(&mut self, host: u32) -> Option<u32> {
        loop {
            let id = self.pop(host)?;
            // A URL that was taken with `take` is still in its queue.
            if self.entries[id as usize].state != State::Taken {
                self.take(id);
                return Some(id);
            }
        }
    }

    /// Returns true if a URL is still to be fetched.
    pub(crate) fn is_waiting(&self, id: u32) -> bool {
        self.entry(id).state != State::Taken
    }

    /// Takes this URL, wherever it is in its queue.
    pub(crate) fn take(&mut self, id: u32) {
        let entry = &mut self.entries[id as usize];
        if entry.state != State::Taken {
            entry.state = State::Taken;
            self.hosts[entry.host as usize].waiting -= 1;
        }
    }

    fn pop(&mut self, host: u32) -> Option<u32> {
        let entries = &self.entries;
        let yields = &self.yields;
        let host = &mut self.hosts[host as usize];
        if let Some(id) = host.first.pop_front() {
            return Some(id);
        }
        // The first URL of a queue decides its rank, so remove those that no longer wait.
        host.queues.retain(|_, queue| {
            while queue
                .peek()
                .is_some_and(|Reverse((_, id))| entries[*id as usize].state != State::Waiting)
            {
                queue.pop();
            }
            !queue.is_empty()
        });
        let key = |pattern: PatternId, queue: &Queue| {
            let first = queue
                .peek()
                .map_or((u32::MAX, u32::MAX), |Reverse(place)| *place);
            (yields.expectation(pattern), Reverse(first))
        };
        let best = host
            .queues
            .iter()
            .filter(|(pattern, _)| !yields.is_suspect(**pattern))
            .map(|(pattern, queue)| (key(*pattern, queue), *pattern))
            .max_by(|(a, _), (b, _)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
            .map(|(_, pattern)| pattern);
        if let Some(pattern) = best {
            return host
                .queues
                .get_mut(&pattern)?
                .pop()
                .map(|Reverse((_, id))| id);
        }
        if let Some(Reverse((_, id))) = host.aliases.pop() {
            return Some(id);
        }
        // Only suspected traps are left.
        let (_, queue) = host.queues.iter_mut().next()?;
        queue.pop().map(|Reverse((_, id))| id)
    }

    /// Returns true if a URL equals an earlier one except for idle parameters. Remembers the URL for later calls.
    fn is_alias(&mut self, host: u32, url: &Url) -> bool {
        match self.aliases.stripped(host, url) {
            Some(stripped) => {
                self.ids.contains_key(stripped.as_str()) || !self.stripped.insert(stripped)
            }
            None => self.stripped.contains(url.as_str()),
        }
    }

    /// Learns from a page which parameters are idle. Waiting URLs that are aliases because of that go to the end.
    pub(crate) fn learn_alias(
        &mut self,
        id: u32,
        content: u32,
        of_url: &dyn Fn(u32) -> Option<u32>,
    ) {
        let entry = &self.entries[id as usize];
        let host = entry.host;
        let Ok(url) = Url::parse(&entry.url) else {
            return;
        };
        let ids = &self.ids;
        let known = |url: &str| ids.get(url).and_then(|id| of_url(*id));
        if !self.aliases.learn(host, &url, content, &known) || self.order == Order::Breadth {
            return;
        }
        let waiting: Vec<u32> = (0..self.entries.len() as u32)
            .filter(|id| {
                let entry = self.entry(*id);
                entry.host == host && entry.state == State::Waiting && entry.url.contains('?')
            })
            .collect();
        for id in waiting {
            let Ok(url) = Url::parse(&self.entry(id).url) else {
                continue;
            };
            if self.entry(id).purpose == Purpose::Page
                && self.aliases.stripped(host, &url).is_some()
                && self.is_alias(host, &url)
            {
                let entry = &mut self.entries[id as usize];
                entry.state = State::Alias;
                let place = Reverse((entry.depth, id));
                self.hosts[host as usize].aliases.push(place);
            }
        }
    }
}

#[cfg(test)]
mod tests;
