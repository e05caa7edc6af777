//! A damaged corpus: what is damaged, and what to do about it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use reprise_engine::store::{Damage, StoreError, segment_of};
use serde::Serialize;

use crate::human;

#[derive(Serialize)]
pub(crate) struct JsonDamage {
    path: String,
    detail: String,
}

impl JsonDamage {
    pub(crate) fn of(damage: &Damage) -> JsonDamage {
        JsonDamage {
            path: damage.path.display().to_string(),
            detail: damage.detail.clone(),
        }
    }
}

/// Damage in one line.
pub(crate) fn line(damage: &Damage) -> String {
    human::one_line(&format!("{}: {}", damage.path.display(), damage.detail))
}

/// What to do about all of it, where something is to be done.
pub(crate) fn remedy(damage: &[Damage]) -> Option<String> {
    // What could not be read this time may be all right: to remove it is no remedy.
    let certain = damage.iter().filter(|damage| !damage.is_unread);
    remedy_for(certain.map(|damage| damage.path.as_path()))
}

/// What to do about the damage that an error is about.
pub(crate) fn remedy_of(error: &StoreError) -> Option<String> {
    remedy_for(error.damaged_path().into_iter())
}

fn remedy_for<'p>(paths: impl Iterator<Item = &'p Path>) -> Option<String> {
    let mut segments: BTreeMap<&Path, BTreeSet<u64>> = BTreeMap::new();
    for path in paths {
        if path.ends_with("manifest.json") {
            let remedy =
                "put a copy of it back, or index the archives again into another directory";
            return Some(remedy.to_owned());
        }
        if let Some((corpus, number)) = segment_of(path) {
            segments.entry(corpus).or_default().insert(number);
        }
    }
    let (corpus, numbers) = segments.pop_first()?;
    Some(format!(
        "`{}` takes it out, then `reprise index` reads its archives again",
        remove_command(corpus, &numbers)
    ))
}

/// The command that removes these segments.
pub(crate) fn remove_command(corpus: &Path, numbers: &BTreeSet<u64>) -> String {
    let flags: Vec<String> = (numbers.iter())
        .map(|number| format!(" --segment {number}"))
        .collect();
    human::one_line(&format!(
        "reprise remove {}{}",
        corpus.display(),
        flags.concat()
    ))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Damage, remedy, remedy_for};

    #[test]
    fn what_was_not_read_is_not_to_be_removed() {
        let mut damage = [Damage {
            path: "c/segments/00000002/pages.parquet".into(),
            detail: "it cannot be read: Too many open files".to_owned(),
            is_unread: true,
        }];
        assert_eq!(remedy(&damage), None);
        damage[0].is_unread = false;
        assert!(remedy(&damage).is_some());
    }

    #[test]
    fn every_damage_has_its_remedy() {
        let check = |paths: &[&str], words: &str| {
            let remedy = remedy_for(paths.iter().map(Path::new)).unwrap_or_default();
            assert_eq!(remedy.is_empty(), words.is_empty(), "{paths:?}: {remedy}");
            assert!(remedy.contains(words), "{paths:?}: {remedy}");
        };
        check(&["c/manifest.json"], "into another directory");
        let pages = "c/segments/00000002/pages.parquet";
        check(&[pages], "`reprise remove c --segment 2`");
        check(
            &["c/segments/00000010/chunks.parquet", pages, pages],
            "`reprise remove c --segment 2 --segment 10`",
        );
        check(&["c/segments/00000003.partial", "x.warc"], "");
        check(&[], "");
    }
}
