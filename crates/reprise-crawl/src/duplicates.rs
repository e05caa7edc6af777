//! Counts duplicates by cause, and pages by the program that made them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use reprise_convert::Format;
use reprise_report::{CrawlCause, CrawlDuplicate, CrawlGenerator, DuplicateKind};
use url::Url;

use crate::analyse::Document;
use crate::causes::{Cause, Side, cause};
use crate::frontier::Frontier;
use crate::verdict::Likeness;

/// The facts about a classified page that later duplicates need.
#[derive(Debug)]
struct Facts {
    /// The first page with this content, through the whole chain of duplicates.
    root: u32,
    format: Format,
    canonical: Option<Arc<str>>,
}

/// The duplicates so far.
#[derive(Debug, Default)]
pub(crate) struct Duplicates {
    facts: HashMap<u32, Facts>,
    pub(crate) rows: Vec<CrawlDuplicate>,
    /// The numbers of exact and near duplicates.
    causes: BTreeMap<Cause, (u64, u64)>,
    generators: BTreeMap<String, CrawlGenerator>,
}

impl Duplicates {
    /// Returns the first page with the content of page `id`.
    pub(crate) fn root(&self, id: u32) -> Option<u32> {
        self.facts.get(&id).map(|facts| facts.root)
    }

    /// Adds a classified page. Returns the cause if it is a duplicate.
    pub(crate) fn add(
        &mut self,
        id: u32,
        document: &Document,
        likeness: Likeness,
        is_trap: bool,
        frontier: &Frontier,
    ) -> Option<Cause> {
        let (of, kind, score) = match likeness {
            Likeness::Exact(of) => (Some(of), DuplicateKind::Exact, 100),
            Likeness::Near(of, score) => (Some(of), DuplicateKind::Near, score),
            Likeness::Unique | Likeness::Own => (None, DuplicateKind::Exact, 0),
        };
        let root = of.and_then(|of| self.root(of)).unwrap_or(id);
        let facts = Facts {
            root,
            format: document.format,
            canonical: document
                .links
                .canonical
                .as_ref()
                .map(|url| url.as_str().into()),
        };
        self.facts.insert(id, facts);
        self.count_generator(document, of.map(|_| kind), is_trap);
        let of = of?;
        let cause = self.cause(id, of, frontier)?;
        let counts = self.causes.entry(cause).or_default();
        match kind {
            DuplicateKind::Exact => counts.0 += 1,
            DuplicateKind::Near => counts.1 += 1,
        }
        self.rows.push(CrawlDuplicate {
            url: frontier.entry(id).url.to_string(),
            of: frontier.entry(of).url.to_string(),
            kind,
            score,
            cause: cause.as_str().to_owned(),
        });
        Some(cause)
    }

    fn count_generator(&mut self, document: &Document, kind: Option<DuplicateKind>, is_trap: bool) {
        let name = document.links.generator.clone().unwrap_or_default();
        let row = self
            .generators
            .entry(name.clone())
            .or_insert_with(|| CrawlGenerator {
                generator: name,
                ..CrawlGenerator::default()
            });
        row.pages += 1;
        match kind {
            None => row.unique += u64::from(!is_trap),
            Some(DuplicateKind::Exact) => row.exact += 1,
            Some(DuplicateKind::Near) => row.near += 1,
        }
    }

    fn cause(&self, id: u32, of: u32, frontier: &Frontier) -> Option<Cause> {
        let urls = [id, of].map(|id| Url::parse(&frontier.entry(id).url));
        let [Ok(page), Ok(other)] = &urls else {
            return None;
        };
        let side = |id: u32, url| {
            let facts = self.facts.get(&id)?;
            Some(Side {
                url,
                format: facts.format,
                canonical: facts.canonical.as_deref(),
                by_redirect: frontier.entry(id).hops > 0,
            })
        };
        let host = frontier.entry(id).host;
        let is_idle = |name: &str| frontier.aliases.is_learned(host, name);
        Some(cause(side(id, page)?, side(of, other)?, &is_idle))
    }

    /// Returns the number of duplicates by cause. Every cause has a row.
    pub(crate) fn causes(&self) -> Vec<CrawlCause> {
        Cause::ALL
            .into_iter()
            .map(|cause| {
                let (exact, near) = self.causes.get(&cause).copied().unwrap_or_default();
                CrawlCause {
                    cause: cause.as_str().to_owned(),
                    exact,
                    near,
                }
            })
            .collect()
    }

    /// Returns the number of pages by program, most pages first.
    pub(crate) fn generators(&self) -> Vec<CrawlGenerator> {
        let mut rows: Vec<CrawlGenerator> = self.generators.values().cloned().collect();
        rows.sort_by(|a, b| {
            b.pages
                .cmp(&a.pages)
                .then_with(|| a.generator.cmp(&b.generator))
        });
        rows
    }
}
