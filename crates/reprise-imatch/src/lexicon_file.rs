//! The file format of a lexicon: UTF-8 text, lines that end with a line feed.
//!
//! ```text
//! reprise-lexicon 1
//! rules invisible=remove look-alikes=fold numbers=drop chars=2..32
//! choice information
//! documents 3000
//! good 2500
//! bad 500
//! terms 2
//! mortgage<TAB>31<TAB>2<TAB>29<TAB>41275901
//! unsubscribe<TAB>90<TAB>31<TAB>59<TAB>31874450
//! ```
//!
//! - `rules`: the rules by which texts become terms. `invisible` is `remove` or `keep`, `look-alikes` is
//!   `fold` or `keep`, `numbers` is `drop` or `keep`, and `chars` is the smallest and the largest length
//!   of a term.
//! - `choice`: `frequency` or `information`.
//! - `documents`, `good`, `bad`: the number of documents of the training set, and of those of each class.
//! - `terms`: the number of lines that follow, sorted by the bytes of the term. Each line has five columns,
//!   separated by tabs: the term; the number of documents that contain it; the number of good ones; the
//!   number of bad ones; and the mutual information with the class in billionths of a bit, or `-` if the
//!   training set did not have both classes.
//!
//! A reader computes the last column itself and ignores the one in the file.

use std::fmt::Write;

use crate::lexicon::{Choice, Entry, Lexicon};
use crate::lines::{FileError, Lines};
use crate::statistics::Documents;
use crate::terms::{TermRules, is_term};
use crate::train::information_nanobits;

const HEADER: &str = "reprise-lexicon 1";

impl Lexicon {
    /// Returns the content of the file. Equal lexicons have equal files.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Documents { all, good, bad } = self.documents;
        let mut file = format!(
            "{HEADER}\n{}choice {}\ndocuments {all}\ngood {good}\nbad {bad}\nterms {}\n",
            rules_line(&self.rules),
            self.choice,
            self.len()
        );
        for Entry { term, documents } in self.entries() {
            let Documents { all, good, bad } = documents;
            let information = if self.documents.good > 0 && self.documents.bad > 0 {
                information_nanobits(documents, self.documents).to_string()
            } else {
                "-".to_owned()
            };
            let written = writeln!(file, "{term}\t{all}\t{good}\t{bad}\t{information}");
            written.expect("writing to a string never fails");
        }
        file.into_bytes()
    }

    /// Parses the file of a lexicon. The bytes need not be trusted. Errors name the line.
    pub fn parse(file: &[u8]) -> Result<Self, FileError> {
        let mut lines = Lines::new(file, HEADER)?;
        let rules = lines.field("rules", parse_rules)?;
        let choice = lines.field("choice", |text| match text {
            "frequency" => Some(Choice::Frequency),
            "information" => Some(Choice::Information),
            _ => None,
        })?;
        let documents = Documents {
            all: lines.number("documents")?,
            good: lines.number("good")?,
            bad: lines.number("bad")?,
        };
        if !Documents::default().is_part_of(documents) {
            return Err(lines.bad("fewer documents than good and bad ones"));
        }
        let terms: usize = lines.number("terms")?;
        let mut entries: Vec<Entry> = Vec::new();
        while let Some(line) = lines.next()? {
            let entry =
                parse_entry(line).ok_or_else(|| lines.bad("expected a term and four numbers"))?;
            if !entry.documents.is_part_of(documents) {
                return Err(lines.bad("the term has more documents than the training set"));
            }
            if entries.last().is_some_and(|last| last.term >= entry.term) {
                return Err(lines.bad("the terms are not sorted"));
            }
            entries.push(entry);
        }
        if entries.len() != terms {
            return Err(FileError::Count {
                expected: terms,
                found: entries.len(),
            });
        }
        Ok(Self::of(rules, choice, documents, entries))
    }
}

fn parse_entry(line: &str) -> Option<Entry<'_>> {
    let mut columns = line.split('\t');
    let term = columns.next().filter(|term| is_term(term))?;
    let mut number = || columns.next()?.parse::<u32>().ok();
    let documents = Documents {
        all: number()?,
        good: number()?,
        bad: number()?,
    };
    let information = columns.next()?;
    let is_information = information == "-" || information.parse::<u64>().is_ok();
    (is_information && columns.next().is_none()).then_some(Entry { term, documents })
}

/// Returns the line of the rules, with its line feed.
pub(crate) fn rules_line(rules: &TermRules) -> String {
    let choose = |yes: bool, if_yes: &'static str| if yes { if_yes } else { "keep" };
    format!(
        "rules invisible={} look-alikes={} numbers={} chars={}..{}\n",
        choose(rules.remove_invisible, "remove"),
        choose(rules.fold_look_alikes, "fold"),
        choose(rules.drop_numbers, "drop"),
        rules.chars_min,
        rules.chars_max
    )
}

fn parse_rules(text: &str) -> Option<TermRules> {
    let mut fields = text.split(' ');
    let mut field = |name: &str| fields.next()?.strip_prefix(name)?.strip_prefix('=');
    let choice = |text: &str, if_yes: &str| match text {
        "keep" => Some(false),
        text => (text == if_yes).then_some(true),
    };
    let remove_invisible = choice(field("invisible")?, "remove")?;
    let fold_look_alikes = choice(field("look-alikes")?, "fold")?;
    let drop_numbers = choice(field("numbers")?, "drop")?;
    let (chars_min, chars_max) = field("chars")?.split_once("..")?;
    let rules = TermRules {
        remove_invisible,
        fold_look_alikes,
        drop_numbers,
        chars_min: chars_min.parse().ok()?,
        chars_max: chars_max.parse().ok()?,
    };
    fields.next().is_none().then_some(rules)
}
