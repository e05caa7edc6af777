//! A range of bytes.

/// The bytes `start..end` of a text.
///
/// Unlike [`std::ops::Range`] it is `Copy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The offset of the first byte.
    pub start: usize,
    /// The offset just after the last byte.
    pub end: usize,
}
