//! What speaks for whole hosts: their robots.txt, and their sitemaps.

use std::time::Duration;

use url::Url;

use super::State;
use crate::analyse::{Analysis, Content, Purpose};
use crate::frontier::Heard;
use crate::robots::Robots;
use crate::scope::normal;
use crate::sitemap::Sitemap;

/// Most robots.txt that lead to one another, by RFC 9309.
const ROBOTS_HOPS_MAX: usize = 5;
/// Most sitemaps of a crawl: an index may name indexes.
const SITEMAPS_MAX: u32 = 1000;
/// What a host's robots.txt says.
#[derive(Debug)]
pub(super) enum RobotsAnswer {
    Rules(Robots),
    /// It redirects to that of another host in the scope.
    At(Url),
}

/// What is known of the rules for a URL.
#[derive(Debug, PartialEq)]
pub(crate) enum Rules<'a> {
    Known(&'a Robots),
    /// This has to be fetched first.
    Ask(Url),
}

impl State {
    pub(super) fn hear_sitemap(&mut self, base: &Url, location: &str) {
        let Some(url) = base.join(location).ok().and_then(normal) else {
            return;
        };
        if self.sitemaps < SITEMAPS_MAX
            && self.reads_sitemaps
            && self.bounds.holds_host(&url)
            && !is_robots(&url)
        {
            let heard = Heard {
                depth: 0,
                hops: 0,
                purpose: Purpose::Sitemap,
            };
            self.sitemaps += u32::from(self.frontier.hear(&url, heard).is_some());
        }
    }

    /// What robots.txt says about a URL, or where to ask.
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

    /// The pause that robots.txt asks for.
    pub(crate) fn robots_delay(&self, url: &Url) -> Option<Duration> {
        match self.rules(url) {
            Rules::Known(robots) => robots.delay,
            Rules::Ask(_) => None,
        }
    }

    /// Hears of a robots.txt that has to be fetched; its number.
    pub(crate) fn hear_robots(&mut self, url: &Url) -> u32 {
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
            // A file that could not be decoded forbids everything: its owner wanted to say something.
            _ if (200..300).contains(&analysis.status) => {
                RobotsAnswer::Rules(Robots::parse(b"user-agent:*\ndisallow:/", ""))
            }
            // No such file, or one that is elsewhere: nothing is forbidden.
            _ => RobotsAnswer::Rules(Robots::allow_all()),
        };
        if let RobotsAnswer::Rules(robots) = &answer {
            let locations = robots.sitemaps.clone();
            if locations.is_empty() {
                self.hear_sitemap(url, "/sitemap.xml");
            }
            for location in locations {
                self.hear_sitemap(url, &location);
            }
        }
        self.robots.insert(robots_url(url).into(), answer);
    }

    pub(super) fn apply_sitemap(&mut self, url: &Url, analysis: Analysis) {
        if let Some(target) = analysis.redirect {
            return self.hear_sitemap(url, target.as_str());
        }
        if let Content::Sitemap(Sitemap { pages, sitemaps }) = analysis.content {
            for page in pages {
                if let Some(page) = url.join(&page).ok().and_then(normal) {
                    self.hear(&page, 1, 0);
                }
            }
            for sitemap in sitemaps {
                self.hear_sitemap(url, &sitemap);
            }
        }
    }
}

pub(super) fn is_robots(url: &Url) -> bool {
    url.path() == "/robots.txt" && url.query().is_none()
}

/// Where the rules for a URL are.
fn robots_url(url: &Url) -> Url {
    let mut robots = url.clone();
    robots.set_path("/robots.txt");
    robots.set_query(None);
    robots
}
