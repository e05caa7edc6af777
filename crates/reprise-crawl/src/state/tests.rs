//! A simulated site of a content-management system, crawled without a network in both orders.

use std::time::Duration;

use reprise_convert::{Converter, PdfTool};
use reprise_ingest::Limits;
use url::Url;

use super::State;
use crate::config::{CrawlConfig, FetchLimits, Order, Scope, StopRule};
use crate::resume::{analyse, analyser};
use crate::verdict::Verdict;

const POSTS: usize = 150;
const PER_PAGE: usize = 10;
const TAGS: usize = 25;

/// Words of this seed, as good as random.
fn prose(seed: usize, words: usize) -> String {
    let mut state = seed as u64 * 1_000_003 + 7;
    (0..words)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let value = state >> 33;
            let letters =
                (0..3 + value % 6).map(|at| char::from(b'a' + ((value >> (at * 3)) % 26) as u8));
            letters.chain([' ']).collect::<String>()
        })
        .collect()
}

/// The page at a path, or nothing. Posts are linked from numbered lists, and each has views, sessions and tags.
fn page(path: &str) -> Option<String> {
    let (place, query) = path.split_once('?').unwrap_or((path, ""));
    let number = |text: &str| text.parse::<usize>().ok();
    let list = |from: usize| -> String {
        let posts = from * PER_PAGE..((from + 1) * PER_PAGE).min(POSTS);
        let links: Vec<String> = posts
            .map(|post| format!("<a href=/post/{post}>{}</a> ", prose(post, 4)))
            .collect();
        let links = links.concat();
        format!("{links}<a href=/list/{}>more</a>", from + 1)
    };
    let menu = "<p>home archive contact imprint <a href=/calendar?month=1>dates</a> <a href=/>home</a></p>";
    let body = match place.split('/').skip(1).collect::<Vec<_>>().as_slice() {
        [""] => format!("{}{}", prose(100_000, 80), list(0)),
        ["list", from] if number(from)? * PER_PAGE < POSTS => list(number(from)?),
        ["post", post] if number(post)? < POSTS => {
            let post = number(post)?;
            let text = prose(post, 200);
            format!(
                "<h1>{post}</h1><p>{text}</p><a href=/print/{post}>print</a> <a href=/post/{post}?sid={}>s</a> \
                 <a href=/post/{post}?lang=en>en</a> <a href=/post/{post}?lang=de>de</a> <a href=/tag/{}/{post}>t</a>",
                post * 31 + query.len(),
                post % TAGS
            )
        }
        ["print", post] => format!("<h1>{post}</h1><p>{}</p>", prose(number(post)?, 200)),
        ["tag", _, post] => format!("<p>{}</p>", prose(number(post)?, 200)),
        ["calendar"] => {
            let month = number(query.strip_prefix("month=")?)?;
            format!(
                "<p>No events in month {month}</p><a href=/calendar?month={}>next</a>",
                month + 1
            )
        }
        _ => return None,
    };
    Some(format!("<html><body>{menu}{body}</body></html>"))
}

fn config(order: Order) -> CrawlConfig {
    CrawlConfig {
        seeds: vec!["http://site.test/".to_owned()],
        directory: std::path::PathBuf::new(),
        scope: Scope::Host,
        depth_max: 1000,
        pages_max: 10_000,
        delay: Duration::ZERO,
        delay_max: Duration::ZERO,
        connections_per_host: 1,
        hosts_at_once: 1,
        user_agent: "reprise".to_owned(),
        obey_robots: true,
        allow_private: false,
        order,
        stop: StopRule {
            window: 200,
            bound: 0.02,
            confidence: 0.95,
            enabled: true,
        },
        similarity: 90,
        again: false,
        sitemaps: false,
        fetch: FetchLimits {
            connect: Duration::ZERO,
            silence: Duration::ZERO,
            total: Duration::ZERO,
            rate_min: 0,
            body_bytes: 0,
            header_bytes: 0,
            retries: 0,
            back_off: Duration::ZERO,
        },
        limits: Limits {
            body_bytes: 1 << 20,
            header_bytes: 1 << 16,
            ratio: 100,
            nesting: 2,
        },
        converter: Converter {
            limits: reprise_convert::ConvertLimits::DEFAULT,
            main_content: false,
            pdf: PdfTool::InProcess,
        },
        archive_bytes_max: 0,
        append: true,
    }
}

/// What a crawl of the site came to.
struct Run {
    /// Requests until 90 % and all of the posts were seen.
    most: usize,
    all: usize,
    /// Requests until the stop rule fired.
    stop: Option<usize>,
    order: Vec<String>,
}

fn run(order: Order, requests_max: usize) -> Run {
    let config = config(order);
    let analyser = analyser(&config);
    let mut state = State::new(&config).unwrap();
    let mut seen = std::collections::BTreeSet::new();
    let mut run = Run {
        most: usize::MAX,
        all: usize::MAX,
        stop: None,
        order: Vec::new(),
    };
    for request in 1..=requests_max {
        let Some(id) = state.frontier.take_next(0) else {
            break;
        };
        let url = Url::parse(&state.frontier.entry(id).url).unwrap();
        run.order.push(url.to_string());
        let path = url.as_str().trim_start_matches("http://site.test");
        let block = match page(path) {
            Some(html) => format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}"),
            None => "HTTP/1.1 404 Not Found\r\n\r\n".to_owned(),
        };
        let purpose = state.frontier.entry(id).purpose;
        let analysis = analyse(&analyser, &url, purpose, block.as_bytes());
        let outcome = state.apply(id, analysis, 0, None).unwrap();
        // Whichever view of a post comes first is the unique one.
        if outcome.verdict == Verdict::Unique
            && !path.contains("calendar")
            && !path.contains("list")
            && path != "/"
        {
            let post = path
                .split('?')
                .next()
                .and_then(|path| path.rsplit('/').next())
                .unwrap()
                .to_owned();
            if seen.insert(post) {
                if seen.len() == POSTS * 9 / 10 {
                    run.most = request;
                }
                if seen.len() == POSTS {
                    run.all = request;
                }
            }
        }
        if run.stop.is_none() && state.window.is_enough() {
            run.stop = Some(request);
        }
    }
    run
}

#[test]
fn learned_order_finds_all_content_sooner() {
    let learned = run(Order::Learned, 1500);
    let breadth = run(Order::Breadth, 1500);
    println!(
        "{POSTS} posts: 90 % after {} requests learned, {} breadth first; all after {} and {}; stop rule after {:?} and {:?}",
        learned.most, breadth.most, learned.all, breadth.all, learned.stop, breadth.stop
    );
    assert!(
        learned.all * 2 < breadth.all,
        "{} {}",
        learned.all,
        breadth.all
    );
    let stop = learned.stop.expect("the rule fires");
    assert!(stop > learned.all && stop < 1500, "{stop}");
}

#[test]
fn the_same_arrivals_give_the_same_order() {
    assert_eq!(
        run(Order::Learned, 200).order,
        run(Order::Learned, 200).order
    );
}
