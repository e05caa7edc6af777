//! Which sources are to be read: those that the corpus does not hold yet, each once.

use std::collections::HashMap;
use std::io;
use std::iter;
use std::ops::Range;

use reprise_fingerprint::Fingerprint;
use reprise_ingest::{Source, is_of_stream, path_of};
use reprise_store::HeldSources;

use super::stats::IndexStats;

/// The sources to read, and what of each; and how many need not be read. A source of which several stretches are
/// missing stands there several times.
pub(crate) fn select(
    all: Vec<Source>,
    held: &HeldSources,
) -> (Vec<Source>, Vec<Range<u64>>, IndexStats) {
    let mut total = IndexStats::default();
    let (mut sources, mut stretches) = (Vec::new(), Vec::new());
    // Where each stands among those to read, if it does.
    let mut given: HashMap<Fingerprint, Option<usize>> = HashMap::new();
    for mut source in all {
        let twin = (given.get(&source.identity).copied().flatten()).map(|at| &sources[at]);
        // One that cannot be read is told so when it is.
        if is_another(&source, twin, held).unwrap_or(false) {
            let _ = source.be_known_by_all_bytes();
        }
        let missing = held.missing(source.identity);
        if missing.is_empty() || given.contains_key(&source.identity) {
            total.sources_held += 1;
            continue;
        }
        given.insert(
            source.identity,
            source.is_sampled().then_some(sources.len()),
        );
        total.sources_read += 1;
        total.sources_continued += u64::from(held.has(source.identity));
        // Mostly one: the source itself then, since there may be very many.
        sources.extend(iter::repeat_n(source, missing.len()));
        stretches.extend(missing);
    }
    (sources, stretches, total)
}

/// Is it another source than the one of this run, or of the corpus, that has the same samples? One whose name is the same is
/// not, nor one that is no longer there to be compared.
fn is_another(source: &Source, twin: Option<&Source>, held: &HeldSources) -> io::Result<bool> {
    if !source.is_sampled() {
        return Ok(false);
    }
    if let Some(twin) = twin {
        return Ok(!source.is_twin_of(twin)?);
    }
    let Some(Ok(name)) = held.name(source.identity).map(str::from_utf8) else {
        return Ok(false);
    };
    let path = path_of(name);
    if name == source.name || is_of_stream(&source.name) || !path.is_file() {
        return Ok(false);
    }
    Ok(!source.is_twin_of_file(&path)?)
}
