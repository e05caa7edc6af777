//! What was read and what was not: the facts below the tiles, and the section "What was skipped".

use maud::{Markup, html};

use crate::data::{CorpusFacts, Skipped};
use crate::html::numbers::{bytes, count, counted};
use crate::html::parts::{empty, scroll_box};
use crate::html::text;

/// How the corpus was made, to make it again.
pub(crate) fn facts(corpus: &CorpusFacts) -> Markup {
    html! {
        dl.corpus {
            div { dt { "corpus" } dd { bdi.url { (text::line(&corpus.path)) } } }
            div { dt { "read" } dd { (bytes(corpus.bytes_in)) " of files, " (bytes(corpus.bytes_body)) " of pages" } }
            div { dt { "kept" } dd { (counted(corpus.segments, "segment")) } }
            div { dt { "fingerprints" } dd { (text::line(&corpus.hash)) " of the chunk\u{2019}s " (text::line(&corpus.chunk)) } }
        }
    }
}

/// The body of the section.
pub(crate) fn skipped(corpus: &CorpusFacts) -> Markup {
    if corpus.skipped.is_empty() {
        return empty("Nothing was skipped: all records that were met are in the corpus.");
    }
    let total = corpus
        .skipped
        .iter()
        .fold(0_u64, |total, skipped| total.saturating_add(skipped.count));
    html! {
        p {
            (counted(total, "record")) " did not become pages or lost a part. Whatever they hold is not in this report."
        }
        (scroll_box("What was skipped", &table(&corpus.skipped)))
    }
}

fn table(skipped: &[Skipped]) -> Markup {
    html! {
        table {
            thead {
                tr {
                    th scope="col" { "Kind" }
                    th scope="col" { "What it means" }
                    th.number scope="col" { "Records" }
                    th scope="col" { "One of them" }
                }
            }
            tbody {
                @for kind in skipped {
                    tr {
                        td { code { (text::line(&kind.kind)) } }
                        td { (text::line(&kind.meaning)) }
                        td.number { (count(kind.count)) }
                        td { (text::url(&kind.example)) }
                    }
                }
            }
        }
    }
}
