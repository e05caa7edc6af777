//! The source files of a segment, opened when they are needed.

use std::sync::Arc;

use reprise_ingest::{
    BatchReader, Batches, InputConfig, InputError, Inputs, Item, Page, Place, RecordLimits, Source,
    is_of_stream, path_of, read_back,
};
use reprise_near::Unreadable;
use reprise_store::schema::{Pages, Sources};
use reprise_store::{Segment, StoreError, TableReader};

/// The source files of a segment. At most one is open at a time.
pub(crate) struct Archives {
    pub(crate) names: Vec<String>,
    limits: RecordLimits,
    open: Option<(usize, Result<Inputs, Unreadable>)>,
}

/// Fewer pages than this are looked up one by one in any source.
const FEW_PAGES: usize = 4;

/// Makes an error for a page that cannot be read back.
pub(crate) fn unreadable(reason: impl Into<String>) -> Unreadable {
    Unreadable {
        reason: reason.into(),
    }
}

impl Archives {
    pub(crate) fn of(segment: &Segment<'_>, limits: &RecordLimits) -> Result<Archives, StoreError> {
        let names = segment.source_names()?;
        Ok(Archives {
            names: (0..names.len())
                .map(|row| names.to_str(row).into_owned())
                .collect(),
            limits: *limits,
            open: None,
        })
    }

    /// Reads a page back.
    pub(crate) fn page<T>(
        &mut self,
        source: usize,
        place: Place,
        mut take: impl FnMut(&Page<'_>) -> T,
    ) -> Result<T, Unreadable> {
        let limits = self.limits;
        let source = self.opened(source)?;
        let mut taken = None;
        read_back(source, place, &limits, &mut |item| {
            if let Item::Page(page) = item {
                taken = Some(take(&page));
            }
        })
        .map_err(|error| unreadable(error.to_string()))?;
        taken.ok_or_else(|| unreadable("the archive has no page at this position"))
    }

    /// Reads many pages of a source. Calls `give` with each page and its index in `places`, which must be
    /// sorted by offset and then by position within the member. Pages that are not found are left out.
    ///
    /// A source that can only be read from its beginning is read once for all pages.
    pub(crate) fn pages(
        &mut self,
        source: usize,
        places: &[Place],
        give: &mut dyn FnMut(usize, &Page<'_>),
    ) -> Result<(), Unreadable> {
        let limits = self.limits;
        let opened = self.opened(source)?;
        if places.len() < FEW_PAGES || opened.is_split() {
            for (index, &place) in places.iter().enumerate() {
                // A page that cannot be read does not affect the others.
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

    /// Returns true if the source was standard input, a pipe or a device.
    pub(crate) fn is_stream(&self, source: usize) -> bool {
        (self.names.get(source)).is_some_and(|name| is_of_stream(name))
    }

    /// Opens a source. The error names it.
    fn opened(&mut self, source: usize) -> Result<&Source, Unreadable> {
        let name = self.names[source].clone();
        self.source(source)
            .map_err(|error| unreadable(format!("{name}: {error}")))
    }

    /// Opens a source.
    pub(crate) fn source(&mut self, source: usize) -> Result<&Source, Unreadable> {
        if self.open.as_ref().is_none_or(|(open, _)| *open != source) {
            let file = file_of(&self.names[source]).to_owned();
            let config = InputConfig {
                base_url: None,
                spool_directory: std::env::temp_dir(),
                passed_by: Vec::new(),
                limits: self.limits,
            };
            let inputs = Inputs::open(&[file], &config).map_err(|error| match error {
                // The caller knows the name of the file.
                InputError::Unreadable { source, .. } => {
                    unreadable(format!("it cannot be read: {source}"))
                }
                error => unreadable(error.to_string()),
            });
            self.open = Some((source, inputs));
        }
        let name = &self.names[source];
        let inputs = match &self.open {
            Some((_, Ok(inputs))) => inputs,
            Some((_, Err(error))) => return Err(error.clone()),
            None => return Err(unreadable("it cannot be read")),
        };
        let mut sources = inputs.sources.iter();
        sources
            .find(|candidate| candidate.name == *name)
            .ok_or_else(|| unreadable("it no longer exists"))
    }
}

/// Returns the file of a source. A source inside a WACZ is named `file!/entry`; a file name may contain
/// `!/` as well.
fn file_of(name: &str) -> &str {
    let mut files = name.match_indices("!/").map(|(at, _)| &name[..at]);
    files.find(|name| path_of(name).is_file()).unwrap_or(name)
}

/// Reads the source and the position of each page of a group.
pub(crate) fn places(
    segment: &Segment<'_>,
    pages: &TableReader<Pages>,
    group: usize,
) -> Result<Vec<(usize, Place)>, StoreError> {
    let source_count = segment.summary().rows::<Sources>() as usize;
    let sources = pages.indices(group, Pages::SOURCE, source_count)?;
    let offsets = pages.read(group, Pages::OFFSET)?;
    let lengths = pages.read(group, Pages::LENGTH)?;
    let withins = pages.read(group, Pages::WITHIN)?;
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
