//! Near-copies and shared phrases, as a report shows them.

use std::collections::{BTreeMap, BTreeSet};

use reprise_near::phrases::{MONSTER_MEAN, MONSTER_PAGES};
use reprise_near::{ClusterPage, Near, NearConfig};
use reprise_report as html;
use reprise_store::{Corpus, StoreError};
use reprise_store::{PageRef, page_names};

use crate::phrases::{PageCover, Phrases, Sample, SiteSummary};

/// Clusters that a report shows, and pages of each.
const CLUSTERS: usize = 20;
const CLUSTER_PAGES: usize = 10;
/// Phrases that a report shows.
const PHRASES: usize = 30;
/// Documents for each number of popular shingles whose donors are looked for, and the least such number,
/// as in the paper's figure 3.
const COVERS_EACH: usize = 10;
const COVERS_LEAST: u8 = 30;

/// Near-copies for a report.
pub fn near_copies(
    corpus: &Corpus,
    near: &Near,
    config: &NearConfig,
) -> Result<html::NearCopies, StoreError> {
    let mut clusters: Vec<&[ClusterPage]> =
        near.rows.chunk_by(|a, b| a.cluster == b.cluster).collect();
    clusters.sort_by_key(|cluster| std::cmp::Reverse(cluster.len()));
    clusters.truncate(CLUSTERS);
    let pages: Vec<PageRef> = clusters
        .iter()
        .flat_map(|cluster| cluster.iter().map(|row| row.page))
        .collect();
    let mut names = page_names(corpus, &pages)?.into_iter();
    let top = clusters.into_iter().map(|cluster| {
        let pages: Vec<(String, String)> = names.by_ref().take(cluster.len()).collect();
        cluster_of(cluster, &pages)
    });
    Ok(html::NearCopies {
        pages: near.pages,
        documents: near.documents,
        similarity: config.similarity,
        expected_recall: config.bands.recall(config.similarity),
        candidates: near.candidates,
        verified: near.verified,
        clusters: near.clusters,
        in_clusters: near.rows.len() as u64,
        largest: near.largest,
        removable: near.removable,
        largest_site: near.largest_site.clone(),
        unreadable: near.unreadable.pages,
        warnings: near.warnings.clone(),
        top: top.collect(),
    })
}

fn cluster_of(cluster: &[ClusterPage], named: &[(String, String)]) -> html::NearCluster {
    let sites: BTreeSet<&str> = named.iter().map(|(_, site)| site.as_str()).collect();
    let others = &cluster[1..];
    let sum: f64 = others.iter().map(|row| row.similarity).sum();
    html::NearCluster {
        representative: named[0].0.clone(),
        pages: cluster.len() as u64,
        sites: sites.len() as u64,
        similarity_min: others.iter().map(|row| row.similarity).fold(1.0, f64::min),
        similarity_mean: sum / others.len().max(1) as f64,
        examples: others
            .iter()
            .zip(&named[1..])
            .take(CLUSTER_PAGES)
            .map(|(row, (url, _))| html::NearPage {
                url: url.clone(),
                similarity: row.similarity,
                containment: row.containment,
            })
            .collect(),
    }
}

/// Shared phrases for a report.
pub fn phrase_findings(
    phrases: &Phrases<'_>,
    min_documents: u32,
) -> Result<html::PhraseFindings, StoreError> {
    let (top, _) = phrases.top(PHRASES)?;
    let sample = phrases.sample(&Sample {
        least: COVERS_LEAST,
        pages: COVERS_EACH,
        is_uniform: false,
        site: None,
    });
    let covers = phrases.covers(&sample, false)?;
    let sites = phrases.sites()?;
    let monsters = sites.iter().filter(|site| site.is_monster());
    let popular = &phrases.popular;
    Ok(html::PhraseFindings {
        documents: phrases.kept.len() as u64,
        popular: popular.shingles,
        min_documents,
        occurrences: popular.occurrences.iter().map(|(&a, &b)| (a, b)).collect(),
        per_document: popular.histogram(),
        top: top
            .into_iter()
            .map(|phrase| html::PhraseRow {
                phrase: phrase.phrase,
                documents: u64::from(phrase.documents),
                urls: phrase.urls,
            })
            .collect(),
        covers: cover_points(&covers),
        sites: sites
            .iter()
            .filter(|site| site.phrases.pages >= MONSTER_PAGES && site.phrases.mean >= MONSTER_MEAN)
            .map(|site| html::SitePoint {
                site: site.site.clone(),
                pages: site.phrases.pages,
                mean: site.phrases.mean,
                stddev: site.phrases.stddev,
                is_monster: site.is_monster(),
            })
            .collect(),
        monsters: monsters.map(monster).collect(),
    })
}

/// Pages with as many popular shingles and as many donors are one point.
fn cover_points(covers: &[PageCover]) -> Vec<html::CoverPoint> {
    let mut points: BTreeMap<(u32, u32), (u64, u64)> = BTreeMap::new();
    for PageCover { cover, .. } in covers {
        let point = points
            .entry((cover.popular, cover.donors.len() as u32))
            .or_default();
        point.0 += 1;
        point.1 += u64::from(cover.foreign);
    }
    points
        .into_iter()
        .map(|((popular, donors), (pages, foreign))| html::CoverPoint {
            popular,
            donors,
            pages,
            foreign_share: foreign as f64 / (pages * u64::from(popular)).max(1) as f64,
        })
        .collect()
}

fn monster(site: &SiteSummary) -> html::Monster {
    html::Monster {
        site: site.site.clone(),
        pages: site.phrases.pages,
        mean: site.phrases.mean,
        stddev: site.phrases.stddev,
        foreign: site.foreign.unwrap_or(0.0),
        donors: site.donors.clone(),
        example: site.example.as_ref().map(|cover| html::MonsterExample {
            url: cover.url.clone(),
            popular: cover.cover.popular,
            donors: (cover.cover.donors.iter().zip(&cover.donors))
                .map(|(donor, (url, _))| (url.clone(), donor.shingles, donor.is_foreign))
                .collect(),
        }),
    }
}
