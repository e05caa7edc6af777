//! Finds all pairs of matching digests in a list, without comparing all pairs.

use std::collections::HashMap;

use crate::cut::{Cut, Outline, Text};
use crate::digest::Digest;
use crate::level::HIGHEST;
use crate::score::{EQUAL, Pattern, most};
use crate::sharing::Sharing;

/// Two digests that match, or two groups of digests.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pair {
    /// The index of the first digest or group.
    pub a: u32,
    /// The index of the second digest or group.
    pub b: u32,
    /// The score of the two.
    pub score: u8,
}

/// Returns all pairs of a list that score at least `at_least`, in order.
///
/// The result is that of comparing all pairs. It is found by sorting the runs of seven characters. A
/// score of 0 is not a match, so an `at_least` of 0 means 1.
///
/// The number of pairs can be large: 100,000 equal digests have 5,000 million pairs. Use [`Groups`] if
/// many digests may be equal.
pub fn pairs(digests: &[Digest], at_least: u8) -> Vec<Pair> {
    let mut pairs = Vec::new();
    pairs_each(digests, at_least, |pair| pairs.push(pair));
    pairs.sort_unstable();
    pairs
}

/// Calls `found` with each pair that [`pairs`] returns, without storing them. The order differs from
/// that of [`pairs`], but it is deterministic.
pub fn pairs_each(digests: &[Digest], at_least: u8, mut found: impl FnMut(Pair)) {
    let groups = Groups::of(digests);
    if EQUAL >= at_least {
        for group in 0..groups.len() as u32 {
            let members = groups.members(group);
            for (i, &a) in members.iter().enumerate() {
                for &b in &members[i + 1..] {
                    let score = EQUAL;
                    found(Pair { a, b, score });
                }
            }
        }
    }
    groups.pairs_each(at_least, |Pair { a, b, score }| {
        for &a in groups.members(a) {
            for &b in groups.members(b) {
                let (a, b) = (a.min(b), a.max(b));
                found(Pair { a, b, score });
            }
        }
    });
}

/// A list of digests in which equal ones form a group.
///
/// Digests are equal here if they differ only in runs of a character longer than three. They score 100
/// with each other and have the same score with any other digest. Groups are numbered from zero, in the
/// order of their first members.
///
/// ```
/// use reprise_fuzzy::{Digest, Groups};
///
/// let digests: Vec<Digest> = [b"one", b"two", b"one"].map(|text| Digest::of(text)).into();
/// let groups = Groups::of(&digests);
/// assert_eq!((groups.len(), groups.members(0)), (2, &[0, 2][..]));
/// assert_eq!(groups.pairs(90), []);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Groups {
    cuts: Vec<Cut>,
    /// The members of all groups, group by group.
    members: Vec<u32>,
    /// The index in `members` where each group begins, and the end of the last group.
    begins: Vec<usize>,
}

impl Groups {
    /// Groups equal digests.
    pub fn of(digests: &[Digest]) -> Self {
        let len = u32::try_from(digests.len()).expect("a list holds fewer than 2^32 digests");
        let mut groups: HashMap<Cut, u32> = HashMap::new();
        let mut group_of = Vec::with_capacity(digests.len());
        let mut sizes = Vec::new();
        for digest in digests {
            let new = groups.len() as u32;
            let group = *groups.entry(Cut::of(digest)).or_insert(new);
            if group == new {
                sizes.push(0);
            }
            sizes[group as usize] += 1;
            group_of.push(group);
        }

        let mut begins = vec![0];
        for size in &sizes {
            begins.push(begins[begins.len() - 1] + size);
        }
        let mut members = vec![0; digests.len()];
        let mut next = begins.clone();
        for (digest, &group) in (0..len).zip(&group_of) {
            let next = &mut next[group as usize];
            members[*next] = digest;
            *next += 1;
        }
        let mut cuts: Vec<(Cut, u32)> = groups.into_iter().collect();
        cuts.sort_unstable_by_key(|&(_, group)| group);
        Self {
            cuts: cuts.into_iter().map(|(cut, _)| cut).collect(),
            members,
            begins,
        }
    }

    /// Returns the number of groups.
    pub const fn len(&self) -> usize {
        self.cuts.len()
    }

    /// Returns true if the list of digests is empty.
    pub const fn is_empty(&self) -> bool {
        self.cuts.is_empty()
    }

    /// Returns the indices of the digests in a group, in order.
    ///
    /// # Panics
    ///
    /// Panics if `group` is not below [`Groups::len`].
    pub fn members(&self, group: u32) -> &[u32] {
        let group = group as usize;
        &self.members[self.begins[group]..self.begins[group + 1]]
    }

    /// Returns all pairs of groups that score at least `at_least`, in order.
    pub fn pairs(&self, at_least: u8) -> Vec<Pair> {
        let mut pairs = Vec::new();
        self.pairs_each(at_least, |pair| pairs.push(pair));
        pairs.sort_unstable();
        pairs
    }

    /// Calls `found` with each pair that [`Groups::pairs`] returns, without storing them. The order
    /// differs from that of [`Groups::pairs`], but it is deterministic.
    ///
    /// Memory: at most 128 MB for sorting, and temporarily up to 700 bytes per digest of one block size
    /// if all of them share characters with others, otherwise much less. Time: two digests are compared if
    /// they share seven characters in a row at the same block size and if a bound, computed from 64 bits
    /// of each, does not rule out the score.
    pub fn pairs_each(&self, at_least: u8, mut found: impl FnMut(Pair)) {
        for level in 0..=HIGHEST + 1 {
            let texts = self.texts_at(level);
            if texts.len() > 1 {
                self.pairs_at(level, &texts, at_least.max(1), &mut found);
            }
        }
    }

    /// Returns the texts of a level: the first parts of digests of this level, and the second parts of
    /// digests of the level below.
    fn texts_at(&self, level: u8) -> Vec<TextOf> {
        let of_group = |(group, cut): (usize, &Cut)| {
            let part = level.checked_sub(cut.level).filter(|&part| part < 2)?;
            Some(TextOf {
                group: group as u32,
                part,
            })
        };
        self.cuts.iter().enumerate().filter_map(of_group).collect()
    }

    /// Finds the pairs whose texts of this level score at least `at_least`.
    fn pairs_at(&self, level: u8, texts: &[TextOf], at_least: u8, found: &mut impl FnMut(Pair)) {
        let sharing = Sharing::of(texts.len(), |text| self.text(texts[text]).grams());
        // The outlines are contiguous in memory, and for most pairs the texts themselves are not read.
        let outlines: Vec<Outline> = texts
            .iter()
            .map(|&text| self.text(text).outline())
            .collect();
        // The text that each text was last compared with.
        let mut compared = vec![u32::MAX; texts.len()];
        for (number, &text) in texts.iter().enumerate() {
            let outline = outlines[number];
            let mut pattern = None;
            for other in sharing.later(number) {
                let other = other as usize;
                let before = std::mem::replace(&mut compared[other], number as u32);
                if before == number as u32 || most(level, [outline, outlines[other]]) < at_least {
                    continue;
                }
                let pattern = pattern.get_or_insert_with(|| Pattern::of(self.cut(text)));
                let other = texts[other];
                let score = self.score(pattern, text.part, other, at_least);
                if score > 0 {
                    let (a, b) = (text.group, other.group);
                    found(Pair { a, b, score });
                }
            }
        }
    }

    /// Returns the score of two digests, given one text of each. Returns 0 if these texts score less
    /// than `at_least`, or if the pair is found at another level.
    fn score(&self, pattern: &Pattern<'_>, part: u8, other: TextOf, at_least: u8) -> u8 {
        let cut = self.cut(other);
        let parts = |mine, theirs| pattern.score_parts(mine, cut, theirs, at_least);
        let score = parts(usize::from(part), usize::from(other.part));
        match (part, other.part) {
            _ if score == 0 => 0,
            (0, 0) => score.max(parts(1, 1)),
            (1, 1) if parts(0, 0) > 0 => 0,
            _ => score,
        }
    }

    fn cut(&self, text: TextOf) -> &Cut {
        &self.cuts[text.group as usize]
    }

    fn text(&self, text: TextOf) -> &Text {
        &self.cut(text).texts[usize::from(text.part)]
    }
}

/// The first or the second part of a group's digest.
#[derive(Clone, Copy)]
struct TextOf {
    group: u32,
    part: u8,
}
