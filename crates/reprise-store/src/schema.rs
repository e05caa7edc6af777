//! The tables of a segment, column by column; docs/format.md says what each column means.

use parquet::basic::Encoding;

/// What a column holds.
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
    /// 84 unsigned 64-bit integers, each with its highest byte first: 672 bytes.
    Shingles,
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// May it be null?
    pub is_nullable: bool,
    pub(crate) packing: Packing,
}

impl Column {
    /// A column of an exported table.
    pub const fn exported(name: &'static str, kind: Kind, is_nullable: bool) -> Column {
        Column {
            name,
            kind,
            is_nullable,
            packing: Packing::Zstd,
        }
    }
}

/// How a column is made small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    /// As it is: fingerprints do not compress.
    Plain,
    /// As it is, and searched where it lies: without checksums of its pages, or to open the file would be to read it all.
    InPlace,
    /// Each distinct value once.
    Dictionary,
    /// Differences between neighbours, bit-packed.
    Delta,
    /// Differences between neighbours, then zstd: for columns whose runs repeat.
    DeltaZstd,
    /// As it is, then zstd.
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

/// A table of a segment.
#[derive(Debug)]
pub struct Table {
    /// Its name; the file is `<name>.parquet`.
    pub name: &'static str,
    /// Its columns, in order.
    pub columns: &'static [Column],
}

const fn column(name: &'static str, kind: Kind, packing: Packing) -> Column {
    Column {
        name,
        kind,
        is_nullable: false,
        packing,
    }
}

const fn nullable(name: &'static str, kind: Kind, packing: Packing) -> Column {
    Column {
        name,
        kind,
        is_nullable: true,
        packing,
    }
}

/// One row for each file that was read.
pub const SOURCES: Table = Table {
    name: "sources",
    columns: &[
        column("name", Kind::Text, Packing::DeltaZstd),
        column("format", Kind::Text, Packing::Dictionary),
        column("bytes", Kind::Int, Packing::Delta),
        column("identity", Kind::Fingerprint, Packing::Plain),
        column("start", Kind::Int, Packing::Delta),
        column("end", Kind::Int, Packing::Delta),
        column("done", Kind::Bool, Packing::Plain),
    ],
};

/// One row for each page.
pub const PAGES: Table = Table {
    name: "pages",
    columns: &[
        column("url", Kind::Text, Packing::DeltaZstd),
        column("host", Kind::Text, Packing::Dictionary),
        column("site", Kind::Text, Packing::Dictionary),
        nullable("fetched", Kind::Time, Packing::DeltaZstd),
        nullable("status", Kind::Int, Packing::Dictionary),
        column("media_type", Kind::Text, Packing::Dictionary),
        column("charset", Kind::Text, Packing::Dictionary),
        nullable("ip", Kind::Text, Packing::Dictionary),
        column("content", Kind::Text, Packing::Dictionary),
        column("bytes", Kind::Int, Packing::Delta),
        column("chunks", Kind::Int, Packing::Delta),
        column("fingerprint", Kind::Fingerprint, Packing::Plain),
        column("source", Kind::Int, Packing::Delta),
        column("offset", Kind::Int, Packing::Delta),
        column("length", Kind::Int, Packing::Delta),
        column("within", Kind::Int, Packing::Delta),
    ],
};

/// One row for each distinct fingerprint, sorted by it.
pub const FINGERPRINTS: Table = Table {
    name: "fingerprints",
    columns: &[
        column("fingerprint", Kind::Fingerprint, Packing::Plain),
        column("chars", Kind::Int, Packing::Delta),
        column("visible", Kind::Bool, Packing::Plain),
        column("occurrences", Kind::Int, Packing::Dictionary),
        column("pages", Kind::Int, Packing::Dictionary),
        column("sites", Kind::Int, Packing::Dictionary),
        column("first_chunk", Kind::Int, Packing::Delta),
    ],
};

/// One row for each chunk, in the order of pages and of their text.
pub const CHUNKS: Table = Table {
    name: "chunks",
    columns: &[
        column("page", Kind::Int, Packing::Delta),
        column("start", Kind::Int, Packing::Delta),
        column("length", Kind::Int, Packing::Delta),
        column("rank", Kind::Int, Packing::DeltaZstd),
    ],
};

/// One row for each record that was skipped or damaged.
pub const PROBLEMS: Table = Table {
    name: "problems",
    columns: &[
        column("source", Kind::Int, Packing::Delta),
        column("kind", Kind::Text, Packing::Dictionary),
        column("offset", Kind::Int, Packing::Delta),
        nullable("url", Kind::Text, Packing::DeltaZstd),
        column("detail", Kind::Text, Packing::DeltaZstd),
    ],
};

/// One row for each label and site it comes from, sorted by fingerprint, level, then who had it first.
pub const LABELS: Table = Table {
    name: "labels",
    columns: &[
        column("fingerprint", Kind::Fingerprint, Packing::InPlace),
        column("level", Kind::Text, Packing::Dictionary),
        column("chars", Kind::Int, Packing::Delta),
        nullable("occurrences", Kind::Int, Packing::Dictionary),
        nullable("pages", Kind::Int, Packing::Dictionary),
        nullable("sites", Kind::Int, Packing::Dictionary),
        column("name", Kind::Text, Packing::Dictionary),
        column("url", Kind::Text, Packing::DeltaZstd),
        column("site", Kind::Text, Packing::Dictionary),
        nullable("fetched", Kind::Time, Packing::DeltaZstd),
    ],
};

/// What detection found of each page.
pub const DETECTED_PAGES: Table = Table {
    name: "pages",
    columns: &[
        column("url", Kind::Text, Packing::DeltaZstd),
        column("site", Kind::Text, Packing::Dictionary),
        nullable("contains", Kind::Float, Packing::Dictionary),
        column("matched", Kind::Int, Packing::Delta),
        column("chunks", Kind::Int, Packing::Delta),
        column("file_matched", Kind::Bool, Packing::Plain),
        nullable("source_url", Kind::Text, Packing::Dictionary),
        nullable("source_site", Kind::Text, Packing::Dictionary),
        nullable("fetched", Kind::Time, Packing::DeltaZstd),
        nullable("source_fetched", Kind::Time, Packing::Dictionary),
    ],
};

/// What detection found of each neighbourhood.
pub const NEIGHBORHOODS: Table = Table {
    name: "neighborhoods",
    columns: &[
        column("prefix", Kind::Text, Packing::DeltaZstd),
        column("depth", Kind::Int, Packing::Dictionary),
        column("pages", Kind::Int, Packing::Delta),
        column("badness", Kind::Float, Packing::Zstd),
        column("matched", Kind::Int, Packing::Delta),
        column("chunks", Kind::Int, Packing::Delta),
    ],
};

/// Which site has how much of another site's labels.
pub const SITE_PAIRS: Table = Table {
    name: "sites",
    columns: &[
        column("copier", Kind::Text, Packing::Dictionary),
        column("source", Kind::Text, Packing::Dictionary),
        column("chunks", Kind::Int, Packing::Delta),
        column("pages", Kind::Int, Packing::Delta),
    ],
};

/// One row for each page, in their order; only where the corpus was made with shingles.
pub const SHINGLES: Table = Table {
    name: "shingles",
    columns: &[
        column("words", Kind::Int, Packing::Delta),
        column("text", Kind::Fingerprint, Packing::Plain),
        // Near-copies, which are often neighbours, share many.
        column("shingles", Kind::Shingles, Packing::Zstd),
    ],
};

/// Pages that are near-copies of each other: one row for each page of a cluster, clusters one after
/// another, the representative of each first.
pub const CLUSTERS: Table = Table {
    name: "clusters",
    columns: CLUSTER_COLUMNS,
};

/// The same as it was written before there were signatures: without their terms.
pub const CLUSTERS_WITHOUT_TERMS: Table = Table {
    name: "clusters",
    columns: CLUSTER_COLUMNS.split_at(CLUSTER_COLUMNS.len() - 1).0,
};

const CLUSTER_COLUMNS: &[Column] = &[
    column("url", Kind::Text, Packing::DeltaZstd),
    column("site", Kind::Text, Packing::Dictionary),
    column("cluster", Kind::Int, Packing::Delta),
    column("representative", Kind::Text, Packing::Dictionary),
    column("keep", Kind::Bool, Packing::Plain),
    column("similarity", Kind::Float, Packing::Dictionary),
    column("containment", Kind::Float, Packing::Dictionary),
    column("method", Kind::Text, Packing::Dictionary),
    nullable("fetched", Kind::Time, Packing::DeltaZstd),
    column("words", Kind::Int, Packing::Delta),
    column("source", Kind::Text, Packing::Dictionary),
    column("offset", Kind::Int, Packing::Delta),
    column("within", Kind::Int, Packing::Delta),
    nullable("terms", Kind::Text, Packing::Dictionary),
];

/// The tables that every segment has.
pub const TABLES: [&Table; 5] = [&SOURCES, &PAGES, &FINGERPRINTS, &CHUNKS, &PROBLEMS];

impl Table {
    /// Index of a column.
    ///
    /// # Panics
    /// When there is no such column: names are constants of this crate.
    pub fn column(&self, name: &str) -> usize {
        self.columns
            .iter()
            .position(|column| column.name == name)
            .unwrap_or_else(|| panic!("table {} has no column {name}", self.name))
    }
}
