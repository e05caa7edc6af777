//! The progress of long operations.

use crate::error::StoreError;

/// Receives the progress of a long operation, from any thread, and may cancel it.
///
/// All methods have empty defaults. `()` implements the trait for callers that do not need progress.
pub trait Progress: Sync {
    /// Reports that a step begins. `total` is the amount of work in `unit`s, or 0 if it is not known.
    fn begin(&self, step: &str, total: u64, unit: Unit) {
        let _ = (step, total, unit);
    }

    /// Reports that the current step has advanced by `amount` units.
    fn advance(&self, amount: u64) {
        let _ = amount;
    }

    /// Reports that `pages` more pages were read.
    fn add_pages(&self, pages: u64) {
        let _ = pages;
    }

    /// Reports that the current step pauses for another activity, such as writing a segment. An empty name
    /// ends the activity.
    fn activity(&self, name: &str) {
        let _ = name;
    }

    /// Returns true if the operation must stop. The operation then soon returns
    /// [`StoreError::Cancelled`] and leaves the corpus intact.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// The unit in which the progress of a step is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes of input.
    Bytes,
    /// Pages.
    Pages,
    /// Rows of a table.
    Rows,
    /// Pairs of pages.
    Pairs,
}

impl Progress for () {}

impl dyn Progress + '_ {
    /// Fails if the operation is cancelled.
    pub fn check(&self) -> Result<(), StoreError> {
        if self.is_cancelled() {
            Err(StoreError::Cancelled)
        } else {
            Ok(())
        }
    }
}
