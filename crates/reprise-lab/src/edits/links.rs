//! Links with another host, as on a copied site.

use std::ops::Range;

use reprise_text::Content;
use reprise_text::tokens::{TokenKind, Tokens};

use super::Splice;
use crate::page::Page;

/// The beginning of every rewritten link.
const HOST: &str = "https://copy.example/";

/// Returns an edit for each link. The edit changes the host and keeps the path.
///
/// The links of an HTML page are the values of `href` and `src` that are URLs or paths. The links of other texts are
/// the URLs that begin with `http://` or `https://`.
pub(super) fn rewritten(page: &Page) -> Vec<Splice> {
    let text = page.text();
    let links = if page.reading().content == Content::Html {
        in_attributes(page)
    } else {
        in_words(text)
    };
    let rewrite = |span: Range<usize>| Splice {
        with: format!("{HOST}{}", path(&text[span.clone()])),
        span,
    };
    links.into_iter().map(rewrite).collect()
}

fn in_attributes(page: &Page) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for token in Tokens::new(page.text(), page.syntax()) {
        let TokenKind::Start(tag) = token.kind else {
            continue;
        };
        for attribute in tag.attributes() {
            let is_link = attribute.has_name("href") || attribute.has_name("src");
            if is_link && leads_elsewhere(attribute.value) {
                found.push(attribute.value_span.start..attribute.value_span.end);
            }
        }
    }
    found
}

/// Returns true if the value of an attribute is a URL or a path, and not a fragment, a script or data.
fn leads_elsewhere(value: &str) -> bool {
    let scheme_end =
        value.find(|char: char| !char.is_ascii_alphanumeric() && !"+-.".contains(char));
    let scheme = scheme_end.filter(|&end| value[end..].starts_with(':'));
    let is_fetched = scheme.is_none_or(|end| {
        value[..end].eq_ignore_ascii_case("http") || value[..end].eq_ignore_ascii_case("https")
    });
    is_fetched && !value.trim().is_empty() && !value.starts_with('#') && !value.starts_with(HOST)
}

fn in_words(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].find("http") {
        let start = at + next;
        let rest = &text[start..];
        let is_end = |char: char| char.is_whitespace() || "<>\"'()[]{}".contains(char);
        let end = start + rest.find(is_end).unwrap_or(rest.len());
        let is_address = rest.starts_with("http://") || rest.starts_with("https://");
        if is_address {
            found.push(start..end);
        }
        at = if is_address {
            end
        } else {
            start + "http".len()
        };
    }
    found
}

/// Returns the part of a link after the host.
fn path(link: &str) -> &str {
    let after_scheme = link.split_once("//").filter(|(scheme, _)| {
        scheme.is_empty() || scheme.ends_with(':') && !scheme.contains(['/', '?', '#'])
    });
    let path = after_scheme.map_or(link, |(_, rest)| {
        rest.find(['/', '?', '#']).map_or("", |at| &rest[at..])
    });
    path.trim_start_matches('/')
}

#[cfg(test)]
mod tests {
    use super::{leads_elsewhere, path};

    #[test]
    fn paths_are_kept() {
        let known = [
            ("https://a.example/b/c?d#e", "b/c?d#e"),
            ("http://a.example", ""),
            ("http://a.example?q=//", "?q=//"),
            ("//a.example/b", "b"),
            ("/b/c", "b/c"),
            ("c.html", "c.html"),
            ("c?to=http://x.example/", "c?to=http://x.example/"),
        ];
        for (link, expected) in known {
            assert_eq!(path(link), expected, "{link}");
        }
    }

    #[test]
    fn only_urls_and_paths_are_links() {
        for link in [
            "a.html",
            "/",
            "HTTP://a.example",
            "//a",
            "?page=2",
            "a:b/../c".trim_start_matches("a:"),
        ] {
            assert!(leads_elsewhere(link), "{link}");
        }
        for other in [
            "",
            " ",
            "#top",
            "javascript:void(0)",
            "mailto:a@b.example",
            "data:,x",
            "https://copy.example/a",
        ] {
            assert!(!leads_elsewhere(other), "{other}");
        }
    }
}
