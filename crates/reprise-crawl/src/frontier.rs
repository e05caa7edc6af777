//! The URLs that were heard of: which are still to be fetched, and which comes next.
//!
//! A URL is an entry for good, with the number it was heard of as. Those that wait stand in queues, one for each host and
//! pattern, by depth and then by discovery. In learned order the pattern that promises most is served first; aliases and
//! patterns that look like traps come last. Everything is fetched in the end, unless the stop rule fires.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use url::Url;

use crate::aliases::Aliases;
use crate::analyse::Purpose;
use crate::config::Order;
use crate::scope::authority;
use crate::yields::{PatternId, Yields};

/// A URL that was heard of.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) url: Arc<str>,
    pub(crate) host: u32,
    pub(crate) pattern: PatternId,
    pub(crate) depth: u32,
    /// Redirects in a row that led here; 0 for a link.
    pub(crate) hops: u32,
    pub(crate) purpose: Purpose,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Waiting,
    /// Like another one but for idle parameters: comes last.
    Alias,
    Taken,
}

/// How a URL was heard of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heard {
    pub(crate) depth: u32,
    pub(crate) hops: u32,
    pub(crate) purpose: Purpose,
}

type Queue = BinaryHeap<Reverse<(u32, u32)>>;

/// The URLs of one host that wait.
#[derive(Debug, Default)]
struct Host {
    /// What goes before all pages.
    first: VecDeque<u32>,
    queues: BTreeMap<PatternId, Queue>,
    aliases: Queue,
    waiting: u64,
}

/// All URLs.
#[derive(Debug)]
pub(crate) struct Frontier {
    order: Order,
    entries: Vec<Entry>,
    ids: HashMap<Arc<str>, u32>,
    hosts: Vec<Host>,
    host_ids: HashMap<String, u32>,
    /// URLs without their idle parameters, of those that had some.
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

    /// How many URLs were heard of.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The number of a URL that was heard of.
    pub(crate) fn id(&self, url: &str) -> Option<u32> {
        self.ids.get(url).copied()
    }

    /// The host's number; hosts are numbered in the order they were heard of.
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

    /// How many URLs wait, on one host and on all.
    pub(crate) fn waiting_on(&self, host: u32) -> u64 {
        self.hosts[host as usize].waiting
    }

    pub(crate) fn waiting(&self) -> u64 {
        self.hosts.iter().map(|host| host.waiting).sum()
    }

    /// Takes a URL in normal form, within the scope. `None` where it was heard of before.
    pub(crate) fn hear(&mut self, url: &Url, heard: Heard) -> Option<u32> {
        if self.ids.contains_key(url.as_str()) {
            return None;
        }
        let host = self.host(url);
        let id = self.entries.len() as u32;
        let text: Arc<str> = url.as_str().into();
        let is_alias = heard.purpose == Purpose::Page && self.is_alias(host, url);
        self.ids.insert(text.clone(), id);
        self.entries.push(Entry {
            url: text,
            host,
            pattern: self.yields.pattern(url),
            depth: heard.depth,
            hops: heard.hops,
            purpose: heard.purpose,
            state: if is_alias {
                State::Alias
            } else {
                State::Waiting
            },
        });
        self.enqueue(id);
        Some(id)
    }

    /// Puts an entry that was taken back into its queue, to be fetched again.
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
            // One queue for all.
            (Purpose::Page, Order::Breadth) => host.aliases.push(place),
        }
    }

    /// The next URL of a host, which waits no longer.
    pub(crate) fn take_next(&mut self, host: u32) -> Option<u32> {
        loop {
            let id = self.pop(host)?;
            // Those that were taken by name are still in their queues.
            if self.entries[id as usize].state != State::Taken {
                self.take(id);
                return Some(id);
            }
        }
    }

    /// Is it still to be fetched?
    pub(crate) fn is_waiting(&self, id: u32) -> bool {
        self.entry(id).state != State::Taken
    }

    /// Takes a certain URL, as a replay does.
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
        // What was taken by name must not speak for its queue.
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
        // Only suspects are left.
        let (_, queue) = host.queues.iter_mut().next()?;
        queue.pop().map(|Reverse((_, id))| id)
    }

    /// Is it another one's URL but for idle parameters? It counts as known from now on.
    fn is_alias(&mut self, host: u32, url: &Url) -> bool {
        match self.aliases.stripped(host, url) {
            Some(stripped) => {
                self.ids.contains_key(stripped.as_str()) || !self.stripped.insert(stripped)
            }
            None => self.stripped.contains(url.as_str()),
        }
    }

    /// Learns from a page which parameters are idle, and puts the aliases that this shows at the end.
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
