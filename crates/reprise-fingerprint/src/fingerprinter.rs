//! Fingerprints of many byte strings.

use std::marker::PhantomData;

use crate::{Fingerprint, HashKind};
#[cfg(target_arch = "x86_64")]
use crate::{
    avx512::{LANES, SixteenLanes},
    lanes::Lanes,
    sha_ni::{ShaNi, TwoLanes},
};

/// Fingerprints byte strings that come a few at a time, each with a tag to know it by.
///
/// Where the processor has SHA instructions, two byte strings are hashed at the same time, which is
/// nearly twice as fast as one by one; by AVX-512 sixteen, where that is faster still. What is then left over of
/// some of them is kept, as a copy, and hashed beside those that come next; so a fingerprint may be
/// known later than its bytes are given.
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
    way: Way<T>,
}

/// How byte strings are hashed.
enum Way<T> {
    #[cfg(target_arch = "x86_64")]
    Sixteen(Box<Lanes<T, SixteenLanes, LANES>>),
    #[cfg(target_arch = "x86_64")]
    Two(Box<Lanes<T, TwoLanes, 2>>),
    One(PhantomData<T>),
}

impl<T: Copy> Way<T> {
    /// The best way to hash as many as will ever come.
    fn for_many(kind: HashKind) -> Self {
        #[cfg(target_arch = "x86_64")]
        if let (HashKind::Sha256, Some(sixteen)) = (kind, SixteenLanes::detect())
            && SixteenLanes::is_best()
        {
            return Self::Sixteen(Box::new(Lanes::new(sixteen)));
        }
        Self::for_few(kind)
    }

    /// The best way to hash a few.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(unused_variables, reason = "all hashes are made one by one")
    )]
    fn for_few(kind: HashKind) -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(sha) = ShaNi::detect() {
            return Self::Two(Box::new(Lanes::new(TwoLanes { sha, kind })));
        }
        Self::One(PhantomData)
    }
}

impl<T: Copy> Fingerprinter<T> {
    /// Has seen nothing yet.
    pub fn new(kind: HashKind) -> Self {
        let way = Way::for_many(kind);
        Self { kind, way }
    }

    /// Has seen nothing yet, and will not see much.
    pub(crate) fn for_few(kind: HashKind) -> Self {
        let way = Way::for_few(kind);
        Self { kind, way }
    }

    /// SHA-256 by sixteen lanes, also where other ways are faster.
    #[cfg(all(test, target_arch = "x86_64"))]
    pub(crate) fn with_sixteen_lanes() -> Option<Self> {
        let lanes = Lanes::new(SixteenLanes::detect()?);
        Some(Self {
            kind: HashKind::Sha256,
            way: Way::Sixteen(Box::new(lanes)),
        })
    }

    /// Takes byte strings in; `found` gets each fingerprint that is known by now, in any order.
    #[inline]
    pub fn add<'a>(
        &mut self,
        inputs: impl IntoIterator<Item = (T, &'a [u8])>,
        mut found: impl FnMut(T, Fingerprint),
    ) {
        let inputs = inputs.into_iter();
        match &mut self.way {
            #[cfg(target_arch = "x86_64")]
            Way::Sixteen(lanes) => lanes.add(inputs, &mut found),
            #[cfg(target_arch = "x86_64")]
            Way::Two(lanes) => lanes.add(inputs, &mut found),
            Way::One(_) => inputs.for_each(|(tag, bytes)| found(tag, self.kind.fingerprint(bytes))),
        }
    }

    /// Gives `found` all fingerprints that are not known yet.
    pub fn finish(&mut self, mut found: impl FnMut(T, Fingerprint)) {
        match &mut self.way {
            #[cfg(target_arch = "x86_64")]
            Way::Sixteen(lanes) => lanes.finish(&mut found),
            #[cfg(target_arch = "x86_64")]
            Way::Two(lanes) => lanes.finish(&mut found),
            Way::One(_) => {
                // Nothing is ever left over.
                let _ = &mut found;
            }
        }
    }
}

/// Fewer byte strings at once would leave most of many lanes idle for most of the time.
const MANY: usize = 64;

/// Fingerprints many byte strings at once: `out[i]` is of `inputs[i]`, counted from the old end
/// of `out`, which is appended to.
///
/// The result is that of [`HashKind::fingerprint`] for each, and it comes faster, as from
/// [`Fingerprinter`]; how they are ordered does not matter for that.
pub fn fingerprint_all(kind: HashKind, inputs: &[&[u8]], out: &mut Vec<Fingerprint>) {
    let before = out.len();
    out.resize(before + inputs.len(), Fingerprint::default());
    let mut note = |index, fingerprint| out[before + index] = fingerprint;
    let mut fingerprinter = if inputs.len() < MANY {
        Fingerprinter::for_few(kind)
    } else {
        Fingerprinter::new(kind)
    };
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
