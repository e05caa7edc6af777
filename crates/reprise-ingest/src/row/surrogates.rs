//! Halves of characters in JSON: `\ud83d` without the `\ude00` that belongs to it.

/// Bytes of one escape.
const ESCAPE_BYTES: usize = 6;

/// The line with a replacement character for each half; `None` where there is no half.
pub(super) fn repaired(line: &[u8]) -> Option<Vec<u8>> {
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
