//! Two pages side by side.

mod chunks;
mod phrases;

use std::collections::BTreeMap;

use reprise_chunk::{LabelLookup, Level, StopRules, chunks};
use reprise_report::results::{Explanation, SharedPhrases, Timestamp};
use reprise_store::Labels;

use crate::archives::PageCopy;
use crate::corpus::Corpus;
use crate::error::Error;

/// The other side of a comparison.
#[derive(Clone, Copy)]
pub enum ExplainWith<'w> {
    /// The page with this URL in the same corpus.
    Page(&'w str),
    /// The page that most of the page's labels come from.
    Labels(&'w Labels),
}

impl Corpus {
    /// Shows what a page shares with another page, chunk by chunk and phrase by phrase.
    pub fn explain(&self, url: &str, with: ExplainWith<'_>) -> Result<Explanation, Error> {
        let page = PageCopy::find(&self.reader, url)?;
        let (other, stop) = match with {
            ExplainWith::Page(url) => (PageCopy::find(&self.reader, url)?, StopRules::default()),
            ExplainWith::Labels(labels) => self.source_of(&page, labels)?,
        };
        let settings = self.reader.chunk_settings();
        let shared = chunks::shared_chunks(&page, &other, settings, &stop);
        let (matches, overlap) = phrases::shared_phrases(&page, &other, &shared.matches);
        Ok(Explanation {
            page_chunks: shared.left.0,
            page_shared: shared.left.1,
            with_chunks: shared.right.0,
            with_shared: shared.right.1,
            page_fetched: page.fetched.map(Timestamp),
            with_fetched: other.fetched.map(Timestamp),
            matches: shared.matches,
            phrases: SharedPhrases {
                page: overlap.one,
                with: overlap.other,
                shared: overlap.shared,
                similarity: overlap.jaccard(),
                containment: overlap.turned().containment(),
                matches,
            },
            page: page.url,
            with: other.url,
            page_text: page.text,
            with_text: other.text,
        })
    }

    /// Finds the page that most of a page's labels come from. If the corpus does not have it, the labelled
    /// chunks of the page represent it.
    fn source_of(&self, page: &PageCopy, labels: &Labels) -> Result<(PageCopy, StopRules), Error> {
        let settings = self.reader.chunk_settings();
        labels.check_settings(settings)?;
        let stop = StopRules::new(labels.header().min_length, Vec::new());
        let content = page.content.ok_or_else(|| Error::NoText {
            url: page.url.clone(),
        })?;
        let mut chunks = chunks(content, &page.text, settings);
        chunks.retain(|chunk| {
            let reason = stop.reason(&chunk.fingerprint, chunk.chars, chunk.is_visible);
            reason.is_none()
        });
        // In the order of fingerprints, each group of labels is read once.
        chunks.sort_by_key(|chunk| chunk.fingerprint);
        let mut reader = labels.reader();
        let mut urls: BTreeMap<String, usize> = BTreeMap::new();
        let mut spans = Vec::new();
        for chunk in chunks {
            let rows = reader.find(&chunk.fingerprint, Level::Chunk)?;
            if rows.is_empty() {
                continue;
            }
            spans.push(chunk.span);
            for row in rows {
                if row.url != page.url {
                    *urls.entry(row.url).or_default() += 1;
                }
            }
        }
        spans.sort_by_key(|span| span.start);
        let labelled = spans.into_iter().map(|span| &page.text[span]).collect();
        let best = urls
            .into_iter()
            .max_by_key(|(url, count)| (*count, std::cmp::Reverse(url.clone())));
        let Some((url, _)) = best else {
            return Err(Error::NothingShared {
                url: page.url.clone(),
            });
        };
        if let Some(&found) = self.reader.find_url(&url)?.first()
            && let Ok(other) = PageCopy::read(&self.reader, found)?
        {
            return Ok((other, stop));
        }
        let other = PageCopy {
            url: format!("{url} (not in this corpus: its labels)"),
            fetched: None,
            content: Some(content),
            text: labelled,
        };
        Ok((other, stop))
    }
}
