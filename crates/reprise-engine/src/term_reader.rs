//! The terms of a corpus's pages, in order: what lexicons are trained on.

use std::collections::BTreeMap;

use reprise_imatch::{TermRules, Terms};
use reprise_ingest::Source;
use reprise_near::Lost;
use reprise_store::PageRef;
use reprise_store::StoreError;

use crate::evidence::Archives;
use crate::text_reader::ArchiveTexts;

/// Pages are read in groups of at least so many. A group ends where a source does if that can be read only from its
/// beginning.
const GROUP_PAGES: usize = 4096;

impl ArchiveTexts<'_> {
    /// Calls `see` with the terms of every page that has text, in the order of the corpus, whatever the number
    /// of threads; says how many pages could not be read.
    pub fn for_each_terms(
        &self,
        rules: &TermRules,
        mut see: impl FnMut(PageRef, &Terms),
    ) -> Result<Lost, StoreError> {
        let mut lost = Lost::default();
        for group in self.groups()? {
            // What comes before its turn; neighbours are read at about the same time, so it is little.
            let mut early: BTreeMap<usize, Option<Terms>> = BTreeMap::new();
            let mut next = 0;
            self.read_texts(
                &group,
                &|text| Terms::of(text, rules),
                &mut |index, terms| {
                    let terms = terms.unwrap_or_else(|reason| {
                        lost.add(reason);
                        None
                    });
                    early.insert(index, terms);
                    while let Some(terms) = early.remove(&next) {
                        if let Some(terms) = terms {
                            see(group[next], &terms);
                        }
                        next += 1;
                    }
                    Ok(())
                },
            )?;
        }
        Ok(lost)
    }

    /// All pages, in groups.
    fn groups(&self) -> Result<Vec<Vec<PageRef>>, StoreError> {
        let mut groups: Vec<Vec<PageRef>> = vec![Vec::new()];
        for (number, segment) in (0..).zip(self.corpus.segments()) {
            let table = segment.pages()?;
            let mut archives = Archives::of(&segment, &self.limits)?;
            let (mut page, mut last) = (0, None);
            for group in 0..table.groups() {
                for source in table.ints(group, "source")? {
                    let is_new = last.replace(source) != Some(source);
                    let is_full = groups.last().is_some_and(|some| some.len() >= GROUP_PAGES);
                    let mut can_end =
                        || is_new || archives.source(source as usize).is_ok_and(Source::is_split);
                    if is_full && can_end() {
                        groups.push(Vec::new());
                    }
                    let here = PageRef {
                        segment: number,
                        page,
                    };
                    groups.last_mut().expect("there is one").push(here);
                    page += 1;
                }
            }
        }
        Ok(groups)
    }
}
