//! Checks a corpus: every byte against its checksum, then every table against every other.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use parquet::data_type::AsBytes;
use reprise_fingerprint::Fingerprint;

use crate::checksum;
use crate::corpus::Corpus;
use crate::error::StoreError;
use crate::schema::{CHUNKS, FINGERPRINTS, PAGES, PROBLEMS, SHINGLES, SOURCES, TABLES, Table};
use crate::segment::Segment;
use crate::sweep::{is_segment, unnamed};

/// A file that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub detail: String,
}

impl Damage {
    /// What an error says of the file it is about, or else of this one.
    pub fn of(error: StoreError, beside: &Path) -> Damage {
        let unreadable = |path, why: &dyn Display| Damage {
            path,
            detail: format!("it cannot be read: {why}"),
        };
        match error {
            StoreError::Damaged { path, detail } => Damage { path, detail },
            StoreError::Io { path, source, .. } => unreadable(path, &source),
            StoreError::Parquet { path, source, .. } => unreadable(path, &source),
            error => Damage {
                path: beside.to_owned(),
                detail: error.to_string(),
            },
        }
    }
}

/// Checks a corpus and names everything that is damaged.
///
/// Input: the directory. Output: the damage, empty when all is well. Errors: only when the
/// directory is no corpus that this version can read. Memory: one segment's counts.
pub fn verify(path: &Path) -> Result<Vec<Damage>, StoreError> {
    let corpus = match Corpus::open(path) {
        Ok(corpus) => corpus,
        Err(error @ StoreError::Damaged { .. }) => return Ok(vec![Damage::of(error, path)]),
        Err(error) => return Err(error),
    };
    let mut damage = Vec::new();
    for segment in corpus.segments() {
        let bad_files = check_files(&segment, corpus.has_shingles());
        // What a damaged file says of the others is worth nothing.
        if bad_files.is_empty() {
            damage.extend(check_tables(&segment));
        }
        damage.extend(bad_files);
    }
    damage.extend(unknown_files(&corpus));
    Ok(damage)
}

fn check_files(segment: &Segment<'_>, has_shingles: bool) -> Vec<Damage> {
    let shingles: Option<&Table> = has_shingles.then_some(&SHINGLES);
    TABLES
        .into_iter()
        .chain(shingles)
        .filter_map(|table| {
            let path = segment.file(table);
            let detail = match (
                segment.summary().files.get(table.name),
                checksum::of_file(&path),
            ) {
                (None, _) => "the manifest does not name it".to_owned(),
                (_, Err(error)) => format!("it cannot be read: {error}"),
                (Some(file), Ok((bytes, _))) if file.bytes != bytes => {
                    format!("{bytes} bytes instead of {}", file.bytes)
                }
                (Some(file), Ok((_, checksum))) if file.checksum != checksum => {
                    "its checksum does not fit".to_owned()
                }
                _ => return None,
            };
            Some(Damage { path, detail })
        })
        .collect()
}

/// Files that no writer of this version leaves behind.
fn unknown_files(corpus: &Corpus) -> Vec<Damage> {
    let found = unnamed(corpus).unwrap_or_default().into_iter();
    found
        .map(|path| Damage {
            detail: if is_segment(&path) {
                "no part of the corpus; the next `reprise index` removes it".to_owned()
            } else {
                "no part of the corpus; remove it, or keep it elsewhere".to_owned()
            },
            path,
        })
        .collect()
}

fn check_tables(segment: &Segment<'_>) -> Vec<Damage> {
    let result = check_rows(segment)
        .and_then(|()| check_references(segment))
        .and_then(|()| check_counts(segment));
    match result {
        Ok(()) => Vec::new(),
        Err(error) => vec![Damage::of(error, segment.path())],
    }
}

fn check_rows(segment: &Segment<'_>) -> Result<(), StoreError> {
    let mut readers = vec![
        (&SOURCES, segment.sources()?),
        (&PAGES, segment.pages()?),
        (&FINGERPRINTS, segment.fingerprints()?),
        (&CHUNKS, segment.chunks()?),
        (&PROBLEMS, segment.problems()?),
    ];
    if let Some(reader) = segment.shingles()? {
        let pages = segment.summary().rows(PAGES.name);
        if reader.rows() != pages {
            let detail = format!("{} rows for {pages} pages", reader.rows());
            return Err(StoreError::damaged(&segment.file(&SHINGLES), detail));
        }
        readers.push((&SHINGLES, reader));
    }
    for (table, reader) in readers {
        let stated = segment.summary().rows(table.name);
        if reader.rows() != stated {
            let detail = format!("{} rows instead of {stated}", reader.rows());
            return Err(StoreError::damaged(&segment.file(table), detail));
        }
    }
    Ok(())
}

fn check_references(segment: &Segment<'_>) -> Result<(), StoreError> {
    let sources = segment.summary().rows(SOURCES.name) as i64;
    let pages = segment.pages()?;
    let damaged = |detail: String| Err(StoreError::damaged(&segment.file(&PAGES), detail));
    let mut chunks = 0;
    for group in 0..pages.groups() {
        if let Some(source) = pages
            .ints(group, "source")?
            .into_iter()
            .find(|source| !(0..sources).contains(source))
        {
            return damaged(format!("a page of source {source}, of {sources}"));
        }
        // In a forged table the sum may be anything.
        chunks += pages
            .ints(group, "chunks")?
            .into_iter()
            .map(i128::from)
            .sum::<i128>();
        for url in pages.texts(group, "url")? {
            if std::str::from_utf8(url.as_bytes()).is_err() {
                return damaged("a URL that is not UTF-8".to_owned());
            }
        }
    }
    if chunks != i128::from(segment.summary().rows(CHUNKS.name)) {
        return damaged(format!("pages with {chunks} chunks in all"));
    }
    Ok(())
}

/// What is counted of one fingerprint, once as stated and once as found.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Count {
    occurrences: i64,
    pages: i64,
    first_chunk: i64,
}

fn check_counts(segment: &Segment<'_>) -> Result<(), StoreError> {
    let stated = read_counts(segment)?;
    let mut found = vec![
        Count {
            occurrences: 0,
            pages: 0,
            first_chunk: -1,
        };
        stated.len()
    ];
    let mut last_page = vec![-1; stated.len()];
    let damaged = |detail: String| StoreError::damaged(&segment.file(&CHUNKS), detail);
    let page_rows = segment.summary().rows(PAGES.name) as i64;
    let chunks = segment.chunks()?;
    let (mut number, mut previous) = (0, 0);
    for group in 0..chunks.groups() {
        let pages = chunks.ints(group, "page")?;
        for (page, rank) in pages.into_iter().zip(chunks.ints(group, "rank")?) {
            if page < previous || page >= page_rows {
                return Err(damaged(format!("chunk {number} is of page {page}")));
            }
            previous = page;
            let Some(count) = usize::try_from(rank)
                .ok()
                .and_then(|rank| found.get_mut(rank))
            else {
                return Err(damaged(format!("chunk {number} has rank {rank}")));
            };
            if count.occurrences == 0 {
                count.first_chunk = number;
            }
            count.occurrences += 1;
            if last_page[rank as usize] != page {
                last_page[rank as usize] = page;
                count.pages += 1;
            }
            number += 1;
        }
    }
    match stated.iter().zip(&found).position(|(a, b)| a != b) {
        None => Ok(()),
        Some(rank) => Err(StoreError::damaged(
            &segment.file(&FINGERPRINTS),
            format!("the counts at rank {rank} are not those of the chunks"),
        )),
    }
}

fn read_counts(segment: &Segment<'_>) -> Result<Vec<Count>, StoreError> {
    let table = segment.fingerprints()?;
    let mut counts = Vec::new();
    let mut last: Option<Fingerprint> = None;
    for group in 0..table.groups() {
        for fingerprint in table.fingerprints(group, "fingerprint")? {
            if last.is_some_and(|last| last >= fingerprint) {
                let detail = format!("{fingerprint} is out of order");
                return Err(StoreError::damaged(&segment.file(&FINGERPRINTS), detail));
            }
            last = Some(fingerprint);
        }
        let occurrences = table.ints(group, "occurrences")?;
        let pages = table.ints(group, "pages")?;
        let first_chunks = table.ints(group, "first_chunk")?;
        counts.extend(occurrences.into_iter().zip(pages).zip(first_chunks).map(
            |((occurrences, pages), first_chunk)| Count {
                occurrences,
                pages,
                first_chunk,
            },
        ));
    }
    Ok(counts)
}
