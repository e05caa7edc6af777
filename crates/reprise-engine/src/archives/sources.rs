//! Evidence: the text of pages, read back from their archives. The corpus keeps places, not text.

use std::sync::Arc;

use reprise_ingest::{
    BatchReader, Batches, InputConfig, InputError, Inputs, Item, Page, Place, RecordLimits, Source,
    is_of_stream, path_of, read_back,
};
use reprise_store::{AsBytes, Corpus, GROUP_ROWS, Segment, StoreError, TableReader};
use reprise_store::{PageRef, page_names};
use reprise_text::Content;

/// The sources of a segment, opened when they are needed, one at a time.
pub(crate) struct Archives {
    pub(crate) names: Vec<String>,
    limits: RecordLimits,
    open: Option<(usize, Result<Inputs, String>)>,
}

impl Archives {
    pub(crate) fn of(segment: &Segment<'_>, limits: &RecordLimits) -> Result<Archives, StoreError> {
        let names = segment.source_names()?;
        let names = names
            .iter()
            .map(|name| String::from_utf8_lossy(name.as_bytes()).into_owned());
        Ok(Archives {
            names: names.collect(),
            limits: *limits,
            open: None,
        })
    }

    /// Reads a page again; or says, in a few words, why it cannot be read.
    pub(crate) fn page<T>(
        &mut self,
        source: usize,
        place: Place,
        mut take: impl FnMut(&Page<'_>) -> T,
    ) -> Result<T, String> {
        let limits = self.limits;
        let source = self.opened(source)?;
        let mut taken = None;
        read_back(source, place, &limits, &mut |item| {
            if let Item::Page(page) = item {
                taken = Some(take(&page));
            }
        })
        .map_err(|error| error.to_string())?;
        taken.ok_or_else(|| "there is no page at its place".to_owned())
    }

    /// Reads many pages of a source; gives each with its index in `places`, which must be sorted by
    /// offset, then by what comes before within it. Pages that are not found are not given.
    ///
    /// A source that can only be read from its beginning is read once for all of them.
    pub(crate) fn pages(
        &mut self,
        source: usize,
        places: &[Place],
        give: &mut dyn FnMut(usize, &Page<'_>),
    ) -> Result<(), String> {
        let limits = self.limits;
        let opened = self.opened(source)?;
        if places.len() < FEW_PAGES || opened.is_split() {
            for (index, &place) in places.iter().enumerate() {
                // One that is damaged says nothing of the others.
                let _ = self.page(source, place, |page| give(index, page));
            }
            return Ok(());
        }
        let sources: Arc<[Source]> = [opened.clone()].into();
        let mut batches = Batches::new(Arc::clone(&sources), limits);
        let mut reader = BatchReader::new(sources, limits);
        let mut left = places.len();
        let key = |place: &Place| (place.offset, place.within);
        while let Some(batch) = batches.next_batch().filter(|_| left > 0) {
            reader.read(&batch, None, &mut |_, item| {
                if let Item::Page(page) = item
                    && let Ok(index) = places.binary_search_by_key(&key(&page.place), key)
                {
                    left -= 1;
                    give(index, &page);
                }
            });
        }
        Ok(())
    }

    /// A source, opened; or its name and why it cannot be.
    fn opened(&mut self, source: usize) -> Result<&Source, String> {
        let name = self.names[source].clone();
        self.source(source).map_err(|why| format!("{name}: {why}"))
    }

    /// A source, opened; or why it cannot be.
    pub(crate) fn source(&mut self, source: usize) -> Result<&Source, String> {
        if self.open.as_ref().is_none_or(|(open, _)| *open != source) {
            let name = &self.names[source];
            let file = file_of(name).to_owned();
            let config = InputConfig {
                base_url: None,
                spool_directory: std::env::temp_dir(),
                passed_by: Vec::new(),
                limits: self.limits,
            };
            let inputs = Inputs::open(&[file], &config).map_err(|error| match error {
                // What was asked for is known.
                InputError::Unreadable { source, .. } => format!("it cannot be read: {source}"),
                error => error.to_string(),
            });
            self.open = Some((source, inputs));
        }
        let name = &self.names[source];
        let inputs = match &self.open {
            Some((_, Ok(inputs))) => inputs,
            Some((_, Err(why))) => return Err(why.clone()),
            None => return Err("it cannot be read".to_owned()),
        };
        let found = inputs
            .sources
            .iter()
            .find(|candidate| candidate.name == *name);
        found.ok_or_else(|| "it is no longer there".to_owned())
    }
}

/// The file of a source: of one inside a WACZ, that. A name with `!/` in it may also be that of a file.
fn file_of(name: &str) -> &str {
    let files = name.match_indices("!/").map(|(at, _)| &name[..at]);
    let is_file = |name: &&str| path_of(name).is_file();
    files.clone().find(is_file).unwrap_or(name)
}

/// Fewer pages are looked up one by one in any source.
const FEW_PAGES: usize = 4;

/// Where the pages of a group lie: number of the source, place in it.
pub(crate) fn places(
    segment: &Segment<'_>,
    pages: &TableReader,
    group: usize,
) -> Result<Vec<(usize, Place)>, StoreError> {
    let source_count = segment.summary().rows("sources") as usize;
    let sources = pages.indices(group, "source", source_count)?;
    let offsets = pages.ints(group, "offset")?;
    let lengths = pages.ints(group, "length")?;
    let withins = pages.ints(group, "within")?;
    Ok((0..sources.len())
        .map(|row| {
            let place = Place {
                offset: offsets[row] as u64,
                length: lengths[row] as u64,
                within: withins[row] as u64,
            };
            (sources[row], place)
        })
        .collect())
}

/// A group of pages: its segment, and its number there.
type GroupNumber = (u32, usize);

/// Reads pages again, with the archive and the group of pages at hand kept open.
pub(crate) struct PageReader<'c> {
    segments: Vec<Segment<'c>>,
    limits: RecordLimits,
    archives: Option<(u32, Archives)>,
    places: Option<(GroupNumber, Vec<(usize, Place)>)>,
}

impl<'c> PageReader<'c> {
    pub(crate) fn new(corpus: &'c Corpus, limits: RecordLimits) -> PageReader<'c> {
        PageReader {
            segments: corpus.segments().collect(),
            limits,
            archives: None,
            places: None,
        }
    }

    /// Reads a page; the inner error says in a few words why it cannot be read.
    pub(crate) fn read<T>(
        &mut self,
        page: PageRef,
        take: impl FnMut(&Page<'_>) -> T,
    ) -> Result<Result<T, String>, StoreError> {
        let segment = &self.segments[page.segment as usize];
        let group = (page.segment, page.page as usize / GROUP_ROWS);
        if self.places.as_ref().is_none_or(|(open, _)| *open != group) {
            self.places = Some((group, places(segment, &segment.pages()?, group.1)?));
        }
        if (self.archives.as_ref()).is_none_or(|(open, _)| *open != page.segment) {
            self.archives = Some((page.segment, Archives::of(segment, &self.limits)?));
        }
        let (Some((_, places)), Some((_, archives))) = (&self.places, &mut self.archives) else {
            return Ok(Err("there is no such page".to_owned()));
        };
        let Some(&(source, place)) = places.get(page.page as usize % GROUP_ROWS) else {
            return Ok(Err("there is no such page".to_owned()));
        };
        if (archives.names.get(source)).is_some_and(|name| is_of_stream(name)) {
            return Ok(Err("it came from standard input".to_owned()));
        }
        Ok(archives.page(source, place, take))
    }
}

/// A page with its text.
#[derive(Clone, Debug)]
pub struct PageText {
    /// Its URL.
    pub url: String,
    /// When it was fetched, in milliseconds since 1970.
    pub fetched: Option<i64>,
    /// How the text is cut; nothing for a file without text.
    pub content: Option<Content>,
    /// The text.
    pub text: String,
}

/// Reads the text of a page again. The inner error says, in a few words, why that cannot be done: the
/// archive was moved, or changed, or came from standard input.
pub fn read_page(
    corpus: &Corpus,
    page: PageRef,
    limits: &RecordLimits,
) -> Result<Result<PageText, String>, StoreError> {
    // As the corpus has it: a plain file may have been given another URL than its own.
    let url = page_names(corpus, &[page])?.pop().map(|(url, _)| url);
    let url = url.unwrap_or_default();
    PageReader::new(corpus, *limits).read(page, |found| PageText {
        url: url.clone(),
        fetched: found.fetched,
        content: found.text.map(|(content, _)| content),
        text: found.text.map_or("", |(_, text)| text).to_owned(),
    })
}

/// The pages with this URL, in the order of the corpus: one for each time it was fetched.
pub fn find_pages(corpus: &Corpus, url: &str) -> Result<Vec<PageRef>, StoreError> {
    let mut found = Vec::new();
    for (number, segment) in corpus.segments().enumerate() {
        let table = segment.pages()?;
        let mut page = 0;
        for group in 0..table.groups() {
            for text in table.texts(group, "url")? {
                if text.as_bytes() == url.as_bytes() {
                    found.push(PageRef {
                        segment: number as u32,
                        page,
                    });
                }
                page += 1;
            }
        }
    }
    Ok(found)
}
