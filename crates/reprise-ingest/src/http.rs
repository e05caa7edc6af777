//! HTTP responses as real servers send them and crawlers store them.
//!
//! The usual HTTP crates refuse what breaks the grammar. An archive holds responses that a browser did show, so this
//! module accepts all of them. [`Head`] is the one parser of response heads: the readers of archives use it, and so does
//! the crawler while a response arrives.

mod chunked;
mod head;
mod response;

pub(crate) use chunked::{Dechunked, dechunk};
pub use head::{Encodings, Field, Head};
pub(crate) use response::{Response, begins, parse};
