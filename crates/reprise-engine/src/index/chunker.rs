//! Turns pages into chunks with fingerprints, and remembers the pieces it has seen.

use std::mem;

use reprise_chunk::{ChunkHasher, ChunkSettings};
use reprise_fingerprint::Fingerprint;
use reprise_store::{ChunkRow, PageBatch};
use reprise_text::{Content, Cutter, Span};

use super::memo::{Memo, PieceKey};

/// Cuts pages into chunks. Pieces that it has seen before are neither normalised nor hashed again.
pub(crate) struct Chunker {
    memo: Memo,
    /// The next pieces of the page, with their keys.
    cut: Vec<(Span, PieceKey)>,
    found: Vec<FoundChunk>,
    hasher: ChunkHasher<Owner>,
}

/// The number of pieces that are cut before the first of them is looked up. By then, the memory of the
/// look-up has arrived in the cache. Most pages have fewer pieces.
const PIECES_AT_ONCE: usize = 256;

/// A chunk of the current page.
struct FoundChunk {
    span: Span,
    /// The index of the piece in the memo.
    piece: u32,
}

/// The owner of a fingerprint.
#[derive(Clone, Copy)]
enum Owner {
    /// The page with this index in the batch; the fingerprint is that of its body.
    Page(usize),
    /// The piece with this index in the memo.
    Piece(u32),
}

impl Chunker {
    /// Creates a chunker that remembers at most `memo_bytes` of pieces.
    pub(crate) fn new(settings: ChunkSettings, memo_bytes: usize) -> Chunker {
        Chunker {
            memo: Memo::new(memo_bytes),
            cut: Vec::new(),
            found: Vec::new(),
            hasher: ChunkHasher::new(settings),
        }
    }

    /// Starts a new batch.
    pub(crate) fn begin_batch(&mut self) {
        self.memo.begin_batch();
    }

    /// Adds the chunks of the batch's last page to the batch, and their number to the page. Fingerprints
    /// may be missing until [`Chunker::end_batch`]. Calls `grown` from time to time with the number of
    /// chunks in the batch.
    pub(crate) fn page(
        &mut self,
        body: &[u8],
        text: Option<(Content, &str)>,
        batch: &mut PageBatch,
        grown: &dyn Fn(usize),
    ) {
        let (content, text) = text.unwrap_or((Content::Other, ""));
        let mut cutter = Cutter::new(content, text);
        let mut body = Some((Owner::Page(batch.pages.len() - 1), body));
        loop {
            let is_last = self.cut(&mut cutter, content, text);
            self.find(text);
            self.number(batch);
            self.hash(body.take(), text, batch);
            if self.memo.is_full(PIECES_AT_ONCE) {
                self.end_batch(batch);
                self.memo.clear();
            }
            if is_last {
                break;
            }
            grown(batch.chunks.len());
        }
    }

    /// Fills in the fingerprints that are still missing in the batch.
    pub(crate) fn end_batch(&mut self, batch: &mut PageBatch) {
        let memo = &mut self.memo;
        self.hasher
            .finish(|owner, fingerprint| owner.take(fingerprint, memo, batch));
    }

    /// Cuts the next pieces of the page. Returns true if they are the last ones.
    fn cut(&mut self, cutter: &mut Cutter<'_>, content: Content, text: &str) -> bool {
        let pieces = cutter.take(PIECES_AT_ONCE).map(|span| {
            let raw = &text.as_bytes()[span.start..span.end];
            (span, self.memo.key(content, raw))
        });
        self.cut.clear();
        self.cut.extend(pieces);
        self.cut.len() < PIECES_AT_ONCE
    }

    /// Looks up the pieces that were cut. New pieces are remembered, normalised and queued for hashing.
    fn find(&mut self, text: &str) {
        self.found.clear();
        let cut = mem::take(&mut self.cut);
        for (_, key) in &cut {
            self.memo.expect(key);
        }
        for (span, key) in &cut {
            let piece = self
                .memo
                .find(key)
                .unwrap_or_else(|| self.add(text, *span, key));
            if self.memo.piece(piece).is_chunk() {
                self.found.push(FoundChunk { span: *span, piece });
            }
        }
        self.cut = cut;
    }

    fn add(&mut self, text: &str, span: Span, key: &PieceKey) -> u32 {
        let mut piece = 0;
        let memo = &mut self.memo;
        self.hasher.add(key.content, text, span, |measure| {
            piece = memo.insert(key, measure);
            Owner::Piece(piece)
        });
        piece
    }

    /// Gives each chunk the number of its fingerprint in the batch.
    fn number(&mut self, batch: &mut PageBatch) {
        batch.make_room(self.found.len());
        for found in &self.found {
            let next = batch.fingerprints.len() as u32;
            let number = self.memo.number(found.piece, next);
            if number == next {
                batch.fingerprints.push(self.memo.piece(found.piece).row);
            }
            batch.chunks.push(ChunkRow {
                fingerprint: number,
                start: found.span.start as u32,
                length: (found.span.end - found.span.start) as u32,
            });
        }
        if let Some(page) = batch.pages.last_mut() {
            page.chunks += self.found.len() as u32;
        }
    }

    /// Hashes the body and the new pieces.
    fn hash(&mut self, body: Option<(Owner, &[u8])>, text: &str, batch: &mut PageBatch) {
        let memo = &mut self.memo;
        self.hasher.hash(text, body, |owner, fingerprint| {
            owner.take(fingerprint, memo, batch);
        });
    }
}

impl Owner {
    /// Stores the owner's fingerprint.
    fn take(self, fingerprint: Fingerprint, memo: &mut Memo, batch: &mut PageBatch) {
        match self {
            Owner::Page(page) => batch.pages[page].fingerprint = fingerprint,
            Owner::Piece(at) => {
                let piece = memo.piece_mut(at);
                piece.row.fingerprint = fingerprint;
                batch.fingerprints[piece.number as usize].fingerprint = fingerprint;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use reprise_chunk::{Chunk, ChunkSettings, chunks};
    use reprise_fingerprint::{Fingerprint, HashKind};
    use reprise_store::{PageBatch, PageRow};
    use reprise_text::{ChunkForm, Content};

    use super::Chunker;

    const SETTINGS: ChunkSettings = ChunkSettings {
        hash: HashKind::Sha256,
        chunk: ChunkForm::Markup,
    };

    /// A page: the fingerprint of its body, and the fingerprint, start, length, characters and visibility of
    /// each chunk.
    type Made = (Fingerprint, Vec<(Fingerprint, u32, u32, u32, bool)>);

    /// Cuts the pages of several batches with a chunker that remembers `memo_bytes`.
    fn made(batches: &[Vec<String>], content: Content, memo_bytes: usize) -> Vec<Made> {
        let mut chunker = Chunker::new(SETTINGS, memo_bytes);
        let mut all = Vec::new();
        for pages in batches {
            let mut batch = PageBatch::default();
            chunker.begin_batch();
            for page in pages {
                batch.pages.push(PageRow::default());
                chunker.page(page.as_bytes(), Some((content, page)), &mut batch, &|_| {});
            }
            chunker.end_batch(&mut batch);
            let mut chunks = batch.chunks.iter();
            for page in &batch.pages {
                let chunks = chunks.by_ref().take(page.chunks as usize).map(|chunk| {
                    let new = batch.fingerprints[chunk.fingerprint as usize];
                    (
                        new.fingerprint,
                        chunk.start,
                        chunk.length,
                        new.chars,
                        new.is_visible,
                    )
                });
                all.push((page.fingerprint, chunks.collect()));
            }
        }
        all
    }

    /// The chunks of a page, without any memory.
    fn expected(page: &str, content: Content) -> Made {
        let row = |chunk: Chunk| {
            let (start, length) = (chunk.span.start as u32, chunk.span.len() as u32);
            let chars = chunk.chars as u32;
            (chunk.fingerprint, start, length, chars, chunk.is_visible)
        };
        let chunks = chunks(content, page, SETTINGS).into_iter().map(row);
        (SETTINGS.hash.fingerprint(page.as_bytes()), chunks.collect())
    }

    fn check(batches: &[Vec<String>], content: Content) {
        let expected: Vec<Made> = (batches.iter().flatten())
            .map(|page| expected(page, content))
            .collect();
        for memo_bytes in [0, 1000, 1 << 20] {
            assert_eq!(made(batches, content, memo_bytes), expected, "{batches:?}");
        }
    }

    /// Pages of few different parts. Some parts leave a tag, comment or script open.
    fn batches() -> impl Strategy<Value = Vec<Vec<String>>> {
        let part = proptest::sample::select(vec![
            "<p>one",
            "<p>two ",
            "<div>",
            "<p>",
            " ",
            "\n\n",
            "<!-- ",
            "-->",
            "<b x=\"",
            "\">",
            "<script>",
            "</script>",
            "text",
            "<p",
            ">",
            "<P class='a'>",
            "'",
            "é",
            "<textarea>",
            "</textarea>",
            "<!-->",
        ]);
        let page = vec(part, 0..12).prop_map(|parts| parts.concat());
        vec(vec(page, 0..6), 0..4)
    }

    proptest! {
        #[test]
        fn remembered_pieces_change_nothing(batches in batches()) {
            check(&batches, Content::Html);
            check(&batches, Content::Plain);
        }
    }

    #[test]
    fn an_open_tag_at_the_end_of_a_page_does_not_affect_other_pages() {
        for (earlier, page) in [
            ("<p>one<p>two<p>three", "<p>one<p>two<p>three<p>four"),
            ("<p>one<p>two<!-- ", "<p>one<p>two<!-- <p>--><p>three"),
            ("<p>one<p>two<b x=\"", "<p>one<p>two<b x=\"<p>\"><p>three"),
            (
                "<p>one<p>two<script>",
                "<p>one<p>two<script><p></script><p>three",
            ),
        ] {
            let pages = [earlier, page, page, earlier].map(str::to_owned).to_vec();
            check(&[pages.clone(), pages], Content::Html);
        }
    }
}
