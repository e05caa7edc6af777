//! The results of the experiments of `reprise lab`.
//!
//! `lab evade --json` prints an [`Evasion`], `lab compare --json` a [`HashComparison`]. docs/json.md describes
//! the keys.

#[cfg(feature = "serde")]
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::numbers::{bytes, count, counted};

/// The number of edits until each method no longer finds a copy.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Evasion {
    /// The directory of the corpus.
    pub corpus: String,
    /// The number of pages whose copies were edited.
    pub documents: u64,
    /// The seed of all random choices.
    pub seed: u64,
    /// The words of these pages, repeats counted.
    pub words: Quartiles<u64>,
    /// The number of distinct words that edits could insert.
    pub vocabulary: u64,
    /// The methods that were tried.
    pub methods: Vec<EvasionMethod>,
    /// One row for each method and kind of edit: by edit, then by method.
    pub rows: Vec<EvasionRow>,
    /// Pages that were drawn but not used.
    pub unused: UnusedPages,
    /// Sentences about the training of methods, and about methods that were left out.
    pub notes: Vec<String>,
}

/// A method that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct EvasionMethod {
    /// The name of the method.
    pub method: String,
    /// The condition for a copy, with its threshold: `a score of 90 of 100 or more`.
    pub rule: String,
}

/// One method against one kind of edit, over all pages.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct EvasionRow {
    /// The name of the method.
    pub method: String,
    /// The name of the kind of edit: `replace`.
    pub edit: String,
    /// The kind of edit in words: `words replaced`.
    pub meaning: String,
    /// Pages that count: the method finds them unchanged, and they allow such edits.
    pub documents: u64,
    /// Pages that the method does not find even unchanged.
    pub blind: u64,
    /// Pages that the method finds, but that do not allow such edits.
    pub impossible: u64,
    /// Pages whose copies are found even with all possible edits.
    pub never: u64,
    /// The number of edits until the copy is not found.
    pub edits: Quartiles<u64>,
    /// The same number divided by the words of the page. It can exceed 1: a word has several letters.
    pub share: Quartiles<f64>,
}

/// Quartiles over pages. `None` stands for *never*, which is greater than any number. All three are `None` if
/// there are no pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Quartiles<T> {
    /// The first quartile.
    pub first: Option<T>,
    /// The median.
    pub median: Option<T>,
    /// The third quartile.
    pub third: Option<T>,
}

/// Pages that were drawn for an experiment but not used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct UnusedPages {
    /// Pages without words, or in a format without text.
    pub without_text: u64,
    /// Pages of more than `bytes_max` bytes.
    pub too_large: u64,
    /// The most bytes of a page that is used.
    pub bytes_max: u64,
    /// Pages that could not be read again from their archives.
    pub unreadable: u64,
    /// The reason why the first of these could not be read.
    pub reason: Option<String>,
}

/// A cryptographic hash compared with Nilsimsa, a locality-sensitive hash, on pairs of pages.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct HashComparison {
    /// The directory of the corpus.
    pub corpus: String,
    /// The number of pages that were compared with each other.
    pub pages: u64,
    /// The sum of their distinct chunks.
    pub chunks: u64,
    /// The number of pairs of pages.
    pub pairs: u64,
    /// The seed by which the pages were drawn.
    pub seed: u64,
    /// The Nilsimsa score from which on two chunks count as equal.
    pub threshold: i32,
    /// The fewest characters of a chunk that was compared.
    pub min_length: u64,
    /// The number of words in a row that makes two pages a copy.
    pub words: u64,
    /// True if only pages on different sites were compared.
    pub elsewhere: bool,
    /// The result of the cryptographic hash.
    pub cryptographic: Confusion,
    /// The result of Nilsimsa.
    pub nilsimsa: Confusion,
    /// The false positives to expect in a larger corpus, if asked for.
    pub projected: Option<HashProjection>,
    /// Nilsimsa at other thresholds, ascending.
    pub thresholds: Vec<HashThreshold>,
    /// Some false positives of Nilsimsa, highest score first.
    pub examples: Vec<FalsePositive>,
    /// Pages without a chunk of `min_length` characters.
    pub without_chunks: u64,
    /// Pages of which only the first chunks were compared.
    pub cut: u64,
    /// Pages that were drawn but not used.
    pub unused: UnusedPages,
}

/// A confusion matrix of pairs of pages (the paper's table 1).
///
/// As JSON it also has the key `false_positive_rate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confusion {
    /// Copies that were recognised.
    pub true_positives: u64,
    /// Copies that were missed.
    pub false_negatives: u64,
    /// Other pairs that were taken for copies.
    pub false_positives: u64,
    /// Other pairs that were not.
    pub true_negatives: u64,
}

/// The number of false positives to expect when a corpus is searched for the chunks of one page.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct HashProjection {
    /// The number of pages in that corpus.
    pub pages: u64,
    /// The false positives of the cryptographic hash; `None` if all pairs are copies.
    pub cryptographic: Option<f64>,
    /// The false positives of Nilsimsa; `None` if all pairs are copies.
    pub nilsimsa: Option<f64>,
}

/// Nilsimsa at one threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct HashThreshold {
    /// The threshold.
    pub threshold: i32,
    /// The result at this threshold.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub matrix: Confusion,
}

/// Two pages without common text that Nilsimsa takes for copies, with the chunks that cause it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FalsePositive {
    /// The score of the two chunks.
    pub score: i32,
    /// The URL of one page.
    pub url: String,
    /// Its chunk.
    pub chunk: String,
    /// The URL of the other page.
    pub with: String,
    /// Its chunk.
    pub with_chunk: String,
}

impl Evasion {
    /// Returns the sentences to show with the result: the notes, and a sentence about unused pages.
    pub fn sentences(&self) -> Vec<String> {
        let notes = self.notes.iter().cloned();
        notes.chain(self.unused.sentence()).collect()
    }
}

impl UnusedPages {
    /// Describes the unused pages; `None` if all pages were used.
    pub fn sentence(&self) -> Option<String> {
        let Self {
            without_text,
            too_large,
            bytes_max,
            unreadable,
            reason,
        } = self;
        let mut parts = Vec::new();
        if *without_text > 0 {
            parts.push(format!("{} without text", count(*without_text)));
        }
        if *too_large > 0 {
            let (pages, limit) = (count(*too_large), bytes(*bytes_max));
            parts.push(format!("{pages} larger than {limit}"));
        }
        if *unreadable > 0 {
            let reason = reason.as_deref().unwrap_or("for an unknown reason");
            let pages = count(*unreadable);
            parts.push(format!("{pages} that could not be read again ({reason})"));
        }
        (!parts.is_empty()).then(|| format!("left out of the pages drawn: {}", parts.join(", ")))
    }
}

impl HashComparison {
    /// Returns the condition for a copy, as the end of a sentence that begins with `two pages are copies if they have`.
    pub fn truth(&self) -> String {
        let Self {
            words, min_length, ..
        } = self;
        format!(
            "a chunk of {min_length} characters or its text in common, or {words} words in a row"
        )
    }

    /// Returns the sentences to show with the result: the projection, and the pages that were left out.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        sentences.extend(self.projected.and_then(|to| self.projection(&to)));
        if self.nilsimsa.others() == 0 {
            sentences
                .push("all pairs are copies, so there is no rate of false positives".to_owned());
        }
        if self.cut > 0 {
            let pages = counted(self.cut, "page");
            sentences.push(format!("only the first chunks of {pages} were compared"));
        }
        if self.without_chunks > 0 {
            let pages = counted(self.without_chunks, "page");
            let chars = self.min_length;
            sentences.push(format!(
                "left out: {pages} without a chunk of {chars} characters"
            ));
        }
        sentences.extend(self.unused.sentence());
        sentences
    }

    fn projection(&self, to: &HashProjection) -> Option<String> {
        let pages = counted(to.pages, "page");
        let expected = count(to.nilsimsa?.round() as u64);
        let sentence = format!(
            "a search for the chunks of one page in {pages} would give about {expected} false positives with \
             Nilsimsa at {}, and none with the cryptographic hash",
            self.threshold
        );
        let hint = if self.nilsimsa.false_positives == 0 {
            let pairs = counted(self.nilsimsa.others(), "pair");
            format!(" (none of {pairs} was a false positive: a larger sample may have some)")
        } else {
            String::new()
        };
        Some(sentence + &hint)
    }
}

impl Confusion {
    /// Returns the share of other pairs that are taken for copies; `None` if all pairs are copies.
    pub fn false_positive_rate(&self) -> Option<f64> {
        let others = self.others();
        (others > 0).then(|| self.false_positives as f64 / others as f64)
    }

    /// Returns the number of pairs that are not copies.
    fn others(&self) -> u64 {
        self.false_positives + self.true_negatives
    }
}

#[cfg(feature = "serde")]
impl Serialize for Confusion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Confusion", 5)?;
        object.serialize_field("true_positives", &self.true_positives)?;
        object.serialize_field("false_negatives", &self.false_negatives)?;
        object.serialize_field("false_positives", &self.false_positives)?;
        object.serialize_field("true_negatives", &self.true_negatives)?;
        object.serialize_field("false_positive_rate", &self.false_positive_rate())?;
        object.end()
    }
}
