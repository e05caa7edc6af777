//! The tables of a corpus and of its results, column by column. docs/format.md specifies each column.
//!
//! A table is a type without values, such as [`Pages`]. Its columns are typed constants, such as
//! [`Pages::URL`]: reading a column of another table, or reading a column as another type, does not
//! compile. Only this module contains column names.

use std::marker::PhantomData;

use parquet::basic::Encoding;
use reprise_fingerprint::Fingerprint;
use reprise_shingle::Shingles;

use crate::table::{Text, Time, Value};

/// The type of a column in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A signed 64-bit integer.
    Int,
    /// Milliseconds since 1970, UTC, as a 64-bit timestamp.
    Time,
    /// A 64-bit floating-point number.
    Float,
    /// True or false.
    Bool,
    /// UTF-8 text.
    Text,
    /// 20 bytes.
    Fingerprint,
    /// 84 unsigned 64-bit integers in big-endian order: 672 bytes.
    Shingles,
}

/// A column of any table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The name.
    pub name: &'static str,
    /// The type of its values.
    pub kind: Kind,
    /// True if values may be missing.
    pub is_nullable: bool,
    pub(crate) packing: Packing,
}

impl Column {
    /// Describes a column of an exported table.
    pub const fn exported(name: &'static str, kind: Kind, is_nullable: bool) -> Column {
        Column {
            name,
            kind,
            is_nullable,
            packing: Packing::Zstd,
        }
    }
}

/// A column of table `T` with values of type `V`.
#[derive(Debug)]
pub struct ColumnOf<T, V> {
    pub(crate) column: Column,
    marker: PhantomData<fn() -> (T, V)>,
}

impl<T, V> Clone for ColumnOf<T, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, V> Copy for ColumnOf<T, V> {}

impl<T, V: Value> ColumnOf<T, V> {
    const fn new(name: &'static str, packing: Packing) -> Self {
        ColumnOf {
            column: Column {
                name,
                kind: V::KIND,
                is_nullable: V::IS_NULLABLE,
                packing,
            },
            marker: PhantomData,
        }
    }
}

/// A type that describes a table.
pub trait Table: 'static {
    /// The name of the table. Its file is `<name>.parquet`.
    const TABLE: &'static str;
    /// The columns, in order.
    const COLUMNS: &'static [Column];
    /// The number of columns that every file has. The columns after them were added to the format later:
    /// reading one of them from an older file gives missing values.
    const COLUMNS_MIN: usize = Self::COLUMNS.len();
}

/// How a column is encoded and compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    /// Uncompressed: fingerprints do not compress.
    Plain,
    /// Uncompressed and binary-searched through a memory map. No page checksums: verifying them would
    /// read the whole file on open.
    InPlace,
    /// A dictionary of distinct values.
    Dictionary,
    /// Differences between neighbours, bit-packed.
    Delta,
    /// Differences between neighbours, then zstd: for columns with repeated sequences.
    DeltaZstd,
    /// Uncompressed values, then zstd.
    Zstd,
}

impl Packing {
    pub(crate) fn encoding(self, kind: Kind) -> Encoding {
        match (self, kind) {
            (Packing::Delta | Packing::DeltaZstd, Kind::Text) => Encoding::DELTA_BYTE_ARRAY,
            (Packing::Delta | Packing::DeltaZstd, _) => Encoding::DELTA_BINARY_PACKED,
            _ => Encoding::PLAIN,
        }
    }
}

/// Declares tables. Each table gets a type, a constant for each column, and a list of its columns.
macro_rules! tables {
    ($(
        $(#[$about:meta])*
        $table:ident = $name:literal $(since $columns_min:literal)? {
            $($(#[$doc:meta])* $column:ident: $value:ty = $column_name:literal $packing:ident,)*
        }
    )*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug)]
        pub enum $table {}

        impl $table {
            $(
                $(#[$doc])*
                pub const $column: ColumnOf<$table, $value> =
                    ColumnOf::new($column_name, Packing::$packing);
            )*
        }

        impl Table for $table {
            const TABLE: &'static str = $name;
            const COLUMNS: &'static [Column] = &[$($table::$column.column),*];
            $(const COLUMNS_MIN: usize = $columns_min;)?
        }
    )*};
}

tables! {
    /// One row for each source: a file that was read.
    Sources = "sources" {
        /// The path or URL of the file.
        NAME: Text = "name" DeltaZstd,
        /// The format of the file.
        FORMAT: Text = "format" Dictionary,
        /// The size of the file.
        BYTES: i64 = "bytes" Delta,
        /// A fingerprint that recognises the file, made from samples of its bytes.
        IDENTITY: Fingerprint = "identity" Plain,
        /// The start of the part of the file that the segment holds.
        START: i64 = "start" Delta,
        /// The end of that part.
        END: i64 = "end" Delta,
        /// True if the part ends at the end of the file.
        DONE: bool = "done" Plain,
    }

    /// One row for each page.
    Pages = "pages" {
        /// The URL.
        URL: Text = "url" DeltaZstd,
        /// The host of the URL.
        HOST: Text = "host" Dictionary,
        /// The registered domain of the host.
        SITE: Text = "site" Dictionary,
        /// The fetch time.
        FETCHED: Option<Time> = "fetched" DeltaZstd,
        /// The HTTP status.
        STATUS: Option<i64> = "status" Dictionary,
        /// The media type.
        MEDIA_TYPE: Text = "media_type" Dictionary,
        /// The charset of the body.
        CHARSET: Text = "charset" Dictionary,
        /// The address of the server.
        IP: Option<Text> = "ip" Dictionary,
        /// The kind of content, which decides how the page is cut into chunks.
        CONTENT: Text = "content" Dictionary,
        /// The size of the decoded body.
        BYTES: i64 = "bytes" Delta,
        /// The number of chunks.
        CHUNKS: i64 = "chunks" Delta,
        /// The fingerprint of the decoded body.
        FINGERPRINT: Fingerprint = "fingerprint" Plain,
        /// The row of the source in [`Sources`].
        SOURCE: i64 = "source" Delta,
        /// The position of the record in the source.
        OFFSET: i64 = "offset" Delta,
        /// The length of the record in the source.
        LENGTH: i64 = "length" Delta,
        /// The position of the record in the decompressed member at `offset`.
        WITHIN: i64 = "within" Delta,
    }

    /// One row for each distinct fingerprint of a chunk, sorted. The row of a fingerprint is its rank.
    Fingerprints = "fingerprints" {
        /// The fingerprint.
        FINGERPRINT: Fingerprint = "fingerprint" Plain,
        /// The number of characters of the chunk's normal form.
        CHARS: i64 = "chars" Delta,
        /// True if the chunk has visible text.
        VISIBLE: bool = "visible" Plain,
        /// The number of chunks with this fingerprint.
        OCCURRENCES: i64 = "occurrences" Dictionary,
        /// The number of pages that have it.
        PAGES: i64 = "pages" Dictionary,
        /// The number of sites that have it.
        SITES: i64 = "sites" Dictionary,
        /// The first row of [`Chunks`] with this fingerprint.
        FIRST_CHUNK: i64 = "first_chunk" Delta,
    }

    /// One row for each chunk, in page order, and in text order within a page.
    Chunks = "chunks" {
        /// The row of the page in [`Pages`].
        PAGE: i64 = "page" Delta,
        /// The first byte in the page's text.
        START: i64 = "start" Delta,
        /// The length in bytes.
        LENGTH: i64 = "length" Delta,
        /// The rank of the fingerprint: its row in [`Fingerprints`].
        RANK: i64 = "rank" DeltaZstd,
    }

    /// One row for each record that was skipped or damaged.
    Problems = "problems" {
        /// The row of the source in [`Sources`].
        SOURCE: i64 = "source" Delta,
        /// The kind of problem.
        KIND: Text = "kind" Dictionary,
        /// The position of the record in the source.
        OFFSET: i64 = "offset" Delta,
        /// The URL of the record.
        URL: Option<Text> = "url" DeltaZstd,
        /// A description of the problem.
        DETAIL: Text = "detail" DeltaZstd,
    }

    /// One row for each page, in page order. Only a corpus with shingles has this table.
    Sketches = "shingles" {
        /// The number of words.
        WORDS: i64 = "words" Delta,
        /// The fingerprint of the word sequence.
        TEXT: Fingerprint = "text" Plain,
        /// The 84 shingles. Compressed, because neighbouring pages are often near-copies and share many.
        SHINGLES: Shingles = "shingles" Zstd,
    }

    /// One row for each page, sorted by the hash of its URL. Finds a page by its URL without a scan.
    Urls = "urls" {
        /// The 64-bit XXH3 of the URL.
        HASH: i64 = "hash" Plain,
        /// The row of the page in [`Pages`].
        PAGE: i64 = "page" Delta,
    }

    /// One row for each label and each site that it comes from, sorted by fingerprint, level, then fetch
    /// time.
    LabelRows = "labels" {
        /// The fingerprint to look for.
        FINGERPRINT: Fingerprint = "fingerprint" InPlace,
        /// `chunk` or `file`.
        LEVEL: Text = "level" Dictionary,
        /// The number of characters of the chunk, or of bytes of the file.
        CHARS: i64 = "chars" Delta,
        /// The number of occurrences in the corpus that the label was discovered in.
        OCCURRENCES: Option<i64> = "occurrences" Dictionary,
        /// The number of pages of that corpus that have it.
        PAGES: Option<i64> = "pages" Dictionary,
        /// The number of sites of that corpus that have it.
        SITES: Option<i64> = "sites" Dictionary,
        /// The name given by the analyst.
        NAME: Text = "name" Dictionary,
        /// The URL of the page that the label comes from.
        URL: Text = "url" DeltaZstd,
        /// The site of that page.
        SITE: Text = "site" Dictionary,
        /// The fetch time of that page.
        FETCHED: Option<Time> = "fetched" DeltaZstd,
    }

    /// The findings of detection for each page.
    DetectedPages = "pages" {
        /// The URL.
        URL: Text = "url" DeltaZstd,
        /// The site.
        SITE: Text = "site" Dictionary,
        /// The share of labelled chunks.
        CONTAINS: Option<f64> = "contains" Dictionary,
        /// The number of labelled chunks.
        MATCHED: i64 = "matched" Delta,
        /// The number of counted chunks.
        CHUNKS: i64 = "chunks" Delta,
        /// True if the whole file is labelled.
        FILE_MATCHED: bool = "file_matched" Plain,
        /// A page of the site that most labelled chunks come from.
        SOURCE_URL: Option<Text> = "source_url" Dictionary,
        /// The site that most labelled chunks come from.
        SOURCE_SITE: Option<Text> = "source_site" Dictionary,
        /// The fetch time.
        FETCHED: Option<Time> = "fetched" DeltaZstd,
        /// The fetch time of the source page.
        SOURCE_FETCHED: Option<Time> = "source_fetched" Dictionary,
    }

    /// The findings of detection for each neighbourhood.
    Neighborhoods = "neighborhoods" {
        /// The URL prefix, from the host on.
        PREFIX: Text = "prefix" DeltaZstd,
        /// The number of directory levels.
        DEPTH: i64 = "depth" Dictionary,
        /// The number of pages.
        PAGES: i64 = "pages" Delta,
        /// The badness.
        BADNESS: f64 = "badness" Zstd,
        /// The number of labelled chunks.
        MATCHED: i64 = "matched" Delta,
        /// The number of counted chunks.
        CHUNKS: i64 = "chunks" Delta,
    }

    /// One row for each pair of sites of which one has labelled chunks of the other.
    SitePairs = "sites" {
        /// The site that has the chunks.
        COPIER: Text = "copier" Dictionary,
        /// The site that the labels come from.
        SOURCE: Text = "source" Dictionary,
        /// The number of chunks.
        CHUNKS: i64 = "chunks" Delta,
        /// The number of pages.
        PAGES: i64 = "pages" Delta,
    }

    /// One row for each page of a cluster of near-copies, cluster by cluster, the representative first.
    Clusters = "clusters" since 13 {
        /// The URL.
        URL: Text = "url" DeltaZstd,
        /// The site.
        SITE: Text = "site" Dictionary,
        /// The number of the cluster.
        CLUSTER: i64 = "cluster" Delta,
        /// The URL of the cluster's representative.
        REPRESENTATIVE: Text = "representative" Dictionary,
        /// True if the page is kept.
        KEEP: bool = "keep" Plain,
        /// The Jaccard similarity to the representative.
        SIMILARITY: f64 = "similarity" Dictionary,
        /// The share of the page's phrases that the representative has.
        CONTAINMENT: f64 = "containment" Dictionary,
        /// The method that found the cluster.
        METHOD: Text = "method" Dictionary,
        /// The fetch time.
        FETCHED: Option<Time> = "fetched" DeltaZstd,
        /// The number of words.
        WORDS: i64 = "words" Delta,
        /// The path or URL of the source file.
        SOURCE: Text = "source" Dictionary,
        /// The position of the record in the source.
        OFFSET: i64 = "offset" Delta,
        /// The position of the record in the decompressed member at `offset`.
        WITHIN: i64 = "within" Delta,
        /// The lexicon terms that the page shares with the representative.
        TERMS: Option<Text> = "terms" Dictionary,
    }
}

/// The name and the columns of a table that is chosen at run time.
#[derive(Clone, Copy, Debug)]
pub struct TableInfo {
    /// The name; the file is `<name>.parquet`.
    pub name: &'static str,
    /// The columns, in order.
    pub columns: &'static [Column],
}

impl TableInfo {
    /// Describes table `T`.
    pub const fn of<T: Table>() -> TableInfo {
        TableInfo {
            name: T::TABLE,
            columns: T::COLUMNS,
        }
    }
}

/// The tables that every segment has.
pub const SEGMENT_TABLES: [TableInfo; 5] = [
    TableInfo::of::<Sources>(),
    TableInfo::of::<Pages>(),
    TableInfo::of::<Fingerprints>(),
    TableInfo::of::<Chunks>(),
    TableInfo::of::<Problems>(),
];
