//! Reads XML as a stream of elements and text.
//!
//! Declared entities are not expanded. A small document cannot grow, and no file is fetched.

use std::io::BufRead;

use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::converter::Work;
use crate::error::ConvertError;
use crate::format::Format;

/// A part of a document. Names lack their prefix: each writer chooses its prefixes, and the names that
/// matter are distinct without them.
pub(crate) enum Node<'e> {
    Open(&'e Element<'e>),
    Close(&'e str),
    Text(&'e str),
}

/// The start of an element.
pub(crate) struct Element<'e> {
    start: BytesStart<'e>,
}

impl Element<'_> {
    pub(crate) fn name(&self) -> &str {
        self.start.local_name().into_inner()
    }

    /// Returns the value of the attribute with this name, without a prefix.
    pub(crate) fn attribute(&self, name: &str) -> Option<String> {
        let mut attributes = self.start.attributes();
        attributes
            .with_checks(false)
            .flatten()
            .find(|attribute| attribute.key.local_name().into_inner() == name)
            .and_then(|attribute| {
                attribute
                    .normalized_value(XmlVersion::Implicit1_0)
                    .ok()
                    .map(String::from)
            })
    }
}

/// The decision after the start of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    Enter,
    /// Skip the content of the element and its end.
    Skip,
}

/// Calls `see` with each part of a document. Stops early if the output is full.
pub(crate) fn walk(
    format: Format,
    from: &mut dyn BufRead,
    work: &mut Work<'_>,
    mut see: impl FnMut(Node<'_>, &mut Work<'_>) -> Then,
) -> Result<(), ConvertError> {
    let mut reader = Reader::from_reader(from);
    let config = reader.config_mut();
    config.expand_empty_elements = true;
    config.allow_dangling_amp = true;
    let mut buffer = Vec::new();
    let mut depth = 0_u32;
    let mut skipped_from = None;
    while !work.out.is_full() {
        work.clock.tick()?;
        buffer.clear();
        let event = reader
            .read_event_into(&mut buffer)
            .map_err(|error| ConvertError::malformed(format, &error))?;
        let is_skipped = skipped_from.is_some();
        match event {
            Event::Start(start) => {
                depth += 1;
                if depth > work.limits.depth_max {
                    return Err(ConvertError::malformed(
                        format,
                        &"its elements are nested too deeply",
                    ));
                }
                if !is_skipped && see(Node::Open(&Element { start }), work) == Then::Skip {
                    skipped_from = Some(depth);
                }
            }
            Event::End(end) => {
                if skipped_from == Some(depth) {
                    skipped_from = None;
                } else if !is_skipped {
                    see(Node::Close(end.local_name().into_inner()), work);
                }
                depth = depth.saturating_sub(1);
            }
            Event::Text(text) if !is_skipped => {
                see(Node::Text(&text.xml10_content()), work);
            }
            Event::CData(text) if !is_skipped => {
                see(Node::Text(&text.xml10_content()), work);
            }
            Event::GeneralRef(reference) if !is_skipped => {
                if let Some(char) = resolve(&reference) {
                    see(Node::Text(char.encode_utf8(&mut [0; 4])), work);
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    Ok(())
}

/// Resolves character references and the five names that XML defines. Other names resolve to nothing.
fn resolve(reference: &BytesRef<'_>) -> Option<char> {
    match &*reference.xml10_content() {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "apos" => Some('\''),
        "quot" => Some('"'),
        _ => reference.resolve_char_ref().ok().flatten(),
    }
}

/// Returns the text of the first element with this name.
pub(crate) fn first_text(
    format: Format,
    from: &mut dyn BufRead,
    work: &mut Work<'_>,
    name: &str,
) -> Result<Option<String>, ConvertError> {
    let mut found: Option<String> = None;
    let mut is_inside = false;
    walk(format, from, work, |node, _| {
        match node {
            Node::Open(element) if element.name() == name && found.is_none() => {
                is_inside = true;
                found = Some(String::new());
            }
            Node::Close(closed) if closed == name => is_inside = false,
            Node::Text(text) if is_inside => found.get_or_insert_default().push_str(text),
            _ => {}
        }
        Then::Enter
    })?;
    Ok(found)
}
