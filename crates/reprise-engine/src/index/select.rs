//! Selects the sources to read: those that the corpus does not have yet, each once.

use std::collections::HashMap;
use std::io;
use std::iter;
use std::ops::Range;

use reprise_fingerprint::Fingerprint;
use reprise_ingest::{Source, is_of_stream, path_of};
use reprise_store::HeldSources;

use super::stats::IndexStats;

/// Returns the sources to read, the part of each to read, and the counts of sources. A source with several
/// missing parts is listed several times.
pub(crate) fn select(
    all: Vec<Source>,
    held: &HeldSources,
) -> (Vec<Source>, Vec<Range<u64>>, IndexStats) {
    let mut total = IndexStats::default();
    let (mut sources, mut ranges) = (Vec::new(), Vec::new());
    // The index of each source in `sources`, if it can have a twin.
    let mut given: HashMap<Fingerprint, Option<usize>> = HashMap::new();
    for mut source in all {
        let twin = (given.get(&source.identity).copied().flatten()).map(|at| &sources[at]);
        // A source that cannot be read is reported when it is read.
        if is_another(&source, twin, held).unwrap_or(false) {
            let _ = source.be_known_by_all_bytes();
        }
        let missing = held.missing(source.identity);
        if missing.is_empty() || given.contains_key(&source.identity) {
            total.sources.held += 1;
            continue;
        }
        given.insert(
            source.identity,
            source.is_sampled().then_some(sources.len()),
        );
        total.sources.read += 1;
        total.sources.continued += u64::from(held.has(source.identity));
        // Nearly always one part; then the source is not cloned.
        sources.extend(iter::repeat_n(source, missing.len()));
        ranges.extend(missing);
    }
    (sources, ranges, total)
}

/// Returns true if a source differs from the one with the same samples in this run or in the corpus. A source
/// with the same name is the same source, and so is one that no longer exists to be compared.
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
