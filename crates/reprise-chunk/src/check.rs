//! Checks one page against labels.

use std::collections::{BTreeMap, BTreeSet};

use reprise_fingerprint::Fingerprint;
use reprise_text::Content;
use reprise_url::Site;

use crate::chunks::chunks;
use crate::labels::{Label, LabelLookup, Level};
use crate::settings::ChunkSettings;
use crate::stop::StopRules;

/// A page to check.
#[derive(Clone, Copy, Debug)]
pub struct PageView<'p> {
    /// The URL, which decides the site of the page.
    pub url: &'p str,
    /// The decoded body.
    pub body: &'p [u8],
    /// The body as text and its kind of content, or `None` for a file without text.
    pub text: Option<(Content, &'p str)>,
}

/// The result of checking a page.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Checked {
    /// The URL of the page.
    pub url: String,
    /// True if the page has a label that comes from another site.
    #[cfg_attr(feature = "serde", serde(rename = "copy"))]
    pub is_copy: bool,
    /// The share of counted chunks that are labelled, or 0 for a page without chunks.
    pub contains: f64,
    /// The number of labelled chunks. Repeats count.
    pub matched: u64,
    /// The number of chunks without stop chunks. Repeats count.
    pub chunks: u64,
    /// The number of labelled chunks whose labels come only from the page's site.
    pub own: u64,
    /// True if the whole file is labelled.
    pub file_matched: bool,
    /// The pages that the labels come from, most chunks first.
    pub sources: Vec<CheckedSource>,
    /// The labelled chunks, in page order.
    pub matches: Vec<CheckedMatch>,
}

/// A page that labels come from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CheckedSource {
    /// The URL of the page.
    pub url: String,
    /// The site of the page.
    pub site: String,
    /// The name given by the analyst.
    pub name: String,
    /// The number of chunks of the checked page that come from this page.
    pub chunks: u64,
}

/// A labelled chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CheckedMatch {
    /// The first byte of the chunk in the page's text.
    pub start: usize,
    /// The length in bytes.
    pub length: usize,
    /// The fingerprint.
    pub fingerprint: Fingerprint,
    /// The URL of the label.
    pub url: String,
    /// The site of the label.
    pub site: String,
}

/// Looks up the chunks and the file of a page. Matches are exact: a wrong match would need two different
/// texts with the same fingerprint.
///
/// # Errors
/// Fails if the lookup of a label fails.
pub fn check<L: LabelLookup>(
    page: &PageView<'_>,
    labels: &mut L,
    settings: ChunkSettings,
    stop: &StopRules,
) -> Result<Checked, L::Error> {
    let site = Site::of(page.url).site;
    let is_foreign = |label: &&Label| site.is_empty() || label.site != site;
    let mut chunks = page
        .text
        .map_or_else(Vec::new, |(content, text)| chunks(content, text, settings));
    chunks.retain(|chunk| {
        let reason = stop.reason(&chunk.fingerprint, chunk.chars, chunk.is_visible);
        reason.is_none()
    });
    // Lookups in ascending order read each part of a label file only once.
    let sorted: BTreeSet<Fingerprint> = chunks.iter().map(|chunk| chunk.fingerprint).collect();
    let mut found: BTreeMap<Fingerprint, (Label, bool)> = BTreeMap::new();
    for fingerprint in sorted {
        let rows = labels.find(&fingerprint, Level::Chunk)?;
        let foreign = rows.iter().find(is_foreign);
        if let Some(label) = foreign.or(rows.first()) {
            found.insert(fingerprint, (label.clone(), foreign.is_some()));
        }
    }
    let mut checked = Checked {
        url: page.url.to_owned(),
        is_copy: false,
        contains: 0.0,
        matched: 0,
        chunks: chunks.len() as u64,
        own: 0,
        file_matched: false,
        sources: Vec::new(),
        matches: Vec::new(),
    };
    let mut sources: BTreeMap<&str, CheckedSource> = BTreeMap::new();
    for chunk in &chunks {
        let Some((label, is_foreign)) = found.get(&chunk.fingerprint) else {
            continue;
        };
        checked.matched += 1;
        checked.own += u64::from(!is_foreign);
        checked.is_copy |= is_foreign;
        let source = sources.entry(&label.url).or_insert_with(|| CheckedSource {
            url: label.url.clone(),
            site: label.site.clone(),
            name: label.name.clone(),
            chunks: 0,
        });
        source.chunks += 1;
        checked.matches.push(CheckedMatch {
            start: chunk.span.start,
            length: chunk.span.len(),
            fingerprint: chunk.fingerprint,
            url: label.url.clone(),
            site: label.site.clone(),
        });
    }
    let files = labels.find(&settings.hash.fingerprint(page.body), Level::File)?;
    checked.file_matched = !files.is_empty();
    checked.is_copy |= files.iter().any(|label| is_foreign(&label));
    if checked.chunks > 0 {
        checked.contains = checked.matched as f64 / checked.chunks as f64;
    }
    checked.sources = sources.into_values().collect();
    (checked.sources).sort_by_key(|source| std::cmp::Reverse(source.chunks));
    Ok(checked)
}
