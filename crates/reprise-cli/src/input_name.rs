//! The names of inputs on the command line. They need not be UTF-8.

use std::path::Path;

use clap::builder::{OsStringValueParser, StringValueParser, TypedValueParser};
use reprise_engine::ingest::{check_base_url, name_of};

/// Parses the name of an input.
pub(crate) fn parser() -> impl TypedValueParser<Value = String> {
    OsStringValueParser::new().map(|argument| name_of(Path::new(&argument)))
}

/// Parses the URL to which the paths of files are appended.
pub(crate) fn base_url_parser() -> impl TypedValueParser<Value = String> {
    StringValueParser::new().try_map(|text| check_base_url(&text).map(|()| text))
}
