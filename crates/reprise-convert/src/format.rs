//! Detects the format of a document.

/// A format that can be converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// HTML.
    Html,
    /// XHTML: HTML in XML syntax.
    Xhtml,
    /// Portable Document Format.
    Pdf,
    /// Office Open XML: documents of Word since 2007.
    Docx,
    /// Text documents in the Open Document Format.
    Odt,
    /// Rich Text Format.
    Rtf,
    /// Books: archives of XHTML pages.
    Epub,
    /// Markdown.
    Markdown,
    /// Plain text.
    Text,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 9] = [
        Format::Html,
        Format::Xhtml,
        Format::Pdf,
        Format::Docx,
        Format::Odt,
        Format::Rtf,
        Format::Epub,
        Format::Markdown,
        Format::Text,
    ];

    /// Detects the format of a document by its bytes, then by its media type, then by the extension of
    /// its name, which is a path or an address. Returns `None` if no format fits.
    ///
    /// Signatures such as `%PDF-` come first, because servers often state a wrong media type. Tags at the
    /// start are weaker evidence: they decide only if the media type is not that of another text, because
    /// a text about HTML may begin with a tag.
    pub fn of(media_type: &str, name: &str, bytes: &[u8]) -> Option<Format> {
        let media_type = media_type
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase();
        let declared = by_media_type(&media_type);
        let named = by_name(name);
        match by_magic(bytes) {
            Magic::Format(format) => return Some(format),
            // An encrypted DOCX is stored in the container of older Word documents.
            Magic::OldOffice => {
                return (declared.or(named) == Some(Format::Docx)).then_some(Format::Docx);
            }
            Magic::OtherZip | Magic::Binary => return None,
            Magic::None => {}
        }
        let declared = match declared {
            // The document lacks the signature of the format that its media type states.
            Some(Format::Pdf | Format::Docx | Format::Odt | Format::Epub | Format::Rtf) => None,
            // Servers state `text/plain` for many formats that they do not know.
            Some(Format::Text) if matches!(named, Some(Format::Markdown)) => named,
            declared => declared,
        };
        let named = named.filter(|format| !format.has_signature());
        let is_unknown = matches!(
            &*media_type,
            "" | "application/octet-stream" | "binary/octet-stream" | "application/unknown"
        ) || by_media_type(&media_type).is_some_and(Format::has_signature);
        match declared {
            Some(format) => Some(format),
            None if is_unknown => named.or_else(|| by_markup(bytes)),
            None if media_type.starts_with("text/") => named
                .filter(|format| *format != Format::Text)
                .or(Some(Format::Text)),
            // The tags of a feed or of other XML must not become text.
            None if media_type.ends_with("/xml") || media_type.ends_with("+xml") => {
                by_markup(bytes).or(Some(Format::Xhtml))
            }
            None => None,
        }
    }

    /// Returns the name: one word in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Format::Html => "html",
            Format::Xhtml => "xhtml",
            Format::Pdf => "pdf",
            Format::Docx => "docx",
            Format::Odt => "odt",
            Format::Rtf => "rtf",
            Format::Epub => "epub",
            Format::Markdown => "markdown",
            Format::Text => "text",
        }
    }

    fn has_signature(self) -> bool {
        matches!(
            self,
            Format::Pdf | Format::Docx | Format::Odt | Format::Epub | Format::Rtf
        )
    }
}

/// The evidence of a signature.
enum Magic {
    Format(Format),
    OldOffice,
    OtherZip,
    Binary,
    None,
}

fn by_magic(bytes: &[u8]) -> Magic {
    // PDF readers accept the header anywhere in the first kilobyte.
    let head = &bytes[..bytes.len().min(1024)];
    let start = trim_start(head);
    if start.starts_with(b"%PDF-") || (find(head, b"%PDF-1.").is_some() && !looks_like_tag(start)) {
        Magic::Format(Format::Pdf)
    } else if start.starts_with(b"{\\rtf") {
        Magic::Format(Format::Rtf)
    } else if bytes.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") {
        Magic::OldOffice
    } else if bytes.starts_with(b"PK\x03\x04") {
        by_zip(bytes).map_or(Magic::OtherZip, Magic::Format)
    } else if head.contains(&0) && !head.starts_with(b"\xff\xfe") && !head.starts_with(b"\xfe\xff")
    {
        Magic::Binary
    } else {
        Magic::None
    }
}

/// Detects the format of a ZIP archive. ODT and EPUB begin with an uncompressed entry `mimetype`. DOCX
/// has an entry `[Content_Types].xml` and a folder `word/`, both named in the directory at the end.
fn by_zip(bytes: &[u8]) -> Option<Format> {
    let head = &bytes[..bytes.len().min(256)];
    if find(head, b"mimetypeapplication/epub+zip").is_some() {
        return Some(Format::Epub);
    }
    if find(head, b"mimetypeapplication/vnd.oasis.opendocument.text").is_some() {
        return Some(Format::Odt);
    }
    let tail = &bytes[bytes.len().saturating_sub(1 << 20)..];
    let has = |name: &[u8]| find(tail, name).is_some();
    if has(b"[Content_Types].xml") {
        return has(b"word/").then_some(Format::Docx);
    }
    if has(b"META-INF/container.xml") {
        return Some(Format::Epub);
    }
    None
}

fn by_media_type(media_type: &str) -> Option<Format> {
    Some(match media_type {
        "text/html" => Format::Html,
        "application/xhtml+xml" | "application/vnd.wap.xhtml+xml" => Format::Xhtml,
        "application/pdf" | "application/x-pdf" => Format::Pdf,
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        | "application/vnd.ms-word.document.macroenabled.12" => Format::Docx,
        "application/vnd.oasis.opendocument.text" => Format::Odt,
        "application/rtf" | "text/rtf" | "application/x-rtf" | "text/richtext" => Format::Rtf,
        "application/epub+zip" => Format::Epub,
        "text/markdown" | "text/x-markdown" => Format::Markdown,
        "text/plain" => Format::Text,
        _ => return None,
    })
}

fn by_name(name: &str) -> Option<Format> {
    let path = name.split(['?', '#']).next().unwrap_or_default();
    let last = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let (_, ending) = last.rsplit_once('.')?;
    Some(match &*ending.to_ascii_lowercase() {
        "html" | "htm" => Format::Html,
        "xhtml" | "xht" => Format::Xhtml,
        "pdf" => Format::Pdf,
        "docx" | "docm" => Format::Docx,
        "odt" => Format::Odt,
        "rtf" => Format::Rtf,
        "epub" => Format::Epub,
        "md" | "markdown" | "mkd" => Format::Markdown,
        "txt" | "text" => Format::Text,
        _ => return None,
    })
}

fn by_markup(bytes: &[u8]) -> Option<Format> {
    let head = bytes[..bytes.len().min(1024)].to_ascii_lowercase();
    let start = trim_start(&head);
    let has_html = find(&head, b"<html").is_some() || find(&head, b"<!doctype html").is_some();
    if start.starts_with(b"<?xml") {
        return has_html.then_some(Format::Xhtml);
    }
    (looks_like_tag(start) && has_html).then_some(Format::Html)
}

fn looks_like_tag(start: &[u8]) -> bool {
    start.first() == Some(&b'<')
}

fn trim_start(bytes: &[u8]) -> &[u8] {
    bytes
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(bytes)
        .trim_ascii_start()
}

/// Returns the offset of the first occurrence of `needle`.
pub(crate) fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    bytes
        .windows(needle.len())
        .position(|window| window == needle)
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[track_caller]
    fn check(media_type: &str, name: &str, bytes: &[u8], expected: Option<Format>) {
        assert_eq!(Format::of(media_type, name, bytes), expected);
    }

    #[test]
    fn signatures_come_first() {
        check("text/html", "a.html", b"%PDF-1.4", Some(Format::Pdf));
        check("text/plain", "a", b" {\\rtf1 x}", Some(Format::Rtf));
        check(
            "application/pdf",
            "a.pdf",
            b"<html>No such file",
            Some(Format::Html),
        );
        check("application/pdf", "a.html", b"<html>", Some(Format::Html));
        check("", "a.zip", b"PK\x03\x04 something", None);
        check("text/plain", "a.txt", b"\x7fELF\0\0", None);
    }

    #[test]
    fn media_type_comes_before_name() {
        check(
            "text/html; charset=utf-8",
            "a.txt",
            b"hello",
            Some(Format::Html),
        );
        check("text/plain", "a.html", b"<html>", Some(Format::Text));
        check("text/plain", "README.md", b"# a", Some(Format::Markdown));
        check("application/xhtml+xml", "a", b"<html>", Some(Format::Xhtml));
        check(
            "application/octet-stream",
            "a.md",
            b"# a",
            Some(Format::Markdown),
        );
        check(
            "",
            "https://a.example/b.html?c=d.pdf",
            b"x",
            Some(Format::Html),
        );
        check("", "", b"<?xml version='1.0'?><html>", Some(Format::Xhtml));
        check("image/png", "a.txt", b"x", None);
        check("", "a", b"x", None);
    }

    #[test]
    fn encrypted_word_documents_are_docx() {
        let bytes = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
        check("", "a.docx", bytes, Some(Format::Docx));
        check("", "a.doc", bytes, None);
    }
}
