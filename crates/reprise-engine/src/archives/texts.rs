//! The text of pages, for methods that compare it.

use reprise_ingest::Page;
use reprise_near::{PageText, TextForm, TextReader, Unreadable};
use reprise_store::{CorpusReader, PageRef, StoreError};

use super::pages::ArchivePages;
#[cfg(feature = "convert")]
use super::sources::unreadable;
use crate::convert::ConvertOptions;
use crate::defaults;

/// Reads the text of a corpus's pages.
#[derive(Clone)]
pub(crate) struct ArchiveTexts<'c> {
    corpus: &'c CorpusReader,
    threads: usize,
    #[cfg(feature = "convert")]
    converter: reprise_convert::Converter,
}

impl<'c> ArchiveTexts<'c> {
    #[cfg_attr(
        not(feature = "convert"),
        expect(unused_variables, reason = "there is no converter")
    )]
    pub(crate) fn new(
        corpus: &'c CorpusReader,
        threads: usize,
        options: &ConvertOptions,
    ) -> ArchiveTexts<'c> {
        ArchiveTexts {
            corpus,
            threads,
            #[cfg(feature = "convert")]
            converter: options.converter(),
        }
    }

    pub(crate) fn corpus(&self) -> &'c CorpusReader {
        self.corpus
    }

    /// Converts a page to plain text in normal form. Returns `None` if there is no text.
    #[cfg(feature = "convert")]
    fn plain(&self, page: &Page<'_>) -> Result<Option<String>, Unreadable> {
        let text = match crate::convert::plain_of(page, &self.converter) {
            Some(Ok(plain)) => plain.normal(),
            Some(Err(error)) => return Err(unreadable(error.to_string())),
            None => return Ok(None),
        };
        Ok(Some(text).filter(|text| !text.trim().is_empty()))
    }

    /// Returns the text of a text page: without converters, other formats have none.
    #[cfg(not(feature = "convert"))]
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "the signature with converters"
    )]
    fn plain(&self, page: &Page<'_>) -> Result<Option<String>, Unreadable> {
        let text = page.text.map(|(content, text)| {
            let mut plain = String::new();
            reprise_text::visible_runs(content, text, |part| {
                plain.push_str(part);
                plain.push(' ');
            });
            plain.split_whitespace().collect::<Vec<_>>().join(" ")
        });
        Ok(text.filter(|text| !text.is_empty()))
    }
}

impl TextReader for ArchiveTexts<'_> {
    fn read<T, M>(
        &self,
        pages: &[PageRef],
        form: TextForm,
        maker: impl Fn() -> M + Sync,
        mut give: impl FnMut(usize, Result<Option<T>, Unreadable>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError>
    where
        T: Send,
        M: FnMut(PageText<'_>) -> T,
    {
        let archives = ArchivePages {
            corpus: self.corpus,
            limits: defaults::READ_BACK_LIMITS,
            threads: self.threads,
        };
        let take = || {
            let mut make = maker();
            move |page: &Page<'_>| match form {
                TextForm::Page => Ok(page
                    .text
                    .map(|(content, text)| make(PageText::Page(content, text)))),
                TextForm::Plain => {
                    let text = self.plain(page)?;
                    Ok(text.map(|text| make(PageText::Plain(&text))))
                }
            }
        };
        archives.read(pages, take, |index, taken| {
            give(index, taken.and_then(|taken| taken))
        })
    }
}
