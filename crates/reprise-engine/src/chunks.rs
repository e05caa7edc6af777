//! The chunks of one text, for checking and explaining single pages.

use std::ops::Range;

use reprise_discover::StopRules;
use reprise_fingerprint::{Fingerprint, fingerprint_all};
use reprise_store::Settings;
use reprise_text::{Content, Cutter, normalize_or_keep};

/// A chunk of a text.
#[derive(Clone, Debug)]
pub struct TextChunk {
    /// Bytes of the text that hold it.
    pub span: Range<usize>,
    /// Its fingerprint.
    pub fingerprint: Fingerprint,
    /// Is it a stop chunk by the rules given?
    pub is_stop: bool,
}

/// Cuts a text as `index` does.
pub fn chunks_of(
    content: Content,
    text: &str,
    settings: Settings,
    stop: &StopRules,
) -> Vec<TextChunk> {
    let mut normal = Vec::new();
    let mut found = Vec::new();
    for piece in Cutter::new(content, text) {
        let start = normal.len();
        let raw = &text[piece.start..piece.end];
        let (measure, kept) = normalize_or_keep(content, settings.chunk, raw, &mut normal);
        normal.extend_from_slice(kept.unwrap_or_default().as_bytes());
        if measure.chars > 0 {
            found.push((piece.start..piece.end, start..normal.len(), measure));
        }
    }
    let inputs: Vec<&[u8]> = found
        .iter()
        .map(|(_, normal_span, _)| &normal[normal_span.clone()])
        .collect();
    let mut fingerprints = Vec::new();
    fingerprint_all(settings.hash, &inputs, &mut fingerprints);
    found
        .into_iter()
        .zip(fingerprints)
        .map(|((span, _, measure), fingerprint)| TextChunk {
            span,
            fingerprint,
            is_stop: stop
                .reason(&fingerprint, measure.chars as u64, measure.visible)
                .is_some(),
        })
        .collect()
}
