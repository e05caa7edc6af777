//! Which format a document has.

/// A format that has a converter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// HTML as browsers read it.
    Html,
    /// HTML that is XML.
    Xhtml,
    /// Portable Document Format.
    Pdf,
    /// Word's documents since 2007.
    Docx,
    /// Texts in the Open Document Format.
    Odt,
    /// Rich Text Format.
    Rtf,
    /// Books as archives of XHTML.
    Epub,
    /// `CommonMark` and its relatives.
    Markdown,
    /// Text without markup.
    Text,
}

impl Format {
    /// Every format.
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

    /// The format of a document: by what its bytes are, then by its media type, then by the ending of
    /// its name (a path or an address). `None` says that there is no converter.
    ///
    /// Servers call PDFs `text/html` and scripts call HTML `text/plain`, but nobody writes `%PDF-` by
    /// chance: bytes decide where they can. What looks like HTML decides only where the media type
    /// does not say that it is another text: a page about HTML may begin with a tag.
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
            // An encrypted document of Word lies in the container of its old documents.
            Magic::OldOffice => {
                return (declared.or(named) == Some(Format::Docx)).then_some(Format::Docx);
            }
            Magic::OtherZip | Magic::Binary => return None,
            Magic::None => {}
        }
        let declared = match declared {
            // Without these bytes it is none of the formats with a signature.
            Some(Format::Pdf | Format::Docx | Format::Odt | Format::Epub | Format::Rtf) => None,
            // Servers say this of everything that they do not know.
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
            // The tags of a feed, or of other XML, are no text.
            None if media_type.ends_with("/xml") || media_type.ends_with("+xml") => {
                by_markup(bytes).or(Some(Format::Xhtml))
            }
            None => None,
        }
    }

    /// What it is called: lower case, one word.
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

enum Magic {
    Format(Format),
    OldOffice,
    OtherZip,
    Binary,
    None,
}

fn by_magic(bytes: &[u8]) -> Magic {
    // Readers of PDF look for the header in the first kilobyte.
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

/// ODT and EPUB begin with an entry `mimetype`, stored as it is. DOCX has `[Content_Types].xml` and its
/// text in `word/`; both names stand in the directory at the end.
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

pub(crate) fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[track_caller]
    fn check(media_type: &str, name: &str, bytes: &[u8], expected: Option<Format>) {
        assert_eq!(Format::of(media_type, name, bytes), expected);
    }

    #[test]
    fn bytes_come_first() {
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
    fn encrypted_word() {
        let bytes = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
        check("", "a.docx", bytes, Some(Format::Docx));
        check("", "a.doc", bytes, None);
    }
}
