//! Hostile and faulty servers: each costs bounded time and memory, is counted, and does not end the crawl.

use std::io::Write;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use reprise_crawl::{FetchError, FetchOne, Scope, fetch_one};

use crate::server::{Reply, Server, html, not_found, redirect, response};
use crate::site::prose;
use crate::{config, fetch_limits, problem, run};

/// Starts a site with a good page, and a page `/bad` that `bad` answers.
fn with_bad(bad: impl Fn(usize) -> Reply + Send + Sync + 'static) -> Server {
    Server::start(move |request| match request.path {
        "/" => html("<p>front <a href=/bad>b</a><a href=/good>g</a>"),
        "/good" => html(&prose(1, 50)),
        "/bad" => bad(request.times),
        _ => not_found(),
    })
}

/// Crawls such a site within 20 seconds. Returns the verdict on the bad page, and the count of a kind of problem.
fn crawl_bad(kind: &str, bad: impl Fn(usize) -> Reply + Send + Sync + 'static) -> (String, u64) {
    let directory = tempfile::tempdir().unwrap();
    let server = with_bad(bad);
    let start = Instant::now();
    let (summary, notes) = run(&config(&server.url("/"), directory.path()));
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(notes.verdict("/good"), "unique");
    assert_eq!(summary.left, 0);
    (notes.verdict("/bad"), problem(&summary, kind))
}

#[test]
fn a_server_that_stalls_is_a_timeout() {
    assert_eq!(
        crawl_bad("timeout", |_| Reply::Stall),
        ("none".to_owned(), 1)
    );
}

#[test]
fn a_slow_header_is_a_timeout() {
    let drip = |_| Reply::Drip(b"HTTP/1.1 200 OK\r\nX-".to_vec());
    assert_eq!(crawl_bad("timeout", drip), ("none".to_owned(), 1));
}

#[test]
fn a_slow_body_is_truncated() {
    let drip = |_| Reply::Drip(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nslow".to_vec());
    assert_eq!(crawl_bad("cut_off", drip), ("unique".to_owned(), 1));
}

#[test]
fn a_body_of_a_gigabyte_is_truncated() {
    let flood = |_| {
        Reply::Flood(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1073741824\r\n\r\n"
                .to_vec(),
        )
    };
    assert_eq!(crawl_bad("cut_off", flood), ("unique".to_owned(), 1));
    let flood = |_| Reply::Flood(b"HTTP/1.1 200 OK\r\nX: ".to_vec());
    assert_eq!(crawl_bad("header_too_large", flood), ("none".to_owned(), 1));
}

#[test]
fn wrong_lengths_are_tolerated() {
    let short = |_| {
        Reply::Close(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 500\r\n\r\nonly this"
                .to_vec(),
        )
    };
    assert_eq!(crawl_bad("cut_off", short), ("unique".to_owned(), 1));
    let long = |_| {
        Reply::Keep(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nthis and much more".to_vec())
    };
    assert_eq!(crawl_bad("cut_off", long), ("unique".to_owned(), 0));
    let chunked = |_| {
        Reply::Close(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nonly".to_vec())
    };
    assert_eq!(crawl_bad("cut_off", chunked), ("unique".to_owned(), 1));
}

#[test]
fn an_answer_that_is_not_http_is_a_problem() {
    assert_eq!(
        crawl_bad("not_http", |_| Reply::Close(
            b"SSH-2.0-OpenSSH_9.6\r\n".to_vec()
        )),
        ("none".to_owned(), 1)
    );
    assert_eq!(
        crawl_bad("disconnected", |_| Reply::Close(Vec::new())),
        ("none".to_owned(), 1)
    );
}

#[test]
fn a_gzip_bomb_is_refused() {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    for _ in 0..100 {
        packer.write_all(&vec![b' '; 1 << 20]).unwrap();
    }
    let bomb = packer.finish().unwrap();
    let reply = move |_| {
        Reply::Keep(response(
            "200 OK",
            "Content-Type: text/html\r\nContent-Encoding: gzip\r\n",
            &bomb,
        ))
    };
    let (verdict, count) = crawl_bad("bomb", reply);
    assert_eq!((verdict.as_str(), count), ("error", 1));
}

#[test]
fn wrong_types_and_charsets_are_tolerated() {
    let reply = |_| {
        Reply::Keep(response(
            "200 OK",
            "Content-Type: text/html; charset=no-such\r\n",
            b"%PDF-1.4 not really \xff\xfe\x00",
        ))
    };
    let (verdict, _) = crawl_bad("cut_off", reply);
    assert!(verdict == "not_text" || verdict == "unique", "{verdict}");
}

#[test]
fn endless_redirects_are_cut() {
    let directory = tempfile::tempdir().unwrap();
    let server =
        Server::start(
            |request| match request.path.trim_start_matches("/r/").parse::<usize>() {
                Ok(number) => redirect(&format!("/r/{}", number + 1)),
                Err(_) if request.path == "/" => html("<a href=/r/0>"),
                Err(_) => not_found(),
            },
        );
    let (summary, _) = run(&config(&server.url("/"), directory.path()));
    assert_eq!(problem(&summary, "too_many_redirects"), 1);
    assert_eq!(summary.redirects, 11);
    let one = FetchOne {
        user_agent: "reprise/0.1".to_owned(),
        allow_private: true,
        fetch: fetch_limits(),
    };
    assert!(matches!(
        fetch_one(&server.url("/r/0"), &one),
        Err(FetchError::TooManyRedirects)
    ));
}

#[test]
fn a_busy_server_is_asked_again_later() {
    for status in ["429 Too Many Requests", "503 Service Unavailable"] {
        let (verdict, _) = crawl_bad("timeout", move |times| match times {
            1 => Reply::Keep(response(status, "Retry-After: 1\r\n", b"later")),
            2 => Reply::Keep(response("500 Oops", "", b"")),
            _ => html(&prose(2, 50)),
        });
        assert_eq!(verdict, "unique");
    }
    let (verdict, _) = crawl_bad("timeout", |_| {
        Reply::Keep(response("500 Oops", "", b"never"))
    });
    assert_eq!(verdict, "error");
}

#[test]
fn private_addresses_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let server = with_bad(|_| not_found());
    let mut config = config(&server.url("/"), directory.path());
    config.allow_private = false;
    let (summary, _) = run(&config);
    assert_eq!((summary.fetched, summary.refused.address), (0, 1));
    assert_eq!(server.log(), Vec::<String>::new());
    // A name is resolved, and its addresses are checked.
    config.seeds = vec![format!("http://localhost:{}/", server.port)];
    let (summary, _) = run(&config);
    assert_eq!((summary.fetched, summary.refused.address), (0, 1));
    assert_eq!(server.log(), Vec::<String>::new());
    let one = FetchOne {
        user_agent: "reprise/0.1".to_owned(),
        allow_private: false,
        fetch: fetch_limits(),
    };
    assert!(matches!(
        fetch_one(&server.url("/"), &one),
        Err(FetchError::PrivateAddress(_))
    ));
}

#[test]
fn a_single_page_is_fetched_through_redirects() {
    let server = Server::start(|request| match request.path {
        "/start" => redirect("/end?x=1"),
        "/end?x=1" => html("here"),
        _ => not_found(),
    });
    let one = FetchOne {
        user_agent: "reprise/0.1".to_owned(),
        allow_private: true,
        fetch: fetch_limits(),
    };
    let fetched = fetch_one(&server.url("/start"), &one).unwrap();
    assert_eq!((fetched.url, fetched.status), (server.url("/end?x=1"), 200));
    assert!(fetched.block.ends_with(b"here"));
    assert_eq!(fetch_one(&server.url("/none"), &one).unwrap().status, 404);
    assert!(matches!(
        fetch_one("ftp://example.com/", &one),
        Err(FetchError::Url)
    ));
}

#[test]
fn a_crawl_stays_within_its_prefix() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(|request| match request.path {
        "/docs/" => html("<a href=/docs/a>a</a><a href=/other>b</a><a href=/docs/c>c</a>"),
        "/docs/a" => html(&prose(5, 40)),
        "/docs/c" => redirect("/other"),
        _ => not_found(),
    });
    let mut config = config(&server.url("/docs/"), directory.path());
    config.scope = Scope::Prefix;
    let (summary, _) = run(&config);
    assert_eq!(
        server.log(),
        [
            "/robots.txt",
            "/docs/",
            "/sitemap.xml",
            "/docs/a",
            "/docs/c"
        ]
    );
    assert_eq!(summary.refused.scope, 1);
}
