//! Checks the tables `pages` and `chunks`.

use reprise_text::Content;
use reprise_url::Site;

use super::rows::Rows;
use crate::error::StoreError;
use crate::schema::{Chunks, ColumnOf, Fingerprints, Pages, Sources};
use crate::segment::Segment;
use crate::table::Text;

/// The columns of texts, which must be UTF-8.
const TEXTS: [ColumnOf<Pages, Text>; 5] = [
    Pages::URL,
    Pages::HOST,
    Pages::SITE,
    Pages::MEDIA_TYPE,
    Pages::CHARSET,
];

/// The columns of numbers, which must not be negative.
const NUMBERS: [ColumnOf<Pages, i64>; 5] = [
    Pages::BYTES,
    Pages::CHUNKS,
    Pages::OFFSET,
    Pages::LENGTH,
    Pages::WITHIN,
];

/// Checks each row of `pages`, and that its source exists.
pub(super) fn check_pages(segment: &Segment<'_>) -> Result<(), StoreError> {
    let sources = segment.summary().rows::<Sources>() as i64;
    let damaged = |detail: String| StoreError::damaged(&segment.file::<Pages>(), detail);
    let pages = segment.pages()?;
    for group in 0..pages.groups() {
        let found = pages.read(group, Pages::SOURCE)?;
        if let Some(source) = found.iter().find(|source| !(0..sources).contains(*source)) {
            return Err(damaged(format!(
                "a page is in source {source}, but there are {sources}"
            )));
        }
        for column in NUMBERS {
            let numbers = pages.read(group, column)?;
            if let Some(number) = numbers.into_iter().find(|&number| number < 0) {
                let name = column.column.name;
                return Err(damaged(format!("a page has the value {number} as {name}")));
            }
        }
        let mut texts = Vec::new();
        for column in TEXTS {
            let values = pages.read(group, column)?;
            if values.iter().any(|value| text(value).is_none()) {
                let name = column.column.name;
                return Err(damaged(format!("a value of {name} is not UTF-8")));
            }
            texts.push(values);
        }
        let addresses = pages.read(group, Pages::IP)?;
        if (addresses.iter().flatten()).any(|value| text(value).is_none()) {
            return Err(damaged("a value of ip is not UTF-8".to_owned()));
        }
        for (row, url) in texts[0].iter().enumerate() {
            let [url, host, site] = [url, &texts[1][row], &texts[2][row]].map(|value| text(value));
            check_site(url, host, site).map_err(damaged)?;
        }
        let chunks = pages.read(group, Pages::CHUNKS)?;
        for (content, chunks) in pages.read(group, Pages::CONTENT)?.iter().zip(chunks) {
            let content = String::from_utf8_lossy(content);
            if !is_content(&content) {
                return Err(damaged(format!("a page has the content {content:?}")));
            }
            if content == "binary" && chunks > 0 {
                return Err(damaged("a page without text has chunks".to_owned()));
            }
        }
    }
    Ok(())
}

fn text(value: &[u8]) -> Option<&str> {
    std::str::from_utf8(value).ok()
}

/// Checks that host and site fit the URL. Returns a description of the difference.
///
/// The Public Suffix List and the ASCII forms of some names change over time. The corpus may be older than
/// this version, so the values need not equal those that this version computes.
fn check_site(url: Option<&str>, host: Option<&str>, site: Option<&str>) -> Result<(), String> {
    let (Some(url), Some(host), Some(site)) = (url, host, site) else {
        return Ok(());
    };
    if url.is_ascii() && Site::of(url).host != host {
        return Err(format!("the host {host:?} does not belong to {url}"));
    }
    let is_domain = host
        .strip_suffix(site)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    if !is_domain || site.is_empty() != host.is_empty() {
        return Err(format!("the site {site:?} does not belong to {url}"));
    }
    Ok(())
}

/// Checks that each page has the stated number of chunks, in order, without overlap and within its text.
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
                let detail = format!("page {page} has fewer than the stated {count} chunks");
                return Err(StoreError::damaged(&segment.file::<Pages>(), detail));
            };
            if of != page {
                return Err(damaged(format!(
                    "chunk {number} belongs to page {of}, not {page}"
                )));
            }
            let is_within = start >= end
                && length > 0
                && start
                    .checked_add(length)
                    .is_some_and(|end| end <= text_bytes_max);
            if !is_within {
                return Err(damaged(format!(
                    "chunk {number} has an impossible position in page {page}: {length} bytes from {start}"
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
        Some(_) => Err(damaged(format!("chunk {number} belongs to no page"))),
    }
}

/// Returns the most bytes of text that a body of `bytes` bytes can have. One byte of any charset becomes at
/// most three bytes of UTF-8. In a mail with HTML parts, plain text is also escaped, and parts get tags.
fn text_bytes_max(bytes: i64, is_mail: bool) -> i64 {
    let each = if is_mail { 15 } else { 3 };
    bytes.saturating_mul(each).saturating_add(64)
}

/// Returns, for each source, true if its pages are mails.
fn mail_sources(segment: &Segment<'_>) -> Result<Vec<bool>, StoreError> {
    let sources = segment.sources()?;
    let mut is_mail = Vec::new();
    for group in 0..sources.groups() {
        let formats = sources.read(group, Sources::FORMAT)?;
        is_mail.extend((formats.iter()).map(|format| matches!(format, b"mail" | b"mbox")));
    }
    Ok(is_mail)
}

/// Returns true if `name` is a kind of content. `binary` pages have no text and are not cut into chunks.
fn is_content(name: &str) -> bool {
    name == "binary" || Content::ALL.iter().any(|content| content.as_str() == name)
}

#[cfg(test)]
mod tests {
    use super::check_site;

    #[test]
    fn host_and_site_must_fit_the_url() {
        let check = |url: &str, host: &str, site: &str, is_good: bool| {
            let found = check_site(Some(url), Some(host), Some(site));
            assert_eq!(found.is_ok(), is_good, "{url}: {found:?}");
        };
        check("http://www.a.example/", "www.a.example", "a.example", true);
        check("http://[::1]/", "[::1]", "[::1]", true);
        check("file:///a", "", "", true);
        // The site by another version of the Public Suffix List.
        check("http://me.github.io/", "me.github.io", "github.io", true);
        // The host in another ASCII form.
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
