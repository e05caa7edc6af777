//! Checks a corpus: first all checksums, then that the tables agree with each other.

mod counts;
mod pages;
mod rows;
mod sources;
#[cfg(test)]
mod tests;

use std::fmt::Display;
use std::path::{Path, PathBuf};

use crate::checksum;
use crate::corpus::CorpusReader;
use crate::error::{StoreError, is_damage};
use crate::manifest::FileSummary;
use crate::progress::{Progress, Unit};
use crate::schema::{
    Chunks, Fingerprints, Pages, Problems, SEGMENT_TABLES, Sketches, Sources, Table, TableInfo,
    Urls,
};
use crate::segment::Segment;
use crate::sweep::{is_segment, unnamed};
use crate::url_index;
use counts::{check_counts, check_sites};
use pages::{check_chunks, check_pages};
pub use sources::COUNTED_ONLY;
use sources::{check_bodies, check_problems, check_sources};

/// A damaged file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The file.
    pub path: PathBuf,
    /// A description of the damage.
    pub detail: String,
    /// True if the system refused to read the file. The file itself may be intact.
    pub is_unread: bool,
}

impl Damage {
    /// Converts an error to damage of the file that the error names, or of `default` if it names none.
    pub fn of(error: StoreError, default: &Path) -> Damage {
        let certain = |path, detail| Damage {
            path,
            detail,
            is_unread: false,
        };
        match error {
            StoreError::Damaged { path, detail } => certain(path, detail),
            StoreError::Io { path, source, .. } => Damage {
                is_unread: !is_damage(&source),
                ..certain(path, unread(&source))
            },
            error => certain(default.to_owned(), error.to_string()),
        }
    }
}

fn unread(reason: &dyn Display) -> String {
    format!("it cannot be read: {reason}")
}

/// Checks a corpus and returns all damaged files.
///
/// Input: the directory. Output: the damage, empty if the corpus is intact. Errors: the directory is not a
/// corpus that this version can read. Memory: `memory_bytes`, and some bytes for each page of a segment.
pub fn verify(path: &Path, memory_bytes: usize) -> Result<Vec<Damage>, StoreError> {
    verify_with(path, memory_bytes, &())
}

/// Verifies a corpus like [`verify`], reports each table as progress, and can be cancelled.
pub fn verify_with(
    path: &Path,
    memory_bytes: usize,
    progress: &dyn Progress,
) -> Result<Vec<Damage>, StoreError> {
    let corpus = match CorpusReader::open(path) {
        Ok(corpus) => corpus,
        Err(error @ StoreError::Damaged { .. }) => return Ok(vec![Damage::of(error, path)]),
        Err(error) => return Err(error),
    };
    let bytes = |segment: Segment<'_>| {
        segment
            .summary()
            .files
            .values()
            .map(|file| file.bytes)
            .sum::<u64>()
    };
    progress.begin("verifying", corpus.segments().map(bytes).sum(), Unit::Bytes);
    let mut damage = Vec::new();
    for segment in corpus.segments() {
        let bad_files = check_files(&segment, corpus.has_shingles(), progress)?;
        // The tables can only be compared if all files are intact.
        if bad_files.is_empty() {
            // The other half of the memory is for the rows that are read at a time.
            damage.extend(check_tables(&segment, memory_bytes / 2, progress)?);
        }
        damage.extend(bad_files);
    }
    damage.extend(unknown_files(&corpus));
    Ok(damage)
}

/// Compares the files of a segment with their checksums.
fn check_files(
    segment: &Segment<'_>,
    has_shingles: bool,
    progress: &dyn Progress,
) -> Result<Vec<Damage>, StoreError> {
    let shingles = has_shingles.then_some(TableInfo::of::<Sketches>());
    let has_urls = segment.summary().files.contains_key(Urls::TABLE);
    let urls = has_urls.then_some(TableInfo::of::<Urls>());
    let mut damage = Vec::new();
    for table in SEGMENT_TABLES.into_iter().chain(shingles).chain(urls) {
        progress.check()?;
        let file = segment.summary().files.get(table.name);
        damage.extend(check_file(segment.file_named(table.name), file));
        progress.advance(file.map_or(0, |file| file.bytes));
    }
    Ok(damage)
}

/// Compares the size and checksum of a file with the manifest.
fn check_file(path: PathBuf, summary: Option<&FileSummary>) -> Option<Damage> {
    let mut is_unread = false;
    let detail = match (summary, checksum::of_file(&path)) {
        (None, _) => "the manifest does not list it".to_owned(),
        (_, Err(error)) => {
            is_unread = !is_damage(&error);
            unread(&error)
        }
        (Some(file), Ok((bytes, _))) if file.bytes != bytes => {
            format!("{bytes} bytes instead of {}", file.bytes)
        }
        (Some(file), Ok((_, checksum))) if file.checksum != checksum => {
            "its checksum does not match".to_owned()
        }
        _ => return None,
    };
    Some(Damage {
        path,
        detail,
        is_unread,
    })
}

/// Returns entries of the directory of segments that the manifest does not list.
fn unknown_files(corpus: &CorpusReader) -> Vec<Damage> {
    let found = unnamed(corpus).unwrap_or_default().into_iter();
    found
        .map(|path| Damage {
            detail: if is_segment(&path) {
                "not part of the corpus; the next `reprise index` removes it".to_owned()
            } else {
                "not part of the corpus; delete it or move it elsewhere".to_owned()
            },
            is_unread: false,
            path,
        })
        .collect()
}

/// Checks the rows of a segment whose files have the right checksums.
fn check_tables(
    segment: &Segment<'_>,
    memory_bytes: usize,
    progress: &dyn Progress,
) -> Result<Vec<Damage>, StoreError> {
    let damage = |result: Result<(), StoreError>| {
        result.err().map(|error| Damage::of(error, segment.path()))
    };
    if let Some(damage) = damage(check_rows(segment)) {
        return Ok(vec![damage]);
    }
    let checks = [
        check_sources,
        check_problems,
        check_pages,
        check_bodies,
        check_chunks,
        check_shingles,
        url_index::check,
    ];
    let mut found = Vec::new();
    for check in checks {
        progress.check()?;
        found.extend(damage(check(segment)));
    }
    if !found.is_empty() {
        return Ok(found);
    }
    progress.check()?;
    // Counts can only be checked if all rows are valid.
    let counts =
        check_counts(segment, memory_bytes).and_then(|()| check_sites(segment, memory_bytes));
    Ok(damage(counts).into_iter().collect())
}

/// Checks the number of rows of each table.
fn check_rows(segment: &Segment<'_>) -> Result<(), StoreError> {
    let mut found = vec![
        (Sources::TABLE, segment.sources()?.rows()),
        (Pages::TABLE, segment.pages()?.rows()),
        (Fingerprints::TABLE, segment.fingerprints()?.rows()),
        (Chunks::TABLE, segment.chunks()?.rows()),
        (Problems::TABLE, segment.problems()?.rows()),
    ];
    let pages = segment.summary().rows::<Pages>();
    let shingles = segment.shingles()?.map(|table| table.rows());
    let urls = segment.urls()?.map(|table| table.rows());
    for (name, rows) in [(Sketches::TABLE, shingles), (Urls::TABLE, urls)] {
        let Some(rows) = rows else { continue };
        if rows != pages {
            let detail = format!("{rows} rows for {pages} pages");
            return Err(StoreError::damaged(&segment.file_named(name), detail));
        }
        found.push((name, rows));
    }
    for (name, rows) in found {
        let stated = segment.summary().rows_of(name);
        if rows != stated {
            let detail = format!("{rows} rows instead of {stated}");
            return Err(StoreError::damaged(&segment.file_named(name), detail));
        }
    }
    Ok(())
}

/// Checks that exactly the pages with words have shingles.
fn check_shingles(segment: &Segment<'_>) -> Result<(), StoreError> {
    let Some(table) = segment.shingles()? else {
        return Ok(());
    };
    let mut shingles = Vec::new();
    for group in 0..table.groups() {
        table.shingles_into(group, Sketches::SHINGLES, &mut shingles)?;
        for (words, shingles) in table
            .read(group, Sketches::WORDS)?
            .into_iter()
            .zip(&shingles)
        {
            let is_empty = shingles.iter().all(|&shingle| shingle == 0);
            if words < 0 || (words == 0) != is_empty {
                let detail = format!("the shingles do not fit a page with {words} words");
                return Err(StoreError::damaged(&segment.file::<Sketches>(), detail));
            }
        }
    }
    Ok(())
}
