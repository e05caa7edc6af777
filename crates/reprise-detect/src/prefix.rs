//! The neighbourhoods of a URL.

/// Every directory prefix of a URL, the host first: `a.org/`, `a.org/x/`, `a.org/x/y/` for
/// `http://a.org/x/y/z.html?q`.
///
/// The host is given as the corpus has it (lower case, without port). A URL without a host lies in
/// the directories of what it has instead: `file:///`, `file:///tmp/`. A URL without any `/`, such
/// as the id of a row, lies in no neighbourhood.
pub fn prefixes(url: &str, host: &str) -> Vec<String> {
    let mut deepest = String::new();
    directory(url, host, &mut deepest);
    deepest
        .match_indices('/')
        .map(|(at, _)| at + 1)
        // The slashes of `file:///` are one beginning, not three levels.
        .filter(|&end| end > first_level(&deepest))
        .map(|end| deepest[..end].to_owned())
        .collect()
}

/// The deepest neighbourhood of a URL, in place of what `found` held; empty where it lies in none.
pub(crate) fn directory(url: &str, host: &str, found: &mut String) {
    found.clear();
    let (scheme, rest) = match url.find("://") {
        // `://` alone is no scheme.
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

/// Where the first level of a directory may end at the earliest.
pub(crate) fn first_level(directory: &str) -> usize {
    directory.find("://").map_or(0, |at| at + 3)
}

#[cfg(test)]
mod tests {
    use super::prefixes;

    #[test]
    fn a_url_lies_in_all_its_directories() {
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
