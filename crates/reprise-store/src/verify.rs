//! Checks a corpus: every byte against its checksum, then every table against every other.

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

/// A file that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub detail: String,
    /// Whether it is only that the system did not let it be read, and the file itself may be all right.
    pub is_unread: bool,
}

impl Damage {
    /// What an error says of the file it is about, or else of this one.
    pub fn of(error: StoreError, beside: &Path) -> Damage {
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
            error => certain(beside.to_owned(), error.to_string()),
        }
    }
}

fn unread(why: &dyn Display) -> String {
    format!("it cannot be read: {why}")
}

/// Checks a corpus and names everything that is damaged.
///
/// Input: the directory. Output: the damage, empty when all is well. Errors: only when the
/// directory is no corpus that this version can read. Memory: within the bound, and some bytes for each page of a
/// segment.
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
        // What a damaged file says of the others is worth nothing.
        if bad_files.is_empty() {
            // The rest is for what is read at a time.
            damage.extend(check_tables(&segment, memory_bytes / 2, progress)?);
        }
        damage.extend(bad_files);
    }
    damage.extend(unknown_files(&corpus));
    Ok(damage)
}

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
        (None, _) => "the manifest does not name it".to_owned(),
        (_, Err(error)) => {
            is_unread = !is_damage(&error);
            unread(&error)
        }
        (Some(file), Ok((bytes, _))) if file.bytes != bytes => {
            format!("{bytes} bytes instead of {}", file.bytes)
        }
        (Some(file), Ok((_, checksum))) if file.checksum != checksum => {
            "its checksum does not fit".to_owned()
        }
        _ => return None,
    };
    Some(Damage {
        path,
        detail,
        is_unread,
    })
}

/// Files that no writer of this version leaves behind.
fn unknown_files(corpus: &CorpusReader) -> Vec<Damage> {
    let found = unnamed(corpus).unwrap_or_default().into_iter();
    found
        .map(|path| Damage {
            detail: if is_segment(&path) {
                "no part of the corpus; the next `reprise index` removes it".to_owned()
            } else {
                "no part of the corpus; remove it, or keep it elsewhere".to_owned()
            },
            is_unread: false,
            path,
        })
        .collect()
}

/// Checks the rows of a segment whose files are as they were written.
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
    // Only of rows that are what they can be is anything counted.
    let counts =
        check_counts(segment, memory_bytes).and_then(|()| check_sites(segment, memory_bytes));
    Ok(damage(counts).into_iter().collect())
}

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

/// Checks that a page has shingles where it has words, and none where it has none.
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
                let detail = format!("the shingles of a page of {words} words");
                return Err(StoreError::damaged(&segment.file::<Sketches>(), detail));
            }
        }
    }
    Ok(())
}
