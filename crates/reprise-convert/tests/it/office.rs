//! The text that DOCX, ODT and EPUB show and hide.

use reprise_convert::{ConvertError, ConvertLimits, Converter, Format};

use crate::write_zip::{archive, docx, epub, odt};
use crate::{CONVERTER, check, plain};

#[test]
fn word_elements_become_text() {
    let body = "<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t>\
        <w:sym w:font='Symbol' w:char='F0B7'/></w:r></w:p>\
        <w:p><w:del><w:r><w:delText>no</w:delText></w:r></w:del><w:moveFrom><w:r><w:t>no</w:t></w:r></w:moveFrom>\
        <w:ins><w:r><w:t>e</w:t></w:r></w:ins><w:r><w:rPr><w:vanish/></w:rPr><w:t>no</w:t></w:r>\
        <w:r><w:rPr><w:vanish w:val='0'/></w:rPr><w:t>f</w:t></w:r><w:r><w:instrText>no</w:instrText></w:r></w:p>\
        <w:p><w:r><w:t>g</w:t><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>box &amp; &#x4e2d;</w:t></w:r></w:p>\
        </w:txbxContent></mc:Choice><mc:Fallback><w:p><w:r><w:t>no</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent>\
        <w:t>h</w:t></w:r></w:p>";
    let notes = "<w:footnote w:type='separator'><w:p><w:r><w:t>no</w:t></w:r></w:p></w:footnote>\
        <w:footnote><w:p><w:r><w:t>note</w:t></w:r></w:p></w:footnote>";
    let plain = plain(Format::Docx, docx(body, notes));
    assert_eq!(
        plain.text,
        "a\tb\nc-d\u{f0b7}\n\nef\n\ng\n\nbox & \u{4e2d}\n\nh\n\nnote"
    );
    assert_eq!(plain.title.as_deref(), Some("A title"));
}

#[test]
fn open_document_elements_become_text() {
    let body = "<text:tracked-changes><text:p>no</text:p></text:tracked-changes>\
        <text:p>a<text:s text:c='3'/>b<text:tab/>c<text:line-break/>d<text:note><text:note-citation>no</text:note-citation>\
        <text:note-body><text:p>note</text:p></text:note-body></text:note>e</text:p>\n\
        <text:section text:display='none'><text:p>no</text:p></text:section><text:p>f</text:p>";
    let plain = plain(Format::Odt, odt(body));
    assert_eq!(plain.text, "a b\tc\nde\n\nf\n\nnote");
    assert_eq!(plain.title.as_deref(), Some("A title"));
}

#[test]
fn books_are_read_in_order() {
    let plain = plain(Format::Epub, epub(&["<p>a</p>", "b<br/>c", "<p>d</p>"]));
    assert_eq!(plain.text, "a\n\nb\nc\n\nd");
    assert_eq!(plain.title.as_deref(), Some("A title"));
}

#[test]
fn archives_are_detected_by_their_bytes() {
    let of = |bytes: &[u8]| Format::of("application/zip", "a.zip", bytes);
    assert_eq!(of(&docx("", "")), Some(Format::Docx));
    assert_eq!(of(&odt("")), Some(Format::Odt));
    assert_eq!(of(&epub(&[])), Some(Format::Epub));
    assert_eq!(of(&archive(&[("a.txt", "a")])), None);
}

#[test]
fn encrypted_documents_are_refused() {
    let mut word = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
    word.extend("EncryptedPackage".bytes().flat_map(|byte| [byte, 0]));
    let open = archive(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        (
            "META-INF/manifest.xml",
            "<m:manifest xmlns:m='m'><m:encryption-data/></m:manifest>",
        ),
    ]);
    let book = archive(&[(
        "META-INF/encryption.xml",
        "<e><EncryptedData><EncryptionMethod Algorithm='http://www.w3.org/2001/04/xmlenc#aes128-cbc'/></EncryptedData></e>",
    )]);
    for (format, bytes) in [
        (Format::Docx, word),
        (Format::Odt, open),
        (Format::Epub, book),
    ] {
        let error = CONVERTER.plain(format, &bytes).expect_err("it is locked");
        assert!(matches!(error, ConvertError::Encrypted(_)), "{error}");
    }
}

#[test]
fn bombs_are_not_unpacked() {
    let converter = Converter {
        limits: ConvertLimits {
            unpacked_bytes_max: 100_000,
            ..ConvertLimits::DEFAULT
        },
        ..CONVERTER
    };
    let spaces = " ".repeat(1_000_000);
    let bombs = [
        (Format::Docx, docx(&spaces, "")),
        (Format::Odt, odt(&spaces)),
        (Format::Epub, epub(&[&spaces])),
    ];
    for (format, bomb) in bombs {
        let error = converter.plain(format, &bomb).expect_err("it is too large");
        assert!(
            matches!(error, ConvertError::TooLarge { .. }),
            "{format:?}: {error}"
        );
    }
}

#[test]
fn deep_nesting_is_refused_and_entities_are_not_expanded() {
    let deep = "<w:p>".repeat(100_000);
    assert!(CONVERTER.plain(Format::Docx, &docx(&deep, "")).is_err());
    let laughs = archive(&[
        ("[Content_Types].xml", "<Types/>"),
        (
            "word/document.xml",
            "<!DOCTYPE a [<!ENTITY b 'no'><!ENTITY c SYSTEM 'file:///etc/passwd'>]>\
            <d><p><r><t>a&b;&c;&lt;</t></r></p></d>",
        ),
    ]);
    check(Format::Docx, laughs, "a<");
}
