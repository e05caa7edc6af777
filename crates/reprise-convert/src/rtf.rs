//! RTF: groups in braces, control words after backslashes, and text between them.
//!
//! This module does not use a crate. Plain text needs only one pass over the tokens, and this pass is
//! bounded in time, depth and output. The closest crate, rtf-parser-tt, also supports code pages and
//! notes; its speed and limits were not measured.
//!
//! Bytes beyond ASCII are in the code page of the current font, or of the document. A character given by
//! number (`\u8217?`) is followed by a substitute for old readers, which this reader skips.

mod charset;
mod tokens;

use std::collections::HashMap;

use encoding_rs::Encoding;

use crate::converter::Work;
use crate::error::ConvertError;
use crate::format::Format;
use crate::paragraphs::Paragraphs;
use crate::rtf::tokens::{Token, Tokens};

const FORMAT: Format = Format::Rtf;

/// Writes the text of a document, then its notes. Returns its title.
pub(crate) fn convert(bytes: &[u8], work: &mut Work<'_>) -> Result<Option<String>, ConvertError> {
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let start = start.trim_ascii_start();
    if !start.starts_with(b"{\\rtf") {
        return Err(ConvertError::malformed(
            FORMAT,
            &"it does not begin with {\\rtf",
        ));
    }
    let mut reader = Reader::new(work.limits.text_bytes_max);
    for token in Tokens::new(start) {
        work.clock.tick()?;
        reader.take(token, work)?;
        if work.out.is_full() || reader.is_over {
            break;
        }
    }
    reader.flush(work);
    let (notes, _) = reader.notes.finish();
    work.out.append(&notes);
    Ok(Some(reader.title))
}

/// The destination of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Destination {
    Body,
    Note,
    /// Metadata, which contain the title.
    Info,
    Title,
    /// The font table, which states the code pages of fonts.
    Fonts,
    Nowhere,
}

/// The state of a group.
#[derive(Clone, Debug)]
struct State {
    destination: Destination,
    encoding: &'static Encoding,
    /// The number of fallback characters that follow a `\uN` escape. The reader skips them.
    substitutes: u32,
    is_hidden: bool,
    is_deleted: bool,
}

struct Reader {
    state: State,
    outer: Vec<State>,
    /// The code page of the document.
    default_encoding: &'static Encoding,
    /// The code pages of the fonts.
    fonts: HashMap<i32, &'static Encoding>,
    /// The current font of the font table.
    font: i32,
    notes: Paragraphs,
    title: String,
    /// Bytes that are not decoded yet. A character may have two bytes.
    pending: Vec<u8>,
    /// The first half of a surrogate pair.
    high: Option<u16>,
    /// The number of substitutes to skip.
    skipping: u32,
    /// The last token was `\*`. If the next word is unknown, its group is skipped.
    is_optional: bool,
    is_over: bool,
}

impl Reader {
    fn new(bytes_max: usize) -> Reader {
        let encoding = encoding_rs::WINDOWS_1252;
        Reader {
            state: State {
                destination: Destination::Body,
                encoding,
                substitutes: 1,
                is_hidden: false,
                is_deleted: false,
            },
            outer: Vec::new(),
            default_encoding: encoding,
            fonts: HashMap::new(),
            font: 0,
            notes: Paragraphs::new(bytes_max),
            title: String::new(),
            pending: Vec::new(),
            high: None,
            skipping: 0,
            is_optional: false,
            is_over: false,
        }
    }

    fn take(&mut self, token: Token<'_>, work: &mut Work<'_>) -> Result<(), ConvertError> {
        let is_optional = std::mem::take(&mut self.is_optional);
        match token {
            Token::Open => {
                self.flush(work);
                self.skipping = 0;
                if self.outer.len() >= work.limits.depth_max as usize {
                    return Err(ConvertError::malformed(
                        FORMAT,
                        &"its groups are nested too deeply",
                    ));
                }
                self.outer.push(self.state.clone());
            }
            Token::Close => {
                self.flush(work);
                self.skipping = 0;
                match self.outer.pop() {
                    Some(outer) => {
                        if self.state.destination == Destination::Note
                            && outer.destination != Destination::Note
                        {
                            self.notes.paragraph();
                        }
                        self.state = outer;
                        self.is_over = self.outer.is_empty();
                    }
                    None => self.is_over = true,
                }
            }
            Token::Optional => self.is_optional = true,
            Token::Byte(byte) => self.byte(byte),
            Token::Text(text) => {
                for &byte in text {
                    self.byte(byte);
                }
            }
            Token::Word(name, number) => {
                if self.skipping > 0 && !matches!(name, b"u" | b"uc") {
                    // A word can be a substitute too.
                    self.skipping -= 1;
                } else {
                    self.word(name, number, is_optional, work);
                }
            }
        }
        Ok(())
    }

    fn byte(&mut self, byte: u8) {
        if self.skipping > 0 {
            self.skipping -= 1;
        } else if self.is_wanted() {
            self.pending.push(byte);
        }
    }

    fn is_wanted(&self) -> bool {
        use Destination::{Body, Note, Title};
        matches!(self.state.destination, Body | Note | Title)
            && !self.state.is_hidden
            && !self.state.is_deleted
    }

    /// Decodes the pending bytes and writes them to their destination.
    fn flush(&mut self, work: &mut Work<'_>) {
        if !self.pending.is_empty() {
            let bytes = std::mem::take(&mut self.pending);
            let (text, _) = self.state.encoding.decode_without_bom_handling(&bytes);
            self.high = None;
            self.send(&text, work);
        }
    }

    fn send(&mut self, text: &str, work: &mut Work<'_>) {
        if !self.is_wanted() {
            return;
        }
        match self.state.destination {
            Destination::Body => work.out.push(text),
            Destination::Note => self.notes.push(text),
            Destination::Title if self.title.len() < 4096 => self.title.push_str(text),
            _ => {}
        }
    }

    fn out<'o>(&'o mut self, work: &'o mut Work<'_>) -> Option<&'o mut Paragraphs> {
        match self.state.destination {
            Destination::Body => Some(&mut work.out),
            Destination::Note => Some(&mut self.notes),
            _ => None,
        }
    }

    fn word(&mut self, name: &[u8], number: Option<i32>, is_optional: bool, work: &mut Work<'_>) {
        self.flush(work);
        if let Some(destination) = destination(name) {
            if destination == Destination::Note {
                self.notes.paragraph();
            }
            // A group within an ignored group is ignored too.
            if self.state.destination != Destination::Nowhere {
                self.state.destination = destination;
            }
            return;
        }
        match name {
            b"u" => return self.character(number.unwrap_or(0), work),
            b"uc" => self.state.substitutes = number.unwrap_or(1).clamp(0, 16) as u32,
            b"v" => self.state.is_hidden = number != Some(0),
            b"deleted" => self.state.is_deleted = number != Some(0),
            b"plain" => {
                self.state.encoding = self.default_encoding;
                self.state.is_hidden = false;
            }
            _ => {
                let is_known = self.charset_word(name, number) || self.layout_word(name, work);
                if is_optional && !is_known {
                    self.state.destination = Destination::Nowhere;
                }
            }
        }
        self.high = None;
    }

    /// Handles words about code pages. Returns true if the word is one of them.
    fn charset_word(&mut self, name: &[u8], number: Option<i32>) -> bool {
        let is_fonts = self.state.destination == Destination::Fonts;
        let page = match name {
            b"ansi" => Some(encoding_rs::WINDOWS_1252),
            b"mac" => Some(encoding_rs::MACINTOSH),
            b"ansicpg" => charset::of_code_page(number.unwrap_or(1252)),
            b"f" if is_fonts => {
                self.font = number.unwrap_or(0);
                return true;
            }
            b"f" => {
                let font = self.fonts.get(&number.unwrap_or(0));
                self.state.encoding = font.copied().unwrap_or(self.default_encoding);
                return true;
            }
            b"fcharset" if is_fonts => {
                if let Some(encoding) = charset::of_charset(number.unwrap_or(0)) {
                    self.fonts.insert(self.font, encoding);
                }
                return true;
            }
            b"cpg" if is_fonts => {
                if let Some(encoding) = charset::of_code_page(number.unwrap_or(0)) {
                    self.fonts.insert(self.font, encoding);
                }
                return true;
            }
            _ => return false,
        };
        if let Some(encoding) = page {
            self.default_encoding = encoding;
            self.state.encoding = encoding;
        }
        true
    }

    /// Handles words that stand for white space or a character. Returns true if the word is one of them.
    fn layout_word(&mut self, name: &[u8], work: &mut Work<'_>) -> bool {
        let text = match name {
            b"par" | b"sect" | b"page" | b"row" | b"nestrow" => {
                if let Some(out) = self.out(work) {
                    out.paragraph();
                }
                return true;
            }
            b"line" | b"lbr" | b"softline" | b"column" => {
                if let Some(out) = self.out(work) {
                    out.line();
                }
                return true;
            }
            b"tab" | b"cell" | b"nestcell" => {
                if let Some(out) = self.out(work) {
                    out.tab();
                }
                return true;
            }
            b"emdash" => "\u{2014}",
            b"endash" => "\u{2013}",
            b"lquote" => "\u{2018}",
            b"rquote" => "\u{2019}",
            b"ldblquote" => "\u{201c}",
            b"rdblquote" => "\u{201d}",
            b"bullet" => "\u{2022}",
            b"emspace" | b"enspace" | b"qmspace" | b"~" => "\u{a0}",
            b"_" => "\u{2011}",
            b"-" => "\u{ad}",
            b"zwj" => "\u{200d}",
            b"zwnj" => "\u{200c}",
            _ => return false,
        };
        self.send(text, work);
        true
    }

    /// Writes a character given by a signed 16-bit number. Characters beyond 16 bits are surrogate pairs.
    fn character(&mut self, number: i32, work: &mut Work<'_>) {
        let high = self.high.take();
        self.skipping = self.state.substitutes;
        let unit = number as u32;
        let unit = if number < 0 { unit & 0xffff } else { unit };
        let char = match (high, unit) {
            (_, 0xd800..=0xdbff) => {
                self.high = Some(unit as u16);
                return;
            }
            (Some(high), 0xdc00..=0xdfff) => {
                let pair = char::decode_utf16([high, unit as u16]).next();
                pair.and_then(Result::ok)
            }
            // Symbol fonts use a private area of Unicode, which remains unchanged.
            _ => char::from_u32(unit),
        };
        if let Some(char) = char {
            self.send(char.encode_utf8(&mut [0; 4]), work);
        }
    }
}

/// Returns the destination of the text after a word, if the word changes it.
fn destination(name: &[u8]) -> Option<Destination> {
    Some(match name {
        b"footnote" => Destination::Note,
        b"info" => Destination::Info,
        b"title" => Destination::Title,
        b"fonttbl" => Destination::Fonts,
        b"colortbl"
        | b"stylesheet"
        | b"listtable"
        | b"listoverridetable"
        | b"revtbl"
        | b"rsidtbl"
        | b"generator"
        | b"pict"
        | b"objdata"
        | b"fldinst"
        | b"header"
        | b"headerl"
        | b"headerr"
        | b"headerf"
        | b"footer"
        | b"footerl"
        | b"footerr"
        | b"footerf"
        | b"bkmkstart"
        | b"bkmkend"
        | b"xe"
        | b"tc"
        | b"themedata"
        | b"colorschememapping"
        | b"latentstyles"
        | b"datastore"
        | b"xmlnstbl"
        | b"annotation"
        | b"atnid"
        | b"atnauthor"
        | b"pntext"
        | b"pntxta"
        | b"pntxtb"
        | b"listtext"
        | b"nonshppict"
        | b"ftnsep"
        | b"ftnsepc"
        | b"ftncn"
        | b"aftnsep"
        | b"aftnsepc"
        | b"aftncn"
        | b"sp"
        | b"mmathPr" => Destination::Nowhere,
        _ => return None,
    })
}
