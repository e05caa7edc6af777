//! One page against labels, in milliseconds: for crawlers, proxies and hosting sites.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use reprise_discover::StopRules;
use reprise_fingerprint::Fingerprint;
use reprise_ingest::Page;
use reprise_store::{LabelReader, LabelRow, Level, StoreError};
use reprise_url::Site;

use crate::chunks::chunks_of;

/// What was found in a page.
#[derive(Clone, Debug)]
pub struct Checked {
    /// URL of the page.
    pub url: String,
    /// Does it copy: is there a label in it that does not come from its own site?
    pub is_copy: bool,
    /// Labelled chunks by chunks, stop chunks left out of both; 0 for a page without chunks.
    pub contains: f64,
    /// Labelled chunks, repeats counted.
    pub matched: u64,
    /// Chunks, repeats counted.
    pub chunks: u64,
    /// Is the file as a whole labelled?
    pub file_matched: bool,
    /// Labelled chunks that only come from the page's own site, which makes no copy.
    pub own: u64,
    /// Where the chunks come from: most chunks first.
    pub sources: Vec<CheckedSource>,
    /// The evidence: each labelled chunk.
    pub matches: Vec<CheckedMatch>,
}

/// A page that labels come from.
#[derive(Clone, Debug)]
pub struct CheckedSource {
    /// Its URL.
    pub url: String,
    /// Its site.
    pub site: String,
    /// What the analyst calls it.
    pub name: String,
    /// Chunks of the page that are on it.
    pub chunks: u64,
}

/// A labelled chunk.
#[derive(Clone, Debug)]
pub struct CheckedMatch {
    /// Bytes of the page's text that hold it.
    pub span: Range<usize>,
    /// Its fingerprint.
    pub fingerprint: Fingerprint,
    /// URL of the label.
    pub url: String,
    /// Site of the label.
    pub site: String,
}

/// Looks up the chunks of a page. The match is exact, so it is wrong only if two texts have the same
/// fingerprint, which nobody has ever seen happen.
///
/// `url` says whose the page is, which a page from a file may not know.
pub fn check(
    url: &str,
    page: &Page<'_>,
    labels: &mut LabelReader<'_>,
    stop: &StopRules,
) -> Result<Checked, StoreError> {
    let settings = labels.labels().settings()?;
    let site = Site::of(url).site;
    let mut checked = Checked {
        url: url.to_owned(),
        is_copy: false,
        contains: 0.0,
        matched: 0,
        chunks: 0,
        file_matched: false,
        own: 0,
        sources: Vec::new(),
        matches: Vec::new(),
    };
    let chunks: Vec<_> = page.text.map_or_else(Vec::new, |(content, text)| {
        let mut chunks = chunks_of(content, text, settings, stop);
        chunks.retain(|chunk| !chunk.is_stop);
        chunks
    });
    checked.chunks = chunks.len() as u64;
    // Labels are read in their order, so that each group of them is read once.
    let known: BTreeSet<Fingerprint> = chunks.iter().map(|chunk| chunk.fingerprint).collect();
    let mut found: BTreeMap<Fingerprint, (LabelRow, bool)> = BTreeMap::new();
    for fingerprint in known {
        let rows = labels.find(&fingerprint, Level::Chunk)?;
        let foreign = rows.iter().find(|row| site.is_empty() || row.site != site);
        if let Some(label) = foreign.or(rows.first()) {
            found.insert(fingerprint, (label.clone(), foreign.is_some()));
        }
    }
    let mut sources: BTreeMap<String, CheckedSource> = BTreeMap::new();
    for chunk in chunks {
        let Some((label, is_foreign)) = found.get(&chunk.fingerprint) else {
            continue;
        };
        checked.matched += 1;
        checked.own += u64::from(!is_foreign);
        checked.is_copy |= is_foreign;
        sources
            .entry(label.url.clone())
            .or_insert_with(|| CheckedSource {
                url: label.url.clone(),
                site: label.site.clone(),
                name: label.name.clone(),
                chunks: 0,
            })
            .chunks += 1;
        checked.matches.push(CheckedMatch {
            span: chunk.span,
            fingerprint: chunk.fingerprint,
            url: label.url.clone(),
            site: label.site.clone(),
        });
    }
    let files = labels.find(&settings.hash.fingerprint(page.body), Level::File)?;
    checked.file_matched = !files.is_empty();
    checked.is_copy |= files.iter().any(|row| site.is_empty() || row.site != site);
    if checked.chunks > 0 {
        checked.contains = checked.matched as f64 / checked.chunks as f64;
    }
    checked.sources = sources.into_values().collect();
    checked
        .sources
        .sort_by_key(|source| std::cmp::Reverse(source.chunks));
    Ok(checked)
}
