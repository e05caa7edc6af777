//! The progress of long operations.

use crate::error::StoreError;

/// Receives the progress of a long operation, from any thread, and may cancel it.
///
/// All methods have empty defaults, and `()` implements the trait for callers that do not care.
pub trait Progress: Sync {
    /// A step begins. `total` is its amount of work, or 0 if that is not known.
    fn begin(&self, step: &str, total: u64, unit: Unit) {
        let _ = (step, total, unit);
    }

    /// The current step has advanced by `amount`.
    fn advance(&self, amount: u64) {
        let _ = amount;
    }

    /// `pages` more pages were read.
    fn add_pages(&self, pages: u64) {
        let _ = pages;
    }

    /// The current step pauses for another activity, such as writing a segment; an empty name ends it.
    fn activity(&self, name: &str) {
        let _ = name;
    }

    /// Returns true if the operation shall stop. It then ends with [`StoreError::Cancelled`] as soon as
    /// it can, and leaves the corpus intact.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// What a step counts.
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
