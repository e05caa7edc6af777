//! Reads the text of pages from their archives. A corpus stores the position of each page, not its text.

use reprise_shingle::Shingler;
use reprise_store::{PageRef, StoreError};
use reprise_text::{Content, visible_runs};

/// The form in which the text of a page is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextForm {
    /// The text of the page as it was indexed, with markup, if the page is HTML or text.
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
    /// Adds the visible words to a shingler.
    pub fn add_to(&self, shingler: &mut Shingler) {
        match *self {
            PageText::Page(content, text) => {
                visible_runs(content, text, |run| shingler.add(run));
            }
            PageText::Plain(text) => shingler.add(text),
        }
    }
}

/// The error for a page whose text cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Unreadable {
    /// The reason, in words.
    pub reason: String,
}

/// Reads the text of pages from their archives.
pub trait TextReader {
    /// Reads the text of `pages`, on any number of threads and in any order.
    ///
    /// `maker` is called once per thread. The function that it returns is called with each text on that
    /// thread. `give` is called on the calling thread with the index of each page and the result, or with
    /// `None` for a page without text.
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

/// A count of the pages whose text could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnreadPages {
    /// The number of pages.
    pub pages: u64,
    /// The reason for the first of them.
    pub reason: Option<String>,
}

impl UnreadPages {
    /// Counts a page.
    pub fn add(&mut self, error: Unreadable) {
        self.pages += 1;
        self.reason.get_or_insert(error.reason);
    }

    /// Adds another count.
    pub fn extend(&mut self, more: UnreadPages) {
        self.pages += more.pages;
        self.reason = self.reason.take().or(more.reason);
    }
}
