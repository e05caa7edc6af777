//! PDF.
//!
//! A PDF states where glyphs are painted, but not which ones form words and paragraphs. The text is
//! recovered in these steps:
//!
//! - `hayro-syntax` reads the structure of the file: objects, streams, encryption with an empty password.
//! - [`font`] maps the codes of a font to text and widths.
//! - [`content`] runs the operators of a page and collects the painted glyphs with their positions.
//! - [`layout`] forms words, lines and paragraphs from the positions. [`bidi`] reorders right-to-left
//!   lines.
//!
//! This module was compared with the closest crate on 55 files: 13 printed by Chromium, 10 by
//! `LibreOffice`, 29 typeset by TeX, 3 from the web. The table shows the mean share of the five-word
//! phrases of `pdftotext` that each finds, and the CPU seconds of a release build with all dependencies,
//! measured once on a busy machine.
//!
//! | | Chromium | `LibreOffice` | TeX | web | packages | build |
//! |---|---|---|---|---|---|---|
//! | this module | 0.92 | 0.97 | 0.87 | 0.93 | 4 | 14, plus this module |
//! | `pdf-extract` 0.12 | 0.88 | 0.87 | 0.88 | 0.93 | 75 | 121 |
//!
//! In the first two columns, one Chinese page each makes the difference. `pdfboss-text` builds in 44 s; its
//! text was not compared. `pdf_oxide` (167 packages), `lopdf` (66) and `hayro-interpret` (64) were rejected
//! for their number of packages. In two TeX files that were inspected, most of the missing phrases differ
//! only in order: margin notes, line numbers, running heads.
//!
//! The text of a page is in painting order. Word processors, browsers and TeX paint in reading order. Not
//! supported without a `ToUnicode` table: the built-in encodings of CFF and TrueType fonts, and the CIDs of
//! Adobe's character collections.

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

/// Returns the text of a PDF, within the default limits of time and text.
///
/// The child process of [`PdfTool::Program`](crate::PdfTool::Program) calls this function. Its parent
/// limits its memory.
pub fn pdf_text(bytes: &[u8]) -> Result<String, ConvertError> {
    text_within(bytes, &ConvertLimits::DEFAULT).map(|(text, _)| text)
}

/// Returns the text of a PDF, and true if it was cut.
pub(crate) fn text_within(
    bytes: &[u8],
    limits: &ConvertLimits,
) -> Result<(String, bool), ConvertError> {
    // A panic in the reader must not end a run over a million documents.
    catch_unwind(AssertUnwindSafe(|| extract(bytes, limits))).unwrap_or_else(|_| {
        Err(ConvertError::malformed(
            Format::Pdf,
            &"the reader panicked, which is a bug in Reprise; please report it",
        ))
    })
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
