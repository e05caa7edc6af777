//! Reads pages of a corpus back from their archives. A corpus stores where each page is, not its text.

mod page_text;
mod pages;
mod sources;
mod terms;
mod texts;

pub(crate) use page_text::PageCopy;
#[cfg(feature = "lab")]
pub(crate) use pages::ArchivePages;
pub(crate) use sources::{Archives, places};
pub(crate) use terms::for_each_terms;
pub(crate) use texts::ArchiveTexts;
