//! The pages that are compared: what is known of each, and its shingles.

use std::path::Path;

use reprise_fingerprint::Fingerprint;
use reprise_shingle::Shingles;
use reprise_store::{Corpus, PageShingles, StoreError};
use reprise_store::{PageRef, SegmentPages, SiteNumbers};

use crate::sketches::{SketchWriter, Sketches};

/// A page with words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Document {
    pub(crate) page: PageRef,
    /// How many words it has.
    pub(crate) words: u32,
    /// Number of its site.
    pub(crate) site: u32,
    /// Milliseconds since 1970; `i64::MAX` where it is not known.
    pub(crate) fetched: i64,
}

/// The pages of a corpus, in order, and which of them say the same.
pub(crate) struct Documents {
    pub(crate) all: Vec<Document>,
    /// For each document, the first with the same words.
    pub(crate) first: Vec<u32>,
    pub(crate) sites: SiteNumbers,
    /// Pages of the corpus, those without words included.
    pub(crate) pages: u64,
}

/// Memory for a document, with all that is kept of it on the way.
pub(crate) const DOCUMENT_BYTES: usize = 96;

impl Documents {
    /// Documents from memory: page `n` of segment 0 is the `n`th of them.
    pub(crate) fn given(given: &[PageShingles]) -> Documents {
        let mut sites = SiteNumbers::default();
        let site = sites.number(b"");
        let all = (0..).zip(given).map(|(page, document)| Document {
            page: PageRef { segment: 0, page },
            words: document.words,
            site,
            fetched: i64::MAX,
        });
        let texts = given
            .iter()
            .zip(0..)
            .map(|(document, number)| (document.text, number));
        let mut documents = Documents {
            all: all.collect(),
            first: Vec::new(),
            sites,
            pages: given.len() as u64,
        };
        documents.find_same(texts.collect());
        documents
    }

    /// Reads what is known of all pages.
    pub(crate) fn read(corpus: &Corpus) -> Result<Documents, StoreError> {
        let mut documents = Documents {
            all: Vec::new(),
            first: Vec::new(),
            sites: SiteNumbers::default(),
            pages: 0,
        };
        let mut texts: Vec<(Fingerprint, u32)> = Vec::new();
        let mut words = Vec::new();
        for (number, segment) in (0..).zip(corpus.segments()) {
            let Some(table) = segment.shingles()? else {
                return Err(StoreError::NoShingles {
                    path: corpus.path().to_owned(),
                });
            };
            let known = SegmentPages::read(&segment, &mut documents.sites)?;
            let mut page = 0;
            for group in 0..table.groups() {
                table.ints_into(group, "words", &mut words)?;
                for (text, &words) in table.fingerprints(group, "text")?.into_iter().zip(&words) {
                    if words > 0 {
                        texts.push((text, documents.all.len() as u32));
                        documents.all.push(Document {
                            page: PageRef {
                                segment: number,
                                page: page as u32,
                            },
                            words: words as u32,
                            site: known.sites[page],
                            fetched: known.fetched[page],
                        });
                    }
                    page += 1;
                }
            }
            documents.pages += page as u64;
        }
        documents.find_same(texts);
        Ok(documents)
    }

    /// Finds the first document with each text.
    pub(crate) fn find_same(&mut self, mut texts: Vec<(Fingerprint, u32)>) {
        texts.sort_unstable();
        self.first = (0..self.all.len() as u32).collect();
        for same in texts.chunk_by(|a, b| a.0 == b.0) {
            for &(_, document) in same {
                self.first[document as usize] = same[0].1;
            }
        }
    }

    /// The documents that are the first to say what they say.
    pub(crate) fn distinct(&self) -> Vec<u32> {
        (0..self.all.len() as u32)
            .filter(|&document| self.first[document as usize] == document)
            .collect()
    }

    /// The shingles of the distinct documents, by their place among these.
    pub(crate) fn sketches(
        &self,
        corpus: &Corpus,
        distinct: usize,
        memory_bytes: usize,
        temporary: &Path,
    ) -> Result<Sketches<'static>, StoreError> {
        let mut writer = SketchWriter::new(distinct, memory_bytes, temporary);
        self.for_each_shingles(corpus, |_, shingles| writer.push(shingles))?;
        writer.finish()
    }

    /// Calls `see` with the shingles of each distinct document, in order.
    pub(crate) fn for_each_shingles(
        &self,
        corpus: &Corpus,
        mut see: impl FnMut(u32, &Shingles) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut next = 0;
        let mut shingles = Vec::new();
        for (number, segment) in (0..).zip(corpus.segments()) {
            let Some(table) = segment.shingles()? else {
                continue;
            };
            let mut page = 0;
            for group in 0..table.groups() {
                table.shingles_into(group, "shingles", &mut shingles)?;
                for shingles in &shingles {
                    let here = PageRef {
                        segment: number,
                        page,
                    };
                    if self.all.get(next).is_some_and(|next| next.page == here) {
                        if self.first[next] as usize == next {
                            see(next as u32, shingles)?;
                        }
                        next += 1;
                    }
                    page += 1;
                }
            }
        }
        Ok(())
    }
}
