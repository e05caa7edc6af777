//! Normalises pieces of pages and hashes them, several at a time.

use std::ops::Range;

use reprise_fingerprint::{Fingerprint, Fingerprinter};
use reprise_text::{Content, Measure, Span, normalize_or_keep};

use crate::settings::ChunkSettings;

/// Normalises pieces of pages and hashes them, several at a time. The caller gives each one a tag.
///
/// A fingerprint may be reported later than its piece is added; see [`Fingerprinter`].
pub struct ChunkHasher<T> {
    settings: ChunkSettings,
    /// The pieces that are not hashed yet.
    waiting: Vec<(NormalForm, T)>,
    /// The normal forms that differ from the text of their page, concatenated.
    normal: Vec<u8>,
    fingerprinter: Fingerprinter<T>,
}

/// The position of a normal form.
enum NormalForm {
    /// A byte range of the page's text, which is already in normal form there.
    Page(Range<usize>),
    /// A byte range of [`ChunkHasher::normal`].
    Copy(Range<usize>),
}

impl<T: Copy> ChunkHasher<T> {
    /// Creates a hasher.
    pub fn new(settings: ChunkSettings) -> ChunkHasher<T> {
        ChunkHasher {
            settings,
            waiting: Vec::new(),
            normal: Vec::new(),
            fingerprinter: Fingerprinter::new(settings.hash),
        }
    }

    /// Normalises the piece at `span` of `text`. Calls `tag` with the measure of the piece, and returns the
    /// tag. If the normal form has characters, the piece is a chunk, and [`hash`](Self::hash) hashes it.
    pub fn add(
        &mut self,
        content: Content,
        text: &str,
        span: Span,
        tag: impl FnOnce(Measure) -> T,
    ) -> T {
        let raw = &text[span.start..span.end];
        let start = self.normal.len();
        let (measure, kept) =
            normalize_or_keep(content, self.settings.chunk, raw, &mut self.normal);
        let tag = tag(measure);
        if measure.chars > 0 {
            let normal = match kept {
                Some(kept) => {
                    let start = kept.as_ptr().addr() - text.as_ptr().addr();
                    NormalForm::Page(start..start + kept.len())
                }
                None => NormalForm::Copy(start..self.normal.len()),
            };
            self.waiting.push((normal, tag));
        }
        tag
    }

    /// Hashes all pieces that were added from `text`, and the body of the page if it is given. Calls
    /// `found` for each finished fingerprint, in any order.
    pub fn hash(
        &mut self,
        text: &str,
        body: Option<(T, &[u8])>,
        found: impl FnMut(T, Fingerprint),
    ) {
        let pieces = self.waiting.iter().map(|(normal, tag)| {
            let normal = match normal {
                NormalForm::Page(range) => &text.as_bytes()[range.clone()],
                NormalForm::Copy(range) => &self.normal[range.clone()],
            };
            (*tag, normal)
        });
        self.fingerprinter
            .add(body.into_iter().chain(pieces), found);
        self.waiting.clear();
        self.normal.clear();
    }

    /// Calls `found` for all fingerprints that are not reported yet.
    pub fn finish(&mut self, found: impl FnMut(T, Fingerprint)) {
        self.fingerprinter.finish(found);
    }
}
