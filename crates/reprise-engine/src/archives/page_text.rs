//! Single pages, read back with their text.

use reprise_ingest::{Page, Place, RecordLimits};
use reprise_near::Unreadable;
use reprise_store::{CorpusReader, GROUP_ROWS, PageRef, Segment, StoreError, page_names};
use reprise_text::Content;

use super::sources::{Archives, places, unreadable};
use crate::defaults;
use crate::error::Error;

/// Reads pages back. The current archive and group of pages stay open.
pub(crate) struct PageReader<'c> {
    segments: Vec<Segment<'c>>,
    limits: RecordLimits,
    archives: Option<(u32, Archives)>,
    places: Option<(GroupNumber, Vec<(usize, Place)>)>,
}

/// A group of pages: the index of its segment, and its number there.
type GroupNumber = (u32, usize);

impl<'c> PageReader<'c> {
    pub(crate) fn new(corpus: &'c CorpusReader) -> PageReader<'c> {
        PageReader {
            segments: corpus.segments().collect(),
            limits: defaults::READ_BACK_LIMITS,
            archives: None,
            places: None,
        }
    }

    /// Reads a page. The inner error says why it cannot be read back.
    pub(crate) fn read<T>(
        &mut self,
        page: PageRef,
        take: impl FnMut(&Page<'_>) -> T,
    ) -> Result<Result<T, Unreadable>, StoreError> {
        let segment = &self.segments[page.segment as usize];
        let group = (page.segment, page.page as usize / GROUP_ROWS);
        if self.places.as_ref().is_none_or(|(open, _)| *open != group) {
            self.places = Some((group, places(segment, &segment.pages()?, group.1)?));
        }
        if (self.archives.as_ref()).is_none_or(|(open, _)| *open != page.segment) {
            self.archives = Some((page.segment, Archives::of(segment, &self.limits)?));
        }
        let (Some((_, places)), Some((_, archives))) = (&self.places, &mut self.archives) else {
            return Ok(Err(unreadable("there is no such page")));
        };
        let Some(&(source, place)) = places.get(page.page as usize % GROUP_ROWS) else {
            return Ok(Err(unreadable("there is no such page")));
        };
        if archives.is_stream(source) {
            return Ok(Err(unreadable("it came from standard input")));
        }
        Ok(archives.page(source, place, take))
    }
}

/// A page with its text.
#[derive(Clone, Debug)]
pub(crate) struct PageCopy {
    pub(crate) url: String,
    /// The fetch time in milliseconds since 1970.
    pub(crate) fetched: Option<i64>,
    /// How the text is cut; `None` for a file without text.
    pub(crate) content: Option<Content>,
    pub(crate) text: String,
}

impl PageCopy {
    /// Reads the text of a page back. The inner error says why it cannot be read: the archive was moved,
    /// has changed, or was standard input.
    pub(crate) fn read(
        corpus: &CorpusReader,
        page: PageRef,
    ) -> Result<Result<PageCopy, Unreadable>, StoreError> {
        // The URL of a plain file in the corpus may differ from the one it has when it is read back.
        let url = page_names(corpus, &[page])?.pop().map(|(url, _)| url);
        let url = url.unwrap_or_default();
        PageReader::new(corpus).read(page, |found| PageCopy {
            url: url.clone(),
            fetched: found.fetched,
            content: found.text.map(|(content, _)| content),
            text: found.text.map_or("", |(_, text)| text).to_owned(),
        })
    }

    /// Reads the first capture of a URL back.
    pub(crate) fn find(corpus: &CorpusReader, url: &str) -> Result<PageCopy, Error> {
        let Some(&first) = corpus.find_url(url)?.first() else {
            return Err(Error::NoSuchPage {
                url: url.to_owned(),
            });
        };
        PageCopy::read(corpus, first)?.map_err(|error| Error::PageUnreadable {
            url: url.to_owned(),
            reason: error.reason,
        })
    }
}
