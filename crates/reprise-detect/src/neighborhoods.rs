//! Computes every neighbourhood at every level in one pass over pages sorted by URL.
//!
//! In this order, all pages with the same prefix are adjacent, so a stack of open directories is enough. A
//! page closes the directories that it is not in, and counts in the others.

use reprise_report::results::{Badness, Neighborhood};
use reprise_store::StoreError;

use crate::options::DetectOptions;
use crate::prefix::first_level;
use crate::share::Sum;
use crate::sorted_runs::Row;

/// A pass over the pages.
pub(crate) struct Pass<'c> {
    options: &'c DetectOptions,
    /// The directory of the last page. The open neighbourhoods are prefixes of it.
    directory: String,
    open: Vec<Open>,
}

/// An open neighbourhood: more of its pages may follow.
struct Open {
    /// The end of its prefix in [`Pass::directory`].
    end: usize,
    pages: u64,
    matched: u64,
    chunks: u64,
    /// The sum of its pages' shares.
    shares: Sum,
}

impl<'c> Pass<'c> {
    pub(crate) fn new(options: &'c DetectOptions) -> Pass<'c> {
        Pass {
            options,
            directory: String::new(),
            open: Vec::new(),
        }
    }

    /// Adds the next page. Calls `give` for the neighbourhoods that end before it.
    pub(crate) fn take(
        &mut self,
        row: &Row,
        give: &mut impl FnMut(Neighborhood) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        if row.directory != self.directory {
            self.close_until(
                |prefix| row.directory.starts_with(prefix) && prefix.ends_with('/'),
                give,
            )?;
            self.open(&row.directory);
        }
        let share = row.matched as f64 / row.chunks as f64;
        for open in &mut self.open {
            open.pages += 1;
            open.matched += row.matched;
            open.chunks += row.chunks;
            open.shares.add(share);
        }
        Ok(())
    }

    /// Calls `give` for the neighbourhoods that are still open.
    pub(crate) fn finish(
        mut self,
        give: &mut impl FnMut(Neighborhood) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.close_until(|_| false, give)
    }

    /// Opens the neighbourhoods of a directory that are not open yet.
    fn open(&mut self, directory: &str) {
        directory.clone_into(&mut self.directory);
        let from = self
            .open
            .last()
            .map_or(first_level(directory), |open| open.end);
        let room = self
            .options
            .depth
            .map_or(usize::MAX, |depth| depth.saturating_sub(self.open.len()));
        let ends = directory
            .match_indices('/')
            .map(|(at, _)| at + 1)
            .filter(|&end| end > from);
        self.open.extend(ends.take(room).map(|end| Open {
            end,
            pages: 0,
            matched: 0,
            chunks: 0,
            shares: Sum::default(),
        }));
    }

    /// Closes the innermost neighbourhoods up to the first one for which `stays` is true.
    fn close_until(
        &mut self,
        stays: impl Fn(&str) -> bool,
        give: &mut impl FnMut(Neighborhood) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        while let Some(open) = self.open.last() {
            let prefix = &self.directory[..open.end];
            if stays(prefix) {
                break;
            }
            let badness = match self.options.badness {
                Badness::Mean => open.shares.total() / open.pages as f64,
                Badness::Pooled => open.matched as f64 / open.chunks as f64,
            };
            if open.pages >= self.options.min_pages {
                give(Neighborhood {
                    prefix: prefix.to_owned(),
                    depth: self.open.len() as u64,
                    pages: open.pages,
                    // Rounding errors may lead to a value slightly above 1.
                    badness: badness.clamp(0.0, 1.0),
                    matched: open.matched,
                    chunks: open.chunks,
                })?;
            }
            self.open.pop();
        }
        Ok(())
    }
}
