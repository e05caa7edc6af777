//! The words of popular phrases, read back; covers and monsters of a corpus by their names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use reprise_ingest::Limits;
use reprise_near::KeptDocuments;
use reprise_near::phrases::{
    Cover, CoverConfig, Popular, PopularConfig, PopularShingle, SitePhrases, Target, covers, sites,
};
use reprise_shingle::{PHRASE_WORDS, SHINGLES, Shingler, Shingles, select, words};
use reprise_store::{AsBytes, Corpus, SHINGLE_GROUP_ROWS, Segment, StoreError};
use reprise_store::{PageRef, page_names};
use reprise_text::{Content, visible_runs};

use crate::evidence::PageReader;

/// A phrase that many pages share.
#[derive(Clone, Debug)]
pub struct PopularPhrase {
    /// Its words.
    pub phrase: String,
    /// How many documents have it.
    pub documents: u32,
    /// Some of them, each on another site.
    pub urls: Vec<String>,
}

/// A page with its donors.
#[derive(Clone, Debug)]
pub struct PageCover {
    /// Its URL.
    pub url: String,
    /// Its cover.
    pub cover: Cover,
    /// URL and site of each donor, in the order of the cover.
    pub donors: Vec<(String, String)>,
}

/// A site with what is known of its phrases.
#[derive(Clone, Debug)]
pub struct SiteSummary {
    /// Its name.
    pub site: String,
    /// Its figures.
    pub phrases: SitePhrases,
    /// Of the popular shingles of some of its pages, the share that other sites have; only for suspects.
    pub foreign: Option<f64>,
    /// The sites that gave most to these pages, with their shingles.
    pub donors: Vec<(String, u64)>,
    /// One of these pages with its donors.
    pub example: Option<PageCover>,
}

impl SiteSummary {
    /// Is it one of the paper's monsters, whose pages are stitched together from others' pages? A site
    /// with a template has as many popular shingles, but most of them come from its own pages.
    pub fn is_monster(&self) -> bool {
        self.phrases.is_suspect() && self.foreign.is_some_and(|share| share > 0.5)
    }

    /// Adds up who gave what to some of its pages.
    fn take_covers(&mut self, covers: Vec<PageCover>) {
        let (mut foreign, mut popular) = (0, 0);
        let mut donors: BTreeMap<String, u64> = BTreeMap::new();
        for cover in &covers {
            foreign += cover.cover.foreign;
            popular += cover.cover.popular;
            for (donor, (_, site)) in cover.cover.donors.iter().zip(&cover.donors) {
                if donor.is_foreign {
                    *donors.entry(site.clone()).or_default() += u64::from(donor.shingles);
                }
            }
        }
        self.foreign = (popular > 0).then(|| f64::from(foreign) / f64::from(popular));
        self.donors = donors.into_iter().collect();
        self.donors
            .sort_by_key(|&(_, shingles)| std::cmp::Reverse(shingles));
        self.donors.truncate(10);
        self.example = covers.into_iter().next();
    }
}

/// Which documents are sampled.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'s> {
    /// Only those with so many popular shingles or more.
    pub least: u8,
    /// How many: for each number of popular shingles, or in all.
    pub pages: usize,
    /// In all, whatever their number of popular shingles?
    pub is_uniform: bool,
    /// Only of this site.
    pub site: Option<&'s str>,
}

/// A corpus as those see it who look at phrases.
pub struct Phrases<'c> {
    corpus: &'c Corpus,
    limits: Limits,
    min_documents: u32,
    /// The documents without near-copies.
    pub kept: KeptDocuments,
    /// What is popular among them.
    pub popular: Popular,
}

/// Pages of a suspect whose donors are looked for.
const SUSPECT_PAGES: usize = 8;

impl<'c> Phrases<'c> {
    /// Leaves near-copies out and finds what is popular in the rest.
    pub fn read(
        corpus: &'c Corpus,
        limits: Limits,
        config: &PopularConfig,
        temporary: &Path,
    ) -> Result<Phrases<'c>, StoreError> {
        let kept = KeptDocuments::read(corpus, config.memory_bytes, temporary)?;
        // One phrase may be selected by every function.
        let more = PopularConfig {
            top: config.top.saturating_mul(SHINGLES),
            ..*config
        };
        let popular = Popular::find(corpus, &kept, &more)?;
        Ok(Phrases {
            corpus,
            limits,
            min_documents: config.min_documents,
            kept,
            popular,
        })
    }

    /// The words of the most popular phrases, and how many could not be read back.
    pub fn top(&self, most: usize) -> Result<(Vec<PopularPhrase>, usize), StoreError> {
        let mut reader = PageReader::new(self.corpus, self.limits);
        let mut seen = BTreeSet::new();
        let (mut found, mut unreadable) = (Vec::new(), 0);
        for popular in &self.popular.top {
            if found.len() >= most {
                break;
            }
            let phrase = match popular.samples.first() {
                Some(&document) => self.recover(&mut reader, document, popular)?,
                None => None,
            };
            let Some(phrase) = phrase else {
                unreadable += 1;
                continue;
            };
            if seen.insert(phrase.clone()) {
                found.push((phrase, popular));
            }
        }
        let pages: Vec<PageRef> = found
            .iter()
            .flat_map(|(_, popular)| &popular.samples)
            .map(|&document| self.kept.page(document))
            .collect();
        let mut names = page_names(self.corpus, &pages)?.into_iter();
        let phrases = found.into_iter().map(|(phrase, popular)| PopularPhrase {
            phrase,
            documents: popular.documents,
            urls: (names.by_ref().take(popular.samples.len()))
                .map(|(url, _)| url)
                .collect(),
        });
        Ok((phrases.collect(), unreadable))
    }

    fn recover(
        &self,
        reader: &mut PageReader<'_>,
        document: u32,
        popular: &PopularShingle,
    ) -> Result<Option<String>, StoreError> {
        let found = reader.read(self.kept.page(document), |page| {
            let (content, text) = page.text?;
            find_phrase(content, text, popular.function, popular.shingle)
        })?;
        Ok(found.ok().flatten())
    }

    /// The donors of a page; nothing for a page without words.
    pub fn cover(
        &self,
        page: PageRef,
        without_redundant: bool,
    ) -> Result<Option<PageCover>, StoreError> {
        Ok(self.covers(&[page], without_redundant)?.pop())
    }

    /// The donors of some pages; those without words are left out.
    pub fn covers(
        &self,
        pages: &[PageRef],
        without_redundant: bool,
    ) -> Result<Vec<PageCover>, StoreError> {
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
                // Near-copies may be on different sites.
                site: self.kept.sites().find(site).unwrap_or(u32::MAX),
                ips: addresses.of(page).into_iter().collect(),
            })
            .collect();
        let config = CoverConfig {
            min_documents: self.min_documents,
            without_redundant,
        };
        let ip = |document| addresses.of(self.kept.page(document));
        let found = covers(self.corpus, &self.kept, &targets, &ip, config)?;
        let donors: Vec<PageRef> = found
            .iter()
            .flat_map(|cover| &cover.donors)
            .map(|donor| self.kept.page(donor.document))
            .collect();
        let mut names = page_names(self.corpus, &donors)?.into_iter();
        Ok(found
            .into_iter()
            .zip(own_names)
            .map(|(cover, (url, _))| PageCover {
                url,
                donors: names.by_ref().take(cover.donors.len()).collect(),
                cover,
            })
            .collect())
    }

    /// A sample of documents.
    pub fn sample(&self, wanted: &Sample<'_>) -> Vec<PageRef> {
        let site = wanted.site.map(|site| self.kept.sites().find(site));
        let mut by_number: BTreeMap<u8, Vec<u32>> = BTreeMap::new();
        for (document, &number) in (0..).zip(&self.popular.per_document) {
            if number >= wanted.least
                && site.is_none_or(|site| site == Some(self.kept.site(document)))
            {
                let key = if wanted.is_uniform { 0 } else { number };
                by_number.entry(key).or_default().push(document);
            }
        }
        let mut sample: Vec<PageRef> = by_number
            .values()
            .flat_map(|documents| {
                // Evenly over the corpus, and the same on every run.
                let most = documents.len().min(wanted.pages);
                (0..most).map(move |at| documents[at * documents.len() / most])
            })
            .map(|document| self.kept.page(document))
            .collect();
        sample.sort_unstable();
        sample
    }

    /// All sites, the likely monsters first; for these, who gave what to some of their pages.
    pub fn sites(&self) -> Result<Vec<SiteSummary>, StoreError> {
        let mut summaries: Vec<SiteSummary> = sites(&self.kept, &self.popular)
            .into_iter()
            .map(|phrases| SiteSummary {
                site: self.kept.sites().name(phrases.site).to_string(),
                phrases,
                foreign: None,
                donors: Vec::new(),
                example: None,
            })
            .collect();
        let mut suspects: BTreeMap<u32, usize> = (summaries.iter())
            .filter(|site| site.phrases.is_suspect())
            .map(|site| (site.phrases.site, 0))
            .collect();
        let (mut pages, mut sites) = (Vec::new(), Vec::new());
        for document in 0..self.kept.len() as u32 {
            let site = self.kept.site(document);
            if let Some(taken) = suspects.get_mut(&site)
                && *taken < SUSPECT_PAGES
            {
                *taken += 1;
                pages.push(self.kept.page(document));
                sites.push(site);
            }
        }
        let mut covers: BTreeMap<u32, Vec<PageCover>> = BTreeMap::new();
        for (site, cover) in sites.into_iter().zip(self.covers(&pages, false)?) {
            covers.entry(site).or_default().push(cover);
        }
        for summary in &mut summaries {
            if let Some(covers) = covers.remove(&summary.phrases.site) {
                summary.take_covers(covers);
            }
        }
        summaries.sort_by_key(|site| std::cmp::Reverse(site.is_monster()));
        Ok(summaries)
    }
}

/// The words of the phrase that a function selected.
fn find_phrase(content: Content, text: &str, function: usize, shingle: u64) -> Option<String> {
    let mut shingler = Shingler::new();
    let mut found: Vec<String> = Vec::new();
    visible_runs(content, text, |run| {
        shingler.add(run);
        words(run, |_, word| found.push(word.to_owned()));
    });
    let start = shingler
        .phrases()
        .iter()
        .position(|&phrase| select(function, phrase) == shingle)?;
    let phrase = (start..start + PHRASE_WORDS).map(|at| found[at % found.len()].as_str());
    Some(phrase.collect::<Vec<_>>().join(" "))
}

/// The shingles of some pages. Neighbours in the list are looked up together.
fn read_shingles(corpus: &Corpus, pages: &[PageRef]) -> Result<Vec<Shingles>, StoreError> {
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
        table.shingles_into(number, "shingles", &mut group)?;
        let rows = same
            .iter()
            .map(|page| page.page as usize % SHINGLE_GROUP_ROWS);
        found.extend(rows.map(|row| group[row]));
    }
    Ok(found)
}

/// The address that each page came from, by number.
struct Addresses {
    by_segment: Vec<Vec<u32>>,
}

/// The address is not known.
const UNKNOWN: u32 = u32::MAX;

impl Addresses {
    fn read(corpus: &Corpus) -> Result<Addresses, StoreError> {
        let mut numbers: BTreeMap<Vec<u8>, u32> = BTreeMap::new();
        let mut by_segment = Vec::new();
        for segment in corpus.segments() {
            let table = segment.pages()?;
            let mut pages = Vec::new();
            for group in 0..table.groups() {
                for address in table.optional_texts(group, "ip")? {
                    pages.push(match address {
                        Some(address) => {
                            let next = numbers.len() as u32;
                            *numbers.entry(address.as_bytes().to_vec()).or_insert(next)
                        }
                        None => UNKNOWN,
                    });
                }
            }
            by_segment.push(pages);
        }
        Ok(Addresses { by_segment })
    }

    fn of(&self, page: PageRef) -> Option<u32> {
        let number = self.by_segment[page.segment as usize][page.page as usize];
        (number != UNKNOWN).then_some(number)
    }
}
