//! Cuts a text into chunks with fingerprints.

use std::ops::Range;

use reprise_fingerprint::Fingerprint;
use reprise_text::{Content, Cutter};

use crate::hasher::ChunkHasher;
use crate::settings::ChunkSettings;

/// A chunk of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The byte range of the chunk in the text.
    pub span: Range<usize>,
    /// The fingerprint of the chunk's normal form.
    pub fingerprint: Fingerprint,
    /// The number of characters of the normal form.
    pub chars: u64,
    /// True if the chunk has visible text.
    pub is_visible: bool,
}

/// Cuts a text into chunks, in text order. A corpus stores the same chunks.
pub fn chunks(content: Content, text: &str, settings: ChunkSettings) -> Vec<Chunk> {
    let mut hasher: ChunkHasher<usize> = ChunkHasher::new(settings);
    let mut chunks: Vec<Chunk> = Vec::new();
    for span in Cutter::new(content, text) {
        hasher.add(content, text, span, |measure| {
            let index = chunks.len();
            if measure.chars > 0 {
                chunks.push(Chunk {
                    span: span.start..span.end,
                    fingerprint: Fingerprint::default(),
                    chars: measure.chars as u64,
                    is_visible: measure.visible,
                });
            }
            index
        });
    }
    let mut note = |index: usize, fingerprint| chunks[index].fingerprint = fingerprint;
    hasher.hash(text, None, &mut note);
    hasher.finish(&mut note);
    chunks
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use reprise_fingerprint::HashKind;
    use reprise_text::{ChunkForm, Content, Cutter, normalize};

    use super::{Chunk, chunks};
    use crate::settings::ChunkSettings;

    /// Computes the chunks naively, piece by piece.
    fn expected(content: Content, text: &str, settings: ChunkSettings) -> Vec<Chunk> {
        let pieces = Cutter::new(content, text).filter_map(|span| {
            let mut normal = String::new();
            let raw = &text[span.start..span.end];
            let measure = normalize(content, settings.chunk, raw, &mut normal);
            (measure.chars > 0).then(|| Chunk {
                span: span.start..span.end,
                fingerprint: settings.hash.fingerprint(normal.as_bytes()),
                chars: measure.chars as u64,
                is_visible: measure.visible,
            })
        });
        pieces.collect()
    }

    proptest! {
        #[test]
        fn chunks_equal_those_made_one_by_one(
            parts in proptest::collection::vec(
                proptest::sample::select(vec![
                    "<p>", "<div a='b'>", "one ", "two  three", "\n\n", "<!-- x", "-->", "<b>", "é", "&amp;", "<script>",
                ]),
                0..40,
            ),
        ) {
            let text = parts.concat();
            for content in [Content::Html, Content::Plain] {
                for hash in [HashKind::Sha256, HashKind::Sha1] {
                    for chunk in [ChunkForm::Markup, ChunkForm::Text] {
                        let settings = ChunkSettings { hash, chunk };
                        prop_assert_eq!(chunks(content, &text, settings), expected(content, &text, settings));
                    }
                }
            }
        }
    }
}
