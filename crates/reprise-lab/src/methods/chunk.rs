//! Hashes of chunks.

use std::collections::HashSet;

use reprise_text::ChunkForm;

use super::{Finder, Method, MethodKind};
use crate::page::Page;

/// Takes pages with a common chunk for copies.
#[derive(Clone, Copy, Debug)]
pub struct ChunkHash {
    /// The form of the chunks.
    pub form: ChunkForm,
    /// The fewest characters of a chunk. Shorter chunks are stop chunks.
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
        // Normal forms are compared instead of their hashes: hash collisions do not occur in practice.
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
