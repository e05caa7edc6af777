//! Word's documents: an archive whose `word/document.xml` holds runs of text in paragraphs.

use std::io::BufRead;

use crate::archive::Archive;
use crate::converter::Work;
use crate::error::ConvertError;
use crate::format::{Format, find};
use crate::xml::{self, Element, Node, Then};

const FORMAT: Format = Format::Docx;

/// Writes the document's text, then its notes; returns its title.
pub(crate) fn convert(bytes: &[u8], work: &mut Work<'_>) -> Result<Option<String>, ConvertError> {
    if bytes.starts_with(b"\xd0\xcf\x11\xe0") {
        // The old container, with the new document locked up in it. Names in it are UTF-16.
        let name: Vec<u8> = "EncryptedPackage"
            .bytes()
            .flat_map(|byte| [byte, 0])
            .collect();
        return Err(match find(bytes, &name) {
            Some(_) => ConvertError::Encrypted(FORMAT),
            None => ConvertError::malformed(FORMAT, &"a document of Word before 2007"),
        });
    }
    let mut archive = Archive::open(FORMAT, bytes, work.limits.unpacked_bytes_max)?;
    let main = main_part(&mut archive, work)?;
    archive
        .with(&main, |part| write(part, work))?
        .ok_or_else(|| ConvertError::malformed(FORMAT, &format!("there is no {main}")))?;
    let folder = main.rfind('/').map_or("", |slash| &main[..=slash]);
    for notes in ["footnotes.xml", "endnotes.xml"] {
        archive.with(&format!("{folder}{notes}"), |part| write(part, work))?;
    }
    let title = archive.with("docProps/core.xml", |part| {
        xml::first_text(FORMAT, part, work, "title")
    });
    // Metadata that cannot be read costs the title, not the text.
    Ok(title.ok().flatten().flatten())
}

/// The part that holds the text: the root's relationship of the type `officeDocument` says which.
fn main_part(archive: &mut Archive<'_>, work: &mut Work<'_>) -> Result<String, ConvertError> {
    const USUAL: &str = "word/document.xml";
    if archive.has(USUAL) {
        return Ok(USUAL.to_owned());
    }
    let mut main = None;
    archive.with("_rels/.rels", |part| {
        xml::walk(FORMAT, part, work, |node, _| {
            if let Node::Open(element) = node
                && element.name() == "Relationship"
                && element
                    .attribute("Type")
                    .is_some_and(|of| of.ends_with("/officeDocument"))
            {
                main = element.attribute("Target");
            }
            Then::Enter
        })
    })?;
    let main = main.unwrap_or_else(|| USUAL.to_owned());
    Ok(main.trim_start_matches('/').to_owned())
}

fn write(part: &mut dyn BufRead, work: &mut Work<'_>) -> Result<(), ConvertError> {
    let mut is_text = false;
    let mut is_hidden = false;
    xml::walk(FORMAT, part, work, |node, work| {
        match node {
            Node::Open(element) => {
                let name = element.name();
                match name {
                    // Deleted or moved away under tracked changes; the second version of what an
                    // older Word cannot show; what stands above characters; properties that no
                    // longer hold.
                    "del" | "moveFrom" | "Fallback" | "rt" | "rPrChange" | "pPrChange" => {
                        return Then::Skip;
                    }
                    // Lines that separate notes from text are notes of their own.
                    "footnote" | "endnote"
                        if element.attribute("type").is_some_and(|of| of != "normal") =>
                    {
                        return Then::Skip;
                    }
                    "r" => is_hidden = false,
                    "vanish" | "webHidden" => is_hidden = is_on(element),
                    "t" => is_text = !is_hidden,
                    _ if !is_hidden => mark(element, work),
                    _ => {}
                }
            }
            Node::Close(name) => match name {
                "t" => is_text = false,
                "r" => is_hidden = false,
                "p" | "tr" | "txbxContent" => work.out.paragraph(),
                "tc" => work.out.tab(),
                _ => {}
            },
            Node::Text(text) => {
                if is_text {
                    work.out.push(text);
                }
            }
        }
        Then::Enter
    })
}

/// Elements that stand for characters, and those that begin a paragraph.
fn mark(element: &Element<'_>, work: &mut Work<'_>) {
    match element.name() {
        // A text box begins in the midst of the paragraph that it is tied to.
        "p" | "txbxContent" => work.out.paragraph(),
        "tab" | "ptab" => work.out.tab(),
        "br" | "cr" => work.out.line(),
        "noBreakHyphen" => work.out.push("-"),
        "sym" => {
            let char = element.attribute("char");
            let char = char.and_then(|char| u32::from_str_radix(&char, 16).ok());
            if let Some(char) = char.and_then(char::from_u32) {
                work.out.push(char.encode_utf8(&mut [0; 4]));
            }
        }
        _ => {}
    }
}

/// A property that is there holds, unless it says no.
fn is_on(property: &Element<'_>) -> bool {
    property
        .attribute("val")
        .is_none_or(|value| !matches!(&*value, "0" | "false" | "off"))
}
