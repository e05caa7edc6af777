//! Every neighbourhood at every level, in one pass over pages sorted by URL.
//!
//! All pages below a prefix stand together in that order. So a stack of the open directories is
//! enough: a page closes those it is not in, and is counted in the rest.

use reprise_store::StoreError;

use crate::config::{Badness, DetectConfig};
use crate::prefix::first_level;
use crate::share::Sum;
use crate::sorted_runs::Row;

/// A URL prefix with all pages below it.
#[derive(Clone, Debug, PartialEq)]
pub struct Neighborhood {
    /// The prefix: host and directories.
    pub prefix: String,
    /// How many levels it has; 1 is a host.
    pub depth: u64,
    /// Pages that count.
    pub pages: u64,
    /// How bad it is.
    pub badness: f64,
    /// Labelled chunks of its pages.
    pub matched: u64,
    /// Chunks of its pages.
    pub chunks: u64,
}

/// The pass.
pub(crate) struct Pass<'c> {
    config: &'c DetectConfig,
    /// The directory of the last page, of which the open neighbourhoods are prefixes.
    directory: String,
    open: Vec<Open>,
}

/// A neighbourhood whose pages are passing by.
struct Open {
    /// Its prefix ends here.
    end: usize,
    pages: u64,
    matched: u64,
    chunks: u64,
    /// Of its pages' shares.
    shares: Sum,
}

impl<'c> Pass<'c> {
    pub(crate) fn new(config: &'c DetectConfig) -> Pass<'c> {
        Pass {
            config,
            directory: String::new(),
            open: Vec::new(),
        }
    }

    /// Takes the next page; gives out the neighbourhoods that it leaves behind.
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

    /// Gives out what is still open.
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
            .config
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

    /// Closes the innermost neighbourhoods until one is to stay.
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
            let badness = match self.config.badness {
                Badness::Mean => open.shares.total() / open.pages as f64,
                Badness::Pooled => open.matched as f64 / open.chunks as f64,
            };
            if open.pages >= self.config.min_pages {
                give(Neighborhood {
                    prefix: prefix.to_owned(),
                    depth: self.open.len() as u64,
                    pages: open.pages,
                    // Rounding must not make a whole more than whole.
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
