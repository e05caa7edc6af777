//! The default values of the options.

/// The number of pages whose copies are edited ([`EvadeOptions::documents`](crate::EvadeOptions::documents)).
pub const DOCUMENTS: usize = 50;

/// The number of pages that are compared with each other
/// ([`CompareOptions::pages`](crate::CompareOptions::pages)): 44,850 pairs.
pub const PAGES: usize = 300;

/// The seed of all random choices.
pub const SEED: u64 = 1;

/// The fewest characters of a chunk by which a copy is found
/// ([`EvadeOptions::chars_min`](crate::EvadeOptions::chars_min)). Shorter chunks are stop chunks.
pub const EVADE_CHARS_MIN: usize = 100;

/// The fewest characters of a chunk that is compared
/// ([`CompareOptions::chars_min`](crate::CompareOptions::chars_min)). The paper uses more than 25.
pub const COMPARE_CHARS_MIN: usize = 25;

/// The number of words in a row that makes two pages a copy
/// ([`CompareOptions::words_min`](crate::CompareOptions::words_min)).
pub const WORDS_MIN: usize = 10;

/// The lowest Nilsimsa score of a copy, from the paper's comparison.
pub const NILSIMSA_THRESHOLD: i32 = 115;

/// The fewest terms of a valid I-Match signature.
pub const OVERLAP_MIN: u32 = 5;
