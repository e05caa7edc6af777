//! What an HTML page links to, and what it says of itself.
//!
//! Only what leads to other pages counts: anchors, areas, frames, `<link rel="next">` and its like, a refresh.
//! Images, scripts and styles are no documents and are not fetched.

use reprise_text::tokens::{Syntax, Tag, TokenKind, Tokens};
use url::Url;

use crate::scope::{URL_BYTES_MAX, normal};

/// Most links that are taken from one page.
pub(crate) const LINKS_MAX: usize = 100_000;
/// Longest name of a generator that is kept.
const GENERATOR_CHARS_MAX: usize = 60;

/// Links and statements of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Links {
    /// Absolute and in normal form, in the order of the page, each once.
    pub(crate) urls: Vec<Url>,
    /// The page's own word on its proper URL.
    pub(crate) canonical: Option<Url>,
    /// The program that made the page, by its own word.
    pub(crate) generator: Option<String>,
}

/// Reads the links of an HTML text that came from `url`.
pub(crate) fn links(url: &Url, html: &str, name: &str) -> Links {
    let mut reader = Reader {
        base: url.clone(),
        has_base: false,
        follows: true,
        name: name.to_ascii_lowercase(),
        found: Links::default(),
        seen: std::collections::HashSet::new(),
    };
    for token in Tokens::new(html, Syntax::ScriptedHtml) {
        if let TokenKind::Start(tag) = token.kind {
            reader.tag(&tag);
        }
    }
    if !reader.follows {
        reader.found.urls.clear();
    }
    reader.found
}

struct Reader {
    base: Url,
    has_base: bool,
    /// Cleared by `<meta name=robots content=nofollow>`.
    follows: bool,
    /// What robots call us, in lower case.
    name: String,
    found: Links,
    seen: std::collections::HashSet<Url>,
}

impl Reader {
    fn tag(&mut self, tag: &Tag<'_>) {
        let value = |name: &str| tag.attribute(name);
        match tag.name().to_ascii_lowercase().as_str() {
            "base" if !self.has_base => {
                if let Some(base) = value("href").and_then(|href| self.base.join(href.trim()).ok())
                {
                    self.base = base;
                    self.has_base = true;
                }
            }
            "a" | "area" => {
                let is_followed = !has_word(value("rel").as_deref(), &["nofollow"]);
                if let (true, Some(href)) = (is_followed, value("href")) {
                    self.add(&href);
                }
            }
            "iframe" | "frame" => {
                if let Some(source) = value("src") {
                    self.add(&source);
                }
            }
            "link" => self.link(value("rel").as_deref(), value("href").as_deref()),
            "meta" => self.meta(
                &value("name")
                    .or_else(|| value("http-equiv"))
                    .unwrap_or_default(),
                &value("content").unwrap_or_default(),
            ),
            _ => {}
        }
    }

    fn link(&mut self, rel: Option<&str>, href: Option<&str>) {
        let Some(href) = href else {
            return;
        };
        if has_word(rel, &["canonical"]) && self.found.canonical.is_none() {
            self.found.canonical = self.join(href);
        }
        if has_word(
            rel,
            &[
                "next",
                "prev",
                "alternate",
                "canonical",
                "contents",
                "index",
                "start",
                "up",
            ],
        ) && !has_word(rel, &["nofollow", "stylesheet"])
        {
            self.add(href);
        }
    }

    fn meta(&mut self, name: &str, content: &str) {
        let name = name.trim().to_ascii_lowercase();
        match name.as_str() {
            "generator" if self.found.generator.is_none() => {
                self.found.generator = generator(content);
            }
            "refresh" => {
                let target = content
                    .split_once([';', ','])
                    .map(|(_, target)| target.trim());
                let target = target.map(|target| {
                    let bare = target
                        .get(..3)
                        .filter(|key| key.eq_ignore_ascii_case("url"));
                    let rest = if bare.is_some() {
                        target[3..].trim_start()
                    } else {
                        target
                    };
                    rest.strip_prefix('=')
                        .unwrap_or(rest)
                        .trim()
                        .trim_matches(['"', '\''])
                });
                if let Some(target) = target.filter(|target| !target.is_empty()) {
                    self.add(target);
                }
            }
            _ if name == "robots" || name == self.name => {
                let words = content.to_ascii_lowercase();
                if words
                    .split(',')
                    .any(|word| matches!(word.trim(), "nofollow" | "none"))
                {
                    self.follows = false;
                }
            }
            _ => {}
        }
    }

    fn join(&self, href: &str) -> Option<Url> {
        if href.len() > 2 * URL_BYTES_MAX {
            return None;
        }
        normal(self.base.join(href.trim()).ok()?)
    }

    fn add(&mut self, href: &str) {
        if self.found.urls.len() >= LINKS_MAX {
            return;
        }
        if let Some(url) = self.join(href)
            && self.seen.insert(url.clone())
        {
            self.found.urls.push(url);
        }
    }
}

fn has_word(value: Option<&str>, words: &[&str]) -> bool {
    value.is_some_and(|value| {
        value
            .split_ascii_whitespace()
            .any(|found| words.iter().any(|word| found.eq_ignore_ascii_case(word)))
    })
}

/// The name of the program and its main version: `WordPress 6`, `Drupal 10`. Finer versions would split the table.
pub(crate) fn generator(content: &str) -> Option<String> {
    let content = content.split(['(', ';', ',', '|']).next()?;
    let mut name = String::new();
    for word in content.split_whitespace() {
        let is_version = word
            .trim_start_matches(['v', 'V'])
            .starts_with(|first: char| first.is_ascii_digit());
        if !name.is_empty() {
            name.push(' ');
        }
        if is_version {
            let digits = word.trim_start_matches(['v', 'V']);
            name.push_str(
                digits
                    .split(|c: char| !c.is_ascii_digit())
                    .next()
                    .unwrap_or_default(),
            );
            break;
        }
        if word == "-" {
            break;
        }
        name.push_str(word);
    }
    let name: String = name
        .trim()
        .chars()
        .filter(|c| !c.is_control())
        .take(GENERATOR_CHARS_MAX)
        .collect();
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::{generator, links};

    fn found(html: &str) -> Vec<String> {
        let url = Url::parse("http://a.com/dir/page").unwrap();
        links(&url, html, "reprise")
            .urls
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn what_leads_to_pages() {
        let html = "<a href='b'>1</a><A HREF=\"/c?x=1&amp;y=2#frag\">2</A><area href=//b.com/d><iframe src=e></iframe>\
            <link rel='Next' href=f><link rel=stylesheet href=g.css><img src=h.png><a href='b#again'>\
            <meta http-equiv=refresh content='5; URL=\"i\"'><a href=' j \n'><a name=x><a href='mailto:x@y.z'>";
        assert_eq!(
            found(html),
            [
                "http://a.com/dir/b",
                "http://a.com/c?x=1&y=2",
                "http://b.com/d",
                "http://a.com/dir/e",
                "http://a.com/dir/f",
                "http://a.com/dir/i",
                "http://a.com/dir/j",
            ]
        );
    }

    #[test]
    fn what_is_not_markup() {
        let html = "<!-- <a href=1> --><script>'<a href=2>'</script><style><a href=3></style>\
            <title><a href=4></title><textarea><a href=5></textarea><a href=6";
        assert_eq!(found(html), Vec::<String>::new());
    }

    #[test]
    fn nofollow() {
        assert_eq!(
            found("<a rel='external NoFollow' href=x><a href=y>"),
            ["http://a.com/dir/y"]
        );
        assert!(found("<meta name=robots content='noindex, NOFOLLOW'><a href=x>").is_empty());
        assert!(found("<a href=x><meta name=Reprise content=none>").is_empty());
        assert_eq!(
            found("<meta name=otherbot content=none><a href=x>").len(),
            1
        );
    }

    #[test]
    fn base_and_canonical() {
        let url = Url::parse("http://a.com/x/").unwrap();
        let html = "<base href='/y/'><base href='/z/'><link rel=canonical href='w?u=1'><a href=v>";
        let found = links(&url, html, "reprise");
        assert_eq!(found.canonical.unwrap().as_str(), "http://a.com/y/w?u=1");
        assert_eq!(found.urls[1].as_str(), "http://a.com/y/v");
    }

    #[test]
    fn generators() {
        let check = |content: &str, expected: Option<&str>| {
            assert_eq!(generator(content).as_deref(), expected, "{content}");
        };
        check("WordPress 6.4.2", Some("WordPress 6"));
        check("Drupal 10 (https://www.drupal.org)", Some("Drupal 10"));
        check("Joomla! - Open Source Content Management", Some("Joomla!"));
        check("MediaWiki 1.41.0-wmf.5", Some("MediaWiki 1"));
        check("Hugo v0.120.4", Some("Hugo 0"));
        check("TYPO3 CMS", Some("TYPO3 CMS"));
        check("  ", None);
    }
}
