//! `reprise fuzzy`: fuzzy hashes of files, as ssdeep prints, compares and looks them up.

use std::fs;
use std::io::{Read, Write, stdin, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use reprise_engine::convert::{Converter, Plain};
use reprise_engine::fuzzy::{Digest, Index, lines, score};
use reprise_engine::ingest::{Item, read_file};
use reprise_engine::plain_of;
use serde::Serialize;

use super::converting::ConvertFlags;
use super::filters::read_limits;
use crate::exit::{USAGE, Usage};
use crate::human;

/// Fuzzy hashes of documents: print them, compare two files, or look files up in a list.
///
/// Digests and scores are those of ssdeep 2.14, and so are the files of digests. Taken are those of the
/// plain text, so that a document in two formats, or with another style, is still found; --raw takes
/// the bytes as they are.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files or directories; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Hash the bytes, not the plain text
    #[arg(long)]
    raw: bool,
    /// Print how alike two files are, from 0 to 100
    #[arg(long, conflicts_with = "database")]
    compare: bool,
    /// Look the files up in this file of digests, from here or from ssdeep
    #[arg(long = "match", value_name = "DB")]
    database: Option<PathBuf>,
    /// Least score of a match, 1 to 100
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=100))]
    threshold: u8,
    #[command(flatten)]
    convert: ConvertFlags,
    /// Print one JSON object a line instead of text
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct JsonDigest<'a> {
    file: &'a str,
    digest: String,
}

#[derive(Serialize)]
struct JsonScore<'a> {
    files: [&'a str; 2],
    score: u8,
}

#[derive(Serialize)]
struct JsonMatch<'a> {
    file: &'a str,
    name: &'a str,
    score: u8,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let hashing = Hashing {
        converter: (!args.raw).then(|| args.convert.converter()).transpose()?,
    };
    if args.compare {
        return compare(args, &hashing);
    }
    let database = args.database.as_deref().map(Database::read).transpose()?;
    let mut out = stdout().lock();
    if database.is_none() && !args.json {
        writeln!(out, "{}", lines::HEADER)?;
    }
    let mut files = Vec::new();
    let mut failed = 0;
    for path in &args.files {
        failed += u32::from(!expand(path, &mut files));
    }
    for path in &files {
        let digest = match hashing.digest(path) {
            Ok(digest) => digest,
            Err(why) => {
                failed += 1;
                complain(path, &why);
                continue;
            }
        };
        let name = path.to_string_lossy();
        let lines = match &database {
            Some(database) => database.matches(&name, &digest, args)?,
            None if args.json => json(&JsonDigest {
                file: &name,
                digest: digest.to_string(),
            })?,
            None => match lines::write(&digest, path.as_os_str().as_encoded_bytes()) {
                Ok(line) => line,
                Err(error) => {
                    failed += 1;
                    complain(path, &error.to_string());
                    continue;
                }
            },
        };
        out.write_all(&lines)?;
    }
    out.flush()?;
    Ok(if failed > 0 {
        ExitCode::from(USAGE)
    } else {
        ExitCode::SUCCESS
    })
}

fn compare(args: &Args, hashing: &Hashing) -> anyhow::Result<ExitCode> {
    let [one, other] = args.files.as_slice() else {
        return Err(Usage("--compare takes two files".to_owned()).into());
    };
    let digest = |path: &Path| {
        hashing
            .digest(path)
            .map_err(|why| Usage(format!("{}: {why}", path.display())))
    };
    let score = score(&digest(one)?, &digest(other)?);
    if args.json {
        let (one, other) = (one.to_string_lossy(), other.to_string_lossy());
        stdout().write_all(&json(&JsonScore {
            files: [&one, &other],
            score,
        })?)?;
    } else {
        println!("{score}");
    }
    Ok(ExitCode::SUCCESS)
}

fn json(value: &impl Serialize) -> anyhow::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}

fn complain(path: &Path, why: &str) {
    let line = format!("{}: {why}", path.display());
    say!("reprise: {}", human::one_line(&line));
}

/// Adds a file, or all files below a directory in the order of their names; false if it cannot be read.
fn expand(path: &Path, files: &mut Vec<PathBuf>) -> bool {
    if !path.is_dir() {
        files.push(path.to_owned());
        return true;
    }
    let entries = fs::read_dir(path).and_then(|entries| {
        entries
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<Vec<_>, _>>()
    });
    match entries {
        Ok(mut paths) => {
            paths.sort();
            // A link to a directory may lead back here.
            paths.retain(|path| !(path.is_symlink() && path.is_dir()));
            // All of them, even after one that cannot be read.
            paths.iter().filter(|path| !expand(path, files)).count() == 0
        }
        Err(error) => {
            complain(path, &error.to_string());
            false
        }
    }
}

/// What of a file is hashed.
struct Hashing {
    /// Makes plain text; without it the bytes are hashed.
    converter: Option<Converter>,
}

impl Hashing {
    fn digest(&self, path: &Path) -> Result<Digest, String> {
        let mut bytes = Vec::new();
        if path.as_os_str() == "-" {
            stdin().lock().read_to_end(&mut bytes)
        } else {
            fs::File::open(path).and_then(|mut file| file.read_to_end(&mut bytes))
        }
        .map_err(|error| error.to_string())?;
        let Some(converter) = &self.converter else {
            return Ok(Digest::of(&bytes));
        };
        let plain = plain_of_file(path, &bytes, converter)?;
        Ok(Digest::of(plain.normal().as_bytes()))
    }
}

fn plain_of_file(path: &Path, bytes: &[u8], converter: &Converter) -> Result<Plain, String> {
    let mut found = None;
    read_file(
        &path.to_string_lossy(),
        bytes,
        &read_limits(),
        &mut |item| {
            if let Item::Page(page) = item {
                found = plain_of(&page, converter);
            }
        },
    );
    found
        .ok_or_else(|| "there is no plain text in it; --raw hashes its bytes".to_owned())?
        .map_err(|error| error.to_string())
}

/// A file of digests.
struct Database {
    name: String,
    index: Index,
    names: Vec<String>,
}

impl Database {
    fn read(path: &Path) -> anyhow::Result<Database> {
        let usage = |why: String| Usage(format!("{}: {why}", path.display()));
        let bytes = fs::read(path).map_err(|error| usage(error.to_string()))?;
        let mut database = Database {
            name: path.to_string_lossy().into_owned(),
            index: Index::new(),
            names: Vec::new(),
        };
        let lines = lines::read(&bytes).map_err(|error| usage(error.to_string()))?;
        for (number, line) in lines {
            match line {
                Ok(line) => {
                    database.index.insert(&line.digest);
                    let name = line.name.unwrap_or_default();
                    database.names.push(String::from_utf8_lossy(&name).into());
                }
                Err(error) => complain(path, &format!("line {number} is left out: {error}")),
            }
        }
        Ok(database)
    }

    /// What is like this file, a line each.
    fn matches(&self, file: &str, digest: &Digest, args: &Args) -> anyhow::Result<Vec<u8>> {
        let mut text = Vec::new();
        for found in self.index.matches(digest, args.threshold) {
            let name = &self.names[found.id as usize];
            if args.json {
                text.extend(json(&JsonMatch {
                    file,
                    name,
                    score: found.score,
                })?);
            } else {
                let line = format!("{file} matches {}:{name} ({})", self.name, found.score);
                text.extend(human::one_line(&line).bytes());
                text.push(b'\n');
            }
        }
        Ok(text)
    }
}
