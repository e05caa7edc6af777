//! DOCX: an archive whose entry `word/document.xml` contains paragraphs with runs of text.

use std::io::BufRead;

use crate::archive::Archive;
use crate::converter::Work;
use crate::error::ConvertError;
use crate::format::{Format, find};
use crate::xml::{self, Element, Node, Then};

const FORMAT: Format = Format::Docx;

/// Writes the text of a document, then its notes. Returns its title.
pub(crate) fn convert(bytes: &[u8], work: &mut Work<'_>) -> Result<Option<String>, ConvertError> {
    if bytes.starts_with(b"\xd0\xcf\x11\xe0") {
        // The container of older Word documents, which also holds encrypted DOCX. Names in it are UTF-16.
        let name: Vec<u8> = "EncryptedPackage"
            .bytes()
            .flat_map(|byte| [byte, 0])
            .collect();
        return Err(match find(bytes, &name) {
            Some(_) => ConvertError::Encrypted(FORMAT),
            None => ConvertError::malformed(
                FORMAT,
                &"it is a Word document from before 2007; save it as DOCX",
            ),
        });
    }
    let mut archive = Archive::open(FORMAT, bytes, work.limits.unpacked_bytes_max)?;
    let main = main_part(&mut archive, work)?;
    archive
        .with(&main, |part| write(part, work))?
        .ok_or_else(|| ConvertError::malformed(FORMAT, &format!("its entry {main} is missing")))?;
    let folder = main.rfind('/').map_or("", |slash| &main[..=slash]);
    for notes in ["footnotes.xml", "endnotes.xml"] {
        archive.with(&format!("{folder}{notes}"), |part| write(part, work))?;
    }
    let title = archive.with("docProps/core.xml", |part| {
        xml::first_text(FORMAT, part, work, "title")
    });
    // If the metadata cannot be read, the document has no title; the text is still valid.
    Ok(title.ok().flatten().flatten())
}

/// Returns the name of the entry that contains the text. The relationship of type `officeDocument` names
/// it.
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
                    // Text deleted or moved under tracked changes, alternatives for older versions of
                    // Word, readings above characters, and former properties.
                    "del" | "moveFrom" | "Fallback" | "rt" | "rPrChange" | "pPrChange" => {
                        return Then::Skip;
                    }
                    // The lines between text and notes are stored as notes too.
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

/// Writes the characters or the paragraph that an element stands for.
fn mark(element: &Element<'_>, work: &mut Work<'_>) {
    match element.name() {
        // A text box is stored within the paragraph that it is anchored to.
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

/// Returns true if a property is on. A property without a value is.
fn is_on(property: &Element<'_>) -> bool {
    property
        .attribute("val")
        .is_none_or(|value| !matches!(&*value, "0" | "false" | "off"))
}
