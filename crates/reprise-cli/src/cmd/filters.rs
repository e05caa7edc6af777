//! What is left out, and how far single pages are read again: the flags and limits that several commands share.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use reprise_engine::discover::StopRules;
use reprise_engine::fingerprint::Fingerprint;
use reprise_engine::ingest::RecordLimits;
use reprise_engine::store::Settings;
use reprise_engine::text::{Content, normalize};

use crate::exit::Usage;

/// Which chunks are stop chunks.
#[derive(clap::Args, Clone)]
pub(crate) struct StopFlags {
    /// Chunks with fewer characters are stop chunks [default: discover 0, label 100 (25 is good for phishing),
    /// scan and report 40; detect and check take what the labels were made with]
    #[arg(long, value_name = "N")]
    pub(crate) min_length: Option<u64>,
    /// File of stop chunks, one a line: 40 hex digits of a fingerprint, or the text of a chunk
    #[arg(long, value_name = "FILE")]
    pub(crate) stop: Option<PathBuf>,
}

impl StopFlags {
    /// The rules, with this least length where none is given.
    pub(crate) fn rules(&self, min_length: u64, settings: Settings) -> anyhow::Result<StopRules> {
        let list = match &self.stop {
            Some(path) => read_list(path, settings)?,
            None => Vec::new(),
        };
        Ok(StopRules::new(self.min_length.unwrap_or(min_length), list))
    }
}

/// A line of 40 hex digits is a fingerprint; any other is the text of a chunk.
fn read_list(path: &Path, settings: Settings) -> anyhow::Result<Vec<Fingerprint>> {
    let bytes = fs::read(path)
        .map_err(|error| Usage(format!("cannot read {}: {error}", path.display())))?;
    let text = String::from_utf8(bytes)
        .ok()
        .with_context(|| format!("{} is not UTF-8 text", path.display()))
        .map_err(|error| Usage(error.to_string()))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    Ok(lines
        .map(|line| {
            line.parse().unwrap_or_else(|_| {
                let mut normal = String::new();
                normalize(Content::Html, settings.chunk, line, &mut normal);
                settings.hash.fingerprint(normal.as_bytes())
            })
        })
        .collect())
}

/// Limits for reading single pages again: whatever was indexed can be read.
pub(crate) fn read_limits() -> RecordLimits {
    RecordLimits {
        body_bytes: 1 << 30,
        header_bytes: 1 << 20,
        ratio: 100_000,
        nesting: 16,
    }
}
