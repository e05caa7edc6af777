//! Reads the pages that are compared, and their shingles.

use std::path::Path;

use reprise_fingerprint::{Fingerprint, HashKind};
use reprise_shingle::Shingles;
use reprise_store::schema::{Pages, Sketches as SketchTable};
use reprise_store::{
    CorpusReader, PageRef, PageShingles, SegmentPages, SiteNumbers, StoreError, Unit,
};

use crate::options::NearContext;
use crate::reader::{PageText, TextForm, TextReader, UnreadPages};
use crate::sketches::{SketchWriter, Sketches};

/// A page with words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Document {
    pub(crate) page: PageRef,
    /// The number of words.
    pub(crate) words: u32,
    /// The number of the site.
    pub(crate) site: u32,
    /// The fetch time in milliseconds since 1970, or `i64::MAX` if it is unknown.
    pub(crate) fetched: i64,
}

/// The pages of a corpus that have words, in corpus order.
pub(crate) struct Documents {
    pub(crate) all: Vec<Document>,
    /// For each document, the first one with the same words.
    pub(crate) first: Vec<u32>,
    pub(crate) sites: SiteNumbers,
    /// The number of all pages of the corpus, also those without words.
    pub(crate) pages: u64,
}

/// The memory of a document in all lists.
pub(crate) const DOCUMENT_BYTES: usize = 96;

impl Documents {
    /// Creates documents from their shingles. Document `n` is page `n` of segment 0.
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

    /// Reads the documents of a corpus with shingles.
    pub(crate) fn read(corpus: &CorpusReader) -> Result<Documents, StoreError> {
        let no_shingles = || StoreError::NoShingles {
            path: corpus.path().to_owned(),
        };
        if !corpus.has_shingles() {
            return Err(no_shingles());
        }
        let mut documents = Documents {
            all: Vec::new(),
            first: Vec::new(),
            sites: SiteNumbers::default(),
            pages: 0,
        };
        let mut texts: Vec<(Fingerprint, u32)> = Vec::new();
        let mut words = Vec::new();
        for (number, segment) in (0..).zip(corpus.segments()) {
            let table = segment.shingles()?.ok_or_else(no_shingles)?;
            let known = SegmentPages::read(&segment, &mut documents.sites)?;
            let mut page = 0;
            for group in 0..table.groups() {
                table.ints_into(group, SketchTable::WORDS, &mut words)?;
                let fingerprints = table.read(group, SketchTable::TEXT)?;
                for (text, &words) in fingerprints.into_iter().zip(&words) {
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

    /// Reads the plain texts of a corpus, and returns the documents and their features: the values that a
    /// method compares. `maker` is called once per thread. The function that it returns computes the features
    /// of a text.
    pub(crate) fn read_texts<R, T, M>(
        corpus: &CorpusReader,
        reader: &R,
        maker: impl Fn() -> M + Sync,
        context: &NearContext<'_>,
    ) -> Result<(Documents, Vec<T>, UnreadPages), StoreError>
    where
        R: TextReader,
        T: Send,
        M: FnMut(&str) -> T,
    {
        let mut sites = SiteNumbers::default();
        let mut pages: Vec<Document> = Vec::new();
        for (segment, held) in (0..).zip(corpus.segments()) {
            let known = SegmentPages::read(&held, &mut sites)?;
            let rows = (0..).zip(known.sites.iter().zip(&known.fetched));
            pages.extend(rows.map(|(page, (&site, &fetched))| Document {
                page: PageRef { segment, page },
                words: 0,
                site,
                fetched,
            }));
        }
        let places: Vec<PageRef> = pages.iter().map(|document| document.page).collect();
        let mut texts: Vec<Option<TextFeatures<T>>> = pages.iter().map(|_| None).collect();
        let mut unread = UnreadPages::default();
        context
            .progress
            .begin("reading texts", corpus.rows::<Pages>(), Unit::Pages);
        let features = || {
            let mut make = maker();
            move |text: PageText<'_>| {
                let (PageText::Plain(text) | PageText::Page(_, text)) = text;
                TextFeatures::of(text, make(text))
            }
        };
        reader.read(&places, TextForm::Plain, features, |index, found| {
            context.progress.check()?;
            context.progress.advance(1);
            match found {
                Ok(found) => texts[index] = found,
                Err(error) => unread.add(error),
            }
            Ok(())
        })?;
        let mut documents = Documents {
            all: Vec::new(),
            first: Vec::new(),
            sites,
            pages: pages.len() as u64,
        };
        let (mut features, mut fingerprints) = (Vec::new(), Vec::new());
        for (mut document, text) in pages.into_iter().zip(texts) {
            if let Some(text) = text {
                document.words = text.words;
                fingerprints.push((text.fingerprint, documents.all.len() as u32));
                documents.all.push(document);
                features.push(text.features);
            }
        }
        documents.find_same(fingerprints);
        Ok((documents, features, unread))
    }

    /// Computes `first` from the fingerprint of each document's text.
    fn find_same(&mut self, mut texts: Vec<(Fingerprint, u32)>) {
        texts.sort_unstable();
        self.first = (0..self.all.len() as u32).collect();
        for same in texts.chunk_by(|a, b| a.0 == b.0) {
            for &(_, document) in same {
                self.first[document as usize] = same[0].1;
            }
        }
    }

    /// Returns the first document with each text.
    pub(crate) fn distinct(&self) -> Vec<u32> {
        (0..self.all.len() as u32)
            .filter(|&document| self.first[document as usize] == document)
            .collect()
    }

    /// Reads the shingles of the distinct documents.
    pub(crate) fn sketches(
        &self,
        corpus: &CorpusReader,
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
        corpus: &CorpusReader,
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
                table.shingles_into(group, SketchTable::SHINGLES, &mut shingles)?;
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

/// The properties of a plain text that are kept in memory.
struct TextFeatures<T> {
    fingerprint: Fingerprint,
    words: u32,
    features: T,
}

impl<T> TextFeatures<T> {
    fn of(text: &str, features: T) -> TextFeatures<T> {
        TextFeatures {
            fingerprint: HashKind::Sha256.fingerprint(text.as_bytes()),
            words: text.split(' ').count() as u32,
            features,
        }
    }
}
