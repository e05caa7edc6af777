//! Writes DOCX, ODT and EPUB.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Writes an archive of these entries. The first one is not compressed.
pub(crate) fn archive(entries: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (index, (name, content)) in entries.iter().enumerate() {
        let method = if index == 0 {
            zip::CompressionMethod::Stored
        } else {
            zip::CompressionMethod::Deflated
        };
        let options = SimpleFileOptions::default().compression_method(method);
        zip.start_file(*name, options).expect("in memory");
        zip.write_all(content.as_bytes()).expect("in memory");
    }
    zip.finish().expect("in memory").into_inner()
}

/// Writes a DOCX with this body and these footnotes.
pub(crate) fn docx(body: &str, notes: &str) -> Vec<u8> {
    let spaces = "xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main' \
        xmlns:mc='http://schemas.openxmlformats.org/markup-compatibility/2006'";
    let head = "<?xml version='1.0' encoding='UTF-8' standalone='yes'?>";
    archive(&[
        ("[Content_Types].xml", &format!("{head}<Types/>")),
        (
            "word/document.xml",
            &format!("{head}<w:document {spaces}><w:body>{body}</w:body></w:document>"),
        ),
        (
            "word/footnotes.xml",
            &format!("{head}<w:footnotes {spaces}>{notes}</w:footnotes>"),
        ),
        (
            "docProps/core.xml",
            "<c:p xmlns:c='c' xmlns:dc='dc'><dc:title>A  title</dc:title></c:p>",
        ),
    ])
}

/// Writes an ODT with this body.
pub(crate) fn odt(body: &str) -> Vec<u8> {
    archive(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        (
            "content.xml",
            &format!(
                "<?xml version='1.0'?><office:document-content xmlns:office='o' xmlns:text='t' \
                xmlns:table='b'><office:automatic-styles>no</office:automatic-styles>\
                <office:body><office:text>{body}</office:text></office:body>\
                </office:document-content>"
            ),
        ),
        (
            "meta.xml",
            "<m xmlns:dc='dc'><dc:title>A title</dc:title></m>",
        ),
        ("META-INF/manifest.xml", "<manifest/>"),
    ])
}

/// Writes an EPUB of these pages.
pub(crate) fn epub(pages: &[&str]) -> Vec<u8> {
    let mut items = Vec::new();
    let mut spine = String::new();
    let mut entries = vec![
        ("mimetype".to_owned(), "application/epub+zip".to_owned()),
        (
            "META-INF/container.xml".to_owned(),
            "<container><rootfiles><rootfile full-path='OEBPS/a.opf'/></rootfiles></container>"
                .to_owned(),
        ),
    ];
    // The manifest and the archive have a different order than the spine, which counts.
    for (index, page) in pages.iter().enumerate().rev() {
        items.push(format!(
            "<item id='i{index}' href='text/page%20{index}.xhtml' media-type='application/xhtml+xml'/>"
        ));
        spine.insert_str(0, &format!("<itemref idref='i{index}'/>"));
        entries.push((
            format!("OEBPS/text/page {index}.xhtml"),
            format!(
                "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>\
                <head><title>no</title></head><body>{page}</body></html>"
            ),
        ));
    }
    let items = items.concat();
    entries.push((
        "OEBPS/a.opf".to_owned(),
        format!(
            "<package xmlns:dc='dc'><metadata><dc:title>A title</dc:title></metadata>\
            <manifest>{items}</manifest><spine>{spine}</spine></package>"
        ),
    ));
    let entries: Vec<(&str, &str)> = entries
        .iter()
        .map(|(name, text)| (&**name, &**text))
        .collect();
    archive(&entries)
}
