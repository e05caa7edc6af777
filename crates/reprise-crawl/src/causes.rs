//! Finds the cause of a duplicate: why two URLs have the same content.
//!
//! Differences between the two URLs are removed one after the other: scheme, host, slash, spelling, order of
//! parameters, sessions, tracking, idle parameters. The step that makes the URLs equal is the cause, so a URL with
//! several of these differences counts under the last one. If the URLs still differ, their words and formats decide.

use std::borrow::Cow;

use percent::decoded;
use reprise_convert::Format;
use url::Url;

use crate::names::{is_session, is_tracking};

/// The reason why a page is a duplicate of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// The page was reached by a redirect from another URL.
    Redirect,
    /// One URL has `http`, the other `https`.
    Scheme,
    /// The same path on another host, such as with and without `www.`.
    Host,
    /// A slash at the end, or the name of the index file.
    Slash,
    /// Upper and lower case, percent escapes, empty directories.
    Spelling,
    /// The same parameters in another order.
    ParameterOrder,
    /// A visitor's session in the URL.
    Session,
    /// Parameters that record where the visitor came from.
    Tracking,
    /// A parameter that does not change the content on this host, as the crawl has learned.
    Parameter,
    /// A view for printing.
    Print,
    /// The same document in another format.
    Format,
    /// A page of a calendar.
    Calendar,
    /// An archive, tag, feed, search or numbered page that repeats the content of other pages.
    Listing,
    /// None of the above, but one page names the other as its canonical URL, or both name the same one.
    Canonical,
    /// None of the above.
    Other,
}

impl Cause {
    /// Every cause, in the order of [`CrawlSummary::causes`](reprise_report::CrawlSummary::causes).
    pub const ALL: [Cause; 15] = [
        Cause::Redirect,
        Cause::Scheme,
        Cause::Host,
        Cause::Slash,
        Cause::Spelling,
        Cause::ParameterOrder,
        Cause::Session,
        Cause::Tracking,
        Cause::Parameter,
        Cause::Print,
        Cause::Format,
        Cause::Calendar,
        Cause::Listing,
        Cause::Canonical,
        Cause::Other,
    ];

    /// Returns the name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Cause::Redirect => "redirect",
            Cause::Scheme => "scheme",
            Cause::Host => "host",
            Cause::Slash => "slash",
            Cause::Spelling => "spelling",
            Cause::ParameterOrder => "parameter_order",
            Cause::Session => "session",
            Cause::Tracking => "tracking",
            Cause::Parameter => "parameter",
            Cause::Print => "print",
            Cause::Format => "format",
            Cause::Calendar => "calendar",
            Cause::Listing => "listing",
            Cause::Canonical => "canonical",
            Cause::Other => "other",
        }
    }
}

/// One of two pages with the same content.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side<'a> {
    pub(crate) url: &'a Url,
    pub(crate) format: Format,
    pub(crate) canonical: Option<&'a str>,
    /// True if a redirect first led to the page.
    pub(crate) by_redirect: bool,
}

/// Returns the reason why `page` has the content of `of`. `is_idle` tells which parameters are idle on this host.
pub(crate) fn cause(page: Side<'_>, of: Side<'_>, is_idle: &dyn Fn(&str) -> bool) -> Cause {
    if page.by_redirect {
        return Cause::Redirect;
    }
    let is_printed = is_print(page.url) != is_print(of.url);
    match alias(page.url, of.url, is_idle) {
        // A parameter such as `print=1` may have been learned to be idle, but its name says more.
        Some(Cause::Parameter) if is_printed => return Cause::Print,
        Some(Cause::Parameter) if is_calendar(page.url) => return Cause::Calendar,
        Some(alias) => return alias,
        None => {}
    }
    let is_html = |format| matches!(format, Format::Html | Format::Xhtml);
    // The other page may have been fetched under an alias of the canonical URL.
    let names = |side: Side<'_>, other: Side<'_>| {
        let named = side.canonical.and_then(|url| Url::parse(url).ok());
        named.is_some_and(|url| url == *other.url || alias(&url, other.url, is_idle).is_some())
    };
    if is_printed {
        Cause::Print
    } else if page.format != of.format && !(is_html(page.format) && is_html(of.format)) {
        Cause::Format
    } else if is_calendar(page.url) {
        Cause::Calendar
    } else if is_view(page.url) || is_view(of.url) {
        Cause::Listing
    } else if names(page, of)
        || names(of, page)
        || (page.canonical.is_some() && page.canonical == of.canonical)
    {
        Cause::Canonical
    } else {
        Cause::Other
    }
}

/// Returns the last difference that must be removed to make the URLs equal; `None` if they still differ.
fn alias(a: &Url, b: &Url, is_idle: &dyn Fn(&str) -> bool) -> Option<Cause> {
    let mut parts = [Parts::of(a), Parts::of(b)];
    if parts[0] == parts[1] {
        // A question mark without parameters.
        return Some(Cause::Spelling);
    }
    let mut after = |cause: Cause, step: &dyn Fn(&mut Parts)| {
        parts.iter_mut().for_each(step);
        (parts[0] == parts[1]).then_some(cause)
    };
    after(Cause::Scheme, &|parts| parts.scheme.clear())
        .or_else(|| after(Cause::Host, &|parts| parts.host.clear()))
        .or_else(|| after(Cause::Slash, &Parts::drop_index))
        .or_else(|| after(Cause::Spelling, &Parts::fold))
        .or_else(|| after(Cause::ParameterOrder, &Parts::sort))
        .or_else(|| after(Cause::Session, &|parts| parts.drop_named(&is_session)))
        .or_else(|| after(Cause::Tracking, &|parts| parts.drop_named(&is_tracking)))
        .or_else(|| after(Cause::Parameter, &|parts| parts.drop_named(is_idle)))
}

/// The parts of a URL in which aliases differ.
#[derive(Debug, PartialEq, Eq)]
struct Parts {
    scheme: String,
    host: String,
    path: String,
    /// The parameters as `name=value`. Those of path components (`;name=value`) come last.
    parameters: Vec<String>,
}

impl Parts {
    fn of(url: &Url) -> Parts {
        let mut path = String::new();
        let mut parameters: Vec<String> = url
            .query()
            .unwrap_or_default()
            .split('&')
            .filter(|parameter| !parameter.is_empty())
            .map(ToOwned::to_owned)
            .collect();
        for component in url.path().split('/').skip(1) {
            let mut pieces = component.split(';');
            path.push('/');
            path.push_str(pieces.next().unwrap_or_default());
            parameters.extend(pieces.map(ToOwned::to_owned));
        }
        Parts {
            scheme: url.scheme().to_owned(),
            host: url[url::Position::BeforeHost..url::Position::AfterPort].to_owned(),
            path,
            parameters,
        }
    }

    /// Removes the name of the index file and a slash at the end.
    fn drop_index(&mut self) {
        let (directory, file) = self.path.rsplit_once('/').unwrap_or(("", &self.path));
        let (stem, extension) = file.split_once('.').unwrap_or((file, ""));
        let is_index = matches!(
            stem.to_ascii_lowercase().as_str(),
            "index" | "default" | "home"
        ) && matches!(
            extension.to_ascii_lowercase().as_str(),
            "html" | "htm" | "php" | "asp" | "aspx" | "jsp" | "shtml" | "cgi" | "xhtml"
        );
        if is_index || file.is_empty() {
            self.path = directory.trim_end_matches('/').to_owned();
        }
    }

    /// Converts to lower case, decodes percent escapes, and removes empty components.
    fn fold(&mut self) {
        let path = decoded(&self.path).to_lowercase();
        self.path = path
            .split('/')
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join("/");
        for parameter in &mut self.parameters {
            *parameter = decoded(&parameter.replace('+', " ")).to_lowercase();
        }
    }

    fn sort(&mut self) {
        self.parameters.sort_unstable();
        self.parameters.dedup();
    }

    fn drop_named(&mut self, is_dropped: &dyn Fn(&str) -> bool) {
        self.parameters
            .retain(|parameter| !is_dropped(parameter.split('=').next().unwrap_or_default()));
    }
}

/// Returns the words of the path and of the names and values of parameters, in lower case.
fn words(url: &Url) -> Vec<String> {
    let path = decoded(url.path()).to_lowercase();
    let query = decoded(url.query().unwrap_or_default()).to_lowercase();
    [path, query]
        .iter()
        .flat_map(|text| text.split(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .map(ToOwned::to_owned)
        .collect()
}

fn is_print(url: &Url) -> bool {
    words(url).iter().any(|word| {
        matches!(
            word.as_str(),
            "print"
                | "printable"
                | "printer"
                | "printview"
                | "printfriendly"
                | "printpage"
                | "printversion"
                | "drucken"
                | "imprimir"
                | "imprimer"
        )
    })
}

fn is_calendar(url: &Url) -> bool {
    let words = words(url);
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    let has_date = words
        .iter()
        .any(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    has(&[
        "calendar",
        "kalender",
        "calendario",
        "calendrier",
        "ical",
        "agenda",
    ]) || (has_date
        && has(&[
            "month", "year", "week", "day", "date", "events", "monat", "jahr", "mes", "mois",
        ]))
}

fn is_view(url: &Url) -> bool {
    let words = words(url);
    words.iter().any(|word| {
        matches!(
            word.as_str(),
            "archive"
                | "archives"
                | "tag"
                | "tags"
                | "category"
                | "categories"
                | "topic"
                | "author"
                | "feed"
                | "rss"
                | "atom"
                | "page"
                | "paged"
                | "offset"
                | "start"
                | "sort"
                | "order"
                | "orderby"
                | "search"
                | "filter"
                | "listing"
                | "list"
                | "label"
        )
    }) || is_dated_listing(url)
}

/// Returns true for the list of a year or month, such as `/2024/` and `/2024/05/`.
fn is_dated_listing(url: &Url) -> bool {
    let mut components = url.path().split('/').filter(|part| !part.is_empty()).rev();
    let is_number = |part: Option<&str>, lengths: std::ops::RangeInclusive<usize>| {
        part.is_some_and(|part| {
            lengths.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    let last = components.next();
    is_number(last, 4..=4) || (is_number(last, 1..=2) && is_number(components.next(), 4..=4))
}

mod percent {
    use super::Cow;

    /// Decodes percent escapes. Invalid UTF-8 is replaced.
    pub(super) fn decoded(text: &str) -> Cow<'_, str> {
        if !text.contains('%') {
            return Cow::Borrowed(text);
        }
        let bytes = text.as_bytes();
        let digit = |at: usize| bytes.get(at).and_then(|&byte| (byte as char).to_digit(16));
        let mut out = Vec::with_capacity(bytes.len());
        let mut at = 0;
        while at < bytes.len() {
            match (bytes[at], digit(at + 1), digit(at + 2)) {
                (b'%', Some(high), Some(low)) => {
                    out.push((high * 16 + low) as u8);
                    at += 3;
                }
                (byte, ..) => {
                    out.push(byte);
                    at += 1;
                }
            }
        }
        Cow::Owned(String::from_utf8_lossy(&out).into_owned())
    }
}

#[cfg(test)]
mod tests;
