//! Edits: what somebody does to a copy so that it is not found.
//!
//! Each kind is a file: [`words`], [`paragraphs`], [`links`], [`look_alikes`], [`wraps`]. All make the
//! same thing of a page: a list of single edits in random order, of which any number can be applied. More
//! edits contain the fewer ones.

mod links;
mod look_alikes;
mod paragraphs;
mod places;
mod words;
mod wraps;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use reprise_fingerprint::HashKind;
use reprise_imatch::SplitMix64;

use crate::page::Page;
use crate::vocabulary::Vocabulary;
use paragraphs::Moves;

/// A way to change a copy.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EditKind {
    /// A word becomes another.
    Replace,
    /// A word is put in front of another; at most as many as the page has words.
    Insert,
    /// A word goes.
    Delete,
    /// A paragraph goes somewhere else.
    Move,
    /// A link leads to another host.
    Link,
    /// A letter becomes one of another script that looks like it.
    LookAlike,
    /// The white space between two words becomes a line feed, or a space if there was one.
    Wrap,
}

impl EditKind {
    /// Every kind, in the order they are listed to people.
    pub const ALL: [Self; 7] = [
        Self::Replace,
        Self::Insert,
        Self::Delete,
        Self::Move,
        Self::Link,
        Self::LookAlike,
        Self::Wrap,
    ];

    /// The name, as in options and files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Replace => "replace",
            Self::Insert => "insert",
            Self::Delete => "delete",
            Self::Move => "move",
            Self::Link => "link",
            Self::LookAlike => "look-alike",
            Self::Wrap => "wrap",
        }
    }

    /// What one edit is, in a few words.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Replace => "words replaced",
            Self::Insert => "words inserted",
            Self::Delete => "words deleted",
            Self::Move => "paragraphs moved",
            Self::Link => "links rewritten",
            Self::LookAlike => "look-alike letters",
            Self::Wrap => "lines re-wrapped",
        }
    }
}

impl fmt::Display for EditKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A name that no kind of edit has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown edit {found:?}, use some of: {}", EditKind::ALL.map(EditKind::as_str).join(", "))]
pub struct ParseEditError {
    found: String,
}

impl FromStr for EditKind {
    type Err = ParseEditError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.into_iter().find(|kind| kind.as_str() == name);
        known.ok_or_else(|| ParseEditError {
            found: name.to_owned(),
        })
    }
}

/// All edits of one kind that a page allows, in the order they are made.
#[derive(Clone, Debug)]
pub struct Edits<'p> {
    page: &'p Page,
    steps: Steps<'p>,
}

#[derive(Clone, Debug)]
enum Steps<'p> {
    /// Something else stands in the place of each span. Spans do not overlap.
    Splices(Vec<Splice>),
    Moves(Moves<'p>),
}

/// A span of the text, and what stands there after the edit.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Splice {
    span: Range<usize>,
    with: String,
}

impl<'p> Edits<'p> {
    /// The edits of a page. `name` stands for the page: with the seed it decides what is drawn, so that
    /// a page is edited in the same way whatever others are looked at.
    pub fn of(
        page: &'p Page,
        kind: EditKind,
        vocabulary: &Vocabulary,
        name: &str,
        seed: u64,
    ) -> Self {
        let drawn = HashKind::Sha256.fingerprint(format!("{seed} {kind} {name}").as_bytes());
        let random = &mut SplitMix64::new(drawn.prefix());
        let splices = match kind {
            EditKind::Replace => words::replaced(page, vocabulary, random),
            EditKind::Insert => words::inserted(page, vocabulary, random),
            EditKind::Delete => words::deleted(page),
            EditKind::Link => links::rewritten(page),
            EditKind::LookAlike => look_alikes::swapped(page),
            EditKind::Wrap => wraps::wrapped(page),
            EditKind::Move => {
                let steps = Steps::Moves(Moves::of(page, random));
                return Self { page, steps };
            }
        };
        Self {
            page,
            steps: Steps::Splices(shuffled(splices, random)),
        }
    }

    /// How many edits are possible.
    pub fn len(&self) -> usize {
        match &self.steps {
            Steps::Splices(splices) => splices.len(),
            Steps::Moves(moves) => moves.len(),
        }
    }

    /// Is there nothing to edit?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The page with the first `count` edits.
    pub fn apply(&self, count: usize) -> Page {
        let text = match &self.steps {
            Steps::Splices(splices) => spliced(self.page.text(), &splices[..count]),
            Steps::Moves(moves) => moves.apply(count),
        };
        self.page.with_text(text)
    }
}

/// The same things in random order.
fn shuffled<T>(mut things: Vec<T>, random: &mut SplitMix64) -> Vec<T> {
    for last in (1..things.len()).rev() {
        things.swap(last, random.below(last + 1));
    }
    things
}

fn spliced(text: &str, splices: &[Splice]) -> String {
    let mut order: Vec<&Splice> = splices.iter().collect();
    // Stable: what is inserted at one place stays in the order of the edits.
    order.sort_by_key(|splice| splice.span.start);
    let mut edited = String::with_capacity(text.len());
    let mut at = 0;
    for splice in order {
        edited.push_str(&text[at..splice.span.start]);
        edited.push_str(&splice.with);
        at = splice.span.end;
    }
    edited.push_str(&text[at..]);
    edited
}

#[cfg(test)]
mod tests;
