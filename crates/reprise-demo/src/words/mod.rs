//! Word lists and sentence patterns, one file for each language; data only.
//!
//! A pattern is text with slots in braces. `{noun}` is replaced by one entry of the slot of that
//! name, which may hold slots itself; `{Noun}` does the same and puts the first letter in upper
//! case. Five slots need no list: `{name}` is the invented name the page is about, `{place}` a
//! fresh invented name, `{year}`, `{small}` (2 to 12) and `{number}` are numerals. Patterns keep runs
//! of fixed words short, so that two pages seldom share five words in a row by accident.

mod ar;
mod de;
mod en;
mod en_topics;
mod fr;
mod ja;
mod ru;
mod zh_hans;
mod zh_hant;

pub(crate) use ar::ARABIC;
pub(crate) use de::GERMAN;
pub(crate) use en::ENGLISH;
pub(crate) use fr::FRENCH;
pub(crate) use ja::JAPANESE;
pub(crate) use ru::RUSSIAN;
pub(crate) use zh_hans::CHINESE_SIMPLIFIED;
pub(crate) use zh_hant::CHINESE_TRADITIONAL;

/// Everything that is needed to write pages in one language.
pub(crate) struct Language {
    /// BCP 47 tag.
    pub(crate) tag: &'static str,
    /// Written from right to left?
    pub(crate) right_to_left: bool,
    /// What stands between two sentences.
    pub(crate) between: &'static str,
    /// Beginnings, middles and ends of invented names.
    pub(crate) names: [&'static [&'static str]; 3],
    /// Slot lists by name.
    pub(crate) slots: &'static [(&'static str, &'static [&'static str])],
    /// What can be written about.
    pub(crate) topics: &'static [Topic],
    /// Words of the page furniture.
    pub(crate) labels: Labels,
}

/// A subject with its own patterns.
pub(crate) struct Topic {
    /// The name sites ask for it by.
    pub(crate) key: &'static str,
    /// Patterns of headings.
    pub(crate) titles: &'static [&'static str],
    /// Patterns of sentences.
    pub(crate) sentences: &'static [&'static str],
}

/// Words of the page furniture.
pub(crate) struct Labels {
    pub(crate) home: &'static str,
    pub(crate) about: &'static str,
    pub(crate) archive: &'static str,
    pub(crate) contact: &'static str,
    pub(crate) search: &'static str,
    pub(crate) by: &'static str,
    pub(crate) more: &'static str,
    pub(crate) related: &'static str,
    pub(crate) previous: &'static str,
    pub(crate) next: &'static str,
    pub(crate) rights: &'static str,
    pub(crate) motto: &'static str,
}
