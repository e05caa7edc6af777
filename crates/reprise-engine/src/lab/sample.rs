//! Draws pages at random and reads their text again from the archives.

use std::collections::HashMap;

use reprise_convert::Format;
use reprise_imatch::SplitMix64;
use reprise_ingest::Page as Captured;
use reprise_lab::{Page, Reading};
use reprise_report::results::UnusedPages;
use reprise_store::schema::Pages;
use reprise_store::{CorpusReader, PageRef, Progress, StoreError, Unit, page_names};

use super::LabError;
use crate::archives::ArchivePages;
use crate::defaults;

/// The most bytes of a page that is used. Experiments make hundreds of copies of each page.
pub const PAGE_BYTES_MAX: usize = 256_000;

/// A page of the corpus with its text.
#[derive(Debug)]
pub(super) struct Sampled {
    pub(super) url: String,
    pub(super) site: String,
    pub(super) page: Page,
}

/// The result of reading one page again.
enum Taken {
    Page(Box<Page>),
    WithoutText,
    TooLarge,
}

/// Draws up to `count` pages with chunks and reads them. Returns them in the order in which they were drawn.
pub(super) fn sample(
    corpus: &CorpusReader,
    threads: usize,
    count: usize,
    seed: u64,
    progress: &dyn Progress,
) -> Result<(Vec<Sampled>, UnusedPages), LabError> {
    let drawn = draw(corpus, count, seed)?;
    if drawn.is_empty() {
        return Err(LabError::NoPages);
    }
    let archives = ArchivePages {
        corpus,
        limits: defaults::READ_BACK_LIMITS,
        threads,
    };
    let mut pages: Vec<Option<Page>> = drawn.iter().map(|_| None).collect();
    let mut unused = UnusedPages {
        bytes_max: PAGE_BYTES_MAX as u64,
        ..UnusedPages::default()
    };
    // Threads finish in any order: keep the reason of the page that was drawn first.
    let mut reason_of = usize::MAX;
    progress.begin("reading pages", drawn.len() as u64, Unit::Pages);
    archives.read(
        &drawn,
        || take,
        |index, taken| {
            progress.check()?;
            progress.advance(1);
            match taken {
                Ok(Taken::Page(page)) => pages[index] = Some(*page),
                Ok(Taken::WithoutText) => unused.without_text += 1,
                Ok(Taken::TooLarge) => unused.too_large += 1,
                Err(error) => {
                    unused.unreadable += 1;
                    if index < reason_of {
                        reason_of = index;
                        unused.reason = Some(error.reason);
                    }
                }
            }
            Ok(())
        },
    )?;
    let names = page_names(corpus, &drawn)?;
    let sampled: Vec<Sampled> = names
        .into_iter()
        .zip(pages)
        .filter_map(|((url, site), page)| page.map(|page| Sampled { url, site, page }))
        .collect();
    if sampled.is_empty() {
        return Err(unusable(drawn.len() as u64, unused));
    }
    Ok((sampled, unused))
}

fn unusable(pages: u64, unused: UnusedPages) -> LabError {
    match unused.reason {
        Some(reason) if unused.unreadable == pages => LabError::Unreadable { pages, reason },
        _ => LabError::Unusable {
            pages,
            without_text: unused.without_text,
            too_large: unused.too_large,
        },
    }
}

fn take(captured: &Captured<'_>) -> Taken {
    let Some((content, text)) = captured.text else {
        return Taken::WithoutText;
    };
    if text.len() > PAGE_BYTES_MAX {
        return Taken::TooLarge;
    }
    let format = Format::of(captured.media_type, captured.url, text.as_bytes());
    let reading = format.map(|format| Reading { content, format });
    let Some(reading) = reading.filter(|reading| reading.is_text()) else {
        return Taken::WithoutText;
    };
    let page = Page::new(reading, text.to_owned());
    if page.tokens().is_empty() {
        return Taken::WithoutText;
    }
    Taken::Page(Box::new(page))
}

/// Draws pages that have chunks, each at most once. Memory grows with `count`, not with the corpus.
fn draw(corpus: &CorpusReader, count: usize, seed: u64) -> Result<Vec<PageRef>, StoreError> {
    let mut all = 0;
    each_with_chunks(corpus, |_| all += 1)?;
    let order = ranks(all, count, seed);
    let places: HashMap<usize, usize> = (order.iter().enumerate())
        .map(|(place, &rank)| (rank, place))
        .collect();
    let mut found: Vec<Option<PageRef>> = vec![None; order.len()];
    let mut rank = 0;
    each_with_chunks(corpus, |page| {
        if let Some(&place) = places.get(&rank) {
            found[place] = Some(page);
        }
        rank += 1;
    })?;
    Ok(found.into_iter().flatten().collect())
}

/// Returns up to `count` distinct numbers below `all`, in random order.
///
/// This is the beginning of a shuffle that stores only the numbers that moved.
fn ranks(all: usize, count: usize, seed: u64) -> Vec<usize> {
    let random = &mut SplitMix64::new(seed);
    let mut moved: HashMap<usize, usize> = HashMap::new();
    let at = |moved: &HashMap<usize, usize>, place| moved.get(&place).copied().unwrap_or(place);
    (0..count.min(all))
        .map(|place| {
            let other = place + random.below(all - place);
            let drawn = at(&moved, other);
            let displaced = at(&moved, place);
            moved.insert(other, displaced);
            drawn
        })
        .collect()
}

fn each_with_chunks(corpus: &CorpusReader, mut see: impl FnMut(PageRef)) -> Result<(), StoreError> {
    for (segment, held) in (0..).zip(corpus.segments()) {
        let table = held.pages()?;
        let mut page = 0;
        for group in 0..table.groups() {
            for chunks in table.read(group, Pages::CHUNKS)? {
                if chunks > 0 {
                    see(PageRef { segment, page });
                }
                page += 1;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::ranks;

    proptest! {
        #[test]
        fn ranks_are_distinct_and_a_smaller_draw_is_a_prefix(all in 0_usize..200, count in 0_usize..250, seed: u64) {
            let drawn = ranks(all, count, seed);
            prop_assert_eq!(drawn.len(), count.min(all));
            let mut sorted = drawn.clone();
            sorted.sort_unstable();
            sorted.dedup();
            prop_assert_eq!(sorted.len(), drawn.len());
            prop_assert!(sorted.iter().all(|&rank| rank < all));
            prop_assert_eq!(&ranks(all, count / 2, seed)[..], &drawn[..(count / 2).min(all)]);
        }
    }

    #[test]
    fn every_page_is_equally_likely() {
        let mut times = [0; 5];
        for seed in 0..5000 {
            for rank in ranks(5, 2, seed) {
                times[rank] += 1;
            }
        }
        assert!(
            times.iter().all(|&times| (1850..2150).contains(&times)),
            "{times:?}"
        );
    }
}
