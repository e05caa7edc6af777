//! Maps glyph names to text.
//!
//! Adobe's list of names has 4,281 entries. Most of them are a letter and an accent, which Unicode can
//! compose. The tables below contain the others that occur in texts.

use unicode_normalization::UnicodeNormalization;

/// Returns the text of a glyph name such as `eacute`, `f_i`, `uni20AC` or `A.sc`.
pub(super) fn text_of(name: &str) -> Option<String> {
    let name = name.split('.').next().filter(|name| !name.is_empty())?;
    let mut text = String::new();
    for part in name.split('_') {
        if let Some(units) = hexadecimal(part) {
            text.push_str(&units);
        } else {
            text.push_str(&named(part)?);
        }
    }
    Some(text)
}

/// Returns the text of a glyph of a TeX bitmap font. Its name is a letter and a code, such as `a102`. The
/// encoding is ASCII except for ligatures.
pub(super) fn of_tex_bitmap(name: &str) -> Option<String> {
    let digits = name.trim_start_matches(|char: char| char.is_ascii_alphabetic());
    let code = (digits.len() < name.len()).then(|| digits.parse::<u8>().ok())??;
    Some(match code {
        11 => "ff".to_owned(),
        12 => "fi".to_owned(),
        13 => "fl".to_owned(),
        14 => "ffi".to_owned(),
        15 => "ffl".to_owned(),
        0x20..=0x7e => char::from(code).to_string(),
        _ => return None,
    })
}

fn named(name: &str) -> Option<String> {
    let mut chars = name.chars();
    if let (Some(letter), None) = (chars.next(), chars.next()) {
        return Some(letter.to_string());
    }
    if let Some((_, text)) = NAMES.iter().find(|(known, _)| *known == name) {
        return Some((*text).to_owned());
    }
    if let Ok(index) =
        GREEK.binary_search_by_key(&name.to_ascii_lowercase().as_str(), |(name, _)| *name)
    {
        let (_, small) = GREEK[index];
        return Some(if name.starts_with(char::is_uppercase) {
            small.to_uppercase().to_string()
        } else {
            small.to_string()
        });
    }
    accented(name)
}

/// Returns the text of a name with hexadecimal digits: `uni` and groups of four, or `u` and four to six.
fn hexadecimal(name: &str) -> Option<String> {
    let code = |digits: &str| {
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hex.then(|| u32::from_str_radix(digits, 16).ok())?
    };
    if let Some(digits) = name.strip_prefix("uni")
        && digits.len() >= 4
        && digits.len().is_multiple_of(4)
    {
        let mut text = String::new();
        for at in (0..digits.len()).step_by(4) {
            text.push(char::from_u32(code(digits.get(at..at + 4)?)?)?);
        }
        return Some(text);
    }
    let digits = name.strip_prefix('u')?;
    (4..=6).contains(&digits.len()).then_some(())?;
    char::from_u32(code(digits)?).map(String::from)
}

/// Returns the text of a name that consists of a letter and an accent.
fn accented(name: &str) -> Option<String> {
    let letter = name.chars().next().filter(char::is_ascii_alphabetic)?;
    let (_, mark) = ACCENTS.iter().find(|(accent, _)| *accent == &name[1..])?;
    Some([letter, *mark].into_iter().nfc().collect())
}

const ACCENTS: [(&str, char); 14] = [
    ("grave", '\u{300}'),
    ("acute", '\u{301}'),
    ("circumflex", '\u{302}'),
    ("tilde", '\u{303}'),
    ("macron", '\u{304}'),
    ("breve", '\u{306}'),
    ("dotaccent", '\u{307}'),
    ("dieresis", '\u{308}'),
    ("ring", '\u{30a}'),
    ("hungarumlaut", '\u{30b}'),
    ("caron", '\u{30c}'),
    ("commaaccent", '\u{326}'),
    ("cedilla", '\u{327}'),
    ("ogonek", '\u{328}'),
];

/// The Greek lower-case letters, sorted by name.
#[rustfmt::skip]
const GREEK: [(&str, char); 24] = [
    ("alpha", 'α'), ("beta", 'β'), ("chi", 'χ'), ("delta", 'δ'), ("epsilon", 'ε'), ("eta", 'η'),
    ("gamma", 'γ'), ("iota", 'ι'), ("kappa", 'κ'), ("lambda", 'λ'), ("mu", 'μ'), ("nu", 'ν'),
    ("omega", 'ω'), ("omicron", 'ο'), ("phi", 'φ'), ("pi", 'π'), ("psi", 'ψ'), ("rho", 'ρ'),
    ("sigma", 'σ'), ("tau", 'τ'), ("theta", 'θ'), ("upsilon", 'υ'), ("xi", 'ξ'), ("zeta", 'ζ'),
];

#[rustfmt::skip]
const NAMES: [(&str, &str); 136] = [
    ("space", " "), ("nbspace", " "), ("exclam", "!"), ("quotedbl", "\""), ("numbersign", "#"),
    ("dollar", "$"), ("percent", "%"), ("ampersand", "&"), ("quotesingle", "'"),
    ("parenleft", "("), ("parenright", ")"), ("asterisk", "*"), ("plus", "+"), ("comma", ","),
    ("hyphen", "-"), ("period", "."), ("slash", "/"), ("zero", "0"), ("one", "1"), ("two", "2"),
    ("three", "3"), ("four", "4"), ("five", "5"), ("six", "6"), ("seven", "7"), ("eight", "8"),
    ("nine", "9"), ("colon", ":"), ("semicolon", ";"), ("less", "<"), ("equal", "="),
    ("greater", ">"), ("question", "?"), ("at", "@"), ("bracketleft", "["), ("backslash", "\\"),
    ("bracketright", "]"), ("asciicircum", "^"), ("underscore", "_"), ("grave", "`"),
    ("braceleft", "{"), ("bar", "|"), ("braceright", "}"), ("asciitilde", "~"),
    ("quoteleft", "‘"), ("quoteright", "’"), ("quotedblleft", "“"), ("quotedblright", "”"),
    ("quotesinglbase", "‚"), ("quotedblbase", "„"), ("guillemotleft", "«"),
    ("guillemotright", "»"), ("guilsinglleft", "‹"), ("guilsinglright", "›"), ("endash", "–"),
    ("emdash", "—"), ("ellipsis", "…"), ("bullet", "•"), ("periodcentered", "·"),
    ("dagger", "†"), ("daggerdbl", "‡"), ("section", "§"), ("paragraph", "¶"),
    ("copyright", "©"), ("registered", "®"), ("trademark", "™"), ("degree", "°"),
    ("ordfeminine", "ª"), ("ordmasculine", "º"), ("exclamdown", "¡"), ("questiondown", "¿"),
    ("cent", "¢"), ("sterling", "£"), ("yen", "¥"), ("Euro", "€"), ("florin", "ƒ"),
    ("currency", "¤"), ("perthousand", "‰"), ("fraction", "⁄"), ("onehalf", "½"),
    ("onequarter", "¼"), ("threequarters", "¾"), ("onesuperior", "¹"), ("twosuperior", "²"),
    ("threesuperior", "³"), ("multiply", "×"), ("divide", "÷"), ("plusminus", "±"),
    ("minus", "−"), ("logicalnot", "¬"), ("brokenbar", "¦"), ("germandbls", "ß"), ("ae", "æ"),
    ("AE", "Æ"), ("oe", "œ"), ("OE", "Œ"), ("oslash", "ø"), ("Oslash", "Ø"), ("lslash", "ł"),
    ("Lslash", "Ł"), ("eth", "ð"), ("Eth", "Ð"), ("thorn", "þ"), ("Thorn", "Þ"),
    ("dcroat", "đ"), ("Dcroat", "Đ"), ("dotlessi", "ı"), ("dotlessj", "ȷ"), ("ff", "ff"),
    ("fi", "fi"), ("fl", "fl"), ("ffi", "ffi"), ("ffl", "ffl"), ("IJ", "IJ"), ("ij", "ij"),
    ("sfthyphen", "\u{ad}"), ("acute", "´"), ("cedilla", "¸"), ("dieresis", "¨"),
    ("macron", "¯"), ("circumflex", "ˆ"), ("tilde", "˜"), ("caron", "ˇ"), ("arrowright", "→"),
    ("arrowleft", "←"), ("lessequal", "≤"), ("greaterequal", "≥"), ("notequal", "≠"),
    ("approxequal", "≈"), ("infinity", "∞"), ("summation", "∑"), ("integral", "∫"),
    ("radical", "√"), ("asteriskmath", "∗"), ("visiblespace", " "), ("ring", "˚"),
];

#[cfg(test)]
mod tests {
    use super::{GREEK, text_of};

    #[test]
    fn glyph_names_have_text() {
        let check = |name: &str, text: Option<&str>| assert_eq!(text_of(name).as_deref(), text);
        check("A", Some("A"));
        check("eacute", Some("\u{e9}"));
        check("Scommaaccent", Some("\u{218}"));
        check("f_f_i", Some("ffi"));
        check("uni20AC0041", Some("\u{20ac}A"));
        check("u1F600", Some("\u{1f600}"));
        check("Sigma", Some("\u{3a3}"));
        check("one.oldstyle", Some("1"));
        check("g123", None);
        check(".notdef", None);
        check("", None);
        assert_eq!(super::of_tex_bitmap("a102").as_deref(), Some("f"));
        assert_eq!(super::of_tex_bitmap("102"), None);
        assert!(GREEK.is_sorted());
    }
}
