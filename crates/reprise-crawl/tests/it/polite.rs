//! robots.txt, delays, and conditional requests.

use std::time::{Duration, Instant};

use reprise_crawl::{Cause, Message};

use crate::server::{Reply, Server, html, not_found, redirect, response, text};
use crate::site::prose;
use crate::{config, problem, run};

fn pages(request: &str) -> Reply {
    match request {
        "/" => html("<a href=/a>a</a><a href=/b>b</a><a href=/c/d>c</a>"),
        "/a" => html(&prose(1, 50)),
        "/b" => html(&prose(2, 50)),
        "/c/d" => html(&prose(3, 50)),
        _ => not_found(),
    }
}

#[test]
fn a_large_robots_file_is_read_up_to_the_limit() {
    let directory = tempfile::tempdir().unwrap();
    let mut robots = "User-agent: *\nDisallow: /a\n".to_owned();
    robots.push_str(&"Disallow: /nothing-like-this\n".repeat(360_000));
    robots.push_str("Disallow: /b\n");
    let server = Server::start(move |request| match request.path {
        "/robots.txt" => text(&robots),
        other => pages(other),
    });
    let mut config = config(&server.url("/"), directory.path());
    config.fetch.body_bytes = 16 << 20;
    config.limits.body_bytes = 16 << 20;
    let (summary, notes) = run(&config);
    assert_eq!(
        (notes.verdict("/a"), notes.verdict("/b")),
        ("none".to_owned(), "unique".to_owned())
    );
    assert_eq!(summary.refused.robots, 1);
}

#[test]
fn an_unreachable_robots_file_forbids_everything() {
    for reply in [
        || Reply::Keep(response("500 Oops", "", b"")),
        || Reply::Close(Vec::new()),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let server = Server::start(move |request| match request.path {
            "/robots.txt" if request.times <= 3 => reply(),
            "/robots.txt" => text("User-agent: *\nAllow: /\n"),
            other => pages(other),
        });
        let config = config(&server.url("/"), directory.path());
        let (summary, notes) = run(&config);
        assert_eq!((summary.fetched, summary.refused.robots), (0, 1));
        assert!(matches!(
            notes.messages.borrow().last(),
            Some(Message::RobotsUnreachable { .. })
        ));
        assert_eq!(server.times("/robots.txt"), 3);
        // The next run requests the file again.
        let (summary, _) = run(&config);
        assert_eq!(summary.unique, 4);
    }
}

#[test]
fn a_robots_file_that_redirects_to_a_page_allows_everything() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(move |request| match request.path {
        // Many sites redirect every unknown URL to their front page.
        "/robots.txt" => redirect("/"),
        other => pages(other),
    });
    let (summary, notes) = run(&config(&server.url("/"), directory.path()));
    assert_eq!(summary.unique, 4);
    assert_eq!(notes.verdict("/"), "unique");
}

#[test]
fn delays_are_kept() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(|request| match request.path {
        "/robots.txt" => text("User-agent: reprise\nCrawl-delay: 0.4\n"),
        other => pages(other),
    });
    let start = Instant::now();
    let (summary, _) = run(&config(&server.url("/"), directory.path()));
    assert_eq!(summary.fetched, 6);
    // Six requests have five gaps. The first may be short, because the rule is known only once the robots.txt was read.
    let expected = Duration::from_millis(4 * 400);
    assert!(
        start.elapsed() >= expected && start.elapsed() < expected * 3,
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn unchanged_pages_are_not_sent_again() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(|request| match request.path {
        "/a" if request.head.contains("if-none-match: \"v1\"\r\n") => {
            Reply::Keep(b"HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n".to_vec())
        }
        "/a" => Reply::Keep(response(
            "200 OK",
            "ETag: \"v1\"\r\nContent-Type: text/html\r\n",
            prose(1, 50).as_bytes(),
        )),
        "/b" => html(&prose(if request.times == 1 { 2 } else { 22 }, 50)),
        "/" if request.times == 2 => {
            html("<a href=/a>a</a><a href=/b>b</a><a href=/c/d>c</a><a href=/new>n</a>")
        }
        "/new" => html(&prose(4, 50)),
        other => pages(other),
    });
    let mut config = config(&server.url("/"), directory.path());
    let (summary, _) = run(&config);
    assert_eq!(summary.unique, 4);
    config.again = true;
    let (summary, notes) = run(&config);
    // Two pages have changed, and one is new.
    assert_eq!(summary.unique, 7, "{:?}", notes.arrived);
    let arrived = notes.arrived.borrow();
    let last = |path: &str| {
        arrived
            .iter()
            .rev()
            .find(|(arrived, _)| arrived == path)
            .unwrap()
            .1
            .clone()
    };
    assert_eq!(
        (last("/a"), last("/b"), last("/c/d"), last("/new")),
        (
            "unchanged".to_owned(),
            "unique".to_owned(),
            "unchanged".to_owned(),
            "unique".to_owned()
        )
    );
    drop(arrived);
    // Without `again`, the next run has nothing to do.
    config.again = false;
    let requests = server.log().len();
    let (summary, _) = run(&config);
    assert_eq!((server.log().len(), summary.unique), (requests, 7));
    assert_eq!(problem(&summary, "timeout"), 0);
}

#[test]
fn two_names_of_one_host_share_a_robots_file() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(|request| {
        let host = request
            .head
            .lines()
            .find_map(|line| line.strip_prefix("host: "));
        let port = host.and_then(|host| host.split_once(':')).unwrap().1;
        match request.path {
            // The robots.txt of one name redirects to that of the other.
            "/robots.txt" if request.head.contains("host: localhost") => {
                redirect(&format!("http://127.0.0.1:{port}/robots.txt"))
            }
            "/robots.txt" => text("User-agent: *\nDisallow: /b\n"),
            other => pages(other),
        }
    });
    let mut config = config(
        &format!("http://localhost:{}/", server.port),
        directory.path(),
    );
    config.seeds.push(server.url("/"));
    config.hosts_at_once = 1;
    let (summary, _) = run(&config);
    assert_eq!((summary.unique, summary.exact), (3, 3), "{summary:?}");
    assert_eq!(summary.refused.robots, 2);
    assert!(
        summary
            .duplicates
            .iter()
            .all(|row| row.cause == Cause::Host.as_str())
    );
    assert_eq!(
        (
            server.times("/a"),
            server.times("/b"),
            server.times("/robots.txt")
        ),
        (2, 0, 2)
    );
    assert_eq!(summary.left, 0);
}
