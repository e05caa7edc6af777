//! A crawl of a site with many causes of duplicates.

use std::collections::BTreeSet;

use reprise_crawl::{Cause, CrawlEndReason, Order, archives, summary_of};

use crate::server::{Reply, Request, Server, html, not_found, redirect, response, text};
use crate::{config, run};

pub(crate) const ARTICLES: usize = 40;

/// Returns pseudo-random words.
pub(crate) fn prose(seed: usize, words: usize) -> String {
    let mut state = seed as u64 * 7919 + 13;
    let mut out = String::new();
    for _ in 0..words {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let mut value = state >> 33;
        for _ in 0..3 + value % 5 {
            out.push(char::from(b'a' + (value % 26) as u8));
            value = value / 26 + 17;
        }
        out.push(' ');
    }
    out
}

fn article(number: usize, extra: &str) -> String {
    format!(
        "<html><head><meta name=generator content='WordPress 6.4'></head><body><h1>Article {number}</h1><p>{}</p>{extra}\
         <a href='/a/{}'>next</a></body></html>",
        prose(number, 150),
        (number + 1) % ARTICLES
    )
}

/// Answers for the site: articles, each also with a session, as a view for printing and with another parameter; an
/// endless calendar; redirects.
pub(crate) fn answer(request: &Request<'_>) -> Reply {
    let (path, query) = request.path.split_once('?').unwrap_or((request.path, ""));
    let components: Vec<&str> = path.split('/').skip(1).collect();
    match components.as_slice() {
        ["robots.txt"] => text("User-agent: *\nDisallow: /private/\n"),
        ["sitemap.xml"] => text("<urlset><url><loc>/only-in-the-sitemap</loc></url></urlset>"),
        [""] => {
            let links: Vec<String> = (0..ARTICLES / 2)
                .map(|number| format!("<a href='/a/{number}'>a</a> "))
                .collect();
            let links = links.concat();
            html(&format!(
                "{} {links} <a href='/private/x'>p</a><a href='/old'>o</a><a href='/loop/1'>l</a><a href=/gone>g</a>\
                 <a href='http://127.0.0.1:1/out'>out</a><a href='http://localhost/out'>out</a><a href='/leave'>x</a>\
                 <a href='/calendar?month=1'>c</a><a href='/xy/xy/xy/xy/'>trap</a><a href='/picture.png'>i</a>",
                prose(9999, 60)
            ))
        }
        ["a", number] => match number.parse::<usize>() {
            Ok(number) if number < ARTICLES => html(&article(
                number,
                &format!(
                    "<a href='/a/{number}?sid={}'>s</a><a href='/print/{number}'>p</a><a href='/a/{number}?from=home'>f</a>",
                    query.len() + number * 7
                ),
            )),
            _ => not_found(),
        },
        ["print", number] => {
            let number: usize = number.parse().unwrap();
            html(&article(number, ""))
        }
        ["calendar"] => {
            let month: usize = query.trim_start_matches("month=").parse().unwrap_or(0);
            html(&format!(
                "<p>Events of month {month}: none. Mon Tue Wed Thu Fri</p><a href='/calendar?month={}'>next</a>",
                month + 1
            ))
        }
        ["only-in-the-sitemap"] => html(&prose(777, 100)),
        ["old"] => redirect("/a/3"),
        ["leave"] => redirect("http://127.0.0.1:1/"),
        ["loop", number] => redirect(if *number == "1" { "/loop/2" } else { "/loop/1" }),
        ["picture.png"] => Reply::Keep(response(
            "200 OK",
            "Content-Type: image/png\r\n",
            b"\x89PNG\r\n",
        )),
        _ => not_found(),
    }
}

#[test]
fn duplicates_are_found_with_their_causes() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(answer);
    let mut config = config(&server.url("/"), directory.path());
    config.stop.enabled = true;
    // The calendar is much longer than this.
    config.depth_max = 2000;
    let (summary, notes) = run(&config);
    println!(
        "{} pages: {} unique, {} exact, {} near; {:?}, {} left; suspects {:?}",
        summary.pages,
        summary.unique,
        summary.exact,
        summary.near,
        summary.stopped,
        summary.left,
        summary.suspects
    );

    for number in 0..ARTICLES {
        assert_eq!(notes.verdict(&format!("/a/{number}")), "unique");
    }
    assert_eq!(notes.verdict("/only-in-the-sitemap"), "unique");
    assert_eq!(notes.verdict("/gone"), "error");
    assert_eq!(notes.verdict("/picture.png"), "not_text");
    assert_eq!(notes.verdict("/old"), "redirect");
    assert!(
        (summary.stopped.as_ref()).is_some_and(|end| end.reason == CrawlEndReason::NothingNew),
        "{:?}",
        summary.stopped
    );
    // The unique pages are the articles, the front page, the page of the sitemap, and some months.
    let months = summary.unique as usize - ARTICLES - 2;
    assert!(months <= 60, "{months} months");

    let log = server.log();
    let distinct: BTreeSet<&String> = log.iter().collect();
    assert_eq!(distinct.len(), log.len(), "every URL is requested once");
    assert!(
        !log.iter()
            .any(|path| path.contains("out") || path.contains("private") || path.contains("xy/xy"))
    );
    assert_eq!(
        (summary.refused.robots, summary.traps, summary.refused.scope),
        (1, 1, 3)
    );
    assert_eq!(crate::problem(&summary, "redirect_loop"), 1);
    assert_eq!(summary.fetched, log.len() as u64);

    let count = |cause: Cause| {
        let row = summary
            .causes
            .iter()
            .find(|row| row.cause == cause.as_str())
            .unwrap();
        row.exact + row.near
    };
    assert!(
        count(Cause::Session) > 10 && count(Cause::Print) > 10,
        "{:?}",
        summary.causes
    );
    for row in &summary.duplicates {
        let number = |url: &str| {
            url.split(['?', '/'])
                .filter_map(|part| part.parse::<usize>().ok())
                .next_back()
        };
        let (page, of) = (&row.url, &row.of);
        assert!(
            page.contains("calendar") || number(page) == number(of),
            "{page} {of}"
        );
    }
    let wordpress = &summary.generators[0];
    assert_eq!(wordpress.generator, "WordPress 6");
    assert_eq!(wordpress.unique, ARTICLES as u64);

    let again = summary_of(directory.path(), &config).unwrap();
    assert_eq!(
        (again.unique, again.exact, again.near),
        (summary.unique, summary.exact, summary.near)
    );
    assert_eq!(again.duplicates, summary.duplicates);
    assert_eq!(again.growth, summary.growth);
}

#[test]
fn the_archives_hold_every_response() {
    use std::sync::Arc;

    use reprise_ingest::{BatchReader, Batches, InputConfig, Inputs, Item};

    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(answer);
    let mut config = config(&server.url("/"), &directory.path().join("warc"));
    config.pages_max = 60;
    config.archive_bytes_max = 20_000;
    let (summary, notes) = run(&config);
    assert_eq!(
        summary.stopped.map(|end| end.reason),
        Some(CrawlEndReason::Pages)
    );
    assert_eq!(notes.arrived.borrow().len(), 60);
    assert!(summary.archives.len() > 2, "{:?}", summary.archives);

    let input = InputConfig {
        base_url: None,
        spool_directory: directory.path().into(),
        passed_by: Vec::new(),
        limits: config.limits,
    };
    let names: Vec<String> = (archives(&config.directory).iter())
        .map(|path| path.to_string_lossy().into_owned())
        .collect();
    let sources: Arc<[_]> = Inputs::open(&names, &input).unwrap().sources.into();
    let mut batches = Batches::new(sources.clone(), config.limits);
    let mut reader = BatchReader::new(sources, config.limits);
    let mut urls = Vec::new();
    while let Some(batch) = batches.next_batch() {
        reader.read(&batch, None, &mut |_, item| match item {
            Item::Page(page) => urls.push(page.url.to_owned()),
            Item::Problem(problem) => assert_eq!(problem.kind.as_str(), "not_text"),
            Item::Record(_) => {}
        });
    }
    assert_eq!(urls.len() as u64, summary.fetched);
    assert_eq!(urls.iter().collect::<BTreeSet<_>>().len(), urls.len());
}

/// Returns the number of requests until every article was seen.
fn requests_needed(order: Order) -> usize {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(answer);
    let mut config = config(&server.url("/"), directory.path());
    config.order = order;
    config.pages_max = 600;
    let (_, notes) = run(&config);
    let arrived = notes.arrived.borrow();
    let last = arrived
        .iter()
        .rposition(|(path, verdict)| verdict == "unique" && !path.contains("calendar"));
    last.unwrap() + 1
}

#[test]
fn learned_order_needs_fewer_requests() {
    let (learned, breadth) = (
        requests_needed(Order::Learned),
        requests_needed(Order::Breadth),
    );
    println!("all unique pages after {learned} requests in learned order, {breadth} breadth first");
    assert!(learned * 10 < breadth * 9, "{learned} {breadth}");
}
