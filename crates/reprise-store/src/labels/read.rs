//! Reads a label file: all labels in order, or a single label by its fingerprint.

use std::fmt;
use std::fs;
use std::io::{Read, Seek};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use parquet::file::reader::{FileReader, SerializedFileReader};
use reprise_chunk::{ChunkSettings, Label, LabelLookup, Level};
use reprise_fingerprint::Fingerprint;
use reprise_sys::FileMap;

use super::cursor::LabelCursor;
use super::group::LabelGroup;
use super::{HEADER_KEY, LABEL_GROUP_ROWS, LABELS_FORMAT, LabelsHeader, SEAL_KEY, Seal};
use crate::checksum;
use crate::error::{SettingName, StoreError};
use crate::schema::LabelRows;
use crate::table::{FINGERPRINT_BYTES, TableReader, plain_values};

/// A label file that is open for reading.
///
/// A lookup does not read the whole file. The file is mapped into memory, its fingerprints are
/// uncompressed, and a binary search touches only a few memory pages.
pub struct Labels {
    path: PathBuf,
    header: LabelsHeader,
    table: TableReader<LabelRows>,
    file: fs::File,
    fingerprints: FingerprintRuns,
    map: Arc<FileMap>,
    seal: Seal,
}

/// Keeps the memory map alive as long as a slice of it is in use.
struct Mapped(Arc<FileMap>);

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Labels {
    /// Opens a label file.
    pub fn open(path: &Path) -> Result<Labels, StoreError> {
        let not_labels = || StoreError::NotLabels {
            path: path.to_owned(),
        };
        fs::metadata(path).map_err(StoreError::reading(path))?;
        let table = match TableReader::open(path) {
            Err(StoreError::Damaged { .. }) => {
                return Err(not_labels());
            }
            other => other?,
        };
        let header = table.noted(HEADER_KEY).ok_or_else(not_labels)?;
        let seal: Option<Seal> = table
            .noted(SEAL_KEY)
            .and_then(|seal| serde_json::from_str(seal).ok());
        let seal = seal
            .filter(|seal| seal.header == checksum::of_bytes(header.as_bytes()))
            .ok_or_else(|| {
                StoreError::damaged(path, "the checksum of its header does not match")
            })?;
        let header: LabelsHeader = serde_json::from_str(header)
            .map_err(|error| StoreError::damaged(path, error.to_string()))?;
        if header.format > LABELS_FORMAT {
            return Err(StoreError::NewerFormat {
                path: path.to_owned(),
                found: header.format,
                known: LABELS_FORMAT,
            });
        }
        let file = fs::File::open(path).map_err(StoreError::reading(path))?;
        let map = Arc::new(FileMap::of(&file).map_err(StoreError::reading(path))?);
        Ok(Labels {
            path: path.to_owned(),
            header,
            table,
            fingerprints: fingerprint_runs(path, Bytes::from_owner(Mapped(Arc::clone(&map))))?,
            file,
            map,
            seal,
        })
    }

    /// Checks the checksum of the whole file. Callers that look up only a few labels can skip this.
    ///
    /// Reads the file, not the memory map: touched pages of the map would count as memory in use.
    pub fn verify(&self) -> Result<(), StoreError> {
        let mut file = &self.file;
        let sum = (file.rewind())
            .and_then(|()| checksum::of_reader(file.take(self.seal.bytes)))
            .map_err(StoreError::reading(&self.path))?;
        if sum == (self.seal.bytes, self.seal.checksum.clone()) {
            Ok(())
        } else {
            Err(StoreError::damaged(
                &self.path,
                "its checksum does not match",
            ))
        }
    }

    /// Returns the properties of all labels.
    pub fn header(&self) -> &LabelsHeader {
        &self.header
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the table of labels.
    pub fn table(&self) -> &TableReader<LabelRows> {
        &self.table
    }

    /// Returns the number of rows. A label that comes from several sites has one row for each.
    pub fn rows(&self) -> u64 {
        self.table.rows()
    }

    /// Returns the hash function and the chunk form of the labels.
    pub fn settings(&self) -> Result<ChunkSettings, StoreError> {
        let damaged = |detail: String| StoreError::damaged(&self.path, detail);
        let parse_error = |error: &dyn fmt::Display| damaged(error.to_string());
        Ok(ChunkSettings {
            hash: (self.header.hash.parse()).map_err(|error| parse_error(&error))?,
            chunk: (self.header.chunk.parse()).map_err(|error| parse_error(&error))?,
        })
    }

    /// Fails if the labels were made with other settings than `settings`.
    pub fn check_settings(&self, settings: ChunkSettings) -> Result<(), StoreError> {
        let (hash, chunk) = (settings.hash.as_str(), settings.chunk.as_str());
        let pairs = [
            (SettingName::Hash, &self.header.hash, hash),
            (SettingName::Chunk, &self.header.chunk, chunk),
        ];
        let different = pairs.into_iter().find(|(_, found, other)| found != other);
        match different {
            None => Ok(()),
            Some((setting, found, expected)) => Err(StoreError::OtherLabels {
                path: self.path.clone(),
                setting,
                found: found.clone(),
                expected: expected.to_owned(),
            }),
        }
    }

    /// Creates a cursor that looks up labels in ascending order.
    pub fn cursor(&self) -> LabelCursor<'_> {
        LabelCursor::new(&self.fingerprints)
    }

    /// Creates a cursor that looks up labels in ascending order. If the file is larger than `memory_bytes`,
    /// the cursor releases the memory of labels that it has passed.
    pub fn cursor_within(&self, memory_bytes: usize) -> LabelCursor<'_> {
        let to_release = (self.map.len() > memory_bytes).then_some(&*self.map);
        LabelCursor::new(&self.fingerprints).releasing(to_release)
    }

    /// Returns the rows with this fingerprint, of either level.
    fn find(&self, fingerprint: &Fingerprint) -> Range<u64> {
        LabelCursor::before(&self.fingerprints, fingerprint).find(fingerprint)
    }

    /// Creates a reader for single labels.
    pub fn reader(&self) -> LabelReader<'_> {
        LabelReader {
            labels: self,
            kept: Vec::new(),
        }
    }

    /// Reads the rows of one group.
    pub(super) fn read_group(&self, group: usize) -> Result<Vec<Label>, StoreError> {
        let group = LabelGroup::read(&self.table, group)?;
        (0..group.len()).map(|row| group.row(row, self)).collect()
    }
}

/// The number of cached groups. They take some tens of megabytes.
const GROUPS_KEPT: usize = 16;

/// Looks up single labels, and caches the groups of rows that it has read last.
///
/// Callers look up the labels of a page in ascending order, so each group is read at most once per page. A
/// label file with few groups is read only once.
pub struct LabelReader<'l> {
    labels: &'l Labels,
    /// The cached groups, most recently used first.
    kept: Vec<(usize, LabelGroup)>,
}

impl LabelLookup for LabelReader<'_> {
    type Error = StoreError;

    fn find(&mut self, fingerprint: &Fingerprint, level: Level) -> Result<Vec<Label>, StoreError> {
        let mut found = Vec::new();
        for row in self.labels.find(fingerprint) {
            let group = row as usize / LABEL_GROUP_ROWS;
            let labels = self.labels;
            let (group, row) = (self.group(group)?, row as usize % LABEL_GROUP_ROWS);
            if row < group.len() {
                let label = group.row(row, labels)?;
                found.extend((label.level == level).then_some(label));
            }
        }
        Ok(found)
    }
}

impl LabelReader<'_> {
    /// Returns the label file.
    pub fn labels(&self) -> &Labels {
        self.labels
    }

    fn group(&mut self, group: usize) -> Result<&LabelGroup, StoreError> {
        if let Some(at) = self.kept.iter().position(|(kept, _)| *kept == group) {
            self.kept[..=at].rotate_right(1);
        } else {
            let read = LabelGroup::read(&self.labels.table, group)?;
            self.kept.truncate(GROUPS_KEPT - 1);
            self.kept.insert(0, (group, read));
        }
        Ok(&self.kept[0].1)
    }
}

/// The fingerprints of a label file as slices of the memory map, one for each Parquet page, with the row of
/// the first fingerprint of each.
type FingerprintRuns = Vec<(u64, Bytes)>;

/// Finds the fingerprints of a label file in its memory map.
fn fingerprint_runs(path: &Path, file: Bytes) -> Result<FingerprintRuns, StoreError> {
    let wrap = StoreError::reading_table(path);
    let reader = SerializedFileReader::new(file).map_err(&wrap)?;
    let mut runs = Vec::new();
    let mut row = 0;
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).map_err(&wrap)?;
        let mut pages = group.get_column_page_reader(0).map_err(&wrap)?;
        while let Some(page) = pages.get_next_page().map_err(&wrap)? {
            let buf = plain_values(&page, FINGERPRINT_BYTES, path)?.clone();
            if !buf.is_empty() {
                let count = (buf.len() / FINGERPRINT_BYTES) as u64;
                runs.push((row, buf));
                row += count;
            }
        }
    }
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use reprise_fingerprint::HashKind;
    use reprise_text::ChunkForm;

    use super::super::{LabelsWriter, Origin};
    use super::*;

    #[test]
    fn labels_are_found_in_any_order() {
        let settings = ChunkSettings {
            hash: HashKind::Sha256,
            chunk: ChunkForm::Markup,
        };
        let count = LABEL_GROUP_ROWS * (GROUPS_KEPT + 2) + 5;
        let mut fingerprints: Vec<Fingerprint> = (0..count as u64)
            .map(|number| HashKind::Sha256.fingerprint(&number.to_le_bytes()))
            .collect();
        fingerprints.sort_unstable();
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("labels");
        let header = LabelsHeader::new(settings, Origin::Informed, 1);
        let mut writer = LabelsWriter::create(&path, &header).unwrap();
        for (number, &fingerprint) in fingerprints.iter().enumerate() {
            let row = Label {
                fingerprint,
                level: Level::Chunk,
                chars: number as u64,
                counts: None,
                name: String::new(),
                url: String::new(),
                site: String::new(),
                fetched: None,
            };
            writer.push(row).unwrap();
        }
        assert_eq!(writer.finish().unwrap(), count as u64);
        let labels = Labels::open(&path).unwrap();
        let mut reader = labels.reader();
        // This step visits all groups, and some of them repeatedly.
        let (mut at, step) = (0, LABEL_GROUP_ROWS * 5 + 1);
        for _ in 0..60 {
            let found = reader.find(&fingerprints[at], Level::Chunk).unwrap();
            assert_eq!(found.len(), 1);
            assert_eq!(found[0].chars, at as u64);
            assert!(reader.kept.len() <= GROUPS_KEPT);
            assert!(
                reader
                    .find(&fingerprints[at], Level::File)
                    .unwrap()
                    .is_empty()
            );
            at = (at + step) % count;
        }
    }
}
