//! Where results go: files that are made at once, or standard output.

use std::fs;
use std::io::{IsTerminal, Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::builder::{PathBufValueParser, TypedValueParser};
use reprise_engine::store::{Aside, STANDARD_OUTPUT, create_file, is_special};

use crate::exit::Usage;

/// What a corpus keeps in its directory: nobody's result may take its place.
const OWN: [&str; 5] = [
    "manifest.json",
    "manifest.json.partial",
    "lock",
    "segments",
    "crawl",
];

/// Takes an argument as the name of a file to write; `-` is standard output.
pub(crate) fn parser() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        if path == Path::new("-") {
            return Ok(PathBuf::from(STANDARD_OUTPUT));
        }
        check_foreign(path)
    })
}

/// Takes an argument as the name of a file to write beside what goes to standard output.
pub(crate) fn named_parser() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        if path == Path::new("-") {
            return Err("standard output cannot take it: give a name".to_owned());
        }
        check_foreign(path)
    })
}

/// Takes an argument as the name of a directory to write into; it need not be there.
pub(crate) fn directory_parser() -> impl TypedValueParser<Value = PathBuf> {
    named_parser().try_map(|path| {
        if path.exists() && !path.is_dir() {
            return Err(format!("{} is a file, not a directory", path.display()));
        }
        Ok(path)
    })
}

/// Refuses what belongs to a corpus.
fn check_foreign(path: PathBuf) -> Result<PathBuf, String> {
    let real = fs::canonicalize(&path).or_else(|_| {
        let parent = path.parent().filter(|path| !path.as_os_str().is_empty());
        let parent = fs::canonicalize(parent.unwrap_or(Path::new(".")))?;
        Ok::<_, std::io::Error>(parent.join(path.file_name().unwrap_or_default()))
    });
    // Where there is no such directory, writing says so.
    let real = real.unwrap_or_default();
    let own = real.ancestors().skip(1).find(|corpus| {
        let is_corpus = corpus.join(OWN[0]).is_file() && corpus.join("segments").is_dir();
        is_corpus && OWN.iter().any(|own| real.starts_with(corpus.join(own)))
    });
    match own {
        None => Ok(path),
        Some(corpus) => Err(format!(
            "it belongs to the corpus {}: name another file",
            corpus.display()
        )),
    }
}

/// Is this standard output?
pub(crate) fn is_standard(output: &Path) -> bool {
    output == Path::new(STANDARD_OUTPUT)
}

/// The name of an output, for people.
pub(crate) fn name(output: &Path) -> String {
    if is_standard(output) {
        "standard output".to_owned()
    } else {
        output.display().to_string()
    }
}

/// Refuses to write Parquet onto a terminal.
pub(crate) fn check_binary(output: &Path) -> Result<(), Usage> {
    if is_standard(output) && stdout().is_terminal() {
        let why = "Parquet is nothing for a terminal: write `> FILE` behind the command, or name a file with -o FILE";
        return Err(Usage(why.to_owned()));
    }
    Ok(())
}

/// Refuses a result and JSON about it in one stream.
pub(crate) fn check_json(output: &Path, is_json: bool) -> Result<(), Usage> {
    if is_json && is_standard(output) {
        let why = "--json and -o - would both write to standard output: name a file with -o FILE";
        return Err(Usage(why.to_owned()));
    }
    Ok(())
}

/// Says what a command has to say beside its result: on standard output, unless the result goes there.
pub(crate) fn tell(output: Option<&Path>, text: &str) {
    if output.is_some_and(is_standard) {
        say_on!("{text}");
    } else {
        print!("{text}");
    }
}

/// Refuses flags that name the same file: only what is written last would be in it.
pub(crate) fn check_apart(outputs: &[(&str, Option<&Path>)]) -> Result<(), Usage> {
    let named = |at: usize| outputs[at].1.map(|path| (outputs[at].0, path));
    for at in 0..outputs.len() {
        for other in 0..at {
            if let (Some((flag, path)), Some((other, same))) = (named(at), named(other))
                && path == same
                && (is_standard(path) || !is_special(path))
            {
                let path = name(path);
                return Err(Usage(format!(
                    "{other} and {flag} name the same file, {path}"
                )));
            }
        }
    }
    Ok(())
}

/// Writes a file aside and gives it its name.
pub(crate) fn write(path: &Path, bytes: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let aside = Aside::of(path);
    create_file(aside.path())
        .and_then(|mut file| file.write_all(bytes.as_ref()))
        .with_context(|| format!("cannot write {}", name(path)))?;
    Ok(aside.keep()?)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::check_foreign;

    #[test]
    fn what_belongs_to_a_corpus_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let corpus = directory.path().join("c");
        fs::create_dir_all(corpus.join("segments/00000001")).unwrap();
        fs::write(corpus.join("manifest.json"), "").unwrap();
        let check = |path: &Path, is_refused: bool| {
            let refused = check_foreign(path.to_owned());
            assert_eq!(refused.is_err(), is_refused, "{refused:?}");
        };
        check(&corpus.join("manifest.json"), true);
        check(&corpus.join("lock"), true);
        check(&corpus.join("segments"), true);
        check(&corpus.join("segments/00000001/pages.parquet"), true);
        check(&corpus.join("../c/./segments/new"), true);
        check(&corpus.join("labels.parquet"), false);
        check(&directory.path().join("manifest.json"), false);
        check(Path::new("nowhere/at/all"), false);
        check(Path::new("out"), false);
    }
}
