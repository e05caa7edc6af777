//! Splits decoded pages into chunks and finds their visible text.
//!
//! In reading order:
//!
//! - [`Content`]: the kind of a text. HTML is cut before every `p` and `div` start tag, plain text at
//!   blank lines, other text not at all.
//! - [`Cutter`]: iterates over the raw pieces of a text, as [`Span`]s that tile it.
//! - [`ChunkForm`]: whether a chunk consists of markup or of visible text.
//! - [`normalize`]: computes the normal form of a piece, and its [`Measure`]. A piece whose normal form
//!   is empty is not a chunk.
//! - [`visible_runs()`]: iterates over the visible text of a page.
//! - [`tokens`]: the tokenizer that the functions above use, for other readers of HTML.
//!
//! ```text
//! text     "<h1>News</h1>\n<p>Fire in <b>Rome</b>\n<p> </p>"
//! pieces   "<h1>News</h1>\n"   "<p>Fire in <b>Rome</b>\n"   "<p> </p>"
//! markup   "<h1>News</h1>"     "<p>Fire in <b>Rome</b>"     "<p> </p>"
//! text     "News"              "Fire in Rome"               (not a chunk)
//! ```
//!
//! HTML follows the rules of the WHATWG tokenizer with scripting disabled: a tag in a comment, a script
//! or an attribute value does not cut. [`tokens`] lists the rules that replace those that need a tree.
//! In visible raw text, such as that of `textarea`, NUL becomes U+FFFD; in other text it remains.
//!
//! No cut lies within a tag, a comment or raw text. Therefore the cuts, normal form and measure of a
//! piece do not depend on anything before it.
//!
//! The crate does no I/O. Time is linear in the length of the text, and memory is that of the output.
//!
//! ```
//! use reprise_text::{ChunkForm, Content, Cutter, normalize};
//!
//! let page = "<h1>News</h1>\n<p>Fire in\n <b>Rome</b> &amp; Ostia\n<p> </p>";
//! let mut chunks = Vec::new();
//! for span in Cutter::new(Content::Html, page) {
//!     let mut chunk = String::new();
//!     let raw = &page[span.start..span.end];
//!     let measure = normalize(Content::Html, ChunkForm::Text, raw, &mut chunk);
//!     if measure.chars > 0 {
//!         chunks.push(chunk);
//!     }
//! }
//! assert_eq!(chunks, ["News", "Fire in Rome & Ostia"]);
//! ```

mod byte_classes;
mod bytes64;
mod cut;
mod fold;
mod folder;
mod instructions;
mod kind;
mod normal;
mod skim;
mod span;
pub mod tokens;
mod visible;
mod visible_runs;

pub use crate::cut::{Cutter, is_cut};
pub use crate::kind::{ChunkForm, Content, ParseChunkFormError};
pub use crate::normal::{Measure, normalize, normalize_or_keep};
pub use crate::span::Span;
pub use crate::visible_runs::{VisibleRun, visible_runs, visible_runs_in_page};
