//! Groups documents that are linked, directly or through other documents.

/// Disjoint groups of documents. At first, each document is a group.
pub(crate) struct Union {
    parents: Vec<u32>,
}

impl Union {
    pub(crate) fn new(documents: usize) -> Union {
        Union {
            parents: (0..documents as u32).collect(),
        }
    }

    /// Returns the root of a document's group: its lowest document.
    pub(crate) fn root(&mut self, document: u32) -> u32 {
        let mut at = document;
        while self.parents[at as usize] != at {
            // Path halving keeps the chains short.
            let above = self.parents[self.parents[at as usize] as usize];
            self.parents[at as usize] = above;
            at = above;
        }
        at
    }

    /// Joins the groups of two documents.
    pub(crate) fn link(&mut self, one: u32, other: u32) {
        let (one, other) = (self.root(one), self.root(other));
        self.parents[one.max(other) as usize] = one.min(other);
    }

    /// Returns the groups of two or more documents, sorted.
    pub(crate) fn groups(&mut self) -> Vec<Vec<u32>> {
        let mut members: Vec<(u32, u32)> = (0..self.parents.len() as u32)
            .map(|document| (self.root(document), document))
            .collect();
        members.sort_unstable();
        members
            .chunk_by(|a, b| a.0 == b.0)
            .filter(|group| group.len() > 1)
            .map(|group| group.iter().map(|&(_, document)| document).collect())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Union;

    #[test]
    fn linked_documents_are_in_one_group() {
        let mut union = Union::new(7);
        for (one, other) in [(5, 6), (0, 3), (3, 6)] {
            union.link(one, other);
        }
        union.link(1, 4);
        assert_eq!(union.groups(), [vec![0, 3, 5, 6], vec![1, 4]]);
    }
}
