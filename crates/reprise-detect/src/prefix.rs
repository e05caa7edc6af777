//! The neighbourhoods of a URL.

/// Every directory prefix of a URL, the host first: `a.org/`, `a.org/x/`, `a.org/x/y/` for
/// `http://a.org/x/y/z.html?q`.
///
/// The host is given as the corpus has it (lower case, without port). A URL without a host lies in
/// the directories of what it has instead: `file:///`, `file:///tmp/`. A URL without any `/`, such
/// as the id of a row, lies in no neighbourhood.
pub fn prefixes(url: &str, host: &str) -> Vec<String> {
    let directory = directory(url, host);
    directory
        .match_indices('/')
        .map(|(at, _)| at + 1)
        // The slashes of `file:///` are one beginning, not three levels.
        .filter(|&end| end > first_level(&directory))
        .map(|end| directory[..end].to_owned())
        .collect()
}

/// The deepest neighbourhood of a URL; empty where it lies in none.
pub(crate) fn directory(url: &str, host: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let rest = &rest[..rest.find(['?', '#']).unwrap_or(rest.len())];
    if host.is_empty() {
        let end = rest.rfind('/').map_or(0, |at| at + 1);
        if end == 0 {
            return String::new();
        }
        return if scheme.is_empty() {
            rest[..end].to_owned()
        } else {
            format!("{scheme}://{}", &rest[..end])
        };
    }
    let path = rest.find('/').map_or("/", |at| &rest[at..]);
    let end = path.rfind('/').map_or(0, |at| at + 1);
    format!("{host}{}", &path[..end])
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
