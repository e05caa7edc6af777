//! Generates bytes and digests for the tests.

use reprise_fuzzy::Digest;

/// A generator of reproducible random numbers.
pub(crate) struct Noise(pub(crate) u64);

impl Noise {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn bytes(&mut self, len: usize, letters: usize) -> Vec<u8> {
        (0..len).map(|_| self.below(letters) as u8).collect()
    }
}

/// The number of bytes of long input. Debug builds are too slow for more.
pub(crate) const LONG: usize = if cfg!(debug_assertions) {
    400_000
} else {
    10_000_000
};

/// The number of kinds of bytes.
pub(crate) const KINDS: usize = 8;

/// Generates bytes of a kind. Each kind exercises another corner of the method.
pub(crate) fn bytes_of_kind(kind: usize, len: usize, noise: &mut Noise) -> Vec<u8> {
    match kind {
        0 => noise.bytes(len, 256),
        1 => {
            let mut text = noise.bytes(len, 27);
            for byte in &mut text {
                *byte += if *byte == 26 { 6 } else { 97 };
            }
            text
        }
        // Few ends of pieces, or very many.
        2 => noise.bytes(len, 2),
        3 => vec![noise.below(256) as u8; len],
        4 => {
            let period = 1 + noise.below(40);
            let pattern = noise.bytes(period, 256);
            pattern.into_iter().cycle().take(len).collect()
        }
        // The rolling hash is zero at the end.
        5 => {
            let mut bytes = noise.bytes(len, 256);
            let zeros = len.min(7 + noise.below(20));
            bytes[len - zeros..].fill(0);
            bytes
        }
        6 => {
            let mut bytes = vec![0; len];
            for _ in 0..len / 100 {
                let place = noise.below(len);
                bytes[place] = noise.below(256) as u8;
            }
            bytes
        }
        // Repetition, then noise, then zeros, where no piece ends.
        _ => {
            let mut bytes = vec![noise.below(256) as u8; len / 3];
            bytes.extend(noise.bytes(len / 3, 256));
            bytes.resize(len, 0);
            bytes
        }
    }
}

/// Returns seven bytes, not all of them zero, after which the rolling hash is zero.
pub(crate) fn bytes_that_roll_to_zero() -> [u8; 7] {
    // The lower five bits of each byte are chosen so that the third part of the hash cancels the given
    // sums. The upper three bits are tried at random until the first two parts have these sums.
    let mut noise = Noise(77);
    loop {
        let sums = noise.below(9000) as u32;
        let mut wanted = sums.wrapping_neg();
        let mut bytes = [0; 7];
        let mut found = 0;
        for age in 0..7 {
            let upper = (noise.below(8) as u32) << 5;
            let byte = wanted & 31 | upper;
            bytes[6 - age] = byte as u8;
            found += (8 - age as u32) * byte;
            wanted = (wanted ^ byte) >> 5;
        }
        if found == sums && sums > 0 {
            return bytes;
        }
    }
}

/// Removes, inserts, replaces or moves some of the bytes.
pub(crate) fn mutated(bytes: &[u8], changes: usize, noise: &mut Noise) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..changes {
        let [a, b] = [(); 2].map(|()| noise.below(bytes.len() + 1));
        let (a, b) = (a.min(b), a.max(b).min(a.min(b) + 1 + bytes.len() / 20));
        match noise.below(4) {
            0 => drop(bytes.drain(a..b)),
            1 => {
                let new = noise.bytes(b - a, 256);
                bytes.splice(a..a, new);
            }
            2 => bytes[a..b]
                .iter_mut()
                .for_each(|byte| *byte = byte.wrapping_add(1)),
            _ => bytes.rotate_left(a),
        }
    }
    bytes
}

/// Returns the digest with these codes as characters.
pub(crate) fn digest_of(level: u32, first: &[u8], second: &[u8]) -> Digest {
    let characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let text = |codes: &[u8]| -> String {
        let character = |&code: &u8| char::from(characters.as_bytes()[usize::from(code) % 64]);
        codes.iter().map(character).collect()
    };
    let text = format!("{}:{}:{}", 3_u64 << level, text(first), text(second));
    text.parse().unwrap()
}

/// Generates digests of all lengths with long runs, many of which share characters.
pub(crate) fn digests(
    count: usize,
    levels: usize,
    letters: usize,
    noise: &mut Noise,
) -> Vec<Digest> {
    let mut digests: Vec<[Vec<u8>; 2]> = Vec::new();
    let mut made = Vec::new();
    for _ in 0..count {
        let codes = if digests.is_empty() || noise.below(3) == 0 {
            [64, 32].map(|room| {
                let len = noise.below(room + 1);
                noise.bytes(len, letters)
            })
        } else {
            // Either part may become either part: digests whose levels differ by one share a part.
            let of = digests[noise.below(digests.len())].clone();
            [64, 32].map(|room| {
                let part = of[noise.below(2)].clone();
                let changes = noise.below(4);
                let mut part = mutated(&part, changes, noise);
                part.truncate(room);
                part
            })
        };
        made.push(digest_of(noise.below(levels) as u32, &codes[0], &codes[1]));
        digests.push(codes);
    }
    made
}
