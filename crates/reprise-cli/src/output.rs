//! Files that commands write.

use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};
use reprise_engine::store::{STANDARD_OUTPUT, is_special};
use reprise_engine::{Format, ResultFile, corpus_of};

use crate::console::is_terminal;
use crate::failure::Usage;

/// Parses the name of a file to write; `-` is standard output.
pub(crate) fn parser() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        if path == Path::new("-") {
            return Ok(PathBuf::from(STANDARD_OUTPUT));
        }
        check_file(path)
    })
}

/// Parses the name of a file that cannot be standard output.
pub(crate) fn named_parser() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| check_file(check_named(path)?))
}

/// Parses the name of an HTML file; `-` is standard output.
pub(crate) fn html_parser() -> impl TypedValueParser<Value = PathBuf> {
    parser().try_map(check_html)
}

/// Parses the name of an HTML file that cannot be standard output.
pub(crate) fn named_html_parser() -> impl TypedValueParser<Value = PathBuf> {
    named_parser().try_map(check_html)
}

/// Refuses other extensions than those of HTML.
fn check_html(path: PathBuf) -> Result<PathBuf, &'static str> {
    let extension = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
    match extension {
        Some(extension) if extension != "html" && extension != "htm" => {
            Err("this writes HTML; name a file that ends in .html")
        }
        _ => Ok(path),
    }
}

/// Parses the name of a directory to write into, which need not exist.
pub(crate) fn directory_parser() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        let path = check_foreign(check_named(path)?)?;
        if path.exists() && !path.is_dir() {
            return Err("this is a file; name a directory".to_owned());
        }
        Ok(path)
    })
}

/// Refuses standard output.
fn check_named(path: PathBuf) -> Result<PathBuf, String> {
    if path == Path::new("-") {
        return Err("standard output is not possible here; give a name".to_owned());
    }
    Ok(path)
}

/// Refuses the name of a directory, and that of a file in a directory that does not exist.
fn check_file(path: PathBuf) -> Result<PathBuf, String> {
    if path.is_dir() {
        return Err("this is a directory; name a file".to_owned());
    }
    let parent = path.parent().filter(|path| !path.as_os_str().is_empty());
    if let Some(parent) = parent.filter(|parent| !parent.exists()) {
        let parent = parent.display();
        return Err(format!(
            "the directory {parent} does not exist; make it first"
        ));
    }
    check_foreign(path)
}

/// Refuses files that belong to a corpus.
fn check_foreign(path: PathBuf) -> Result<PathBuf, String> {
    match corpus_of(&path) {
        None => Ok(path),
        Some(corpus) => Err(format!(
            "it belongs to the corpus {}; name another file",
            corpus.display()
        )),
    }
}

/// The format of rows that go to standard output.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct FormatFlag {
    /// Format of rows on standard output (`-o -`); a file has the format of its extension
    #[arg(long, value_name = "parquet|jsonl|csv", hide_short_help = true)]
    format: Option<Format>,
}

impl FormatFlag {
    /// Returns the file for the rows of a result. The format follows from the extension, and for standard
    /// output from the flag.
    pub(crate) fn file(self, path: &Path, standard: Format) -> anyhow::Result<ResultFile> {
        if !is_standard(path) {
            let file = ResultFile::new(path)?;
            if let Some(format) = self.format.filter(|format| *format != file.format) {
                // A name without an extension leaves the choice to the flag.
                if path.extension().is_none() {
                    return Ok(ResultFile { format, ..file });
                }
                return Err(Usage(format!(
                    "--format {format} contradicts the extension of {}; give one of them",
                    path.display()
                ))
                .into());
            }
            return Ok(file);
        }
        let format = self.format.unwrap_or(standard);
        if format == Format::Parquet && is_terminal() {
            return Err(Usage(
                "Parquet is not readable on a terminal; write it with -o FILE, or use --format jsonl"
                    .to_owned(),
            )
            .into());
        }
        let path = path.to_owned();
        Ok(ResultFile { path, format })
    }
}

/// Returns true if this is standard output.
pub(crate) fn is_standard(output: &Path) -> bool {
    output == Path::new(STANDARD_OUTPUT)
}

/// Returns the name of a file for messages.
pub(crate) fn name(output: &Path) -> String {
    if is_standard(output) {
        "standard output".to_owned()
    } else {
        output.display().to_string()
    }
}

/// Fails if a result and the JSON object would both go to standard output.
pub(crate) fn check_json(output: Option<&Path>, is_json: bool) -> Result<(), Usage> {
    if is_json && output.is_some_and(is_standard) {
        let message =
            "--json and a result cannot both be on standard output; name a file instead of -";
        return Err(Usage(message.to_owned()));
    }
    Ok(())
}

/// Fails if two flags name the same file.
pub(crate) fn check_apart(outputs: &[(&str, Option<&Path>)]) -> Result<(), Usage> {
    let named: Vec<(&str, &Path)> = (outputs.iter())
        .filter_map(|(flag, path)| Some((*flag, (*path)?)))
        .collect();
    for (index, (flag, path)) in named.iter().enumerate() {
        let other = named[..index].iter().find(|(_, other)| other == path);
        if let Some((other, _)) = other
            && (is_standard(path) || !is_special(path))
        {
            let path = name(path);
            return Err(Usage(format!(
                "{other} and {flag} name the same file, {path}; name two files"
            )));
        }
    }
    Ok(())
}
