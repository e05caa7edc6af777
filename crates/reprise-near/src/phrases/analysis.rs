//! Finds the popular phrases of a corpus, with their words, sources and sites.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use reprise_report::results::{
    CoverPoint, PageSource, PageSources, PhraseFindings, PopularPhrase, PopularPhrases,
    SitePhrases, SourceSite,
};
use reprise_shingle::{PHRASE_WORDS, SHINGLES, Shingler, Shingles, select, words};
use reprise_store::schema::Sketches;
use reprise_store::{
    CorpusReader, PageRef, Progress, SHINGLE_GROUP_ROWS, Segment, StoreError, Unit, page_names,
};
use reprise_text::visible_runs;

use super::addresses::Addresses;
use super::cover_sets::{CoverConfig, Target, covers};
use super::options::{PhraseOptions, SampleOptions};
use super::popular::{Popular, PopularShingle};
use super::sites::{SiteFigures, sites};
use crate::kept::KeptDocuments;
use crate::reader::{PageText, TextForm, TextReader};

/// The popular phrases of a corpus with shingles.
pub struct Phrases<'c, R> {
    corpus: &'c CorpusReader,
    reader: R,
    options: PhraseOptions,
    /// The documents without their near-copies.
    kept: KeptDocuments,
    popular: Popular,
    progress: &'c dyn Progress,
}

/// The number of pages of an even site whose sources are searched.
const EVEN_SITE_PAGES: usize = 8;
/// The number of example documents of a popular phrase.
const SAMPLES: usize = 3;
/// The number of pages that are read at once to find the words of phrases.
const PAGES_AT_ONCE: usize = 64;
/// The most source sites of a site in the result.
const SOURCE_SITES: usize = 10;

impl<'c, R: TextReader> Phrases<'c, R> {
    /// Excludes near-copies and finds the popular shingles of the other pages.
    pub fn find(
        corpus: &'c CorpusReader,
        reader: R,
        options: PhraseOptions,
        memory_bytes: usize,
        temporary: &Path,
        progress: &'c dyn Progress,
    ) -> Result<Phrases<'c, R>, StoreError> {
        let kept = KeptDocuments::read(corpus, memory_bytes, temporary, progress)?;
        // All 84 functions may select the same phrase.
        let top = options.top.saturating_mul(SHINGLES);
        let popular = Popular::find(
            corpus,
            &kept,
            options.min_documents,
            (top, SAMPLES),
            memory_bytes,
            progress,
        )?;
        Ok(Phrases {
            corpus,
            reader,
            options,
            kept,
            popular,
            progress,
        })
    }

    /// Returns the figures and the words of the most popular phrases.
    pub fn popular(&self) -> Result<PopularPhrases, StoreError> {
        let (top, unreadable) = self.top()?;
        Ok(PopularPhrases {
            pages: self.kept.documents(),
            documents: self.kept.len() as u64,
            min_documents: self.options.min_documents,
            popular: self.popular.shingles,
            top,
            per_document: self.popular.histogram(),
            occurrences: (self.popular.occurrences.iter())
                .map(|(&documents, &shingles)| (documents, shingles))
                .collect(),
            unreadable,
        })
    }

    /// Returns the most popular phrases, and the number of those whose words could not be read back.
    fn top(&self) -> Result<(Vec<PopularPhrase>, u64), StoreError> {
        self.progress.begin("reading phrases", 0, Unit::Rows);
        let mut seen = BTreeSet::new();
        let (mut found, mut unreadable) = (Vec::new(), 0);
        'batches: for batch in self.popular.top.chunks(PAGES_AT_ONCE) {
            self.progress.check()?;
            for (popular, phrase) in batch.iter().zip(self.words_of(batch)?) {
                if found.len() >= self.options.top {
                    break 'batches;
                }
                let Some(phrase) = phrase else {
                    unreadable += 1;
                    continue;
                };
                if seen.insert(phrase.clone()) {
                    found.push((phrase, popular));
                }
            }
        }
        let samples = found.iter().flat_map(|(_, popular)| &popular.samples);
        let pages: Vec<PageRef> = samples.map(|&document| self.kept.page(document)).collect();
        let mut names = page_names(self.corpus, &pages)?.into_iter();
        let phrases = found.into_iter().map(|(phrase, popular)| {
            let names = names.by_ref().take(popular.samples.len());
            let urls: Vec<String> = names.map(|(url, _)| url).collect();
            PopularPhrase {
                phrase,
                documents: u64::from(popular.documents),
                url: urls.first().cloned(),
                urls,
            }
        });
        Ok((phrases.collect(), unreadable))
    }

    /// Reads the words of popular shingles from their pages. The result has `None` for words that cannot be
    /// read.
    fn words_of(&self, shingles: &[PopularShingle]) -> Result<Vec<Option<String>>, StoreError> {
        // Several shingles may come from the same page, which is then read once.
        let mut by_page: BTreeMap<PageRef, Vec<usize>> = BTreeMap::new();
        for (at, shingle) in shingles.iter().enumerate() {
            if let Some(&document) = shingle.samples.first() {
                let page = self.kept.page(document);
                by_page.entry(page).or_default().push(at);
            }
        }
        let pages: Vec<PageRef> = by_page.keys().copied().collect();
        let places: Vec<&[usize]> = by_page.values().map(Vec::as_slice).collect();
        let mut found = vec![None; shingles.len()];
        let words = || |text: PageText<'_>| PageWords::of(text);
        self.reader
            .read(&pages, TextForm::Page, words, |index, page| {
                if let Ok(Some(mut page)) = page {
                    for &at in places[index] {
                        found[at] = page.find(&shingles[at]);
                    }
                }
                Ok(())
            })?;
        Ok(found)
    }

    /// Returns the sources of some pages. Skips pages without words.
    pub fn sources(
        &self,
        pages: &[PageRef],
        without_redundant: bool,
    ) -> Result<Vec<PageSources>, StoreError> {
        let addresses = Addresses::read(self.corpus)?;
        let known = pages
            .iter()
            .filter_map(|&page| Some((page, self.kept.find(page)?)));
        let (pages, documents): (Vec<PageRef>, Vec<u32>) = known.unzip();
        let own_names = page_names(self.corpus, &pages)?;
        let targets: Vec<Target> = (pages.iter().zip(documents))
            .zip(read_shingles(self.corpus, &pages)?)
            .zip(&own_names)
            .map(|(((&page, document), shingles), (_, site))| Target {
                document,
                shingles,
                // The kept document of the page's class may be on another site.
                site: self.kept.sites().find(site).unwrap_or(u32::MAX),
                ips: addresses.of(page).into_iter().collect(),
            })
            .collect();
        let config = CoverConfig {
            min_documents: self.options.min_documents,
            without_redundant,
        };
        let ip = |document| addresses.of(self.kept.page(document));
        let found = covers(
            self.corpus,
            &self.kept,
            &targets,
            &ip,
            config,
            self.progress,
        )?;
        let sources: Vec<PageRef> = found
            .iter()
            .flat_map(|cover| &cover.sources)
            .map(|source| self.kept.page(source.document))
            .collect();
        let mut names = page_names(self.corpus, &sources)?.into_iter();
        let described = found.into_iter().zip(own_names).map(|(cover, (url, _))| {
            let pairs = cover.sources.iter().zip(names.by_ref());
            PageSources {
                url,
                popular: cover.popular,
                covered: cover.covered,
                foreign: cover.foreign,
                sources: pairs
                    .map(|(source, (url, site))| PageSource {
                        url,
                        site,
                        shingles: source.shingles,
                        is_foreign: source.is_foreign,
                    })
                    .collect(),
            }
        });
        Ok(described.collect())
    }

    /// Samples pages evenly from the corpus. The sample is the same in every run.
    pub fn sample(&self, options: &SampleOptions) -> Vec<PageRef> {
        let site = (options.site.as_deref()).map(|site| self.kept.sites().find(site));
        let mut by_number: BTreeMap<u8, Vec<u32>> = BTreeMap::new();
        for (document, &number) in (0..).zip(&self.popular.per_document) {
            if number >= options.popular_min
                && site.is_none_or(|site| site == Some(self.kept.site(document)))
            {
                let key = if options.is_uniform { 0 } else { number };
                by_number.entry(key).or_default().push(document);
            }
        }
        let mut sample: Vec<PageRef> = by_number
            .values()
            .flat_map(|documents| {
                let most = documents.len().min(options.pages);
                (0..most).map(move |at| documents[at * documents.len() / most])
            })
            .map(|document| self.kept.page(document))
            .collect();
        sample.sort_unstable();
        sample
    }

    /// Returns all sites, stitched ones first. For even sites, searches the sources of some pages.
    pub fn sites(&self) -> Result<Vec<SitePhrases>, StoreError> {
        let figures = sites(&self.kept, &self.popular);
        let mut even: BTreeMap<u32, usize> = (figures.iter())
            .filter(|site| site.is_even())
            .map(|site| (site.site, 0))
            .collect();
        let (mut pages, mut numbers) = (Vec::new(), Vec::new());
        for document in 0..self.kept.len() as u32 {
            let site = self.kept.site(document);
            if let Some(taken) = even.get_mut(&site)
                && *taken < EVEN_SITE_PAGES
            {
                *taken += 1;
                pages.push(self.kept.page(document));
                numbers.push(site);
            }
        }
        let mut sources: BTreeMap<u32, Vec<PageSources>> = BTreeMap::new();
        for (site, found) in numbers.into_iter().zip(self.sources(&pages, false)?) {
            sources.entry(site).or_default().push(found);
        }
        let mut described: Vec<SitePhrases> = figures
            .iter()
            .map(|site| {
                let name = self.kept.sites().name(site.site).to_string();
                describe(name, site, sources.remove(&site.site).unwrap_or_default())
            })
            .collect();
        described.sort_by_key(|site| std::cmp::Reverse(site.is_stitched));
        Ok(described)
    }

    /// Returns all findings that a report shows about phrases.
    pub fn findings(&self) -> Result<PhraseFindings, StoreError> {
        let sample = self.sample(&SampleOptions::default());
        Ok(PhraseFindings {
            popular: self.popular()?,
            covers: cover_points(&self.sources(&sample, false)?),
            sites: self.sites()?,
        })
    }
}

/// Adds the sources of some pages to the figures of their site.
fn describe(name: String, figures: &SiteFigures, pages: Vec<PageSources>) -> SitePhrases {
    let (mut foreign, mut popular) = (0, 0);
    let mut by_site: BTreeMap<&str, u64> = BTreeMap::new();
    for page in &pages {
        foreign += page.foreign;
        popular += page.popular;
        for source in page.sources.iter().filter(|source| source.is_foreign) {
            *by_site.entry(&source.site).or_default() += u64::from(source.shingles);
        }
    }
    let foreign = (popular > 0).then(|| f64::from(foreign) / f64::from(popular));
    let mut sources: Vec<SourceSite> = by_site
        .into_iter()
        .map(|(site, shingles)| SourceSite {
            site: site.to_owned(),
            shingles,
        })
        .collect();
    sources.sort_by_key(|source| std::cmp::Reverse(source.shingles));
    sources.truncate(SOURCE_SITES);
    SitePhrases {
        site: name,
        pages: figures.pages,
        mean: figures.mean,
        stddev: figures.stddev,
        is_even: figures.is_even(),
        is_stitched: figures.is_stitched(foreign),
        foreign,
        sources,
        example: pages.into_iter().next(),
    }
}

/// Groups pages by their numbers of popular shingles and of sources.
fn cover_points(pages: &[PageSources]) -> Vec<CoverPoint> {
    let mut points: BTreeMap<(u32, u32), (u64, u64)> = BTreeMap::new();
    for page in pages {
        let key = (page.popular, page.sources.len() as u32);
        let point = points.entry(key).or_default();
        point.0 += 1;
        point.1 += u64::from(page.foreign);
    }
    points
        .into_iter()
        .map(|((popular, sources), (pages, foreign))| CoverPoint {
            popular,
            sources,
            pages,
            foreign_share: foreign as f64 / (pages * u64::from(popular)).max(1) as f64,
        })
        .collect()
}

/// The words and phrases of a page.
struct PageWords {
    words: Vec<String>,
    phrases: Vec<u64>,
}

impl PageWords {
    fn of(text: PageText<'_>) -> PageWords {
        let mut shingler = Shingler::new();
        let mut found: Vec<String> = Vec::new();
        let mut add = |part: &str| {
            shingler.add(part);
            words(part, |_, word| found.push(word.to_owned()));
        };
        match text {
            PageText::Page(content, text) => visible_runs(content, text, &mut add),
            PageText::Plain(text) => add(text),
        }
        PageWords {
            phrases: shingler.phrases().to_vec(),
            words: found,
        }
    }

    /// Returns the words of the phrase that a function selected.
    fn find(&mut self, shingle: &PopularShingle) -> Option<String> {
        let is_it = |&phrase: &u64| select(shingle.function, phrase) == shingle.shingle;
        let start = self.phrases.iter().position(is_it)?;
        let count = self.words.len();
        let phrase = (start..start + PHRASE_WORDS).map(|at| self.words[at % count].as_str());
        Some(phrase.collect::<Vec<_>>().join(" "))
    }
}

/// Reads the shingles of some pages. Adjacent pages of the list in the same row group are read together.
fn read_shingles(corpus: &CorpusReader, pages: &[PageRef]) -> Result<Vec<Shingles>, StoreError> {
    let segments: Vec<Segment<'_>> = corpus.segments().collect();
    let group_of = |page: &PageRef| (page.segment, page.page as usize / SHINGLE_GROUP_ROWS);
    let mut found = Vec::with_capacity(pages.len());
    let mut group = Vec::new();
    for same in pages.chunk_by(|a, b| group_of(a) == group_of(b)) {
        let (segment, number) = group_of(&same[0]);
        let table = segments[segment as usize].shingles()?;
        let table = table.ok_or_else(|| StoreError::NoShingles {
            path: corpus.path().to_owned(),
        })?;
        table.shingles_into(number, Sketches::SHINGLES, &mut group)?;
        let rows = same
            .iter()
            .map(|page| page.page as usize % SHINGLE_GROUP_ROWS);
        found.extend(rows.map(|row| group[row]));
    }
    Ok(found)
}
