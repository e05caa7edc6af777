//! Near-copies.

use std::collections::HashSet;
use std::io::{BufWriter, Write};
use std::path::Path;

use reprise_near::{Keep, Near, NearContext, NearFound, near, write_clusters};
use reprise_store::schema::Pages;
use reprise_store::{Aside, CorpusReader, PageRef, Progress, StoreError, create_file};

use crate::archives::ArchiveTexts;
use crate::convert::ConvertOptions;
use crate::corpus::Corpus;
use crate::defaults;
use crate::error::Error;
use crate::result_file::ResultFile;

/// The options of [`Corpus::near`] that all methods share.
#[derive(Clone, Debug)]
pub struct NearOptions {
    /// The page of each cluster that is kept.
    pub keep: Keep,
    /// How documents become plain text, for fuzzy hashes and signatures.
    pub convert: ConvertOptions,
}

impl Default for NearOptions {
    fn default() -> NearOptions {
        NearOptions {
            keep: defaults::near::KEEP,
            convert: ConvertOptions::default(),
        }
    }
}

impl Corpus {
    /// Finds pages that are nearly the same.
    ///
    /// ```no_run
    /// use reprise_engine::{Corpus, Near, NearOptions};
    ///
    /// let corpus = Corpus::open("corpus")?;
    /// let found = corpus.near(&Near::default(), &NearOptions::default(), None, &())?;
    /// println!("{} of {} pages can go", found.copies.removable, found.copies.pages);
    /// # Ok::<(), reprise_engine::Error>(())
    /// ```
    ///
    /// If `output` is given, the pages of all clusters are written there.
    pub fn near(
        &self,
        method: &Near<'_>,
        options: &NearOptions,
        output: Option<&ResultFile>,
        progress: &dyn Progress,
    ) -> Result<NearFound, Error> {
        method.validate()?;
        let texts = self.texts(&options.convert);
        let temporary = Corpus::temporary(output.map(|output| output.path.as_path()));
        let context = NearContext {
            keep: options.keep,
            memory_bytes: self.resources.memory_bytes,
            temporary: &temporary,
            progress,
        };
        let found = self
            .resources
            .install(|| near(&self.reader, method, &texts, &context))??;
        if let Some(ResultFile { path, format }) = output {
            write_clusters(&self.reader, &found, path, *format)?;
        }
        Ok(found)
    }

    pub(crate) fn texts(&self, options: &ConvertOptions) -> ArchiveTexts<'_> {
        ArchiveTexts::new(&self.reader, self.resources.threads(), options)
    }

    /// Writes the URLs of the pages that can be dropped, one per line and each once. A URL with several
    /// captures can be dropped only if all of them can.
    pub fn write_drop_list(&self, found: &NearFound, path: &Path) -> Result<(), Error> {
        Dropped::read(&self.reader, found)?.write(&self.reader, path, true)
    }

    /// Writes the URLs of all other pages, one per line and each once.
    pub fn write_keep_list(&self, found: &NearFound, path: &Path) -> Result<(), Error> {
        Dropped::read(&self.reader, found)?.write(&self.reader, path, false)
    }

    /// Calls `see` with every page and its URL, in the order of the corpus.
    pub fn for_each_url<E: From<StoreError>>(
        &self,
        see: impl FnMut(PageRef, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        for_each_url(&self.reader, see)
    }
}

/// The URLs that can be dropped.
struct Dropped {
    urls: HashSet<Vec<u8>>,
}

impl Dropped {
    fn read(corpus: &CorpusReader, found: &NearFound) -> Result<Dropped, StoreError> {
        let rows = found.rows.iter().filter(|row| !row.keep);
        let mut pages: Vec<PageRef> = rows.map(|row| row.page).collect();
        pages.sort_unstable();
        let is_dropped = |page: PageRef| pages.binary_search(&page).is_ok();
        let mut urls = HashSet::new();
        for_each_url(corpus, |page, url: &[u8]| {
            if is_dropped(page) {
                urls.insert(url.to_vec());
            }
            Ok::<_, StoreError>(())
        })?;
        for_each_url(corpus, |page, url: &[u8]| {
            if !is_dropped(page) {
                urls.remove(url);
            }
            Ok::<_, StoreError>(())
        })?;
        Ok(Dropped { urls })
    }

    fn write(&self, corpus: &CorpusReader, path: &Path, is_dropped: bool) -> Result<(), Error> {
        let failed = Error::writing(path);
        let aside = Aside::of(path);
        let mut file = BufWriter::new(create_file(aside.path()).map_err(&failed)?);
        let mut written = HashSet::new();
        for_each_url(corpus, |_, url: &[u8]| {
            if self.urls.contains(url) == is_dropped && written.insert(url.to_vec()) {
                // A line break in a URL must not break the list.
                let line = String::from_utf8_lossy(url);
                let line = line.replace('\n', "%0A").replace('\r', "%0D");
                writeln!(file, "{line}").map_err(&failed)?;
            }
            Ok::<_, Error>(())
        })?;
        file.flush().map_err(&failed)?;
        Ok(aside.keep()?)
    }
}

fn for_each_url<E: From<StoreError>>(
    corpus: &CorpusReader,
    mut see: impl FnMut(PageRef, &[u8]) -> Result<(), E>,
) -> Result<(), E> {
    for (segment, held) in (0..).zip(corpus.segments()) {
        let table = held.pages()?;
        let mut page = PageRef { segment, page: 0 };
        for group in 0..table.groups() {
            for url in table.read(group, Pages::URL)?.iter() {
                see(page, url)?;
                page.page += 1;
            }
        }
    }
    Ok(())
}
