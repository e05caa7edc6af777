//! Hashes many byte strings.

use std::marker::PhantomData;

use crate::{Fingerprint, HashKind};
#[cfg(target_arch = "x86_64")]
use crate::{
    avx512::{LANES, SixteenLanes},
    lanes::Lanes,
    sha_ni::{ShaNi, TwoLanes},
};

/// Hashes byte strings that arrive a few at a time. The caller gives each one a tag.
///
/// With SHA instructions, two byte strings are hashed at the same time, which is nearly twice as
/// fast as one by one. With AVX-512, sixteen are, on processors where that is faster still.
/// The unhashed rest of a long byte string is copied and hashed together with later ones, so
/// [`add`](Self::add) may report a fingerprint only in a later call.
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

/// The number of byte strings that are hashed at the same time.
enum Way<T> {
    #[cfg(target_arch = "x86_64")]
    Sixteen(Box<Lanes<T, SixteenLanes, LANES>>),
    #[cfg(target_arch = "x86_64")]
    Two(Box<Lanes<T, TwoLanes, 2>>),
    One(PhantomData<T>),
}

impl<T: Copy> Way<T> {
    /// Chooses the fastest way for many byte strings.
    fn for_many(kind: HashKind) -> Self {
        #[cfg(target_arch = "x86_64")]
        if let (HashKind::Sha256, Some(sixteen)) = (kind, SixteenLanes::detect())
            && SixteenLanes::is_best()
        {
            return Self::Sixteen(Box::new(Lanes::new(sixteen)));
        }
        Self::for_few(kind)
    }

    /// Chooses the fastest way for a few byte strings.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(
            unused_variables,
            reason = "there is only one way on this architecture"
        )
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
    /// Creates a fingerprinter for many byte strings.
    pub fn new(kind: HashKind) -> Self {
        let way = Way::for_many(kind);
        Self { kind, way }
    }

    /// Creates a fingerprinter for a few byte strings.
    pub(crate) fn for_few(kind: HashKind) -> Self {
        let way = Way::for_few(kind);
        Self { kind, way }
    }

    /// Creates a fingerprinter with sixteen lanes even where other ways are faster.
    #[cfg(all(test, target_arch = "x86_64"))]
    pub(crate) fn with_sixteen_lanes() -> Option<Self> {
        let lanes = Lanes::new(SixteenLanes::detect()?);
        Some(Self {
            kind: HashKind::Sha256,
            way: Way::Sixteen(Box::new(lanes)),
        })
    }

    /// Hashes `inputs`, and calls `found` for each finished fingerprint, in any order.
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

    /// Calls `found` for all fingerprints that [`add`](Self::add) has not reported yet.
    pub fn finish(&mut self, mut found: impl FnMut(T, Fingerprint)) {
        match &mut self.way {
            #[cfg(target_arch = "x86_64")]
            Way::Sixteen(lanes) => lanes.finish(&mut found),
            #[cfg(target_arch = "x86_64")]
            Way::Two(lanes) => lanes.finish(&mut found),
            Way::One(_) => {
                // `add` has reported every fingerprint already.
                let _ = &mut found;
            }
        }
    }
}

/// With fewer byte strings than this, most of the sixteen lanes would be idle most of the time.
const MANY: usize = 64;

/// Appends the fingerprint of each of the `inputs` to `out`, in the same order.
///
/// The results equal those of [`HashKind::fingerprint`]; they are computed faster, as by
/// [`Fingerprinter`].
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

/// Returns the indices of the `inputs`, with the longest first. Hashed last, it would have a lane to
/// itself while the others are idle.
fn longest_first(inputs: &[&[u8]]) -> impl Iterator<Item = usize> {
    let longest = (0..inputs.len()).max_by_key(|&i| inputs[i].len());
    let longest = longest.unwrap_or(0);
    (0..inputs.len()).map(move |i| match i {
        0 => longest,
        i if i == longest => 0,
        i => i,
    })
}
