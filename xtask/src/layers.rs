//! The layers of the workspace, and which crate may depend on which.
//!
//! [`CRATES`] lists every crate bottom-up. A dependency that it does not allow is a finding, and so is a
//! crate without an entry and an entry without a crate. A new crate needs one line.

use std::fmt::Write;

use crate::workspace::{Crate, Workspace};

/// A layer of the workspace, bottom-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Layer {
    /// Pure computation: no files, network, threads, clock or output. Depends on the crates that its
    /// entry names.
    Pure,
    /// Calls of the operating system. Depends on the crates that its entry names.
    System,
    /// A stage of the pipeline. Depends on all pure and system crates, and on the stages that its entry
    /// names.
    Stage,
    /// The library. Depends on all crates below it.
    Engine,
    /// A program or a binding. Depends on the crates that its entry names.
    Surface,
}

impl Layer {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Pure => "pure",
            Self::System => "system",
            Self::Stage => "stage",
            Self::Engine => "engine",
            Self::Surface => "surface",
        }
    }

    /// Returns the layers whose crates may all be used by a crate of this layer.
    const fn may_use(self) -> &'static [Self] {
        match self {
            Self::Pure | Self::System | Self::Surface => &[],
            Self::Stage => &[Self::Pure, Self::System],
            Self::Engine => &[Self::Pure, Self::System, Self::Stage],
        }
    }
}

/// The entry of a crate.
struct Entry {
    name: &'static str,
    layer: Layer,
    /// The crates that it may depend on, beside those that its layer allows.
    may_use: &'static [&'static str],
}

const fn entry(layer: Layer, name: &'static str, may_use: &'static [&'static str]) -> Entry {
    Entry {
        name,
        layer,
        may_use,
    }
}

/// Every crate, bottom-up by layer. An entry names only crates above it.
const CRATES: &[Entry] = &[
    entry(Layer::Pure, "reprise-fingerprint", &[]),
    entry(Layer::Pure, "reprise-fuzzy", &[]),
    entry(Layer::Pure, "reprise-shingle", &[]),
    entry(Layer::Pure, "reprise-text", &[]),
    entry(Layer::Pure, "reprise-url", &[]),
    entry(
        Layer::Pure,
        "reprise-imatch",
        &["reprise-fingerprint", "reprise-shingle"],
    ),
    entry(
        Layer::Pure,
        "reprise-chunk",
        &["reprise-fingerprint", "reprise-text", "reprise-url"],
    ),
    entry(
        Layer::Pure,
        "reprise-report",
        &["reprise-chunk", "reprise-fingerprint", "reprise-imatch"],
    ),
    entry(Layer::System, "reprise-sys", &[]),
    entry(Layer::Stage, "reprise-convert", &[]),
    entry(Layer::Stage, "reprise-ingest", &[]),
    entry(Layer::Stage, "reprise-store", &[]),
    entry(
        Layer::Stage,
        "reprise-crawl",
        &["reprise-convert", "reprise-ingest"],
    ),
    entry(Layer::Stage, "reprise-discover", &["reprise-store"]),
    entry(
        Layer::Stage,
        "reprise-detect",
        &["reprise-discover", "reprise-store"],
    ),
    entry(Layer::Stage, "reprise-near", &["reprise-store"]),
    entry(Layer::Stage, "reprise-lab", &["reprise-convert"]),
    entry(Layer::Engine, "reprise-engine", &[]),
    entry(Layer::Surface, "reprise-demo", &["reprise-ingest"]),
    entry(
        Layer::Surface,
        "reprise-bench",
        &[
            "reprise-demo",
            "reprise-engine",
            "reprise-near",
            "reprise-shingle",
        ],
    ),
    entry(
        Layer::Surface,
        "reprise-cli",
        &["reprise-demo", "reprise-engine"],
    ),
    entry(
        Layer::Surface,
        "reprise-wasm",
        &[
            "reprise-chunk",
            "reprise-fingerprint",
            "reprise-text",
            "reprise-url",
        ],
    ),
    entry(Layer::Surface, "xtask", &[]),
];

/// Returns the pure crates of the workspace.
pub(crate) fn pure_crates(workspace: &Workspace) -> impl Iterator<Item = &Crate> {
    let is_pure = |name: &str| find(CRATES, name).is_some_and(|entry| entry.layer == Layer::Pure);
    workspace
        .crates
        .iter()
        .filter(move |one| is_pure(&one.name))
}

/// Checks the dependencies of the workspace against [`CRATES`].
pub(crate) fn check(workspace: &Workspace) -> Vec<String> {
    check_against(CRATES, workspace)
}

fn check_against(entries: &[Entry], workspace: &Workspace) -> Vec<String> {
    let mut findings = check_entries(entries, workspace);
    for one in &workspace.crates {
        let (name, directory) = (&one.name, &one.directory);
        let Some(entry) = find(entries, name) else {
            findings.push(format!(
                "{directory}/Cargo.toml: {name} has no entry in {}",
                file!()
            ));
            continue;
        };
        for other in &one.depends_on {
            if !may_use(entries, entry, other) {
                let layer = entry.layer.as_str();
                findings.push(format!(
                    "{directory}/Cargo.toml: {name} ({layer}) may not depend on {other}: see {}",
                    file!()
                ));
            }
        }
    }
    findings
}

/// Checks that entries are in order and name only crates that exist.
fn check_entries(entries: &[Entry], workspace: &Workspace) -> Vec<String> {
    let mut findings = Vec::new();
    if !entries.is_sorted_by_key(|entry| entry.layer) {
        findings.push(format!("{}: the entries are not sorted by layer", file!()));
    }
    for (at, entry) in entries.iter().enumerate() {
        let name = entry.name;
        if !workspace.crates.iter().any(|one| one.name == name) {
            findings.push(format!(
                "{}: {name} is not a crate of the workspace",
                file!()
            ));
        }
        for other in entry.may_use {
            if find(&entries[..at], other).is_none() {
                findings.push(format!(
                    "{}: {name} names {other}, which has no entry above it",
                    file!()
                ));
            }
        }
    }
    findings
}

fn find<'e>(entries: &'e [Entry], name: &str) -> Option<&'e Entry> {
    entries.iter().find(|entry| entry.name == name)
}

fn may_use(entries: &[Entry], entry: &Entry, other: &str) -> bool {
    let allowed_by_layer =
        find(entries, other).is_some_and(|other| entry.layer.may_use().contains(&other.layer));
    allowed_by_layer || entry.may_use.contains(&other)
}

/// Returns one line per crate with the crates that it depends on, bottom-up.
pub(crate) fn graph(workspace: &Workspace) -> String {
    let place = |one: &Crate| {
        let place = CRATES.iter().position(|entry| entry.name == one.name);
        place.unwrap_or(CRATES.len())
    };
    let mut crates: Vec<&Crate> = workspace.crates.iter().collect();
    crates.sort_by_key(|one| place(one));
    let width = crates.iter().map(|one| one.name.len()).max().unwrap_or(0);
    let mut lines = String::new();
    for one in crates {
        let layer = find(CRATES, &one.name).map_or("?", |entry| entry.layer.as_str());
        let arrows: Vec<&str> = one.depends_on.iter().map(String::as_str).collect();
        let line = if arrows.is_empty() {
            format!("{layer:<8} {}", one.name)
        } else {
            format!("{layer:<8} {:<width$} -> {}", one.name, arrows.join(", "))
        };
        let _ = writeln!(lines, "{line}");
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{Entry, Layer, check_against, entry, graph};
    use crate::workspace::{Crate, Workspace};

    const ENTRIES: &[Entry] = &[
        entry(Layer::Pure, "url", &[]),
        entry(Layer::Pure, "text", &["url"]),
        entry(Layer::Stage, "store", &[]),
        entry(Layer::Stage, "detect", &["store"]),
        entry(Layer::Engine, "engine", &[]),
        entry(Layer::Surface, "cli", &["engine"]),
    ];

    /// Makes a workspace in which every crate exists, with these dependencies.
    fn workspace(arrows: &[(&str, &str)]) -> Workspace {
        let crates = ENTRIES.iter().map(|entry| Crate {
            name: entry.name.to_owned(),
            directory: format!("crates/{}", entry.name),
            depends_on: arrows
                .iter()
                .filter(|(from, _)| *from == entry.name)
                .map(|(_, to)| (*to).to_owned())
                .collect(),
        });
        Workspace {
            crates: crates.collect(),
        }
    }

    #[test]
    fn only_listed_dependencies_are_allowed() {
        let allowed = [
            ("text", "url"),
            ("store", "url"),
            ("detect", "store"),
            ("detect", "text"),
            ("engine", "detect"),
            ("engine", "url"),
            ("cli", "engine"),
        ];
        assert_eq!(check_against(ENTRIES, &workspace(&allowed)), [""; 0]);
        let forbidden = [
            ("url", "text"),
            ("text", "store"),
            ("store", "detect"),
            ("store", "engine"),
            ("engine", "cli"),
            ("cli", "store"),
        ];
        for (from, to) in forbidden {
            let findings = check_against(ENTRIES, &workspace(&[(from, to)]));
            let expected = format!("may not depend on {to}");
            assert!(
                matches!(&findings[..], [one] if one.contains(&expected)),
                "{from} -> {to}: {findings:?}"
            );
        }
    }

    #[test]
    fn entries_and_crates_must_match() {
        let mut workspace = workspace(&[]);
        workspace.crates[0].name = "chunk".to_owned();
        let findings = check_against(ENTRIES, &workspace);
        assert_eq!(findings.len(), 2, "{findings:?}");
        assert!(findings[0].contains("url is not a crate of the workspace"));
        assert!(findings[1].contains("chunk has no entry"));
    }

    #[test]
    fn entries_name_only_entries_above_them() {
        let entries = [
            entry(Layer::Stage, "detect", &["store"]),
            entry(Layer::Stage, "store", &[]),
        ];
        let findings = super::check_entries(&entries, &workspace(&[]));
        assert!(
            matches!(&findings[..], [one] if one.contains("detect names store")),
            "{findings:?}"
        );
    }

    #[test]
    fn entries_are_sorted_by_layer() {
        let entries = [
            entry(Layer::Stage, "store", &[]),
            entry(Layer::Pure, "text", &["store"]),
        ];
        let findings = super::check_entries(&entries, &workspace(&[]));
        assert!(
            matches!(&findings[..], [one] if one.contains("not sorted by layer")),
            "{findings:?}"
        );
    }

    #[test]
    fn the_graph_is_sorted_bottom_up() {
        let one = |name: &str, depends_on: &[&str]| Crate {
            name: name.to_owned(),
            directory: String::new(),
            depends_on: depends_on.iter().map(|&other| other.to_owned()).collect(),
        };
        let workspace = Workspace {
            crates: vec![
                one("new", &[]),
                one("reprise-cli", &["reprise-engine", "reprise-demo"]),
                one("reprise-url", &[]),
            ],
        };
        let expected = "\
pure     reprise-url
surface  reprise-cli -> reprise-demo, reprise-engine
?        new
";
        assert_eq!(graph(&workspace), expected);
    }
}
