//! Maps the codes of a font to text and widths.

use std::collections::HashMap;

use encoding_rs::{BIG5, EUC_KR, Encoding, GBK, SHIFT_JIS};
use hayro_syntax::object::{Array, Dict, Name, Object, Stream};

use crate::pdf::cmap::Cmap;
use crate::pdf::encoding::Base;
use crate::pdf::glyph_names;
use crate::pdf::widths::standard_width;

/// The properties of a font that matter for text.
pub(super) struct Font {
    kind: Kind,
    to_unicode: Cmap,
    /// Each glyph is below the one before.
    pub(super) is_vertical: bool,
}

enum Kind {
    /// Each code is one byte.
    Simple {
        texts: Vec<Option<String>>,
        widths: Vec<f64>,
    },
    /// A code has one or more bytes.
    Composite {
        codes: Codes,
        widths: HashMap<u32, f64>,
        default_width: f64,
    },
}

/// The codes of a composite font.
enum Codes {
    /// Two-byte glyph numbers.
    Glyphs,
    /// Big-endian UTF-16.
    Utf16,
    /// An East Asian legacy encoding.
    Legacy(&'static Encoding),
    /// Codes defined by a table.
    Table(Cmap),
}

/// One code of a painted string.
pub(super) struct Shown<'t> {
    pub(super) text: &'t str,
    /// The width in units of the font size.
    pub(super) width: f64,
    /// True for the byte 32, to which word spacing applies.
    pub(super) is_space: bool,
}

impl Font {
    pub(super) fn of(dict: &Dict<'_>) -> Font {
        let to_unicode = dict.get::<Stream<'_>>("ToUnicode");
        let to_unicode = to_unicode.and_then(|stream| stream.decoded_data().ok());
        let to_unicode = to_unicode
            .map(|bytes| Cmap::parse(&bytes))
            .unwrap_or_default();
        let subtype = name(dict, "Subtype");
        let (kind, is_vertical) = if subtype == "Type0" {
            composite(dict)
        } else {
            (simple(dict, &subtype, to_unicode.has_text()), false)
        };
        Font {
            kind,
            to_unicode,
            is_vertical,
        }
    }

    /// Calls `see` with each code of a string.
    pub(super) fn show(&self, bytes: &[u8], mut see: impl FnMut(Shown<'_>)) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let length = self.code_length(rest).clamp(1, rest.len());
            let (code_bytes, tail) = rest.split_at(length);
            rest = tail;
            let code = code_bytes
                .iter()
                .fold(0, |code, byte| code << 8 | u32::from(*byte));
            let (text, width) = self.glyph(code, code_bytes);
            see(Shown {
                text: self.to_unicode.text(code).unwrap_or(&text),
                width,
                is_space: length == 1 && code == 32,
            });
        }
    }

    fn code_length(&self, bytes: &[u8]) -> usize {
        match &self.kind {
            Kind::Simple { .. } => 1,
            Kind::Composite { codes, .. } => match codes {
                Codes::Utf16 if matches!(bytes[0], 0xd8..=0xdb) => 4,
                Codes::Legacy(_) if bytes[0] < 0x80 => 1,
                // In Shift JIS, half-width kana are single bytes.
                Codes::Legacy(encoding)
                    if *encoding == SHIFT_JIS && matches!(bytes[0], 0xa0..=0xdf) =>
                {
                    1
                }
                Codes::Glyphs | Codes::Utf16 | Codes::Legacy(_) => 2,
                Codes::Table(table) => table.code_length(bytes).unwrap_or(2),
            },
        }
    }

    /// Returns the text of a code according to the encoding of the font, and its width.
    fn glyph(&self, code: u32, bytes: &[u8]) -> (String, f64) {
        match &self.kind {
            Kind::Simple { texts, widths } => {
                let text = texts[code as usize & 0xff].clone().unwrap_or_default();
                (text, widths[code as usize & 0xff])
            }
            Kind::Composite {
                codes,
                widths,
                default_width,
            } => {
                let width = |glyph: u32| widths.get(&glyph).copied().unwrap_or(*default_width);
                match codes {
                    Codes::Glyphs => (String::new(), width(code)),
                    Codes::Table(table) => {
                        (String::new(), width(table.glyph(code).unwrap_or(code)))
                    }
                    Codes::Utf16 => (crate::pdf::cmap::utf16(bytes), *default_width),
                    Codes::Legacy(encoding) => {
                        let (text, _) = encoding.decode_without_bom_handling(bytes);
                        let half = if bytes.len() == 1 { 0.5 } else { 1.0 };
                        (text.into_owned(), half * default_width)
                    }
                }
            }
        }
    }
}

fn name(dict: &Dict<'_>, key: &str) -> String {
    let name = dict.get::<Name<'_>>(key);
    name.map(|name| String::from_utf8_lossy(name.as_ref()).into_owned())
        .unwrap_or_default()
}

fn number(dict: &Dict<'_>, key: &str) -> Option<f64> {
    dict.get::<f64>(key).filter(|number| number.is_finite())
}

fn simple(dict: &Dict<'_>, subtype: &str, has_table: bool) -> Kind {
    let font_name = name(dict, "BaseFont");
    let descriptor = dict.get::<Dict<'_>>("FontDescriptor").unwrap_or_default();
    let encoding = dict.get::<Object<'_>>("Encoding");
    let by_name = |name: &[u8]| match name {
        b"WinAnsiEncoding" => Some(Base::WinAnsi),
        b"MacRomanEncoding" => Some(Base::MacRoman),
        b"StandardEncoding" => Some(Base::Standard),
        _ => None,
    };
    let stated = match &encoding {
        Some(Object::Name(name)) => by_name(name.as_ref()),
        Some(Object::Dict(encoding)) => encoding
            .get::<Name<'_>>("BaseEncoding")
            .and_then(|name| by_name(name.as_ref())),
        _ => None,
    };
    let base = stated.unwrap_or(match subtype {
        _ if font_name.contains("Symbol") => Base::Symbol,
        "TrueType" => Base::WinAnsi,
        _ => Base::Standard,
    });
    let is_dingbats = font_name.contains("Dingbats");
    let mut texts: Vec<Option<String>> = (0..=255)
        .map(|code| base.char(code).filter(|_| !is_dingbats).map(String::from))
        .collect();
    if stated.is_none() && !has_table {
        built_in(&descriptor, &mut texts);
    }
    if let Some(Object::Dict(encoding)) = &encoding
        && let Some(differences) = encoding.get::<Array<'_>>("Differences")
    {
        different(&differences, subtype == "Type3", &mut texts);
    }
    Kind::Simple {
        widths: simple_widths(dict, &descriptor, &font_name, subtype, &texts),
        texts,
    }
}

/// Applies a list of differences such as `[39 /quotesingle 96 /grave /a]`: each number is the code of the
/// name that follows, and further names have the next codes.
fn different(differences: &Array<'_>, is_drawn: bool, texts: &mut [Option<String>]) {
    let mut code = 0;
    for item in differences.iter::<Object<'_>>().take(1024) {
        match item {
            Object::Number(number) => code = number.as_i64().clamp(0, 256) as usize,
            Object::Name(name) => {
                if let Some(text) = texts.get_mut(code) {
                    let name = String::from_utf8_lossy(name.as_ref());
                    *text = glyph_names::text_of(&name);
                    if text.is_none() && is_drawn {
                        *text = glyph_names::of_tex_bitmap(&name);
                    }
                }
                code += 1;
            }
            _ => {}
        }
    }
}

/// Reads the built-in encoding of a Type 1 font from the readable part of its program, with lines such as
/// `dup 12 /fi put`.
fn built_in(descriptor: &Dict<'_>, texts: &mut [Option<String>]) {
    let Some(program) = descriptor.get::<Stream<'_>>("FontFile") else {
        return;
    };
    let Ok(program) = program.decoded_data() else {
        return;
    };
    let text = String::from_utf8_lossy(&program[..program.len().min(32 << 10)]);
    let text = text.split("eexec").next().unwrap_or_default();
    let Some(start) = text.find("/Encoding") else {
        return;
    };
    let mut words = text[start..].split_ascii_whitespace();
    if words.clone().nth(1) == Some("StandardEncoding") {
        return;
    }
    texts.fill(None);
    while let Some(word) = words.next() {
        if word != "dup" {
            continue;
        }
        // Some programs write `dup 12/fi put`.
        let mut code = words.next().unwrap_or_default();
        let glyph = match code.split_once('/') {
            Some((number, glyph)) => {
                code = number;
                glyph
            }
            None => words.next().unwrap_or_default().trim_start_matches('/'),
        };
        if let Some(text) = code
            .parse()
            .ok()
            .and_then(|code: usize| texts.get_mut(code))
        {
            *text = glyph_names::text_of(glyph);
        }
    }
}

fn simple_widths(
    dict: &Dict<'_>,
    descriptor: &Dict<'_>,
    font_name: &str,
    subtype: &str,
    texts: &[Option<String>],
) -> Vec<f64> {
    // Type 3 fonts define their units.
    let matrix = dict
        .get::<Array<'_>>("FontMatrix")
        .filter(|_| subtype == "Type3");
    let unit = matrix
        .and_then(|matrix| matrix.iter::<f64>().next())
        .unwrap_or(0.001)
        .abs();
    let Some(stated) = dict.get::<Array<'_>>("Widths") else {
        // One of the standard fonts, whose widths files may omit.
        let texts = texts.iter().map(Option::as_deref);
        return texts.map(|text| standard_width(font_name, text)).collect();
    };
    let missing = number(descriptor, "MissingWidth").unwrap_or(0.0) * unit;
    let mut widths = vec![missing; 256];
    let first = number(dict, "FirstChar").unwrap_or(0.0).clamp(0.0, 255.0) as usize;
    for (width, stated) in widths[first..].iter_mut().zip(stated.iter::<f64>()) {
        *width = stated * unit;
    }
    widths
}

fn composite(dict: &Dict<'_>) -> (Kind, bool) {
    let descendants = dict.get::<Array<'_>>("DescendantFonts");
    let descendant = descendants.and_then(|array| array.iter::<Dict<'_>>().next());
    let descendant = descendant.unwrap_or_default();
    let (codes, is_vertical) = match dict.get::<Object<'_>>("Encoding") {
        Some(Object::Name(name)) => {
            let name = String::from_utf8_lossy(name.as_ref()).into_owned();
            (predefined(&name), name.ends_with("-V"))
        }
        Some(Object::Stream(stream)) => {
            let is_vertical = stream.dict().get::<i32>("WMode") == Some(1);
            let table = stream.decoded_data().map(|bytes| Cmap::parse(&bytes));
            (Codes::Table(table.unwrap_or_default()), is_vertical)
        }
        _ => (Codes::Glyphs, false),
    };
    let kind = Kind::Composite {
        codes,
        widths: composite_widths(&descendant),
        default_width: number(&descendant, "DW").unwrap_or(1000.0) / 1000.0,
    };
    (kind, is_vertical)
}

/// Returns the codes of a predefined table. The names of tables that map Unicode or legacy encodings
/// state the encoding, which gives the text.
fn predefined(name: &str) -> Codes {
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    if has(&["UCS2", "UTF16"]) {
        Codes::Utf16
    } else if has(&["GBK", "GBpc", "GB-EUC", "GBKp"]) {
        Codes::Legacy(GBK)
    } else if has(&["RKSJ"]) {
        Codes::Legacy(SHIFT_JIS)
    } else if has(&["B5", "HKscs"]) {
        Codes::Legacy(BIG5)
    } else if has(&["KSC"]) {
        Codes::Legacy(EUC_KR)
    } else {
        Codes::Glyphs
    }
}

/// Reads a list of widths such as `[1 [500 600] 10 20 300]`: the widths of glyphs 1 and 2, and the width
/// of glyphs 10 to 20.
fn composite_widths(descendant: &Dict<'_>) -> HashMap<u32, f64> {
    let mut widths = HashMap::new();
    let Some(array) = descendant.get::<Array<'_>>("W") else {
        return widths;
    };
    let mut items = array.iter::<Object<'_>>();
    while let Some(Object::Number(first)) = items.next() {
        let first = first.as_i64().clamp(0, 0xffff) as u32;
        match items.next() {
            Some(Object::Array(each)) => {
                for (step, width) in (0..=0xffff).zip(each.iter::<f64>()) {
                    widths.insert(first + step, width / 1000.0);
                }
            }
            Some(Object::Number(last)) => {
                let last = last.as_i64().clamp(0, 0xffff) as u32;
                let Some(Object::Number(width)) = items.next() else {
                    break;
                };
                for glyph in first..=last {
                    widths.insert(glyph, width.as_f64() / 1000.0);
                }
            }
            _ => break,
        }
    }
    widths
}
