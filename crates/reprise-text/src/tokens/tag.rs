//! Tags and their attributes.

use std::borrow::Cow;
use std::fmt;

use crate::span::Span;
use crate::tokens::names::pack;
use crate::tokens::rules::{ends_name, is_space};

/// A start or end tag.
#[derive(Clone, Copy)]
pub struct Tag<'t> {
    text: &'t str,
    /// The offset of the name.
    start: usize,
    /// The offset just after the name.
    name_end: usize,
    /// The offset of the `>`.
    end: usize,
    /// The name as a number, see [`pack`].
    packed: u64,
}

impl<'t> Tag<'t> {
    /// Reads the tag whose name starts at `start` and whose `>` is just before `end`.
    #[inline]
    pub(super) fn new(text: &'t str, start: usize, end: usize) -> Self {
        let (packed, length) = pack(&text.as_bytes()[start..end]);
        Self {
            text,
            start,
            name_end: start + length,
            end: end - 1,
            packed,
        }
    }

    /// Returns the name as written, in upper or lower case.
    #[inline]
    pub fn name(&self) -> &'t str {
        &self.text[self.start..self.name_end]
    }

    #[inline]
    pub(super) fn name_bytes(&self) -> &'t [u8] {
        &self.text.as_bytes()[self.start..self.name_end]
    }

    /// Returns the name as a number, see [`pack`].
    #[inline]
    pub(crate) fn packed_name(&self) -> u64 {
        self.packed
    }

    /// Returns the bytes between the name and the `>`.
    fn rest(&self) -> &'t str {
        &self.text[self.name_end..self.end]
    }

    /// Returns true if the tag has this name, in upper or lower case.
    pub fn has_name(&self, name: &str) -> bool {
        self.name().eq_ignore_ascii_case(name)
    }

    /// Returns the attributes in the order in which they are written.
    pub fn attributes(&self) -> Attributes<'t> {
        Attributes {
            rest: self.rest(),
            rest_start: self.name_end,
            at: 0,
        }
    }

    /// Returns the decoded value of the first attribute with this name, in upper or lower case.
    pub fn attribute(&self, name: &str) -> Option<Cow<'t, str>> {
        let attribute = self.attributes().find(|attribute| attribute.has_name(name));
        attribute.map(|attribute| attribute.decoded())
    }

    /// Returns true if the tag ends in `/>`.
    pub fn is_self_closing(&self) -> bool {
        if !self.rest().ends_with('/') {
            return false;
        }
        // The slash may also be the end of an unquoted value.
        let mut attributes = self.attributes();
        attributes.by_ref().for_each(drop);
        attributes.at < attributes.rest.len()
    }
}

impl fmt::Debug for Tag<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Tag");
        debug.field("name", &self.name());
        debug.field("rest", &self.rest()).finish()
    }
}

/// An attribute of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute<'t> {
    /// The name as written, in upper or lower case.
    pub name: &'t str,
    /// The value as written, without quotes. Empty for an attribute without a value.
    pub value: &'t str,
    /// The bytes of the value in the text.
    pub value_span: Span,
}

impl<'t> Attribute<'t> {
    /// Returns true if the attribute has this name, in upper or lower case.
    pub fn has_name(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Returns the value with its character references replaced.
    pub fn decoded(&self) -> Cow<'t, str> {
        htmlize::unescape_attribute(self.value)
    }
}

/// Iterates over the attributes of a tag.
#[derive(Clone, Debug)]
pub struct Attributes<'t> {
    /// The bytes between the name of the tag and its `>`.
    rest: &'t str,
    /// The offset of `rest` in the text.
    rest_start: usize,
    /// The offset in `rest` of the first byte after the last attribute.
    at: usize,
}

impl Attributes<'_> {
    /// Returns the first offset in `rest`, from `at`, at which `is_end` holds, or the end.
    fn find_byte(&self, at: usize, is_end: impl Fn(u8) -> bool) -> usize {
        let bytes = &self.rest.as_bytes()[at..];
        at + bytes
            .iter()
            .position(|&byte| is_end(byte))
            .unwrap_or(bytes.len())
    }

    fn skip_space(&self, at: usize) -> usize {
        self.find_byte(at, |byte| !is_space(byte))
    }

    /// Returns the start and end of a value from the first byte after the `=`, and the end of the attribute.
    fn value(&self, after_equals: usize) -> (usize, usize, usize) {
        let start = self.skip_space(after_equals);
        if let Some(&quote @ (b'"' | b'\'')) = self.rest.as_bytes().get(start) {
            let end = self.find_byte(start + 1, |byte| byte == quote);
            // The tag does not end within quotes, so the closing quote exists.
            (start + 1, end, (end + 1).min(self.rest.len()))
        } else {
            let end = self.find_byte(start, is_space);
            (start, end, end)
        }
    }
}

impl<'t> Iterator for Attributes<'t> {
    type Item = Attribute<'t>;

    fn next(&mut self) -> Option<Attribute<'t>> {
        let name_start = self.find_byte(self.at, |byte| !is_space(byte) && byte != b'/');
        if name_start == self.rest.len() {
            return None;
        }
        // An `=` at the start belongs to the name.
        let name_end = self.find_byte(name_start + 1, |byte| ends_name(byte) || byte == b'=');
        let after_name = self.skip_space(name_end);
        let (value_start, value_end, end) = match self.rest.as_bytes().get(after_name) {
            Some(b'=') => self.value(after_name + 1),
            _ => (name_end, name_end, name_end),
        };
        self.at = end;
        Some(Attribute {
            name: &self.rest[name_start..name_end],
            value: &self.rest[value_start..value_end],
            value_span: Span {
                start: self.rest_start + value_start,
                end: self.rest_start + value_end,
            },
        })
    }
}
