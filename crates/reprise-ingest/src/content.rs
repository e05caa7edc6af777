//! Content encodings: gzip, deflate, br and zstd, within the limits.
//!
//! Many crawlers store a body decoded and leave the header line as it was. Gzip, zstd and mostly zlib are known by their
//! first bytes; br and raw DEFLATE are not, and nearly any text decodes to something for a while, or even to its end. So of
//! these two it is looked at what the body is as it stands.

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
    /// The body was not encoded after all; what was written is of no use.
    Identity,
    /// The whole body was decoded.
    Whole,
    /// The encoded bytes break off or are corrupt; what could be decoded was written.
    Partial,
    /// Over a limit.
    Refused(ProblemKind),
}

/// Decodes one layer, named as in `Content-Encoding`, into `output`, replacing what was there.
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
    // Some servers name one encoding and use another; most say by their first bytes which one it is.
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

/// Does it begin as zlib does: with the usual method and window, and a check of these two bytes?
fn is_zlib(body: &[u8]) -> bool {
    matches!(body, [0x78, flags, ..] if (0x7800 + u32::from(*flags)).is_multiple_of(31))
}

fn unpack_zstd(body: &[u8], limits: &RecordLimits, output: &mut Vec<u8>) -> Decoded {
    let Ok(mut decoder) = zstd::stream::read::Decoder::with_buffer(body) else {
        return Decoded::Identity;
    };
    // A frame may ask for a window as large as it likes; a body cannot need more than the limit. Windows of 8 MiB are
    // asked for by small ones too (RFC 9659); of those, only as much is touched as is decoded.
    let window_log = limits.body_bytes.max(4 << 20).ilog2() + 1;
    match decoder.window_log_max(window_log.min(30)) {
        Ok(()) => read_limited(decoder, body.len(), limits, output).or_identity(output),
        Err(_) => Decoded::Identity,
    }
}

impl Decoded {
    /// Where not one byte could be decoded, the body never was encoded.
    fn or_identity(self, output: &[u8]) -> Decoded {
        match self {
            Decoded::Partial if output.is_empty() => Decoded::Identity,
            other => other,
        }
    }

    /// What to make of a body that is encoded only by its header's word, and of which so much is left behind the
    /// encoded bytes.
    fn judged(self, body: &[u8], left: &[u8], output: &[u8]) -> Decoded {
        let is_padding = |byte: &u8| *byte == 0 || byte.is_ascii_whitespace();
        // A stream may hold text as it is, with little else; or nothing, as one byte that is a letter.
        let holds_body = output.len() * 2 >= body.len() && media::is_telling(output);
        let is_whole = self == Decoded::Whole && left.is_empty();
        if is_whole && (holds_body || body.len() == 1) {
            return Decoded::Whole;
        }
        // Text, or a picture and the like, as it stands.
        if media::is_telling(body) {
            return Decoded::Identity;
        }
        match self {
            Decoded::Whole if left.iter().all(is_padding) => Decoded::Whole,
            // Something else behind the encoded bytes.
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
    // Several members, a broken one, or one over the limit: slowly, to keep what there is.
    output.clear();
    read_limited(MultiGzDecoder::new(body), body.len(), limits, output).or_identity(output)
}

/// `deflate` means zlib by the standard and raw DEFLATE by some servers.
fn inflate(body: &[u8], limits: &RecordLimits, output: &mut Vec<u8>) -> Decoded {
    let zlib = read_limited(ZlibDecoder::new(body), body.len(), limits, output);
    // Its checksum is right, whatever follows it.
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

/// Reads all of `reader` unless it passes a limit on the way.
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

    /// Letters without a pattern: they compress, but not much.
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
    fn an_encoding_may_be_another_than_is_said() {
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
    fn bodies_that_are_not_encoded_stay() {
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

        /// Text as it stands is never made something else of.
        #[test]
        fn any_words_stay(
            text in "([a-zA-Z0-9;:.,'éßж天]{1,12}[ \n]){2,12}",
            name in proptest::sample::select(&NAMES[..]),
        ) {
            prop_assert_eq!(decoded(name, text.as_bytes()).0, Decoded::Identity);
        }
    }

    /// What a server compresses as it goes has the window of its level, however short it is.
    #[test]
    fn windows_of_eight_mebibytes_are_taken() {
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

    /// However it begins, text is no stream; and no stream is text.
    #[test]
    fn text_and_streams_are_told_apart() {
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

    /// Encoders leave as it is what they cannot make smaller.
    #[test]
    fn a_stream_may_hold_text_as_it_is() {
        let text = "Größe, und noch mehr Text. ".repeat(20);
        let length = text.len() as u16;
        let head = [&[1], &length.to_le_bytes()[..], &(!length).to_le_bytes()].concat();
        let body = [&head, text.as_bytes()].concat();
        let whole = (Decoded::Whole, text.into_bytes());
        assert_eq!(decoded("raw deflate", &body), whole);
    }

    #[test]
    fn what_follows_a_stream_is_left_out_and_told() {
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
                // Of zstd there is nothing before a block is whole.
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
