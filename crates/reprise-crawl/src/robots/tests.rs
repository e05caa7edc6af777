use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::{BYTES_MAX, Robots, fits};

fn robots(file: &str) -> Robots {
    Robots::parse(file.as_bytes(), "reprise")
}

/// The paths of `paths` that are allowed.
fn allowed<'p>(file: &str, paths: &[&'p str]) -> Vec<&'p str> {
    let robots = robots(file);
    paths
        .iter()
        .copied()
        .filter(|path| robots.allows(path))
        .collect()
}

#[test]
fn the_longest_rule_decides() {
    let file = "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\nDisallow:\n";
    assert_eq!(
        allowed(file, &["/", "/a", "/abc", "/a/b", "/a/b/x", "/a/b/c", "/A"]),
        ["/", "/a/b", "/a/b/x", "/A"]
    );
    assert_eq!(
        allowed("User-agent: *\nDisallow: /x\nAllow: /x", &["/x"]),
        ["/x"]
    );
    assert_eq!(
        allowed("User-agent: *\nDisallow: /", &["/", "/x", "/robots.txt"]),
        ["/robots.txt"]
    );
}

#[test]
fn wildcards() {
    let file = "User-agent: *\nDisallow: /*.gif$\nDisallow: /*/print/\nDisallow: /q?*id=\nDisallow: /end$\n";
    assert_eq!(
        allowed(
            file,
            &[
                "/a.gif",
                "/a.gif?x",
                "/a/print/1",
                "/print/1",
                "/q?a=1&id=2",
                "/end",
                "/end/",
                "/q"
            ]
        ),
        ["/a.gif?x", "/print/1", "/end/", "/q"]
    );
}

#[test]
fn groups_are_merged_and_the_own_one_wins() {
    let file = "User-agent: *\nDisallow: /\n\nUser-agent: other\nUser-agent: Reprise/2.0\nDisallow: /one\n\n\
                User-agent: third\nDisallow: /three\nUser-agent: reprise\nDisallow: /two # comment\nCrawl-delay: 2.5\n";
    assert_eq!(
        allowed(file, &["/", "/one", "/two", "/three"]),
        ["/", "/three"]
    );
    assert_eq!(robots(file).delay, Some(Duration::from_millis(2500)));
    // An own group without a rule allows all.
    assert_eq!(
        allowed("User-agent: *\nDisallow: /\nUser-agent: reprise\n", &["/x"]),
        ["/x"]
    );
    // Rules before any group are nobody's.
    assert_eq!(allowed("Disallow: /\n", &["/x"]), ["/x"]);
    // A name that only begins like ours is another's.
    assert_eq!(
        allowed("User-agent: reprisebot\nDisallow: /\n", &["/x"]),
        ["/x"]
    );
}

#[test]
fn spellings_of_real_files() {
    let file =
        "\u{feff}USER-AGENT : *\r\nDISALLOW:/é\r\nDisallow: /%7euser\r\rdisallow: /A%2fb\r\n";
    assert_eq!(
        allowed(file, &["/%C3%A9", "/%c3%a9x", "/~user", "/A%2Fb", "/A/b"]),
        ["/A/b"]
    );
    let file = "<html><body>Not found</body></html>";
    assert_eq!(robots(file), Robots::allow_all());
    let file =
        "Sitemap: http://a.com/s.xml\nUser-agent: *\nCrawl-delay: soon\nSitemap:http://a.com/t.xml";
    assert_eq!(
        robots(file).sitemaps,
        ["http://a.com/s.xml", "http://a.com/t.xml"]
    );
    assert_eq!(robots(file).delay, None);
}

#[test]
fn ten_megabytes_are_read_to_the_limit() {
    let mut file = "User-agent: *\nDisallow: /first\n".to_owned();
    while file.len() < 10 << 20 {
        file.push_str("Disallow: /*a*a*a*a*a*a*a*b$\n");
    }
    file.push_str("Disallow: /last\n");
    let start = Instant::now();
    let robots = robots(&file);
    assert!(!robots.allows("/first") && robots.allows("/last"));
    assert!(robots.allows(&format!("/{}", "a".repeat(200))));
    assert!(robots.rules.len() < BYTES_MAX / 20);
    assert!(start.elapsed() < Duration::from_secs(20));
}

/// The slow twin of [`fits`].
fn fits_slowly(pattern: &[u8], path: &[u8]) -> bool {
    match pattern {
        [] => true,
        [b'$'] => path.is_empty(),
        [b'*', rest @ ..] => (0..=path.len()).any(|skip| fits_slowly(rest, &path[skip..])),
        [first, rest @ ..] => path.first() == Some(first) && fits_slowly(rest, &path[1..]),
    }
}

proptest! {
    #[test]
    fn wildcards_as_by_definition(pattern in "[ab*]{0,8}[$]?", path in "[ab]{0,12}") {
        prop_assert_eq!(fits(pattern.as_bytes(), path.as_bytes()), fits_slowly(pattern.as_bytes(), path.as_bytes()));
    }

    #[test]
    fn any_bytes_are_read(file in proptest::collection::vec(any::<u8>(), 0..300), path in "/[a-z%*$]{0,20}") {
        Robots::parse(&file, "reprise").allows(&path);
    }
}
