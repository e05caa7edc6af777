//! The plain text of pages, read back from their archives and converted.

use reprise_convert::Converter;
use reprise_fuzzy::Digest;
use reprise_ingest::{Page, RecordLimits};
use reprise_near::{GiveText, PhraseSource, PlainText, TextSource};
use reprise_shingle::Shingler;
use reprise_store::PageRef;
use reprise_store::{Corpus, StoreError};

use crate::archive_reader::ArchivePages;
use crate::plain::plain_of;

/// Reads the plain text of a corpus's pages, in whatever format they are.
pub struct ArchiveTexts<'c> {
    /// The corpus.
    pub corpus: &'c Corpus,
    /// Hard limits on a record.
    pub limits: RecordLimits,
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

    /// Reads the texts of these pages, in any order, and gives what is made of each by its index in the list:
    /// nothing where there is no text, or why it cannot be read.
    pub(crate) fn read_texts<T: Send>(
        &self,
        pages: &[PageRef],
        make: &(dyn Fn(&str) -> T + Sync),
        give: &mut dyn FnMut(usize, Result<Option<T>, String>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let take = || |page: &Page<'_>| Ok(self.text(page)?.map(|text| make(&text)));
        self.archives().read(pages, take, &mut |index, taken| {
            give(index, taken.and_then(|taken| taken))
        })
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

impl TextSource<Digest> for ArchiveTexts<'_> {
    fn texts(&self, pages: &[PageRef], give: &mut GiveText<'_, Digest>) -> Result<(), StoreError> {
        self.read_texts(
            pages,
            &|text| PlainText::of(text, Digest::of(text.as_bytes())),
            give,
        )
    }
}
