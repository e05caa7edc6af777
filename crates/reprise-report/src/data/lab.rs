//! What experiments found.

#[cfg(feature = "serde")]
use serde::Serialize;

/// How many edits it takes until copies are no longer found.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Evasion {
    /// What was looked at.
    pub corpus: String,
    /// Pages whose copies were edited.
    pub documents: u64,
    /// Words of the page in the middle.
    pub words: u64,
    /// Each method, and when it takes a page for a copy.
    pub methods: Vec<(String, String)>,
    /// One for each kind of edit.
    pub edits: Vec<EvasionEdit>,
    /// What the reader should know.
    pub notes: Vec<String>,
}

/// One kind of edit.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct EvasionEdit {
    /// What is done: `words replaced`.
    pub name: String,
    /// One for each method, in their order.
    pub rows: Vec<EvasionRow>,
}

/// One method against one kind of edit. Quartiles that are missing are *never*.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct EvasionRow {
    /// The method.
    pub method: String,
    /// Pages that count.
    pub documents: u64,
    /// Pages whose copies are always found.
    pub never: u64,
    /// Edits until the copy is missed: first quartile, median, third quartile.
    pub quartiles: [Option<u64>; 3],
    /// The median as a part of the page's words.
    pub share: Option<f64>,
}

/// A cryptographic hash beside a locality-sensitive one.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct HashComparison {
    /// What was looked at.
    pub corpus: String,
    /// Pages that were compared with each other.
    pub pages: u64,
    /// Pairs of them.
    pub pairs: u64,
    /// From this score on, pages are taken for copies.
    pub threshold: i32,
    /// When two pages have text in common.
    pub truth: String,
    /// Each hash with what came out.
    pub hashes: Vec<(String, Confusion)>,
    /// The locality-sensitive hash at other thresholds: threshold, false positives.
    pub thresholds: Vec<(i32, u64)>,
    /// Pairs that are none and were taken for copies.
    pub examples: Vec<WrongPair>,
    /// What the reader should know, the projection too.
    pub notes: Vec<String>,
}

/// A confusion matrix of pairs.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Confusion {
    /// Copies taken for copies.
    pub true_positives: u64,
    /// Copies that were missed.
    pub false_negatives: u64,
    /// Others taken for copies.
    pub false_positives: u64,
    /// Others left alone.
    pub true_negatives: u64,
}

/// Two pages that have no text in common, and the chunks that deceive the hash.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct WrongPair {
    /// The score of the chunks.
    pub score: i32,
    /// Address and chunk of each.
    pub sides: [(String, String); 2],
}
