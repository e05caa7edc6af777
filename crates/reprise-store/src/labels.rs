//! Labels: what is looked for. One Parquet file of sorted fingerprints, each with where it comes from.

use std::fmt;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use bytes::Bytes;
use memmap2::Mmap;
use parquet::data_type::ByteArray;
use parquet::file::reader::{FileReader, SerializedFileReader};
use reprise_fingerprint::Fingerprint;
use serde::{Deserialize, Serialize};

use crate::checksum;
use crate::error::StoreError;
use crate::manifest::{Settings, sync_directory};
use crate::schema::LABELS;
use crate::table::{TableReader, TableWriter, Values, plain_values};

/// What is labelled: pieces of pages, or whole files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Chunks.
    Chunk,
    /// Files.
    File,
}

impl Level {
    /// As flags, JSON and tables have it.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Chunk => "chunk",
            Level::File => "file",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Level, String> {
        match text {
            "chunk" => Ok(Level::Chunk),
            "file" => Ok(Level::File),
            _ => Err(format!("{text:?} is neither chunk nor file")),
        }
    }
}

/// How labels came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Found blind, by how often they occur in a corpus.
    Discovered,
    /// Made from pages that somebody named.
    Informed,
}

/// What holds for all labels of a file; kept in the file's own metadata.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelsHeader {
    /// Format of the file.
    pub format: u32,
    /// `sha256` or `sha1`.
    pub hash: String,
    /// `markup` or `text`.
    pub chunk: String,
    /// How the labels came about.
    pub origin: Origin,
    /// Chunks with fewer characters are stop chunks, here and in detection.
    pub min_length: u64,
}

/// Rows in a group of labels: few, so that one label can be looked up without reading many.
const LABEL_GROUP_ROWS: usize = 1 << 13;

const HEADER_KEY: &str = "reprise.labels";
const SEAL_KEY: &str = "reprise.checksum";

/// How damage to a file of labels is noticed.
#[derive(Serialize, Deserialize)]
struct Seal {
    /// So many bytes, from the front, are covered: all but the file's own directory.
    bytes: u64,
    /// Their checksum.
    checksum: String,
    /// Checksum of the header's text.
    header: String,
}

const LABELS_FORMAT: u32 = 1;

impl LabelsHeader {
    /// The header of labels that fit corpora with these settings.
    pub fn new(settings: Settings, origin: Origin, min_length: u64) -> LabelsHeader {
        LabelsHeader {
            format: LABELS_FORMAT,
            hash: settings.hash.as_str().to_owned(),
            chunk: settings.chunk.as_str().to_owned(),
            origin,
            min_length,
        }
    }
}

/// A label, and one site it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelRow {
    /// The fingerprint.
    pub fingerprint: Fingerprint,
    /// Of a chunk or of a file.
    pub level: Level,
    /// Characters of the chunk; bytes of the file.
    pub chars: u64,
    /// How often it was found, on how many pages and sites, where it was discovered.
    pub counts: Option<[u64; 3]>,
    /// What the analyst calls its source; empty where it was discovered.
    pub name: String,
    /// The page it was taken from: the first one by time where several have it.
    pub url: String,
    /// The site of that page; empty where it has none.
    pub site: String,
    /// When that page was fetched.
    pub fetched: Option<i64>,
}

impl LabelRow {
    /// The order of rows in a file: of several sources, the one that had it first comes first.
    pub fn order(&self, other: &LabelRow) -> std::cmp::Ordering {
        let key = |row: &LabelRow| (row.fingerprint, row.level, row.fetched.unwrap_or(i64::MAX));
        key(self).cmp(&key(other)).then_with(|| {
            (&self.site, &self.url, &self.name).cmp(&(&other.site, &other.url, &other.name))
        })
    }
}

/// Writes a file of labels: aside, then under its name.
pub struct LabelsWriter {
    path: PathBuf,
    aside: PathBuf,
    table: TableWriter,
    header: String,
    rows: Vec<LabelRow>,
    written: u64,
}

impl LabelsWriter {
    /// Begins a file.
    pub fn create(path: &Path, header: &LabelsHeader) -> Result<LabelsWriter, StoreError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let aside = path.with_file_name(format!(".{name}.partial"));
        let mut table = TableWriter::create(&aside, LABELS.columns)?;
        let header = serde_json::to_string(header).expect("a header is plain data");
        table.note(HEADER_KEY, header.clone());
        Ok(LabelsWriter {
            header,
            path: path.to_owned(),
            aside,
            table,
            rows: Vec::new(),
            written: 0,
        })
    }

    /// Adds a label; they come in the order of [`LabelRow::order`].
    pub fn push(&mut self, row: LabelRow) -> Result<(), StoreError> {
        self.rows.push(row);
        if self.rows.len() == LABEL_GROUP_ROWS {
            self.write_group()?;
        }
        Ok(())
    }

    fn write_group(&mut self) -> Result<(), StoreError> {
        let rows = std::mem::take(&mut self.rows);
        self.written += rows.len() as u64;
        let count = |at: usize| {
            let counts = rows.iter().map(|row| Some(row.counts?[at] as i64));
            Values::OptionalInt(counts.collect())
        };
        self.table.write(&[
            Values::Fingerprint(rows.iter().map(|row| row.fingerprint).collect()),
            Values::texts(rows.iter().map(|row| row.level.as_str())),
            Values::Int(rows.iter().map(|row| row.chars as i64).collect()),
            count(0),
            count(1),
            count(2),
            Values::texts(rows.iter().map(|row| row.name.as_str())),
            Values::texts(rows.iter().map(|row| row.url.as_str())),
            Values::texts(rows.iter().map(|row| row.site.as_str())),
            Values::OptionalInt(rows.iter().map(|row| row.fetched).collect()),
        ])
    }

    /// Ends the file and gives it its name; returns its number of rows.
    pub fn finish(mut self) -> Result<u64, StoreError> {
        self.write_group()?;
        let (bytes, checksum) = self.table.sum();
        let seal = Seal {
            bytes,
            checksum,
            header: checksum::of_bytes(self.header.as_bytes()),
        };
        let seal = serde_json::to_string(&seal).expect("a seal is plain data");
        self.table.note(SEAL_KEY, seal);
        self.table.finish()?;
        fs::rename(&self.aside, &self.path).map_err(StoreError::io("write", &self.path))?;
        let directory = self
            .path
            .parent()
            .filter(|path| !path.as_os_str().is_empty());
        sync_directory(directory.unwrap_or(Path::new(".")))?;
        Ok(self.written)
    }
}

/// Puts files of labels together into one, a group of rows of each in memory at a time.
///
/// All must have been made with the same hash and chunk form; the least of their lengths holds.
pub fn merge_labels(files: &[Labels], path: &Path) -> Result<u64, StoreError> {
    let Some(first) = files.first() else {
        return Ok(0);
    };
    let mut header = first.header.clone();
    let settings = first.settings()?;
    for labels in files {
        labels.verify()?;
        labels.check_settings(settings)?;
        let found = &labels.header;
        header.min_length = header.min_length.min(found.min_length);
        if found.origin == Origin::Informed {
            header.origin = Origin::Informed;
        }
    }
    let mut writer = LabelsWriter::create(path, &header)?;
    let mut streams: Vec<RowStream<'_>> = files.iter().map(RowStream::new).collect();
    let mut written: Option<LabelRow> = None;
    loop {
        let mut least: Option<usize> = None;
        for index in 0..streams.len() {
            streams[index].load()?;
            let Some(row) = streams[index].head() else {
                continue;
            };
            let is_less = least
                .and_then(|least| streams[least].head())
                .is_none_or(|other| row.order(other).is_lt());
            if is_less {
                least = Some(index);
            }
        }
        let Some(row) = least.and_then(|least| streams[least].rows.pop()) else {
            return writer.finish();
        };
        if written.as_ref() != Some(&row) {
            writer.push(row.clone())?;
            written = Some(row);
        }
    }
}

/// The rows of a file, one after another; the next one is the last of `rows`.
struct RowStream<'l> {
    labels: &'l Labels,
    next_group: usize,
    rows: Vec<LabelRow>,
}

impl<'l> RowStream<'l> {
    fn new(labels: &'l Labels) -> RowStream<'l> {
        RowStream {
            labels,
            next_group: 0,
            rows: Vec::new(),
        }
    }

    fn load(&mut self) -> Result<(), StoreError> {
        while self.rows.is_empty() && self.next_group < self.labels.table.groups() {
            self.rows = self.labels.read_group(self.next_group)?;
            self.rows.reverse();
            self.next_group += 1;
        }
        Ok(())
    }

    fn head(&self) -> Option<&LabelRow> {
        self.rows.last()
    }
}

/// A file of labels, to be read from the front or looked up in.
///
/// Looking up needs no reading of the whole: the file is mapped into memory, the fingerprints lie in
/// it as they are, and a search touches a few of its pages.
pub struct Labels {
    path: PathBuf,
    header: LabelsHeader,
    table: TableReader,
    stretches: Stretches,
    /// The file in memory.
    map: Bytes,
    seal: Seal,
}

impl Labels {
    /// Opens a file of labels.
    pub fn open(path: &Path) -> Result<Labels, StoreError> {
        let not_labels = || StoreError::NotLabels {
            path: path.to_owned(),
        };
        fs::metadata(path).map_err(StoreError::io("read", path))?;
        let table = match TableReader::open(path, &LABELS) {
            Err(StoreError::Damaged { .. } | StoreError::Parquet { .. }) => {
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
            .ok_or_else(|| StoreError::damaged(path, "its header is not what was written"))?;
        let header: LabelsHeader = serde_json::from_str(header)
            .map_err(|error| StoreError::damaged(path, error.to_string()))?;
        if header.format > LABELS_FORMAT {
            return Err(StoreError::NewerFormat {
                path: path.to_owned(),
                found: header.format,
                known: LABELS_FORMAT,
            });
        }
        let (map, stretches) = map(path)?;
        Ok(Labels {
            path: path.to_owned(),
            header,
            table,
            stretches,
            map,
            seal,
        })
    }

    /// Checks every byte. For those who read them all anyway; a look at a few labels can do without.
    pub fn verify(&self) -> Result<(), StoreError> {
        let covered = usize::try_from(self.seal.bytes)
            .ok()
            .and_then(|bytes| self.map.get(..bytes));
        if covered.map(checksum::of_bytes).as_ref() == Some(&self.seal.checksum) {
            Ok(())
        } else {
            Err(StoreError::damaged(&self.path, "its checksum does not fit"))
        }
    }

    /// What holds for all of them.
    pub fn header(&self) -> &LabelsHeader {
        &self.header
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The table itself.
    pub fn table(&self) -> &TableReader {
        &self.table
    }

    /// How many rows there are: a label that comes from several sites has several.
    pub fn rows(&self) -> u64 {
        self.table.rows()
    }

    /// How their fingerprints were made.
    pub fn settings(&self) -> Result<Settings, StoreError> {
        let damaged = |detail: String| StoreError::damaged(&self.path, detail);
        let parse_error = |error: &dyn fmt::Display| damaged(error.to_string());
        Ok(Settings {
            hash: (self.header.hash.parse()).map_err(|error| parse_error(&error))?,
            chunk: (self.header.chunk.parse()).map_err(|error| parse_error(&error))?,
        })
    }

    /// Refuses to be compared with fingerprints that were made in another way.
    pub fn check_settings(&self, settings: Settings) -> Result<(), StoreError> {
        let pairs = [
            ("hash", &self.header.hash, settings.hash.as_str()),
            ("chunk", &self.header.chunk, settings.chunk.as_str()),
        ];
        match pairs.into_iter().find(|(_, found, wanted)| found != wanted) {
            None => Ok(()),
            Some((setting, found, wanted)) => Err(StoreError::OtherLabels {
                path: self.path.clone(),
                setting,
                found: found.clone(),
                wanted: wanted.to_owned(),
            }),
        }
    }

    /// The fingerprints as they lie in the file: stretches of them, with the row of each one's first.
    pub fn stretches(&self) -> &[(u64, Bytes)] {
        &self.stretches
    }

    /// The rows with this fingerprint, of either level.
    fn find(&self, fingerprint: &Fingerprint) -> Range<u64> {
        self.bound(|found| found < fingerprint)..self.bound(|found| found <= fingerprint)
    }

    /// How many rows come before the first for which this is no longer true.
    fn bound(&self, is_before: impl Fn(&Fingerprint) -> bool) -> u64 {
        let at = self
            .stretches
            .partition_point(|(_, bytes)| is_before(&fingerprint_at(bytes, 0)));
        let Some((first_row, bytes)) = at.checked_sub(1).map(|at| &self.stretches[at]) else {
            return 0;
        };
        let (mut low, mut high) = (0, bytes.len() / 20);
        while low < high {
            let middle = usize::midpoint(low, high);
            if is_before(&fingerprint_at(bytes, middle)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        first_row + low as u64
    }

    /// A reader of single labels.
    pub fn reader(&self) -> LabelReader<'_> {
        LabelReader {
            labels: self,
            open: None,
        }
    }

    /// The rows of one group.
    fn read_group(&self, group: usize) -> Result<Vec<LabelRow>, StoreError> {
        let table = &self.table;
        let texts = |column| {
            Ok::<_, StoreError>(
                table
                    .texts(group, column)?
                    .iter()
                    .map(text)
                    .collect::<Vec<_>>(),
            )
        };
        let fingerprints = table.fingerprints(group, "fingerprint")?;
        let (levels, names) = (texts("level")?, texts("name")?);
        let (urls, sites) = (texts("url")?, texts("site")?);
        let chars = table.ints(group, "chars")?;
        let occurrences = table.optional_ints(group, "occurrences")?;
        let pages = table.optional_ints(group, "pages")?;
        let site_counts = table.optional_ints(group, "sites")?;
        let fetched = table.optional_ints(group, "fetched")?;
        (0..fingerprints.len())
            .map(|row| {
                let counts = [occurrences[row], pages[row], site_counts[row]];
                let counts = counts[0].map(|_| counts.map(|count| count.unwrap_or(0) as u64));
                Ok(LabelRow {
                    fingerprint: fingerprints[row],
                    level: levels[row]
                        .parse()
                        .map_err(|detail: String| StoreError::damaged(&self.path, detail))?,
                    chars: chars[row] as u64,
                    counts,
                    name: names[row].clone(),
                    url: urls[row].clone(),
                    site: sites[row].clone(),
                    fetched: fetched[row],
                })
            })
            .collect()
    }
}

/// Reads single labels, with the group at hand kept: asked in the order of fingerprints, it reads each
/// group once.
pub struct LabelReader<'l> {
    labels: &'l Labels,
    open: Option<(usize, Vec<LabelRow>)>,
}

impl LabelReader<'_> {
    /// The labels of this level with this fingerprint, who had it first in front.
    pub fn find(
        &mut self,
        fingerprint: &Fingerprint,
        level: Level,
    ) -> Result<Vec<LabelRow>, StoreError> {
        let mut found = Vec::new();
        for row in self.labels.find(fingerprint) {
            let group = row as usize / LABEL_GROUP_ROWS;
            if self.open.as_ref().is_none_or(|(open, _)| *open != group) {
                self.open = Some((group, self.labels.read_group(group)?));
            }
            if let Some((_, rows)) = &self.open
                && let Some(label) = rows.get(row as usize % LABEL_GROUP_ROWS)
                && label.level == level
            {
                found.push(label.clone());
            }
        }
        Ok(found)
    }
}

/// Stretches of sorted fingerprints, with the row of each one's first.
type Stretches = Vec<(u64, Bytes)>;

fn text(bytes: &ByteArray) -> String {
    String::from_utf8_lossy(bytes.data()).into_owned()
}

fn fingerprint_at(bytes: &[u8], index: usize) -> Fingerprint {
    let bytes: [u8; 20] = bytes[index * 20..index * 20 + 20]
        .try_into()
        .expect("a slice of 20 bytes");
    Fingerprint::from_bytes(bytes)
}

/// The file in memory, and where the fingerprints lie in it: as they are, in pages of their column.
#[expect(unsafe_code, reason = "mapping a file into memory")]
fn map(path: &Path) -> Result<(Bytes, Stretches), StoreError> {
    let file = fs::File::open(path).map_err(StoreError::io("read", path))?;
    // SAFETY: the bytes are only read. A file of labels is never changed once it has its name; whoever
    // shortens it in place while it is used makes this process end, not misbehave.
    let map = unsafe { Mmap::map(&file) }.map_err(StoreError::io("read", path))?;
    let wrap = StoreError::parquet("read", path);
    let map = Bytes::from_owner(map);
    let reader = SerializedFileReader::new(map.clone()).map_err(&wrap)?;
    let mut stretches = Vec::new();
    let mut row = 0;
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).map_err(&wrap)?;
        let mut pages = group.get_column_page_reader(0).map_err(&wrap)?;
        while let Some(page) = pages.get_next_page().map_err(&wrap)? {
            let Some(buf) = plain_values(&page).cloned() else {
                return Err(StoreError::damaged(path, "its fingerprints are packed"));
            };
            if buf.len() % 20 != 0 {
                return Err(StoreError::damaged(path, "its fingerprints are cut off"));
            }
            if !buf.is_empty() {
                let count = buf.len() as u64 / 20;
                stretches.push((row, buf));
                row += count;
            }
        }
    }
    Ok((map, stretches))
}
