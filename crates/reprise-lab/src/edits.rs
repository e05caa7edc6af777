//! Edits by which an attacker could hide a copy.
//!
//! The kinds of edits are in [`words`], [`paragraphs`], [`links`], [`look_alikes`] and [`wraps`]. Each lists the
//! single edits that a page allows. The list is put into a random order, and any number of edits from its
//! beginning can be applied.

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

/// A kind of edit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EditKind {
    /// Replaces a word by another one.
    Replace,
    /// Inserts a word before another one. A page allows as many insertions as it has words.
    Insert,
    /// Deletes a word.
    Delete,
    /// Moves a paragraph to another place.
    Move,
    /// Changes the host of a link.
    Link,
    /// Replaces a letter by a letter of another script that looks the same.
    LookAlike,
    /// Replaces the white space between two words by a line feed, or a line feed by a space.
    Wrap,
}

impl EditKind {
    /// All kinds, in the order in which results list them.
    pub const ALL: [Self; 7] = [
        Self::Replace,
        Self::Insert,
        Self::Delete,
        Self::Move,
        Self::Link,
        Self::LookAlike,
        Self::Wrap,
    ];

    /// Returns the name used in flags and JSON.
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

    /// Describes the edits of this kind in a few words.
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

/// The error for an unknown name of a kind of edit.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown edit {found:?}; use one of: {}", EditKind::ALL.map(EditKind::as_str).join(", "))]
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

/// All edits of one kind that a page allows, in the order in which they are made.
#[derive(Clone, Debug)]
pub struct Edits<'p> {
    page: &'p Page,
    steps: Steps<'p>,
}

#[derive(Clone, Debug)]
enum Steps<'p> {
    /// Replacements of spans that do not overlap.
    Splices(Vec<Splice>),
    Moves(Moves<'p>),
}

/// A span of the text and its replacement.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Splice {
    span: Range<usize>,
    with: String,
}

impl<'p> Edits<'p> {
    /// Finds the edits of a page. `name` identifies the page. Together with the seed it determines all random
    /// choices, so that the edits of a page do not depend on the other pages of the sample.
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

    /// Returns the number of possible edits.
    pub fn len(&self) -> usize {
        match &self.steps {
            Steps::Splices(splices) => splices.len(),
            Steps::Moves(moves) => moves.len(),
        }
    }

    /// Returns true if the page does not allow such edits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns a copy of the page with the first `count` edits.
    pub fn apply(&self, count: usize) -> Page {
        let text = match &self.steps {
            Steps::Splices(splices) => spliced(self.page.text(), &splices[..count]),
            Steps::Moves(moves) => moves.apply(count),
        };
        self.page.with_text(text)
    }
}

/// Puts values into random order.
fn shuffled<T>(mut things: Vec<T>, random: &mut SplitMix64) -> Vec<T> {
    for last in (1..things.len()).rev() {
        things.swap(last, random.below(last + 1));
    }
    things
}

fn spliced(text: &str, splices: &[Splice]) -> String {
    let mut order: Vec<&Splice> = splices.iter().collect();
    // The sort is stable, so insertions at one place keep the order of the edits.
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
