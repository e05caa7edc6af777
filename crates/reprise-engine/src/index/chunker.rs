//! From a page's text to its chunks with their fingerprints.

use std::mem;
use std::ops::Range;

use reprise_fingerprint::{Fingerprint, Fingerprinter};
use reprise_store::{ChunkRow, PageBatch, Settings};
use reprise_text::{Content, Cutter, Span, normalize_or_keep};

use super::memo::{Memo, Wanted};

/// Makes chunks, with what it remembers of earlier ones.
pub(crate) struct Chunker {
    settings: Settings,
    memo: Memo,
    /// The next pieces of the page, some at a time.
    wanted: Vec<(Span, Wanted)>,
    found: Vec<Found>,
    to_hash: Vec<ToHash>,
    /// Normal forms of those to hash, one after another.
    normal: Vec<u8>,
    fingerprinter: Fingerprinter<Owner>,
}

/// Pieces that are cut before the first of them is looked for: by then, the memory that tells is at hand. The pieces
/// of most pages, and few enough that a page of very many takes no more memory.
const PIECES_AT_ONCE: usize = 256;

/// A chunk of the page at hand: a piece in the memo.
struct Found {
    span: Span,
    piece: u32,
}

/// A piece whose fingerprint is not known yet.
struct ToHash {
    normal: Normal,
    piece: u32,
}

/// Whose fingerprint it is.
#[derive(Clone, Copy)]
enum Owner {
    /// The body of the page with this number in the batch.
    Page(usize),
    /// A piece in the memo.
    Piece(u32),
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
            wanted: Vec::new(),
            found: Vec::new(),
            to_hash: Vec::new(),
            normal: Vec::new(),
            fingerprinter: Fingerprinter::new(settings.hash),
        }
    }

    /// The chunks that follow go into a new batch.
    pub(crate) fn begin_batch(&mut self) {
        self.memo.begin_batch();
    }

    /// Adds the chunks of the batch's last page to the batch, and their number to the page. Fingerprints
    /// may be missing until [`Chunker::end_batch`]. After every some chunks, `grown` is told how many the batch has.
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

    /// Completes the batch.
    pub(crate) fn end_batch(&mut self, batch: &mut PageBatch) {
        let memo = &mut self.memo;
        self.fingerprinter
            .finish(|owner, fingerprint| owner.take(fingerprint, memo, batch));
    }

    /// Cuts the next pieces of the page; are they the last ones?
    fn cut(&mut self, cutter: &mut Cutter<'_>, content: Content, text: &str) -> bool {
        let pieces = cutter.take(PIECES_AT_ONCE).map(|span| {
            let raw = &text.as_bytes()[span.start..span.end];
            (span, self.memo.wanted(content, raw))
        });
        self.wanted.clear();
        self.wanted.extend(pieces);
        self.wanted.len() < PIECES_AT_ONCE
    }

    /// Looks for the pieces that were cut, and remembers those that are new.
    fn find(&mut self, text: &str) {
        self.found.clear();
        self.to_hash.clear();
        self.normal.clear();
        let wanted = mem::take(&mut self.wanted);
        for (_, wanted) in &wanted {
            self.memo.expect(wanted);
        }
        for &(span, wanted) in &wanted {
            let known = self.memo.find(&wanted);
            let piece = known.unwrap_or_else(|| self.new_piece(text, span, &wanted));
            if self.memo.piece(piece).is_chunk() {
                self.found.push(Found { span, piece });
            }
        }
        self.wanted = wanted;
    }

    /// A piece that was not seen before: normalised and waiting to be hashed.
    fn new_piece(&mut self, text: &str, span: Span, wanted: &Wanted) -> u32 {
        let raw = &text[span.start..span.end];
        let start = self.normal.len();
        let (measure, kept) =
            normalize_or_keep(wanted.content, self.settings.chunk, raw, &mut self.normal);
        let piece = self.memo.insert(wanted, measure);
        if measure.chars > 0 {
            let normal = match kept {
                Some(kept) => {
                    let start = kept.as_ptr() as usize - text.as_ptr() as usize;
                    Normal::Page(start..start + kept.len())
                }
                None => Normal::Copy(start..self.normal.len()),
            };
            self.to_hash.push(ToHash { normal, piece });
        }
        piece
    }

    /// Gives each chunk that was found the number of its fingerprint in the batch.
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

    /// Hashes the body and the new pieces together, which is faster than one by one.
    fn hash(&mut self, body: Option<(Owner, &[u8])>, text: &str, batch: &mut PageBatch) {
        let pieces = self.to_hash.iter().map(|piece| {
            let normal = match &piece.normal {
                Normal::Page(range) => &text.as_bytes()[range.clone()],
                Normal::Copy(range) => &self.normal[range.clone()],
            };
            (Owner::Piece(piece.piece), normal)
        });
        let memo = &mut self.memo;
        self.fingerprinter
            .add(body.into_iter().chain(pieces), |owner, fingerprint| {
                owner.take(fingerprint, memo, batch);
            });
    }
}

impl Owner {
    /// Notes the owner's fingerprint.
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
    use reprise_fingerprint::{Fingerprint, HashKind};
    use reprise_store::{PageBatch, PageRow, Settings};
    use reprise_text::{ChunkForm, Content, Cutter, normalize};

    use super::Chunker;

    const SETTINGS: Settings = Settings {
        hash: HashKind::Sha256,
        chunk: ChunkForm::Markup,
    };

    /// A page: the fingerprint of its body, then its chunks with start, length, characters, and whether they show.
    type Made = (Fingerprint, Vec<(Fingerprint, u32, u32, u32, bool)>);

    /// The pages of one batch after the other, by a chunker of so much memory.
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

    /// The same one by one, without any memory.
    fn expected(page: &str, content: Content) -> Made {
        let chunks = Cutter::new(content, page).filter_map(|span| {
            let mut normal = String::new();
            let raw = &page[span.start..span.end];
            let measure = normalize(content, SETTINGS.chunk, raw, &mut normal);
            (measure.chars > 0).then(|| {
                (
                    SETTINGS.hash.fingerprint(normal.as_bytes()),
                    span.start as u32,
                    raw.len() as u32,
                    measure.chars as u32,
                    measure.visible,
                )
            })
        });
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

    /// Pages of few different parts, some of which leave something open for what follows.
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
        fn what_was_seen_before_changes_nothing(batches in batches()) {
            check(&batches, Content::Html);
            check(&batches, Content::Plain);
        }
    }

    #[test]
    fn what_was_open_at_the_end_of_a_page_goes_on_in_another() {
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
