//! The phrases of pages, read back from their archives.

use reprise_ingest::{Page, RecordLimits};
use reprise_near::PhraseSource;
use reprise_shingle::Shingler;
use reprise_store::PageRef;
use reprise_store::{Corpus, StoreError};
use reprise_text::stretches;

use crate::archive_reader::ArchivePages;

/// Reads the phrases of a corpus's pages.
pub struct ArchivePhrases<'c> {
    /// The corpus.
    pub corpus: &'c Corpus,
    /// Hard limits on a record.
    pub limits: RecordLimits,
    /// Threads to use.
    pub threads: usize,
}

impl PhraseSource for ArchivePhrases<'_> {
    fn read(
        &self,
        pages: &[PageRef],
        give: &mut dyn FnMut(usize, Result<Vec<u64>, String>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let archives = ArchivePages {
            corpus: self.corpus,
            limits: self.limits,
            threads: self.threads,
        };
        let take = || {
            let mut shingler = Shingler::new();
            move |page: &Page<'_>| {
                shingler.clear();
                if let Some((content, text)) = page.text {
                    stretches(content, text, |stretch| shingler.add(stretch));
                }
                shingler.phrases().to_vec()
            }
        };
        archives.read(pages, take, give)
    }
}
