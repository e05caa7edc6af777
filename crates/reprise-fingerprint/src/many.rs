//! Fingerprints of many byte strings at once.

use crate::{Fingerprint, HashKind};
#[cfg(target_arch = "x86_64")]
use crate::{lanes::fingerprint_lanes, sha_ni::ShaNi};

/// Fingerprints many byte strings at once: `out[i]` is of `inputs[i]`, counted from the old end
/// of `out`, which is appended to.
///
/// The result is that of [`HashKind::fingerprint`] for each. It comes faster where the processor
/// has SHA instructions, because then two byte strings are hashed at the same time; how they are
/// ordered does not matter for that. One byte string alone gains nothing.
pub fn fingerprint_all(kind: HashKind, inputs: &[&[u8]], out: &mut Vec<Fingerprint>) {
    #[cfg(target_arch = "x86_64")]
    if let Some(sha) = ShaNi::detect() {
        let before = out.len();
        out.resize(before + inputs.len(), Fingerprint::default());
        fingerprint_lanes(sha, kind, inputs, &mut out[before..]);
        return;
    }
    out.extend(inputs.iter().map(|bytes| kind.fingerprint(bytes)));
}
