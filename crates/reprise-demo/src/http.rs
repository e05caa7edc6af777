//! HTTP messages as real servers send them: with transfer and content encodings, and unusual heads.

use std::io::{self, Write as _};

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

use crate::clock::Moment;
use crate::html::push;
use crate::page::Page;
use crate::planted::Declared;
use crate::prng::Rng;

const GZIP_LEVEL: Compression = Compression::new(4);
const BROTLI_QUALITY: i32 = 4;
const BROTLI_WINDOW_BITS: i32 = 20;
const ZSTD_LEVEL: i32 = 3;

/// How a body is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transport {
    pub(crate) chunked: bool,
    coding: Coding,
}

/// The `Content-Encoding`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coding {
    Identity,
    Gzip,
    /// `deflate` as in the standard.
    DeflateZlib,
    /// `deflate` as some servers send it.
    DeflateRaw,
    Brotli,
    Zstd,
}

/// The style in which a server writes its head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    Usual,
    LowerCase,
    OddSpacing,
    Folded,
    BareLineFeeds,
}

impl Transport {
    pub(crate) const PLAIN: Self = Self {
        chunked: false,
        coding: Coding::Identity,
    };

    /// Chooses a transport, about as often as it occurs in practice. More than half are plain.
    pub(crate) fn any(rng: &mut Rng) -> Self {
        let (chunked, coding) = match rng.below(64) {
            0..32 => (false, Coding::Identity),
            32..40 => (true, Coding::Identity),
            40..48 => (false, Coding::Gzip),
            48..54 => (true, Coding::Gzip),
            54..56 => (false, Coding::DeflateZlib),
            56 | 57 => (true, Coding::DeflateRaw),
            58..60 => (false, Coding::Brotli),
            60 => (true, Coding::Brotli),
            _ => (false, Coding::Zstd),
        };
        Self { chunked, coding }
    }

    /// Returns the name in the answer key.
    pub(crate) fn name(self) -> String {
        let coding = match self.coding {
            Coding::Identity => "",
            Coding::Gzip => "gzip",
            Coding::DeflateZlib => "deflate",
            Coding::DeflateRaw => "deflate-raw",
            Coding::Brotli => "br",
            Coding::Zstd => "zstd",
        };
        match (self.chunked, coding) {
            (true, "") => "chunked".to_owned(),
            (true, coding) => format!("chunked+{coding}"),
            (false, coding) => coding.to_owned(),
        }
    }

    /// Returns the bytes after the head.
    fn encode(self, body: &[u8], rng: &mut Rng) -> io::Result<Vec<u8>> {
        let encoded = self.coding.encode(body)?;
        Ok(if self.chunked {
            chunk(&encoded, rng)
        } else {
            encoded
        })
    }
}

impl Coding {
    const fn header(self) -> Option<&'static str> {
        match self {
            Self::Identity => None,
            Self::Gzip => Some("gzip"),
            Self::DeflateZlib | Self::DeflateRaw => Some("deflate"),
            Self::Brotli => Some("br"),
            Self::Zstd => Some("zstd"),
        }
    }

    fn encode(self, body: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Self::Identity => Ok(body.to_vec()),
            Self::Gzip => {
                let mut encoder = GzEncoder::new(Vec::new(), GZIP_LEVEL);
                encoder.write_all(body)?;
                encoder.finish()
            }
            Self::DeflateZlib => {
                let mut encoder = ZlibEncoder::new(Vec::new(), GZIP_LEVEL);
                encoder.write_all(body)?;
                encoder.finish()
            }
            Self::DeflateRaw => {
                let mut encoder = DeflateEncoder::new(Vec::new(), GZIP_LEVEL);
                encoder.write_all(body)?;
                encoder.finish()
            }
            Self::Brotli => {
                let params = brotli::enc::BrotliEncoderParams {
                    quality: BROTLI_QUALITY,
                    lgwin: BROTLI_WINDOW_BITS,
                    ..Default::default()
                };
                let mut out = Vec::new();
                brotli::BrotliCompress(&mut &body[..], &mut out, &params)?;
                Ok(out)
            }
            Self::Zstd => zstd::bulk::compress(body, ZSTD_LEVEL),
        }
    }
}

/// Returns a complete response, and the offset of its payload.
pub(crate) fn response(
    page: &Page,
    transport: Transport,
    now: Moment,
    rng: &mut Rng,
) -> io::Result<(Vec<u8>, usize)> {
    let payload = transport.encode(&page.body, rng)?;
    let mut fields = vec![("Date", now.http()), ("Server", server(page.ip).to_owned())];
    if !page.media_type.is_empty() {
        fields.push(("Content-Type", content_type(page)));
    }
    if let Some(location) = &page.location {
        fields.push(("Location", location.clone()));
    }
    if let Some(coding) = transport.coding.header() {
        fields.push(("Content-Encoding", coding.to_owned()));
        fields.push(("Vary", "Accept-Encoding".to_owned()));
    }
    if transport.chunked {
        fields.push(("Transfer-Encoding", "chunked".to_owned()));
    } else {
        fields.push(("Content-Length", payload.len().to_string()));
    }
    if rng.chance(1, 3) {
        fields.push(("Cache-Control", "public, max-age=600".to_owned()));
    }
    let mut out = header(page.status, &fields, rng);
    let start = out.len();
    out.extend_from_slice(&payload);
    Ok((out, start))
}

/// Returns the request of a crawler for `url`.
pub(crate) fn request(url: &str) -> Vec<u8> {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    format!(
        "GET /{path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: demo-crawler/1.0\r\n\
         Accept: text/html,*/*;q=0.5\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n\
         Connection: close\r\n\r\n"
    )
    .into_bytes()
}

/// Returns the head that an `identical-payload-digest` revisit stores of a response.
pub(crate) fn header_only(now: Moment) -> Vec<u8> {
    let date = now.http();
    format!("HTTP/1.1 200 OK\r\nDate: {date}\r\nContent-Type: text/plain\r\n\r\n").into_bytes()
}

/// Returns the head of a `304 Not Modified`, which is all that a `server-not-modified` revisit stores.
pub(crate) fn not_modified(now: Moment) -> Vec<u8> {
    format!(
        "HTTP/1.1 304 Not Modified\r\nDate: {}\r\nETag: \"a1\"\r\n\r\n",
        now.http()
    )
    .into_bytes()
}

fn header(status: u16, fields: &[(&str, String)], rng: &mut Rng) -> Vec<u8> {
    let manner = match rng.below(24) {
        0..3 => Manner::LowerCase,
        3..5 => Manner::OddSpacing,
        5 => Manner::Folded,
        6 => Manner::BareLineFeeds,
        _ => Manner::Usual,
    };
    let end = if manner == Manner::BareLineFeeds {
        "\n"
    } else {
        "\r\n"
    };
    let mut out = match manner {
        Manner::OddSpacing => format!("HTTP/1.0 {status}{end}"),
        _ => format!("HTTP/1.1 {status} {}{end}", reason(status)),
    };
    for (name, value) in fields {
        match manner {
            Manner::LowerCase => push(&mut out, format_args!("{}: {value}", name.to_lowercase())),
            Manner::OddSpacing => push(&mut out, format_args!("{name}:{value} \t")),
            Manner::Folded if value.contains(' ') => {
                let (first, rest) = value.split_once(' ').unwrap_or((value, ""));
                push(&mut out, format_args!("{name}: {first}{end}\t {rest}"));
            }
            _ => push(&mut out, format_args!("{name}: {value}")),
        }
        out.push_str(end);
    }
    out.push_str(end);
    out.into_bytes()
}

fn content_type(page: &Page) -> String {
    match page.declared {
        Declared::Header | Declared::HeaderAndMeta => {
            format!(
                "{}; charset={}",
                page.media_type,
                page.charset.to_lowercase()
            )
        }
        Declared::Meta | Declared::Bom | Declared::Nowhere => page.media_type.to_owned(),
    }
}

fn chunk(body: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len() + 64);
    let mut rest = body;
    while !rest.is_empty() {
        let (head, tail) = rest.split_at(rng.range(500, 9000).min(rest.len()));
        let length = format!("{:x}\r\n", head.len());
        out.extend_from_slice(length.as_bytes());
        out.extend_from_slice(head);
        out.extend_from_slice(b"\r\n");
        rest = tail;
    }
    out.extend_from_slice(b"0\r\n\r\n");
    out
}

fn server(ip: u32) -> &'static str {
    [
        "halyard/2.4",
        "Tidewater 1.9.3",
        "plinth",
        "Oakgate/0.8 (static)",
    ][ip as usize % 4]
}

const fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        301 => "Moved Permanently",
        302 => "Found",
        404 => "Not Found",
        _ => "Unknown",
    }
}
