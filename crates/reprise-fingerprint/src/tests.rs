//! Compares all implementations with published examples and with the hash crates.

use proptest::collection::vec;
use proptest::prelude::*;
use sha2::Digest;

use crate::{Fingerprint, Fingerprinter, HashKind, fingerprint_all};

/// Returns the fingerprint computed by the hash crates.
fn expected(kind: HashKind, bytes: &[u8]) -> Fingerprint {
    let first = match kind {
        HashKind::Sha256 => sha2::Sha256::digest(bytes)[..20].try_into(),
        HashKind::Sha1 => sha1::Sha1::digest(bytes)[..].try_into(),
    };
    Fingerprint::from_bytes(first.unwrap())
}

fn check_all(messages: &[Vec<u8>]) {
    let inputs: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    for kind in [HashKind::Sha256, HashKind::Sha1] {
        let there_before = Fingerprint::from_bytes([7; 20]);
        let mut out = vec![there_before];
        fingerprint_all(kind, &inputs, &mut out);
        assert_eq!(out[0], there_before);
        assert_eq!(out.len(), 1 + inputs.len());
        for (bytes, found) in inputs.iter().zip(&out[1..]) {
            assert_eq!(*found, expected(kind, bytes), "{} bytes", bytes.len());
            assert_eq!(*found, kind.fingerprint(bytes));
        }
    }
}

/// Returns bytes that depend on their position and on the length.
fn message(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 31 + length * 17) as u8).collect()
}

#[test]
fn published_examples() {
    let check = |message: &[u8], sha256: &str, sha1: &str| {
        for (kind, hex) in [(HashKind::Sha256, sha256), (HashKind::Sha1, sha1)] {
            assert_eq!(kind.fingerprint(message).to_string(), hex);
            let mut out = Vec::new();
            fingerprint_all(kind, &[message, b"beside", message, message], &mut out);
            assert_eq!(
                [out[0], out[2], out[3]].map(|found| found.to_string()),
                [hex; 3]
            );
        }
    };
    check(
        b"",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4",
        "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    );
    check(
        b"abc",
        "ba7816bf8f01cfea414140de5dae2223b00361a3",
        "a9993e364706816aba3e25717850c26c9cd0d89d",
    );
    check(
        b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce459",
        "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
    );
    check(
        &vec![b'a'; 1_000_000],
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48",
        "34aa973cd4c4daa4f61eeb2bdbad27316534016f",
    );
}

#[test]
fn every_length_up_to_five_blocks() {
    let rising: Vec<_> = (0..=320).map(message).collect();
    check_all(&rising);
    let falling: Vec<_> = (0..=320).rev().map(message).collect();
    check_all(&falling);
    for length in 0..=320 {
        check_all(&[message(length)]);
        check_all(&[message(length), message(100)]);
    }
}

#[test]
fn no_messages() {
    check_all(&[]);
}

proptest! {
    #[test]
    fn all_equals_one_by_one(
        messages in vec(
            prop_oneof![
                8 => vec(any::<u8>(), 0..300),
                1 => (300_usize..20_000).prop_map(message),
            ],
            0..100,
        ),
    ) {
        check_all(&messages);
    }

    #[test]
    fn a_few_at_a_time_equals_one_by_one(
        groups in vec(
            vec(
                prop_oneof![
                    8 => vec(any::<u8>(), 0..300),
                    1 => (300_usize..20_000).prop_map(message),
                ],
                0..5,
            ),
            0..20,
        ),
        finish_every in 1_usize..25,
    ) {
        for (kind, mut fingerprinter) in fingerprinters() {
            let mut found = Vec::new();
            let mut note = |tag, fingerprint| found.push((tag, fingerprint));
            for (group, messages) in groups.iter().enumerate() {
                let inputs = messages.iter().enumerate();
                fingerprinter.add(
                    inputs.map(|(at, bytes)| ((group, at), bytes.as_slice())),
                    &mut note,
                );
                if group % finish_every == 0 {
                    fingerprinter.finish(&mut note);
                }
            }
            fingerprinter.finish(&mut note);
            found.sort_unstable_by_key(|(tag, _)| *tag);
            let expected: Vec<_> = groups
                .iter()
                .enumerate()
                .flat_map(|(group, messages)| {
                    let each = messages.iter().enumerate();
                    each.map(move |(at, bytes)| ((group, at), expected(kind, bytes)))
                })
                .collect();
            prop_assert_eq!(found, expected);
        }
    }
}

/// All ways to fingerprint byte strings that come a few at a time.
fn fingerprinters<T: Copy>() -> Vec<(HashKind, Fingerprinter<T>)> {
    let kinds = [HashKind::Sha256, HashKind::Sha1];
    let mut ways: Vec<_> = (kinds.into_iter())
        .flat_map(|kind| {
            [Fingerprinter::new(kind), Fingerprinter::for_few(kind)].map(|way| (kind, way))
        })
        .collect();
    #[cfg(target_arch = "x86_64")]
    ways.extend(Fingerprinter::with_sixteen_lanes().map(|way| (HashKind::Sha256, way)));
    ways
}

/// More is left over than is kept, of one message or of several.
#[test]
fn long_messages_a_few_at_a_time() {
    let long = message(5 << 20);
    let messages = [
        &long[..],
        b"short",
        &long[1..],
        &long[2..3 << 20],
        &long[3..2 << 20],
        b"",
        &long[4..300_000],
    ];
    for at_once in [1, 2, 3, messages.len()] {
        for (kind, mut fingerprinter) in fingerprinters() {
            let mut found = Vec::new();
            let mut note = |tag, fingerprint| found.push((tag, fingerprint));
            let tagged: Vec<_> = messages.into_iter().enumerate().collect();
            for some in tagged.chunks(at_once) {
                fingerprinter.add(some.iter().copied(), &mut note);
            }
            fingerprinter.finish(&mut note);
            found.sort_unstable_by_key(|(tag, _)| *tag);
            let expected = messages.map(|bytes| expected(kind, bytes));
            assert_eq!(found, (0..).zip(expected).collect::<Vec<_>>());
        }
    }
}
