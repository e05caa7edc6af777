//! Simulates attacks on signatures.

use std::fs;
use std::path::{Path, PathBuf};

use reprise_imatch::attack::{AttackInput, AttackOptions, Attacks, simulate};
use reprise_imatch::{Signing, Terms};
use reprise_store::Progress;

use crate::archives::for_each_terms;
use crate::convert::ConvertOptions;
use crate::error::Error;
use crate::resources::Resources;
use crate::temporary::DocumentSet;

/// The documents and words of an attack. Each name is that of a corpus, or of any other input.
#[derive(Clone, Debug, Default)]
pub struct AttackInputs {
    /// Payloads. The first with a signature is attacked; the attacker learns from the others.
    pub payloads: Vec<String>,
    /// Good documents that the attacker has: good words, their contexts, and sentences for noise.
    pub good: Vec<String>,
    /// A file of words that the attacker has, one per line. Everything after white space is ignored.
    pub dictionary: Option<PathBuf>,
}

/// Simulates an attacker who changes a payload until its signature changes.
pub fn simulate_attacks(
    inputs: &AttackInputs,
    signing: &Signing,
    options: &AttackOptions,
    convert: &ConvertOptions,
    resources: Resources,
    progress: &dyn Progress,
) -> Result<Attacks, Error> {
    options.validate()?;
    resources.validate()?;
    let read = |names: &[String]| read_terms(names, signing, convert, resources, progress);
    let payloads = read(&inputs.payloads)?;
    let good = read(&inputs.good)?;
    let dictionary = inputs.dictionary.as_deref().map(read_words).transpose()?;
    let input = AttackInput {
        payloads: &payloads,
        good: &good,
        dictionary: &dictionary.unwrap_or_default(),
        part: signing.primary.part(),
        config: signing.config,
    };
    Ok(simulate(&input, options)?)
}

/// Reads the terms of all documents that have some.
fn read_terms(
    names: &[String],
    signing: &Signing,
    convert: &ConvertOptions,
    resources: Resources,
    progress: &dyn Progress,
) -> Result<Vec<Terms>, Error> {
    let mut found = Vec::new();
    if names.is_empty() {
        return Ok(found);
    }
    for corpus in DocumentSet::open(names, resources, progress)?.corpora() {
        let texts = corpus.texts(convert);
        for_each_terms(&texts, &signing.rules(), progress, |_, terms| {
            if !terms.is_empty() {
                found.push(terms.clone());
            }
        })?;
    }
    Ok(found)
}

/// Returns the first word of each line, in lower case.
fn read_words(path: &Path) -> Result<Vec<String>, Error> {
    let bytes = fs::read(path).map_err(Error::reading(path))?;
    let text = String::from_utf8_lossy(&bytes);
    let words = text
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    Ok(words.map(str::to_lowercase).collect())
}
