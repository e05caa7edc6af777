//! Classifies characters: equivalent ones, invisible ones, and those of scripts without spaces.

/// Returns the plain form of a character, or `None` if it is invisible.
///
/// Dashes remain until lines are joined: a dash at the end of a line is not a hyphen.
pub(super) fn fold(char: char) -> Option<char> {
    Some(match char {
        '\0'..='\u{7f}' => match char {
            '\n' | '\u{b}' | '\u{c}' => '\n',
            char if char.is_ascii_control() => ' ',
            char => char,
        },
        // Next line, line separator, paragraph separator.
        '\u{85}' | '\u{2028}' | '\u{2029}' => '\n',
        // The acute accent is often typed as an apostrophe.
        '\u{b4}' | '\u{2b9}' | '\u{2bb}' | '\u{2bc}' | '\u{2bd}' | '\u{2018}'..='\u{201b}'
        | '\u{2032}' | '\u{2035}' | '\u{2039}' | '\u{203a}' => '\'',
        '\u{ab}' | '\u{bb}' | '\u{201c}'..='\u{201f}' | '\u{2033}' | '\u{2036}'
        | '\u{301d}'..='\u{301f}' => '"',
        // Hyphen, non-breaking hyphen, hyphen bullet.
        '\u{2010}' | '\u{2011}' | '\u{2043}' => '-',
        // Fraction slash, division slash.
        '\u{2044}' | '\u{2215}' => '/',
        // Control characters and bullets. The last four bullets are in Word's symbol fonts.
        '\u{80}'..='\u{9f}' | '\u{2022}' | '\u{2023}' | '\u{2219}' | '\u{25a0}' | '\u{25a1}' | '\u{25aa}' | '\u{25ab}'
        | '\u{25b6}' | '\u{25b8}' | '\u{25ba}' | '\u{25c6}' | '\u{25cb}' | '\u{25cf}'
        | '\u{25e6}' | '\u{2756}' | '\u{27a2}' | '\u{f0a7}' | '\u{f0b7}' | '\u{f0d8}'
        | '\u{f0fc}' => ' ',
        // Grapheme joiner, Arabic letter mark, tatweel, Mongolian separators and selectors.
        '\u{34f}' | '\u{61c}' | '\u{640}' | '\u{180b}'..='\u{180f}'
        // Zero-width characters, direction marks, invisible operators.
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        // Variation selectors, byte order mark, object replacement characters.
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffc}'
        | '\u{e0000}'..='\u{e0fff}' => return None,
        char => char,
    })
}

/// Returns true for dashes, which are not hyphens.
pub(super) fn is_dash(char: char) -> bool {
    matches!(
        char,
        '\u{2012}'..='\u{2015}' | '\u{2212}' | '\u{2e3a}' | '\u{2e3b}'
    )
}

/// Returns true for characters of scripts without spaces between words. The voicing marks U+3099 and
/// U+309A are excluded: they would compose with a character before a dropped space.
pub(super) fn is_unspaced(char: char) -> bool {
    matches!(char,
        // Thai, Lao; Burmese; Khmer.
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        // Radicals, punctuation, kana, bopomofo and ideographs.
        | '\u{2e80}'..='\u{2fdf}' | '\u{3001}'..='\u{3096}' | '\u{309b}'..='\u{312f}'
        | '\u{3190}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}
