//! The section "How to read this report".

use maud::{Markup, html};

/// Terms and their explanations.
const TERMS: [(&str, &str); 15] = [
    (
        "Chunk",
        "A part of a page. HTML is cut before every paragraph and division, plain text at blank lines. Two chunks are the \
         same if they differ only in white space; they then have the same fingerprint.",
    ),
    (
        "Label",
        "A chunk or file to look for. Discovery labels everything that has more occurrences, pages or sites than a \
         threshold. Sites are the best measure: a menu is on many pages of one site, but a copied text is on many sites.",
    ),
    (
        "Stop chunk",
        "A chunk that is not evidence of copying: it has no visible text, it is too short, or it is on a list of excluded \
         chunks. Stop chunks count neither as labels nor as parts of pages.",
    ),
    ("Copied chunk", "A chunk of a page that is a label."),
    (
        "Share (the papers\u{2019} contains)",
        "The number of a page\u{2019}s copied chunks divided by the number of all its chunks. Repeats count. A page has a \
         share of 0 if no chunk is copied, and of 1 if all are.",
    ),
    (
        "Neighbourhood",
        "All pages below a URL prefix: a host, or a directory of a host. A page belongs to the neighbourhood of each \
         directory above it.",
    ),
    (
        "Badness",
        "The amount of copied content in a neighbourhood: the mean share of its pages or, if pooled badness was chosen, \
         the number of its copied chunks divided by the number of all its chunks. In pooled badness, pages with many \
         chunks weigh more.",
    ),
    (
        "Threshold",
        "If no threshold was given, it is the mean plus one standard deviation, of the shares of all pages or of the \
         badness of all neighbourhoods. A page above the threshold is a target page, and a neighbourhood above it is bad. \
         These words are relative to the corpus: if everything is copied, nothing stands out.",
    ),
    (
        "Source",
        "A page, or the site of a page, that text may have been taken from. The report knows only the pages of the corpus, \
         so the original may be a page that is not in it. Common text is not proof of wrongdoing: licences, quotations and \
         press releases are shared on purpose.",
    ),
    ("Ring", "Two sites that have chunks of each other."),
    (
        "Near-copy",
        "A page with almost the same text as another page. Each page of a cluster was compared with the representative of \
         the cluster, so that a cluster has no page that is only similar to some other member.",
    ),
    (
        "Popular shingle",
        "A shingle is a phrase of five words that one of 84 rules chooses from a page. The rules are the same for all \
         pages. A shingle is popular if many pages have it, near-copies excluded. Phrases that no rule chooses are not \
         examined, so statements about a page are statements about its 84 shingles.",
    ),
    (
        "Sources of a page (the paper\u{2019}s donors)",
        "Other pages that have the popular shingles of a page. They are chosen one after another: the next source is the \
         page with most of the remaining shingles. Pages of other sites are preferred. A source and the page may also both \
         have copied from a third page.",
    ),
    (
        "Stitched site (the paper\u{2019}s monster)",
        "A site made of other sites\u{2019} sentences. It has 10 pages or more, a mean of 30 or more popular shingles per \
         page with a standard deviation below 15, and more than half of these shingles are also on other sites.",
    ),
    (
        "Unique page, exact duplicate and near duplicate",
        "Used for pages that Reprise crawled. A page is an exact duplicate if an earlier page has the same plain text. It is \
         a near duplicate if the fuzzy hashes of the two texts are similar enough. Otherwise it is unique. The result \
         depends on the order of the crawl.",
    ),
];

/// Renders the body of the section.
pub(crate) fn guide() -> Markup {
    html! {
        dl.guide {
            @for (term, meaning) in TERMS {
                dt { (term) }
                dd { (meaning) }
            }
        }
    }
}
