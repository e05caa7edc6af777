//! Classifies bodies: HTML, plain text, other text, or not text.

use std::borrow::Cow;

use encoding_rs::{REPLACEMENT, UTF_16BE, UTF_16LE};
use reprise_text::Content;

use crate::charset::{self, BOM, utf16_without_mark};

/// The media type in lower case without parameters, and how the text is cut. `None` means not text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Media<'d> {
    pub(crate) media_type: Cow<'d, str>,
    pub(crate) content: Option<Content>,
}

/// The number of bytes that are examined to classify a body by its content.
const SNIFF_BYTES: usize = 1024;
/// The number of bytes without control characters from which on a body counts as text in any encoding. In
/// compressed data, every tenth byte is a control character.
const TELLING_BYTES: usize = 100;

/// Classifies a body by its declared type. If no type is declared, or if the bytes contradict it, the bytes
/// decide.
pub(crate) fn classify<'d>(declared: Option<&'d [u8]>, body: &[u8]) -> Media<'d> {
    let media_type = declared.map(essence).unwrap_or_default();
    let start = &body[..body.len().min(SNIFF_BYTES)];
    let content = match declared_content(&media_type) {
        Declared::Text(content) => (!is_binary(start, declared)).then_some(content),
        Declared::Binary => None,
        Declared::Unknown => sniff(start, declared),
    };
    let media_type = match (media_type.is_empty(), content) {
        (false, _) => media_type,
        (true, Some(Content::Html)) => "text/html".into(),
        (true, Some(_)) => "text/plain".into(),
        (true, None) => "application/octet-stream".into(),
    };
    Media {
        media_type,
        content,
    }
}

/// Returns true if a body is declared as text, but is not.
pub(crate) fn is_spoiled(declared: Option<&[u8]>, body: &[u8]) -> bool {
    let media_type = declared.map(essence).unwrap_or_default();
    matches!(declared_content(&media_type), Declared::Text(_))
        && is_binary(&body[..body.len().min(SNIFF_BYTES)], declared)
}

/// Returns true if bytes are recognisable as text, or as a file of a known type. Compressed bytes are not.
pub(crate) fn is_telling(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(SNIFF_BYTES)];
    let is_wide = || {
        let has_mark = start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff");
        has_mark || utf16_without_mark(start).is_some()
    };
    let is_plain = || {
        // The last character may be cut off.
        let is_utf8 =
            str::from_utf8(start).map_or_else(|error| error.error_len().is_none(), |_| true);
        let is_long = start.len() >= TELLING_BYTES;
        controls(start) * 100 <= start.len() && (is_utf8 || is_long)
    };
    !start.is_empty() && (has_signature(start) || is_wide() || is_plain())
}

/// Returns the media type without parameters. Some servers omit the semicolon before them.
fn essence(declared: &[u8]) -> Cow<'_, str> {
    let value = declared
        .trim_ascii_start()
        .split(|byte| matches!(byte, b';' | b',') || byte.is_ascii_whitespace())
        .next()
        .unwrap_or_default();
    match str::from_utf8(value) {
        Ok(text) if !text.bytes().any(|byte| byte.is_ascii_uppercase()) => Cow::Borrowed(text),
        _ => String::from_utf8_lossy(value).to_ascii_lowercase().into(),
    }
}

enum Declared {
    Text(Content),
    Binary,
    Unknown,
}

fn declared_content(media_type: &str) -> Declared {
    match media_type {
        "text/html" | "application/xhtml+xml" | "application/vnd.wap.xhtml+xml" => {
            Declared::Text(Content::Html)
        }
        "text/plain" | "text/markdown" | "text/x-markdown" | "text/x-rst" => {
            Declared::Text(Content::Plain)
        }
        "application/json"
        | "application/javascript"
        | "application/x-javascript"
        | "application/ecmascript"
        | "application/xml"
        | "application/sql"
        | "application/yaml"
        | "application/x-yaml"
        | "application/toml"
        | "application/x-sh"
        | "application/x-httpd-php"
        | "application/x-ndjson" => Declared::Text(Content::Other),
        ""
        | "unknown/unknown"
        | "application/unknown"
        | "application/octet-stream"
        | "binary/octet-stream"
        | "*/*"
        | "no-type"
        | "unknown" => Declared::Unknown,
        other
            if other.starts_with("text/")
                || other.ends_with("+xml")
                || other.ends_with("+json") =>
        {
            Declared::Text(Content::Other)
        }
        other if other.contains('/') => Declared::Binary,
        _ => Declared::Unknown,
    }
}

fn sniff(start: &[u8], declared: Option<&[u8]>) -> Option<Content> {
    if is_binary(start, declared) {
        return None;
    }
    let trimmed = start.strip_prefix(BOM).unwrap_or(start).trim_ascii_start();
    Some(if is_html(trimmed) {
        Content::Html
    } else if trimmed.starts_with(b"<?xml") {
        Content::Other
    } else {
        Content::Plain
    })
}

/// Recognises HTML by the start tags of the WHATWG MIME Sniffing standard.
fn is_html(start: &[u8]) -> bool {
    const TAGS: [&str; 17] = [
        "!doctype html",
        "html",
        "head",
        "script",
        "iframe",
        "h1",
        "div",
        "font",
        "table",
        "a",
        "style",
        "title",
        "b",
        "body",
        "br",
        "p",
        "meta",
    ];
    start.starts_with(b"<!--")
        || start.strip_prefix(b"<").is_some_and(|tag| {
            TAGS.iter().any(|name| {
                tag.get(..name.len())
                    .is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
                    && tag
                        .get(name.len())
                        .is_none_or(|byte| byte.is_ascii_whitespace() || *byte == b'>')
            })
        })
}

/// Returns true for known signatures, or for more control characters than a text has.
fn is_binary(start: &[u8], declared: Option<&[u8]>) -> bool {
    if has_signature(start) {
        return true;
    }
    // Markup and UTF-16 begin like this, and nothing binary does.
    if start.starts_with(b"<") || start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
        return false;
    }
    // The cheap check comes first: real text has almost no control characters.
    controls(start) * 20 > start.len()
        && utf16_without_mark(start).is_none()
        && !is_text_by_name(start, declared)
}

/// Returns true if the bytes are text in the declared encoding, although many of them are control characters in
/// others.
fn is_text_by_name(start: &[u8], declared: Option<&[u8]>) -> bool {
    let encoding = declared.and_then(charset::named);
    if let Some(wide) = encoding.filter(|&named| named == UTF_16LE || named == UTF_16BE) {
        let (text, _) = wide.decode_without_bom_handling(start);
        let is_odd =
            |letter: &char| *letter == '\u{fffd}' || u8::try_from(*letter).is_ok_and(is_control);
        return text.chars().filter(is_odd).count() * 20 <= text.chars().count();
    }
    // Korean and Chinese in seven bits, between SO and SI.
    let is_shifted =
        encoding == Some(REPLACEMENT) || memchr::memmem::find(start, b"\x1b$)").is_some();
    let shifts = memchr::memchr2_iter(0x0e, 0x0f, start).count();
    is_shifted && (controls(start) - shifts) * 20 <= start.len()
}

fn controls(start: &[u8]) -> usize {
    start.iter().filter(|&&byte| is_control(byte)).count()
}

fn is_control(byte: u8) -> bool {
    matches!(byte, 0..=8 | 14..=26 | 28..=31)
}

/// Returns true if the bytes begin like a file of a known type. A word such as `RIFF` may also begin a text, so
/// the bytes after it are checked too.
fn has_signature(start: &[u8]) -> bool {
    const SIGNATURES: [&[u8]; 7] = [
        b"\x89PNG",
        b"\xff\xd8\xff",
        b"PK\x03\x04",
        b"\x1f\x8b",
        b"\x7fELF",
        b"\xd0\xcf\x11\xe0",
        b"\x28\xb5\x2f\xfd",
    ];
    let by_words = match start {
        [b'%', b'P', b'D', b'F', b'-', version, b'.', ..] => version.is_ascii_digit(),
        // Width and height: the high byte of each is small.
        [
            b'G',
            b'I',
            b'F',
            b'8',
            b'7' | b'9',
            b'a',
            _,
            width,
            _,
            height,
            ..,
        ] => *width < 32 && *height < 32,
        [b'R', b'I', b'F', b'F', _, _, _, _, kind @ ..] => [b"WEBP", b"WAVE", b"AVI "]
            .iter()
            .any(|known| kind.starts_with(*known)),
        [b'O', b'g', b'g', b'S', version, ..] => *version == 0,
        [b'I', b'D', b'3', version, ..] => (2..=4).contains(version),
        [b'w', b'O', b'F', b'F' | b'2', flavor @ ..] => [b"\0\x01\0\0", b"OTTO", b"true"]
            .iter()
            .any(|known| flavor.starts_with(*known)),
        _ => false,
    };
    by_words
        || SIGNATURES
            .iter()
            .any(|signature| start.starts_with(signature))
}

/// Returns the media type for the extension of a file name.
pub(crate) fn by_extension(path: &str) -> Option<&'static str> {
    let name = path.rsplit('/').next()?;
    let (_, extension) = name.rsplit_once('.')?;
    Some(match extension.to_ascii_lowercase().as_str() {
        "html" | "htm" | "shtml" | "xhtml" | "xht" => "text/html",
        "txt" | "text" | "log" => "text/plain",
        "md" | "markdown" => "text/markdown",
        "css" => "text/css",
        "js" | "mjs" => "text/javascript",
        "json" | "map" => "application/json",
        "xml" | "rss" | "atom" => "application/xml",
        "svg" => "image/svg+xml",
        "csv" => "text/csv",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "pdf" => "application/pdf",
        "woff" | "woff2" | "ttf" | "otf" | "eot" => "font/sfnt",
        "gz" | "tgz" => "application/gzip",
        "zip" => "application/zip",
        "mp4" | "webm" | "mov" => "video/mp4",
        "mp3" | "ogg" | "wav" => "audio/mpeg",
        "wasm" => "application/wasm",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use reprise_text::Content;

    use super::{classify, is_telling};

    #[test]
    fn declared_and_sniffed() {
        let check = |declared: &str, body: &[u8], media_type: &str, content: Option<Content>| {
            let header = (!declared.is_empty()).then_some(declared.as_bytes());
            let media = classify(header, body);
            assert_eq!(
                (&*media.media_type, media.content),
                (media_type, content),
                "{declared}"
            );
        };
        check(
            "Text/HTML; charset=x",
            b"hi",
            "text/html",
            Some(Content::Html),
        );
        check("text/plain", b"<p>hi", "text/plain", Some(Content::Plain));
        check(
            "application/ld+json",
            b"{}",
            "application/ld+json",
            Some(Content::Other),
        );
        check("image/png", b"<html>", "image/png", None);
        check("text/html", b"%PDF-1.4", "text/html", None);
        check("text/plain", b"\0\x01\x02\x03abc\0\0", "text/plain", None);
        check(
            "",
            b" \n<!DOCTYPE html><p>",
            "text/html",
            Some(Content::Html),
        );
        check("", b"<pre>hi", "text/plain", Some(Content::Plain));
        check("", b"\x89PNG\r\n", "application/octet-stream", None);
        check(
            "application/octet-stream",
            b"just words",
            "application/octet-stream",
            Some(Content::Plain),
        );
        check(
            "text/html charset=utf-8",
            b"hi",
            "text/html",
            Some(Content::Html),
        );
        check("html", b"<html>", "html", Some(Content::Html));
        check("text/html", b"", "text/html", Some(Content::Html));
        check(
            "text/html",
            b"\xff\xfe<\0p\0>\0",
            "text/html",
            Some(Content::Html),
        );
    }

    #[test]
    fn words_that_also_begin_files() {
        let is_text = |body: &[u8]| classify(None, body).content.is_some();
        for body in [
            "RIFFs and licks for beginners",
            "ID3 is a decision tree",
            "OggS is a magic word",
            "GIF89a is from 1989",
            "GIF8",
            "%PDF-files are everywhere",
            "wOFF and wOF2 are formats of fonts",
        ] {
            assert!(is_text(body.as_bytes()), "{body}");
        }
        for body in [
            b"RIFF\x24\x40abWEBPVP8 abcdefghijkl",
            b"RIFF\x24\x40abWAVEfmt abcdefghijkl",
            b"ID3\x04\0abcdefghijklmnopqrstuvwxy",
            b"OggS\0abcdefghijklmnopqrstuvwxyz",
            b"GIF89a\x20\x03\x58\x02abcdefghijklmno",
            b"%PDF-1.7 abcdefghijklmnopqrstuv",
            b"wOF2\0\x01\0\0abcdefghijklmnopqrstuvw",
            b"wOFFOTTOabcdefghijklmnopqrstuvwxyz",
        ] as [&[u8]; 8]
        {
            assert!(!is_text(body), "{body:?}");
        }
    }

    #[test]
    fn utf16_is_recognised_by_its_declaration() {
        let wide = |text: &str, is_little: bool| -> Vec<u8> {
            let bytes = |unit: u16| {
                if is_little {
                    unit.to_le_bytes()
                } else {
                    unit.to_be_bytes()
                }
            };
            text.encode_utf16().flat_map(bytes).collect()
        };
        for text in [
            "Широкая электрификация",
            "Γαζίες καὶ μυρτιὲς",
            "天地玄黃，宇宙洪荒。",
            "<p>Привет",
        ] {
            for (label, is_little) in [("utf-16le", true), ("UTF-16BE", false)] {
                let body = wide(text, is_little);
                let declared = format!("text/plain; charset={label}");
                let media = classify(Some(declared.as_bytes()), &body);
                assert_eq!(media.content, Some(Content::Plain), "{label} {text}");
            }
        }
        let binary = [0_u8, 1, 2, 3, 0, 0, 0, 0, 0x80, 0xdb, 0, 0, 7, 0, 1, 0];
        assert_eq!(
            classify(Some(b"text/plain; charset=utf-16le"), &binary).content,
            None
        );
    }

    #[test]
    fn text_is_recognisable() {
        let russian = [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, b' '].repeat(20);
        let cut = "Größe".as_bytes();
        for bytes in [
            b"words",
            "Größe".as_bytes(),
            &cut[..3],
            &russian,
            b"\x89PNG\r\n\x1a\n",
            b"\xff\xfea\0",
        ] as [&[u8]; 6]
        {
            assert!(is_telling(bytes), "{bytes:?}");
        }
        for bytes in [b"", b"\x0b\x02\x80hello\x03", b"\xcf\xf0\xe8", b"K\x04\0"] as [&[u8]; 4] {
            assert!(!is_telling(bytes), "{bytes:?}");
        }
    }
}
