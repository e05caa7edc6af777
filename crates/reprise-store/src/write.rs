//! Writes a segment: sorts its fingerprints, computes the rank of each chunk, counts sites, and writes the
//! tables.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use rayon::prelude::*;
use reprise_fingerprint::Fingerprint;

use crate::builder::{Counts, PackedPage, SegmentBuilder, SourceRow};
use crate::error::StoreError;
use crate::manifest::FileSummary;
use crate::schema::{
    Chunks, Fingerprints, Pages, Problems, SEGMENT_TABLES, Sketches, Sources, Table, TableInfo,
    Urls,
};
use crate::table::{GROUP_ROWS, OptionalTexts, SHINGLE_GROUP_ROWS, TableWriter, Values};
use crate::url_index;

/// The entries of a written segment's summary.
pub(crate) struct Written {
    pub(crate) files: BTreeMap<String, FileSummary>,
    pub(crate) sites: u64,
}

/// Writes all tables of a segment into `directory`, on the threads of the current rayon pool.
pub(crate) fn write_segment(
    builder: &SegmentBuilder,
    has_shingles: bool,
    directory: &Path,
) -> Result<Written, StoreError> {
    let order = sorted_order(&builder.distinct.fingerprints);
    let mut ranks = vec![0u32; order.len()];
    for (rank, &number) in order.iter().enumerate() {
        ranks[number as usize] = rank as u32;
    }
    let write = |table: &TableInfo| {
        let path = directory.join(format!("{}.parquet", table.name));
        let file = match table.name {
            Chunks::TABLE => write_chunks(builder, &ranks, &path),
            Fingerprints::TABLE => {
                write_fingerprints(builder, &order, &count_sites(builder), &path)
            }
            Pages::TABLE => write_pages(builder, &path),
            Sources::TABLE => write_sources(builder, &path),
            Sketches::TABLE => write_shingles(builder, &path),
            Urls::TABLE => url_index::write(&builder.pages, &path),
            _ => write_problems(builder, &path),
        };
        Ok((table.name.to_owned(), file?))
    };
    // Each table is one task for the thread pool.
    let mut tables = SEGMENT_TABLES.to_vec();
    tables.push(TableInfo::of::<Urls>());
    tables.extend(has_shingles.then_some(TableInfo::of::<Sketches>()));
    let files: Result<BTreeMap<String, FileSummary>, StoreError> =
        tables.par_iter().with_max_len(1).map(write).collect();
    Ok(Written {
        files: files?,
        sites: site_count(builder),
    })
}

/// Returns the numbers of the fingerprints, sorted by fingerprint.
///
/// Distributes them into 4,096 groups by their first 12 bits, which are evenly distributed, then sorts each
/// small group.
fn sorted_order(fingerprints: &[Fingerprint]) -> Vec<u32> {
    const GROUP_BITS: u32 = 12;
    let group = |prefix: u64| (prefix >> (u64::BITS - GROUP_BITS)) as usize;
    let mut ends = vec![0; 1 << GROUP_BITS];
    for fingerprint in fingerprints {
        ends[group(fingerprint.prefix())] += 1;
    }
    let mut total = 0;
    for end in &mut ends {
        let count = *end;
        *end = total;
        total += count;
    }
    let mut keys = vec![(0, 0); fingerprints.len()];
    for (fingerprint, number) in fingerprints.iter().zip(0_u32..) {
        let end = &mut ends[group(fingerprint.prefix())];
        keys[*end] = (fingerprint.prefix(), number);
        *end += 1;
    }
    // The first eight bytes nearly always decide. Only equal ones need the full fingerprints.
    keys.par_chunk_by_mut(|a, b| group(a.0) == group(b.0))
        .for_each(|group| {
            group.sort_unstable_by(|a, b| {
                a.0.cmp(&b.0)
                    .then_with(|| fingerprints[a.1 as usize].cmp(&fingerprints[b.1 as usize]))
            });
        });
    let mut order: Vec<u32> = keys.into_iter().map(|(_, number)| number).collect();
    // `collect` may reuse the memory of the keys, which is four times as large.
    order.shrink_to_fit();
    order
}

/// Counts the sites of each fingerprint, by its number.
///
/// A counting sort brings the sites of each fingerprint together. Then the distinct sites of each
/// fingerprint are counted.
fn count_sites(builder: &SegmentBuilder) -> Vec<u32> {
    /// The position after the last site of a fingerprint so far, and the page of that site.
    struct Place {
        end: u32,
        last_page: u32,
    }
    let counts = &builder.distinct.counts;
    // A fingerprint on one page is on one site and needs no sorting. The loop over all chunks reads this
    // table at random, so its entries are small.
    let is_repeated: Vec<bool> = counts.iter().map(|count| count.pages > 1).collect();
    let mut total = 0;
    let mut places: Vec<Place> = counts
        .iter()
        .map(|count| {
            let end = total;
            total += if count.pages > 1 { count.pages } else { 0 };
            Place {
                end,
                last_page: u32::MAX,
            }
        })
        .collect();
    let mut sites = vec![0u32; total as usize];
    for (&number, page) in builder.chunks.numbers.iter().zip(chunk_pages(builder)) {
        if is_repeated[number as usize] {
            let place = &mut places[number as usize];
            if place.last_page != page {
                place.last_page = page;
                sites[place.end as usize] = builder.pages.rows[page as usize].site;
                place.end += 1;
            }
        }
    }
    let mut seen_for = vec![u32::MAX; builder.pages.words.len()];
    counts
        .iter()
        .zip(0u32..)
        .map(|(count, number)| {
            if count.pages <= 1 {
                return count.pages;
            }
            let end = places[number as usize].end as usize;
            let mut distinct = 0;
            for &site in &sites[end - count.pages as usize..end] {
                if seen_for[site as usize] != number {
                    seen_for[site as usize] = number;
                    distinct += 1;
                }
            }
            distinct
        })
        .collect()
}

/// Returns the page of each chunk.
fn chunk_pages(builder: &SegmentBuilder) -> impl Iterator<Item = u32> {
    builder
        .pages
        .rows
        .iter()
        .zip(0u32..)
        .flat_map(|(row, page)| std::iter::repeat_n(page, row.chunks as usize))
}

/// Counts the distinct sites of the segment. Pages without a site do not count.
fn site_count(builder: &SegmentBuilder) -> u64 {
    let mut seen = vec![false; builder.pages.words.len()];
    for row in &builder.pages.rows {
        seen[row.site as usize] = !builder.pages.words.text(row.site).is_empty();
    }
    seen.iter().filter(|&&is_seen| is_seen).count() as u64
}

/// Splits the rows of a table into groups.
fn groups(rows: usize) -> impl Iterator<Item = Range<usize>> {
    groups_of(rows, GROUP_ROWS)
}

fn groups_of(rows: usize, each: usize) -> impl Iterator<Item = Range<usize>> {
    (0..rows)
        .step_by(each)
        .map(move |start| start..(start + each).min(rows))
}

fn write_chunks(
    builder: &SegmentBuilder,
    ranks: &[u32],
    path: &Path,
) -> Result<FileSummary, StoreError> {
    let mut writer = TableWriter::create(path, Chunks::COLUMNS)?;
    let chunks = &builder.chunks;
    let mut pages = chunk_pages(builder);
    for group in groups(chunks.numbers.len()) {
        let ints = |values: &[u32]| -> Values {
            Values::Int(values.iter().map(|&value| i64::from(value)).collect())
        };
        let rank = |&number: &u32| i64::from(ranks[number as usize]);
        writer.write_each(
            group.len(),
            &mut [
                &mut || Values::Int(pages.by_ref().take(group.len()).map(i64::from).collect()),
                &mut || ints(&chunks.starts[group.clone()]),
                &mut || ints(&chunks.lengths[group.clone()]),
                &mut || Values::Int(chunks.numbers[group.clone()].iter().map(rank).collect()),
            ],
        )?;
    }
    writer.finish()
}

fn write_fingerprints(
    builder: &SegmentBuilder,
    order: &[u32],
    sites: &[u32],
    path: &Path,
) -> Result<FileSummary, StoreError> {
    let mut writer = TableWriter::create(path, Fingerprints::COLUMNS)?;
    let distinct = &builder.distinct;
    for group in groups(order.len()) {
        let numbers = || order[group.clone()].iter().map(|&number| number as usize);
        // The counts are scattered over memory, and several columns need them, so gather them once.
        let counts: Vec<Counts> = numbers().map(|number| distinct.counts[number]).collect();
        let ints = |value: &dyn Fn(&Counts) -> u32| {
            Values::Int(counts.iter().map(|count| i64::from(value(count))).collect())
        };
        let fingerprint = |number| distinct.fingerprints[number];
        writer.write_each(
            group.len(),
            &mut [
                &mut || Values::Fingerprint(numbers().map(fingerprint).collect()),
                &mut || ints(&|count| count.chars),
                &mut || Values::Bool(counts.iter().map(|count| count.is_visible).collect()),
                &mut || ints(&|count| count.occurrences),
                &mut || ints(&|count| count.pages),
                &mut || Values::Int(numbers().map(|number| i64::from(sites[number])).collect()),
                &mut || ints(&|count| count.first_chunk),
            ],
        )?;
    }
    writer.finish()
}

fn write_pages(builder: &SegmentBuilder, path: &Path) -> Result<FileSummary, StoreError> {
    let mut writer = TableWriter::create(path, Pages::COLUMNS)?;
    let pages = &builder.pages;
    for group in groups(pages.rows.len()) {
        let rows = &pages.rows[group.clone()];
        let int = |value: &dyn Fn(&PackedPage) -> u64| {
            Values::Int(rows.iter().map(|row| value(row) as i64).collect())
        };
        let word = |number: &dyn Fn(&PackedPage) -> u32| {
            Values::texts(rows.iter().map(|row| pages.words.text(number(row))))
        };
        writer.write_each(
            group.len(),
            &mut [
                &mut || Values::texts(group.clone().map(|page| pages.url(page))),
                &mut || word(&|row| row.host),
                &mut || word(&|row| row.site),
                &mut || Values::OptionalInt(rows.iter().map(|row| row.fetched).collect()),
                &mut || {
                    let statuses = rows.iter().map(|row| row.status.map(i64::from));
                    Values::OptionalInt(statuses.collect())
                },
                &mut || word(&|row| row.media_type),
                &mut || word(&|row| row.charset),
                &mut || {
                    let addresses = rows.iter().map(|row| row.ip.map(|ip| pages.words.text(ip)));
                    Values::OptionalText(OptionalTexts::of(addresses))
                },
                &mut || Values::texts(rows.iter().map(|row| row.content)),
                &mut || int(&|row| row.bytes),
                &mut || int(&|row| u64::from(row.chunks)),
                &mut || Values::Fingerprint(rows.iter().map(|row| row.fingerprint).collect()),
                &mut || int(&|row| u64::from(row.source)),
                &mut || int(&|row| row.offset),
                &mut || int(&|row| row.length),
                &mut || int(&|row| row.within),
            ],
        )?;
    }
    writer.finish()
}

fn write_sources(builder: &SegmentBuilder, path: &Path) -> Result<FileSummary, StoreError> {
    let mut writer = TableWriter::create(path, Sources::COLUMNS)?;
    for group in groups(builder.sources.len()) {
        let rows = &builder.sources[group];
        let int = |value: &dyn Fn(&SourceRow) -> u64| {
            Values::Int(rows.iter().map(|row| value(row) as i64).collect())
        };
        writer.write_each(
            rows.len(),
            &mut [
                &mut || Values::texts(rows.iter().map(|row| row.name.as_str())),
                &mut || Values::texts(rows.iter().map(|row| row.format.as_str())),
                &mut || int(&|row| row.bytes),
                &mut || Values::Fingerprint(rows.iter().map(|row| row.identity).collect()),
                &mut || int(&|row| row.start),
                &mut || int(&|row| row.end),
                &mut || Values::Bool(rows.iter().map(|row| row.is_done).collect()),
            ],
        )?;
    }
    writer.finish()
}

fn write_shingles(builder: &SegmentBuilder, path: &Path) -> Result<FileSummary, StoreError> {
    let mut writer = TableWriter::create(path, Sketches::COLUMNS)?;
    for group in groups_of(builder.shingles.len(), SHINGLE_GROUP_ROWS) {
        let rows = &builder.shingles[group];
        writer.write_each(
            rows.len(),
            &mut [
                &mut || Values::Int(rows.iter().map(|row| i64::from(row.words)).collect()),
                &mut || Values::Fingerprint(rows.iter().map(|row| row.text).collect()),
                &mut || Values::Shingles(rows.iter().map(|row| row.shingles).collect()),
            ],
        )?;
    }
    writer.finish()
}

fn write_problems(builder: &SegmentBuilder, path: &Path) -> Result<FileSummary, StoreError> {
    let mut writer = TableWriter::create(path, Problems::COLUMNS)?;
    for group in groups(builder.problems.len()) {
        let rows = &builder.problems[group];
        writer.write_each(
            rows.len(),
            &mut [
                &mut || Values::Int(rows.iter().map(|row| i64::from(row.source)).collect()),
                &mut || Values::texts(rows.iter().map(|row| row.kind)),
                &mut || Values::Int(rows.iter().map(|row| row.offset as i64).collect()),
                &mut || {
                    let urls = rows.iter().map(|row| row.url.as_deref());
                    Values::OptionalText(OptionalTexts::of(urls))
                },
                &mut || Values::texts(rows.iter().map(|row| row.detail.as_str())),
            ],
        )?;
    }
    writer.finish()
}
