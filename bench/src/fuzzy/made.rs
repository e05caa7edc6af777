//! Generates the files on which fuzzy hashes are measured. They are the same on every machine.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Result;
use reprise_engine::fuzzy_hashes::{Digest, lines};

use crate::near::{Random, vocabulary, word};

/// Files that are hashed one after the other.
pub(super) struct FileSet {
    pub(super) name: String,
    pub(super) files: Vec<PathBuf>,
    pub(super) bytes: u64,
}

/// The number of documents that are hashed as separate files.
const SMALL_FILES: usize = 1_000;

/// Generates one file of random bytes and one file of words for each size, and many small documents.
pub(super) fn file_sets(directory: &Path, megabytes: &[usize]) -> Result<Vec<FileSet>> {
    let mut sets = Vec::new();
    for &size in megabytes {
        let path = directory.join(format!("random-{size}"));
        let bytes = size * 1_000_000;
        written(&path, |file| {
            let mut random = Random(7);
            let noise = (0..bytes.div_ceil(8)).flat_map(|_| random.next().to_le_bytes());
            Ok(file.write_all(&noise.take(bytes).collect::<Vec<u8>>())?)
        })?;
        sets.push(set(format!("random bytes, {size} MB"), vec![path])?);
    }
    for &size in megabytes {
        let path = directory.join(format!("words-{size}.txt"));
        written(&path, |file| {
            let mut documents = Documents::new();
            let mut left = size * 1_000_000;
            while left > 0 {
                let text = documents.next();
                let part = &text.as_bytes()[..text.len().min(left)];
                file.write_all(part)?;
                left -= part.len();
            }
            Ok(())
        })?;
        sets.push(set(format!("text, {size} MB"), vec![path])?);
    }
    let small = directory.join("documents");
    fs::create_dir_all(&small)?;
    let mut documents = Documents::new();
    let mut files = Vec::new();
    for number in 0..SMALL_FILES {
        let path = small.join(format!("{number}.txt"));
        let text = documents.next();
        written(&path, |file| Ok(file.write_all(text.as_bytes())?))?;
        files.push(path);
    }
    sets.push(set(format!("{SMALL_FILES} documents"), files)?);
    Ok(sets)
}

fn set(name: String, files: Vec<PathBuf>) -> Result<FileSet> {
    let mut bytes = 0;
    for path in &files {
        bytes += fs::metadata(path)?.len();
    }
    Ok(FileSet { name, files, bytes })
}

/// Generates a file of digests in the format of ssdeep. The name of a document is its number.
pub(super) fn digest_file(directory: &Path, documents: usize) -> Result<PathBuf> {
    let path = directory.join(format!("digests-{documents}.txt"));
    written(&path, |file| {
        eprintln!("generating {documents} documents (only once)");
        let mut made = Documents::new();
        writeln!(file, "{}", lines::HEADER)?;
        for number in 0..documents {
            let digest = Digest::of(made.next().as_bytes());
            file.write_all(&lines::write(&digest, number.to_string().as_bytes())?)?;
        }
        Ok(())
    })?;
    Ok(path)
}

/// Writes a file unless it exists. An unfinished file has another name.
fn written(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    if path.exists() {
        return Ok(());
    }
    let unfinished = path.with_extension("unfinished");
    let mut file = BufWriter::new(File::create(&unfinished)?);
    write(&mut file)?;
    file.flush()?;
    fs::rename(&unfinished, path)?;
    Ok(())
}

/// Generates documents of 4 to 16 kB. Three of ten are followed by one to four edited copies.
struct Documents {
    random: Random,
    vocabulary: Vec<String>,
    family: Vec<usize>,
    copies: usize,
}

impl Documents {
    fn new() -> Documents {
        let mut random = Random(2);
        Documents {
            vocabulary: vocabulary(&mut random),
            random,
            family: Vec::new(),
            copies: 0,
        }
    }

    fn next(&mut self) -> String {
        if self.copies > 0 {
            self.copies -= 1;
            let mut words = self.family.clone();
            self.edit(&mut words);
            return self.text(&words);
        }
        // A word and its space have 7 characters on average.
        let length = 4_000 / 7 + self.random.below(12_000 / 7);
        let words = (0..length).map(|_| word(&mut self.random, &self.vocabulary));
        self.family = words.collect();
        if self.random.below(10) < 3 {
            self.copies = 1 + self.random.below(4);
        }
        self.text(&self.family)
    }

    /// Replaces some words. Sometimes it also deletes or inserts a passage.
    fn edit(&mut self, words: &mut Vec<usize>) {
        for _ in 0..[0, 1, 2, 4, 8, 16, 32][self.random.below(7)] {
            let at = self.random.below(words.len());
            words[at] = word(&mut self.random, &self.vocabulary);
        }
        let at = self.random.below(words.len());
        let length = 20 + self.random.below(80);
        match self.random.below(4) {
            0 => drop(words.drain(at..(at + length).min(words.len()))),
            1 => {
                let passage = (0..length).map(|_| word(&mut self.random, &self.vocabulary));
                let passage: Vec<usize> = passage.collect();
                words.splice(at..at, passage);
            }
            _ => {}
        }
    }

    /// Writes the words in lines of twelve.
    fn text(&self, words: &[usize]) -> String {
        let mut text = String::new();
        for (index, &word) in words.iter().enumerate() {
            text.push_str(&self.vocabulary[word]);
            text.push(if index % 12 == 11 { '\n' } else { ' ' });
        }
        text
    }
}
