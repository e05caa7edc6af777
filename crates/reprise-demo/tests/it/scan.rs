//! A naive WARC and HTTP reader, which shares no code with the writer that it checks.

use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::Path;

/// A record: the fields of its header, with names in lower case, and its block.
pub(crate) struct Scanned {
    pub(crate) header: HashMap<String, String>,
    pub(crate) block: Vec<u8>,
}

impl Scanned {
    pub(crate) fn kind(&self) -> &str {
        &self.header["warc-type"]
    }

    pub(crate) fn url(&self) -> &str {
        &self.header["warc-target-uri"]
    }

    /// Returns true if the record is a fetched URL.
    pub(crate) fn is_page(&self) -> bool {
        let kind = matches!(self.kind(), "response" | "resource" | "revisit");
        kind && self.header["content-type"] != "text/dns"
    }

    /// Returns the body after transfer and content decoding.
    pub(crate) fn body(&self) -> Vec<u8> {
        let (header, body) = split_header(&self.block);
        let fields = fields(&header);
        let field = |name: &str| fields.get(name).map_or("", String::as_str);
        let body = if field("transfer-encoding") == "chunked" {
            unchunk(body)
        } else {
            body.to_vec()
        };
        decode(field("content-encoding"), &body)
    }

    /// Returns the HTTP `Content-Type`.
    pub(crate) fn content_type(&self) -> String {
        let (header, _) = split_header(&self.block);
        fields(&header).remove("content-type").unwrap_or_default()
    }
}

/// Returns all records of an archive file.
pub(crate) fn records(path: &Path) -> Vec<Scanned> {
    let packed = fs::read(path).unwrap();
    let plain = if packed.starts_with(&[0x1f, 0x8b]) {
        read_all(flate2::read::MultiGzDecoder::new(&packed[..]))
    } else if packed.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        zstd::decode_all(&packed[..]).unwrap()
    } else {
        packed
    };
    let mut rest = &plain[..];
    let mut found = Vec::new();
    while !rest.is_empty() {
        assert!(
            rest.starts_with(b"WARC/1."),
            "a record begins where the last one ends"
        );
        let (text, after) = split_header(rest);
        let header = fields(&text);
        let length: usize = header["content-length"].parse().unwrap();
        let (block, end) = after.split_at(length);
        rest = end
            .strip_prefix(b"\r\n\r\n")
            .expect("two line ends follow a block");
        found.push(Scanned {
            header,
            block: block.to_vec(),
        });
    }
    found
}

fn split_header(bytes: &[u8]) -> (String, &[u8]) {
    // No header of the demo is longer, so the body need not be searched.
    let start = &bytes[..bytes.len().min(4096)];
    let at = |end: &[u8]| {
        let found = start.windows(end.len()).position(|window| window == end);
        found.map(|start| start + end.len())
    };
    let crlf = at(b"\r\n\r\n").unwrap_or(usize::MAX);
    let lf = at(b"\n\n").unwrap_or(usize::MAX);
    let (header, body) = bytes.split_at(crlf.min(lf));
    (String::from_utf8(header.to_vec()).unwrap(), body)
}

fn fields(header: &str) -> HashMap<String, String> {
    let unfolded = header.replace("\r\n\t ", " ");
    let fields = unfolded
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once(':'));
    fields
        .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
        .collect()
}

fn unchunk(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let end = rest.windows(2).position(|pair| pair == b"\r\n").unwrap();
        let digits = std::str::from_utf8(&rest[..end]).unwrap();
        let length = usize::from_str_radix(digits, 16).unwrap();
        rest = &rest[end + 2..];
        if length == 0 {
            return body;
        }
        body.extend_from_slice(&rest[..length]);
        rest = &rest[length + 2..];
    }
}

fn decode(coding: &str, body: &[u8]) -> Vec<u8> {
    match coding {
        "" => body.to_vec(),
        "gzip" => read_all(flate2::read::GzDecoder::new(body)),
        "deflate" if body[0] == 0x78 => read_all(flate2::read::ZlibDecoder::new(body)),
        "deflate" => read_all(flate2::read::DeflateDecoder::new(body)),
        "br" => read_all(brotli::Decompressor::new(body, 4096)),
        "zstd" => zstd::decode_all(body).unwrap(),
        other => panic!("unknown coding {other}"),
    }
}

fn read_all(mut reader: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).unwrap();
    bytes
}
