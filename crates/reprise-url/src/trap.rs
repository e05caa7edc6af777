//! Crawler traps: URLs that a loop in the web graph produced.
//!
//! A URL is a trap if its path has more than [`COMPONENTS_MAX`] components or repeats itself. A path
//! repeats itself if
//!
//! - one component occurs [`REPEATS_MIN`] times in a row (`/next/next/next/next/`),
//! - a run of several components occurs [`RUN_REPEATS_MIN`] times in a row (`/a/b/a/b/a/b/`), or
//! - one component occurs [`OCCURRENCES_MIN`] times anywhere in the path.
//!
//! Ordinary paths repeat a component less often (`/docs/en/docs/`, `/0/0/0/`). docs/traps.md states the
//! measured false-positive rate.

/// The largest number of components of an ordinary path. The papers found a gap there in the
/// distribution of path lengths.
pub const COMPONENTS_MAX: usize = 96;
/// The number of occurrences in a row from which a component is a loop.
pub const REPEATS_MIN: usize = 4;
/// The number of occurrences in a row from which a run of two or more components is a loop.
pub const RUN_REPEATS_MIN: usize = 3;
/// The number of occurrences in one path from which a component is a loop.
pub const OCCURRENCES_MIN: usize = 6;

/// The reason why a URL is a trap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trap {
    /// The path has more than [`COMPONENTS_MAX`] components: this number.
    Deep(usize),
    /// The path repeats this run of components in a row.
    Loop(String),
    /// The path contains this component too often.
    Repeated(String),
}

impl std::fmt::Display for Trap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Trap::Deep(components) => write!(f, "{components} path components"),
            Trap::Loop(run) => write!(f, "the path runs in a circle: {run}"),
            Trap::Repeated(component) => {
                write!(
                    f,
                    "the path holds {component} {OCCURRENCES_MIN} times or more"
                )
            }
        }
    }
}

/// Returns the reason why the URL is a crawler trap, or `None` if it is not one.
pub fn find_trap(url: &str) -> Option<Trap> {
    let path = path(url);
    if !may_repeat(path) {
        return None;
    }
    let components: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    if components.len() > COMPONENTS_MAX {
        return Some(Trap::Deep(components.len()));
    }
    find_loop(&components)
        .map(Trap::Loop)
        .or_else(|| find_repeated(&components).map(Trap::Repeated))
}

/// Returns false if the path certainly has no two equal components, as nearly all paths do.
///
/// Two components may be equal if their length, first and last byte map to the same of 64 bits. With more
/// than 64 components, two always map to the same bit, so deep paths pass as well.
fn may_repeat(path: &str) -> bool {
    let mut seen = 0_u64;
    path.as_bytes().split(|&byte| byte == b'/').any(|part| {
        let [Some(first), Some(last)] = [part.first(), part.last()] else {
            return false;
        };
        let kind = part.len() + usize::from(*first) * 5 + usize::from(*last) * 23;
        let bit = 1 << (kind % 64);
        let is_seen = seen & bit != 0;
        seen |= bit;
        is_seen
    })
}

/// Returns the first run of components that occurs often enough in a row, the shortest such run first.
fn find_loop(components: &[&str]) -> Option<String> {
    (1..=components.len() / RUN_REPEATS_MIN).find_map(|period| {
        let repeats = if period == 1 {
            REPEATS_MIN
        } else {
            RUN_REPEATS_MIN
        };
        // The number of components in a row that equal the one a period before them.
        let mut run = 0;
        (period..components.len()).find_map(|at| {
            run = if components[at] == components[at - period] {
                run + 1
            } else {
                0
            };
            let unit = &components[at + 1 - period..=at];
            let is_loop = run >= period * (repeats - 1);
            (is_loop && is_telling(unit)).then(|| unit.join("/"))
        })
    })
}

/// Returns true if repetitions of the components indicate a loop.
///
/// Repetitions of a single character do not: archives and mirrors use them to split directories
/// (`/0/0/0/0/`). Unresolved steps of a relative link (`/../../../../`) do not either.
fn is_telling(unit: &[&str]) -> bool {
    let is_uniform = unit.iter().all(|component| *component == unit[0]);
    !is_uniform || !is_short(unit[0])
}

/// Returns true if a component is a single character, possibly escaped, or `..`.
fn is_short(component: &str) -> bool {
    const ESCAPE_BYTES: usize = 3;
    // A character has at most four bytes.
    if component.len() > 4 * ESCAPE_BYTES {
        return false;
    }
    let mut bytes = Vec::new();
    let mut rest = component.as_bytes();
    while let [first, after @ ..] = rest {
        let escaped = (after.get(..2).filter(|_| *first == b'%'))
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() {
            &after[2..]
        } else {
            after
        };
    }
    // In legacy encodings, a character is one or two bytes that are not UTF-8.
    let text = String::from_utf8_lossy(&bytes);
    text == ".." || text.chars().nth(1).is_none()
}

/// Returns the first component, in alphabetical order, that occurs too often in the path.
fn find_repeated(components: &[&str]) -> Option<String> {
    if components.len() < OCCURRENCES_MIN {
        return None;
    }
    let mut sorted = components.to_vec();
    sorted.sort_unstable();
    sorted
        .windows(OCCURRENCES_MIN)
        .find(|window| window[0] == window[OCCURRENCES_MIN - 1] && is_telling(&window[..1]))
        .map(|window| window[0].to_owned())
}

/// Returns the path of a URL, without query and fragment.
fn path(url: &str) -> &str {
    let mut colons = url.match_indices(':').map(|(at, _)| &url[at..]);
    let after_scheme = colons.find_map(|rest| rest.strip_prefix("://"));
    let after_scheme = after_scheme.unwrap_or(url);
    let after_host = after_scheme.find('/').map_or("", |at| &after_scheme[at..]);
    let end = after_host.find(['?', '#']).unwrap_or(after_host.len());
    &after_host[..end]
}

#[cfg(test)]
mod tests {
    use super::{Trap, find_trap};

    /// Returns a path of distinct components.
    fn numbered(components: usize) -> String {
        let names: Vec<String> = (0..components).map(|number| number.to_string()).collect();
        format!("/{}", names.join("/"))
    }

    #[test]
    fn loops_are_traps() {
        let check = |url: &str, expected: &str| {
            let found = find_trap(url).unwrap_or_else(|| panic!("{url} is a trap"));
            assert_eq!(found.to_string(), expected, "{url}");
        };
        check("http://a.com/x1/x1/x1/x1/", "the path runs in a circle: x1");
        check(
            "http://a.com/%41b/%41b/%41b/%41b/",
            "the path runs in a circle: %41b",
        );
        check("http://a.com/%4/%4/%4/%4/", "the path runs in a circle: %4");
        check(
            "http://a.com/a/../a/../a/../",
            "the path runs in a circle: a/..",
        );
        check(
            "http://a.com/a/b/a/b/a/b/",
            "the path runs in a circle: a/b",
        );
        check(
            "http://a.com/en/calendar/next/calendar/next/calendar/next/calendar/next?m=1",
            "the path runs in a circle: calendar/next",
        );
        check(
            "http://a.com/img/a/img/b/img/c/img/d/img/e/img/f",
            "the path holds img 6 times or more",
        );
        let deep = numbered(97);
        assert_eq!(
            find_trap(&format!("http://a.com{deep}")),
            Some(Trap::Deep(97))
        );
    }

    #[test]
    fn ordinary_paths_are_not_traps() {
        for url in [
            "http://a.com/",
            "http://a.com",
            "http://a.com/docs/en/docs/",
            "http://a.com/2024/news/2024/news/",
            "http://a.com/a/a/a/a/a/a/a/page.html",
            "http://a.com/0/0/0/0/0/0/12.png",
            "http://a.com/%41/%41/%41/%41/%41/%41/12.png",
            "http://a.com/%c3%a9/%c3%a9/%c3%a9/%c3%a9/",
            "http://a.com/%e9/%e9/%e9/%e9/",
            "http://a.com/é/é/é/é/é/é/",
            "http://a.com/../../../../../a.html",
            "http://a.com/%2e%2E/%2e%2E/%2e%2E/%2e%2E/a.html",
            "http://a.com/././././././a.html",
            "http://a.com/x1/x1/x1/",
            "http://a.com/page?next=/en/en/en/en/en/en/",
            "http://a.com//////////",
            "urn:uuid:1-2-3",
        ] {
            assert_eq!(find_trap(url), None, "{url}");
        }
        let deep = numbered(96);
        assert_eq!(find_trap(&format!("http://a.com{deep}")), None);
    }
}
