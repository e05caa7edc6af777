//! From a page's text to its chunks with their fingerprints.

use std::iter;
use std::ops::Range;

use reprise_fingerprint::{Fingerprint, Fingerprinter};
use reprise_store::{ChunkRow, NewFingerprint, PageBatch, Settings};
use reprise_text::{Content, Cutter, Measure, Span, normalize_or_keep};

use super::memo::{Memo, is_memorable};

/// Makes chunks, with what it remembers of earlier ones.
pub(crate) struct Chunker {
    settings: Settings,
    memo: Memo,
    /// Normal forms of the page's new pieces, one after another.
    normal: Vec<u8>,
    found: Vec<Found>,
    to_hash: Vec<ToHash>,
    fingerprinter: Fingerprinter<Owner>,
}

/// A chunk of the page at hand.
struct Found {
    span: Span,
    piece: PieceRef,
}

#[derive(Clone, Copy)]
enum PieceRef {
    /// A piece in the memo.
    Memo(u32),
    /// A piece too long for the memo: its place in `to_hash`.
    Long(usize),
}

/// A piece whose fingerprint is not known yet.
struct ToHash {
    normal: Normal,
    measure: Measure,
    owner: Owner,
}

/// Whose fingerprint it is.
#[derive(Clone, Copy)]
enum Owner {
    /// The body of the page with this number in the batch.
    Page(usize),
    /// A piece in the memo.
    Memo(u32),
    /// A piece too long for it, with its number in the batch.
    Long(u32),
}

/// Where a normal form lies.
enum Normal {
    /// In the page: nothing in it had to be changed.
    Page(Range<usize>),
    /// In [`Chunker::normal`].
    Copy(Range<usize>),
}

impl Chunker {
    /// A chunker that remembers at most `memo_bytes` of what it has seen.
    pub(crate) fn new(settings: Settings, memo_bytes: usize) -> Chunker {
        Chunker {
            settings,
            memo: Memo::new(memo_bytes),
            normal: Vec::new(),
            found: Vec::new(),
            to_hash: Vec::new(),
            fingerprinter: Fingerprinter::new(settings.hash),
        }
    }

    /// The chunks that follow go into a new batch.
    pub(crate) fn begin_batch(&mut self) {
        self.memo.begin_batch();
    }

    /// Adds the chunks of the batch's last page to the batch, and their number to the page. Fingerprints
    /// may be missing until [`Chunker::end_batch`].
    pub(crate) fn page(
        &mut self,
        body: &[u8],
        text: Option<(Content, &str)>,
        batch: &mut PageBatch,
    ) {
        if self.memo.is_full() {
            self.end_batch(batch);
            self.memo.clear();
        }
        self.normal.clear();
        self.found.clear();
        self.to_hash.clear();
        if let Some((content, text)) = text {
            self.cut(content, text);
        }
        self.number(batch);
        if let Some(page) = batch.pages.last_mut() {
            page.chunks = self.found.len() as u32;
        }
        self.hash(body, text.map_or("", |(_, text)| text), batch);
    }

    /// Completes the batch.
    pub(crate) fn end_batch(&mut self, batch: &mut PageBatch) {
        let memo = &mut self.memo;
        self.fingerprinter
            .finish(|owner, fingerprint| owner.take(fingerprint, memo, batch));
    }

    /// Gives each chunk of the page the number of its fingerprint in the batch.
    fn number(&mut self, batch: &mut PageBatch) {
        for found in &self.found {
            let next = batch.fingerprints.len() as u32;
            let number = match found.piece {
                PieceRef::Memo(at) => {
                    let number = self.memo.number(at, next);
                    if number == next {
                        let piece = self.memo.piece(at);
                        let measure = piece.measure.unwrap_or_default();
                        batch
                            .fingerprints
                            .push(new_fingerprint(piece.fingerprint, measure));
                    }
                    number
                }
                PieceRef::Long(at) => {
                    let piece = &mut self.to_hash[at];
                    piece.owner = Owner::Long(next);
                    batch
                        .fingerprints
                        .push(new_fingerprint(Fingerprint::default(), piece.measure));
                    next
                }
            };
            batch.chunks.push(ChunkRow {
                fingerprint: number,
                start: found.span.start as u32,
                length: (found.span.end - found.span.start) as u32,
            });
        }
    }

    fn cut(&mut self, content: Content, text: &str) {
        let mut cutter = Cutter::new(content, text);
        let mut before = None;
        let mut guess = None;
        loop {
            if let Some((at, length)) = guess {
                let after = &text.as_bytes()[cutter.position() + length..];
                let guess_after = self.memo.guess_next(at, after);
                if let Some(span) = cutter.take_known(length, guess_after.is_some()) {
                    self.keep(span, at);
                    before = Some(at);
                    guess = guess_after;
                    continue;
                }
            }
            let Some(span) = cutter.next() else { break };
            let at = match self.piece(content, text, span) {
                Some(PieceRef::Memo(at)) => {
                    self.keep(span, at);
                    Some(at)
                }
                Some(long) => {
                    self.found.push(Found { span, piece: long });
                    None
                }
                None => None,
            };
            // What the last piece leaves open, such as a comment, ends with the text. With more text
            // behind it, it would be another piece: it is no guess.
            if span.end < text.len() {
                self.memo.set_next(before, at);
            }
            before = at;
            guess = at.and_then(|at| self.memo.guess_next(at, &text.as_bytes()[span.end..]));
        }
    }

    /// Keeps a piece of the memo as a chunk of the page, unless it is empty in its normal form.
    fn keep(&mut self, span: Span, at: u32) {
        if self.memo.piece(at).measure.is_some() {
            self.found.push(Found {
                span,
                piece: PieceRef::Memo(at),
            });
        }
    }

    /// The piece with these bytes: from the memo, or normalised and waiting to be hashed.
    fn piece(&mut self, content: Content, text: &str, span: Span) -> Option<PieceRef> {
        let raw = &text[span.start..span.end];
        let missing = if is_memorable(raw.len()) {
            match self.memo.find(content, raw.as_bytes()) {
                Ok(at) => return Some(PieceRef::Memo(at)),
                Err(missing) => Some(missing),
            }
        } else {
            None
        };
        let start = self.normal.len();
        let (measure, kept) =
            normalize_or_keep(content, self.settings.chunk, raw, &mut self.normal);
        let exists = measure.chars > 0;
        let piece = missing.map(|missing| {
            let measure = exists.then_some(measure);
            self.memo.insert(missing, content, raw.as_bytes(), measure)
        });
        if exists {
            self.to_hash.push(ToHash {
                normal: match kept {
                    Some(kept) => {
                        let start = kept.as_ptr() as usize - text.as_ptr() as usize;
                        Normal::Page(start..start + kept.len())
                    }
                    None => Normal::Copy(start..self.normal.len()),
                },
                measure,
                // A long piece has no number yet.
                owner: piece.map_or(Owner::Long(u32::MAX), Owner::Memo),
            });
        }
        match piece {
            Some(at) => Some(PieceRef::Memo(at)),
            None if exists => Some(PieceRef::Long(self.to_hash.len() - 1)),
            None => None,
        }
    }

    /// Hashes the body and all new pieces together, which is faster than one by one.
    fn hash(&mut self, body: &[u8], text: &str, batch: &mut PageBatch) {
        let pieces = self.to_hash.iter().map(|piece| {
            let normal = match &piece.normal {
                Normal::Page(range) => &text.as_bytes()[range.clone()],
                Normal::Copy(range) => &self.normal[range.clone()],
            };
            (piece.owner, normal)
        });
        let page = (Owner::Page(batch.pages.len() - 1), body);
        let memo = &mut self.memo;
        self.fingerprinter
            .add(iter::once(page).chain(pieces), |owner, fingerprint| {
                owner.take(fingerprint, memo, batch);
            });
    }
}

impl Owner {
    /// Notes the owner's fingerprint.
    fn take(self, fingerprint: Fingerprint, memo: &mut Memo, batch: &mut PageBatch) {
        let number = match self {
            Owner::Page(page) => {
                batch.pages[page].fingerprint = fingerprint;
                return;
            }
            Owner::Memo(at) => {
                let piece = memo.piece_mut(at);
                piece.fingerprint = fingerprint;
                piece.number
            }
            Owner::Long(number) => number,
        };
        batch.fingerprints[number as usize].fingerprint = fingerprint;
    }
}

fn new_fingerprint(fingerprint: Fingerprint, measure: Measure) -> NewFingerprint {
    NewFingerprint {
        fingerprint,
        chars: measure.chars as u32,
        is_visible: measure.visible,
    }
}

#[cfg(test)]
mod tests {
    use reprise_fingerprint::HashKind;
    use reprise_store::{PageBatch, PageRow, Settings};
    use reprise_text::{ChunkForm, Content};

    use super::Chunker;

    /// The chunks of the last page, after the others were seen.
    fn chunks(pages: &[&str]) -> Vec<(u32, u32)> {
        let settings = Settings {
            hash: HashKind::Sha256,
            chunk: ChunkForm::Markup,
        };
        let mut chunker = Chunker::new(settings, 1 << 20);
        let mut batch = PageBatch::default();
        chunker.begin_batch();
        for page in pages {
            batch.chunks.clear();
            batch.pages.push(PageRow::default());
            chunker.page(page.as_bytes(), Some((Content::Html, page)), &mut batch);
        }
        batch
            .chunks
            .iter()
            .map(|chunk| (chunk.start, chunk.length))
            .collect()
    }

    #[test]
    fn what_was_seen_before_changes_no_chunk() {
        let check = |earlier: &str, page: &str| {
            assert_eq!(
                chunks(&[earlier, page]),
                chunks(&[page]),
                "{page:?} after {earlier:?}"
            );
        };
        check("<p>one<p>two<p>three", "<p>one<p>two<p>three<p>four");
        // The last piece leaves something open that goes on in the second page.
        check("<p>one<p>two<!-- ", "<p>one<p>two<!-- <p>--><p>three");
        check("<p>one<p>two<b x=\"", "<p>one<p>two<b x=\"<p>\"><p>three");
        check(
            "<p>one<p>two<script>",
            "<p>one<p>two<script><p></script><p>three",
        );
    }
}
