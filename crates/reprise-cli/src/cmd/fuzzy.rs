//! `reprise fuzzy`: fuzzy hashes of files, as ssdeep prints, compares and searches them.

use std::cell::Cell;
use std::fs;
use std::io::{self, Read, Write, stdin, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use reprise_engine::fuzzy_hashes::{Digest, lines, score};
use reprise_engine::{ConvertOptions, DigestFileError, DigestList, digest_text};
use serde::Serialize;

use crate::console::{Console, complain, print_json};
use crate::failure::{USAGE, Usage, sentence};
use crate::flags::ConvertFlags;
use crate::human;

/// Compute fuzzy hashes of files, compare two files, or look files up in a list of digests
///
/// Digests, scores and lists are those of ssdeep 2.14. Digests are computed from the plain text, so that a document
/// in two formats or with another style has about the same digest.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files or directories; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print how similar two files are, from 0 to 100
    #[arg(long, conflicts_with = "list")]
    compare: bool,
    /// Look the files up in this list of digests, from this command or from ssdeep
    #[arg(long = "match", value_name = "LIST")]
    list: Option<PathBuf>,
    /// Show matches from this score on, from 1 to 100
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=100))]
    threshold: u8,
    /// Hash the bytes, not the plain text
    #[arg(long)]
    raw: bool,
    #[command(flatten)]
    convert: ConvertFlags,
}

/// A line of JSON.
#[derive(Serialize)]
#[serde(untagged)]
enum Line<'f> {
    Digest {
        file: &'f str,
        digest: String,
    },
    Score {
        files: [&'f str; 2],
        score: u8,
    },
    Match {
        file: &'f str,
        name: &'f str,
        score: u8,
    },
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        let options = (!self.raw).then(|| self.convert.options()).transpose()?;
        if self.compare {
            return self.compare(console, options.as_ref());
        }
        let list = self.list.as_deref().map(read_list).transpose()?;
        let failed = Cell::new(false);
        let mut fail = |error: &anyhow::Error| {
            failed.set(true);
            complain(&format!("reprise: {}", sentence(error)));
        };
        let mut files = Vec::new();
        for path in &self.files {
            expand(path, &mut files, &mut fail);
        }
        if files.is_empty() && !failed.get() {
            let message = "the directories have no files to hash; name others";
            return Err(Usage(message.to_owned()).into());
        }
        if list.is_none() && !console.json {
            writeln!(stdout(), "{}", lines::HEADER)?;
        }
        for path in &files {
            match digest(path, options.as_ref()) {
                Ok(digest) => match &list {
                    Some(list) => self.print_matches(console, list, path, &digest)?,
                    None => print_digest(console, path, &digest, &mut fail)?,
                },
                Err(error) => fail(&error),
            }
        }
        Ok(if failed.get() {
            ExitCode::from(USAGE)
        } else {
            ExitCode::SUCCESS
        })
    }

    fn compare(
        &self,
        console: Console,
        options: Option<&ConvertOptions>,
    ) -> anyhow::Result<ExitCode> {
        let [one, other] = self.files.as_slice() else {
            return Err(Usage("--compare needs two files".to_owned()).into());
        };
        let digest = |path| digest(path, options).map_err(|error| Usage(sentence(&error)));
        let score = score(&digest(one)?, &digest(other)?);
        let files = [one, other].map(|path| path.to_string_lossy());
        let line = Line::Score {
            files: [&files[0], &files[1]],
            score,
        };
        console.print(&line, None, || format!("{score}\n"))?;
        Ok(ExitCode::SUCCESS)
    }

    fn print_matches(
        &self,
        console: Console,
        list: &DigestList,
        path: &Path,
        digest: &Digest,
    ) -> anyhow::Result<()> {
        let file = &path.to_string_lossy();
        let list_name = self.list.as_deref().unwrap_or(Path::new("")).display();
        for found in list.matches(digest, self.threshold) {
            let (name, score) = (found.name, found.score);
            console.print(&Line::Match { file, name, score }, None, || {
                human::one_line(&format!("{file} matches {list_name}:{name} ({score})")) + "\n"
            })?;
        }
        Ok(())
    }
}

/// Prints a digest as a line of a list.
fn print_digest(
    console: Console,
    path: &Path,
    digest: &Digest,
    fail: &mut dyn FnMut(&anyhow::Error),
) -> anyhow::Result<()> {
    if console.json {
        return print_json(&Line::Digest {
            file: &path.to_string_lossy(),
            digest: digest.to_string(),
        });
    }
    match lines::write(digest, path.as_os_str().as_encoded_bytes()) {
        Ok(line) => stdout().write_all(&line)?,
        Err(error) => fail(&anyhow::Error::new(error).context(path.display().to_string())),
    }
    Ok(())
}

fn read_list(path: &Path) -> Result<DigestList, reprise_engine::Error> {
    DigestList::read(path, |line, error| {
        let place = format!("{}, line {line}", path.display());
        complain(&human::one_line(&format!(
            "reprise: {place} is left out: {error}"
        )));
    })
}

/// Computes the digest of a file's plain text, or of its bytes if `options` is `None`.
fn digest(path: &Path, options: Option<&ConvertOptions>) -> anyhow::Result<Digest> {
    let mut bytes = Vec::new();
    let read = if path.as_os_str() == "-" {
        stdin().lock().read_to_end(&mut bytes)
    } else {
        fs::File::open(path).and_then(|mut file| file.read_to_end(&mut bytes))
    };
    read.with_context(|| format!("cannot read {}", path.display()))?;
    let Some(options) = options else {
        return Ok(Digest::of(&bytes));
    };
    digest_text(&path.to_string_lossy(), &bytes, options).map_err(|error| {
        let hint = matches!(error, DigestFileError::NoText).then_some("; --raw hashes its bytes");
        anyhow::anyhow!("{}: {error}{}", path.display(), hint.unwrap_or(""))
    })
}

/// Adds a file, or all files below a directory in the order of their names.
fn expand(path: &Path, files: &mut Vec<PathBuf>, fail: &mut dyn FnMut(&anyhow::Error)) {
    if !path.is_dir() {
        files.push(path.to_owned());
        return;
    }
    let entries = fs::read_dir(path).and_then(|entries| {
        entries
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<io::Result<Vec<_>>>()
    });
    match entries {
        Ok(mut paths) => {
            paths.sort();
            // A link to a directory may lead back to this one.
            paths.retain(|path| !(path.is_symlink() && path.is_dir()));
            for path in paths {
                expand(&path, files, fail);
            }
        }
        Err(error) => {
            let place = format!("cannot read {}", path.display());
            fail(&anyhow::Error::new(error).context(place));
        }
    }
}
