//! Word lists and sentence patterns, one file per language. They are data only.
//!
//! A pattern is text with slots in braces. `{noun}` is replaced by an entry of the slot `noun`, which may itself have
//! slots. `{Noun}` does the same and changes the first letter to upper case. Five slots need no list: `{name}` is the
//! invented name that the page is about, `{place}` a new invented name, and `{year}`, `{small}` (2 to 12) and
//! `{number}` are numerals. Runs of fixed words in a pattern are short, so that two pages rarely share five words in a
//! row by accident.

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

/// The data to write pages in one language.
pub(crate) struct Language {
    /// The BCP 47 tag.
    pub(crate) tag: &'static str,
    /// Whether the language is written from right to left.
    pub(crate) right_to_left: bool,
    /// The text between two sentences.
    pub(crate) between: &'static str,
    /// The beginnings, middles and ends of invented names.
    pub(crate) names: [&'static [&'static str]; 3],
    /// The lists of the slots, by name.
    pub(crate) slots: &'static [(&'static str, &'static [&'static str])],
    /// The topics of articles.
    pub(crate) topics: &'static [Topic],
    /// The words that all pages of a site share.
    pub(crate) labels: Labels,
}

/// A topic with its patterns.
pub(crate) struct Topic {
    /// The name of the topic.
    pub(crate) key: &'static str,
    /// The patterns of headings.
    pub(crate) titles: &'static [&'static str],
    /// The patterns of sentences.
    pub(crate) sentences: &'static [&'static str],
}

/// The words that all pages of a site share.
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
