//! The normal form of plain text, without the traces of a format.

mod chars;
mod lines;

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use crate::normal::chars::{fold, is_dash, is_unspaced};
use crate::normal::lines::join_lines;

/// Returns the normal form of a text: one line, equal for the same text from different formats.
///
/// - The text is in Unicode's compatibility form (NFKC), which unifies composed characters, ligatures and
///   presentation forms.
/// - Quotes, dashes, apostrophes and dots become ASCII; a run of hyphens becomes one. Soft hyphens,
///   direction marks, zero-width characters and the Arabic tatweel are dropped.
/// - Bullets become white space: HTML and DOCX draw them, but their texts do not contain them.
/// - A word that is hyphenated at the end of a line is joined. The hyphen is dropped, unless the word
///   - continues with anything except a lower-case letter (`Anglo-|Saxon`, `2010-|2015`),
///   - has another hyphen before (`state-of-the-|art`), or one letter on a side (`e-|mail`),
///   - or occurs elsewhere in the text with a hyphen and never without (`well-|known`).
///
///   Before *and*, *or* and similar words the hyphen replaces an omitted word, and the words are not
///   joined (`pre-|and post-`).
/// - A run of white space becomes one space. Between characters of scripts without spaces between words
///   (Chinese, Japanese, Thai, ...) it is dropped: there it usually is a wrapped line.
///
/// Case is kept. The normal form of a normal form is equal to it.
pub fn normalize(text: &str) -> String {
    let text: String = text.chars().filter_map(fold).collect();
    let text: String = nfkc(&text).chars().filter_map(fold).collect();
    let text = one_line(&join_lines(&text));
    // A letter and a mark may be adjacent now, because a character between them was dropped. They compose.
    match nfkc(&text) {
        Cow::Owned(changed) if changed != text => normalize(&changed),
        _ => text,
    }
}

/// Returns the compatibility form of a text. Most texts are in it already.
fn nfkc(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfkc().collect())
    }
}

fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let (mut before, mut last) = (None, None);
    let mut has_gap = false;
    for next in text.chars() {
        if next.is_whitespace() {
            has_gap = true;
            continue;
        }
        let next = if is_dash(next) { '-' } else { next };
        if has_gap && !last.is_none_or(|last| is_wrap(before, last, next)) {
            line.push(' ');
            last = Some(' ');
        }
        has_gap = false;
        if next == '-' && last == Some('-') {
            continue;
        }
        line.push(next);
        before = last;
        last = Some(next);
    }
    line
}

/// Returns true if white space between `last` and `next` is only a wrapped line. `before` precedes `last`.
fn is_wrap(before: Option<char>, last: char, next: char) -> bool {
    if is_unspaced(next) {
        is_unspaced(last) || (",.!?:;)".contains(last) && before.is_some_and(is_unspaced))
    } else {
        next == '(' && is_unspaced(last)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::normalize;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(normalize(text), expected);
        assert_eq!(normalize(expected), expected);
    }

    #[test]
    fn typography_is_folded() {
        check(
            "\u{201c}Don\u{2019}t\u{201d} \u{2014} \u{ab}x\u{bb}\u{2026}",
            "\"Don't\" - \"x\"...",
        );
        check("e\u{fb03}cient o\u{fb00}er", "efficient offer");
        check("cafe\u{301} caf\u{e9}", "caf\u{e9} caf\u{e9}");
        check("a\u{ad}b\u{200b}c\u{feff}d\u{2060}", "abcd");
        check("\u{2022} one\n\u{25aa}\ttwo", "one two");
        check("wait--what---now", "wait-what-now");
        check("\u{ff21}\u{ff42}\u{ff43}\u{3000}\u{bd}", "Abc 1/2");
        check("\u{fefb}\u{640}", "\u{644}\u{627}");
    }

    #[test]
    fn hyphenated_words_are_joined() {
        check("infor-\nmation", "information");
        check("infor\u{2010}  \n  mation", "information");
        check("infor\u{ad}\nmation", "information");
        check("well-known and well-\nknown", "well-known and well-known");
        check("well-\nknown", "wellknown");
        check("co-op, coop and co-\nop", "co-op, coop and coop");
        check("Anglo-\nSaxon 2010-\n2015", "Anglo-Saxon 2010-2015");
        check("state-of-the-\nart e-\nmail", "state-of-the-art e-mail");
        check("pre-\nand post-war", "pre- and post-war");
        check(
            "one -\ntwo\u{2014}\nthree--\nfour",
            "one - two- three- four",
        );
        check("infor-\n\nmation", "infor- mation");
    }

    #[test]
    fn wrapped_lines_are_joined() {
        check(" a \t b\r\nc\u{a0}d\u{2028}e ", "a b c d e");
        check(
            "\u{4e2d}\u{6587}\n\u{6c49}\u{5b57}\u{ff0c}\n\u{597d}",
            "\u{4e2d}\u{6587}\u{6c49}\u{5b57},\u{597d}",
        );
        check("\u{d55c} \u{ae00}", "\u{d55c} \u{ae00}");
        check("\u{4e2d}\nabc", "\u{4e2d} abc");
    }

    fn texts() -> impl Strategy<Value = String> {
        let odd = "-\n \t\u{ad}\u{2010}\u{2014}\u{2022}\u{200b}\u{301}\u{345}\u{3b1}\u{309b}\u{3099}\u{304b}\u{b4}\u{a8}\u{fe71}\u{640}\u{e31}\u{e48}\u{e38}\u{4e2d},(aAe1\u{2033}\u{ff0d}\u{fe58}\u{1100}\u{1161}";
        let odd: Vec<char> = odd.chars().collect();
        let char = prop_oneof![4 => proptest::sample::select(odd), 1 => any::<char>()];
        proptest::collection::vec(char, 0..24).prop_map(|chars| chars.into_iter().collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn normalizing_twice_changes_nothing(text in texts()) {
            let once = normalize(&text);
            prop_assert_eq!(normalize(&once), once);
        }

        #[test]
        fn wraps_do_not_matter(words in proptest::collection::vec("[a-z\u{e9}\u{4e2d}]{1,6}", 1..12), wraps in any::<u16>()) {
            let mut wrapped = String::new();
            for (index, word) in words.iter().enumerate() {
                wrapped.push_str(word);
                wrapped.push(if wraps >> index & 1 == 1 { '\n' } else { ' ' });
            }
            prop_assert_eq!(normalize(&wrapped), normalize(&words.join(" ")));
        }
    }
}
