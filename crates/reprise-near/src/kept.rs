//! Selects the documents of a corpus without their near-copies, as in the paper.
use std::path::Path;

use reprise_shingle::Shingles;
use reprise_store::{CorpusReader, PageRef, Progress, SiteNumbers, StoreError};

use crate::bands::Bands;
use crate::candidates::closure;
use crate::documents::Documents;
use crate::union::Union;

/// One document of each class of near-copies.
pub struct KeptDocuments {
    documents: Documents,
    /// The indices of the kept documents.
    kept: Vec<u32>,
    /// For each document, the index in `kept` of the kept document of its class.
    place: Vec<u32>,
}

impl KeptDocuments {
    /// Links pages that agree in two of six supershingles, as in the paper. Keeps the first page of each
    /// class of linked pages.
    pub fn read(
        corpus: &CorpusReader,
        memory_bytes: usize,
        temporary: &Path,
        progress: &dyn Progress,
    ) -> Result<KeptDocuments, StoreError> {
        let documents = Documents::read(corpus)?;
        let distinct = documents.distinct();
        let sketches = documents.sketches(corpus, distinct.len(), memory_bytes / 3, temporary)?;
        let mut union = Union::new(distinct.len());
        let count = distinct.len() as u32;
        let memory_bytes = memory_bytes / 3;
        closure(
            &sketches,
            count,
            Bands::PAPER,
            memory_bytes,
            &mut union,
            progress,
        )?;
        let mut number_of = vec![0; documents.all.len()];
        for (number, &document) in (0..).zip(&distinct) {
            number_of[document as usize] = number;
        }
        let mut kept = Vec::new();
        let mut place = vec![0; documents.all.len()];
        for (document, &first) in (0..).zip(&documents.first) {
            let root = distinct[union.root(number_of[first as usize]) as usize];
            // The root of a class is its first document, so its index in `kept` is already known.
            if root == document {
                place[document as usize] = kept.len() as u32;
                kept.push(document);
            } else {
                place[document as usize] = place[root as usize];
            }
        }
        Ok(KeptDocuments {
            documents,
            kept,
            place,
        })
    }

    /// Returns the number of kept documents.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Returns true if no document is kept.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Returns the number of all documents: pages with words.
    pub fn documents(&self) -> u64 {
        self.documents.all.len() as u64
    }

    /// Returns the page of a kept document.
    pub fn page(&self, kept: u32) -> PageRef {
        self.documents.all[self.kept[kept as usize] as usize].page
    }

    /// Returns the number of the site of a kept document.
    pub fn site(&self, kept: u32) -> u32 {
        self.documents.all[self.kept[kept as usize] as usize].site
    }

    /// Returns the numbers of the sites.
    pub fn sites(&self) -> &SiteNumbers {
        &self.documents.sites
    }

    /// Returns the kept document of a page's class, or `None` for a page without words.
    pub fn find(&self, page: PageRef) -> Option<u32> {
        let all = &self.documents.all;
        let document = all
            .binary_search_by_key(&page, |document| document.page)
            .ok()?;
        Some(self.place[document])
    }

    /// Calls `see` with the shingles of each kept document, in order.
    pub fn for_each_shingles(
        &self,
        corpus: &CorpusReader,
        mut see: impl FnMut(u32, &Shingles) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.documents
            .for_each_shingles(corpus, |document, shingles| {
                match self.kept.binary_search(&document) {
                    Ok(place) => see(place as u32, shingles),
                    Err(_) => Ok(()),
                }
            })
    }
}
