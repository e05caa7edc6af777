//! Skims HTML for the few tags that matter to the cutter.
//!
//! Most tags neither cut nor open raw text, and all that is to be known of them is that what looks
//! like a tag inside of them is none. So they are not read one by one: bit operations on 64 bytes
//! at a time tell which `<` and `>` belong together, as if a quoted value never held a `>`. Where
//! one might (see [`Skimmer::suspects`]), and only there, the tag is read by the tokenizer's rules.

use crate::instructions::with_best;
use crate::marks::Marker;
use crate::markup::{after_greater, comment_end, may_precede_value, tag_end};
use crate::window::{WINDOW, first, last, since};

/// Finds start tags that may matter, in the tokenizer's data state. The caller passes raw text.
#[derive(Clone, Debug)]
pub(crate) struct Skimmer<'t> {
    text: &'t [u8],
    /// Start of the window.
    base: usize,
    /// The tag that is open where the window starts, by its `<`.
    open: Option<usize>,
    /// Each `<` in the window that begins a tag, if it is not within another.
    tags: u64,
    /// Of these, the ones that may cut or open raw text; also what begins a comment.
    matters: u64,
    greater: u64,
    /// If a `>` is within a quoted value and only `"` precede it in its tag, then the last of these
    /// opened the value, so `=` precedes that quote, perhaps with white space between. Such a `>`
    /// is suspect, and so is every `'`.
    suspects: u64,
    /// Whether the last quote of the window may open a value in which the next window begins.
    is_quote_open: bool,
}

impl<'t> Skimmer<'t> {
    /// Begins at a place where the tokenizer is in its data state.
    pub(crate) fn new(text: &'t [u8], from: usize) -> Self {
        let mut skimmer = Self {
            text,
            base: from,
            open: None,
            tags: 0,
            matters: 0,
            greater: 0,
            suspects: 0,
            is_quote_open: false,
        };
        skimmer.look(from);
        skimmer
    }

    /// Goes on at a later place where the tokenizer is in its data state.
    #[inline]
    pub(crate) fn pass(&mut self, end: usize) {
        self.open = None;
        if end < self.base + WINDOW {
            let rest = since(end - self.base);
            self.tags &= rest;
            self.matters &= rest;
            self.greater &= rest;
            self.suspects &= rest;
        } else {
            self.is_quote_open = false;
            self.look(end);
        }
    }

    /// The `<` of the next start tag that may matter.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<usize> {
        loop {
            while let Some(index) = first(self.matters | self.suspects) {
                let at = self.base + index;
                let bit = 1 << index;
                let matters = self.matters & bit != 0;
                self.matters &= !bit;
                self.suspects &= !bit;
                match self.open_before(index) {
                    Some(tag) if !matters => self.pass_tag(tag),
                    None if matters && self.is_start_tag(at) => return Some(at),
                    // What looks like a tag within a tag, or like a quote in text, is none.
                    _ => {}
                }
            }
            if !self.advance() {
                return None;
            }
        }
    }

    /// Does the start tag that [`Skimmer::next`] just gave end before the text does?
    #[inline]
    pub(crate) fn is_finished(&self, less: usize) -> bool {
        let rest = since(less - self.base);
        let greater = self.greater & rest;
        let up_to_first = greater ^ greater.wrapping_sub(1);
        let sure = greater != 0 && self.suspects & rest & up_to_first == 0;
        sure || tag_end(self.text, less + 1).is_some()
    }

    /// The `<` of the tag that is open just before this index.
    #[inline]
    fn open_before(&self, index: usize) -> Option<usize> {
        let before = if index == WINDOW {
            u64::MAX
        } else {
            !since(index)
        };
        match last(self.greater & before) {
            Some(greater) => first(self.tags & before & since(greater)).map(|tag| self.base + tag),
            None => self
                .open
                .or_else(|| first(self.tags & before).map(|tag| self.base + tag)),
        }
    }

    /// Passes a tag by the tokenizer's own rules.
    #[inline(never)]
    fn pass_tag(&mut self, less: usize) {
        let slash = self.text[less + 1] == b'/';
        let end = tag_end(self.text, less + 1 + usize::from(slash));
        self.pass(end.unwrap_or(self.text.len()));
    }

    /// Is it a start tag? Passes it where it is a comment or the like.
    #[inline]
    fn is_start_tag(&mut self, less: usize) -> bool {
        match self.text[less + 1] {
            b'!' | b'?' => self.pass(comment_end(self.text, less)),
            // Also `</>`, which is nothing at all.
            b'/' => self.pass(after_greater(self.text, less + 2)),
            _ => return true,
        }
        false
    }

    /// Moves the window on until there is something to look at in it; false at the end of the text.
    fn advance(&mut self) -> bool {
        with_best!(|marker| self.advance_by(marker))
    }

    #[expect(clippy::inline_always, reason = "compiled anew for each marker")]
    #[inline(always)]
    fn advance_by(&mut self, marker: impl Marker) -> bool {
        loop {
            let next = self.base + WINDOW;
            if next >= self.text.len() {
                return false;
            }
            self.open = self.open_before(WINDOW);
            self.look_by(next, marker);
            if self.matters | self.suspects != 0 {
                return true;
            }
        }
    }

    /// Moves the window.
    fn look(&mut self, at: usize) {
        with_best!(|marker| self.look_by(at, marker));
    }

    #[expect(clippy::inline_always, reason = "compiled anew for each marker")]
    #[inline(always)]
    fn look_by(&mut self, at: usize, marker: impl Marker) {
        let marks = marker.marks_at(self.text, at);
        self.base = at;
        self.tags = marks.tags;
        self.matters = marks.matters;
        self.greater = marks.greater;
        let is_first_after = at > 0 && may_precede_value(self.text[at - 1]);
        let opening = marks.double_quotes & (marks.before_value << 1 | u64::from(is_first_after));
        // From each opening quote on to the next quote or `>`: adding a bit to a run of ones carries
        // it to the zero behind the run.
        let between = !(marks.double_quotes | marks.greater);
        let from = opening << 1 | u64::from(self.is_quote_open);
        let (sum, beyond) = from.overflowing_add(between);
        self.is_quote_open = beyond || opening >> (WINDOW - 1) == 1;
        self.suspects = sum & !between & marks.greater | marks.single_quotes;
    }
}
