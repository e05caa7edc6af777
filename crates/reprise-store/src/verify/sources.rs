//! Checks the tables `sources` and `problems`.

use std::collections::BTreeMap;

use super::rows::Rows;
use crate::error::StoreError;
use crate::schema::{Pages, Problems, Sources};
use crate::segment::Segment;

/// The formats of sources.
const FORMATS: [&str; 8] = [
    "warc", "arc", "jsonl", "mbox", "parquet", "mail", "file", "broken",
];

/// The kinds of problems that ordinary archives contain. The manifest counts them, but they have no rows.
pub const COUNTED_ONLY: [&str; 5] = [
    "not_text",
    "revisit_identical",
    "revisit_not_modified",
    "revisit_other",
    "dns",
];

/// Checks the rows of `sources`.
pub(super) fn check_sources(segment: &Segment<'_>) -> Result<(), StoreError> {
    let damaged = |detail: String| StoreError::damaged(&segment.file::<Sources>(), detail);
    let sources = segment.sources()?;
    for group in 0..sources.groups() {
        for name in sources.read(group, Sources::NAME)?.iter() {
            if name.is_empty() || std::str::from_utf8(name).is_err() {
                return Err(damaged(
                    "the name of a source is empty or not UTF-8".to_owned(),
                ));
            }
        }
        for format in sources.read(group, Sources::FORMAT)?.iter() {
            let format = String::from_utf8_lossy(format);
            if !FORMATS.contains(&format.as_ref()) {
                return Err(damaged(format!("a source has the format {format:?}")));
            }
        }
    }
    let mut rows = Rows::new(&sources, [Sources::START, Sources::END, Sources::BYTES]);
    while let Some([start, end, bytes]) = rows.next()? {
        if start < 0 || start > end || bytes < 0 {
            let detail = format!("a source of {bytes} bytes is held from {start} to {end}");
            return Err(damaged(detail));
        }
    }
    Ok(())
}

/// Checks that `problems` has a row for each problem that the manifest counts, and that their sources exist.
pub(super) fn check_problems(segment: &Segment<'_>) -> Result<(), StoreError> {
    let damaged = |detail: String| StoreError::damaged(&segment.file::<Problems>(), detail);
    let sources = segment.summary().rows::<Sources>() as i64;
    let problems = segment.problems()?;
    let mut rows = Rows::new(&problems, [Problems::SOURCE, Problems::OFFSET]);
    while let Some([source, offset]) = rows.next()? {
        if !(0..sources).contains(&source) {
            return Err(damaged(format!(
                "a problem is in source {source}, but there are {sources}"
            )));
        }
        if offset < 0 {
            return Err(damaged(format!("a problem has the offset {offset}")));
        }
    }
    let mut found: BTreeMap<String, u64> = BTreeMap::new();
    for group in 0..problems.groups() {
        for kind in problems.read(group, Problems::KIND)?.iter() {
            let kind = String::from_utf8_lossy(kind);
            match found.get_mut(kind.as_ref()) {
                Some(count) => *count += 1,
                None => _ = found.insert(kind.into_owned(), 1),
            }
        }
    }
    let stated = &segment.summary().problems;
    for kind in stated.keys().chain(found.keys()) {
        let stated = stated.get(kind).map_or(0, |problem| problem.count);
        let found = found.get(kind).copied().unwrap_or(0);
        if found != stated && !COUNTED_ONLY.contains(&kind.as_str()) {
            let detail =
                format!("{found} problems of kind {kind}, but the manifest counts {stated}");
            return Err(damaged(detail));
        }
    }
    Ok(())
}

/// Checks the total size of bodies in the manifest.
pub(super) fn check_bodies(segment: &Segment<'_>) -> Result<(), StoreError> {
    let pages = segment.pages()?;
    let mut rows = Rows::new(&pages, [Pages::BYTES]);
    // The sum of 64-bit values of a forged table may exceed 64 bits.
    let mut found = 0;
    while let Some([bytes]) = rows.next()? {
        found += i128::from(bytes);
    }
    let stated = segment.summary().bytes_body;
    if found != i128::from(stated) {
        let detail = format!("{found} bytes of bodies, but the manifest counts {stated}");
        return Err(StoreError::damaged(&segment.file::<Pages>(), detail));
    }
    Ok(())
}
