//! Which of many digests match one another, without comparing each with each.

use std::collections::HashMap;

use crate::cut::{Cut, Outline, Text};
use crate::digest::Digest;
use crate::level::HIGHEST;
use crate::score::{EQUAL, Pattern, most};
use crate::sharing::Sharing;

/// Two digests that match, or two groups of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pair {
    /// The place of the one that comes first.
    pub a: u32,
    /// The place of the other.
    pub b: u32,
    /// How alike they are.
    pub score: u8,
}

/// Every pair of a list that scores at least so much, in order: what comparing each digest with each
/// gives, but by sorting their runs of seven characters.
///
/// There are as many pairs as there are: 100,000 equal digests have 5,000 million. Where that may
/// be, use [`Groups`], which has equal digests once. A score of zero is no match, so `at_least`
/// counts from one.
pub fn pairs(digests: &[Digest], at_least: u8) -> Vec<Pair> {
    let mut pairs = Vec::new();
    pairs_each(digests, at_least, |pair| pairs.push(pair));
    pairs.sort_unstable();
    pairs
}

/// Calls `found` with every pair that [`pairs`] returns, one by one, so that they need no memory. The
/// order is not that of the list, but always the same.
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

/// A list of digests in which equal ones stand together.
///
/// Equal means that they score 100 with each other and the same with every third: they are the same
/// but for runs of a character longer than three. Groups are numbered from zero in the order of
/// their first members.
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
    /// The members of each group, the groups one after the other.
    members: Vec<u32>,
    /// Where the members of each group begin, and where those of the last end.
    begins: Vec<usize>,
}

impl Groups {
    /// The groups of these digests.
    pub fn of(digests: &[Digest]) -> Self {
        let len = u32::try_from(digests.len()).expect("digests are numbered by 32 bits");
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

    /// How many groups there are.
    pub const fn len(&self) -> usize {
        self.cuts.len()
    }

    /// Whether there is no group.
    pub const fn is_empty(&self) -> bool {
        self.cuts.is_empty()
    }

    /// The places in the list of the members of a group, in order.
    ///
    /// # Panics
    ///
    /// If there is no such group.
    pub fn members(&self, group: u32) -> &[u32] {
        let group = group as usize;
        &self.members[self.begins[group]..self.begins[group + 1]]
    }

    /// Every pair of groups that scores at least so much, in order.
    pub fn pairs(&self, at_least: u8) -> Vec<Pair> {
        let mut pairs = Vec::new();
        self.pairs_each(at_least, |pair| pairs.push(pair));
        pairs.sort_unstable();
        pairs
    }

    /// Calls `found` with every pair that [`Groups::pairs`] returns, one by one. The order is not that
    /// of the groups, but always the same.
    ///
    /// Memory: 128 MB at most to sort in, and up to 700 bytes a digest of one block size for a time,
    /// where all share their characters with others; otherwise much less. Time: what is compared is each two digests that share
    /// seven characters in a row at a block size, where 64 bits do not yet tell that it is in vain.
    pub fn pairs_each(&self, at_least: u8, mut found: impl FnMut(Pair)) {
        for level in 0..=HIGHEST + 1 {
            let texts = self.texts_at(level);
            if texts.len() > 1 {
                self.pairs_at(level, &texts, at_least.max(1), &mut found);
            }
        }
    }

    /// The texts of this level: first parts of digests of this level, second parts of those below.
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

    /// Finds the pairs whose texts of this level score enough.
    fn pairs_at(&self, level: u8, texts: &[TextOf], at_least: u8, found: &mut impl FnMut(Pair)) {
        let sharing = Sharing::of(texts.len(), |text| self.text(texts[text]).grams());
        // They stand together, so that most texts need not be fetched from memory.
        let outlines: Vec<Outline> = texts
            .iter()
            .map(|&text| self.text(text).outline())
            .collect();
        // The text that each was last compared with.
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

    /// The score of two digests, given a text of each, or zero if these texts do not score enough or
    /// others of the two have been found to.
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
