//! Extracts the plain text of documents. The same document in two formats gives nearly the same text.
//!
//! In reading order:
//!
//! - [`Format::of`]: detects the format of a document by its bytes, then its media type, then its name.
//! - [`Converter::plain`]: extracts the plain text of a document, within [`ConvertLimits`]. A document that
//!   cannot be read gives a [`ConvertError`], never a panic, a hang or unbounded memory.
//! - [`Plain`]: paragraphs separated by an empty line, and the title of the document.
//! - [`normalize`]: removes the differences between formats: one line, plain quotes and dashes, no
//!   line wraps. Hashes use this form ([`Plain::normal`]).
//! - [`PdfTool`] and [`pdf_text`]: a child process reads PDFs, because only a process can be held to a
//!   memory limit. The child calls [`pdf_text`].
//!
//! All formats leave out titles and other metadata, comments, text deleted under tracked changes, hidden
//! text, and text that replaces images. The notes of DOCX, ODT and RTF follow the text.
//!
//! ```
//! use reprise_convert::{ConvertLimits, Converter, Format, PdfTool};
//!
//! let converter = Converter {
//!     limits: ConvertLimits::DEFAULT,
//!     main_content: false,
//!     pdf: PdfTool::InProcess,
//! };
//! let page = b"<title>T</title><p>\xe2\x80\x9cSo <b>it</b> goes\xe2\x80\x9d<p>on.";
//! let page = converter.plain(Format::Html, page).unwrap();
//! assert_eq!(page.text, "\u{201c}So it goes\u{201d}\n\non.");
//! assert_eq!(page.title.as_deref(), Some("T"));
//!
//! let rich = br#"{\rtf1 \ldblquote So {\b it}\line goes\rdblquote\par on.}"#;
//! let rich = converter.plain(Format::Rtf, rich).unwrap();
//! assert_eq!(rich.normal(), page.normal());
//! assert_eq!(rich.normal(), "\"So it goes\" on.");
//! ```

mod archive;
mod child;
mod converter;
mod docx;
mod epub;
mod error;
mod format;
mod html;
mod limits;
mod markdown;
mod normal;
mod odt;
mod paragraphs;
mod pdf;
mod rtf;
mod xml;

pub use crate::converter::{Converter, PdfTool, Plain};
pub use crate::error::ConvertError;
pub use crate::format::Format;
pub use crate::limits::ConvertLimits;
pub use crate::normal::normalize;
pub use crate::pdf::pdf_text;
