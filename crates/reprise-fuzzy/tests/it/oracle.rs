//! Slow implementations of everything that the crate computes.

use std::collections::HashSet;

use reprise_fuzzy::{Digest, Pair};

const CHARACTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Computes a digest by going through all bytes for one block size after the other.
pub(crate) fn digest(bytes: &[u8]) -> String {
    let mut size = 3_u64;
    while size * 64 < bytes.len() as u64 {
        size *= 2;
    }
    loop {
        let (pieces, first) = part(bytes, size, 64);
        if size == 3 || pieces >= 32 {
            let (_, second) = part(bytes, size * 2, 32);
            return format!("{size}:{first}:{second}");
        }
        size /= 2;
    }
}

/// Returns the number of pieces, at most `len - 1`, and the characters of a part.
fn part(bytes: &[u8], size: u64, len: usize) -> (usize, String) {
    let mut characters = vec![None; len];
    let mut pieces = 0;
    let mut hash = 0x2802_1967_u32;
    for (place, &byte) in bytes.iter().enumerate() {
        hash = hash.wrapping_mul(0x0100_0193) ^ u32::from(byte);
        if u64::from(roll(bytes, place)) % size == size - 1 {
            characters[pieces] = Some(hash);
            if pieces < len - 1 {
                pieces += 1;
                hash = 0x2802_1967;
            }
        }
    }
    if !bytes.is_empty() && roll(bytes, bytes.len() - 1) != 0 {
        characters[pieces] = Some(hash);
    }
    let characters = characters.iter().flatten();
    let text = characters.map(|hash| char::from(CHARACTERS[*hash as usize % 64]));
    (pieces, text.collect())
}

/// Returns the rolling hash of the seven bytes that end at a position.
pub(crate) fn roll(bytes: &[u8], place: usize) -> u32 {
    let mut value = 0_u32;
    let mut shifted = 0_u32;
    for age in (0..7).rev() {
        let byte = place
            .checked_sub(age)
            .map_or(0, |place| u32::from(bytes[place]));
        value += byte + (7 - age as u32) * byte;
        shifted = shifted << 5 ^ byte;
    }
    value.wrapping_add(shifted)
}

/// Returns the score of two digests.
pub(crate) fn score(a: &Digest, b: &Digest) -> u8 {
    let [a_first, a_second] = [a.first(), a.second()].map(cut_runs);
    let [b_first, b_second] = [b.first(), b.second()].map(cut_runs);
    let size = a.block_size();
    let score = if size == b.block_size() {
        if (&a_first, &a_second) == (&b_first, &b_second) {
            return 100;
        }
        score_texts(&a_first, &b_first, size).max(score_texts(&a_second, &b_second, size * 2))
    } else if size == b.block_size() * 2 {
        score_texts(&a_first, &b_second, size)
    } else if size * 2 == b.block_size() {
        score_texts(&a_second, &b_first, size * 2)
    } else {
        0
    };
    u8::try_from(score).unwrap()
}

fn cut_runs(text: &str) -> Vec<u8> {
    let mut cut: Vec<u8> = Vec::new();
    for byte in text.bytes() {
        if !cut.ends_with(&[byte; 3]) {
            cut.push(byte);
        }
    }
    cut
}

fn score_texts(a: &[u8], b: &[u8], size: u64) -> u64 {
    if !a
        .windows(7)
        .any(|gram| b.windows(7).any(|other| gram == other))
    {
        return 0;
    }
    let distance = distance(a, b) as u64;
    let lens = (a.len() + b.len()) as u64;
    let score = 100 - 100 * (distance * 64 / lens) / 64;
    score.min(size / 3 * a.len().min(b.len()) as u64)
}

/// Returns the number of characters to insert or remove. Replacing one costs two.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = table[i - 1][j - 1] + if a[i - 1] == b[j - 1] { 0 } else { 2 };
                replaced.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1)
            };
        }
    }
    table[a.len()][b.len()]
}

/// Returns all pairs that score at least `at_least`.
pub(crate) fn pairs(digests: &[Digest], at_least: u8) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (a, one) in digests.iter().enumerate() {
        for (b, other) in digests.iter().enumerate().skip(a + 1) {
            let score = score(one, other);
            if score >= at_least {
                let [a, b] = [a, b].map(|place| u32::try_from(place).unwrap());
                pairs.push(Pair { a, b, score });
            }
        }
    }
    assert_eq!(pairs.iter().collect::<HashSet<_>>().len(), pairs.len());
    pairs
}
