//! Checks pages against labels.

use std::path::Path;
use std::sync::Arc;

use reprise_chunk::{Checked, ChunkSettings, PageView, StopRules, check};
use reprise_ingest::{
    BatchReader, Batches, InputConfig, Inputs, Item, Page, Problem, RecordLimits, Source,
};
use reprise_store::{LabelReader, Labels};

use crate::defaults;
use crate::error::Error;

/// Labels to check pages against. Opening takes milliseconds: the file is mapped, not read.
pub struct Checker {
    labels: Labels,
    settings: ChunkSettings,
    stop: StopRules,
}

/// The result of one record of an input.
#[derive(Debug)]
pub enum CheckedItem {
    /// A page.
    Page(Checked),
    /// A record that is not a page, or is damaged.
    Problem(Problem),
}

impl Checker {
    /// Opens a label file. `stop` replaces the least length that the labels were made with.
    pub fn open(labels: &Path, stop: Option<StopRules>) -> Result<Checker, Error> {
        Checker::new(Labels::open(labels)?, stop)
    }

    /// Makes a checker of labels. `stop` replaces the least length that they were made with.
    pub fn new(labels: Labels, stop: Option<StopRules>) -> Result<Checker, Error> {
        let settings = labels.settings()?;
        let min_length = labels.header().min_length;
        Ok(Checker {
            settings,
            stop: stop.unwrap_or_else(|| StopRules::new(min_length, Vec::new())),
            labels,
        })
    }

    /// Returns the labels.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Starts a session. Sessions keep parts of the labels in memory and are cheap to make.
    pub fn session(&self) -> CheckSession<'_> {
        CheckSession {
            checker: self,
            labels: self.labels.reader(),
            limits: RecordLimits {
                body_bytes: defaults::CHECK_BODY_BYTES,
                ..defaults::READ_BACK_LIMITS
            },
        }
    }
}

/// Checks pages one after another.
pub struct CheckSession<'c> {
    checker: &'c Checker,
    labels: LabelReader<'c>,
    limits: RecordLimits,
}

impl CheckSession<'_> {
    /// Checks a page.
    pub fn page(&mut self, page: &PageView<'_>) -> Result<Checked, Error> {
        let Checker { settings, stop, .. } = self.checker;
        Ok(check(page, &mut self.labels, *settings, stop)?)
    }

    /// Checks all pages of an input: a file, a directory, `@list` or `-`. `url` replaces the URL of each
    /// page. `see` is called with each result and may end the check with an error.
    pub fn input<E: From<Error>>(
        &mut self,
        input: &str,
        url: Option<&str>,
        see: &mut dyn FnMut(CheckedItem) -> Result<(), E>,
    ) -> Result<(), E> {
        let config = InputConfig {
            base_url: None,
            spool_directory: std::env::temp_dir(),
            passed_by: Vec::new(),
            limits: self.limits,
        };
        let inputs = Inputs::open(&[input.to_owned()], &config).map_err(Error::from)?;
        self.sources(inputs.sources.clone(), url, see)
    }

    /// Checks all pages in `bytes`, a file in any format that has the name `name`.
    pub fn bytes<E: From<Error>>(
        &mut self,
        name: &str,
        bytes: Vec<u8>,
        url: Option<&str>,
        see: &mut dyn FnMut(CheckedItem) -> Result<(), E>,
    ) -> Result<(), E> {
        let source = Source::from_bytes(name, bytes, &self.limits)
            .map_err(|error| Error::reading(Path::new(name))(error))?;
        self.sources(vec![source], url, see)
    }

    /// Returns the largest line of rows that [`bytes`](Self::bytes) accepts.
    pub fn line_bytes_max(&self) -> u64 {
        self.limits.body_bytes as u64 * 2
    }

    /// Fetches a page over HTTP or HTTPS and checks it.
    #[cfg(feature = "crawl")]
    pub fn url<E: From<Error>>(
        &mut self,
        url: &str,
        fetch: &reprise_crawl::FetchOne,
        see: &mut dyn FnMut(CheckedItem) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut fetch = fetch.clone();
        fetch.fetch.body_bytes = self.limits.body_bytes;
        fetch.fetch.header_bytes = self.limits.header_bytes;
        let fetched = reprise_crawl::fetch_one(url, &fetch).map_err(|source| Error::Fetch {
            url: url.to_owned(),
            source,
        })?;
        if !(200..300).contains(&fetched.status) {
            let (url, status) = (fetched.url, fetched.status);
            return Err(Error::Status { url, status }.into());
        }
        let mut result = Ok(());
        let limits = self.limits;
        reprise_ingest::read_response(&fetched.url, &fetched.block, &limits, &mut |item| {
            if result.is_ok() {
                result = self.item(item, None, see);
            }
        });
        result
    }

    fn sources<E: From<Error>>(
        &mut self,
        sources: Vec<Source>,
        url: Option<&str>,
        see: &mut dyn FnMut(CheckedItem) -> Result<(), E>,
    ) -> Result<(), E> {
        let sources: Arc<[Source]> = sources.into();
        let mut batches = Batches::new(Arc::clone(&sources), self.limits);
        let mut reader = BatchReader::new(sources, self.limits);
        let mut result = Ok(());
        while let Some(batch) = batches.next_batch().filter(|_| result.is_ok()) {
            reader.read(&batch, None, &mut |_, item| {
                if result.is_ok() {
                    result = self.item(item, url, see);
                }
            });
        }
        result
    }

    fn item<E: From<Error>>(
        &mut self,
        item: Item<'_>,
        url: Option<&str>,
        see: &mut dyn FnMut(CheckedItem) -> Result<(), E>,
    ) -> Result<(), E> {
        match item {
            Item::Page(page) => {
                let checked = self.page(&view(&page, url))?;
                see(CheckedItem::Page(checked))
            }
            Item::Problem(problem) if problem.kind.is_listed() => {
                see(CheckedItem::Problem(problem.clone()))
            }
            _ => Ok(()),
        }
    }
}

fn view<'p>(page: &'p Page<'_>, url: Option<&'p str>) -> PageView<'p> {
    PageView {
        url: url.unwrap_or(page.url),
        body: page.body,
        text: page.text,
    }
}
