//! Reads the text of pages again. A corpus stores where each page is, not its text.

use reprise_shingle::Shingler;
use reprise_store::{PageRef, StoreError};
use reprise_text::{Content, visible_runs};

/// The text of a page to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextForm {
    /// The page as it was indexed, if it is HTML or text.
    Page,
    /// The plain text of a document in any format, in normal form.
    Plain,
}

/// The text of a page.
#[derive(Clone, Copy, Debug)]
pub enum PageText<'t> {
    /// The text of a page as it was indexed.
    Page(Content, &'t str),
    /// The plain text of a document.
    Plain(&'t str),
}

impl PageText<'_> {
    /// Adds the words that a reader sees to a shingler.
    pub fn add_to(&self, shingler: &mut Shingler) {
        match *self {
            PageText::Page(content, text) => {
                visible_runs(content, text, |run| shingler.add(run));
            }
            PageText::Plain(text) => shingler.add(text),
        }
    }
}

/// The error for a page that cannot be read again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Unreadable {
    /// Why it cannot be read.
    pub reason: String,
}

/// Reads the text of pages again.
pub trait TextReader {
    /// Reads the text of `pages`, on any number of threads and in any order.
    ///
    /// `maker` is called once per thread; what it returns is called with each text. `give` is called on
    /// the calling thread with the index of each page and the result, `None` for a page without text.
    fn read<T, M>(
        &self,
        pages: &[PageRef],
        form: TextForm,
        maker: impl Fn() -> M + Sync,
        give: impl FnMut(usize, Result<Option<T>, Unreadable>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError>
    where
        T: Send,
        M: FnMut(PageText<'_>) -> T;
}

/// Pages that could not be read again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnreadPages {
    /// Their number.
    pub pages: u64,
    /// Why the first of them could not be read.
    pub reason: Option<String>,
}

impl UnreadPages {
    /// Counts a page.
    pub fn add(&mut self, error: Unreadable) {
        self.pages += 1;
        self.reason.get_or_insert(error.reason);
    }

    /// Adds the pages of another count.
    pub fn extend(&mut self, more: UnreadPages) {
        self.pages += more.pages;
        self.reason = self.reason.take().or(more.reason);
    }
}
