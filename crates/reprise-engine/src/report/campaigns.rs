//! Campaigns, as a report shows them.

use std::collections::BTreeSet;
use std::path::Path;

use reprise_imatch::{Signing, SigningOptions};
use reprise_ingest::format_date;
use reprise_near::{ClusterPage, Keep, Near, NearFound};
use reprise_report::results::{Campaign, CampaignDocument, Campaigns};
use reprise_store::schema::Pages;
use reprise_store::{
    CorpusReader, PageRef, Progress, SegmentPages, SiteNumbers, StoreError, page_names,
};
use reprise_text::{ChunkForm, Content, normalize};

use crate::archives::PageCopy;
use crate::convert::ConvertOptions;
use crate::corpus::Corpus;
use crate::defaults;
use crate::error::Error;
use crate::imatch::SigningFiles;
use crate::near::NearOptions;
use crate::result_file::ResultFile;

/// The number of campaigns in a report.
const CAMPAIGNS: usize = 20;
/// The number of documents of each campaign.
const DOCUMENTS: usize = 10;
/// The characters of the beginning of a text.
const OPENING_CHARS: usize = 120;

/// How a report looks for campaigns.
#[derive(Clone, Debug)]
pub struct CampaignOptions {
    /// True to look for campaigns in any corpus, false only in mail.
    pub in_any_corpus: bool,
    /// The lexicons. `None` trains one on the corpus itself.
    pub files: Option<SigningFiles>,
    /// How documents are signed.
    pub signing: SigningOptions,
}

impl Default for CampaignOptions {
    fn default() -> CampaignOptions {
        CampaignOptions {
            in_any_corpus: false,
            files: None,
            signing: SigningOptions {
                randomised: defaults::imatch::RANDOMISED_LEXICONS,
                ..SigningOptions::default()
            },
        }
    }
}

impl Corpus {
    /// Finds campaigns if they are wanted, or if the corpus is mail.
    pub(super) fn find_campaigns(
        &self,
        options: &CampaignOptions,
        directory: Option<&Path>,
        progress: &dyn Progress,
    ) -> Result<Option<Campaigns>, Error> {
        if !options.in_any_corpus && !is_mail(&self.reader)? {
            return Ok(None);
        }
        let convert = ConvertOptions::default();
        let signing = match &options.files {
            Some(files) => files.read(&options.signing)?,
            None => match self.train_signing(&options.signing, &convert, progress) {
                Ok(signing) => signing,
                // A few mails without a common word have no campaigns. The report goes on.
                Err(Error::Train(_)) if !options.in_any_corpus => return Ok(None),
                Err(error) => return Err(error),
            },
        };
        let shared = defaults::near::SHARED;
        let method = Near::Imatch {
            shared,
            signing: &signing,
        };
        let near = NearOptions {
            keep: Keep::Oldest,
            convert,
        };
        let output = directory.map(|path| ResultFile::parquet(&path.join("campaigns.parquet")));
        let found = self.near(&method, &near, output.as_ref(), progress)?;
        Ok(Some(campaigns(&self.reader, &found, shared, &signing)?))
    }
}

fn campaigns(
    corpus: &CorpusReader,
    found: &NearFound,
    shared_min: f64,
    signing: &Signing,
) -> Result<Campaigns, StoreError> {
    let mut clusters: Vec<(&[ClusterPage], &[Box<str>])> = Vec::new();
    let mut terms = found.terms.as_slice();
    for cluster in found.rows.chunk_by(|a, b| a.cluster == b.cluster) {
        let (here, rest) = terms.split_at(cluster.len().min(terms.len()));
        clusters.push((cluster, here));
        terms = rest;
    }
    clusters.sort_by_key(|(cluster, _)| std::cmp::Reverse(cluster.len()));
    clusters.truncate(CAMPAIGNS);
    let dates = Dates::read(corpus)?;
    let mut top = Vec::new();
    for (cluster, terms) in clusters {
        top.push(campaign(corpus, cluster, terms, &dates)?);
    }
    let copies = &found.copies;
    let contexts = signing.primary.contexts.as_ref();
    Ok(Campaigns {
        documents: copies.documents,
        lexicon_terms: signing.primary.lexicon.len() as u64,
        is_own_lexicon: signing.is_own,
        contexts: contexts.map(|contexts| contexts.len() as u64),
        terms_min: signing.config.overlap_min,
        randomised: (signing.config.randomised).map_or(0, |randomised| randomised.lexicons),
        shared_min,
        clusters: copies.clusters,
        in_clusters: found.rows.len() as u64,
        largest: copies.largest,
        unreadable: copies.unreadable,
        warnings: copies.warnings.clone(),
        top,
    })
}

fn campaign(
    corpus: &CorpusReader,
    cluster: &[ClusterPage],
    terms: &[Box<str>],
    dates: &Dates,
) -> Result<Campaign, StoreError> {
    let pages: Vec<PageRef> = cluster.iter().map(|row| row.page).collect();
    let names = page_names(corpus, &pages)?;
    let sites: BTreeSet<&str> = names.iter().map(|(_, site)| site.as_str()).collect();
    let known: Vec<i64> = pages.iter().filter_map(|&page| dates.get(page)).collect();
    let (first, last) = (known.iter().min(), known.iter().max());
    let mut words = terms.iter().map(|terms| terms.split(' '));
    let mut common: Vec<&str> = words.next().into_iter().flatten().collect();
    for words in words {
        let words: BTreeSet<&str> = words.collect();
        common.retain(|term| words.contains(term));
    }
    let others = cluster.iter().zip(&names).zip(terms).skip(1);
    Ok(Campaign {
        representative: names[0].0.clone(),
        opening: opening(corpus, pages[0])?,
        documents: cluster.len() as u64,
        sites: sites.len() as u64,
        dates: first
            .zip(last)
            .map(|(&first, &last)| (day(first), day(last))),
        terms: common.into_iter().map(str::to_owned).collect(),
        examples: others
            .take(DOCUMENTS)
            .map(|((row, (url, _)), terms)| CampaignDocument {
                url: url.clone(),
                date: dates.get(row.page).map(day),
                terms: terms.split_whitespace().count() as u64,
                containment: row.containment,
            })
            .collect(),
    })
}

/// Returns the beginning of a text; of mail, that is the subject.
fn opening(corpus: &CorpusReader, page: PageRef) -> Result<String, StoreError> {
    let Ok(page) = PageCopy::read(corpus, page)? else {
        return Ok(String::new());
    };
    let mut visible = String::new();
    let content = page.content.unwrap_or(Content::Other);
    normalize(content, ChunkForm::Text, &page.text, &mut visible);
    let mut opening: String = visible.chars().take(OPENING_CHARS).collect();
    if opening.len() < visible.len() {
        opening.push('\u{2026}');
    }
    Ok(opening)
}

fn day(milliseconds: i64) -> String {
    let mut date = format_date(milliseconds);
    date.truncate("2004-02-03".len());
    date
}

/// The times at which pages were sent or fetched.
struct Dates {
    segments: Vec<SegmentPages>,
}

impl Dates {
    fn read(corpus: &CorpusReader) -> Result<Dates, StoreError> {
        let mut sites = SiteNumbers::default();
        let segments = corpus.segments();
        let segments = segments.map(|segment| SegmentPages::read(&segment, &mut sites));
        Ok(Dates {
            segments: segments.collect::<Result<_, _>>()?,
        })
    }

    fn get(&self, page: PageRef) -> Option<i64> {
        let fetched = self.segments[page.segment as usize].fetched[page.page as usize];
        (fetched != i64::MAX).then_some(fetched)
    }
}

/// Returns true if more than half of the pages are mails.
fn is_mail(corpus: &CorpusReader) -> Result<bool, StoreError> {
    let (mut mails, mut pages) = (0_u64, 0_u64);
    for segment in corpus.segments() {
        let table = segment.pages()?;
        for group in 0..table.groups() {
            for url in table.read(group, Pages::URL)?.iter() {
                mails += u64::from(url.starts_with(b"mid:"));
                pages += 1;
            }
        }
    }
    Ok(mails * 2 > pages)
}
