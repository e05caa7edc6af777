//! Is each page what it can be, and are its chunks where they can be?

use parquet::data_type::{AsBytes, ByteArray};
use reprise_text::Content;
use reprise_url::Site;

use super::rows::Rows;
use crate::error::StoreError;
use crate::schema::{CHUNKS, FINGERPRINTS, PAGES, SOURCES};
use crate::segment::Segment;

/// Texts of a page, each UTF-8.
const TEXTS: [&str; 5] = ["url", "host", "site", "media_type", "charset"];

/// Numbers of a page, none below zero.
const NUMBERS: [&str; 5] = ["bytes", "chunks", "offset", "length", "within"];

/// Checks the pages for themselves, and what they refer to.
pub(super) fn check_pages(segment: &Segment<'_>) -> Result<(), StoreError> {
    let sources = segment.summary().rows(SOURCES.name) as i64;
    let damaged = |detail: String| StoreError::damaged(&segment.file(&PAGES), detail);
    let pages = segment.pages()?;
    for group in 0..pages.groups() {
        let found = pages.ints(group, "source")?;
        if let Some(source) = found.iter().find(|source| !(0..sources).contains(*source)) {
            return Err(damaged(format!("a page of source {source}, of {sources}")));
        }
        for column in NUMBERS {
            if let Some(number) = pages
                .ints(group, column)?
                .iter()
                .find(|number| **number < 0)
            {
                return Err(damaged(format!("a page with the {column} {number}")));
            }
        }
        let mut texts = Vec::new();
        for column in TEXTS {
            let values = pages.texts(group, column)?;
            if values.iter().any(|value| text(value).is_none()) {
                return Err(damaged(format!("a {column} that is not UTF-8")));
            }
            texts.push(values);
        }
        let addresses = pages.optional_texts(group, "ip")?;
        if (addresses.iter().flatten()).any(|value| text(value).is_none()) {
            return Err(damaged("an ip that is not UTF-8".to_owned()));
        }
        for (row, url) in texts[0].iter().enumerate() {
            let [url, host, site] = [url, &texts[1][row], &texts[2][row]].map(|value| text(value));
            check_site(url, host, site).map_err(damaged)?;
        }
        let chunks = pages.ints(group, "chunks")?;
        for (content, chunks) in pages.texts(group, "content")?.iter().zip(chunks) {
            let content = String::from_utf8_lossy(content.as_bytes());
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

fn text(value: &ByteArray) -> Option<&str> {
    std::str::from_utf8(value.as_bytes()).ok()
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
    let damaged = |detail: String| StoreError::damaged(&segment.file(&CHUNKS), detail);
    let ranks = segment.summary().rows(FINGERPRINTS.name) as i64;
    let is_mail = mail_sources(segment)?;
    let (pages, chunks) = (segment.pages()?, segment.chunks()?);
    let mut pages = Rows::new(&pages, ["bytes", "chunks", "source"]);
    let mut chunks = Rows::new(&chunks, ["page", "start", "length", "rank"]);
    let (mut page, mut number) = (0, 0_u64);
    while let Some([bytes, count, source]) = pages.next()? {
        let is_mail =
            usize::try_from(source).is_ok_and(|source| is_mail.get(source) == Some(&true));
        let text_bytes_max = text_bytes_max(bytes, is_mail);
        let mut end = 0;
        for _ in 0..count {
            let Some([of, start, length, rank]) = chunks.next()? else {
                let detail = format!("page {page} with {count} chunks has fewer");
                return Err(StoreError::damaged(&segment.file(&PAGES), detail));
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
        let formats = sources.texts(group, "format")?;
        is_mail
            .extend((formats.iter()).map(|format| matches!(format.as_bytes(), b"mail" | b"mbox")));
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
