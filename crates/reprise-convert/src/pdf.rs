//! The text of PDFs.
//!
//! A PDF says where glyphs are painted, not what is a word or a paragraph. The way back:
//!
//! - `hayro-syntax` reads the file's structure: objects, streams, encryption with an empty password.
//! - [`font`]: which text a code in a font stands for, and how far it moves the pen.
//! - [`content`]: the glyphs that a page's operators paint, with their places.
//! - [`layout`]: words, lines and paragraphs from places; [`bidi`] puts right-to-left lines in the
//!   order in which they are read.
//!
//! The nearest other way was compared on 55 files (13 printed by Chromium, 10 by `LibreOffice`, 29 set by
//! TeX, 3 from the web): the mean share of pdftotext's phrases of five words that is kept, and the CPU
//! seconds of a release build of each crate with all that it needs, once each on a busy machine.
//!
//! | | Chromium | `LibreOffice` | TeX | web | packages | build |
//! |---|---|---|---|---|---|---|
//! | this module | 0.92 | 0.97 | 0.87 | 0.93 | 4 | 14, and this module |
//! | `pdf-extract` 0.12 | 0.88 | 0.87 | 0.88 | 0.93 | 75 | 121 |
//!
//! The difference in the first two is one Chinese page each. `pdfboss-text` builds in 44 s; its text was
//! not compared fairly. `pdf_oxide` (167 packages), `lopdf` (66) and `hayro-interpret` (64) were judged by
//! that number alone. In a look at two of TeX's files, what is missing was mostly order: notes in
//! margins, numbers of lines, running heads.
//!
//! Pages are read in the order in which they paint, which is that of reading in what word processors,
//! browsers and TeX write. Not known: the built-in encodings of CFF and TrueType fonts that have no
//! `ToUnicode` table, and CIDs of the Adobe collections without one.

mod bidi;
mod cmap;
mod content;
mod encoding;
mod font;
mod glyph_names;
mod layout;
mod widths;

use std::panic::{AssertUnwindSafe, catch_unwind};

use hayro_syntax::{DecryptionError, LoadPdfError, Pdf};

use crate::error::ConvertError;
use crate::format::Format;
use crate::limits::{Clock, ConvertLimits};
use crate::pdf::content::Interpreter;
use crate::pdf::layout::Layout;

/// The text of a PDF, within the default limits of time and text. This is what a child process runs
/// that [`crate::PdfTool::Program`] names: memory is its limits' to bound.
pub fn pdf_text(bytes: &[u8]) -> Result<String, ConvertError> {
    text_within(bytes, &ConvertLimits::DEFAULT).map(|(text, _)| text)
}

/// The text of a PDF, and whether it was cut.
pub(crate) fn text_within(
    bytes: &[u8],
    limits: &ConvertLimits,
) -> Result<(String, bool), ConvertError> {
    // The reader is thorough, but a panic in it must not end a run over a million documents.
    catch_unwind(AssertUnwindSafe(|| extract(bytes, limits)))
        .unwrap_or_else(|_| Err(ConvertError::malformed(Format::Pdf, &"its reader panicked")))
}

fn extract(bytes: &[u8], limits: &ConvertLimits) -> Result<(String, bool), ConvertError> {
    let pdf = Pdf::new(bytes.to_vec()).map_err(|error| match error {
        LoadPdfError::Decryption(
            DecryptionError::PasswordProtected | DecryptionError::UnsupportedAlgorithm,
        ) => ConvertError::Encrypted(Format::Pdf),
        LoadPdfError::Decryption(_) => {
            ConvertError::malformed(Format::Pdf, &"its encryption is broken")
        }
        LoadPdfError::Invalid => ConvertError::malformed(Format::Pdf, &"no pages can be found"),
    })?;
    let mut interpreter = Interpreter::new(Clock::start(limits));
    let mut layout = Layout::new(limits.text_bytes_max);
    for page in pdf.pages().iter() {
        layout.page(&interpreter.page(page)?);
        if layout.is_full() {
            break;
        }
    }
    Ok(layout.finish())
}
