use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::{BYTES_MAX, Robots, matches};

fn robots(file: &str) -> Robots {
    Robots::parse(file.as_bytes(), "reprise")
}

/// Returns the allowed ones of `paths`.
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
fn wildcards_match_any_characters() {
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
fn groups_of_one_name_are_merged_and_replace_those_for_all() {
    let file = "User-agent: *\nDisallow: /\n\nUser-agent: other\nUser-agent: Reprise/2.0\nDisallow: /one\n\n\
                User-agent: third\nDisallow: /three\nUser-agent: reprise\nDisallow: /two # comment\nCrawl-delay: 2.5\n";
    assert_eq!(
        allowed(file, &["/", "/one", "/two", "/three"]),
        ["/", "/three"]
    );
    assert_eq!(robots(file).delay, Some(Duration::from_millis(2500)));
    // A group for this crawler without rules allows everything.
    assert_eq!(
        allowed("User-agent: *\nDisallow: /\nUser-agent: reprise\n", &["/x"]),
        ["/x"]
    );
    // Rules before any group apply to no crawler.
    assert_eq!(allowed("Disallow: /\n", &["/x"]), ["/x"]);
    // A longer name is another crawler.
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
fn a_large_file_is_read_up_to_the_limit() {
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

/// The naive version of [`matches`].
fn matches_slowly(pattern: &[u8], path: &[u8]) -> bool {
    match pattern {
        [] => true,
        [b'$'] => path.is_empty(),
        [b'*', rest @ ..] => (0..=path.len()).any(|skip| matches_slowly(rest, &path[skip..])),
        [first, rest @ ..] => path.first() == Some(first) && matches_slowly(rest, &path[1..]),
    }
}

proptest! {
    #[test]
    fn wildcards_match_as_the_naive_version(pattern in "[ab*]{0,8}[$]?", path in "[ab]{0,12}") {
        prop_assert_eq!(matches(pattern.as_bytes(), path.as_bytes()), matches_slowly(pattern.as_bytes(), path.as_bytes()));
    }

    #[test]
    fn any_bytes_are_read(file in proptest::collection::vec(any::<u8>(), 0..300), path in "/[a-z%*$]{0,20}") {
        Robots::parse(&file, "reprise").allows(&path);
    }
}
