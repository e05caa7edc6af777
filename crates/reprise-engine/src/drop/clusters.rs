//! What the table of `near` says is to go, and what is told of it afterwards.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::io::Write;
use std::path::{Path, PathBuf};

use reprise_ingest::{Source, path_of};
use reprise_store::schema::{CLUSTERS, CLUSTERS_WITHOUT_TERMS};
use reprise_store::{AsBytes, ByteArray, StoreError, TableReader, Values};
use serde::Serialize;

use super::error::DropError;

/// The pages of one source that are to go, by offset and position in the unpacked member.
pub(super) type Marks = HashMap<(u64, u64), Mark, foldhash::fast::RandomState>;

/// A page that is to go.
pub(super) struct Mark {
    url: u64,
    pub(super) is_found: bool,
}

impl Mark {
    /// Is it the page with this URL? An archive that has changed holds another at its place.
    pub(super) fn is_of(&self, url: &str) -> bool {
        self.url == hash(url.as_bytes())
    }
}

fn hash(bytes: &[u8]) -> u64 {
    foldhash::quality::FixedState::with_seed(0).hash_one(bytes)
}

/// One line of the list of what was dropped.
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

/// The table of clusters.
pub(super) struct Clusters {
    table: TableReader,
    path: PathBuf,
}

/// The columns that say which page is to go.
struct Rows {
    keep: Vec<bool>,
    sources: Vec<ByteArray>,
    places: Vec<(u64, u64)>,
}

impl Clusters {
    pub(super) fn open(path: &Path) -> Result<Clusters, DropError> {
        let table = TableReader::open(path, &CLUSTERS)
            .or_else(|_| TableReader::open(path, &CLUSTERS_WITHOUT_TERMS))
            .map_err(|error| match error {
                StoreError::Io { .. } => DropError::Store(error),
                _ => DropError::NotClusters {
                    path: path.to_owned(),
                },
            })?;
        Ok(Clusters {
            table,
            path: path.to_owned(),
        })
    }

    fn rows(&self, group: usize) -> Result<Rows, StoreError> {
        let Values::Bool(keep) = self.table.read(group, "keep")? else {
            unreachable!("the table says that keep is true or false");
        };
        let offsets = self.table.ints(group, "offset")?;
        let withins = self.table.ints(group, "within")?;
        let places = offsets.iter().zip(&withins);
        Ok(Rows {
            keep,
            sources: self.table.texts(group, "source")?,
            places: places
                .map(|(&offset, &within)| (offset as u64, within as u64))
                .collect(),
        })
    }

    /// The pages that are to go, for each source.
    pub(super) fn marks(&self, sources: &[Source]) -> Result<Vec<Marks>, DropError> {
        let mut names = Names::of(sources);
        let mut marks: Vec<Marks> = sources.iter().map(|_| Marks::default()).collect();
        let mut example = None;
        let mut is_any_known = false;
        for group in 0..self.table.groups() {
            let rows = self.rows(group)?;
            let urls = self.table.texts(group, "url")?;
            for (row, name) in rows.sources.iter().enumerate() {
                let Some(source) = names.find(name) else {
                    example.get_or_insert_with(|| text(name).into_owned());
                    continue;
                };
                is_any_known = true;
                if !rows.keep[row] {
                    let mark = Mark {
                        url: hash(urls[row].as_bytes()),
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

    /// Writes a line for each page that was dropped; returns how many were not there to drop.
    pub(super) fn list(
        &self,
        sources: &[Source],
        marks: &[Marks],
        output: &mut dyn Write,
        target: &Path,
    ) -> Result<u64, DropError> {
        let mut names = Names::of(sources);
        let mut missing = 0;
        for group in 0..self.table.groups() {
            let rows = self.rows(group)?;
            let mut gone = Vec::new();
            for row in (0..rows.keep.len()).filter(|&row| !rows.keep[row]) {
                let is_found = names
                    .find(&rows.sources[row])
                    .and_then(|source| marks[source].get(&rows.places[row]))
                    .is_some_and(|mark| mark.is_found);
                if is_found {
                    gone.push(row);
                } else {
                    missing += 1;
                }
            }
            self.list_group(group, &rows, &gone, output, target)?;
        }
        Ok(missing)
    }

    fn list_group(
        &self,
        group: usize,
        rows: &Rows,
        gone: &[usize],
        output: &mut dyn Write,
        target: &Path,
    ) -> Result<(), DropError> {
        let urls = self.table.texts(group, "url")?;
        let kept = self.table.texts(group, "representative")?;
        let methods = self.table.texts(group, "method")?;
        let clusters = self.table.ints(group, "cluster")?;
        let similarities = self.floats(group, "similarity")?;
        let containments = self.floats(group, "containment")?;
        for &row in gone {
            let line = Line {
                url: &text(&urls[row]),
                kept: &text(&kept[row]),
                similarity: similarities[row],
                containment: containments[row],
                method: &text(&methods[row]),
                cluster: clusters[row],
                source: &text(&rows.sources[row]),
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

    fn floats(&self, group: usize, column: &str) -> Result<Vec<f64>, StoreError> {
        match self.table.read(group, column)? {
            Values::Float(values) => Ok(values),
            other => unreachable!("column {column} holds {other:?}"),
        }
    }
}

fn text(bytes: &ByteArray) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes.as_bytes())
}

/// Finds a source by the name that the corpus has for it.
struct Names {
    exact: HashMap<Vec<u8>, Option<usize>>,
    /// Names with all links resolved; made when they are first needed.
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

    fn find(&mut self, name: &ByteArray) -> Option<usize> {
        if let Some(found) = self.exact.get(name.as_bytes()) {
            return *found;
        }
        let found = self.resolve(&path_of(&text(name)));
        self.exact.insert(name.as_bytes().to_vec(), found);
        found
    }

    /// The same file by another path.
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
