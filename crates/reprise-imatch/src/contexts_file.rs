//! The file format of contexts: UTF-8 text, lines that end with a line feed.
//!
//! ```text
//! reprise-contexts 1
//! lexicon 6f0c2a41...
//! documents 2500
//! rule count 15
//! sides either
//! rows 2
//! mortgage<TAB>before<TAB>a home your
//! mortgage<TAB>after<TAB>$ rates
//! ```
//!
//! - `lexicon`: the fingerprint of the lexicon's terms and rules, 40 hex digits.
//! - `documents`: the number of documents of the tuning corpus.
//! - `rule`: `count` and the smallest count, or `share` and the smallest share of a term's occurrences.
//! - `sides`: `either` or `both`.
//! - `rows`: the number of lines that follow. Each has three columns, separated by tabs: a term of the
//!   lexicon, a side, and the valid neighbours on that side, separated by spaces. Rows are sorted by the
//!   bytes of the term, with `before` in front of `after`. Neighbours are sorted by their bytes. `^` is the
//!   beginning of a document and `$` is its end. Neither is ever a word.

use std::fmt::Write;

use reprise_fingerprint::Fingerprint;

use crate::contexts::{ContextConfig, ContextRule, Contexts, EDGE, Lists, Side, Sides};
use crate::lexicon::Lexicon;
use crate::lines::{FileError, Lines};
use crate::terms::is_term;

const HEADER: &str = "reprise-contexts 1";

impl Contexts {
    /// Returns the content of the file. Equal contexts have equal files.
    pub fn to_bytes(&self) -> Vec<u8> {
        let rule = match self.config.rule {
            ContextRule::Count(count) => format!("count {count}"),
            ContextRule::Share(share) => format!("share {share}"),
        };
        let sides = match self.config.sides {
            Sides::Either => "either",
            Sides::Both => "both",
        };
        let mut rows = String::new();
        let mut count = 0;
        for term in 0..self.terms {
            for (side, name, edge) in SIDES {
                let numbers = self.lists(side).of_term(term).iter();
                let mut words: Vec<&str> = numbers
                    .map(|&number| match number {
                        EDGE => edge,
                        number => self.vocabulary.word(number),
                    })
                    .collect();
                if words.is_empty() {
                    continue;
                }
                words.sort_unstable();
                count += 1;
                let term = self.vocabulary.word(term);
                let written = writeln!(rows, "{term}\t{name}\t{}", words.join(" "));
                written.expect("writing to a string never fails");
            }
        }
        let (lexicon, documents) = (self.lexicon, self.documents);
        let head = format!(
            "{HEADER}\nlexicon {lexicon}\ndocuments {documents}\nrule {rule}\nsides {sides}\nrows {count}\n"
        );
        (head + &rows).into_bytes()
    }

    /// Parses a file of contexts of this lexicon. The bytes need not be trusted.
    pub fn parse(file: &[u8], lexicon: &Lexicon) -> Result<Self, FileError> {
        let mut lines = Lines::new(file, HEADER)?;
        let fingerprint = lexicon.fingerprint();
        let named: Fingerprint = lines.number("lexicon")?;
        if named != fingerprint {
            return Err(FileError::Lexicon);
        }
        let documents = lines.number("documents")?;
        let rule = lines.field("rule", parse_rule)?;
        let sides = lines.field("sides", |text| match text {
            "either" => Some(Sides::Either),
            "both" => Some(Sides::Both),
            _ => None,
        })?;
        let expected: usize = lines.number("rows")?;
        let mut vocabulary = Self::vocabulary_of(lexicon);
        let mut pairs = [Vec::new(), Vec::new()];
        let (mut found, mut last) = (0, None);
        while let Some(line) = lines.next()? {
            let row = parse_row(line)
                .ok_or_else(|| lines.bad("expected a term, a side and neighbours"))?;
            let term = lexicon.get(row.term);
            let term = term.ok_or_else(|| lines.bad("the term is not in the lexicon"))?;
            let place = Some((term, row.side));
            if last >= place {
                return Err(lines.bad("the rows are not sorted"));
            }
            (last, found) = (place, found + 1);
            let pairs = &mut pairs[usize::from(row.side == Side::After)];
            let mut last_word = "";
            for word in row.neighbours.split(' ') {
                let is_edge = word == row.edge;
                if !is_edge && !is_term(word) || word <= last_word {
                    return Err(lines.bad("the neighbours are not sorted words"));
                }
                last_word = word;
                let number = if is_edge {
                    EDGE
                } else {
                    vocabulary.insert(word)
                };
                pairs.push((term, number));
            }
        }
        if found != expected {
            return Err(FileError::Count { expected, found });
        }
        let terms = lexicon.len() as u32;
        let [before, after] = pairs.map(|mut pairs| {
            pairs.sort_unstable();
            Lists::of(terms, &pairs)
        });
        Ok(Self {
            config: ContextConfig { rule, sides },
            documents,
            lexicon: fingerprint,
            terms,
            vocabulary,
            before,
            after,
        })
    }
}

/// The sides, each with its name and its sign for the edge of the document.
const SIDES: [(Side, &str, &str); 2] = [(Side::Before, "before", "^"), (Side::After, "after", "$")];

struct Row<'a> {
    term: &'a str,
    side: Side,
    edge: &'static str,
    neighbours: &'a str,
}

fn parse_row(line: &str) -> Option<Row<'_>> {
    let (term, rest) = line.split_once('\t')?;
    let (name, neighbours) = rest.split_once('\t')?;
    let &(side, _, edge) = SIDES.iter().find(|side| side.1 == name)?;
    Some(Row {
        term,
        side,
        edge,
        neighbours,
    })
}

fn parse_rule(text: &str) -> Option<ContextRule> {
    match text.split_once(' ')? {
        ("count", count) => count.parse().ok().map(ContextRule::Count),
        ("share", share) => {
            let share: f64 = share.parse().ok()?;
            (0.0..=1.0)
                .contains(&share)
                .then_some(ContextRule::Share(share))
        }
        _ => None,
    }
}
