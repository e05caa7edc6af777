//! The hash of the whole file.

use super::{Finder, Method, MethodKind};
use crate::page::Page;

/// Takes equal files for copies.
#[derive(Clone, Copy, Debug)]
pub struct FileHash;

impl Method for FileHash {
    fn kind(&self) -> MethodKind {
        MethodKind::File
    }

    fn rule(&self) -> String {
        "the same bytes".to_owned()
    }

    fn finder(&self, original: &Page) -> Option<Finder<'_>> {
        let fingerprint = original.fingerprint();
        Some(Box::new(move |copy| copy.fingerprint() == fingerprint))
    }
}
