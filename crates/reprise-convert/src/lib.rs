//! Plain text of documents, whatever their format, so that the same document in two formats comes out
//! as near as possible.
//!
//! In reading order:
//!
//! - [`Format::of`]: which format a document has, by its bytes before its media type and name.
//! - [`Converter::plain`]: the plain text of a document, within [`ConvertLimits`]. A document that cannot be
//!   read is a [`ConvertError`], never a panic, a hang or unbounded memory.
//! - [`Plain`]: paragraphs separated by an empty line, and the title that the document states.
//! - [`normalize`]: text without what differs between formats: one line, plain quotes and dashes, no
//!   line wraps. This is what is hashed ([`Plain::normal`]).
//! - [`PdfTool`] and [`pdf_text`]: PDFs are best read by a child process, which alone can be held to a
//!   limit of memory; [`pdf_text`] is what such a child runs.
//!
//! What is left out everywhere: titles and other metadata, comments, what was deleted under tracked
//! changes, hidden text, text that replaces images. Notes of DOCX, ODT and RTF come after the text.
//!
//! ```
//! use reprise_convert::{Converter, Format, ConvertLimits, PdfTool};
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
