//! Crawler traps, and regular URLs that resemble them.

use std::io;

use super::publication::{Publication, Spec};
use crate::crawl::Crawl;
use crate::html::{Layout, push};
use crate::page::{Charset, Page};
use crate::planted::{Declared, Role};
use crate::world::World;

const FAMILY: u64 = 8;
/// The number of components of a URL that is deeper than any regular one.
const DEEP: usize = 104;

/// Paths that repeat: the start, the repeated part, and the number of times.
const LOOPS: [(&str, &str, usize); 10] = [
    ("/", "foo/", 4),
    ("/", "foo/", 9),
    ("/", "a/b/", 3),
    ("/", "a/b/", 6),
    ("/calendar/", "2024/05/", 5),
    ("/calendar/", "2024/05/", 8),
    ("/events/", "next/month/view/", 4),
    ("/events/", "next/month/view/", 7),
    ("/gallery/", "thumbs/large/", 5),
    ("/", "index.php/", 6),
];

/// Paths of regular pages that repeat a component.
const LOOKALIKES: [&str; 7] = [
    "/2024/news/2024/",
    "/docs/en/docs/",
    "/london/hotels/london/",
    "/blog/blog/first-post.html",
    "/src/main/java/org/main/src/readme.html",
    "/a/a/a/index.html",
    "/archive/2024/05/05/2024-05-05.html",
];

pub(crate) fn write(world: &World, crawl: &mut Crawl<'_>, number: usize) -> io::Result<()> {
    let site = Publication::new(world, FAMILY, SPECS, number * 2);
    crawl.page(&site.front_page(Role::Original))?;
    for (start, part, times) in LOOPS {
        let path = format!("{start}{}", part.repeat(times));
        crawl.page(&calendar(&site, &path))?;
    }
    crawl.page(&calendar(&site, &deep_path()))?;

    let regular = Publication::new(world, FAMILY, SPECS, number * 2 + 1);
    crawl.page(&regular.front_page(Role::Original))?;
    for (index, path) in LOOKALIKES.into_iter().enumerate() {
        let (page, _) = regular.page(index, Role::TrapLookalike);
        crawl.page(&Page {
            url: regular.url(path),
            ..page
        })?;
    }
    Ok(())
}

/// Returns a path of many different components.
fn deep_path() -> String {
    (0..DEEP).fold("/".to_owned(), |path, step| format!("{path}d{step}/"))
}

/// Returns a calendar page whose relative links always lead one level deeper.
fn calendar(site: &Publication<'_>, path: &str) -> Page {
    let mut days = String::new();
    for day in 1..=31 {
        let link = format_args!("<a href=\"2024/05/{day:02}/\">{day}</a>");
        push(
            &mut days,
            format_args!("<tr><td>{link}</td><td>No events</td></tr>\n"),
        );
    }
    let content = include_str!("../templates/calendar.html").replace("[[days]]", &days);
    let charset = site.spec.charsets[0];
    let html = site.shell("Events", charset, &content);
    Page::html_in(charset, site.url(path), site.ip, Role::Trap, "en", html)
}

const UTF_8: Charset = Charset {
    name: "UTF-8",
    declared: Declared::Header,
};

const SPECS: &[Spec] = &[
    Spec {
        host: "www.*-events.net",
        title: "Hillcrest Hall",
        word: "hillcrest",
        language: "en",
        topic: "news",
        layout: Layout::Portal,
        prefix: "hh",
        sections: &["hall"],
        path: "/{section}/{slug}-{n}.html",
        articles: 6,
        charsets: &[UTF_8],
    },
    Spec {
        host: "*-manuals.org",
        title: "Stonebridge Manuals",
        word: "stonebridge",
        language: "en",
        topic: "craft",
        layout: Layout::Modern,
        prefix: "sm",
        sections: &["manual"],
        path: "/{section}/{slug}-{n}.html",
        articles: LOOKALIKES.len(),
        charsets: &[UTF_8],
    },
];
