//! Applies robots.txt and sitemaps.

use std::time::Duration;

use url::Url;

use super::State;
use crate::analyse::{Analysis, Content, Purpose};
use crate::frontier::Found;
use crate::robots::Robots;
use crate::scope::normal;
use crate::sitemap::Sitemap;

/// The highest number of redirects from one robots.txt to the next, by RFC 9309.
const ROBOTS_HOPS_MAX: usize = 5;
/// The highest number of sitemaps of a crawl. An index may name further indexes.
const SITEMAPS_MAX: u32 = 1000;

/// The answer to a request for a robots.txt.
#[derive(Debug)]
pub(super) enum RobotsAnswer {
    Rules(Robots),
    /// A redirect to the robots.txt of another host in the scope.
    At(Url),
}

/// The rules for a URL, as far as they are known.
#[derive(Debug, PartialEq)]
pub(crate) enum Rules<'a> {
    Known(&'a Robots),
    /// The robots.txt at this URL must be fetched first.
    Ask(Url),
}

impl State {
    pub(super) fn add_sitemap(&mut self, base: &Url, location: &str) {
        let Some(url) = base.join(location).ok().and_then(normal) else {
            return;
        };
        if self.sitemaps < SITEMAPS_MAX
            && self.reads_sitemaps
            && self.bounds.holds_host(&url)
            && !is_robots(&url)
        {
            let found = Found {
                depth: 0,
                hops: 0,
                purpose: Purpose::Sitemap,
            };
            self.sitemaps += u32::from(self.frontier.add(&url, found).is_some());
        }
    }

    /// Returns the rules for a URL, or the URL of the robots.txt to fetch.
    pub(crate) fn rules(&self, url: &Url) -> Rules<'_> {
        let mut place = robots_url(url);
        for _ in 0..=ROBOTS_HOPS_MAX {
            match self.robots.get(place.as_str()) {
                Some(RobotsAnswer::Rules(robots)) => return Rules::Known(robots),
                Some(RobotsAnswer::At(next)) => place = next.clone(),
                None => return Rules::Ask(place),
            }
        }
        Rules::Known(&self.allow_all)
    }

    /// Returns the pause between requests that robots.txt asks for.
    pub(crate) fn robots_delay(&self, url: &Url) -> Option<Duration> {
        match self.rules(url) {
            Rules::Known(robots) => robots.delay,
            Rules::Ask(_) => None,
        }
    }

    /// Adds a robots.txt that must be fetched. Returns its id.
    pub(crate) fn add_robots(&mut self, url: &Url) -> u32 {
        self.id_of_archived(url)
    }

    pub(super) fn apply_robots(&mut self, url: &Url, analysis: Analysis) {
        let answer = match (analysis.redirect, analysis.content) {
            (Some(target), _)
                if is_robots(&target) && self.bounds.holds_host(&target) && target != *url =>
            {
                RobotsAnswer::At(target)
            }
            (_, Content::Robots(robots)) => RobotsAnswer::Rules(robots),
            // A file that could not be decoded forbids everything, because it probably has rules.
            _ if (200..300).contains(&analysis.status) => {
                RobotsAnswer::Rules(Robots::parse(b"user-agent:*\ndisallow:/", ""))
            }
            // A missing file, or a redirect that is not followed, allows everything.
            _ => RobotsAnswer::Rules(Robots::allow_all()),
        };
        if let RobotsAnswer::Rules(robots) = &answer {
            let locations = robots.sitemaps.clone();
            if locations.is_empty() {
                self.add_sitemap(url, "/sitemap.xml");
            }
            for location in locations {
                self.add_sitemap(url, &location);
            }
        }
        self.robots.insert(robots_url(url).into(), answer);
    }

    pub(super) fn apply_sitemap(&mut self, url: &Url, analysis: Analysis) {
        if let Some(target) = analysis.redirect {
            return self.add_sitemap(url, target.as_str());
        }
        if let Content::Sitemap(Sitemap { pages, sitemaps }) = analysis.content {
            for page in pages {
                if let Some(page) = url.join(&page).ok().and_then(normal) {
                    self.add_page(&page, 1, 0);
                }
            }
            for sitemap in sitemaps {
                self.add_sitemap(url, &sitemap);
            }
        }
    }
}

pub(super) fn is_robots(url: &Url) -> bool {
    url.path() == "/robots.txt" && url.query().is_none()
}

/// Returns the URL of the robots.txt for a URL.
fn robots_url(url: &Url) -> Url {
    let mut robots = url.clone();
    robots.set_path("/robots.txt");
    robots.set_query(None);
    robots
}
