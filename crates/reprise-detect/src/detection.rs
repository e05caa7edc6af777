//! Detection over a whole corpus: pages, neighbourhoods, sites; figures and tables.

use std::cmp::Ordering;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use reprise_store::schema::{DETECTED_PAGES, NEIGHBORHOODS, SITE_PAIRS, Table};
use reprise_store::{
    Aside, ByteArray, Corpus, GROUP_ROWS, Labels, StoreError, TableWriter, Values,
};

use crate::config::DetectConfig;
use crate::neighborhoods::{Neighborhood, Pass};
use crate::pages::{PageResult, PageScan, SitePair};
use crate::share::{Shares, Spread};
use crate::sorted_runs::{Row, SortedRuns};

/// What detection found.
#[derive(Clone, Debug)]
pub struct Detection {
    /// How much was matched.
    pub matched: MatchedCounts,
    /// The pages.
    pub pages: PageSummary,
    /// The neighbourhoods.
    pub neighborhoods: NeighborhoodSummary,
    /// Which site has how much of which other's labels; most chunks first.
    pub site_pairs: Vec<SitePair>,
}

/// How much was matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchedCounts {
    /// Chunks of pages that are labelled.
    pub chunks: u64,
    /// Files that are labelled.
    pub files: u64,
    /// Distinct labels that were seen.
    pub labels_seen: u64,
}

/// The pages, in figures.
#[derive(Clone, Debug)]
pub struct PageSummary {
    /// All that were looked at.
    pub total: u64,
    /// Pages left out because the labels come from their site.
    pub own: u64,
    /// Pages with a labelled chunk.
    pub matched: u64,
    /// Of the shares; its `count` is of pages with enough chunks, its `over` is the targets.
    pub spread: Spread,
    /// Those with the highest shares.
    pub top: Vec<PageResult>,
}

/// The neighbourhoods, in figures.
#[derive(Clone, Debug)]
pub struct NeighborhoodSummary {
    /// Of the badness; its `over` is the bad ones.
    pub spread: Spread,
    /// The worst.
    pub top: Vec<Neighborhood>,
}

/// Finds what is labelled.
///
/// Input: a corpus, and labels made with the same settings. Output: figures, and where `output` is
/// given, the tables `pages`, `neighborhoods` and `sites` in it. Memory: within
/// [`DetectConfig::memory_bytes`], beside the marks of one segment and the labelled files.
pub fn detect(
    corpus: &Corpus,
    labels: &Labels,
    config: &DetectConfig,
    output: Option<&Path>,
) -> Result<Detection, StoreError> {
    labels.check_settings(corpus.settings())?;
    labels.verify()?;
    let mut tables = output.map(Tables::create).transpose()?;
    let temporary = output.map_or_else(std::env::temp_dir, Path::to_owned);
    let mut runs = SortedRuns::new(config.memory_bytes / 4, temporary);
    let mut scan = PageScan::new(labels, config)?;
    let mut pages = Collected::new(config.top);
    for segment in corpus.segments() {
        scan.segment(&segment, &mut runs, &mut |results| {
            if let Some(tables) = &mut tables {
                tables.write_pages(&results)?;
            }
            for page in results {
                pages.take_page(page);
            }
            Ok(())
        })?;
    }
    let mut neighborhoods = Collected::new(config.top);
    let mut group = Vec::new();
    let mut pass = Pass::new(config);
    let mut give = |found: Neighborhood| {
        neighborhoods.shares.add(found.badness);
        if found.matched > 0 {
            neighborhoods.top.offer(found.clone());
        }
        if let Some(tables) = &mut tables {
            group.push(found);
            if group.len() == GROUP_ROWS {
                tables.write_neighborhoods(&mut group)?;
            }
        }
        Ok(())
    };
    let mut sorted = runs.sorted()?;
    let mut row = Row::default();
    while sorted.next_into(&mut row)? {
        pass.take(&row, &mut give)?;
    }
    pass.finish(&mut give)?;
    let site_pairs = scan.site_pairs();
    if let Some(mut tables) = tables {
        tables.write_neighborhoods(&mut group)?;
        tables.write_sites(&site_pairs)?;
        tables.finish()?;
    }
    Ok(Detection {
        matched: MatchedCounts {
            chunks: scan.matched_chunks,
            files: scan.matched_files,
            labels_seen: scan.labels_seen(),
        },
        pages: PageSummary {
            total: pages.total,
            own: scan.own_pages,
            matched: pages.matched,
            spread: pages.shares.spread(config.page_limit),
            top: pages.top.into_sorted(),
        },
        neighborhoods: NeighborhoodSummary {
            spread: neighborhoods.shares.spread(config.neighborhood_limit),
            top: neighborhoods.top.into_sorted(),
        },
        site_pairs,
    })
}

/// What is collected of pages or of neighbourhoods.
struct Collected<T> {
    total: u64,
    matched: u64,
    shares: Shares,
    top: Worst<T>,
}

impl<T: Ranked> Collected<T> {
    fn new(top: usize) -> Collected<T> {
        Collected {
            total: 0,
            matched: 0,
            shares: Shares::default(),
            top: Worst {
                size: top,
                items: Vec::new(),
                is_cut: false,
            },
        }
    }
}

impl Collected<PageResult> {
    fn take_page(&mut self, page: PageResult) {
        self.total += 1;
        self.matched += u64::from(page.matched > 0);
        if let Some(share) = page.contains {
            self.shares.add(share);
            if page.matched > 0 {
                self.top.offer(page);
            }
        }
    }
}

/// Worst first.
trait Ranked {
    fn rank(&self, other: &Self) -> Ordering;
}

impl Ranked for PageResult {
    fn rank(&self, other: &Self) -> Ordering {
        let share = |page: &PageResult| page.contains.unwrap_or(0.0);
        share(other)
            .total_cmp(&share(self))
            .then(other.matched.cmp(&self.matched))
            .then_with(|| self.url.cmp(&other.url))
    }
}

impl Ranked for Neighborhood {
    fn rank(&self, other: &Self) -> Ordering {
        other
            .badness
            .total_cmp(&self.badness)
            .then(other.pages.cmp(&self.pages))
            .then_with(|| self.prefix.cmp(&other.prefix))
    }
}

/// The worst so far: twice as many as asked for, then cut back.
struct Worst<T> {
    size: usize,
    items: Vec<T>,
    /// Has it been cut back? Then what comes behind the last one kept is not worse.
    is_cut: bool,
}

impl<T: Ranked> Worst<T> {
    fn offer(&mut self, item: T) {
        if self.is_cut {
            let last = self.size.checked_sub(1).map(|last| &self.items[last]);
            if last.is_none_or(|last| item.rank(last) == Ordering::Greater) {
                return;
            }
        }
        self.items.push(item);
        if self.items.len() > 2 * self.size {
            self.cut();
        }
    }

    fn cut(&mut self) {
        self.items.sort_by(T::rank);
        self.is_cut = self.items.len() >= self.size;
        self.items.truncate(self.size);
    }

    fn into_sorted(mut self) -> Vec<T> {
        self.cut();
        self.items
    }
}

/// The tables of a detection, written aside and named at the end.
struct Tables {
    asides: [Aside; RESULTS.len()],
    pages: TableWriter,
    neighborhoods: TableWriter,
    sites: TableWriter,
}

const RESULTS: [&Table; 3] = [&DETECTED_PAGES, &NEIGHBORHOODS, &SITE_PAIRS];

impl Tables {
    fn create(directory: &Path) -> Result<Tables, StoreError> {
        fs::create_dir_all(directory).map_err(StoreError::io("write", directory))?;
        let asides =
            RESULTS.map(|table| Aside::of(&directory.join(format!("{}.parquet", table.name))));
        let create = |at: usize| TableWriter::create(asides[at].path(), RESULTS[at].columns);
        Ok(Tables {
            pages: create(0)?,
            neighborhoods: create(1)?,
            sites: create(2)?,
            asides,
        })
    }

    fn write_pages(&mut self, rows: &[PageResult]) -> Result<(), StoreError> {
        let optional = |value: &dyn Fn(&PageResult) -> Option<&Arc<str>>| {
            let texts = rows
                .iter()
                .map(|row| value(row).map(|text| ByteArray::from(text.as_ref())));
            Values::OptionalText(texts.collect())
        };
        self.pages.write(&[
            Values::texts(rows.iter().map(|row| row.url.as_str())),
            Values::texts(rows.iter().map(|row| row.site.as_ref())),
            Values::OptionalFloat(rows.iter().map(|row| row.contains).collect()),
            Values::Int(rows.iter().map(|row| row.matched as i64).collect()),
            Values::Int(rows.iter().map(|row| row.chunks as i64).collect()),
            Values::Bool(rows.iter().map(|row| row.file_matched).collect()),
            optional(&|row| row.source_url.as_ref()),
            optional(&|row| row.source_site.as_ref()),
            Values::OptionalInt(rows.iter().map(|row| row.fetched).collect()),
            Values::OptionalInt(rows.iter().map(|row| row.source_fetched).collect()),
        ])
    }

    /// Writes the rows and empties the list.
    fn write_neighborhoods(&mut self, rows: &mut Vec<Neighborhood>) -> Result<(), StoreError> {
        let int = |value: &dyn Fn(&Neighborhood) -> u64| {
            Values::Int(rows.iter().map(|row| value(row) as i64).collect())
        };
        self.neighborhoods.write(&[
            Values::texts(rows.iter().map(|row| row.prefix.as_str())),
            int(&|row| row.depth),
            int(&|row| row.pages),
            Values::Float(rows.iter().map(|row| row.badness).collect()),
            int(&|row| row.matched),
            int(&|row| row.chunks),
        ])?;
        rows.clear();
        Ok(())
    }

    fn write_sites(&mut self, pairs: &[SitePair]) -> Result<(), StoreError> {
        for pairs in pairs.chunks(GROUP_ROWS) {
            self.sites.write(&[
                Values::texts(pairs.iter().map(|pair| pair.copier.as_ref())),
                Values::texts(pairs.iter().map(|pair| pair.source.as_ref())),
                Values::Int(pairs.iter().map(|pair| pair.chunks as i64).collect()),
                Values::Int(pairs.iter().map(|pair| pair.pages as i64).collect()),
            ])?;
        }
        Ok(())
    }

    fn finish(self) -> Result<(), StoreError> {
        self.pages.finish()?;
        self.neighborhoods.finish()?;
        self.sites.finish()?;
        self.asides.into_iter().try_for_each(Aside::keep)
    }
}
