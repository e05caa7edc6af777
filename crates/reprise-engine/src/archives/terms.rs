//! The terms of a corpus's pages, in the order of the corpus.

use std::collections::BTreeMap;

use reprise_imatch::{TermRules, Terms};
use reprise_ingest::Source;
use reprise_near::{PageText, TextForm, TextReader, UnreadPages};
use reprise_store::schema::Pages;
use reprise_store::{CorpusReader, PageRef, Progress, StoreError, Unit};

use super::sources::Archives;
use super::texts::ArchiveTexts;
use crate::defaults;

/// The least number of pages that are read at a time. A group ends with a source if that can be read only
/// from its beginning.
const GROUP_PAGES: usize = 4096;

/// Calls `see` with the terms of every page that has text, in the order of the corpus for any number of
/// threads. Returns the pages that could not be read.
pub(crate) fn for_each_terms(
    texts: &ArchiveTexts<'_>,
    rules: &TermRules,
    progress: &dyn Progress,
    mut see: impl FnMut(PageRef, &Terms),
) -> Result<UnreadPages, StoreError> {
    let corpus = texts.corpus();
    progress.begin("reading texts", corpus.rows::<Pages>(), Unit::Pages);
    let mut unread = UnreadPages::default();
    for group in groups(corpus)? {
        // Pages that arrive before their turn. Neighbours are read at about the same time, so they are few.
        let mut early: BTreeMap<usize, Option<Terms>> = BTreeMap::new();
        let mut next = 0;
        let maker = || {
            |text: PageText<'_>| {
                let (PageText::Plain(text) | PageText::Page(_, text)) = text;
                Terms::of(text, rules)
            }
        };
        texts.read(&group, TextForm::Plain, maker, |index, terms| {
            progress.check()?;
            progress.advance(1);
            let terms = terms.unwrap_or_else(|error| {
                unread.add(error);
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
        })?;
    }
    Ok(unread)
}

/// Divides all pages into groups.
fn groups(corpus: &CorpusReader) -> Result<Vec<Vec<PageRef>>, StoreError> {
    let mut groups: Vec<Vec<PageRef>> = vec![Vec::new()];
    for (number, segment) in (0..).zip(corpus.segments()) {
        let table = segment.pages()?;
        let mut archives = Archives::of(&segment, &defaults::READ_BACK_LIMITS)?;
        let (mut page, mut last) = (0, None);
        for group in 0..table.groups() {
            for source in table.read(group, Pages::SOURCE)? {
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
                groups.last_mut().expect("there is a group").push(here);
                page += 1;
            }
        }
    }
    Ok(groups)
}
