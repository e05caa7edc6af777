//! Hashes of chunks.

use std::collections::HashSet;

use reprise_text::ChunkForm;

use super::{Finder, Method, MethodKind};
use crate::page::Page;

/// Pages with a long enough chunk in common are copies.
#[derive(Clone, Copy, Debug)]
pub struct ChunkHash {
    /// Which text of a chunk counts.
    pub form: ChunkForm,
    /// Chunks with fewer characters are stop chunks.
    pub chars_min: usize,
}

impl Method for ChunkHash {
    fn kind(&self) -> MethodKind {
        MethodKind::Chunk
    }

    fn rule(&self) -> String {
        let Self { form, chars_min } = self;
        format!("one chunk of {chars_min} characters or more in common ({form})")
    }

    fn finder(&self, original: &Page) -> Option<Finder<'_>> {
        // The normal forms stand for their hashes here: who wants to evade does not find collisions.
        let known: HashSet<String> = self.normals(original).collect();
        let finder = move |copy: &Page| self.normals(copy).any(|normal| known.contains(&normal));
        finder(original).then(|| Box::new(finder) as Finder<'_>)
    }
}

impl ChunkHash {
    fn normals(&self, page: &Page) -> impl Iterator<Item = String> {
        let chunks = page.chunks(self.form, self.chars_min).into_iter();
        chunks.map(|chunk| chunk.normal)
    }
}
