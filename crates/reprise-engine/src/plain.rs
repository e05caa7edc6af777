//! The plain text of a page, whatever its format.

use reprise_convert::{ConvertError, Converter, Format, Plain};
use reprise_ingest::Page;

/// Converts a page; nothing for a file that has no converter.
pub fn plain_of(page: &Page<'_>, converter: &Converter) -> Option<Result<Plain, ConvertError>> {
    // Where there is a text, its charset is known and gone.
    let bytes = page.text.map_or(page.body, |(_, text)| text.as_bytes());
    let format = Format::of(page.media_type, page.url, bytes)?;
    Some(converter.plain(format, bytes))
}
