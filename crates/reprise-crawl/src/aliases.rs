//! Learns which URL parameters are idle: they change the URL but not the content of the page.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use url::Url;

use crate::names::{is_session, is_tracking};

/// The number of equal pages in a row after which a parameter counts as idle.
const EQUAL_MIN: u32 = 4;
/// The highest number of parameters of a URL that is learned from.
const PARAMETERS_MAX: usize = 8;

/// The idle parameters of each host.
#[derive(Debug, Default)]
pub(crate) struct Aliases {
    /// The number of pages in a row that did not depend on a parameter, by host and name.
    equal: HashMap<(u32, String), u32>,
    /// The latest content of a URL without one of its parameters. The key is a hash of host, parameter and URL.
    seen: HashMap<u64, u32>,
    idle: HashSet<(u32, String)>,
}

impl Aliases {
    /// Returns true if a parameter is idle on a host, because of its name or because of the pages so far.
    pub(crate) fn is_idle(&self, host: u32, name: &str) -> bool {
        is_session(name) || is_tracking(name) || self.is_learned(host, name)
    }

    /// Returns true if the pages of a host have shown that a parameter is idle.
    pub(crate) fn is_learned(&self, host: u32, name: &str) -> bool {
        !self.idle.is_empty() && self.idle.contains(&(host, name.to_owned()))
    }

    /// Returns the URL without its idle parameters; `None` if it has none.
    pub(crate) fn stripped(&self, host: u32, url: &Url) -> Option<String> {
        let path = url.path();
        let bare = without_session(path);
        let query = url.query().unwrap_or_default();
        let kept: Vec<&str> = query
            .split('&')
            .filter(|parameter| !self.is_idle(host, name(parameter)))
            .collect();
        let kept = kept.join("&");
        if kept.len() == query.len() && bare.len() == path.len() {
            return None;
        }
        let mut stripped = url.clone();
        stripped.set_path(&bare);
        stripped.set_query((!kept.is_empty()).then_some(&kept));
        Some(stripped.into())
    }

    /// Learns from a page. `content` is the first page with the same text. `of_url` returns the first page with the
    /// text of any other fetched URL. Returns true if a parameter has just become idle.
    pub(crate) fn learn(
        &mut self,
        host: u32,
        url: &Url,
        content: u32,
        of_url: &dyn Fn(&str) -> Option<u32>,
    ) -> bool {
        let query = url.query().unwrap_or_default();
        let parameters: Vec<&str> = query
            .split('&')
            .filter(|parameter| !parameter.is_empty())
            .collect();
        if parameters.len() > PARAMETERS_MAX {
            return false;
        }
        let mut is_news = false;
        for at in 0..parameters.len() {
            let rest: Vec<&str> = parameters
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != at)
                .map(|(_, parameter)| *parameter)
                .collect();
            let mut bare = url.clone();
            bare.set_query((!rest.is_empty()).then(|| rest.join("&")).as_deref());
            let name = name(parameters[at]);
            let mut hasher = DefaultHasher::new();
            (host, name, bare.as_str()).hash(&mut hasher);
            let earlier = self
                .seen
                .insert(hasher.finish(), content)
                .or_else(|| of_url(bare.as_str()));
            let Some(earlier) = earlier else {
                continue;
            };
            let equal = self.equal.entry((host, name.to_owned())).or_default();
            *equal = if earlier == content { *equal + 1 } else { 0 };
            if *equal == 0 {
                self.idle.remove(&(host, name.to_owned()));
            } else if *equal == EQUAL_MIN {
                is_news |= self.idle.insert((host, name.to_owned()));
            }
        }
        is_news
    }
}

fn name(parameter: &str) -> &str {
    parameter.split('=').next().unwrap_or_default()
}

/// Returns a path without session parameters such as `;jsessionid=`.
fn without_session(path: &str) -> String {
    if !path.contains(';') {
        return path.to_owned();
    }
    let components: Vec<String> = path
        .split('/')
        .map(|component| {
            let kept: Vec<&str> = component
                .split(';')
                .filter(|piece| !is_session(name(piece)))
                .collect();
            kept.join(";")
        })
        .collect();
    components.join("/")
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::Aliases;

    fn learn(aliases: &mut Aliases, url: &str, content: u32) -> bool {
        aliases.learn(0, &Url::parse(url).unwrap(), content, &|_| None)
    }

    fn stripped(aliases: &Aliases, url: &str) -> Option<String> {
        aliases.stripped(0, &Url::parse(url).unwrap())
    }

    #[test]
    fn idle_parameters_are_learned() {
        let mut aliases = Aliases::default();
        assert_eq!(stripped(&aliases, "http://a.com/x?from=1"), None);
        for (page, expected) in [(0, false), (1, false), (2, false), (3, true)] {
            learn(
                &mut aliases,
                &format!("http://a.com/{page}?from=1&id={page}"),
                page,
            );
            let is_news = learn(
                &mut aliases,
                &format!("http://a.com/{page}?from=2&id={page}"),
                page,
            );
            assert_eq!(is_news, expected, "{page}");
        }
        assert_eq!(
            stripped(&aliases, "http://a.com/x?from=1").as_deref(),
            Some("http://a.com/x")
        );
        assert_eq!(
            stripped(&aliases, "http://a.com/x?id=2&from=1").as_deref(),
            Some("http://a.com/x?id=2")
        );
        // A single page that does depend on the parameter ends this.
        learn(&mut aliases, "http://a.com/y?from=1", 7);
        learn(&mut aliases, "http://a.com/y?from=2", 8);
        assert_eq!(stripped(&aliases, "http://a.com/x?from=1"), None);
    }

    #[test]
    fn a_url_without_the_parameter_is_compared_as_well() {
        let mut aliases = Aliases::default();
        let bare = |url: &str| (!url.contains('?')).then_some(3);
        let mut news = 0;
        for page in 0..4 {
            let url = Url::parse(&format!("http://a.com/{page}?skin=1")).unwrap();
            news += u32::from(aliases.learn(0, &url, 3, &bare));
        }
        assert_eq!(news, 1);
    }

    #[test]
    fn session_and_tracking_parameters_are_idle_from_the_start() {
        let aliases = Aliases::default();
        let check = |url: &str, expected: &str| {
            assert_eq!(stripped(&aliases, url).as_deref(), Some(expected), "{url}");
        };
        check("http://a.com/x?PHPSESSID=1", "http://a.com/x");
        check("http://a.com/x?utm_source=1&p=2", "http://a.com/x?p=2");
        check(
            "http://a.com/x;jsessionid=1/y;v=2?p=3",
            "http://a.com/x/y;v=2?p=3",
        );
    }
}
