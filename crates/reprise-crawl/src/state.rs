//! The state of a crawl, and how each response changes it.
//!
//! This module uses no network, no files and no clock. A response from an archive changes the state exactly as one from
//! the network does, so a resumed crawl has the same state as one that was never interrupted.

mod rules;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use reprise_fingerprint::Fingerprint;
use reprise_report::{CrawlRefused, CrawlSummary};
use reprise_url::trap::find_trap;
use url::Url;

use crate::analyse::{Analysis, Content, Document, Purpose};
use crate::causes::Cause;
use crate::config::CrawlConfig;
use crate::duplicates::Duplicates;
use crate::error::CrawlError;
use crate::fetch::Validators;
use crate::frontier::{Found, Frontier};
use crate::growth::{Curve, Growth};
use crate::novelty::Phrases;
use crate::problems::Problems;
use crate::robots::Robots;
use crate::scope::{Bounds, seeds};
use crate::stop::RecentPages;
use crate::verdict::{Classifier, Likeness, Verdict};
use crate::yields::Gain;
pub(crate) use rules::Rules;
use rules::{RobotsAnswer, is_robots};

/// The highest number of redirects in a row.
const HOPS_MAX: u32 = 10;
/// The highest number of URLs that are kept, about a gigabyte. A site with more URLs probably has a trap.
const ENTRIES_MAX: usize = 4_000_000;
/// The highest number of URLs that are remembered only to count each of them once.
const COUNTED_MAX: usize = 1 << 20;

/// The class of a page, for the observer.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) verdict: Verdict,
    pub(crate) cause: Option<Cause>,
}

/// The state of a crawl.
pub(crate) struct State {
    depth_max: u32,
    reads_sitemaps: bool,
    bounds: Bounds,
    pub(crate) frontier: Frontier,
    classifier: Classifier,
    phrases: Phrases,
    robots: HashMap<String, RobotsAnswer>,
    allow_all: Robots,
    /// The number of sitemaps that were added to the frontier.
    sitemaps: u32,
    pub(crate) growth: Growth,
    pub(crate) recent: RecentPages,
    duplicates: Duplicates,
    pub(crate) problems: Problems,
    /// The targets of redirects.
    redirects: HashMap<u32, u32>,
    /// The last visit of each fetched URL.
    visits: HashMap<u32, Visit>,
    /// The hashes of URLs outside the scope.
    outside: HashSet<u64>,
    /// The hashes of URLs that are crawler traps.
    traps: HashSet<u64>,
    pub(crate) counts: Counts,
}

/// The facts from the last visit of a page.
#[derive(Debug)]
pub(crate) struct Visit {
    /// The values that make the next request conditional.
    pub(crate) validators: Validators,
    /// The fingerprint of the body as sent.
    pub(crate) payload: Fingerprint,
    /// The time of the request, in milliseconds since 1970.
    pub(crate) date: Option<i64>,
}

/// The counts of a crawl.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) fetched: u64,
    /// Responses to requests for pages, which `pages_max` limits.
    pub(crate) asked: u64,
    pub(crate) redirects: u64,
    pub(crate) errors: u64,
    pub(crate) not_text: u64,
    pub(crate) unchanged: u64,
    pub(crate) trap_pages: u64,
    pub(crate) refused_robots: u64,
    pub(crate) refused_address: u64,
    pub(crate) bytes: u64,
}

impl State {
    pub(crate) fn new(config: &CrawlConfig) -> Result<State, CrawlError> {
        let seeds = seeds(&config.seeds)?;
        let mut state = State {
            depth_max: config.depth_max,
            reads_sitemaps: config.sitemaps,
            bounds: Bounds::new(&seeds, config.scope),
            frontier: Frontier::new(config.order),
            classifier: Classifier::new(config.score),
            phrases: Phrases::default(),
            robots: HashMap::new(),
            allow_all: Robots::allow_all(),
            sitemaps: 0,
            growth: Growth::new(),
            recent: RecentPages::new(config.stop),
            duplicates: Duplicates::default(),
            problems: Problems::default(),
            redirects: HashMap::new(),
            visits: HashMap::new(),
            outside: HashSet::new(),
            traps: HashSet::new(),
            counts: Counts::default(),
        };
        for seed in &seeds {
            state.add_page(seed, 0, 0);
            if config.sitemaps && !config.obey_robots {
                state.add_sitemap(seed, "/sitemap.xml");
            }
        }
        Ok(state)
    }

    /// Adds the URL of a page. Returns its id, or `None` if it was found before or is not to be fetched.
    fn add_page(&mut self, url: &Url, depth: u32, hops: u32) -> Option<u32> {
        if self.frontier.id(url.as_str()).is_some() {
            return None;
        }
        if !self.bounds.holds(url) {
            count(&mut self.outside, url);
            return None;
        }
        if depth > self.depth_max {
            return None;
        }
        if find_trap(url.as_str()).is_some() {
            count(&mut self.traps, url);
            return None;
        }
        if self.frontier.len() >= ENTRIES_MAX {
            self.problems.add("too_many_urls", url.as_str(), "");
            return None;
        }
        let found = Found {
            depth,
            hops,
            purpose: if is_robots(url) {
                Purpose::Robots
            } else {
                Purpose::Page
            },
        };
        self.frontier.add(url, found)
    }

    /// Returns the id of a URL in an archive. Adds the URL if it was not found yet.
    pub(crate) fn id_of_archived(&mut self, url: &Url) -> u32 {
        if let Some(id) = self.frontier.id(url.as_str()) {
            return id;
        }
        let found = Found {
            // It is unknown how the URL was found, so its links are not followed.
            depth: self.depth_max,
            hops: 0,
            purpose: if is_robots(url) {
                Purpose::Robots
            } else {
                Purpose::Page
            },
        };
        self.frontier.add(url, found).expect("the URL is new")
    }

    /// Returns the last visit of a page, for a conditional request. Robots and sitemaps are always requested in full.
    pub(crate) fn visit(&self, id: u32) -> Option<&Visit> {
        self.visits
            .get(&id)
            .filter(|_| self.frontier.entry(id).purpose == Purpose::Page)
    }

    /// Puts all fetched URLs back into the frontier.
    pub(crate) fn ask_again(&mut self) {
        let mut ids: Vec<u32> = self.visits.keys().copied().collect();
        ids.sort_unstable();
        for id in ids {
            self.frontier.return_to_queue(id);
        }
        // The rules may have changed as well, so they are fetched first.
        self.robots.clear();
        self.recent.clear();
    }

    /// Applies the analysis of a response. Returns an outcome if the response is a page.
    pub(crate) fn apply(
        &mut self,
        id: u32,
        analysis: Analysis,
        bytes: u64,
        date: Option<i64>,
    ) -> Option<Outcome> {
        self.counts.fetched += 1;
        self.counts.bytes += bytes;
        let url = Url::parse(&self.frontier.entry(id).url).ok()?;
        for (kind, detail) in &analysis.problems {
            self.problems.add(kind, url.as_str(), detail);
        }
        let visit = Visit {
            validators: analysis.validators.clone(),
            payload: analysis.payload,
            date,
        };
        self.visits.insert(id, visit);
        match self.frontier.entry(id).purpose {
            Purpose::Robots => self.apply_robots(&url, analysis),
            Purpose::Sitemap => self.apply_sitemap(&url, analysis),
            Purpose::Page => {
                self.counts.asked += 1;
                return Some(self.apply_page(id, &url, analysis));
            }
        }
        None
    }

    /// Applies a response that says that a page has not changed.
    pub(crate) fn apply_unchanged(&mut self, bytes: u64) -> Outcome {
        self.counts.fetched += 1;
        self.counts.asked += 1;
        self.counts.bytes += bytes;
        self.counts.unchanged += 1;
        Outcome {
            verdict: Verdict::Unchanged,
            cause: None,
        }
    }

    fn apply_page(&mut self, id: u32, url: &Url, analysis: Analysis) -> Outcome {
        let status = analysis.status;
        let outcome = |verdict| Outcome {
            verdict,
            cause: None,
        };
        if let Some(target) = analysis.redirect {
            self.counts.redirects += 1;
            let gain = self.redirected(id, url, &target);
            self.learn(id, gain);
            return outcome(Verdict::Redirect {
                to: Some(target.into()),
            });
        }
        match analysis.content {
            Content::Document(document) => self.apply_document(id, &document),
            Content::NotText => {
                self.counts.not_text += 1;
                self.learn(id, Gain::default());
                outcome(Verdict::NotText)
            }
            _ => {
                self.learn(id, Gain::default());
                if (300..400).contains(&status) {
                    self.counts.redirects += 1;
                    self.problems
                        .add("no_location", url.as_str(), &format!("status {status}"));
                    return outcome(Verdict::Redirect { to: None });
                }
                self.counts.errors += 1;
                if !(200..300).contains(&status) {
                    self.problems
                        .add(&format!("http_{status}"), url.as_str(), "");
                }
                outcome(Verdict::Error(status))
            }
        }
    }

    /// Follows a redirect within the scope, up to [`HOPS_MAX`] in a row. Counts loops as problems.
    fn redirected(&mut self, id: u32, url: &Url, target: &Url) -> Gain {
        let entry = self.frontier.entry(id);
        let (depth, hops) = (entry.depth, entry.hops + 1);
        if hops > HOPS_MAX {
            self.problems
                .add("too_many_redirects", url.as_str(), target.as_str());
            return Gain::default();
        }
        let new = self.add_page(target, depth, hops);
        let gain = self.gain_of(id, new);
        if let Some(to) = self.frontier.id(target.as_str()) {
            self.redirects.insert(id, to);
            let mut next = to;
            for _ in 0..=HOPS_MAX {
                if next == id {
                    self.problems
                        .add("redirect_loop", url.as_str(), target.as_str());
                    break;
                }
                match self.redirects.get(&next) {
                    Some(&to) => next = to,
                    None => break,
                }
            }
        }
        gain
    }

    fn apply_document(&mut self, id: u32, document: &Document) -> Outcome {
        let likeness = self.classifier.classify(id, document);
        let says_new = self.phrases.add(&document.shingles);
        let mut gain = Gain::default();
        let depth = self.frontier.entry(id).depth.saturating_add(1);
        for link in &document.links.urls {
            let new = self.add_page(link, depth, 0);
            let of_link = self.gain_of(id, new);
            gain.feeds_itself |= of_link.feeds_itself;
            gain.is_hub |= of_link.is_hub;
        }
        if likeness == Likeness::Own {
            self.counts.unchanged += 1;
            return Outcome {
                verdict: Verdict::Unchanged,
                cause: None,
            };
        }
        gain.is_new = likeness == Likeness::Unique && says_new;
        let is_trap = likeness == Likeness::Unique && !says_new && self.is_suspect(id);
        self.learn(id, gain);
        self.recent.add(gain.is_new);
        let cause = self
            .duplicates
            .add(id, document, likeness, is_trap, &self.frontier);
        let content = self.duplicates.root(id).unwrap_or(id);
        let duplicates = &self.duplicates;
        self.frontier
            .learn_alias(id, content, &|id| duplicates.root(id));
        self.counts.trap_pages += u64::from(is_trap);
        let url_of = |id| self.frontier.entry(id).url.to_string();
        let (curve, verdict) = match likeness {
            _ if is_trap => (Curve::None, Verdict::Trap),
            Likeness::Exact(of) => (Curve::Exact, Verdict::Exact { of: url_of(of) }),
            Likeness::Near(of, score) => (
                Curve::Near,
                Verdict::Near {
                    of: url_of(of),
                    score,
                },
            ),
            Likeness::Unique | Likeness::Own => (Curve::Unique, Verdict::Unique),
        };
        self.growth.add(curve);
        Outcome { verdict, cause }
    }

    /// Returns the gain of page `id` from a link to the URL `new`, if that is new.
    fn gain_of(&self, id: u32, new: Option<u32>) -> Gain {
        let Some(new) = new else {
            return Gain::default();
        };
        let (own, other) = (
            self.frontier.entry(id).pattern,
            self.frontier.entry(new).pattern,
        );
        Gain {
            is_new: false,
            feeds_itself: own == other,
            is_hub: own != other && self.frontier.yields.is_promising(other),
        }
    }

    fn learn(&mut self, id: u32, gain: Gain) {
        let pattern = self.frontier.entry(id).pattern;
        self.frontier.yields.learn(pattern, gain);
    }

    /// Returns true if the pattern of a URL is a suspected trap.
    pub(crate) fn is_suspect(&self, id: u32) -> bool {
        self.frontier
            .yields
            .is_suspect(self.frontier.entry(id).pattern)
    }

    /// Returns the figures of the crawl. The caller fills in what only the run knows: archives, times, and why it ended.
    pub(crate) fn into_summary(self, seeds: &[String]) -> CrawlSummary {
        let now = self.growth.now();
        let counts = self.counts;
        CrawlSummary {
            seeds: seeds.to_vec(),
            pages: now.pages,
            fetched: counts.fetched,
            unique: now.unique,
            exact: now.exact,
            near: now.near,
            trap_pages: counts.trap_pages,
            redirects: counts.redirects,
            errors: counts.errors,
            not_text: counts.not_text,
            unchanged: counts.unchanged,
            traps: self.traps.len() as u64,
            refused: CrawlRefused {
                robots: counts.refused_robots,
                scope: self.outside.len() as u64,
                address: counts.refused_address,
            },
            problems: self.problems.into_list(),
            growth: (self.growth.points().into_iter()).map(Into::into).collect(),
            causes: self.duplicates.causes(),
            generators: self.duplicates.generators(),
            suspects: self.frontier.yields.suspects(),
            left: self.frontier.waiting(),
            bytes: counts.bytes,
            duplicates: self.duplicates.rows,
            ..CrawlSummary::default()
        }
    }
}

/// Adds a URL to a set that only serves to count.
fn count(seen: &mut HashSet<u64>, url: &Url) {
    if seen.len() < COUNTED_MAX {
        let mut hasher = DefaultHasher::new();
        url.as_str().hash(&mut hasher);
        seen.insert(hasher.finish());
    }
}
