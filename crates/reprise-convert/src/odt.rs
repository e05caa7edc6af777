//! ODT: an archive whose entry `content.xml` contains paragraphs.

use crate::archive::Archive;
use crate::converter::Work;
use crate::error::ConvertError;
use crate::format::{Format, find};
use crate::paragraphs::Paragraphs;
use crate::xml::{self, Element, Node, Then};

const FORMAT: Format = Format::Odt;

/// Writes the text of a document, then its notes. Returns its title.
pub(crate) fn convert(bytes: &[u8], work: &mut Work<'_>) -> Result<Option<String>, ConvertError> {
    let mut archive = Archive::open(FORMAT, bytes, work.limits.unpacked_bytes_max)?;
    let manifest = archive.bytes("META-INF/manifest.xml")?.unwrap_or_default();
    if find(&manifest, b"encryption-data").is_some() {
        return Err(ConvertError::Encrypted(FORMAT));
    }
    let mut reader = Reader::new(work.limits.text_bytes_max);
    archive
        .with("content.xml", |part| {
            xml::walk(FORMAT, part, work, |node, work| reader.see(&node, work))
        })?
        .ok_or_else(|| ConvertError::malformed(FORMAT, &"its entry content.xml is missing"))?;
    let (notes, _) = reader.notes.finish();
    work.out.append(&notes);
    let title = archive.with("meta.xml", |part| {
        xml::first_text(FORMAT, part, work, "title")
    });
    // If the metadata cannot be read, the document has no title; the text is still valid.
    Ok(title.ok().flatten().flatten())
}

/// The state of the reader. It collects the notes, which are stored within paragraphs, to write them
/// behind the text.
struct Reader {
    notes: Paragraphs,
    is_body: bool,
    /// The number of open notes.
    open_notes: u32,
    /// The number of open paragraphs.
    open_paragraphs: u32,
}

impl Reader {
    fn new(bytes_max: usize) -> Reader {
        Reader {
            notes: Paragraphs::new(bytes_max),
            is_body: false,
            open_notes: 0,
            open_paragraphs: 0,
        }
    }

    fn out<'o>(&'o mut self, work: &'o mut Work<'_>) -> &'o mut Paragraphs {
        if self.open_notes > 0 {
            &mut self.notes
        } else {
            &mut work.out
        }
    }

    fn see(&mut self, node: &Node<'_>, work: &mut Work<'_>) -> Then {
        match *node {
            Node::Open(element) => return self.open(element, work),
            Node::Close(name) => self.close(name, work),
            // Text between paragraphs is only the indentation of the XML.
            Node::Text(text) => {
                if self.open_paragraphs > 0 {
                    self.out(work).push(text);
                }
            }
        }
        Then::Enter
    }

    fn open(&mut self, element: &Element<'_>, work: &mut Work<'_>) -> Then {
        match element.name() {
            "body" => self.is_body = true,
            _ if !self.is_body => {}
            // Deleted text, comments, numbers of notes, descriptions of pictures, readings above
            // characters, and invisible parts.
            "tracked-changes" | "annotation" | "note-citation" | "desc" | "title" | "ruby-text"
            | "hidden-text" | "binary-data" | "forms" | "hidden-paragraph" => return Then::Skip,
            "section" if element.attribute("display").as_deref() == Some("none") => {
                return Then::Skip;
            }
            "note-body" => self.open_notes += 1,
            "p" | "h" => {
                self.open_paragraphs += 1;
                self.out(work).paragraph();
            }
            "s" => self.out(work).push(" "),
            "tab" => self.out(work).tab(),
            "line-break" => self.out(work).line(),
            _ => {}
        }
        Then::Enter
    }

    fn close(&mut self, name: &str, work: &mut Work<'_>) {
        match name {
            "body" => self.is_body = false,
            "note-body" => self.open_notes = self.open_notes.saturating_sub(1),
            "p" | "h" => {
                self.open_paragraphs = self.open_paragraphs.saturating_sub(1);
                self.out(work).paragraph();
            }
            _ => {}
        }
    }
}
