//! Computes the expected counts with slow, obvious code: cuts from the tokens of `html5gum`, hashes from the crates
//! `sha1` and `sha2`, distinct chunks from a set.
//!
//! It follows the rules that `reprise-text` documents, and does not use the code that is measured.

use std::collections::HashSet;

use html5gum::{DefaultEmitter, State, Token, Tokenizer};
use reprise_engine::Content;
use serde::{Deserialize, Serialize};
use sha1::Sha1;
use sha2::{Digest, Sha256};

const INLINE: &str = "a abbr b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small \
                      span strike strong sub sup tt u var wbr";
const HIDDEN: &str = "script style iframe noembed noframes";

/// The counts of the chunks of one form.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ChunkCounts {
    /// The number of chunks, repeats included.
    pub(crate) chunks: u64,
    /// The number of distinct chunks.
    pub(crate) distinct: u64,
    /// The sum of the first eight bytes of every chunk's SHA-256, repeats included.
    pub(crate) sum_sha256: u64,
    /// The same sum for SHA-1.
    pub(crate) sum_sha1: u64,
}

/// Counts the chunks of pages in both forms.
#[derive(Default)]
pub(crate) struct SlowCount {
    markup: FormCount,
    text: FormCount,
}

#[derive(Default)]
struct FormCount {
    chunks: u64,
    distinct: HashSet<[u8; 20]>,
    sum_sha256: u64,
    sum_sha1: u64,
}

impl SlowCount {
    /// Adds a page.
    pub(crate) fn page(&mut self, content: Content, text: &str) {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let pieces = match content {
            Content::Html => html_pieces(text),
            Content::Plain => plain_pieces(text),
            Content::Other => vec![text],
        };
        for piece in pieces {
            self.markup.add(&folded(piece));
            self.text.add(&match content {
                Content::Html => visible_text(piece),
                Content::Plain | Content::Other => joined(piece.split_whitespace()),
            });
        }
    }

    /// Returns the counts of the markup form and of the text form.
    pub(crate) fn finish(self) -> (ChunkCounts, ChunkCounts) {
        (self.markup.finish(), self.text.finish())
    }
}

impl FormCount {
    fn add(&mut self, normal: &str) {
        if normal.is_empty() {
            return;
        }
        let sha256 = Sha256::digest(normal);
        let sha1 = Sha1::digest(normal);
        self.chunks += 1;
        self.sum_sha256 = self.sum_sha256.wrapping_add(first_eight(&sha256));
        self.sum_sha1 = self.sum_sha1.wrapping_add(first_eight(&sha1));
        self.distinct.insert(sha1.into());
    }

    fn finish(self) -> ChunkCounts {
        ChunkCounts {
            chunks: self.chunks,
            distinct: self.distinct.len() as u64,
            sum_sha256: self.sum_sha256,
            sum_sha1: self.sum_sha1,
        }
    }
}

/// Returns the first eight bytes of a hash as a number.
pub(crate) fn first_eight(hash: &[u8]) -> u64 {
    hash[..8]
        .iter()
        .fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// Returns all tokens with their spans. The tokenizer switches states like a browser without scripting.
fn tokens(text: &str) -> Vec<Token<usize>> {
    let mut tokenizer = Tokenizer::new_with_emitter(text, DefaultEmitter::<usize>::new_with_span());
    let mut tokens = Vec::new();
    while let Some(Ok(token)) = tokenizer.next() {
        if let Token::StartTag(tag) = &token {
            match &*tag.name.0 {
                b"title" | b"textarea" => tokenizer.set_state(State::RcData),
                b"style" | b"xmp" | b"iframe" | b"noembed" | b"noframes" => {
                    tokenizer.set_state(State::RawText);
                }
                b"script" => tokenizer.set_state(State::ScriptData),
                b"plaintext" => tokenizer.set_state(State::PlainText),
                _ => {}
            }
        }
        tokens.push(token);
    }
    tokens
}

/// Cuts an HTML page before every `p` and `div` start tag.
fn html_pieces(text: &str) -> Vec<&str> {
    let mut starts = vec![0];
    for token in tokens(text) {
        if let Token::StartTag(tag) = token
            && matches!(&*tag.name.0, b"p" | b"div")
        {
            starts.push(tag.span.start);
        }
    }
    between(text, starts)
}

/// Cuts plain text before every line that follows a blank one.
fn plain_pieces(text: &str) -> Vec<&str> {
    let mut starts = vec![0];
    let mut position = 0;
    let mut is_blank_before = false;
    for line in lines(text) {
        let is_blank = line.trim().is_empty();
        if is_blank_before && !is_blank && !text[..position].trim().is_empty() {
            starts.push(position);
        }
        is_blank_before = is_blank;
        position += line.len();
    }
    between(text, starts)
}

/// Returns the parts of a text between the given starts.
fn between(text: &str, mut starts: Vec<usize>) -> Vec<&str> {
    starts.push(text.len());
    let pieces = starts.windows(2).map(|pair| &text[pair[0]..pair[1]]);
    pieces.collect()
}

/// Returns the lines of a text, including their ends `\n`, `\r\n` or `\r`.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let line_end = rest.find(['\n', '\r']).map_or(rest.len(), |at| {
            at + if rest[at..].starts_with("\r\n") { 2 } else { 1 }
        });
        let (line, after) = rest.split_at(line_end);
        rest = after;
        (!line.is_empty()).then_some(line)
    })
}

/// Returns the visible text of a piece of HTML.
fn visible_text(piece: &str) -> String {
    let mut text = String::new();
    let mut templates = 0_usize;
    let mut hidden = false;
    let is_one_of = |name: &[u8], list: &str| list.split(' ').any(|known| known.as_bytes() == name);
    for token in tokens(piece) {
        match token {
            Token::StartTag(tag) => {
                text.push_str(if is_one_of(&tag.name.0, INLINE) {
                    ""
                } else {
                    " "
                });
                templates += usize::from(&*tag.name.0 == b"template");
                hidden = is_one_of(&tag.name.0, HIDDEN);
            }
            Token::EndTag(tag) => {
                text.push_str(if is_one_of(&tag.name.0, INLINE) {
                    ""
                } else {
                    " "
                });
                templates = templates.saturating_sub(usize::from(&*tag.name.0 == b"template"));
                hidden = false;
            }
            Token::String(string) if templates == 0 && !hidden => {
                text.push_str(&String::from_utf8_lossy(&string.value.0));
            }
            _ => {}
        }
    }
    joined(text.split_whitespace())
}

/// Folds the white space of a piece.
fn folded(piece: &str) -> String {
    joined(
        piece
            .split([' ', '\t', '\n', '\x0c', '\r'])
            .filter(|word| !word.is_empty()),
    )
}

fn joined<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(content: Content, text: &str) -> (u64, u64, u64, u64) {
        let mut count = SlowCount::default();
        count.page(content, text);
        let (markup, text) = count.finish();
        (markup.chunks, markup.distinct, text.chunks, text.distinct)
    }

    #[test]
    fn html_is_cut_at_paragraphs_and_divisions() {
        let page = "<h1>News</h1>\n<p>One<p>One<pre>x</pre><!-- <p> --><DIV> </div>";
        assert_eq!(counts(Content::Html, page), (4, 4, 3, 3));
        assert_eq!(
            counts(Content::Html, "\u{feff}<p>a</p><p>a</p>"),
            (2, 1, 2, 1)
        );
        assert_eq!(counts(Content::Html, ""), (0, 0, 0, 0));
    }

    #[test]
    fn plain_text_is_cut_at_blank_lines() {
        let text = "\n\none\r\ntwo\r\n \r\n\r\nthree\rfour\r\rfive";
        assert_eq!(counts(Content::Plain, text), (3, 3, 3, 3));
    }

    #[test]
    fn sums_are_made_of_hashes() {
        let mut count = SlowCount::default();
        count.page(Content::Other, " a \n b ");
        let (markup, _) = count.finish();
        let sha256 = u64::from_str_radix("c8687a08aa5d6ed2", 16).unwrap();
        assert_eq!(markup.sum_sha256, sha256);
    }
}
