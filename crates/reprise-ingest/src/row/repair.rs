//! What some writers put into JSON that is none: halves of characters (`\ud83d` without the `\ude00` that belongs to it),
//! and numbers that are none (`NaN`).

/// Bytes of one escape.
const ESCAPE_BYTES: usize = 6;

/// Python writes these where a number is none, JavaScript's names for it; the longest first.
const NO_NUMBERS: [&[u8]; 3] = [b"-Infinity", b"Infinity", b"NaN"];

/// The line as JSON; `None` where there is nothing to repair.
pub(super) fn repaired(line: &[u8]) -> Option<Vec<u8>> {
    let numbers = with_nulls(line);
    with_replacements(numbers.as_deref().unwrap_or(line)).or(numbers)
}

/// The line with `null` for each number that is none.
fn with_nulls(line: &[u8]) -> Option<Vec<u8>> {
    let mut repaired = Vec::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(found) = memchr::memchr3(b'"', b'I', b'N', &line[at..]) {
        at += found;
        if line[at] == b'"' {
            at = string_end(line, at + 1);
            continue;
        }
        let start = at - usize::from(at > copied && line[at - 1] == b'-');
        let word = NO_NUMBERS
            .iter()
            .find(|word| line[start..].starts_with(word));
        let Some(word) = word else {
            at += 1;
            continue;
        };
        repaired.extend_from_slice(&line[copied..start]);
        repaired.extend_from_slice(b"null");
        at = start + word.len();
        copied = at;
    }
    if copied == 0 {
        return None;
    }
    repaired.extend_from_slice(&line[copied..]);
    Some(repaired)
}

/// Behind the quote that ends the string at `at`.
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

/// The line with a replacement character for each half of one.
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
            // Another escape, of which the second byte may be a backslash too.
            _ => at = (at + 2).min(line.len()),
        }
    }
    if copied == 0 {
        return None;
    }
    repaired.extend_from_slice(&line[copied..]);
    Some(repaired)
}

/// The number in the escape at the start of `bytes`.
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
