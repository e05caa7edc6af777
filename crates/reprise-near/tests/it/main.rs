//! Compares the near-copies of documents in memory with a naive comparison of all pairs.

use std::collections::BTreeSet;

use proptest::prelude::*;
use reprise_fingerprint::HashKind;
use reprise_near::{
    Keep, Link, NearContext, NearFound, PageText, TextForm, TextReader, Unreadable, near_given,
};
use reprise_shingle::Shingler;
use reprise_store::{PageRef, PageShingles, StoreError};

/// Documents as lists of words.
#[derive(Debug)]
struct Texts(Vec<Vec<u16>>);

impl Texts {
    fn shingler(&self, number: usize) -> Shingler {
        let mut shingler = Shingler::new();
        for word in &self.0[number] {
            shingler.add(&format!("w{word}"));
        }
        shingler
    }

    fn given(&self) -> Vec<PageShingles> {
        (0..self.0.len())
            .map(|number| PageShingles::of(&mut self.shingler(number), HashKind::Sha256))
            .collect()
    }

    /// Returns the phrases: five words in a row, with the document as a circle.
    fn phrases(&self, number: usize) -> BTreeSet<Vec<u16>> {
        let words = &self.0[number];
        (0..words.len())
            .map(|at| {
                (0..5)
                    .map(|next| words[(at + next) % words.len()])
                    .collect()
            })
            .collect()
    }

    fn jaccard(&self, one: usize, other: usize) -> f64 {
        let (a, b) = (self.phrases(one), self.phrases(other));
        a.intersection(&b).count() as f64 / a.union(&b).count() as f64
    }
}

impl TextReader for Texts {
    fn read<T, M>(
        &self,
        pages: &[PageRef],
        form: TextForm,
        maker: impl Fn() -> M + Sync,
        mut give: impl FnMut(usize, Result<Option<T>, Unreadable>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError>
    where
        T: Send,
        M: FnMut(PageText<'_>) -> T,
    {
        assert_eq!(form, TextForm::Page);
        let mut make = maker();
        pages.iter().enumerate().try_for_each(|(index, page)| {
            let words = self.0[page.page as usize].iter();
            let text: Vec<String> = words.map(|word| format!("w{word}")).collect();
            give(index, Ok(Some(make(PageText::Plain(&text.join(" "))))))
        })
    }
}

fn find(texts: &Texts, similarity: f64, keep: Keep, memory_bytes: usize) -> NearFound {
    let context = NearContext {
        keep,
        memory_bytes,
        temporary: &std::env::temp_dir(),
        progress: &(),
    };
    let link = Link::Verified { similarity };
    near_given(&texts.given(), link, texts, &context).expect("memory holds it all")
}

/// Generates families of documents: a document, and copies with some changed words.
fn texts() -> impl Strategy<Value = Texts> {
    let copy = proptest::collection::vec((any::<prop::sample::Index>(), 0u16..500), 0..12);
    let family = (
        proptest::collection::vec(0u16..500, 1..60),
        proptest::collection::vec(copy, 0..4),
    );
    proptest::collection::vec(family, 1..8).prop_map(|families| {
        let mut texts = Vec::new();
        for (base, copies) in families {
            for copy in copies {
                let mut words = base.clone();
                for (at, word) in copy {
                    words[at.index(base.len())] = word;
                }
                texts.push(words);
            }
            texts.push(base);
        }
        Texts(texts)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn members_are_like_their_representative_and_kept_documents_are_not_alike(texts in texts(), keep in 0..2) {
        let (similarity, keep) = (0.6, [Keep::First, Keep::Longest][keep as usize]);
        let near = find(&texts, similarity, keep, 1 << 28);
        let mut kept: BTreeSet<usize> = (0..texts.0.len()).collect();
        for cluster in near.rows.chunk_by(|a, b| a.cluster == b.cluster) {
            let first = cluster[0].page.page as usize;
            prop_assert!(cluster[0].is_representative && cluster[0].keep);
            for row in &cluster[1..] {
                let number = row.page.page as usize;
                let jaccard = texts.jaccard(first, number);
                prop_assert!((row.similarity - jaccard).abs() < 1e-12);
                prop_assert!(jaccard >= similarity);
                prop_assert!(!row.keep && kept.remove(&number), "in two clusters");
                if keep == Keep::Longest {
                    prop_assert!(texts.0[first].len() >= texts.0[number].len());
                }
            }
        }
        prop_assert_eq!(near.copies.removable as usize, texts.0.len() - kept.len());
        for &one in &kept {
            for &other in kept.range(one + 1..) {
                // Just above the lowest similarity, too few shingles may agree by chance.
                prop_assert!(texts.jaccard(one, other) < similarity + 0.25);
            }
        }
        // The result is the same if nothing fits in memory.
        let small = find(&texts, similarity, keep, 0);
        prop_assert_eq!(near.rows, small.rows);
    }
}
