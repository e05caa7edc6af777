//! The plain text of pages, read back from their archives and converted.

use reprise_convert::Converter;
use reprise_discover::PageRef;
use reprise_fingerprint::HashKind;
use reprise_fuzzy::Digest;
use reprise_ingest::{Limits, Page};
use reprise_near::{PhraseSource, TextDigest, TextSource};
use reprise_shingle::Shingler;
use reprise_store::{Corpus, StoreError};

use crate::archive_reader::ArchivePages;
use crate::plain::plain_of;

/// Reads the plain text of a corpus's pages, in whatever format they are.
pub struct ArchiveTexts<'c> {
    /// The corpus.
    pub corpus: &'c Corpus,
    /// Hard limits on a record.
    pub limits: Limits,
    /// Threads to use.
    pub threads: usize,
    /// How documents become text.
    pub converter: Converter,
}

impl ArchiveTexts<'_> {
    fn archives(&self) -> ArchivePages<'_> {
        ArchivePages {
            corpus: self.corpus,
            limits: self.limits,
            threads: self.threads,
        }
    }

    /// The text of a page in normal form; nothing where there is none.
    fn text(&self, page: &Page<'_>) -> Result<Option<String>, String> {
        let text = match plain_of(page, &self.converter) {
            Some(Ok(plain)) => plain.normal(),
            Some(Err(error)) => return Err(error.to_string()),
            None => return Ok(None),
        };
        Ok(Some(text).filter(|text| !text.trim().is_empty()))
    }
}

impl PhraseSource for ArchiveTexts<'_> {
    fn read(
        &self,
        pages: &[PageRef],
        give: &mut dyn FnMut(usize, Result<Vec<u64>, String>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let take = || {
            let mut shingler = Shingler::new();
            move |page: &Page<'_>| {
                shingler.clear();
                if let Some(text) = self.text(page)? {
                    shingler.add(&text);
                }
                Ok(shingler.phrases().to_vec())
            }
        };
        self.archives().read(pages, take, &mut |index, taken| {
            give(index, taken.and_then(|taken| taken))
        })
    }
}

impl TextSource for ArchiveTexts<'_> {
    fn digests(
        &self,
        pages: &[PageRef],
        give: &mut dyn FnMut(usize, Result<Option<TextDigest>, String>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let take = || {
            |page: &Page<'_>| {
                let text = self.text(page)?;
                Ok(text.map(|text| TextDigest {
                    fingerprint: HashKind::Sha256.fingerprint(text.as_bytes()),
                    digest: Digest::of(text.as_bytes()),
                    words: text.split(' ').count() as u32,
                }))
            }
        };
        self.archives().read(pages, take, &mut |index, taken| {
            give(index, taken.and_then(|taken| taken))
        })
    }
}
