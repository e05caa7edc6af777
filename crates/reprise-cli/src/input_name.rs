//! Inputs on the command line: their names need not be UTF-8.

use std::path::Path;

use clap::builder::{OsStringValueParser, StringValueParser, TypedValueParser};
use reprise_engine::ingest::{check_base_url, name_of};

/// Takes any argument as the name of a source.
pub(crate) fn parser() -> impl TypedValueParser<Value = String> {
    OsStringValueParser::new().map(|argument| name_of(Path::new(&argument)))
}

/// Takes an argument as the URL that stands before the paths of files.
pub(crate) fn base_url_parser() -> impl TypedValueParser<Value = String> {
    StringValueParser::new().try_map(|text| check_base_url(&text).map(|()| text))
}
