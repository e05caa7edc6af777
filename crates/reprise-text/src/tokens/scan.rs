//! Finds tags and comments, 64 bytes at a time.

use memchr::memchr;

use crate::bytes64::{Bytes64, GROUP, first, last, since};
use crate::tokens::rules::{after_greater, comment_end, may_precede_value, tag_end};

/// A tag or comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Markup {
    pub(super) kind: MarkupKind,
    /// The offset just after its last byte.
    pub(super) end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkupKind {
    Start,
    End,
    /// A comment, a document type, or markup that browsers treat as a comment.
    Comment,
    /// A tag that is cut off by the end of the text.
    Unfinished,
}

/// Finds markup in the tokenizer's data state. The caller skips raw text.
///
/// The scanner finds `<`, `>` and quotes in 64 bytes at once. Most tags lie within such a group, and
/// a few bit operations find their end. Longer tags continue in the next groups, and tags with
/// unusual quotes are read byte by byte.
#[derive(Clone, Debug)]
pub(super) struct Scanner<'t> {
    text: &'t [u8],
    /// The offset of the group.
    base: usize,
    /// The `<` in the group that the scanner has not passed yet, one bit per byte.
    less: u64,
    greater: u64,
    single_quotes: u64,
    double_quotes: u64,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        let mut scanner = Self {
            text,
            base: 0,
            less: 0,
            greater: 0,
            single_quotes: 0,
            double_quotes: 0,
        };
        scanner.move_to(0);
        scanner
    }

    /// Continues at a later offset.
    #[inline]
    pub(super) fn skip_to(&mut self, at: usize) {
        if at < self.base + GROUP {
            self.less &= since(at - self.base);
        } else {
            self.move_to(at);
        }
    }

    /// Returns the offset of the next markup, or the end of the text.
    #[inline]
    pub(super) fn markup_start(&mut self) -> usize {
        loop {
            let Some(index) = first(self.less) else {
                let Some(rest) = self.text.get(self.base + GROUP..) else {
                    return self.text.len();
                };
                let Some(offset) = memchr(b'<', rest) else {
                    return self.text.len();
                };
                self.move_to(self.base + GROUP + offset);
                continue;
            };
            let start = self.base + index;
            match self.text.get(start + 1) {
                Some(b'a'..=b'z' | b'A'..=b'Z' | b'!' | b'?') => return start,
                Some(b'/') if start + 2 < self.text.len() => return start,
                // The `<` is text. So is a `</` at the end of the text.
                _ => self.less &= self.less - 1,
            }
        }
    }

    /// Returns the markup at the offset that [`Scanner::markup_start`] returned.
    #[inline]
    pub(super) fn markup(&mut self, start: usize) -> Markup {
        // Start and end tags alternate irregularly, so a branch would be predicted badly.
        let slash = self.text[start + 1] == b'/';
        let name = start + 1 + usize::from(slash);
        let (kind, end) = if self.text[name].is_ascii_alphabetic() {
            match self.tag_end(start, name) {
                Some(end) if slash => (MarkupKind::End, end),
                Some(end) => (MarkupKind::Start, end),
                None => (MarkupKind::Unfinished, self.text.len()),
            }
        } else if slash {
            (MarkupKind::Comment, after_greater(self.text, name))
        } else {
            (MarkupKind::Comment, comment_end(self.text, start))
        };
        self.skip_to(end);
        Markup { kind, end }
    }

    /// Returns the end of the tag whose `<` is at `start` and whose name begins at `name`.
    ///
    /// This is [`rules::tag_end`](tag_end) on the bits that the scanner has already. See there why the
    /// last quote before the first `>` usually decides.
    #[inline]
    fn tag_end(&mut self, start: usize, name: usize) -> Option<usize> {
        let after = since(start - self.base);
        if let Some(index) = first(self.greater & after) {
            let tag = after & !since(index);
            let quote = last(self.double_quotes & tag);
            let is_sure =
                quote.is_none_or(|quote| !may_precede_value(self.text[self.base + quote - 1]));
            if is_sure && self.single_quotes & tag == 0 {
                return Some(self.base + index + 1);
            }
        }
        self.long_tag_end(start, name)
    }

    /// Does the work of [`Scanner::tag_end`] for a tag that may end in a later group.
    #[inline(never)]
    fn long_tag_end(&mut self, start: usize, name: usize) -> Option<usize> {
        let mut after = since(start - self.base);
        let mut last_quote = None;
        loop {
            let greater = first(self.greater & after);
            let tag = after & !greater.map_or(0, since);
            if let Some(index) = last(self.double_quotes & tag) {
                last_quote = Some(self.base + index);
            }
            if self.single_quotes & tag != 0 {
                break;
            }
            if let Some(index) = greater {
                if last_quote.is_some_and(|quote| may_precede_value(self.text[quote - 1])) {
                    break;
                }
                return Some(self.base + index + 1);
            }
            if self.base + GROUP >= self.text.len() {
                return None;
            }
            self.move_to(self.base + GROUP);
            after = u64::MAX;
        }
        tag_end(self.text, name)
    }

    #[inline(never)]
    fn move_to(&mut self, at: usize) {
        let group = Bytes64::at(self.text, at);
        self.base = at;
        self.less = group.equal(b'<');
        self.greater = group.equal(b'>');
        self.single_quotes = group.equal(b'\'');
        self.double_quotes = group.equal(b'"');
    }
}
