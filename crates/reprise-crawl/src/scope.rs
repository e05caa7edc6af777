//! Decides which URLs belong to a crawl, and computes the normal form of a URL.
//!
//! The `url` crate normalises what cannot change the meaning of a URL: the case of scheme and host, default ports, dot
//! segments, characters that must be escaped. This module also removes the fragment and credentials, which do not
//! select a page, and writes escapes in upper case. It changes nothing else: `/a` and `/a/`, or `?a=1&b=2` and
//! `?b=2&a=1`, may be two pages.

use reprise_url::Site;
use url::Url;

use crate::config::Scope;
use crate::error::CrawlError;

/// The longest URL that is fetched, in bytes. Servers refuse longer ones, and usually only loops produce them.
pub(crate) const URL_BYTES_MAX: usize = 2048;

/// The scope of a crawl, computed from its seeds.
#[derive(Debug)]
pub(crate) struct Bounds {
    kind: Scope,
    /// The authorities of the seeds (see [`authority`]).
    authorities: Vec<String>,
    sites: Vec<String>,
    /// The ports of the seeds.
    ports: Vec<u16>,
    /// The authority and path of each seed, up to the last slash.
    prefixes: Vec<String>,
}

impl Bounds {
    pub(crate) fn new(seeds: &[Url], kind: Scope) -> Bounds {
        Bounds {
            kind,
            authorities: seeds.iter().map(authority).collect(),
            sites: seeds
                .iter()
                .map(|seed| Site::of(seed.as_str()).site)
                .collect(),
            ports: seeds.iter().filter_map(Url::port).collect(),
            prefixes: seeds
                .iter()
                .map(|seed| {
                    let path = seed.path();
                    let directory = path.rfind('/').map_or("/", |at| &path[..=at]);
                    format!("{}{directory}", authority(seed))
                })
                .collect(),
        }
    }

    /// Returns true if a URL may be fetched as a page.
    pub(crate) fn holds(&self, url: &Url) -> bool {
        match self.kind {
            Scope::Host | Scope::Site => self.holds_host(url),
            Scope::Prefix => {
                let whole = format!("{}{}", authority(url), url.path());
                self.prefixes
                    .iter()
                    .any(|prefix| whole.starts_with(prefix.as_str()))
            }
        }
    }

    /// Returns true if the host of a URL may be asked. Robots and sitemaps of a host are outside every prefix, so the
    /// prefix does not count here.
    pub(crate) fn holds_host(&self, url: &Url) -> bool {
        match self.kind {
            Scope::Host | Scope::Prefix => self.authorities.contains(&authority(url)),
            Scope::Site => {
                url.port().is_none_or(|port| self.ports.contains(&port))
                    && self.sites.contains(&Site::of(url.as_str()).site)
            }
        }
    }
}

/// Returns the host of a URL, with its port if that is not a default port. `http` and `https` of a host are one
/// authority.
pub(crate) fn authority(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let host = host.strip_suffix('.').unwrap_or(host);
    match url.port() {
        Some(80 | 443) | None => host.to_owned(),
        Some(port) => format!("{host}:{port}"),
    }
}

/// Parses the seeds.
pub(crate) fn seeds(given: &[String]) -> Result<Vec<Url>, CrawlError> {
    given
        .iter()
        .map(|seed| {
            // A text with an at sign and without a scheme is a mail address.
            let is_bare = !seed.contains("://") && !seed.contains('@');
            let whole = if is_bare {
                format!("http://{seed}")
            } else {
                seed.clone()
            };
            Url::parse(&whole)
                .ok()
                .and_then(normal)
                .ok_or_else(|| CrawlError::Seed { seed: seed.clone() })
        })
        .collect()
}

/// Returns the normal form of a URL; `None` if it cannot be fetched.
pub(crate) fn normal(mut url: Url) -> Option<Url> {
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        return None;
    }
    url.set_fragment(None);
    if !url.username().is_empty() || url.password().is_some() {
        url.set_username("").ok()?;
        url.set_password(None).ok()?;
    }
    if let Some(upper) = upper_escapes(url.as_str()) {
        url = Url::parse(&upper).ok()?;
    }
    (url.as_str().len() <= URL_BYTES_MAX).then_some(url)
}

/// Returns the text with its escapes in upper case; `None` if they already are.
fn upper_escapes(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let is_escape = |at: usize| {
        bytes.get(at + 1).is_some_and(u8::is_ascii_hexdigit)
            && bytes.get(at + 2).is_some_and(u8::is_ascii_hexdigit)
    };
    let places: Vec<usize> = memchr::memchr_iter(b'%', bytes)
        .filter(|&at| is_escape(at) && bytes[at + 1..at + 3].iter().any(u8::is_ascii_lowercase))
        .collect();
    if places.is_empty() {
        return None;
    }
    let mut upper = bytes.to_vec();
    for at in places {
        upper[at + 1..at + 3].make_ascii_uppercase();
    }
    String::from_utf8(upper).ok()
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::{Bounds, authority, normal, seeds};
    use crate::config::Scope;

    fn bounds(kind: Scope, given: &[&str]) -> Bounds {
        let given: Vec<String> = given.iter().map(ToString::to_string).collect();
        Bounds::new(&seeds(&given).unwrap(), kind)
    }

    fn holds(bounds: &Bounds, url: &str) -> bool {
        bounds.holds(&Url::parse(url).unwrap())
    }

    #[test]
    fn a_host_is_a_name_and_a_port() {
        let bounds = bounds(
            Scope::Host,
            &["http://Example.com/a/b", "http://other.org:8080/"],
        );
        assert!(holds(&bounds, "http://example.com/"));
        assert!(holds(&bounds, "https://example.com/x"));
        assert!(holds(&bounds, "http://example.com./x"));
        assert!(holds(&bounds, "http://other.org:8080/x"));
        assert!(!holds(&bounds, "http://other.org/x"));
        assert!(!holds(&bounds, "http://www.example.com/"));
        assert!(!holds(&bounds, "http://example.com:8080/"));
        assert!(!holds(&bounds, "http://example.com.evil.org/"));
    }

    #[test]
    fn a_site_is_a_registered_domain() {
        let bounds = bounds(Scope::Site, &["http://www.example.co.uk:81/"]);
        assert!(holds(&bounds, "https://example.co.uk/"));
        assert!(holds(&bounds, "http://a.b.example.co.uk:81/"));
        assert!(!holds(&bounds, "http://example.co.uk:82/"));
        assert!(!holds(&bounds, "http://other.co.uk/"));
    }

    #[test]
    fn a_prefix_ends_at_a_slash() {
        let bounds = bounds(Scope::Prefix, &["http://example.com/docs/index.html"]);
        assert!(holds(&bounds, "https://example.com/docs/a/b"));
        assert!(!holds(&bounds, "http://example.com/docs"));
        assert!(!holds(&bounds, "http://example.com/documents/"));
        assert!(!holds(&bounds, "http://other.com/docs/"));
        let robots = Url::parse("http://example.com/robots.txt").unwrap();
        assert!(bounds.holds_host(&robots) && !bounds.holds(&robots));
    }

    #[test]
    fn normal_forms_keep_their_meaning() {
        let check = |url: &str, expected: &str| {
            let found = normal(Url::parse(url).unwrap());
            assert_eq!(found.as_ref().map(Url::as_str), Some(expected), "{url}");
        };
        check("HTTP://Example.COM:80/a/../b#c", "http://example.com/b");
        check("http://me:secret@example.com/", "http://example.com/");
        check(
            "http://example.com/%c3%a9%2f?q=%e2",
            "http://example.com/%C3%A9%2F?q=%E2",
        );
        check("http://example.com/100%/%zz", "http://example.com/100%/%zz");
        check(
            "http://example.com/a/?b=2&a=1&a=",
            "http://example.com/a/?b=2&a=1&a=",
        );
        for url in [
            "ftp://example.com/",
            "mailto:a@b.c",
            "javascript:alert(1)",
            "data:,x",
            "file:///etc",
        ] {
            assert_eq!(normal(Url::parse(url).unwrap()), None, "{url}");
        }
        let long = format!("http://example.com/{}", "x".repeat(3000));
        assert_eq!(normal(Url::parse(&long).unwrap()), None);
    }

    #[test]
    fn seeds_may_be_bare_names() {
        let given = ["example.com/x".to_owned(), "localhost:81".to_owned()];
        let found = seeds(&given).unwrap();
        assert_eq!(found[0].as_str(), "http://example.com/x");
        assert_eq!(authority(&found[1]), "localhost:81");
        assert!(seeds(&["ftp://example.com/".to_owned()]).is_err());
        assert!(seeds(&["http://".to_owned()]).is_err());
    }
}
