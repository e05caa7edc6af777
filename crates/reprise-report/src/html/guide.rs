//! The section "How to read this".

use maud::{Markup, html};

/// The body of the section.
pub(crate) fn guide() -> Markup {
    html! {
        dl.guide {
            dt { "Chunk" }
            dd {
                "A piece of a page: HTML is cut before every paragraph and division, plain text at blank lines. \
                 Two chunks are the same when nothing but white space differs; then they have the same fingerprint."
            }
            dt { "Label" }
            dd {
                "A chunk (or a whole file) that counts as copied. Discovery takes those with more occurrences, pages or \
                 sites than its threshold. Sites tell most: a menu is on many pages of one site, a copied text on many sites."
            }
            dt { "Stop chunk" }
            dd {
                "A chunk that proves nothing, however often it occurs: without visible text, too short, or on a list of \
                 such chunks. Stop chunks are removed from the labels and from the pages before anything is computed."
            }
            dt { "Contains" }
            dd {
                "The share of a page\u{2019}s chunks that are labels, repeats counted: 0 if none is, 1 if the page holds \
                 nothing else. A page without chunks has none."
            }
            dt { "Neighbourhood" }
            dd {
                "All pages below one URL prefix: a host, then each of its directories. A page belongs to every \
                 neighbourhood above it."
            }
            dt { "Badness" }
            dd {
                "How much is copied in a neighbourhood: the mean of its pages\u{2019} contains, or, where pooled was \
                 chosen, all its matched chunks divided by all its chunks. One page of many copied chunks weighs more in the second."
            }
            dt { "Threshold" }
            dd {
                "Unless it was given, the mean plus one standard deviation, over all pages for contains and over all \
                 neighbourhoods for badness. A page above it is a target, a neighbourhood above it is bad: both \
                 stand out from this corpus. That is relative: where everything is copied, nothing stands out."
            }
            dt { "Copier and source" }
            dd {
                "Which is which is a guess from what the corpus holds. The true source may not be in it. A shared text \
                 is not a proof of wrong: licences, quotations and press releases are shared on purpose."
            }
            dt { "Near-copy" }
            dd {
                "A page whose five-word phrases are, for the most part, those of another page. Each was compared with \
                 the page that stands for its cluster, so nothing is in a cluster for the sake of a page in between."
            }
            dt { "Popular shingle" }
            dd {
                "A shingle is five words in a row, drawn from a page by one of 84 rules that are the same for all pages; it is \
                 popular if many pages have it, near-copies aside. A phrase that is never drawn is not seen, so what is \
                 said of a page is said of its 84 shingles."
            }
            dt { "Donor" }
            dd {
                "A page that has popular shingles of another. Donors are chosen one after another: the page with most of \
                 what is still missing, from other sites as long as these have any of it. Whether a donor was really \
                 copied from, or had its phrases from a third page, is not known."
            }
            dt { "Monster" }
            dd {
                "A site stitched together from other sites\u{2019} pages: ten pages or more, 30 popular shingles or more a \
                 page in the mean, a standard deviation below 15, and more than half of these phrases from other sites."
            }
            dt { "Unique page, exact and near duplicate of a crawl" }
            dd {
                "Where the corpus was crawled by reprise: a page is an exact duplicate if an earlier page has the same plain \
                 text, a near duplicate if the fuzzy hashes of the two texts are alike enough, and unique if neither is so. \
                 What is unique depends on which page came first."
            }
        }
    }
}
