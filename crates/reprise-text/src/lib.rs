//! Cuts a decoded page into chunks and gives each chunk its normal form.
//!
//! In reading order:
//!
//! - [`Content`]: how a text is cut: HTML before every `p` and `div` start tag, plain text at
//!   blank lines, anything else not at all.
//! - [`Cutter`]: the raw pieces of a text, as [`Span`]s that tile it.
//! - [`ChunkForm`]: whether the markup of a piece counts or only the text it shows.
//! - [`normalize`]: the normal form of one piece, and its [`Measure`]. A piece whose normal form
//!   is empty is not a chunk.
//! - [`visible_runs`]: the visible text of a page, without its markup.
//! - [`tokens`]: the tokenizer that all of these use, for other readers of HTML.
//!
//! ```text
//! text     "<h1>News</h1>\n<p>Fire in <b>Rome</b>\n<p> </p>"
//! pieces   "<h1>News</h1>\n"   "<p>Fire in <b>Rome</b>\n"   "<p> </p>"
//! markup   "<h1>News</h1>"     "<p>Fire in <b>Rome</b>"     "<p> </p>"
//! text     "News"              "Fire in Rome"               (no chunk)
//! ```
//!
//! HTML is read by the rules of the WHATWG tokenizer with scripting disabled, so that a tag in a
//! comment, a script or an attribute value does not cut. [`tokens`] says which rules it follows where
//! the standard asks for a tree. A NUL stays in ordinary text and is U+FFFD in visible raw text.
//!
//! Every cut is made in the tokenizer's data state, so a piece means the same alone as in its
//! page: cuts, normal form and measure depend on nothing before the piece.
//!
//! Everything here is pure computation; time is linear in the text and memory is the output's.
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
