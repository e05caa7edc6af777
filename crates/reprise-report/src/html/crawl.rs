//! The section "How it was crawled".

mod causes;
mod growth;
mod tables;

use maud::{Markup, html};

use crate::html::parts::tile;
use crate::html::text;
use crate::numbers::{bytes, choose, count, counted, percent, share};
use crate::results::{CrawlEndReason, CrawlSummary};
use growth::Curves;

/// Most addresses that a crawl is said to have begun at.
const SEEDS_MAX: usize = 3;

/// The body of the section.
pub(crate) fn crawl(crawl: &CrawlSummary) -> Markup {
    let curves = Curves::of(&crawl.growth);
    html! {
        p { (fetched(crawl)) }
        p { (coming(&curves)) " " (ending(crawl)) }
        (tiles(crawl, &curves))
        h3 { "When new content stopped coming" }
        (growth::growth(&curves, crawl.stopped.as_ref()))
        h3 { "Why there are duplicates" }
        (causes::causes(crawl))
        h3 { "Which programs make duplicates" }
        (tables::generators(crawl))
        h3 { "Suspected traps" }
        (tables::suspects(crawl))
        h3 { "What was not asked for" }
        (tables::refused(crawl))
        h3 { "What went wrong" }
        (tables::problems(crawl))
    }
}

/// The result of a crawl in a sentence.
pub(crate) fn sentence(crawl: &CrawlSummary) -> String {
    format!(
        "The crawl met {} with text; {} ({}) {} unique, the others have the text of an earlier page, nearly so, \
         or belong to a trap.",
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
            " " (counted(crawl.trap_pages, "page")) " more " (choose(crawl.trap_pages, "belongs", "belong"))
            " to patterns that go on and on without anything new."
        }
        @if !rest.is_empty() { " Beside pages, there were " (listed(&rest)) "." }
    }
}

fn beginning(seeds: &[String]) -> Markup {
    html! {
        @for (index, seed) in seeds.iter().take(SEEDS_MAX).enumerate() {
            @if index == 0 { "From " } @else { ", " }
            (text::url(seed))
        }
        @if seeds.len() > SEEDS_MAX {
            " and " (addresses((seeds.len() - SEEDS_MAX) as u64)) " more"
        }
        @if !seeds.is_empty() { " on, " }
    }
}

/// "a, b and c".
fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// When unique pages came.
fn coming(curves: &Curves) -> String {
    let (Some(half), Some(most), Some(last)) = (
        curves.reached(1, 2),
        curves.reached(9, 10),
        curves.reached(1, 1),
    ) else {
        return "No page with new content came.".to_owned();
    };
    let after = curves.pages().saturating_sub(last);
    let after = match after {
        0 => "new content came to the very end".to_owned(),
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

/// Why the crawl ended.
fn ending(crawl: &CrawlSummary) -> String {
    let left = match crawl.left {
        0 => String::new(),
        left => format!(
            " {} {} heard of and not fetched.",
            addresses(left),
            choose(left, "was", "were")
        ),
    };
    let Some(stopped) = &crawl.stopped else {
        return format!("The crawl ended when nothing was left to fetch.{left}");
    };
    match &stopped.reason {
        CrawlEndReason::NothingNew => format!(
            "The stop rule ended the crawl: of the last {}, {} brought new content. If the pages that are left are \
             like these, at most {} of them have any, with a confidence of {}. This is a reason to stop, not a \
             proof: what nothing links to yet is not counted.{left}",
            counted(stopped.window.unwrap_or(0), "page"),
            match stopped.new.unwrap_or(0) {
                0 => "none".to_owned(),
                new => count(new),
            },
            percent(stopped.bound),
            percent(stopped.confidence),
        ),
        CrawlEndReason::Pages => format!(
            "The crawl ended because it had as many pages as were asked for; there may be more.{left}"
        ),
        CrawlEndReason::Asked => format!(
            "The crawl was told to end; it goes on where it ended when it is started again.{left}"
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
            (tile(curves.reached(1, 1).unwrap_or(0), "pages until the last new one", "in the order of the crawl"))
            (tile(crawl.exact, "exact duplicates", &of_pages(crawl.exact)))
            (tile(crawl.near, "near duplicates", &of_pages(crawl.near)))
            (tile(crawl.trap_pages, "pages of traps", &of_pages(crawl.trap_pages)))
            (tile(crawl.left, "addresses left", "heard of, not fetched"))
        }
    }
}

/// "1 address", "2 addresses".
fn addresses(number: u64) -> String {
    format!(
        "{} {}",
        count(number),
        choose(number, "address", "addresses")
    )
}

#[cfg(test)]
mod tests {
    use super::{Curves, coming, ending, listed};
    use crate::results::{CrawlEnd, CrawlEndReason, CrawlSummary};

    #[test]
    fn lists_in_words() {
        let parts = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(listed(&parts), "a, b and c");
        assert_eq!(listed(&parts[..2]), "a and b");
        assert_eq!(listed(&parts[..1]), "a");
    }

    #[test]
    fn when_new_content_came() {
        let curves = Curves::of(&[[1, 1, 0, 0], [2, 2, 0, 0], [3, 2, 1, 0], [4, 2, 1, 1]]);
        assert_eq!(
            coming(&curves),
            "Half of the unique pages had come by page 1, 90% of them by page 2 and the last by page 2; \
             the 2 pages after it (50%) brought nothing new."
        );
        assert!(
            coming(&Curves::of(&[[1, 1, 0, 0]])).ends_with("new content came to the very end.")
        );
        assert_eq!(coming(&Curves::of(&[])), "No page with new content came.");
    }

    #[test]
    fn every_ending_has_words() {
        let mut crawl = CrawlSummary::default();
        assert_eq!(
            ending(&crawl),
            "The crawl ended when nothing was left to fetch."
        );
        crawl.left = 1;
        for (reason, words) in [
            (CrawlEndReason::NothingNew, "The stop rule ended the crawl"),
            (CrawlEndReason::Pages, "as many pages as were asked for"),
            (CrawlEndReason::Asked, "was told to end"),
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
            assert!(said.ends_with("1 address was heard of and not fetched."));
        }
    }
}
