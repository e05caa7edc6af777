//! Skims HTML for the few tags that matter to the cutter.
//!
//! Most tags neither cut nor open raw text, and all that is to be known of them is that what looks
//! like a tag inside of them is none. So they are not read one by one: bit operations on 64 bytes
//! at a time tell which of them are within a tag, as if every `<` began one and the first `>` always ended it
//! ([`Model`]). Where that may be wrong, and only there, the tokenizer's rules decide.
//!
//! ```text
//! text     a<b>x</b> <p c="d">y <!-- <p> -->
//! model    ··[[·····[[·[[[[[[[··[[[[[[··[[[[   within a tag, behind its `<` up to its `>`
//! matters  ···········!·········!·····!····    a byte behind a `<`, where that is not within a tag
//! ```
//!
//! The model needs nothing but the bytes, and so it runs ahead, over some thousand of them at a time. What the
//! tokenizer passes (a comment, raw text, a tag with a `>` in its values) ends in a `>`, behind which the
//! model is outside of tags too, whatever it took the bytes before for: both agree there again.

use memchr::{memchr, memrchr};

use crate::instructions::with_best;
use crate::marks::{Marker, Marks};
use crate::markup::{after_greater, comment_end, tag_end};
use crate::window::{WINDOW, first, since};

/// Windows that the model runs ahead at most: as many as a number has bits.
const WINDOWS: usize = u64::BITS as usize;

/// Finds start tags that may matter, in the tokenizer's data state. The caller passes raw text.
#[derive(Clone, Debug)]
pub(crate) struct Skimmer<'t> {
    text: &'t [u8],
    /// Where the model began.
    start: usize,
    /// Where the windows begin that it has seen last, and where it goes on.
    base: usize,
    next: usize,
    /// What is to be looked at in each of them, and in which there is anything.
    found: [Events; WINDOWS],
    windows: u64,
    /// Windows that the model will run ahead.
    ahead: usize,
    model: Model,
}

/// What is to be looked at in a window, one bit a byte.
#[derive(Clone, Copy, Debug, Default)]
struct Events {
    /// Each byte behind a `<`, unless that begins a tag of those which neither cut nor open raw text.
    matters: u64,
    /// Each byte at which a tag may not be what the model takes it for: a `'` in it, or its `>` if that may be within
    /// a quoted value.
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

/// Tags as if every `<` began one, and the first `>` always ended it. Of the bytes before the window this is kept,
/// as bits.
#[derive(Clone, Copy, Debug, Default)]
struct Model {
    /// Is the last one within a tag?
    open: u64,
    /// Is it a `<`? May a quote behind it open a value?
    less: u64,
    before_value: u64,
    /// May the last quote have opened a value, which goes on in the window?
    quote_open: u64,
}

impl Model {
    #[expect(clippy::inline_always, reason = "compiled anew for each marker")]
    #[inline(always)]
    fn events(&mut self, marks: Marks) -> Events {
        // From behind each `<` on to the next `>`: adding a bit to a run of ones makes them zeros up to where the
        // run ends, and sets the zero there. Where another bit is added to the same run, it stays.
        let was_open = self.open;
        let behind_less = behind(marks.less, &mut self.less);
        let outside = !marks.greater;
        let begins = behind_less & outside;
        let (sum, is_open) = outside.overflowing_add(begins | was_open);
        let inside = outside & !sum | begins;
        let ends = marks.greater & sum;
        self.open = u64::from(is_open);

        // From each quote that may open a value on to the next quote or `>`, in the same way. If a `>` is within a
        // quoted value and only `"` precede it in its tag, then the last of these opened the value, so `=` precedes
        // that quote, perhaps with white space between.
        let opening = marks.double_quotes & behind(marks.before_value, &mut self.before_value);
        let mut last_opening = 0;
        let from = behind(opening, &mut last_opening) | self.quote_open;
        let unquoted = !(marks.double_quotes | marks.greater);
        let (quote_sum, is_quote_open) = unquoted.overflowing_add(from);
        self.quote_open = u64::from(is_quote_open) | last_opening;

        Events {
            matters: marks.matters & behind_less & !(inside << 1 | was_open),
            suspects: ends & quote_sum | inside & marks.single_quotes,
        }
    }
}

/// The bytes behind those with a bit; `last` is that of the last byte before the window, then of its own.
#[expect(clippy::inline_always, reason = "a few instructions")]
#[inline(always)]
fn behind(bits: u64, last: &mut u64) -> u64 {
    let behind = bits << 1 | *last;
    *last = bits >> (WINDOW - 1);
    behind
}

impl<'t> Skimmer<'t> {
    /// Begins at a place where the tokenizer is in its data state.
    pub(crate) fn new(text: &'t [u8], from: usize) -> Self {
        Self {
            text,
            start: from,
            base: from,
            next: from,
            found: [Events::default(); WINDOWS],
            windows: 0,
            ahead: WINDOWS,
            model: Model::default(),
        }
    }

    /// Goes on at a later place where the tokenizer is in its data state: behind a `>`, or at the end of the text.
    pub(crate) fn pass(&mut self, end: usize) {
        if end >= self.next {
            self.begin(end);
            return;
        }
        let (window, index) = ((end - self.base) / WINDOW, (end - self.base) % WINDOW);
        self.windows &= since(window);
        self.keep(window, since(index));
    }

    /// Has the model begin anew.
    fn begin(&mut self, at: usize) {
        (self.start, self.base, self.next) = (at, at, at);
        self.windows = 0;
        self.model = Model::default();
    }

    /// Keeps only these events of a window.
    #[inline]
    fn keep(&mut self, window: usize, bits: u64) {
        let events = &mut self.found[window];
        events.keep(bits);
        if events.any() == 0 {
            self.windows &= !(1 << window);
        }
    }

    /// The `<` of the next start tag that may matter.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<usize> {
        loop {
            let Some((window, index, is_suspect)) = self.event() else {
                if self.next >= self.text.len() {
                    return None;
                }
                self.run_ahead();
                continue;
            };
            self.keep(window, !(1 << index));
            let at = self.base + window * WINDOW + index;
            if is_suspect {
                self.pass_tag_around(at);
            } else if self.is_start_tag(at) {
                return Some(at - 1);
            }
        }
    }

    /// The next event that the model has seen: its window, its place in it, and whether it is a suspect.
    #[inline]
    fn event(&self) -> Option<(usize, usize, bool)> {
        let window = first(self.windows)?;
        let events = self.found[window];
        let index = first(events.any())?;
        // A quote behind a `<` is both; if no tag begins there, the quote is in none.
        Some((window, index, events.matters >> index & 1 == 0))
    }

    /// Does the start tag that [`Skimmer::next`] just gave end before the text does?
    #[inline]
    pub(crate) fn is_finished(&self, less: usize) -> bool {
        // It does before another one begins.
        matches!(self.event(), Some((_, _, false))) || tag_end(self.text, less + 1).is_some()
    }

    /// Does the name of a start tag begin here, behind a `<`? Passes what is none.
    #[inline]
    fn is_start_tag(&mut self, at: usize) -> bool {
        match self.text.get(at) {
            Some(byte) if byte.is_ascii_alphabetic() => return true,
            Some(b'!' | b'?') => self.pass(comment_end(self.text, at - 1)),
            // The `<` is just text. Where there are many, the model runs ahead in vain, so it had better not be far.
            _ => {
                self.begin(at);
                self.ahead = 1;
            }
        }
        false
    }

    /// Passes the tag that the model sees around this place, by the tokenizer's own rules.
    #[cold]
    fn pass_tag_around(&mut self, at: usize) {
        let before = &self.text[self.start..at];
        let outside = memrchr(b'>', before).map_or(0, |greater| greater + 1);
        let Some(less) = memchr(b'<', &before[outside..]) else {
            return;
        };
        let name = self.start + outside + less + 1;
        let end = match self.text[name..] {
            // What is no end tag is a comment. Also `</>`, which is nothing at all.
            [b'/', first, ..] if !first.is_ascii_alphabetic() => {
                Some(after_greater(self.text, name + 1))
            }
            [b'/', ..] => tag_end(self.text, name + 1),
            _ => tag_end(self.text, name),
        };
        self.pass(end.unwrap_or(self.text.len()));
    }

    /// Has the model look at the next windows.
    #[inline(never)]
    fn run_ahead(&mut self) {
        with_best!(|marker| self.run_ahead_by(marker));
    }

    #[expect(clippy::inline_always, reason = "compiled anew for each marker")]
    #[inline(always)]
    fn run_ahead_by(&mut self, marker: impl Marker) {
        let text = self.text;
        let mut model = self.model;
        let mut at = self.next;
        let mut windows = 0;
        for (window, events) in self.found[..self.ahead].iter_mut().enumerate() {
            if at >= text.len() {
                break;
            }
            *events = model.events(marker.marks_at(text, at));
            windows |= u64::from(events.any() != 0) << window;
            at += WINDOW;
        }
        self.base = self.next;
        self.next = at;
        self.windows = windows;
        self.model = model;
        self.ahead = (self.ahead * 2).min(WINDOWS);
    }
}
