//! A fetched page before it travels: body bytes in their charset, and what is true of them.

use encoding_rs::{Encoding, UTF_8, UTF_16LE};

use crate::planted::{Declared, Role};

/// A page as its server holds it.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub(crate) url: String,
    pub(crate) ip: u32,
    pub(crate) role: Role,
    pub(crate) status: u16,
    pub(crate) media_type: &'static str,
    /// WHATWG name of the charset; empty for bytes that are no text.
    pub(crate) charset: &'static str,
    pub(crate) declared: Declared,
    pub(crate) language: &'static str,
    pub(crate) location: Option<String>,
    pub(crate) body: Vec<u8>,
    pub(crate) sources: Vec<String>,
    pub(crate) copied: usize,
}

/// The charset of a page and where it says so.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Charset {
    pub(crate) name: &'static str,
    pub(crate) declared: Declared,
}

impl Page {
    /// A URL that answers 200 with nothing.
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

    /// An HTML page in UTF-8 that says so in its header.
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

    /// An HTML page in another charset.
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

/// `text` in `charset`, with a byte order mark if that is how it is declared.
fn encode(text: String, charset: Charset) -> Vec<u8> {
    let bom = charset.declared == Declared::Bom;
    if charset.name == UTF_16LE.name() {
        // The Encoding Standard only decodes UTF-16, so encoding_rs has no encoder for it.
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
    let encoding = encoding.expect("the charsets of the sites are all known");
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
