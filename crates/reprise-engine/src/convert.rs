//! Plain text of documents in any format.

#[cfg(feature = "convert")]
use reprise_convert::{ConvertError, ConvertLimits, Converter, Format, PdfTool, Plain};
#[cfg(feature = "convert")]
use reprise_ingest::Page;

/// How documents become plain text.
#[derive(Clone, Debug, Default)]
pub struct ConvertOptions {
    /// True to keep only the main content of HTML, without menus and other surroundings.
    pub main_content: bool,
    /// The reader of PDFs. The default reads them in this process, without a memory limit.
    #[cfg(feature = "convert")]
    pub pdf: PdfTool,
}

#[cfg(feature = "convert")]
impl ConvertOptions {
    /// Returns the converter.
    pub fn converter(&self) -> Converter {
        Converter {
            limits: ConvertLimits::DEFAULT,
            main_content: self.main_content,
            pdf: self.pdf.clone(),
        }
    }
}

/// Converts a page. Returns `None` for a file without a converter.
#[cfg(feature = "convert")]
pub(crate) fn plain_of(
    page: &Page<'_>,
    converter: &Converter,
) -> Option<Result<Plain, ConvertError>> {
    // Text has been decoded to UTF-8 already.
    let bytes = page.text.map_or(page.body, |(_, text)| text.as_bytes());
    let format = Format::of(page.media_type, page.url, bytes)?;
    Some(converter.plain(format, bytes))
}
