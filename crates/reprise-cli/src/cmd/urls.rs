//! The URLs of a corpus.

use reprise_engine::store::PageRef;
use reprise_engine::store::{AsBytes, Corpus};

/// Calls `see` with every page of a corpus and its URL.
pub(crate) fn for_each_url(
    corpus: &Corpus,
    mut see: impl FnMut(PageRef, &[u8]) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    for (number, segment) in (0..).zip(corpus.segments()) {
        let table = segment.pages()?;
        let mut page = PageRef {
            segment: number,
            page: 0,
        };
        for group in 0..table.groups() {
            for url in table.texts(group, "url")? {
                see(page, url.as_bytes())?;
                page.page += 1;
            }
        }
    }
    Ok(())
}
