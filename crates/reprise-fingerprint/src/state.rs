//! The intermediate state of a hash.

use crate::{Fingerprint, HashKind};

/// The words of the state, in the order of the standard. SHA-1 uses the first five.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct State(pub(crate) [u32; 8]);

impl State {
    /// Returns the initial state (FIPS 180-4, 5.3).
    #[inline]
    pub(crate) fn start(kind: HashKind) -> Self {
        match kind {
            HashKind::Sha256 => Self([
                0x6a09_e667,
                0xbb67_ae85,
                0x3c6e_f372,
                0xa54f_f53a,
                0x510e_527f,
                0x9b05_688c,
                0x1f83_d9ab,
                0x5be0_cd19,
            ]),
            HashKind::Sha1 => Self([
                0x6745_2301,
                0xefcd_ab89,
                0x98ba_dcfe,
                0x1032_5476,
                0xc3d2_e1f0,
                0,
                0,
                0,
            ]),
        }
    }

    /// Returns the first 20 bytes of the hash that this final state represents.
    #[inline]
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        let mut bytes = [0; 20];
        let (fours, _) = bytes.as_chunks_mut::<4>();
        for (four, word) in fours.iter_mut().zip(self.0) {
            *four = word.to_be_bytes();
        }
        Fingerprint::from_bytes(bytes)
    }
}
