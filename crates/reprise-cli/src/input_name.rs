//! Inputs on the command line: their names need not be UTF-8.

use std::path::Path;

use clap::builder::{OsStringValueParser, TypedValueParser};
use reprise::ingest::name_of;

/// Takes any argument as the name of a source.
pub(crate) fn parser() -> impl TypedValueParser<Value = String> {
    OsStringValueParser::new().map(|argument| name_of(Path::new(&argument)))
}
