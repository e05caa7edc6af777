//! Campaigns, as a report shows them.

use std::collections::BTreeSet;

use reprise_imatch::{Contexts, Lexicon, SignerConfig};
use reprise_ingest::{RecordLimits, format_date};
use reprise_near::{ClusterPage, Near, NearConfig};
use reprise_report as html;
use reprise_store::{AsBytes, Corpus, StoreError};
use reprise_store::{PageRef, SegmentPages, SiteNumbers, page_names};
use reprise_text::{ChunkForm, Content, normalize};

use crate::evidence::read_page;

/// Campaigns that a report shows, and documents of each.
const CAMPAIGNS: usize = 20;
const DOCUMENTS: usize = 10;
/// Characters of the beginning of a text.
const OPENING_CHARS: usize = 120;

/// What signatures were made with.
#[derive(Clone, Copy, Debug)]
pub struct SignedWith<'s> {
    /// The lexicon.
    pub lexicon: &'s Lexicon,
    /// Was it trained on this corpus itself?
    pub is_own: bool,
    /// Its contexts.
    pub contexts: Option<&'s Contexts>,
    /// How.
    pub config: SignerConfig,
}

/// Campaigns for a report, with how their texts begin read back.
pub fn campaigns(
    corpus: &Corpus,
    near: &Near,
    config: &NearConfig,
    with: &SignedWith<'_>,
    limits: &RecordLimits,
) -> Result<html::Campaigns, StoreError> {
    let mut found: Vec<(&[ClusterPage], &[Box<str>])> = Vec::new();
    let mut terms = near.terms.as_slice();
    for cluster in near.rows.chunk_by(|a, b| a.cluster == b.cluster) {
        let (here, rest) = terms.split_at(cluster.len().min(terms.len()));
        found.push((cluster, here));
        terms = rest;
    }
    found.sort_by_key(|(cluster, _)| std::cmp::Reverse(cluster.len()));
    found.truncate(CAMPAIGNS);
    let dates = Dates::read(corpus)?;
    let mut top = Vec::new();
    for (cluster, terms) in found {
        top.push(campaign(corpus, cluster, terms, &dates, limits)?);
    }
    Ok(html::Campaigns {
        documents: near.documents,
        lexicon_terms: with.lexicon.len() as u64,
        is_own_lexicon: with.is_own,
        contexts: with.contexts.map(|contexts| contexts.len() as u64),
        terms_min: with.config.overlap_min,
        randomised: with.config.randomised.map_or(0, |some| some.lexicons),
        shared_min: config.similarity,
        clusters: near.clusters,
        in_clusters: near.rows.len() as u64,
        largest: near.largest,
        unreadable: near.unreadable.pages,
        warnings: near.warnings.clone(),
        top,
    })
}

fn campaign(
    corpus: &Corpus,
    cluster: &[ClusterPage],
    terms: &[Box<str>],
    dates: &Dates,
    limits: &RecordLimits,
) -> Result<html::Campaign, StoreError> {
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
    Ok(html::Campaign {
        representative: names[0].0.clone(),
        opening: opening(corpus, pages[0], limits)?,
        documents: cluster.len() as u64,
        sites: sites.len() as u64,
        dates: first
            .zip(last)
            .map(|(&first, &last)| (day(first), day(last))),
        terms: common.into_iter().map(str::to_owned).collect(),
        examples: others
            .take(DOCUMENTS)
            .map(|((row, (url, _)), terms)| html::CampaignDocument {
                url: url.clone(),
                date: dates.get(row.page).map(day),
                terms: terms.split_whitespace().count() as u64,
                containment: row.containment,
            })
            .collect(),
    })
}

/// How a text begins; of mail, that is the subject.
fn opening(corpus: &Corpus, page: PageRef, limits: &RecordLimits) -> Result<String, StoreError> {
    let Ok(page) = read_page(corpus, page, limits)? else {
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

/// When pages were sent or fetched.
struct Dates {
    segments: Vec<SegmentPages>,
}

impl Dates {
    fn read(corpus: &Corpus) -> Result<Dates, StoreError> {
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

/// Is most of a corpus mail?
pub fn is_mail(corpus: &Corpus) -> Result<bool, StoreError> {
    let (mut mails, mut pages) = (0_u64, 0_u64);
    for segment in corpus.segments() {
        let table = segment.pages()?;
        for group in 0..table.groups() {
            for url in table.texts(group, "url")? {
                mails += u64::from(url.as_bytes().starts_with(b"mid:"));
                pages += 1;
            }
        }
    }
    Ok(mails * 2 > pages)
}
