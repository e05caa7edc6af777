//! The fast path of the cutter: finds the few start tags that cut or open raw text.
//!
//! The tokenizer could do this too, but it reads tag by tag, at 1.5 to 3.5 GB/s. The cutter reads every
//! byte of every page and needs only `p` and `div` tags, so it skims instead, at 8 to 10 GB/s. The
//! skimmer applies the rules of [`tokens::rules`](crate::tokens::rules) and the names of
//! [`RawElement`](crate::tokens::RawElement) wherever it has to decide; it has no rules besides these.
//!
//! Most tags neither cut nor open raw text. The skimmer only needs to know that nothing within such a
//! tag is a tag. So it does not read them: bit operations find the bytes within tags, 64 bytes at a
//! time, as if every `<` began a tag and the first `>` always ended it ([`Model`]). Only where that may
//! be wrong, the rules decide.
//!
//! ```text
//! text     a<b>x</b> <p c="d">y <!-- <p> -->
//! model    ··[[·····[[·[[[[[[[··[[[[[[··[[[[   within a tag: behind its `<`, up to its `>`
//! matters  ···········!·········!·····!····    a byte behind a `<` that is not within a tag
//! ```
//!
//! The model depends only on the bytes, so it runs ahead of the rules, over up to 4,096 bytes. Everything
//! that the rules skip (a comment, raw text, a tag with a `>` in a value) ends in a `>`. Behind a `>` the
//! model is always outside of tags, so there the model and the rules agree again.

use memchr::{memchr, memrchr};

use crate::byte_classes::{ByteClasses, ClassifyBytes};
use crate::bytes64::{GROUP, first, since};
use crate::instructions::with_best;
use crate::tokens::rules::{after_greater, comment_end, tag_end};

/// The most groups that the model runs ahead: the number of bits in [`Skimmer::groups`].
const GROUPS: usize = u64::BITS as usize;

/// Finds start tags that may cut or open raw text, in the tokenizer's data state. The caller skips
/// raw text.
#[derive(Clone, Debug)]
pub(crate) struct Skimmer<'t> {
    text: &'t [u8],
    /// The offset at which the model began.
    start: usize,
    /// The offset of the first group in `found`.
    base: usize,
    /// The offset at which the model continues.
    next: usize,
    /// The events of each group that the model has seen.
    found: [Events; GROUPS],
    /// The groups that have events, one bit per group.
    groups: u64,
    /// The number of groups that the model runs ahead next time.
    ahead: usize,
    model: Model,
}

/// The bytes of a group that the rules must look at, one bit per byte.
#[derive(Clone, Copy, Debug, Default)]
struct Events {
    /// The bytes behind a `<`, except for tags that neither cut nor open raw text.
    matters: u64,
    /// The bytes at which the model may be wrong about a tag: a `'` in it, and its `>` if that may be
    /// within a quoted value.
    suspects: u64,
}

impl Events {
    #[inline]
    fn any(self) -> u64 {
        self.matters | self.suspects
    }

    #[inline]
    fn keep(&mut self, bits: u64) {
        self.matters &= bits;
        self.suspects &= bits;
    }
}

/// Finds tags as if every `<` began a tag and the first `>` always ended it. Keeps the state at the end
/// of the last group; each field is 0 or 1.
#[derive(Clone, Copy, Debug, Default)]
struct Model {
    /// The last byte is within a tag.
    open: u64,
    /// The last byte is a `<`.
    less: u64,
    /// A quote behind the last byte may open a value.
    before_value: u64,
    /// The last quote may have opened a value that continues in the next group.
    quote_open: u64,
}

impl Model {
    #[expect(
        clippy::inline_always,
        reason = "compiled once for each set of instructions"
    )]
    #[inline(always)]
    fn events(&mut self, classes: ByteClasses) -> Events {
        // Mark the bytes from behind each `<` to the next `>`. `outside` is a run of ones between two `>`.
        // Adding a bit within a run turns the ones from there on into zeros and sets the bit behind the run.
        // A second bit added to the same run remains set, so `begins` is added back below.
        let was_open = self.open;
        let behind_less = behind(classes.less, &mut self.less);
        let outside = !classes.greater;
        let begins = behind_less & outside;
        let (sum, is_open) = outside.overflowing_add(begins | was_open);
        let inside = outside & !sum | begins;
        let ends = classes.greater & sum;
        self.open = u64::from(is_open);

        // In the same way, mark the bytes from each quote that may open a value to the next quote or `>`. See
        // `tag_end` for the reason why the last quote before a `>` decides.
        let opening = classes.double_quotes & behind(classes.before_value, &mut self.before_value);
        let mut last_opening = 0;
        let from = behind(opening, &mut last_opening) | self.quote_open;
        let unquoted = !(classes.double_quotes | classes.greater);
        let (quote_sum, is_quote_open) = unquoted.overflowing_add(from);
        self.quote_open = u64::from(is_quote_open) | last_opening;

        Events {
            matters: classes.matters & behind_less & !(inside << 1 | was_open),
            suspects: ends & quote_sum | inside & classes.single_quotes,
        }
    }
}

/// Returns the bytes behind those in `bits`. `last` is the bit of the last byte before the group, and
/// becomes that of the last byte in it.
#[expect(clippy::inline_always, reason = "a few instructions")]
#[inline(always)]
fn behind(bits: u64, last: &mut u64) -> u64 {
    let behind = bits << 1 | *last;
    *last = bits >> (GROUP - 1);
    behind
}

impl<'t> Skimmer<'t> {
    /// Starts at an offset at which the tokenizer is in its data state.
    pub(crate) fn new(text: &'t [u8], from: usize) -> Self {
        Self {
            text,
            start: from,
            base: from,
            next: from,
            found: [Events::default(); GROUPS],
            groups: 0,
            ahead: GROUPS,
            model: Model::default(),
        }
    }

    /// Continues at a later offset at which the tokenizer is in its data state: behind a `>`, or at the
    /// end of the text.
    pub(crate) fn skip_to(&mut self, end: usize) {
        if end >= self.next {
            self.begin(end);
            return;
        }
        let (group, index) = ((end - self.base) / GROUP, (end - self.base) % GROUP);
        self.groups &= since(group);
        self.keep(group, since(index));
    }

    /// Restarts the model.
    fn begin(&mut self, at: usize) {
        (self.start, self.base, self.next) = (at, at, at);
        self.groups = 0;
        self.model = Model::default();
    }

    /// Keeps only these events of a group.
    #[inline]
    fn keep(&mut self, group: usize, bits: u64) {
        let events = &mut self.found[group];
        events.keep(bits);
        if events.any() == 0 {
            self.groups &= !(1 << group);
        }
    }

    /// Returns the offset of the `<` of the next start tag that may cut or open raw text.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<usize> {
        loop {
            let Some((group, index, is_suspect)) = self.event() else {
                if self.next >= self.text.len() {
                    return None;
                }
                self.run_ahead();
                continue;
            };
            self.keep(group, !(1 << index));
            let at = self.base + group * GROUP + index;
            if is_suspect {
                self.skip_tag_around(at);
            } else if self.is_start_tag(at) {
                return Some(at - 1);
            }
        }
    }

    /// Returns the next event that the model has seen: its group, its index in the group, and whether it
    /// is a suspect.
    #[inline]
    fn event(&self) -> Option<(usize, usize, bool)> {
        let group = first(self.groups)?;
        let events = self.found[group];
        let index = first(events.any())?;
        // A quote behind a `<` is both. It matters more: no tag begins there, so the quote is not in a tag.
        Some((group, index, events.matters >> index & 1 == 0))
    }

    /// Returns true if the start tag that [`Skimmer::next`] has just returned ends before the text does.
    #[inline]
    pub(crate) fn is_finished(&self, less: usize) -> bool {
        // Another event outside of tags comes after the end of this tag.
        matches!(self.event(), Some((_, _, false))) || tag_end(self.text, less + 1).is_some()
    }

    /// Returns true if a start tag begins with the `<` before `at`. Skips markup of other kinds.
    #[inline]
    fn is_start_tag(&mut self, at: usize) -> bool {
        match self.text.get(at) {
            Some(byte) if byte.is_ascii_alphabetic() => return true,
            Some(b'!' | b'?') => self.skip_to(comment_end(self.text, at - 1)),
            // The `<` is text, so the model is wrong from here on. In a text with many of them, running far
            // ahead would be wasted work.
            _ => {
                self.begin(at);
                self.ahead = 1;
            }
        }
        false
    }

    /// Skips the tag that the model sees around this offset, by the rules.
    #[cold]
    fn skip_tag_around(&mut self, at: usize) {
        let before = &self.text[self.start..at];
        let outside = memrchr(b'>', before).map_or(0, |greater| greater + 1);
        let Some(less) = memchr(b'<', &before[outside..]) else {
            return;
        };
        let name = self.start + outside + less + 1;
        let end = match self.text[name..] {
            // `</` without a name begins a comment.
            [b'/', first, ..] if !first.is_ascii_alphabetic() => {
                Some(after_greater(self.text, name + 1))
            }
            [b'/', ..] => tag_end(self.text, name + 1),
            _ => tag_end(self.text, name),
        };
        self.skip_to(end.unwrap_or(self.text.len()));
    }

    /// Runs the model over the next groups.
    #[inline(never)]
    fn run_ahead(&mut self) {
        with_best!(|instructions| self.run_ahead_by(instructions));
    }

    #[expect(
        clippy::inline_always,
        reason = "compiled once for each set of instructions"
    )]
    #[inline(always)]
    fn run_ahead_by(&mut self, instructions: impl ClassifyBytes) {
        let text = self.text;
        let mut model = self.model;
        let mut at = self.next;
        let mut groups = 0;
        for (group, events) in self.found[..self.ahead].iter_mut().enumerate() {
            if at >= text.len() {
                break;
            }
            *events = model.events(instructions.classes_at(text, at));
            groups |= u64::from(events.any() != 0) << group;
            at += GROUP;
        }
        self.base = self.next;
        self.next = at;
        self.groups = groups;
        self.model = model;
        self.ahead = (self.ahead * 2).min(GROUPS);
    }
}
