//! Is each page what it can be, and are its chunks where they can be?

use reprise_text::Content;
use reprise_url::Site;

use super::rows::Rows;
use crate::error::StoreError;
use crate::schema::{Chunks, ColumnOf, Fingerprints, Pages, Sources};
use crate::segment::Segment;
use crate::table::Text;

/// Texts of a page, each UTF-8.
const TEXTS: [ColumnOf<Pages, Text>; 5] = [
    Pages::URL,
    Pages::HOST,
    Pages::SITE,
    Pages::MEDIA_TYPE,
    Pages::CHARSET,
];

/// Numbers of a page, none below zero.
const NUMBERS: [ColumnOf<Pages, i64>; 5] = [
    Pages::BYTES,
    Pages::CHUNKS,
    Pages::OFFSET,
    Pages::LENGTH,
    Pages::WITHIN,
];

/// Checks the pages for themselves, and what they refer to.
pub(super) fn check_pages(segment: &Segment<'_>) -> Result<(), StoreError> {
    let sources = segment.summary().rows::<Sources>() as i64;
    let damaged = |detail: String| StoreError::damaged(&segment.file::<Pages>(), detail);
    let pages = segment.pages()?;
    for group in 0..pages.groups() {
        let found = pages.read(group, Pages::SOURCE)?;
        if let Some(source) = found.iter().find(|source| !(0..sources).contains(*source)) {
            return Err(damaged(format!("a page of source {source}, of {sources}")));
        }
        for column in NUMBERS {
            let numbers = pages.read(group, column)?;
            if let Some(number) = numbers.into_iter().find(|&number| number < 0) {
                let name = column.column.name;
                return Err(damaged(format!("a page with the {name} {number}")));
            }
        }
        let mut texts = Vec::new();
        for column in TEXTS {
            let values = pages.read(group, column)?;
            if values.iter().any(|value| text(value).is_none()) {
                let name = column.column.name;
                return Err(damaged(format!("a {name} that is not UTF-8")));
            }
            texts.push(values);
        }
        let addresses = pages.read(group, Pages::IP)?;
        if (addresses.iter().flatten()).any(|value| text(value).is_none()) {
            return Err(damaged("an ip that is not UTF-8".to_owned()));
        }
        for (row, url) in texts[0].iter().enumerate() {
            let [url, host, site] = [url, &texts[1][row], &texts[2][row]].map(|value| text(value));
            check_site(url, host, site).map_err(damaged)?;
        }
        let chunks = pages.read(group, Pages::CHUNKS)?;
        for (content, chunks) in pages.read(group, Pages::CONTENT)?.iter().zip(chunks) {
            let content = String::from_utf8_lossy(content);
            if !is_content(&content) {
                return Err(damaged(format!("a page with the content {content:?}")));
            }
            if content == "binary" && chunks > 0 {
                return Err(damaged("a page without text that has chunks".to_owned()));
            }
        }
    }
    Ok(())
}

fn text(value: &[u8]) -> Option<&str> {
    std::str::from_utf8(value).ok()
}

/// Compares host and site with the URL.
///
/// The Public Suffix List changes, and so does the ASCII form of some names: what an older version found need not be
/// what this one does.
fn check_site(url: Option<&str>, host: Option<&str>, site: Option<&str>) -> Result<(), String> {
    let (Some(url), Some(host), Some(site)) = (url, host, site) else {
        return Ok(());
    };
    if url.is_ascii() && Site::of(url).host != host {
        return Err(format!("the host {host:?} is not that of {url}"));
    }
    let is_domain = host
        .strip_suffix(site)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    if !is_domain || site.is_empty() != host.is_empty() {
        return Err(format!("the site {site:?} is not that of {url}"));
    }
    Ok(())
}

/// Checks that each page has as many chunks as it says, one behind the other within its text.
pub(super) fn check_chunks(segment: &Segment<'_>) -> Result<(), StoreError> {
    let damaged = |detail: String| StoreError::damaged(&segment.file::<Chunks>(), detail);
    let ranks = segment.summary().rows::<Fingerprints>() as i64;
    let is_mail = mail_sources(segment)?;
    let (pages, chunks) = (segment.pages()?, segment.chunks()?);
    let mut pages = Rows::new(&pages, [Pages::BYTES, Pages::CHUNKS, Pages::SOURCE]);
    let mut chunks = Rows::new(
        &chunks,
        [Chunks::PAGE, Chunks::START, Chunks::LENGTH, Chunks::RANK],
    );
    let (mut page, mut number) = (0, 0_u64);
    while let Some([bytes, count, source]) = pages.next()? {
        let is_mail =
            usize::try_from(source).is_ok_and(|source| is_mail.get(source) == Some(&true));
        let text_bytes_max = text_bytes_max(bytes, is_mail);
        let mut end = 0;
        for _ in 0..count {
            let Some([of, start, length, rank]) = chunks.next()? else {
                let detail = format!("page {page} with {count} chunks has fewer");
                return Err(StoreError::damaged(&segment.file::<Pages>(), detail));
            };
            if of != page {
                return Err(damaged(format!(
                    "chunk {number} is of page {of}, not {page}"
                )));
            }
            let is_within = start >= end
                && length > 0
                && start
                    .checked_add(length)
                    .is_some_and(|end| end <= text_bytes_max);
            if !is_within {
                return Err(damaged(format!(
                    "chunk {number}, {length} bytes from {start}, cannot be where it is in page {page}"
                )));
            }
            if !(0..ranks).contains(&rank) {
                return Err(damaged(format!("chunk {number} has rank {rank}")));
            }
            end = start + length;
            number += 1;
        }
        page += 1;
    }
    match chunks.next()? {
        None => Ok(()),
        Some(_) => Err(damaged(format!("chunk {number} is of no page"))),
    }
}

/// The longest text that a body of so many bytes can become: no encoding needs more than three bytes of UTF-8 for one
/// of its own. In a mail with HTML, plain text is escaped, and parts get tags.
fn text_bytes_max(bytes: i64, is_mail: bool) -> i64 {
    let each = if is_mail { 15 } else { 3 };
    bytes.saturating_mul(each).saturating_add(64)
}

/// For each source, whether its pages are mails.
fn mail_sources(segment: &Segment<'_>) -> Result<Vec<bool>, StoreError> {
    let sources = segment.sources()?;
    let mut is_mail = Vec::new();
    for group in 0..sources.groups() {
        let formats = sources.read(group, Sources::FORMAT)?;
        is_mail.extend((formats.iter()).map(|format| matches!(format, b"mail" | b"mbox")));
    }
    Ok(is_mail)
}

/// Can a page have been cut so? What is no text is not cut at all.
fn is_content(name: &str) -> bool {
    name == "binary" || Content::ALL.iter().any(|content| content.as_str() == name)
}

#[cfg(test)]
mod tests {
    use super::check_site;

    #[test]
    fn sites_that_can_be() {
        let check = |url: &str, host: &str, site: &str, is_good: bool| {
            let found = check_site(Some(url), Some(host), Some(site));
            assert_eq!(found.is_ok(), is_good, "{url}: {found:?}");
        };
        check("http://www.a.example/", "www.a.example", "a.example", true);
        check("http://[::1]/", "[::1]", "[::1]", true);
        check("file:///a", "", "", true);
        // By another list of suffixes.
        check("http://me.github.io/", "me.github.io", "github.io", true);
        // In another ASCII form.
        check(
            "http://\u{fc}.example/",
            "xn--x.example",
            "xn--x.example",
            true,
        );
        check("http://www.a.example/", "www.b.example", "b.example", false);
        check("http://www.a.example/", "www.a.example", "b.example", false);
        check("http://ba.example/", "ba.example", "a.example", false);
        check("http://a.example/", "a.example", "", false);
        check("http://a.example/", "", "", false);
        check("file:///a", "", "a.example", false);
    }
}
