//! The section "The crawl".

mod causes;
mod growth;
mod tables;

use maud::{Markup, html};

use crate::html::parts::tile;
use crate::html::text;
use crate::numbers::{bytes, choose, count, counted, percent, share};
use crate::results::{CrawlEndReason, CrawlSummary};
use growth::Curves;

/// The most seeds that are shown.
const SEEDS_MAX: usize = 3;

/// Renders the body of the section.
pub(crate) fn crawl(crawl: &CrawlSummary) -> Markup {
    let curves = Curves::of(&crawl.growth);
    html! {
        p { (fetched(crawl)) }
        p { (coming(&curves)) " " (ending(crawl)) }
        (tiles(crawl, &curves))
        h3 { "New content during the crawl" }
        (growth::growth(&curves, crawl.stopped.as_ref()))
        h3 { "Causes of duplicates" }
        (causes::causes(crawl))
        h3 { "Duplicates by program" }
        (tables::generators(crawl))
        h3 { "Suspected traps" }
        (tables::suspects(crawl))
        h3 { "URLs that were not requested" }
        (tables::refused(crawl))
        h3 { "Problems" }
        (tables::problems(crawl))
    }
}

/// Returns the result of a crawl in a sentence.
pub(crate) fn sentence(crawl: &CrawlSummary) -> String {
    format!(
        "The crawl fetched {} with text. {} ({}) {} unique. The others have the same or nearly the same text as an earlier \
         page, or belong to a trap.",
        counted(crawl.pages, "page"),
        count(crawl.unique),
        share(crawl.unique, crawl.pages),
        choose(crawl.unique, "is", "are"),
    )
}

fn fetched(crawl: &CrawlSummary) -> Markup {
    let rest = [
        (crawl.redirects, "redirect", "redirects"),
        (crawl.errors, "error", "errors"),
        (crawl.not_text, "file without text", "files without text"),
        (
            crawl.unchanged,
            "page that had not changed since it was fetched before",
            "pages that had not changed since they were fetched before",
        ),
    ];
    let rest: Vec<String> = (rest.iter().filter(|rest| rest.0 > 0))
        .map(|&(number, one, many)| format!("{} {}", count(number), choose(number, one, many)))
        .collect();
    html! {
        (beginning(&crawl.seeds))
        (counted(crawl.fetched, "response")) " of " (bytes(crawl.bytes)) " "
        (choose(crawl.fetched, "was", "were")) " fetched"
        @if crawl.resumed > 0 { ", " (count(crawl.resumed)) " of them by earlier runs" }
        "; " (counted(crawl.pages, "page")) " with text " (choose(crawl.pages, "was", "were"))
        " among them. By their text, "
        (count(crawl.unique)) " (" (share(crawl.unique, crawl.pages)) ") "
        (choose(crawl.unique, "is", "are")) " unique, "
        (count(crawl.exact)) " (" (share(crawl.exact, crawl.pages)) ") "
        (choose(crawl.exact, "is an exact duplicate", "are exact duplicates")) " of an earlier page, and "
        (count(crawl.near)) " (" (share(crawl.near, crawl.pages)) ") "
        (choose(crawl.near, "is a near duplicate", "are near duplicates")) "."
        @if crawl.trap_pages > 0 {
            " " (counted(crawl.trap_pages, "more page")) " " (choose(crawl.trap_pages, "belongs", "belong"))
            " to URL patterns that seem endless and have no new content."
        }
        @if !rest.is_empty() { " In addition, there were " (listed(&rest)) "." }
    }
}

fn beginning(seeds: &[String]) -> Markup {
    html! {
        @for (index, seed) in seeds.iter().take(SEEDS_MAX).enumerate() {
            @if index == 0 { "The crawl started at " } @else { ", " }
            (text::url(seed))
        }
        @if seeds.len() > SEEDS_MAX {
            " and " (counted((seeds.len() - SEEDS_MAX) as u64, "other URL"))
        }
        @if !seeds.is_empty() { ". " }
    }
}

/// Joins parts as "a, b and c".
fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Returns a sentence about the time at which unique pages were fetched.
fn coming(curves: &Curves) -> String {
    let (Some(half), Some(most), Some(last)) = (
        curves.reached(1, 2),
        curves.reached(9, 10),
        curves.reached(1, 1),
    ) else {
        return "No page had new content.".to_owned();
    };
    let after = curves.pages().saturating_sub(last);
    let after = match after {
        0 => "there was new content until the end".to_owned(),
        1 => "the 1 page after it brought nothing new".to_owned(),
        after => format!(
            "the {} pages after it ({}) brought nothing new",
            count(after),
            share(after, curves.pages())
        ),
    };
    format!(
        "Half of the unique pages had come by page {}, 90% of them by page {} and the last by page {}; {after}.",
        count(half),
        count(most),
        count(last),
    )
}

/// Returns sentences about the end of the crawl.
fn ending(crawl: &CrawlSummary) -> String {
    let left = match crawl.left {
        0 => String::new(),
        left => format!(
            " {} {} found but not fetched.",
            counted(left, "URL"),
            choose(left, "was", "were")
        ),
    };
    let Some(stopped) = &crawl.stopped else {
        return format!("The crawl ended when all URLs had been fetched.{left}");
    };
    match &stopped.reason {
        CrawlEndReason::NothingNew => format!(
            "The stop rule ended the crawl: of the last {}, {} brought new content. If the remaining pages are \
             like these, at most {} of them have any, with a confidence of {}. This is not a proof: pages that no \
             fetched page links to are unknown.{left}",
            counted(stopped.window.unwrap_or(0), "page"),
            match stopped.new.unwrap_or(0) {
                0 => "none".to_owned(),
                new => count(new),
            },
            percent(stopped.bound),
            percent(stopped.confidence),
        ),
        CrawlEndReason::Pages => format!(
            "The crawl ended because it reached its limit of pages; there may be more.{left}"
        ),
        CrawlEndReason::Asked => format!(
            "The crawl was stopped; it continues from there when it is started again.{left}"
        ),
        CrawlEndReason::Other(other) => format!(
            "The crawl ended early ({}).{left}",
            text::excerpt(other, 60)
        ),
    }
}

fn tiles(crawl: &CrawlSummary, curves: &Curves) -> Markup {
    let of_pages = |number| format!("{} of the pages", share(number, crawl.pages));
    html! {
        ul.tiles {
            (tile(crawl.fetched, "responses", &bytes(crawl.bytes)))
            (tile(crawl.pages, "pages with text", &format!("{} of the responses", share(crawl.pages, crawl.fetched))))
            (tile(crawl.unique, "unique pages", &of_pages(crawl.unique)))
            (tile(curves.reached(1, 1).unwrap_or(0), "pages until the last unique one", "in the order of the crawl"))
            (tile(crawl.exact, "exact duplicates", &of_pages(crawl.exact)))
            (tile(crawl.near, "near duplicates", &of_pages(crawl.near)))
            (tile(crawl.trap_pages, "pages of traps", &of_pages(crawl.trap_pages)))
            (tile(crawl.left, "remaining URLs", "found but not fetched"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Curves, coming, ending, listed};
    use crate::results::{CrawlEnd, CrawlEndReason, CrawlSummary};

    #[test]
    fn parts_are_joined_in_words() {
        let parts = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(listed(&parts), "a, b and c");
        assert_eq!(listed(&parts[..2]), "a and b");
        assert_eq!(listed(&parts[..1]), "a");
    }

    #[test]
    fn the_time_of_new_content_is_described() {
        let curves = Curves::of(&[[1, 1, 0, 0], [2, 2, 0, 0], [3, 2, 1, 0], [4, 2, 1, 1]]);
        assert_eq!(
            coming(&curves),
            "Half of the unique pages had come by page 1, 90% of them by page 2 and the last by page 2; \
             the 2 pages after it (50%) brought nothing new."
        );
        assert!(
            coming(&Curves::of(&[[1, 1, 0, 0]])).ends_with("there was new content until the end.")
        );
        assert_eq!(coming(&Curves::of(&[])), "No page had new content.");
    }

    #[test]
    fn every_end_reason_is_described() {
        let mut crawl = CrawlSummary::default();
        assert_eq!(
            ending(&crawl),
            "The crawl ended when all URLs had been fetched."
        );
        crawl.left = 1;
        for (reason, words) in [
            (CrawlEndReason::NothingNew, "The stop rule ended the crawl"),
            (CrawlEndReason::Pages, "reached its limit of pages"),
            (CrawlEndReason::Asked, "was stopped"),
            (
                CrawlEndReason::Other("moon".to_owned()),
                "ended early (moon)",
            ),
        ] {
            crawl.stopped = Some(CrawlEnd {
                reason,
                ..CrawlEnd::default()
            });
            let said = ending(&crawl);
            assert!(said.contains(words), "{said}");
            assert!(said.ends_with("1 URL was found but not fetched."));
        }
    }
}
