//! The markup of an HTML text, one tag or comment after the other.

use memchr::memchr;

use crate::markup::{after_greater, comment_end, may_precede_value, tag_end};
use crate::window::{WINDOW, Window, first, last, since};

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Markup {
    StartTag,
    EndTag,
    /// A comment, a document type, or what the tokenizer takes for a comment.
    Comment,
    /// A tag that the text ends in: the tokenizer drops it.
    Unfinished,
}

/// Markup and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) markup: Markup,
    /// The `<` it begins with.
    pub(crate) less: usize,
    /// Just after its end.
    pub(crate) end: usize,
}

/// Finds markup as the tokenizer does in its data state. The caller passes raw text.
///
/// The bytes that matter are looked up for 64 bytes of text at once. Most tags are within such a
/// window and are found by bit operations alone; the others are read byte by byte.
#[derive(Clone, Debug)]
pub(crate) struct Scanner<'t> {
    text: &'t [u8],
    /// Start of the window.
    base: usize,
    /// The bits of `<` in the window that are still to be looked at.
    less: u64,
    greater: u64,
    single_quotes: u64,
    double_quotes: u64,
}

impl<'t> Scanner<'t> {
    /// Begins at a place where the tokenizer is in its data state.
    pub(crate) fn new(text: &'t [u8], from: usize) -> Self {
        let mut scanner = Self {
            text,
            base: from,
            less: 0,
            greater: 0,
            single_quotes: 0,
            double_quotes: 0,
        };
        scanner.look(from);
        scanner
    }

    /// Goes on after something that is not markup.
    pub(crate) fn pass(&mut self, end: usize) {
        if end < self.base + WINDOW {
            self.less &= since(end - self.base);
        } else {
            self.look(end);
        }
    }

    /// The next markup.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<Found> {
        loop {
            let Some(index) = first(self.less) else {
                let rest = self.text.get(self.base + WINDOW..)?;
                let offset = memchr(b'<', rest)?;
                self.look(self.base + WINDOW + offset);
                continue;
            };
            let less = self.base + index;
            // Start and end tags alternate without much of a rule: no branch for that.
            let slash = self.text.get(less + 1) == Some(&b'/');
            let name = less + 1 + usize::from(slash);
            let (markup, end) = match self.text.get(name) {
                Some(b'a'..=b'z' | b'A'..=b'Z') => match self.tag_end(less, name) {
                    Some(end) if slash => (Markup::EndTag, end),
                    Some(end) => (Markup::StartTag, end),
                    None => (Markup::Unfinished, self.text.len()),
                },
                // Also `</>`, which is nothing at all.
                Some(_) if slash => (Markup::Comment, after_greater(self.text, name)),
                Some(b'!' | b'?') => (Markup::Comment, comment_end(self.text, less)),
                _ => {
                    // Just text: also a `</` that the text ends in.
                    self.less &= self.less - 1;
                    continue;
                }
            };
            self.pass(end);
            return Some(Found { markup, less, end });
        }
    }

    /// The end of the tag at `less`, whose name begins at `name`.
    ///
    /// The first `>` ends the tag unless it is within a quoted value. If it is, and only one kind
    /// of quote precedes it, then the last of these opened that value, so an `=` precedes that
    /// quote, perhaps with white space between. Mostly the last quote closes a value and has
    /// another byte before it, and so no more needs to be known of the tag.
    #[inline]
    fn tag_end(&mut self, less: usize, name: usize) -> Option<usize> {
        let after = since(less - self.base);
        if let Some(index) = first(self.greater & after) {
            let tag = after & !since(index);
            let quote = last(self.double_quotes & tag);
            let sure =
                quote.is_none_or(|quote| !may_precede_value(self.text[self.base + quote - 1]));
            if sure && self.single_quotes & tag == 0 {
                return Some(self.base + index + 1);
            }
        }
        self.long_tag_end(less, name)
    }

    /// [`Scanner::tag_end`] where the tag may end in a later window.
    #[inline(never)]
    fn long_tag_end(&mut self, less: usize, name: usize) -> Option<usize> {
        let mut after = since(less - self.base);
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
            if self.base + WINDOW >= self.text.len() {
                return None;
            }
            self.look(self.base + WINDOW);
            after = u64::MAX;
        }
        tag_end(self.text, name)
    }

    /// Moves the window.
    #[inline(never)]
    fn look(&mut self, at: usize) {
        let window = Window::at(self.text, at);
        self.base = at;
        self.less = window.equal(b'<');
        self.greater = window.equal(b'>');
        self.single_quotes = window.equal(b'\'');
        self.double_quotes = window.equal(b'"');
    }
}
