//! A page on its server: the body in its charset, and the facts about it.

use encoding_rs::{Encoding, UTF_8, UTF_16LE};

use crate::planted::{Declared, Role};

/// A page on its server.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub(crate) url: String,
    pub(crate) ip: u32,
    pub(crate) role: Role,
    pub(crate) status: u16,
    pub(crate) media_type: &'static str,
    /// The WHATWG name of the charset; empty for bytes that are not text.
    pub(crate) charset: &'static str,
    pub(crate) declared: Declared,
    pub(crate) language: &'static str,
    pub(crate) location: Option<String>,
    pub(crate) body: Vec<u8>,
    pub(crate) sources: Vec<String>,
    pub(crate) copied: usize,
}

/// The charset of a page, and the place that declares it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Charset {
    pub(crate) name: &'static str,
    pub(crate) declared: Declared,
}

impl Page {
    /// Creates a page with status 200 and an empty body.
    pub(crate) fn bare(url: String, ip: u32, role: Role) -> Self {
        Self {
            url,
            ip,
            role,
            status: 200,
            media_type: "",
            charset: "",
            declared: Declared::Nowhere,
            language: "",
            location: None,
            body: Vec::new(),
            sources: Vec::new(),
            copied: 0,
        }
    }

    /// Creates an HTML page in UTF-8, which the header declares.
    pub(crate) fn html(
        url: String,
        ip: u32,
        role: Role,
        language: &'static str,
        html: String,
    ) -> Self {
        let charset = Charset {
            name: "UTF-8",
            declared: Declared::Header,
        };
        Self::html_in(charset, url, ip, role, language, html)
    }

    /// Creates an HTML page in another charset.
    pub(crate) fn html_in(
        charset: Charset,
        url: String,
        ip: u32,
        role: Role,
        language: &'static str,
        html: String,
    ) -> Self {
        Self {
            media_type: "text/html",
            charset: charset.name,
            declared: charset.declared,
            language,
            body: encode(html, charset),
            ..Self::bare(url, ip, role)
        }
    }
}

/// Encodes `text` in `charset`, with a byte order mark if that declares the charset.
fn encode(text: String, charset: Charset) -> Vec<u8> {
    let bom = charset.declared == Declared::Bom;
    if charset.name == UTF_16LE.name() {
        // The Encoding Standard has no encoder for UTF-16, and neither does encoding_rs.
        let mark = bom.then_some(0xfeff);
        return mark
            .into_iter()
            .chain(text.encode_utf16())
            .flat_map(u16::to_le_bytes)
            .collect();
    }
    if charset.name == UTF_8.name() {
        return if bom {
            [b"\xef\xbb\xbf", text.as_bytes()].concat()
        } else {
            text.into_bytes()
        };
    }
    let encoding = Encoding::for_label(charset.name.as_bytes());
    let encoding = encoding.expect("encoding_rs knows all charsets of the sites");
    let (bytes, _, unmappable) = encoding.encode(&text);
    assert!(!unmappable, "{} cannot express the text", charset.name);
    bytes.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_read_back() {
        let cases = [
            ("UTF-8", Declared::Bom, "fjäll"),
            ("UTF-16LE", Declared::Bom, "木漏れ日"),
            ("Shift_JIS", Declared::Meta, "木漏れ日"),
            ("ISO-2022-JP", Declared::Header, "木漏れ日"),
            ("KOI8-R", Declared::Nowhere, "тропа"),
        ];
        for (name, declared, text) in cases {
            let bytes = encode(text.to_owned(), Charset { name, declared });
            let encoding = Encoding::for_label(name.as_bytes()).unwrap();
            assert_eq!(encoding.decode(&bytes), (text.into(), encoding, false));
        }
    }
}
