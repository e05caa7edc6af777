//! Slow implementations, straight from the definitions, with sets and maps of strings.

use std::collections::{BTreeMap, BTreeSet};

use reprise_fingerprint::{Fingerprint, HashKind};
use reprise_imatch::{ContextConfig, ContextRule, Lexicon, Side, Sides, Terms};

/// Returns the terms of a lexicon.
pub(crate) fn terms_of(lexicon: &Lexicon) -> BTreeSet<String> {
    lexicon
        .entries()
        .map(|entry| entry.term.to_owned())
        .collect()
}

/// Returns the number of documents that contain each word.
pub(crate) fn document_frequencies(documents: &[Terms]) -> BTreeMap<String, u32> {
    let mut frequencies = BTreeMap::new();
    for document in documents {
        let words: BTreeSet<&str> = document.iter().collect();
        for word in words {
            *frequencies.entry(word.to_owned()).or_insert(0) += 1;
        }
    }
    frequencies
}

/// Returns the neighbours of a word, `None` at an edge.
fn neighbours<'a>(words: &[&'a str], place: usize) -> [(Side, Option<&'a str>); 2] {
    let before = (place > 0).then(|| words[place - 1]);
    let after = words.get(place + 1).copied();
    [(Side::Before, before), (Side::After, after)]
}

/// Counts of (term, side, neighbour).
pub(crate) type Counts = BTreeMap<(String, Side, Option<String>), u32>;

pub(crate) fn bigrams(lexicon: &BTreeSet<String>, documents: &[Terms]) -> Counts {
    let mut counts = Counts::new();
    for document in documents {
        let words: Vec<&str> = document.iter().collect();
        for (place, word) in words.iter().enumerate() {
            if lexicon.contains(*word) {
                for (side, neighbour) in neighbours(&words, place) {
                    let key = ((*word).to_owned(), side, neighbour.map(str::to_owned));
                    *counts.entry(key).or_insert(0) += 1;
                }
            }
        }
    }
    counts
}

/// Returns true if a context is valid.
pub(crate) fn is_valid(
    counts: &Counts,
    rule: ContextRule,
    term: &str,
    side: Side,
    neighbour: Option<&str>,
) -> bool {
    let key = (term.to_owned(), side, neighbour.map(str::to_owned));
    let count = counts.get(&key).copied().unwrap_or(0);
    let occurrences: u32 = counts
        .iter()
        .filter(|(key, _)| key.0 == term && key.1 == side)
        .map(|(_, count)| count)
        .sum();
    match rule {
        ContextRule::Count(min) => count >= min,
        ContextRule::Share(min) => count > 0 && f64::from(count) / f64::from(occurrences) >= min,
    }
}

/// Returns the terms of a signature.
pub(crate) fn chosen(
    lexicon: &BTreeSet<String>,
    contexts: Option<(&Counts, ContextConfig)>,
    document: &Terms,
) -> BTreeSet<String> {
    let words: Vec<&str> = document.iter().collect();
    let mut chosen = BTreeSet::new();
    for (place, word) in words.iter().enumerate() {
        let is_in_context = contexts.is_none_or(|(counts, config)| {
            let [before, after] = neighbours(&words, place)
                .map(|(side, neighbour)| is_valid(counts, config.rule, word, side, neighbour));
            match config.sides {
                Sides::Either => before || after,
                Sides::Both => before && after,
            }
        });
        if lexicon.contains(*word) && is_in_context {
            chosen.insert((*word).to_owned());
        }
    }
    chosen
}

/// Returns the signature of terms.
pub(crate) fn signature(terms: &BTreeSet<String>) -> Fingerprint {
    let lines: String = terms.iter().flat_map(|term| [term, "\n"]).collect();
    HashKind::Sha256.fingerprint(lines.as_bytes())
}
