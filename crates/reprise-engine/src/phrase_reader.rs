//! The phrases of pages, read back from their archives.

use reprise_ingest::{Limits, Page};
use reprise_near::PhraseSource;
use reprise_shingle::Shingler;
use reprise_store::PageRef;
use reprise_store::{Corpus, StoreError};
use reprise_text::visible_runs;

use crate::archive_reader::ArchivePages;

/// Reads the phrases of a corpus's pages.
pub struct ArchivePhrases<'c> {
    /// The corpus.
    pub corpus: &'c Corpus,
    /// Hard limits on a record.
    pub limits: Limits,
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
                    visible_runs(content, text, |run| shingler.add(run));
                }
                shingler.phrases().to_vec()
            }
        };
        archives.read(pages, take, give)
    }
}
