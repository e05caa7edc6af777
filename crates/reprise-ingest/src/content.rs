//! Content encodings: gzip, deflate, br and zstd, within the limits.
//!
//! Many crawlers store the decoded body and keep the original header. Gzip, zstd and mostly zlib are recognised
//! by their first bytes. Br and raw DEFLATE are not: almost any text decodes to something at first, or even to
//! its end. For these two, the body itself is examined as well.

mod brotli;

use std::io::{self, Read};

use flate2::bufread::{DeflateDecoder, ZlibDecoder};
use flate2::read::MultiGzDecoder;

use crate::inflate::{Inflated, Inflater};
use crate::limits::RecordLimits;
use crate::media;
use crate::problem::ProblemKind;
use brotli::Brotli;

/// How the decoding of a body ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Decoded {
    /// The body is not encoded. The output is meaningless.
    Identity,
    /// The whole body was decoded.
    Whole,
    /// The encoded bytes break off or are corrupt. The output is what could be decoded.
    Partial,
    /// A limit was exceeded.
    Refused(ProblemKind),
}

/// Decodes one layer into `output`, replacing its content. `name` is the name in `Content-Encoding`.
pub(crate) fn decode(
    name: &[u8],
    body: &[u8],
    limits: &RecordLimits,
    inflater: &mut Inflater,
    output: &mut Vec<u8>,
) -> Decoded {
    output.clear();
    let is = |candidate: &str| name.eq_ignore_ascii_case(candidate.as_bytes());
    if body.is_empty() || name.is_empty() || is("identity") || is("none") {
        return Decoded::Identity;
    }
    let is_gzip = is("gzip") || is("x-gzip");
    if !is_gzip && !is("deflate") && !is("br") && !is("zstd") {
        return Decoded::Identity;
    }
    // Some servers name one encoding and use another. The first bytes of most encodings tell which one it is.
    if body.starts_with(GZIP_MAGIC) {
        gunzip(body, limits, inflater, output)
    } else if body.starts_with(ZSTD_MAGIC) {
        unpack_zstd(body, limits, output)
    } else if is("deflate") || is_gzip && is_zlib(body) {
        inflate(body, limits, output)
    } else if is("br") {
        let mut reader = Brotli::new(body);
        let how = read_limited(&mut reader, body.len(), limits, output);
        how.judged(body, reader.left(), output)
    } else {
        Decoded::Identity
    }
}

const GZIP_MAGIC: &[u8] = &[0x1f, 0x8b];
const ZSTD_MAGIC: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// Returns true if a body begins like zlib: the usual method and window, and the check bits of the first two
/// bytes.
fn is_zlib(body: &[u8]) -> bool {
    matches!(body, [0x78, flags, ..] if (0x7800 + u32::from(*flags)).is_multiple_of(31))
}

fn unpack_zstd(body: &[u8], limits: &RecordLimits, output: &mut Vec<u8>) -> Decoded {
    let Ok(mut decoder) = zstd::stream::read::Decoder::with_buffer(body) else {
        return Decoded::Identity;
    };
    // A frame may ask for a window of any size, and a body cannot need more than the limit. Small frames may
    // ask for 8 MiB too (RFC 9659), but only the decoded part of a window is ever touched.
    let window_log = limits.body_bytes.max(4 << 20).ilog2() + 1;
    match decoder.window_log_max(window_log.min(30)) {
        Ok(()) => read_limited(decoder, body.len(), limits, output).or_identity(output),
        Err(_) => Decoded::Identity,
    }
}

impl Decoded {
    /// Returns `Identity` if not a single byte was decoded: the body is not encoded.
    fn or_identity(self, output: &[u8]) -> Decoded {
        match self {
            Decoded::Partial if output.is_empty() => Decoded::Identity,
            other => other,
        }
    }

    /// Decides about a body for which only the header claims an encoding. `left` are the bytes after the
    /// encoded ones.
    fn judged(self, body: &[u8], left: &[u8], output: &[u8]) -> Decoded {
        let is_padding = |byte: &u8| *byte == 0 || byte.is_ascii_whitespace();
        // A stream may store text uncompressed. A stream of one byte, which may be a letter, holds nothing.
        let holds_body = output.len() * 2 >= body.len() && media::is_telling(output);
        let is_whole = self == Decoded::Whole && left.is_empty();
        if is_whole && (holds_body || body.len() == 1) {
            return Decoded::Whole;
        }
        // The body is text, or a file of a known type: it is not encoded.
        if media::is_telling(body) {
            return Decoded::Identity;
        }
        match self {
            Decoded::Whole if left.iter().all(is_padding) => Decoded::Whole,
            // Something else follows the encoded bytes.
            Decoded::Whole if media::is_telling(output) => Decoded::Partial,
            Decoded::Whole => Decoded::Identity,
            other => other.or_identity(output),
        }
    }
}

fn gunzip(
    body: &[u8],
    limits: &RecordLimits,
    inflater: &mut Inflater,
    output: &mut Vec<u8>,
) -> Decoded {
    if let Inflated::Whole(taken) = inflater.member(body, output, limits.body_bytes)
        && taken == body.len()
    {
        return if limits.is_bomb(body.len(), output.len()) {
            Decoded::Refused(ProblemKind::Bomb)
        } else {
            Decoded::Whole
        };
    }
    // The body has several members, or a broken one, or exceeds the limit. The slow decoder keeps as much as
    // possible.
    output.clear();
    read_limited(MultiGzDecoder::new(body), body.len(), limits, output).or_identity(output)
}

/// Decodes `deflate`, which means zlib in the standard and raw DEFLATE on some servers.
fn inflate(body: &[u8], limits: &RecordLimits, output: &mut Vec<u8>) -> Decoded {
    let zlib = read_limited(ZlibDecoder::new(body), body.len(), limits, output);
    // The checksum is right, whatever follows.
    if zlib == Decoded::Whole {
        return zlib;
    }
    let mut raw_output = Vec::new();
    let mut reader = DeflateDecoder::new(body);
    let raw = read_limited(&mut reader, body.len(), limits, &mut raw_output);
    let raw = raw.judged(body, reader.get_ref(), &raw_output);
    if raw != Decoded::Whole && media::is_telling(body) {
        return Decoded::Identity;
    }
    let is_raw = matches!(raw, Decoded::Whole | Decoded::Refused(_));
    let is_longer = raw == Decoded::Partial && raw_output.len() > output.len();
    if zlib == Decoded::Partial && (is_raw || is_longer) {
        *output = raw_output;
        return raw;
    }
    zlib.or_identity(output)
}

/// Reads all of `reader`, unless the output exceeds a limit.
fn read_limited(
    mut reader: impl Read,
    input_bytes: usize,
    limits: &RecordLimits,
    output: &mut Vec<u8>,
) -> Decoded {
    const STEP: u64 = 64 << 10;
    loop {
        match reader.by_ref().take(STEP).read_to_end(output) {
            Ok(0) => return Decoded::Whole,
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return Decoded::Partial,
        }
        if limits.is_bomb(input_bytes, output.len()) {
            output.clear();
            return Decoded::Refused(ProblemKind::Bomb);
        }
        if output.len() > limits.body_bytes {
            output.clear();
            return Decoded::Refused(ProblemKind::TooLarge);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use flate2::Compression;
    use flate2::read::{DeflateEncoder, GzEncoder, ZlibEncoder};
    use proptest::prelude::*;

    use super::{Decoded, decode};
    use crate::inflate::Inflater;
    use crate::limits::RecordLimits;
    use crate::problem::ProblemKind;

    const LIMITS: RecordLimits = RecordLimits {
        body_bytes: 8 << 20,
        header_bytes: 1000,
        ratio: 100,
        nesting: 2,
    };

    fn encoded(name: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let level = Compression::default();
        match name {
            "gzip" => GzEncoder::new(data, level).read_to_end(&mut bytes),
            "deflate" => ZlibEncoder::new(data, level).read_to_end(&mut bytes),
            "raw deflate" => DeflateEncoder::new(data, level).read_to_end(&mut bytes),
            "br" => {
                let mut writer = brotli::CompressorWriter::new(&mut bytes, 4096, 5, 22);
                writer.write_all(data).map(|()| 0)
            }
            _ => zstd::encode_all(data, 3).map(|all| {
                bytes = all;
                0
            }),
        }
        .unwrap();
        bytes
    }

    fn decoded(name: &str, body: &[u8]) -> (Decoded, Vec<u8>) {
        let mut output = Vec::new();
        let name = name.trim_start_matches("raw ");
        let how = decode(
            name.as_bytes(),
            body,
            &LIMITS,
            &mut Inflater::new(),
            &mut output,
        );
        if how == Decoded::Identity {
            output.clear();
        }
        (how, output)
    }

    const NAMES: [&str; 5] = ["gzip", "deflate", "raw deflate", "br", "zstd"];

    /// Returns letters without a pattern, which compress badly.
    fn prose(bytes: usize) -> Vec<u8> {
        let mut state = 1u32;
        (0..bytes)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 27) as u8 + b'a'
            })
            .collect()
    }

    #[test]
    fn every_encoding_round_trips() {
        for name in NAMES {
            let data = prose(100_000);
            assert_eq!(
                decoded(name, &encoded(name, &data)),
                (Decoded::Whole, data),
                "{name}"
            );
            let nothing = (Decoded::Whole, Vec::new());
            assert_eq!(decoded(name, &encoded(name, b"")), nothing, "{name}");
        }
    }

    #[test]
    fn an_encoding_may_differ_from_the_named_one() {
        let data = prose(10_000);
        for (name, said) in [
            ("gzip", "deflate"),
            ("gzip", "br"),
            ("gzip", "zstd"),
            ("deflate", "gzip"),
            ("zstd", "gzip"),
            ("zstd", "br"),
        ] {
            let (how, output) = decoded(said, &encoded(name, &data));
            assert_eq!(
                (how, output),
                (Decoded::Whole, data.clone()),
                "{name} as {said}"
            );
        }
    }

    #[test]
    fn bodies_that_are_not_encoded_are_unchanged() {
        let russian = [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, b' '].repeat(50);
        let picture = [b"\x89PNG\r\n\x1a\n".as_slice(), &[0, 7, 200, 31].repeat(90)].concat();
        let wide: Vec<u8> = "Größe und Maß"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        for name in NAMES {
            for body in [
                b"<html>plain".as_slice(),
                b";(function(){var a=1;})();",
                b"3 ways to cook rice",
                b"x^2 + y^2 = z^2",
                "Größe".as_bytes(),
                &russian,
                &picture,
                &wide,
            ] {
                let expected = (Decoded::Identity, Vec::new());
                assert_eq!(decoded(name, body), expected, "{name} {body:?}");
            }
        }
        assert_eq!(decoded("rot13", b"uryyb").0, Decoded::Identity);
    }

    proptest! {
        #[test]
        fn any_bytes_are_decoded_or_not(
            body in proptest::collection::vec(any::<u8>(), 0..200),
            name in proptest::sample::select(&NAMES[..]),
        ) {
            let (how, output) = decoded(name, &body);
            prop_assert!(!matches!(how, Decoded::Refused(_)) || output.is_empty());
        }

        /// Plain text must never be decoded to something else.
        #[test]
        fn plain_text_is_never_decoded(
            text in "([a-zA-Z0-9;:.,'éßж天]{1,12}[ \n]){2,12}",
            name in proptest::sample::select(&NAMES[..]),
        ) {
            prop_assert_eq!(decoded(name, text.as_bytes()).0, Decoded::Identity);
        }
    }

    /// A server that compresses while it sends uses the window of its level, even for a short body.
    #[test]
    fn windows_of_eight_mebibytes_are_accepted() {
        let limits = RecordLimits {
            body_bytes: 100_000,
            ..LIMITS
        };
        let data = prose(50_000);
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
        encoder.window_log(23).unwrap();
        encoder.write_all(&data).unwrap();
        encoder.flush().unwrap();
        let body = encoder.finish().unwrap();
        let mut output = Vec::new();
        let how = decode(b"zstd", &body, &limits, &mut Inflater::new(), &mut output);
        assert_eq!((how, output), (Decoded::Whole, data));
    }

    /// However it begins, text is not taken for a stream, and a stream is not taken for text.
    #[test]
    fn text_and_streams_are_distinguished() {
        for name in NAMES {
            for first in b' '..=b'~' {
                for second in b' '..=b'~' {
                    let text = [&[first, second], b" and so on, word by word".as_slice()].concat();
                    assert_eq!(decoded(name, &text).0, Decoded::Identity, "{name} {text:?}");
                    if !second.is_multiple_of(16) {
                        continue;
                    }
                    for data in [&text[..1], &text[..2], &text] {
                        let whole = (Decoded::Whole, data.to_vec());
                        let mut body = encoded(name, data);
                        assert_eq!(decoded(name, &body), whole, "{name} {data:?}");
                        body.extend(b"\r\n\0\0");
                        if name != "gzip" && name != "zstd" {
                            assert_eq!(decoded(name, &body), whole, "{name} {data:?}");
                        }
                    }
                }
            }
        }
    }

    /// Encoders store what they cannot compress.
    #[test]
    fn a_stream_may_store_text() {
        let text = "Größe, und noch mehr Text. ".repeat(20);
        let length = text.len() as u16;
        let head = [&[1], &length.to_le_bytes()[..], &(!length).to_le_bytes()].concat();
        let body = [&head, text.as_bytes()].concat();
        let whole = (Decoded::Whole, text.into_bytes());
        assert_eq!(decoded("raw deflate", &body), whole);
    }

    #[test]
    fn bytes_after_a_stream_are_dropped_and_reported() {
        let data = prose(3000);
        for name in ["gzip", "raw deflate", "br"] {
            let mut body = encoded(name, &data);
            body.extend(b"<!-- put behind it by a proxy -->");
            assert_eq!(
                decoded(name, &body),
                (Decoded::Partial, data.clone()),
                "{name}"
            );
        }
    }

    #[test]
    fn a_broken_end_keeps_the_beginning() {
        for name in NAMES {
            let data = prose(300_000);
            let body = encoded(name, &data);
            let (how, output) = decoded(name, &body[..body.len() / 2]);
            assert_eq!(how, Decoded::Partial, "{name}");
            assert!(data.starts_with(&output) && output.len() > 50_000, "{name}");
            let body = encoded(name, &data[..6000]);
            for end in 1..body.len() {
                let (how, output) = decoded(name, &body[..end]);
                assert_ne!(how, Decoded::Whole, "{name} {end}");
                assert!(data.starts_with(&output), "{name} {end}");
                // Zstd yields nothing before a block is complete.
                let has_begun = end > 3000 && name != "zstd";
                assert!(how == Decoded::Partial || !has_begun, "{name} {end}");
            }
        }
    }

    #[test]
    fn limits_hold() {
        for name in NAMES {
            let bomb = encoded(name, &vec![b'a'; 6 << 20]);
            assert_eq!(
                decoded(name, &bomb).0,
                Decoded::Refused(ProblemKind::Bomb),
                "{name}"
            );
            let large = encoded(name, &prose(9 << 20));
            let expected = Decoded::Refused(ProblemKind::TooLarge);
            assert_eq!(decoded(name, &large).0, expected, "{name}");
        }
    }
}
