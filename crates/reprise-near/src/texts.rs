//! Documents by their plain text, which the corpus does not keep: for methods that read it again.

use reprise_fingerprint::{Fingerprint, HashKind};
use reprise_store::{Corpus, StoreError};
use reprise_store::{PageRef, SegmentPages, SiteNumbers};

use crate::documents::{Document, Documents};
use crate::near::{Lost, PhraseSource};

/// What is kept of a page's plain text.
#[derive(Clone, Debug)]
pub struct PlainText<M> {
    /// Of the text in normal form.
    pub fingerprint: Fingerprint,
    /// How many words it has.
    pub words: u32,
    /// What a method compares of it.
    pub mark: M,
}

impl<M> PlainText<M> {
    /// Of a text in normal form.
    pub fn of(text: &str, mark: M) -> Self {
        PlainText {
            fingerprint: HashKind::Sha256.fingerprint(text.as_bytes()),
            words: text.split(' ').count() as u32,
            mark,
        }
    }
}

/// Takes each page by its index in a list: what is kept of its text, nothing where there is none, or why it
/// cannot be read.
pub type GiveText<'g, M> =
    dyn FnMut(usize, Result<Option<PlainText<M>>, String>) -> Result<(), StoreError> + 'g;

/// Reads the plain text of pages again, and keeps of each what a method compares. Its phrases are those of
/// that text.
pub trait TextSource<M>: PhraseSource {
    /// Reads these pages, in any order.
    fn texts(&self, pages: &[PageRef], give: &mut GiveText<'_, M>) -> Result<(), StoreError>;
}

/// All pages with text, in order, what is kept of each, and how many could not be read.
pub(crate) fn read_texts<M>(
    corpus: &Corpus,
    read: impl FnOnce(&[PageRef], &mut GiveText<'_, M>) -> Result<(), StoreError>,
) -> Result<(Documents, Vec<M>, Lost), StoreError> {
    let mut sites = SiteNumbers::default();
    let mut pages: Vec<Document> = Vec::new();
    for (number, segment) in (0..).zip(corpus.segments()) {
        let known = SegmentPages::read(&segment, &mut sites)?;
        let rows = (0..).zip(known.sites.iter().zip(&known.fetched));
        pages.extend(rows.map(|(page, (&site, &fetched))| Document {
            page: PageRef {
                segment: number,
                page,
            },
            words: 0,
            site,
            fetched,
        }));
    }
    let places: Vec<PageRef> = pages.iter().map(|document| document.page).collect();
    let mut texts: Vec<Option<PlainText<M>>> = pages.iter().map(|_| None).collect();
    let mut lost = Lost::default();
    read(&places, &mut |index, found| {
        match found {
            Ok(found) => texts[index] = found,
            Err(detail) => lost.add(detail),
        }
        Ok(())
    })?;
    let mut documents = Documents {
        all: Vec::new(),
        first: Vec::new(),
        sites,
        pages: pages.len() as u64,
    };
    let (mut marks, mut fingerprints) = (Vec::new(), Vec::new());
    for (mut document, text) in pages.into_iter().zip(texts) {
        if let Some(text) = text {
            document.words = text.words;
            fingerprints.push((text.fingerprint, documents.all.len() as u32));
            documents.all.push(document);
            marks.push(text.mark);
        }
    }
    documents.find_same(fingerprints);
    Ok((documents, marks, lost))
}
