//! Fingerprints of many byte strings.

use crate::{Fingerprint, HashKind};
#[cfg(target_arch = "x86_64")]
use crate::{lanes::Lanes, sha_ni::ShaNi};

/// Fingerprints byte strings that come a few at a time, each with a tag to know it by.
///
/// Where the processor has SHA instructions, two byte strings are hashed at the same time, which is
/// nearly twice as fast as one by one. What is then left over of one of them is kept, as a copy, and
/// hashed beside those that come next; so a fingerprint may be known later than its bytes are given.
///
/// ```
/// use reprise_fingerprint::{Fingerprinter, HashKind};
///
/// let mut found = Vec::new();
/// let mut fingerprinter = Fingerprinter::new(HashKind::Sha256);
/// let mut note = |tag, fingerprint| found.push((tag, fingerprint));
/// fingerprinter.add([("one", b"abc".as_slice())], &mut note);
/// fingerprinter.add([("two", b"".as_slice())], &mut note);
/// fingerprinter.finish(&mut note);
/// found.sort();
/// assert_eq!(found[0], ("one", HashKind::Sha256.fingerprint(b"abc")));
/// assert_eq!(found[1].0, "two");
/// ```
pub struct Fingerprinter<T> {
    kind: HashKind,
    #[cfg(target_arch = "x86_64")]
    lanes: Option<Lanes<T>>,
    #[cfg(not(target_arch = "x86_64"))]
    tags: std::marker::PhantomData<T>,
}

impl<T> Fingerprinter<T> {
    /// Has seen nothing yet.
    pub fn new(kind: HashKind) -> Self {
        Self {
            kind,
            #[cfg(target_arch = "x86_64")]
            lanes: ShaNi::detect().map(|sha| Lanes::new(sha, kind)),
            #[cfg(not(target_arch = "x86_64"))]
            tags: std::marker::PhantomData,
        }
    }

    /// Takes byte strings in; `found` gets each fingerprint that is known by now, in any order.
    #[inline]
    pub fn add<'a>(
        &mut self,
        inputs: impl IntoIterator<Item = (T, &'a [u8])>,
        mut found: impl FnMut(T, Fingerprint),
    ) {
        #[cfg(target_arch = "x86_64")]
        if let Some(lanes) = &mut self.lanes {
            return lanes.add(inputs.into_iter(), &mut found);
        }
        for (tag, bytes) in inputs {
            found(tag, self.kind.fingerprint(bytes));
        }
    }

    /// Gives `found` all fingerprints that are not known yet.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(unused_mut, unused_variables, reason = "nothing is left over")
    )]
    pub fn finish(&mut self, mut found: impl FnMut(T, Fingerprint)) {
        #[cfg(target_arch = "x86_64")]
        if let Some(lanes) = &mut self.lanes {
            lanes.finish(&mut found);
        }
    }
}

/// Fingerprints many byte strings at once: `out[i]` is of `inputs[i]`, counted from the old end
/// of `out`, which is appended to.
///
/// The result is that of [`HashKind::fingerprint`] for each, and it comes faster, as from
/// [`Fingerprinter`]; how they are ordered does not matter for that.
pub fn fingerprint_all(kind: HashKind, inputs: &[&[u8]], out: &mut Vec<Fingerprint>) {
    let before = out.len();
    out.resize(before + inputs.len(), Fingerprint::default());
    let mut note = |index, fingerprint| out[before + index] = fingerprint;
    let mut fingerprinter = Fingerprinter::new(kind);
    let in_order = longest_first(inputs).map(|index| (index, inputs[index]));
    fingerprinter.add(in_order, &mut note);
    fingerprinter.finish(&mut note);
}

/// Indices of the byte strings; the longest one changes places with the first, lest it be left over
/// with nothing beside it.
fn longest_first(inputs: &[&[u8]]) -> impl Iterator<Item = usize> {
    let longest = (0..inputs.len()).max_by_key(|&i| inputs[i].len());
    let longest = longest.unwrap_or(0);
    (0..inputs.len()).map(move |i| match i {
        0 => longest,
        i if i == longest => 0,
        i => i,
    })
}
