//! Crawler traps: URLs that a loop in the web graph made, not an author.
//!
//! Two rules (docs/traps.md has the measured false-positive rate):
//! a path of more than 96 components, and a path that repeats itself. A path repeats itself when
//! one component follows itself ([`REPEATS_MIN`] times, `/next/next/next/next/`), when a run of
//! several components follows itself ([`RUN_REPEATS_MIN`] times, `/a/b/a/b/a/b/`), or when one
//! component stands [`OCCURRENCES_MIN`] or more times anywhere. Honest paths repeat a component now
//! and then (`/docs/en/docs/`, `/0/0/0/`); they do not go in circles.

/// Longest honest path, in components: the gap that the papers found in the distribution.
pub const COMPONENTS_MAX: usize = 96;
/// A component that stands so often in succession is a loop.
pub const REPEATS_MIN: usize = 4;
/// A run of two or more components that stands so often in succession is a loop.
pub const RUN_REPEATS_MIN: usize = 3;
/// A component that is in one path so often is a loop.
pub const OCCURRENCES_MIN: usize = 6;

/// Why a URL is a trap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trap {
    /// More than [`COMPONENTS_MAX`] components.
    Deep(usize),
    /// This run of components follows itself again and again.
    Loop(String),
    /// This component is in the path again and again.
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

/// Is this URL a crawler trap?
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

/// A quick look, because nearly no path is a trap: are there two components of the same length that begin and
/// end with the same letters, or seem so? Of more than 64, there always are.
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

/// A run of components that follows itself again and again.
fn find_loop(components: &[&str]) -> Option<String> {
    (1..=components.len() / RUN_REPEATS_MIN).find_map(|period| {
        let repeats = if period == 1 {
            REPEATS_MIN
        } else {
            RUN_REPEATS_MIN
        };
        // Components equal to the one a period before, in succession.
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

/// Single characters in succession tell nothing: archives and mirrors shard by them (`/0/0/0/0/`). Nor do the steps of a
/// relative link that nobody has taken (`/../../../../`).
fn is_telling(unit: &[&str]) -> bool {
    let is_uniform = unit.iter().all(|component| *component == unit[0]);
    !is_uniform || !is_short(unit[0])
}

/// Is a component a single character, maybe escaped, or a step up?
fn is_short(component: &str) -> bool {
    const ESCAPE_BYTES: usize = 3;
    // No character has more than four bytes.
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
    // In encodings of old, a character is a byte or two that are no UTF-8.
    let text = String::from_utf8_lossy(&bytes);
    text == ".." || text.chars().nth(1).is_none()
}

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

/// The path of a URL, without query and fragment.
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

    /// A path of so many components, none like another.
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
    fn honest_paths_are_not() {
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
