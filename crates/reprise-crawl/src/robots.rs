//! Parses robots.txt by RFC 9309, with `Crawl-delay` and `Sitemap`.
//!
//! Existing crates either depend on regular expressions (too large for a match with two wildcards) or parse the file
//! again for every URL. This module is about as short as the standard.

use std::time::Duration;

/// The number of bytes that are read. RFC 9309 requires at least 500 KiB.
pub(crate) const BYTES_MAX: usize = 500 << 10;
/// The highest number of sitemaps that are read from one file.
const SITEMAPS_MAX: usize = 1000;

/// The rules of a robots.txt for one crawler.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Robots {
    rules: Vec<Rule>,
    pub(crate) delay: Option<Duration>,
    pub(crate) sitemaps: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
struct Rule {
    pattern: Vec<u8>,
    allows: bool,
}

impl Robots {
    /// Returns rules that allow everything, as a missing file does.
    pub(crate) fn allow_all() -> Robots {
        Robots::default()
    }

    /// Parses the rules for the crawler `name` (`reprise`, without version), or those for `*` if it has none.
    pub(crate) fn parse(file: &[u8], name: &str) -> Robots {
        let file = &file[..file.len().min(BYTES_MAX)];
        let file = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
        let mut own = Group::default();
        let mut any = Group::default();
        let mut sitemaps = Vec::new();
        let mut agents = Agents::default();
        for line in file.split(|byte| matches!(byte, b'\n' | b'\r')) {
            let Some((key, value)) = field(line) else {
                continue;
            };
            match key.as_slice() {
                b"user-agent" | b"useragent" | b"user agent" => agents.name(value, name),
                b"sitemap" if sitemaps.len() < SITEMAPS_MAX => {
                    sitemaps.push(String::from_utf8_lossy(value).into_owned());
                }
                b"allow" | b"disallow" | b"crawl-delay" => {
                    agents.is_open = false;
                    if agents.own {
                        own.add(&key, value);
                    }
                    if agents.any {
                        any.add(&key, value);
                    }
                }
                _ => {}
            }
            own.is_there |= agents.own;
        }
        let group = if own.is_there { own } else { any };
        Robots {
            rules: group.rules,
            delay: group.delay,
            sitemaps,
        }
    }

    /// Returns true if a path (with its query) may be fetched. The longest matching rule decides; a tie allows.
    pub(crate) fn allows(&self, path: &str) -> bool {
        if path == "/robots.txt" {
            return true;
        }
        let path = escaped(path.as_bytes());
        self.rules
            .iter()
            .filter(|rule| matches(&rule.pattern, &path))
            .max_by_key(|rule| (rule.pattern.len(), rule.allows))
            .is_none_or(|rule| rule.allows)
    }
}

/// The merged rules of all groups for one name.
#[derive(Default)]
struct Group {
    is_there: bool,
    rules: Vec<Rule>,
    delay: Option<Duration>,
}

impl Group {
    fn add(&mut self, key: &[u8], value: &[u8]) {
        if key == b"crawl-delay" {
            let seconds = std::str::from_utf8(value)
                .ok()
                .and_then(|text| text.parse::<f64>().ok());
            let valid = seconds.filter(|seconds| (0.0..1e6).contains(seconds));
            self.delay = self.delay.max(valid.map(Duration::from_secs_f64));
        } else if !value.is_empty() {
            self.rules.push(Rule {
                pattern: escaped(value),
                allows: key == b"allow",
            });
        }
    }
}

/// The crawlers to which the following lines apply. Several user-agent lines in a row share these lines.
#[derive(Default)]
struct Agents {
    own: bool,
    any: bool,
    is_open: bool,
}

impl Agents {
    fn name(&mut self, value: &[u8], name: &str) {
        if !self.is_open {
            *self = Agents {
                is_open: true,
                ..Agents::default()
            };
        }
        // The standard has product tokens only. Some files add a version after a slash.
        let token = value
            .split(|byte| matches!(byte, b'/' | b' '))
            .next()
            .unwrap_or_default();
        self.own |= token.eq_ignore_ascii_case(name.as_bytes());
        self.any |= token == b"*";
    }
}

/// Returns the key in lower case and the value of a line, without its comment.
fn field(line: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let line = line.split(|&byte| byte == b'#').next()?;
    let colon = memchr::memchr(b':', line)?;
    let key = line[..colon].trim_ascii().to_ascii_lowercase();
    Some((key, line[colon + 1..].trim_ascii()))
}

/// Returns true if a pattern with `*` and a final `$` matches the start of a path.
///
/// The search only goes back to the latest `*`, so the time is at most the product of both lengths.
fn matches(pattern: &[u8], path: &[u8]) -> bool {
    let (pattern, to_end) = match pattern.strip_suffix(b"$") {
        Some(rest) => (rest, true),
        None => (pattern, false),
    };
    let (mut at, mut seen) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    loop {
        if at == pattern.len() && (!to_end || seen == path.len()) {
            return true;
        }
        if pattern.get(at) == Some(&b'*') {
            at += 1;
            star = Some((at, seen));
        } else if at < pattern.len() && path.get(seen) == Some(&pattern[at]) {
            at += 1;
            seen += 1;
        } else {
            match star {
                Some((after, from)) if from < path.len() => {
                    at = after;
                    seen = from + 1;
                    star = Some((after, from + 1));
                }
                _ => return false,
            }
        }
    }
}

/// Returns the normal form of a path: bytes that are not ASCII are escaped, unreserved characters are not, and escapes
/// are in upper case.
fn escaped(text: &[u8]) -> Vec<u8> {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let mut byte = text[at];
        let mut is_escape = !byte.is_ascii();
        at += 1;
        if byte == b'%' {
            let digit = |place: usize| {
                text.get(place)
                    .and_then(|&byte| (byte as char).to_digit(16))
            };
            if let (Some(high), Some(low)) = (digit(at), digit(at + 1)) {
                byte = (high * 16 + low) as u8;
                is_escape = !(byte.is_ascii_alphanumeric() || b"-._~".contains(&byte));
                at += 2;
            }
        }
        if is_escape {
            out.extend([
                b'%',
                HEX[usize::from(byte >> 4)],
                HEX[usize::from(byte & 15)],
            ]);
        } else {
            out.push(byte);
        }
    }
    out
}

#[cfg(test)]
mod tests;
