//! Detects labelled content in a whole corpus: in pages, neighbourhoods and sites, as figures and as tables.

use std::cmp::Ordering;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use reprise_report::numbers::counted;
use reprise_report::results::{
    Detection, MatchedCounts, Neighborhood, NeighborhoodShares, PageShare, PageShares,
    SITE_PAIRS_MAX, SitePair,
};
use reprise_store::schema::{DetectedPages, Neighborhoods, Pages, SitePairs, TableInfo};
use reprise_store::{
    CorpusReader, Format, GROUP_ROWS, Labels, OptionalTexts, Progress, RowWriter, StoreError, Unit,
    Values,
};

use crate::neighborhoods::Pass;
use crate::options::DetectOptions;
use crate::pages::{PageFinding, PageScan};
use crate::share::Shares;
use crate::sorted_runs::{Row, SortedRuns};

/// The tables that detection writes.
pub const TABLES: [TableInfo; 3] = [
    TableInfo::of::<DetectedPages>(),
    TableInfo::of::<Neighborhoods>(),
    TableInfo::of::<SitePairs>(),
];

/// Finds labelled content in a corpus.
///
/// Input: a corpus, and labels with the same settings. Output: figures, and with `output` also the tables
/// `pages`, `neighborhoods` and `sites` in a directory. Errors: those of the corpus, the labels and the
/// tables; the settings differ. Memory: `memory_bytes`, and the labelled ranks of one segment and the
/// labelled files. Threads: one.
///
/// Algorithm: (1) merge the labels with the fingerprints of each segment; (2) scan the chunks of each
/// segment for the share of each page; (3) sort the pages by URL and add up their neighbourhoods.
pub fn detect(
    corpus: &CorpusReader,
    labels: &Labels,
    options: &DetectOptions,
    memory_bytes: usize,
    output: Option<(&Path, Format)>,
    progress: &dyn Progress,
) -> Result<Detection, StoreError> {
    labels.check_settings(corpus.chunk_settings())?;
    labels.verify()?;
    let mut tables = output
        .map(|(directory, format)| Tables::create(directory, format))
        .transpose()?;
    let temporary = output.map_or_else(std::env::temp_dir, |(directory, _)| directory.to_owned());
    progress.begin("comparing pages", corpus.rows::<Pages>(), Unit::Pages);
    let mut runs = SortedRuns::new(memory_bytes / 4, temporary);
    let mut scan = PageScan::new(labels, options, memory_bytes)?;
    let mut pages = Collected::new(options.top);
    for segment in corpus.segments() {
        scan.segment(&segment, &mut runs, progress, &mut |rows| {
            if let Some(tables) = &mut tables {
                tables.write_pages(&rows)?;
            }
            for page in rows {
                pages.take_page(page);
            }
            Ok(())
        })?;
    }
    progress.check()?;
    let neighborhoods = neighborhoods(runs, options, tables.as_mut())?;
    let (site_pairs, rings) = scan.site_pairs();
    if let Some(mut tables) = tables {
        tables.write_sites(&site_pairs)?;
        tables.finish()?;
    }
    let matched = MatchedCounts {
        chunks: scan.matched_chunks,
        files: scan.matched_files,
        labels_seen: scan.labels_seen(),
    };
    let mut found = Detection {
        labels: labels.rows(),
        badness: options.badness,
        matched,
        pages: pages.into_shares(options, scan.own_pages),
        neighborhoods: neighborhoods.into_shares(options),
        site_pairs: site_pairs.len() as u64,
        sites: site_pairs.into_iter().take(SITE_PAIRS_MAX).collect(),
        rings,
        notes: Vec::new(),
    };
    found.notes.extend(why_nothing(&found));
    Ok(found)
}

/// Computes all neighbourhoods, and writes their table.
fn neighborhoods(
    runs: SortedRuns,
    options: &DetectOptions,
    mut tables: Option<&mut Tables>,
) -> Result<Collected<Neighborhood>, StoreError> {
    let mut collected = Collected::new(options.top);
    let mut group = Vec::new();
    let mut pass = Pass::new(options);
    let mut give = |found: Neighborhood| {
        collected.shares.add(found.badness);
        if found.matched > 0 {
            collected.top.offer(found.clone());
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
    if let Some(tables) = tables {
        tables.write_neighborhoods(&mut group)?;
    }
    Ok(collected)
}

/// Explains why nothing was found. Returns `None` if something was found.
fn why_nothing(found: &Detection) -> Option<String> {
    if found.matched.chunks + found.matched.files > 0 {
        return None;
    }
    let PageShares {
        total,
        own,
        counted: with_chunks,
        ..
    } = found.pages;
    let why = if found.labels == 0 {
        "there are no labels".to_owned()
    } else if total + own == 0 {
        "the corpus holds no page".to_owned()
    } else if total == 0 {
        format!("all {} are on the labels' own sites", counted(own, "page"))
    } else if with_chunks == 0 {
        format!("all chunks of {} are stop chunks", counted(total, "page"))
    } else {
        format!(
            "none of {} occurs in {}",
            counted(found.labels, "label"),
            counted(total, "page")
        )
    };
    Some(format!("Nothing was found: {why}."))
}

/// The shares of pages or neighbourhoods, and the worst of them.
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

impl Collected<PageFinding> {
    fn take_page(&mut self, page: PageFinding) {
        self.total += 1;
        self.matched += u64::from(page.matched > 0);
        if let Some(share) = page.contains {
            self.shares.add(share);
            if page.matched > 0 {
                self.top.offer(page);
            }
        }
    }

    fn into_shares(self, options: &DetectOptions, own: u64) -> PageShares {
        let spread = self.shares.spread(options.page_threshold);
        let top = self.top.into_sorted().into_iter();
        PageShares {
            total: self.total,
            counted: spread.count,
            own,
            matched: self.matched,
            mean: spread.mean,
            stddev: spread.stddev,
            threshold: spread.threshold,
            targets: spread.over,
            histogram: spread.histogram,
            top: top.map(PageFinding::into_share).collect::<Vec<PageShare>>(),
        }
    }
}

impl Collected<Neighborhood> {
    fn into_shares(self, options: &DetectOptions) -> NeighborhoodShares {
        let spread = self.shares.spread(options.neighborhood_threshold);
        NeighborhoodShares {
            total: spread.count,
            mean: spread.mean,
            stddev: spread.stddev,
            threshold: spread.threshold,
            bad: spread.over,
            histogram: spread.histogram,
            top: self.top.into_sorted(),
        }
    }
}

/// An order of findings, worst first.
trait Ranked {
    fn rank(&self, other: &Self) -> Ordering;
}

impl Ranked for PageFinding {
    fn rank(&self, other: &Self) -> Ordering {
        let share = |page: &PageFinding| page.contains.unwrap_or(0.0);
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

/// The worst `size` findings. Sorts and cuts the list whenever it has twice as many.
struct Worst<T> {
    size: usize,
    items: Vec<T>,
    /// True after the first cut. From then on, a finding is dropped if it is better than the worst `size`.
    is_cut: bool,
}

impl<T: Ranked> Worst<T> {
    /// Adds a finding if it may be among the worst.
    fn offer(&mut self, item: T) {
        if self.is_cut {
            let last = self.size.checked_sub(1).map(|last| &self.items[last]);
            if last.is_none_or(|last| item.rank(last) == Ordering::Greater) {
                return;
            }
        }
        self.items.push(item);
        if self.items.len() > self.size.saturating_mul(2) {
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

/// The tables of a detection. They appear under their names only when all are complete.
struct Tables {
    pages: RowWriter,
    neighborhoods: RowWriter,
    sites: RowWriter,
}

impl Tables {
    fn create(directory: &Path, format: Format) -> Result<Tables, StoreError> {
        fs::create_dir_all(directory).map_err(StoreError::writing(directory))?;
        let create = |table: TableInfo| {
            let path = directory.join(format!("{}.{format}", table.name));
            RowWriter::create(&path, format, table.columns)
        };
        let [pages, neighborhoods, sites] = TABLES;
        Ok(Tables {
            pages: create(pages)?,
            neighborhoods: create(neighborhoods)?,
            sites: create(sites)?,
        })
    }

    fn write_pages(&mut self, rows: &[PageFinding]) -> Result<(), StoreError> {
        let optional = |value: &dyn Fn(&PageFinding) -> &Option<Arc<str>>| {
            let texts = rows.iter().map(|row| value(row).as_deref());
            Values::OptionalText(OptionalTexts::of(texts))
        };
        self.pages.write(&[
            Values::texts(rows.iter().map(|row| row.url.as_str())),
            Values::texts(rows.iter().map(|row| row.site.as_ref())),
            Values::OptionalFloat(rows.iter().map(|row| row.contains).collect()),
            Values::Int(rows.iter().map(|row| row.matched as i64).collect()),
            Values::Int(rows.iter().map(|row| row.chunks as i64).collect()),
            Values::Bool(rows.iter().map(|row| row.file_matched).collect()),
            optional(&|row| &row.source_url),
            optional(&|row| &row.source_site),
            Values::OptionalInt(rows.iter().map(|row| row.fetched).collect()),
            Values::OptionalInt(rows.iter().map(|row| row.source_fetched).collect()),
        ])
    }

    /// Writes the rows and clears the list.
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
                Values::texts(pairs.iter().map(|pair| pair.copier.as_str())),
                Values::texts(pairs.iter().map(|pair| pair.source.as_str())),
                Values::Int(pairs.iter().map(|pair| pair.chunks as i64).collect()),
                Values::Int(pairs.iter().map(|pair| pair.pages as i64).collect()),
            ])?;
        }
        Ok(())
    }

    fn finish(self) -> Result<(), StoreError> {
        let all = [self.pages, self.neighborhoods, self.sites];
        RowWriter::finish_all(all)
    }
}
