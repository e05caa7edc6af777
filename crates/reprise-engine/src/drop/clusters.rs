//! Reads the clusters, and lists the pages that were dropped.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::io::Write;
use std::path::{Path, PathBuf};

use reprise_ingest::{Source, path_of};
use reprise_store::schema::Clusters;
use reprise_store::{StoreError, TableReader, Texts};
use serde::Serialize;

use super::error::DropError;

/// The pages of a source to drop, by offset and position within the decompressed member.
pub(super) type DropMarks = HashMap<(u64, u64), DropMark, foldhash::fast::RandomState>;

/// A page to drop.
pub(super) struct DropMark {
    url: u64,
    pub(super) is_found: bool,
}

impl DropMark {
    /// Returns true if this is the page with this URL. An archive that has changed has another page at the
    /// same place.
    pub(super) fn is_of(&self, url: &str) -> bool {
        self.url == hash(url.as_bytes())
    }
}

fn hash(bytes: &[u8]) -> u64 {
    foldhash::quality::FixedState::with_seed(0).hash_one(bytes)
}

/// One line of the list of dropped pages.
#[derive(Serialize)]
struct Line<'a> {
    url: &'a str,
    kept: &'a str,
    similarity: f64,
    containment: f64,
    method: &'a str,
    cluster: i64,
    source: &'a str,
    offset: i64,
    within: i64,
}

/// A file of clusters.
pub(super) struct ClusterFile {
    table: TableReader<Clusters>,
    path: PathBuf,
}

/// The columns that identify the pages to drop.
struct Rows {
    keep: Vec<bool>,
    sources: Texts,
    places: Vec<(u64, u64)>,
}

impl ClusterFile {
    pub(super) fn open(path: &Path) -> Result<ClusterFile, DropError> {
        let table = TableReader::open(path).map_err(|error| match error {
            StoreError::Io { .. } => DropError::Store(error),
            _ => DropError::NotClusters {
                path: path.to_owned(),
            },
        })?;
        Ok(ClusterFile {
            table,
            path: path.to_owned(),
        })
    }

    fn rows(&self, group: usize) -> Result<Rows, StoreError> {
        let offsets = self.table.read(group, Clusters::OFFSET)?;
        let withins = self.table.read(group, Clusters::WITHIN)?;
        let places = offsets.iter().zip(&withins);
        Ok(Rows {
            keep: self.table.read(group, Clusters::KEEP)?,
            sources: self.table.read(group, Clusters::SOURCE)?,
            places: places
                .map(|(&offset, &within)| (offset as u64, within as u64))
                .collect(),
        })
    }

    /// Returns the pages to drop of each source.
    pub(super) fn marks(&self, sources: &[Source]) -> Result<Vec<DropMarks>, DropError> {
        let mut names = Names::of(sources);
        let mut marks: Vec<DropMarks> = sources.iter().map(|_| DropMarks::default()).collect();
        let mut example = None;
        let mut is_any_known = false;
        for group in 0..self.table.groups() {
            let rows = self.rows(group)?;
            let urls = self.table.read(group, Clusters::URL)?;
            for row in 0..rows.keep.len() {
                let Some(source) = names.find(&rows.sources[row]) else {
                    example.get_or_insert_with(|| rows.sources.to_str(row).into_owned());
                    continue;
                };
                is_any_known = true;
                if !rows.keep[row] {
                    let mark = DropMark {
                        url: hash(&urls[row]),
                        is_found: false,
                    };
                    marks[source].insert(rows.places[row], mark);
                }
            }
        }
        match example {
            Some(example) if !is_any_known => Err(DropError::OtherSources {
                path: self.path.clone(),
                example,
            }),
            _ => Ok(marks),
        }
    }

    /// Writes a line for each dropped page. Returns the number of pages that were not found.
    pub(super) fn list(
        &self,
        sources: &[Source],
        marks: &[DropMarks],
        output: &mut dyn Write,
        target: &Path,
    ) -> Result<u64, DropError> {
        let mut names = Names::of(sources);
        let mut missing = 0;
        for group in 0..self.table.groups() {
            let rows = self.rows(group)?;
            let mut dropped = Vec::new();
            for row in (0..rows.keep.len()).filter(|&row| !rows.keep[row]) {
                let is_found = names
                    .find(&rows.sources[row])
                    .and_then(|source| marks[source].get(&rows.places[row]))
                    .is_some_and(|mark| mark.is_found);
                if is_found {
                    dropped.push(row);
                } else {
                    missing += 1;
                }
            }
            self.list_group(group, &rows, &dropped, output, target)?;
        }
        Ok(missing)
    }

    fn list_group(
        &self,
        group: usize,
        rows: &Rows,
        dropped: &[usize],
        output: &mut dyn Write,
        target: &Path,
    ) -> Result<(), DropError> {
        let urls = self.table.read(group, Clusters::URL)?;
        let kept = self.table.read(group, Clusters::REPRESENTATIVE)?;
        let methods = self.table.read(group, Clusters::METHOD)?;
        let clusters = self.table.read(group, Clusters::CLUSTER)?;
        let similarities = self.table.read(group, Clusters::SIMILARITY)?;
        let containments = self.table.read(group, Clusters::CONTAINMENT)?;
        for &row in dropped {
            let line = Line {
                url: &urls.to_str(row),
                kept: &kept.to_str(row),
                similarity: similarities[row],
                containment: containments[row],
                method: &methods.to_str(row),
                cluster: clusters[row],
                source: &rows.sources.to_str(row),
                offset: rows.places[row].0 as i64,
                within: rows.places[row].1 as i64,
            };
            serde_json::to_writer(&mut *output, &line)
                .map_err(std::io::Error::from)
                .and_then(|()| output.write_all(b"\n"))
                .map_err(DropError::unwritable(target))?;
        }
        Ok(())
    }
}

/// Finds a source by its name in the corpus.
struct Names {
    exact: HashMap<Vec<u8>, Option<usize>>,
    /// The canonical paths, computed when they are first needed.
    resolved: Option<HashMap<PathBuf, usize>>,
    files: Vec<Option<PathBuf>>,
}

impl Names {
    fn of(sources: &[Source]) -> Names {
        let exact = sources.iter().enumerate();
        Names {
            exact: exact
                .map(|(index, source)| (source.name.as_bytes().to_vec(), Some(index)))
                .collect(),
            resolved: None,
            files: sources
                .iter()
                .map(|source| source.whole_file().map(Path::to_owned))
                .collect(),
        }
    }

    fn find(&mut self, name: &[u8]) -> Option<usize> {
        if let Some(found) = self.exact.get(name) {
            return *found;
        }
        let found = self.resolve(&path_of(&String::from_utf8_lossy(name)));
        self.exact.insert(name.to_vec(), found);
        found
    }

    /// Finds a source that is the same file under another path.
    fn resolve(&mut self, name: &Path) -> Option<usize> {
        let name = std::fs::canonicalize(name).ok()?;
        let files = &self.files;
        let resolved = self.resolved.get_or_insert_with(|| {
            let files = files.iter().enumerate();
            files
                .filter_map(|(index, file)| {
                    Some((std::fs::canonicalize(file.as_ref()?).ok()?, index))
                })
                .collect()
        });
        resolved.get(&name).copied()
    }
}
