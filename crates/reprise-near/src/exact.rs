//! Finds pages that are the same file, or that have the same words.

use reprise_fingerprint::Fingerprint;
use reprise_report::results::NearMethod;
use reprise_store::schema::{Pages, Sketches};
use reprise_store::{
    CorpusReader, PageRef, Progress, Segment, SegmentPages, SiteNumbers, StoreError, Unit,
};

use crate::clusters::{Cluster, Groups, Member};
use crate::documents::{Document, Documents};
use crate::near::NearFound;
use crate::options::{Keep, NearContext};
use crate::union::Union;

/// Finds pages with equal files and, in a corpus with shingles, pages with equal words.
pub(crate) fn near(
    corpus: &CorpusReader,
    context: &NearContext<'_>,
) -> Result<NearFound, StoreError> {
    let (documents, clusters) = clusters(corpus, context.keep, context.progress)?;
    Ok(NearFound::of(
        &documents,
        clusters,
        NearMethod::Exact,
        context.keep,
    ))
}

fn clusters(
    corpus: &CorpusReader,
    keep: Keep,
    progress: &dyn Progress,
) -> Result<(Documents, Vec<Cluster>), StoreError> {
    let mut documents = Documents {
        all: Vec::new(),
        first: Vec::new(),
        sites: SiteNumbers::default(),
        pages: 0,
    };
    let mut objects: Objects = Vec::new();
    progress.begin("reading pages", corpus.rows::<Pages>(), Unit::Pages);
    for (number, segment) in (0..).zip(corpus.segments()) {
        progress.check()?;
        let first = documents.all.len() as u32;
        read_files(&segment, number, &mut documents, &mut objects)?;
        read_words(&segment, first, &mut documents, &mut objects)?;
        progress.advance(segment.summary().rows::<Pages>());
    }
    documents.pages = documents.all.len() as u64;
    objects.sort_unstable();
    let mut union = Union::new(documents.all.len());
    for same in objects.chunk_by(|a, b| a.0 == b.0) {
        for other in &same[1..] {
            union.link(same[0].1, other.1);
        }
    }
    documents.first = (0..documents.all.len() as u32)
        .map(|document| union.root(document))
        .collect();
    let distinct = documents.distinct();
    let clusters = Groups::new(&documents, &distinct, keep)
        .into_members()
        .filter(|members| members.len() > 1)
        .map(|members| {
            members
                .into_iter()
                .map(|document| Member {
                    document,
                    similarity: 1.0,
                    containment: 1.0,
                })
                .collect()
        })
        .collect();
    Ok((documents, clusters))
}

/// Fingerprints of files and of words, each with a document that has it.
type Objects = Vec<(Fingerprint, u32)>;

/// Adds the pages of a segment, and the fingerprints of their files.
fn read_files(
    segment: &Segment<'_>,
    number: u32,
    documents: &mut Documents,
    objects: &mut Objects,
) -> Result<(), StoreError> {
    let known = SegmentPages::read(segment, &mut documents.sites)?;
    let first = documents.all.len() as u32;
    let pages = segment.pages()?;
    for group in 0..pages.groups() {
        let fingerprints = pages.read(group, Pages::FINGERPRINT)?;
        let bytes = pages.read(group, Pages::BYTES)?;
        for (fingerprint, bytes) in fingerprints.into_iter().zip(bytes) {
            let page = documents.all.len() as u32 - first;
            // Empty files are not copies of each other.
            if bytes > 0 {
                objects.push((fingerprint, first + page));
            }
            documents.all.push(Document {
                page: PageRef {
                    segment: number,
                    page,
                },
                words: 0,
                site: known.sites[page as usize],
                fetched: known.fetched[page as usize],
            });
        }
    }
    Ok(())
}

/// Adds the fingerprints of the words of a segment's pages, if the corpus has shingles. `first` is the first
/// document of the segment.
fn read_words(
    segment: &Segment<'_>,
    first: u32,
    documents: &mut Documents,
    objects: &mut Objects,
) -> Result<(), StoreError> {
    let Some(table) = segment.shingles()? else {
        return Ok(());
    };
    let mut document = first;
    for group in 0..table.groups() {
        let words = table.read(group, Sketches::WORDS)?;
        let texts = table.read(group, Sketches::TEXT)?;
        for (text, words) in texts.into_iter().zip(words) {
            documents.all[document as usize].words = words as u32;
            if words > 0 {
                objects.push((text, document));
            }
            document += 1;
        }
    }
    Ok(())
}
