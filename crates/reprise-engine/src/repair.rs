//! Repairs for damaged corpora.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use reprise_report::results::Repair;
use reprise_store::{Damage, segment_of};

/// Returns what can be done about damaged files. Files that could not be read this time may be intact, so
/// they are ignored.
pub(crate) fn repair_of(damage: &[Damage]) -> Option<Repair> {
    let certain = damage.iter().filter(|damage| !damage.is_unread);
    repair_of_paths(certain.map(|damage| damage.path.as_path()))
}

pub(crate) fn repair_of_paths<'p>(paths: impl Iterator<Item = &'p Path>) -> Option<Repair> {
    let mut segments: BTreeMap<&Path, BTreeSet<u64>> = BTreeMap::new();
    for path in paths {
        if path.ends_with("manifest.json") {
            return Some(Repair::RestoreManifest);
        }
        if let Some((corpus, number)) = segment_of(path) {
            segments.entry(corpus).or_default().insert(number);
        }
    }
    let (corpus, numbers) = segments.pop_first()?;
    Some(Repair::RemoveSegments {
        corpus: corpus.display().to_string(),
        segments: numbers.into_iter().collect(),
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Damage, Repair, repair_of, repair_of_paths};

    #[test]
    fn files_that_were_not_read_are_not_removed() {
        let mut damage = [Damage {
            path: "c/segments/00000002/pages.parquet".into(),
            detail: "it cannot be read: Too many open files".to_owned(),
            is_unread: true,
        }];
        assert_eq!(repair_of(&damage), None);
        damage[0].is_unread = false;
        assert!(repair_of(&damage).is_some());
    }

    #[test]
    fn every_damage_has_its_repair() {
        let check = |paths: &[&str], expected: Option<Repair>| {
            assert_eq!(repair_of_paths(paths.iter().map(Path::new)), expected);
        };
        let remove = |segments: &[u64]| {
            Some(Repair::RemoveSegments {
                corpus: "c".to_owned(),
                segments: segments.to_vec(),
            })
        };
        check(&["c/manifest.json"], Some(Repair::RestoreManifest));
        let pages = "c/segments/00000002/pages.parquet";
        check(&[pages], remove(&[2]));
        check(
            &["c/segments/00000010/chunks.parquet", pages, pages],
            remove(&[2, 10]),
        );
        check(&["c/segments/00000003.partial", "x.warc"], None);
        check(&[], None);
    }
}
