//! Finds the neighbourhoods of a URL.

/// Returns all directory prefixes of a URL, the host first. The prefixes of `http://a.org/x/y/z.html?q` are
/// `a.org/`, `a.org/x/` and `a.org/x/y/`.
///
/// `host` is the host as stored in a corpus: lower case, without port. The prefixes of a URL without a
/// host begin with its scheme: `file:///`, `file:///tmp/`. A URL without `/`, such as the id of a row, has
/// no prefixes.
pub fn prefixes(url: &str, host: &str) -> Vec<String> {
    let mut deepest = String::new();
    directory(url, host, &mut deepest);
    deepest
        .match_indices('/')
        .map(|(at, _)| at + 1)
        // `file:///` is one level, not three.
        .filter(|&end| end > first_level(&deepest))
        .map(|end| deepest[..end].to_owned())
        .collect()
}

/// Replaces `found` by the longest directory prefix of a URL, or by an empty string if the URL has none.
pub(crate) fn directory(url: &str, host: &str, found: &mut String) {
    found.clear();
    let (scheme, rest) = match url.find("://") {
        // The URL begins with `://` and has no scheme.
        Some(0) => ("", &url[3..]),
        Some(at) => url.split_at(at + 3),
        None => ("", url),
    };
    let rest = &rest[..rest.find(['?', '#']).unwrap_or(rest.len())];
    let (start, path) = if host.is_empty() {
        (scheme, rest)
    } else {
        (host, rest.find('/').map_or("/", |at| &rest[at..]))
    };
    if let Some(end) = path.rfind('/') {
        found.push_str(start);
        found.push_str(&path[..=end]);
    }
}

/// Returns the position after the scheme, or 0. The slashes before it are not directory levels.
pub(crate) fn first_level(directory: &str) -> usize {
    directory.find("://").map_or(0, |at| at + 3)
}

#[cfg(test)]
mod tests {
    use super::prefixes;

    #[test]
    fn every_directory_is_a_prefix() {
        let check = |url: &str, host: &str, expected: &[&str]| {
            assert_eq!(prefixes(url, host), expected, "{url}");
        };
        check(
            "http://a.org/x/y/z.html?q=/w/",
            "a.org",
            &["a.org/", "a.org/x/", "a.org/x/y/"],
        );
        check("http://a.org", "a.org", &["a.org/"]);
        check("https://A.org:8080/x#/y/", "a.org", &["a.org/"]);
        check(
            "http://a.org//x/",
            "a.org",
            &["a.org/", "a.org//", "a.org//x/"],
        );
        check("file:///tmp/a.html", "", &["file:///", "file:///tmp/"]);
        check("row 17", "", &[]);
        check("en/row 17", "", &["en/"]);
        check("", "", &[]);
        let deep = format!("http://a.org/{}x", "d/".repeat(96));
        assert_eq!(prefixes(&deep, "a.org").len(), 97);
    }
}
