//! Repairs what some writers put into JSON: surrogates without their pair (`\ud83d` without `\ude00`), bytes
//! that are not UTF-8, unescaped control characters, and numbers that JSON does not have (`NaN`) or that are
//! too large (`1e400`).

use std::borrow::Cow;

/// The number of bytes of an escape.
const ESCAPE_BYTES: usize = 6;

/// The names that Python writes for values that are not numbers. The longest comes first.
const NO_NUMBERS: [&[u8]; 3] = [b"-Infinity", b"Infinity", b"NaN"];

/// Returns the line as valid JSON. Returns `None` if there is nothing to repair, or if the result would be
/// twice as long.
pub(super) fn repaired(line: &[u8]) -> Option<Vec<u8>> {
    let is_broken = |chunk: &std::str::Utf8Chunk<'_>| !chunk.invalid().is_empty();
    let broken = line.utf8_chunks().filter(is_broken).count();
    let controls = line.iter().filter(|&&byte| byte < b' ').count();
    if 2 * broken + (ESCAPE_BYTES - 1) * controls > line.len() {
        return None;
    }
    let mut repaired = match String::from_utf8_lossy(line) {
        Cow::Borrowed(_) => Cow::Borrowed(line),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    };
    for repair in [with_nulls, with_replacements, with_escapes] {
        if let Some(line) = repair(&repaired) {
            repaired = Cow::Owned(line);
        }
    }
    match repaired {
        Cow::Borrowed(_) => None,
        Cow::Owned(line) => Some(line),
    }
}

/// Replaces each control character in a string by an escape.
fn with_escapes(line: &[u8]) -> Option<Vec<u8>> {
    let mut repaired = Vec::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(found) = memchr::memchr(b'"', &line[at..]) {
        let start = at + found + 1;
        at = string_end(line, start);
        for control in (start..at).filter(|&control| line[control] < b' ') {
            repaired.extend_from_slice(&line[copied..control]);
            let halves = [line[control] / 16, line[control] % 16];
            repaired.extend_from_slice(b"\\u00");
            repaired.extend(halves.map(|half| b"0123456789abcdef"[usize::from(half)]));
            copied = control + 1;
        }
    }
    if copied == 0 {
        return None;
    }
    repaired.extend_from_slice(&line[copied..]);
    Some(repaired)
}

/// Replaces each invalid number by `null`.
fn with_nulls(line: &[u8]) -> Option<Vec<u8>> {
    let mut repaired = Vec::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(&byte) = line.get(at) {
        if byte == b'"' {
            at = string_end(line, at + 1);
            continue;
        }
        let rest = &line[at..];
        let word = NO_NUMBERS.iter().find(|word| rest.starts_with(word));
        let number = number_bytes(rest);
        let taken = word.map_or(number, |word| word.len()).max(1);
        if word.is_some() || is_infinite(&rest[..number]) {
            repaired.extend_from_slice(&line[copied..at]);
            repaired.extend_from_slice(b"null");
            copied = at + taken;
        }
        at += taken;
    }
    if copied == 0 {
        return None;
    }
    repaired.extend_from_slice(&line[copied..]);
    Some(repaired)
}

/// Returns the length of the number at the start of `bytes`.
fn number_bytes(bytes: &[u8]) -> usize {
    let is_part = |byte: &&u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    match bytes {
        [b'-' | b'0'..=b'9', ..] => bytes.iter().take_while(is_part).count(),
        _ => 0,
    }
}

/// Returns true if a number is too large.
fn is_infinite(number: &[u8]) -> bool {
    let number = str::from_utf8(number).ok();
    number.is_some_and(|number| number.parse().is_ok_and(f64::is_infinite))
}

/// Returns the position after the quote that ends the string at `at`.
fn string_end(line: &[u8], mut at: usize) -> usize {
    while let Some(found) = memchr::memchr2(b'"', b'\\', &line[at..]) {
        at += found;
        if line[at] == b'"' {
            return at + 1;
        }
        at = (at + 2).min(line.len());
    }
    line.len()
}

/// Replaces each unpaired surrogate by a replacement character.
fn with_replacements(line: &[u8]) -> Option<Vec<u8>> {
    let mut repaired = Vec::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(found) = memchr::memchr(b'\\', &line[at..]) {
        at += found;
        match unit(&line[at..]) {
            Some(0xd800..=0xdbff) if is_low(&line[at + ESCAPE_BYTES..]) => at += 2 * ESCAPE_BYTES,
            Some(0xd800..=0xdfff) => {
                repaired.extend_from_slice(&line[copied..at]);
                repaired.extend_from_slice(b"\\ufffd");
                at += ESCAPE_BYTES;
                copied = at;
            }
            // Another escape, whose second byte may be a backslash too.
            _ => at = (at + 2).min(line.len()),
        }
    }
    if copied == 0 {
        return None;
    }
    repaired.extend_from_slice(&line[copied..]);
    Some(repaired)
}

/// Returns the code unit of the escape at the start of `bytes`.
fn unit(bytes: &[u8]) -> Option<u16> {
    let digits = bytes.get(..ESCAPE_BYTES)?.strip_prefix(b"\\u")?;
    let digits = std::str::from_utf8(digits).ok()?;
    u16::from_str_radix(digits, 16)
        .ok()
        .filter(|_| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

fn is_low(bytes: &[u8]) -> bool {
    matches!(unit(bytes), Some(0xdc00..=0xdfff))
}
